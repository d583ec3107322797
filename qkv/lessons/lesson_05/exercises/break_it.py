"""Break it: two queries that get the same weights."""

import numpy as np

from qkv.attention import softmax
from qkv.checks import BreakExercise, Mistake


def same(a, b):
    return np.allclose(a, b, rtol=1e-9, atol=1e-9)


def differences(q, p, K):
    """What the change of query does to each score, seen from the first candidate: (n_kv − 1,)."""
    return (K[1:] - K[0]) @ (p - q)


def unmoved(q, p, K):
    size = max(1.0, np.abs(K).max()) * max(1.0, np.abs(q).max(), np.abs(p).max())
    return bool((np.abs(differences(q, p, K)) <= 1e-9 * size).all())


def distinct(K):
    return all(not same(K[i], K[j]) for i in range(len(K)) for j in range(i))


def weights(q, K):
    return softmax(K @ q / np.sqrt(K.shape[-1]))


BREAK = BreakExercise(
    task="Hand in two different queries q and p, and three different keys K, such that both "
    "queries give exactly the same weights.",
    parts=("q", "p", "K"),
    shapes={"q": (2,), "p": (2,), "K": (3, 2)},
    accepts=unmoved,
    right="Right: p − q is orthogonal to every difference of two keys, so no ratio moves.",
    wrong="The weights move. Look at (p − q)ᵀ(k_j − k_m) for each pair of keys: all must be 0.",
    mistakes={
        "same-query": Mistake(
            ([1, 0], [1, 0], [[1, 0], [0, 1], [1, 1]]),
            "Your two queries are equal: the same question gets the same answer.",
            seen=lambda q, p, K: same(q, p),
        ),
        "same-keys": Mistake(
            ([1, 0], [0, 2], [[1, 1], [1, 1], [1, 1]]),
            "At least two of your keys are equal: no query can tell those apart, so they say "
            "nothing about a change of query.",
            ([1, 0], [0, 2], [[1, 1], [1, 1], [0, 2]]),
            seen=lambda q, p, K: not distinct(K),
        ),
        "saturated": Mistake(
            ([50, 0], [80, 0], [[1, 0], [0, 0], [-1, 0]]),
            "The weights agree only because one candidate has them all: the scores still move "
            "apart. Try softer scores.",
            seen=lambda q, p, K: not unmoved(q, p, K) and same(weights(q, K), weights(p, K)),
        ),
        "one-pair": Mistake(
            ([0, 0], [1, 0], [[0, 0], [0, 1], [1, 1]]),
            "One ratio of weights stays and another moves: p − q is orthogonal to one difference "
            "of keys, but not to all of them.",
            seen=lambda q, p, K: not unmoved(q, p, K) and some_pair_stays(q, p, K),
        ),
        "scaled-query": Mistake(
            ([1, 0], [2, 0], [[1, 0], [0, 1], [2, 1]]),
            "p is a multiple of q: that multiplies every score difference, like another "
            "temperature, and the weights move.",
            seen=lambda q, p, K: not unmoved(q, p, K) and same(q[0] * p[1], q[1] * p[0]),
        ),
    },
)


def some_pair_stays(q, p, K):
    moves = K @ (p - q)
    return any(same(moves[i], moves[j]) for i in range(3) for j in range(i))
