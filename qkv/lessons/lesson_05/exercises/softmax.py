"""In code: softmax, without overflow."""

import numpy as np

from qkv.attention import softmax
from qkv.checks import CodeExercise, Mistake, soft


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
