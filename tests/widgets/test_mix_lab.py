"""MixLab: the browser's numbers are NumPy's; only the raw rule leaves the triangle."""

import numpy as np
import pytest
from agreement import assert_agrees, derive_in_node

import qkv.widgets


def random_states(count, rule, seed=5):
    rng = np.random.default_rng(seed)
    return [
        {
            "scores": rng.normal(0, 3, size=3).round(6).tolist(),
            "values": rng.normal(0, 4, size=(3, 2)).round(6).tolist(),
            "offset": round(float(rng.normal(0, 20)), 6),
            "temperature": round(float(rng.uniform(0.05, 10)), 6),
            "rule": rule,
        }
        for _ in range(count)
    ]


@pytest.mark.parametrize("rule", ["softmax", "raw"])
def test_derive_equals_numpy(rule):
    assert_agrees("MixLab", random_states(60, rule))


def test_it_opens_on_the_running_example():
    lab = qkv.widgets.MixLab()
    np.testing.assert_allclose(lab.weights, [0.248255, 0.248255, 0.503490], atol=5e-7)
    np.testing.assert_allclose(lab.output, [1.503490, 0.751745], atol=5e-7)
    assert lab.inside
    assert_agrees("MixLab", [lab.inputs()])


EDGES = [
    {"scores": [800, -800, 0]},  # weights of exactly 0
    {"scores": [0.2, 0.3, 0.5], "rule": "raw"},  # shares by chance: they have an entropy
    {"scores": [1, 0, 0], "rule": "raw"},  # on a corner
    {"scores": [1, 0, 1], "rule": "raw"},
    {"values": [[10, 0], [0, 10], [4, 6]]},  # a flat triangle
    {"values": [[1, 2], [1, 2], [1, 2]], "temperature": 0.05},  # three equal values
    {"values": [[1, 2], [1, 2], [1, 2]], "rule": "raw"},
]


def test_edges_equal_numpy():
    assert_agrees("MixLab", [{**qkv.widgets.MixLab().inputs(), **edge} for edge in EDGES])
    inside = [qkv.widgets.MixLab(**edge).inside for edge in EDGES]
    assert inside == [True, True, True, False, True, True, False]
    entropies = [qkv.widgets.MixLab(**edge).entropy is not None for edge in EDGES]
    assert entropies == [True, True, True, False, True, True, False]


def test_softmax_never_leaves_the_triangle_and_ignores_the_offset():
    for state in random_states(200, "softmax", seed=6):
        lab = qkv.widgets.MixLab(**state)
        assert lab.inside
        still = qkv.widgets.MixLab(**{**state, "offset": 0.0})
        np.testing.assert_allclose(lab.weights, still.weights, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(
    "change, sentence",
    [
        ({"scores": [1, 2]}, "The scores must be three numbers."),
        ({"scores": [1, None, 2]}, "The scores must be three numbers."),
        ({"values": [[1, 2], [3, 4]]}, "The values must be three rows of two numbers."),
        ({"values": [[1], [2], [3]]}, "The values must be three rows of two numbers."),
        ({"offset": None}, "The offset must be a number."),
        ({"temperature": 0}, "The temperature must be a number above 0."),
        ({"rule": "hard"}, "The rule must be “softmax” or “raw”."),
    ],
)
def test_bad_inputs_get_a_sentence(change, sentence):
    state = {**qkv.widgets.MixLab().inputs(), **change}
    assert derive_in_node("MixLab", [state]) == [sentence]


def test_python_refuses_bad_inputs():
    MixLab = qkv.widgets.MixLab
    with pytest.raises(ValueError, match=r"MixLab\.scores: expected numbers of shape \(3,\)"):
        MixLab(scores=[1, 2])
    with pytest.raises(ValueError, match=r"MixLab\.values: expected numbers of shape \(3, 2\)"):
        MixLab(values=[[1, 2]])
    with pytest.raises(ValueError, match=r"MixLab\.temperature: expected a finite number above 0"):
        MixLab(temperature=0)


def test_it_says_what_it_shows():
    lab = qkv.widgets.MixLab(rule="raw", offset=1)
    assert repr(lab) == (
        "MixLab(raw, offset 1, temperature 1: weights 1.7071 1.7071 2.4142, sum 5.8284, "
        "entropy none, output 8.2426 4.1213 outside the triangle)"
    )
    assert "outside the triangle" in lab.still()
