"""CardFile: the browser's numbers are NumPy's, and bad inputs get a sentence."""

import numpy as np
import pytest
from agreement import assert_agrees, derive_in_node

import qkv
from qkv.widgets import CardFile


def random_state(rng, n, d_k, d_v, hard):
    return {
        "tags": [f"tag {r}" for r in range(d_k)],
        "labels": [f"content {j}" for j in range(n)],
        "request": rng.integers(0, 2, d_k).tolist(),
        "keys": rng.integers(0, 2, (n, d_k)).tolist(),
        "values": rng.normal(scale=5, size=(n, d_v)).round(6).tolist(),
        "hard": hard,
        "temperature": round(rng.uniform(0.1, 5), 3),
    }


@pytest.mark.parametrize("hard", [False, True])
def test_derive_equals_numpy(hard):
    rng = np.random.default_rng(1)
    shapes = [(1, 1, 1), (3, 4, 2), (4, 3, 5), (7, 9, 1), (20, 12, 8)] * 4
    assert_agrees("CardFile", [random_state(rng, *s, hard) for s in shapes])


def test_extremes():
    rng = np.random.default_rng(2)
    state = random_state(rng, 4, 12, 2, False)
    nothing = {**state, "request": [0] * 12}
    assert_agrees("CardFile", [{**state, "temperature": t} for t in (1e-6, 1e-3, 1e6)])
    assert_agrees("CardFile", [{**nothing, "hard": hard} for hard in (True, False)])
    np.testing.assert_allclose(CardFile(**nothing).weights, 0.25)


def test_it_opens_on_the_three_cards():
    cards = CardFile()
    example = qkv.inputs()["cards"]
    given = example["request"], example["keys"], example["values"]
    assert cards.raw.tolist() == [2, 1, 0] and cards.output.tolist() == [4, 1]
    np.testing.assert_array_equal(cards.output, qkv.retrieve(*given))
    cards.hard = False
    np.testing.assert_allclose(cards.output, qkv.soft_retrieve(*given), rtol=1e-14)
    assert_agrees("CardFile", [cards.inputs()])


def test_keys_are_a_trait_like_any_other():
    """ipywidgets keeps the names of synced traits under the same name."""
    cards = CardFile()
    seen = []
    cards.observe(lambda change: seen.append(change["new"]), "keys")
    cards.keys = [[0, 0, 0, 1]] * 3
    assert seen == [[[0, 0, 0, 1]] * 3] and cards.get_state("keys") == {"keys": seen[0]}
    cards.set_state({"keys": [[1, 0, 0, 0]] * 3, "hard": False})  # as the browser does
    assert cards.raw.tolist() == [1, 1, 1] and not cards.hard
    assert set(CardFile.INPUTS) <= set(cards.get_state())
    assert "keys" in cards.keys and "comm" not in cards.keys


@pytest.mark.parametrize(
    "change, sentence",
    [
        ({"tags": []}, "The tags must be a list of texts."),
        ({"request": [1, 0]}, "The request must have 4 numbers, one per tag, each 0 or 1."),
        ({"request": [1, 0, 2, 0]}, "The request must have 4 numbers, one per tag, each 0 or 1."),
        ({"keys": [[1, 0]]}, "Each key must have 4 numbers, one per tag, each 0 or 1."),
        ({"keys": [[1, 0, 0.5, 0]] * 3}, "Each key must have 4 numbers, one per tag, each 0 or 1."),
        ({"values": [[1, 2], [3]]}, "The values must be rows of numbers, all of one length."),
        ({"values": [[1, 2]]}, "There must be as many values as keys; there are 1 and 3."),
        ({"labels": ["a", "b"]}, "There must be 3 labels, one per card."),
        ({"temperature": 0}, "The temperature must be above 0."),
        ({"temperature": None}, "The temperature must be above 0."),
    ],
)
def test_bad_inputs_get_a_sentence(change, sentence):
    assert derive_in_node("CardFile", [{**CardFile().inputs(), **change}]) == [sentence]


@pytest.mark.parametrize(
    "change, message",
    [
        ({"request": [1, 0, 0.5, 0]}, r"CardFile\.request: expected 0 or 1 per tag"),
        ({"keys": [[1, np.nan, 0, 0]]}, r"CardFile\.keys: expected finite numbers with 2 axes"),
        ({"values": [1, 2]}, r"CardFile\.values: expected finite numbers with 2 axes"),
        ({"temperature": 0.0}, "CardFile: expected temperature"),
    ],
)
def test_python_refuses_bad_inputs(change, message):
    with pytest.raises(ValueError, match=message):
        CardFile(**change)
