"""Lesson 08's reader finds its link from every seed, by gradients that are right."""

import time

import numpy as np
import pytest

from qkv import draws, tiny_reader


@pytest.fixture(scope="module")
def runs():
    started = time.perf_counter()
    result = [tiny_reader.train(seed) for seed in range(10)]
    assert time.perf_counter() - started < 20
    return result


def test_ten_seeds_find_their_link(runs):
    for run in runs:
        result = tiny_reader.examine(run.matrices)
        assert result.link >= 0.99 and result.weight >= 0.9 and result.accuracy >= 0.99
        assert run.losses[-1] < 0.01 < 1 < run.losses[0]


def test_an_untrained_reader_promises_no_link():
    for seed in range(10):
        result = tiny_reader.examine(tiny_reader.start(seed))
        assert result.link < 0.5 and result.weight < 0.4


def test_gradient_by_central_differences():
    batch = tiny_reader.draw_cards(3, 8)
    for matrices in (tiny_reader.start(1), tiny_reader.train(1, steps=30).matrices):
        _, grads = tiny_reader.loss_and_gradient(matrices, batch)
        for name, grad in grads._asdict().items():
            direction = draws.normals(9, grad.shape)

            def loss(step, name=name, matrices=matrices, direction=direction):
                moved = {name: getattr(matrices, name) + step * direction}
                return tiny_reader.loss_and_gradient(matrices._replace(**moved), batch)[0]

            slope = (loss(1e-5) - loss(-1e-5)) / 2e-5
            assert abs(slope - (grad * direction).sum()) < 1e-8


def test_cards_are_what_the_task_says():
    X, right, answer = tiny_reader.draw_cards(11, 4000)
    keys, values = X[:, :-1, : tiny_reader.KEYS], X[:, :-1, tiny_reader.KEYS :]
    assert X.shape == (4000, 6, 12) and (keys.sum(-1) == 1).all() and (values.sum(-1) == 1).all()
    assert keys.sum(1).max() == 1  # no two cards with one key
    assert (X[:, -1, tiny_reader.KEYS :] == 0).all()
    row = np.arange(4000)
    np.testing.assert_array_equal(X[:, -1, : tiny_reader.KEYS], keys[row, right])
    np.testing.assert_array_equal(values[row, right].argmax(-1), answer)
    # no position, no key and no value gives the right card away
    for seen, kinds in ((right, 5), (keys[row, right].argmax(-1), 8), (answer, 4)):
        counts = np.bincount(seen, minlength=kinds)
        assert abs(counts - 4000 / kinds).max() < 5 * (4000 / kinds) ** 0.5
    # with replacement: often a value is on two cards or on none, so avoiding can't solve it
    assert (values.sum(1) == 0).any(-1).mean() > 0.5 < (values.sum(1) > 1).any(-1).mean()


def test_two_seeds_end_at_other_matrices_with_the_same_loss(runs):
    a, b = runs[0].matrices, runs[1].matrices
    loss = [tiny_reader.examine(m).loss for m in (a, b)]
    assert abs(loss[0] - loss[1]) < 0.001
    assert np.linalg.norm(a.W_Q - b.W_Q) > np.linalg.norm(a.W_Q)
    R = tiny_reader.gauge_between(a, b)
    moved = tiny_reader.change_gauge(a, R)
    np.testing.assert_allclose(moved.W_Q[: tiny_reader.KEYS], b.W_Q[: tiny_reader.KEYS], atol=1e-10)
    np.testing.assert_allclose(moved.W_Q @ moved.W_K.T, a.W_Q @ a.W_K.T, atol=1e-10)
    assert abs(tiny_reader.examine(moved).loss - loss[0]) < 1e-12


def test_frames_show_the_weight_moving_to_the_right_card(runs):
    frames = runs[0].frames
    assert [frame["step"] for frame in frames] == list(range(0, 401, 20))
    assert frames[0]["weights"][frames[0]["right"]] < 0.4
    assert frames[-1]["weights"][frames[-1]["right"]] > 0.9
    for frame in frames:
        np.testing.assert_allclose(frame["weights"] @ frame["V"], frame["output"], atol=1e-12)


def test_a_run_can_be_repeated():
    a, b = (tiny_reader.train(4, steps=5) for _ in range(2))
    for x, y in zip(a.matrices, b.matrices, strict=True):
        np.testing.assert_array_equal(x, y)


def test_permutation_data_can_be_solved_by_avoiding_the_answer():
    draw = tiny_reader.draw_permutation_cards
    results = [tiny_reader.examine(tiny_reader.train(s, draw=draw).matrices, draw) for s in (0, 1)]
    assert results[0].accuracy == 1 and results[0].weight > 0.9
    assert results[1].accuracy == 1 and results[1].weight < 0.01 and results[1].link == 0
