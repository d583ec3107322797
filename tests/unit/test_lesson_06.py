"""What lesson 06 tells the reader beyond its cells: the predictions and the quiz are true."""

import numpy as np
import pytest

import qkv
from qkv.questions import question

running = qkv.inputs()["running"]
X = running["X"]
Q, K, V = (X @ running[name] for name in ("W_Q", "W_K", "W_V"))
read = qkv.attention(Q, K, V)


def test_columns_sum_to_different_numbers_that_sum_to_n():
    columns = read.weights.sum(axis=0)
    assert columns.sum() == pytest.approx(3)
    assert min(abs(columns[:, None] - columns)[~np.eye(3, dtype=bool)]) > 0.1
    assert question("06.columns").answer == 2
    assert f"{columns[2]:.4f}" in question("06.quiz.2").question


def test_a_new_value_moves_every_output_and_no_weight():
    other = qkv.attention(Q, K, V + [[0, 0], [0, 0], [0, 1]])
    assert np.array_equal(other.weights, read.weights)
    assert (abs(other.output - read.output).max(axis=1) > 0.01).all()
    assert question("06.values").answer == 2


def test_keys_and_values_exchanged_raise_nothing_here():
    swapped = qkv.attention(Q, V, K)
    assert swapped.output.shape == read.output.shape
    assert abs(swapped.output - read.output).min() > 0.01
    with pytest.raises(ValueError, match="one width d_k"):
        qkv.attention(Q, np.ones((3, 4)), K)


def test_a_new_position_moves_one_row_and_column_of_scores_and_all_weights():
    moved = X.copy()
    moved[1] += [0.5, 0.4]
    new = qkv.attention(*(moved @ running[name] for name in ("W_Q", "W_K", "W_V")))
    still = abs(new.scores - read.scores) < 1e-12
    assert still.sum() == 4 and not still[1].any() and not still[:, 1].any()
    assert (abs(new.weights - read.weights) > 1e-3).all()


def test_an_offset_in_one_row_changes_no_output():
    shifted = qkv.softmax(read.scores + [[0], [5], [0]]) @ V
    np.testing.assert_allclose(shifted, read.output, rtol=1e-12)
    assert question("06.quiz.5").answer == 0


def test_the_scores_are_symmetric_once_readers_1_and_2_change_places():
    exchanged = read.scores[[1, 0, 2]]
    assert np.array_equal(exchanged, exchanged.T)
    down = qkv.softmax(exchanged, axis=0)
    np.testing.assert_allclose(down, qkv.softmax(exchanged).T, rtol=1e-12)


def test_reader_2_cannot_tell_the_first_two_keys_apart():
    assert Q[1] @ (K[0] - K[1]) == 0 and not np.array_equal(K[0], K[1])
