"""Break it: a test input on which a softmax down the columns cannot be seen."""

import numpy as np

from qkv.checks import BreakExercise, Mistake

from .attention import root_d_k, row_softmax


def scores_of(Q, K):
    return Q @ K.T / root_d_k(Q)


def log_sums(scores, axis):
    return np.logaddexp.reduce(scores, axis=axis)


def blind(Q, K):
    """Every row and every column of exp(scores) has one and the same sum."""
    scores = scores_of(Q, K)
    sums = np.concatenate([log_sums(scores, 0), log_sums(scores, 1)])
    return np.allclose(sums, sums[0], 1e-9, 1e-9)


def looks_blind(Q, K):
    scores = scores_of(Q, K)
    return np.allclose(row_softmax(scores), row_softmax(scores, axis=0), 0, 1e-9)


def constant(scores):
    return np.ptp(scores) < 1e-9


def same_rows(x):
    return np.allclose(x, x[:1])


BREAK = BreakExercise(
    task=(
        "Hand in (Q, K), at least two positions, on which a softmax down the columns gives the "
        "same weights as one along the rows, although the scores are not all equal."
    ),
    parts=("Q", "K"),
    shapes={"Q": (None, None), "K": (None, None)},
    accepts=blind,
    right=(
        "Right: here every row and every column of exp(scores) has the same sum, so a test on "
        "these inputs passes with the axis wrong."
    ),
    wrong=(
        "The two kinds of weights still differ here: a row and a column through the same score "
        "must have the same sum of exponentials."
    ),
    mistakes={
        "widths-differ": Mistake(
            ([[1, 0], [0, 1]], [[1, 0, 0], [0, 1, 0]]),
            "Q and K need the same width d_k, or there is no dot product.",
            seen=lambda Q, K: Q.shape[1] != K.shape[1],
        ),
        "one-position": Mistake(
            ([[1, 2]], [[3, 1]]),
            "With one position every weight is 1, whatever the axis: use at least two.",
            seen=lambda Q, K: len(Q) == 1 and len(K) == 1,
        ),
        "not-square": Mistake(
            ([[1, 0], [0, 1]], [[1, 0], [0, 1], [1, 1]]),
            "All weights together sum to n_q along rows and to n_kv down columns: "
            "take as many readers as candidates.",
            seen=lambda Q, K: len(Q) != len(K),
        ),
        "all-equal": Mistake(
            ([[0, 0], [0, 0]], [[1, 0], [0, 1]]),
            "All your scores are equal, so all weights are: the exercise asks for scores that "
            "differ.",
            seen=lambda Q, K: constant(scores_of(Q, K)),
        ),
        "equal-queries": Mistake(
            ([[1, 0], [1, 0]], [[2, 0], [0, 1]]),
            "All your queries are equal: each column then holds one score, and a softmax down it "
            "is uniform, but along the rows it is not.",
            seen=lambda Q, K: same_rows(scores_of(Q, K)),
        ),
        "equal-keys": Mistake(
            ([[2, 0], [0, 1]], [[1, 0], [1, 0]]),
            "All your keys are equal: each row then holds one score, and a softmax along it is "
            "uniform, but down the columns it is not.",
            seen=lambda Q, K: same_rows(scores_of(Q, K).T),
        ),
        "saturated": Mistake(
            ([[60, 0], [0, 90]], [[1, 0], [0, 1]]),
            "The weights agree to nine digits only because one candidate takes each row: the sums "
            "of exponentials differ. Try softer scores.",
            seen=lambda Q, K: not blind(Q, K) and looks_blind(Q, K),
        ),
        "only-symmetric": Mistake(
            ([[1, 0], [0, 2]], [[1, 0], [0, 2]]),
            "Symmetric scores are not enough: the column weights are then the row weights "
            "transposed. The sums of exponentials must agree as well.",
            seen=lambda Q, K: np.allclose(scores_of(Q, K), scores_of(Q, K).T) and not blind(Q, K),
        ),
    },
)
