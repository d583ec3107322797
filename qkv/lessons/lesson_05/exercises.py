"""Lesson 05, from scores to a mixture: softmax, and what no query can change."""

import numpy as np

from qkv.attention import softmax
from qkv.checks import BreakExercise, CodeExercise, HandExercise, Mistake, soft


def shares(positive, axis=-1):
    return positive / positive.sum(axis=axis, keepdims=True)


def shifted(scores, axis=-1):
    return scores - scores.max(axis=axis, keepdims=True)


# One axis, two, three, all lengths different; then scores that overflow beside a row of small ones,
# and a row so wide that only its maximum is safe to subtract.
CASES = [
    (2 * soft(3, seed=1),),
    (2 * soft(2, 4, seed=2),),
    (2 * soft(2, 3, 5, seed=3),),
    (np.array([[1000.0, 1001.0], [0.0, 1.0]]),),
    (np.array([[0.0, -3000.0, 1.0]]),),
]

SOFTMAX = CodeExercise(
    args=("scores",),
    reference=softmax,
    cases=CASES,
    right="Right: each row is exponentiated after its own maximum is taken off, and shares out 1.",
    mistakes={
        "no-maximum": Mistake(
            lambda scores: shares(np.exp(scores)),
            "exp(1000) overflows and your row turns to NaN: subtract each row's maximum first.",
        ),
        "global-maximum": Mistake(
            lambda scores: shares(np.exp(scores - scores.max())),
            "You subtracted the largest score of the whole array. On paper that changes nothing, "
            "but a row far below it underflows to 0/0: subtract each row's own maximum.",
        ),
        "not-the-maximum": Mistake(
            lambda scores: shares(np.exp(scores - scores.mean(axis=-1, keepdims=True))),
            "Any offset cancels on paper, but only the row's maximum keeps every exponent at 0 or "
            "below: with yours, exp overflows in the row [0, −3000, 1].",
            lambda scores: shares(np.exp(scores - scores.min(axis=-1, keepdims=True))),
            lambda scores: shares(np.exp(scores - scores.min())),
            lambda scores: shares(np.exp(scores - scores.mean())),
        ),
        "wrong-axis": Mistake(
            lambda scores: shares(np.exp(shifted(scores, 0)), 0),
            "Your weights sum to 1 along another axis: a row is the last axis, axis=-1.",
            lambda scores: shares(np.exp(scores), 0),
            lambda scores: shares(np.exp(shifted(scores)), 0),
            lambda scores: shares(np.exp(scores - scores.max()), 0),
            lambda scores: shares(np.exp(shifted(scores, 1)), 1),
            lambda scores: shares(np.exp(scores), 1),
        ),
        "all-at-once": Mistake(
            lambda scores: np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum(),
            "Your weights sum to 1 over the whole array: each row shares out its own 1.",
            lambda scores: np.exp(scores) / np.exp(scores).sum(),
            lambda scores: np.exp(shifted(scores)) / np.exp(shifted(scores)).sum(),
        ),
        "not-divided": Mistake(
            lambda scores: np.exp(shifted(scores)),
            "These are the exponentials: divide each by the sum of its row.",
            lambda scores: np.exp(scores),
        ),
        "not-exponentiated": Mistake(
            lambda scores: shares(scores),
            "You divided the scores by their sum: without exp a weight can be negative, and an "
            "offset changes it.",
            lambda scores: shares(shifted(scores)),
            lambda scores: shares(scores - scores.min(axis=-1, keepdims=True)),
        ),
        "squares": Mistake(
            lambda scores: shares(scores**2),
            "You used squares where exp belongs: −2 and 2 would get the same weight.",
            lambda scores: shares(shifted(scores) ** 2),
        ),
        "absolute": Mistake(
            lambda scores: shares(np.abs(scores)),
            "You used absolute values where exp belongs: −2 and 2 would get the same weight.",
        ),
        "base-2": Mistake(
            lambda scores: shares(2.0 ** shifted(scores)),
            "You used powers of 2: softmax uses exp, whose base is e.",
            lambda scores: shares(2.0**scores),
            lambda scores: shares(2.0 ** (scores - scores.max())),
        ),
        "sign": Mistake(
            lambda scores: shares(np.exp(-shifted(scores))),
            "Your largest score gets the smallest weight: the sign in the exponent is wrong.",
            lambda scores: shares(np.exp(-scores)),
            lambda scores: shares(np.exp(shifted(-scores))),
        ),
        "hard": Mistake(
            lambda scores: shares(1.0 * (scores == scores.max(axis=-1, keepdims=True))),
            "Your largest score takes everything: that is the hard choice of lesson 01. Softmax "
            "gives every candidate a share.",
        ),
        "twice": Mistake(
            lambda scores: softmax(softmax(scores)),
            "You applied softmax twice: the second one takes weights for scores and flattens them.",
        ),
        "logarithm": Mistake(
            lambda scores: np.log(softmax(scores)),
            "You returned the logarithm of the weights: leave it out.",
        ),
    },
)


# By hand: three scores for which squares, powers of 2 and plain shares all differ from softmax.
HAND_E = np.array([2.0, 0, 1])
HAND_V = np.array([[5.0, 0], [0, 5], [5, 10]])


def mixed(weights):
    return [*weights, *(weights @ HAND_V)]


HAND = HandExercise(
    text="Scores e = [2, 0, 1]; values v₁ = [5, 0], v₂ = [0, 5], v₃ = [5, 10]. Which weights does "
    "softmax give, and which output o? Round to 2 decimals at the end.",
    labels=("a₁", "a₂", "a₃", "o₁", "o₂"),
    answer=mixed(softmax(HAND_E)),
    digits=2,
    hint="Take exp of each score, add the three up, and divide each by the sum.",
    right="Right: three exponentials over their sum, then one mixture of the values.",
    mistakes={
        "raw": Mistake(
            mixed(HAND_E),
            "You mixed with the scores themselves: weights are positive and sum to 1.",
        ),
        "not-exponentiated": Mistake(
            mixed(shares(HAND_E)),
            "You divided the scores by their sum: exp comes first. Here it gave candidate 2 "
            "nothing at all.",
        ),
        "not-divided": Mistake(
            mixed(np.exp(HAND_E)),
            "These are the exponentials: divide each by the sum of the three.",
            [*np.exp(HAND_E), *(softmax(HAND_E) @ HAND_V)],
            [*softmax(HAND_E), *(np.exp(HAND_E) @ HAND_V)],
        ),
        "squares": Mistake(
            mixed(shares(HAND_E**2)), "You used squares: softmax takes exp of each score."
        ),
        "base-2": Mistake(
            mixed(shares(2.0**HAND_E)), "You used powers of 2: the base is e, about 2.718."
        ),
        "base-10": Mistake(
            mixed(shares(10.0**HAND_E)), "You used powers of 10: the base is e, about 2.718."
        ),
        "scaled": Mistake(
            mixed(softmax(HAND_E / np.sqrt(2))),
            "You divided the scores by a root. A score has been divided already: it is what "
            "softmax receives.",
            mixed(softmax(HAND_E / np.sqrt(3))),
        ),
        "sign": Mistake(
            mixed(softmax(-HAND_E)),
            "Your largest score has the smallest weight: the exponent has the wrong sign.",
        ),
        "hard": Mistake(
            mixed(np.array([1.0, 0, 0])),
            "You took the best candidate alone: softmax gives every candidate a share.",
        ),
        "divided-by-n": Mistake(
            [*softmax(HAND_E), *(softmax(HAND_E) @ HAND_V / 3)],
            "The weights are right. Don't divide the output by 3: the weights already share out 1.",
        ),
    },
)


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


EXERCISES = {"05.hand": HAND, "05.softmax": SOFTMAX, "05.break": BREAK}
