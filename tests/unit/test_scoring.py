"""Additive scores, entropy, KL, and softmax as the maximiser of Σ a e + T·H(a)."""

import numpy as np
import pytest

import qkv

rng = np.random.default_rng(4)


def test_additive_scores_equal_loops():
    Q, K = rng.normal(size=(3, 2)), rng.normal(size=(4, 5))
    W_q, W_k, w = rng.normal(size=(2, 6)), rng.normal(size=(5, 6)), rng.normal(size=6)
    loops = [[w @ np.tanh(W_q.T @ q + W_k.T @ k) for k in K] for q in Q]
    np.testing.assert_allclose(qkv.additive_scores(Q, K, W_q, W_k, w), loops, rtol=1e-12)
    stacked = qkv.additive_scores(np.stack([Q, -Q]), K, W_q, W_k, w)
    np.testing.assert_allclose(stacked[0], loops, rtol=1e-12)


def test_without_tanh_the_request_vanishes_and_with_it_not():
    Q, K = rng.normal(size=(50, 2)), rng.normal(size=(4, 5))
    W_q, W_k, w = rng.normal(size=(2, 6)), rng.normal(size=(5, 6)), rng.normal(size=6)
    plain = qkv.softmax(qkv.additive_scores(Q, K, W_q, W_k, w, tanh=False))
    assert np.ptp(plain, axis=0).max() < 1e-12
    assert np.ptp(qkv.softmax(qkv.additive_scores(Q, K, W_q, W_k, w)), axis=0).max() > 0.1


def test_entropy_and_kl_by_hand():
    assert qkv.entropy([1, 0, 0]) == 0 and not np.signbit(qkv.entropy([1, 0, 0]))
    np.testing.assert_allclose(qkv.entropy(np.full((2, 4), 0.25)), np.log(4), rtol=1e-12)
    assert qkv.kl([0.3, 0.7], [0.3, 0.7]) == 0
    np.testing.assert_allclose(qkv.kl([1, 0], [0.25, 0.75]), np.log(4), rtol=1e-12)
    assert qkv.kl([0.5, 0.5], [1, 0]) == np.inf
    columns = np.array([[0.5, 1], [0.5, 0]])
    np.testing.assert_allclose(qkv.entropy(columns, axis=0), [np.log(2), 0], atol=1e-12)


def competitors(count, n):
    """Points all over the simplex, many of them near an edge or a vertex."""
    sharpness = 10.0 ** rng.uniform(-2, 1, size=(count, 1))
    a = rng.gamma(sharpness, size=(count, n)) + 1e-300
    return a / a.sum(-1, keepdims=True)


@pytest.mark.parametrize("temperature", [0.3, 1.0, 4.0])
def test_softmax_beats_every_competitor_by_exactly_t_times_kl(temperature):
    e = rng.normal(size=5)
    best = qkv.softmax(e / temperature)
    a = np.concatenate([competitors(3000, 5), np.eye(5)])
    assert (a.max(-1) > 0.999).sum() > 100  # near a vertex
    gap = qkv.objective(best, e, temperature) - qkv.objective(a, e, temperature)
    assert (gap > 0).all()
    np.testing.assert_allclose(gap, temperature * qkv.kl(a, best), rtol=0, atol=1e-10)
