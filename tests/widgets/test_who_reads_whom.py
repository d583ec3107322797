"""WhoReadsWhom: the browser's numbers are NumPy's."""

import numpy as np
import pytest
from agreement import assert_agrees, derive_in_node

import qkv.widgets


def random_state(rng, n_q, n_kv, d, mode):
    def vectors(n):
        return rng.normal(size=(n, d)).round(6).tolist()

    return {
        "tokens": [f"t{i}" for i in range(n_q)], "memory": [f"m{j}" for j in range(n_kv)],
        "X": vectors(n_q), "M": vectors(n_kv), "mode": mode, "reader": n_q - 1,
    }  # fmt: skip


@pytest.mark.parametrize("mode", ["self", "cross"])
def test_derive_equals_numpy(mode):
    rng = np.random.default_rng(2)
    shapes = [(1, 1, 1), (3, 5, 2), (13, 5, 3), (4, 20, 6)]
    assert_agrees("WhoReadsWhom", [random_state(rng, *shape, mode) for shape in shapes])


def test_self_and_cross_differ_in_their_sources_alone():
    lab = qkv.widgets.WhoReadsWhom()
    assert lab.shape == (13, 13)
    lab.mode = "cross"
    assert lab.shape == (13, 5)
    assert_agrees("WhoReadsWhom", [lab.inputs()])


@pytest.mark.parametrize(
    "change, sentence",
    [
        ({"M": [[1, 0]]}, "M must have one row per token; it is 1 × 2."),
        ({"mode": "both"}, "The mode must be “self” or “cross”."),
        ({"reader": 13}, "The reader must be a position from 1 to 13."),
        (
            {"memory": ["a"], "M": [[1, 0]]},
            "X and M must be equally wide; they are 13 × 3 and 1 × 2.",
        ),
    ],
)
def test_bad_inputs_get_a_sentence(change, sentence):
    state = {**qkv.widgets.WhoReadsWhom().inputs(), **change}
    assert derive_in_node("WhoReadsWhom", [state]) == [sentence]
