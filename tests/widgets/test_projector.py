"""Projector: the browser's numbers are NumPy's."""

import numpy as np
import pytest
from agreement import assert_agrees, derive_in_node

import qkv.widgets


def random_state(rng, n, d_model, d_k, d_v):
    def matrix(*shape):
        return rng.normal(size=shape).round(6).tolist()

    return {
        "X": matrix(n, d_model), "W_Q": matrix(d_model, d_k), "W_K": matrix(d_model, d_k),
        "W_V": matrix(d_model, d_v), "i": n - 1, "j": 0,
    }  # fmt: skip


def test_derive_equals_numpy():
    rng = np.random.default_rng(3)
    shapes = [(1, 1, 1, 1), (3, 2, 2, 2), (5, 4, 3, 2), (12, 3, 5, 4)]
    assert_agrees("Projector", [random_state(rng, *shape) for shape in shapes])


def test_three_roles_of_the_third_position():
    lab = qkv.widgets.Projector()
    assert [lab.q.tolist(), lab.k.tolist(), lab.v.tolist()] == [[1, 1], [1, 2], [2, 1]]
    assert (lab.raw_ij, lab.raw_ji, lab.symmetric) == (2, 1, False)


def test_equal_matrices_make_symmetric_scores():
    lab = qkv.widgets.Projector()
    lab.W_K = lab.W_Q
    assert lab.symmetric
    assert_agrees("Projector", [lab.inputs()])


@pytest.mark.parametrize(
    "change, sentence",
    [
        ({"W_V": [[1, 0]]}, "W_V must have 2 rows, one per column of X; it is 1 × 2."),
        ({"i": 3}, "i must be a position from 1 to 3."),
        ({"j": -1}, "j must be a position from 1 to 3."),
    ],
)
def test_bad_inputs_get_a_sentence(change, sentence):
    state = {**qkv.widgets.Projector().inputs(), **change}
    assert derive_in_node("Projector", [state]) == [sentence]
