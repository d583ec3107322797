"""PullLab: its numbers are NumPy's, a nudge moves o on a line, bad inputs get a sentence."""

import numpy as np
import pytest
from agreement import assert_agrees, derive_in_node

import qkv
import qkv.widgets

MOMENT = {"step": 0, "loss": 1, "right": 0, "q": [1, 2], "K": [[1, 0]], "V": [[1, 0]], "g": [1, 0]}


def matrix(rng, *shape):
    return rng.normal(size=shape).round(6).tolist()


def random_state(rng, n_q, n_kv, d_k, d_v, delta, frame=0):
    frames = [
        {
            "step": 0, "loss": 1.0, "right": 0, "q": matrix(rng, 3),
            "K": matrix(rng, 4, 3), "V": matrix(rng, 4, 2), "g": matrix(rng, 2),
        }
    ] * 2  # fmt: skip
    return {
        "Q": matrix(rng, n_q, d_k), "K": matrix(rng, n_kv, d_k), "V": matrix(rng, n_kv, d_v),
        "g": matrix(rng, d_v), "reader": n_q - 1, "candidate": 0 if frame else n_kv - 1,
        "delta": delta, "frames": frames, "frame": frame,
    }  # fmt: skip


def test_derive_equals_numpy():
    rng = np.random.default_rng(8)
    shapes = [(1, 1, 1, 1), (3, 3, 2, 2), (2, 5, 4, 3), (7, 16, 3, 5), (64, 64, 8, 4)]
    deltas = (0.0, 0.5, -3.0, 40.0)
    states = [random_state(rng, *s, delta) for s in shapes for delta in deltas]
    assert_agrees("PullLab", [*states, random_state(rng, 2, 3, 2, 2, 1.0, frame=2)])


def test_it_opens_on_the_running_example():
    lab = qkv.widgets.PullLab()
    np.testing.assert_allclose(lab.pull, [0.123261, -0.373249, 0.249988], atol=5e-7)
    assert_agrees("PullLab", [lab.inputs()])


def test_the_pull_is_the_reference_gradient():
    state = random_state(np.random.default_rng(1), 4, 5, 3, 2, 0.1)
    lab = qkv.widgets.PullLab(**state)
    G = np.zeros((4, 2))
    G[lab.reader] = lab.g
    grad = qkv.attention_backward(lab.Q, lab.K, lab.V, G).scores[lab.reader]
    np.testing.assert_allclose(lab.pull, grad, atol=1e-14)


def test_a_nudge_moves_the_output_toward_the_value():
    lab = qkv.widgets.PullLab(**random_state(np.random.default_rng(2), 2, 4, 3, 2, 1.3))
    way, step = np.array(lab.V[lab.candidate]) - lab.output, lab.moved - lab.output
    share = step[0] / way[0]
    assert 0 < share < 1
    np.testing.assert_allclose(step, share * way, atol=1e-13)


@pytest.mark.parametrize("moment", [1, 2])
def test_a_moment_of_training_stands_for_the_inputs(moment):
    lab = qkv.widgets.PullLab()
    lab.frame = moment
    frame = lab.frames[moment - 1]
    assert lab.weights.shape == (len(frame["K"]),)
    assert_agrees("PullLab", [lab.inputs()])


@pytest.mark.parametrize(
    "change, sentence",
    [
        ({"Q": [[1, 0], [1]]}, "Q must be rows of numbers, all of one length."),
        ({"K": [[1], [0], [1]]}, "Q and K must have equally many columns; they have 2 and 1."),
        ({"V": [[1, 0]]}, "K and V must have equally many rows; they have 3 and 1."),
        ({"g": [1]}, "g must have 2 numbers, one per column of V."),
        ({"reader": 3}, "The reader must be a position from 1 to 3."),
        ({"candidate": -1}, "The candidate must be a position from 1 to 3."),
        ({"delta": None}, "The nudge must be a number from −100 to 100."),
        ({"delta": 1e308}, "The nudge must be a number from −100 to 100."),
        (
            {"frames": [{}], "frame": 1},
            "Moment 1 of training: step, loss, right, q, K, V and g are wanted.",
        ),
        (
            {"frames": [{**MOMENT, "q": [1, 2, 3]}]},
            "Moment 1 of training: Q and K must have equally many columns; they have 3 and 2.",
        ),
        ({"frames": [], "frame": 1}, "The moment of training must be a whole number from 0 to 0."),
    ],
)
def test_bad_inputs_get_a_sentence(change, sentence):
    state = {**qkv.widgets.PullLab().inputs(), **change}
    assert derive_in_node("PullLab", [state]) == [sentence]


def test_python_refuses_a_moment_that_lacks_its_numbers():
    with pytest.raises(ValueError, match="got one without q, K"):
        repr(qkv.widgets.PullLab(frames=[{"step": 0, "loss": 1, "right": 0, "V": [[1]], "g": [1]}],
                                 frame=1))  # fmt: skip


def test_python_refuses_a_reader_that_is_not_there():
    with pytest.raises(ValueError, match="PullLab: expected reader from 0 to 2, got 3"):
        repr(qkv.widgets.PullLab(reader=3))
