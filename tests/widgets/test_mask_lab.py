"""MaskLab: the browser's numbers are NumPy's, the leaks are where the lesson says, bad inputs."""

import numpy as np
import pytest
from agreement import assert_agrees, derive_in_node

from qkv.widgets import MaskLab
from qkv.widgets.mask_lab import MASKS, ORDERS


def random_state(rng, n, d_model, d_k, d_v, mask, order, layers, masked_layers):
    def matrix(*shape):
        return rng.normal(size=shape).round(6).tolist()

    return {
        "X": matrix(n, d_model), "W_Q": matrix(d_model, d_k), "W_K": matrix(d_model, d_k),
        "W_V": matrix(d_model, d_v), "mask": mask, "pad": int(rng.integers(0, n)),
        "width": int(rng.integers(1, n + 2)), "order": order, "layers": layers,
        "masked_layers": masked_layers, "nudge": round(float(rng.normal()), 6),
    }  # fmt: skip


@pytest.mark.parametrize("mask", MASKS)
def test_derive_equals_numpy(mask):
    rng = np.random.default_rng(7)
    states = []
    for order in ORDERS:
        for n, d_model, d_k, d_v in [(1, 1, 1, 1), (3, 2, 2, 2), (5, 4, 3, 2), (16, 3, 5, 4)]:
            states.append(random_state(rng, n, d_model, d_k, d_v, mask, order, 1, 1))
        for layers, masked in [(1, 0), (2, 0), (2, 1), (2, 2), (3, 1), (3, 2)]:
            states.append(random_state(rng, 5, 3, 2, 3, mask, order, layers, masked))
    assert_agrees("MaskLab", states)


def test_it_opens_on_the_running_example_without_a_leak():
    lab = MaskLab()
    np.testing.assert_allclose(lab.output[:2], [[2, 0], [1, 0.5]], atol=1e-12)
    assert lab.leak == 0
    assert_agrees("MaskLab", [lab.inputs()])


def test_zeroing_after_softmax_loses_weight_and_leaks():
    late = MaskLab(order="softmax-zero")
    np.testing.assert_allclose(late.total[1], 0.496510, atol=5e-7)
    assert late.leak > 0.1
    assert MaskLab(order="zero-renormalise").leak < 1e-12


def test_a_mask_in_the_last_of_two_layers_leaks():
    assert MaskLab(layers=2, masked_layers=1).leak > 0.1
    assert MaskLab(layers=2, masked_layers=2).leak == 0


def test_padding_is_not_read():
    assert MaskLab(mask="padding", pad=1).leak == 0
    assert MaskLab(mask="padding", pad=0).leak > 0.1


@pytest.mark.parametrize(
    "change, sentence",
    [
        ({"W_Q": [[1, 0]]}, "W_Q must have 2 rows, one per column of X; it is 1 × 2."),
        ({"X": [[1, None]]}, "X must be rows of numbers, all of one length."),
        ({"W_K": [[1], [0]]},
         "W_Q and W_K must have equally many columns; they are 2 × 2 and 2 × 1."),
        ({"mask": "future"}, "The mask must be one of full, causal, padding, window."),
        ({"order": "none"},
         "The order must be one of mask-softmax, softmax-zero, zero-renormalise."),
        ({"layers": 4}, "There must be 1 to 3 layers."),
        ({"masked_layers": 2}, "From 0 to 1 layers can be masked."),
        ({"layers": 2, "W_V": [[1], [1]]},
         "With more than one layer W_V must be square: an output is the next layer’s input; "
         "it is 2 × 1."),
        ({"mask": "padding", "pad": 3}, "The padding must leave at least one of 3 positions."),
        ({"width": 0}, "The window must be at least 1 wide."),
        ({"nudge": None}, "The nudge must be a number."),
    ],
)  # fmt: skip
def test_bad_inputs_get_a_sentence(change, sentence):
    assert derive_in_node("MaskLab", [{**MaskLab().inputs(), **change}]) == [sentence]


def test_python_refuses_what_cannot_be():
    with pytest.raises(ValueError, match="MaskLab: expected masked_layers up to layers = 1, got 2"):
        _ = MaskLab(masked_layers=2).weights
    with pytest.raises(ValueError, match="MaskLab: expected pad below n = 3, got 3"):
        _ = MaskLab(mask="padding", pad=3).weights
