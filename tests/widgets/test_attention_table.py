"""AttentionTable: the browser's numbers are NumPy's, and bad inputs get a sentence."""

import numpy as np
import pytest
from agreement import assert_agrees, derive_in_node

import qkv.widgets


def random_state(rng, n, d_model, d_k, d_v, causal, scaled):
    def matrix(*shape):
        return rng.normal(size=shape).round(6).tolist()

    return {
        "X": matrix(n, d_model), "W_Q": matrix(d_model, d_k), "W_K": matrix(d_model, d_k),
        "W_V": matrix(d_model, d_v), "causal": causal, "scaled": scaled, "reader": n - 1,
    }  # fmt: skip


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("scaled", [False, True])
def test_derive_equals_numpy(causal, scaled):
    rng = np.random.default_rng(6)
    shapes = [(1, 1, 1, 1), (3, 2, 2, 2), (5, 4, 3, 2), (16, 3, 5, 4), (64, 8, 4, 6)]
    assert_agrees("AttentionTable", [random_state(rng, *s, causal, scaled) for s in shapes])


def test_it_opens_on_the_running_example():
    table = qkv.widgets.AttentionTable()
    np.testing.assert_allclose(table.weights[1], [0.248255, 0.248255, 0.503490], atol=5e-7)
    assert_agrees("AttentionTable", [table.inputs()])


@pytest.mark.parametrize(
    "change, sentence",
    [
        ({"W_Q": [[1, 0]]}, "W_Q must have 2 rows, one per column of X; it is 1 × 2."),
        ({"X": [[1, 0], [1]]}, "X must be rows of numbers, all of one length."),
        ({"X": [[1, None]]}, "X must be rows of numbers, all of one length."),
        ({"X": []}, "X must be rows of numbers, all of one length."),
        (
            {"W_K": [[1], [0]]},
            "W_Q and W_K must have equally many columns; they are 2 × 2 and 2 × 1.",
        ),
        ({"reader": 3}, "The reader must be a position from 1 to 3."),
    ],
)
def test_bad_inputs_get_a_sentence(change, sentence):
    state = {**qkv.widgets.AttentionTable().inputs(), **change}
    assert derive_in_node("AttentionTable", [state]) == [sentence]


@pytest.mark.parametrize("value", [[[1, np.nan]], [[1, np.inf]], [], [1, 2], "two", [[1], [2, 3]]])
def test_python_refuses_what_is_no_matrix(value):
    with pytest.raises(ValueError, match=r"AttentionTable\.X: expected finite numbers with 2 axes"):
        qkv.widgets.AttentionTable(X=value)
