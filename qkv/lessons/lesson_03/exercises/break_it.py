"""Break it: different matrices, and yet every table of raw scores is symmetric."""

import numpy as np

from qkv.checks import BreakExercise, Mistake


def same(a, b):
    return a.shape == b.shape and np.allclose(a, b, 0, 1e-9 * max(1.0, np.abs(a).max()))


def form(W_Q, W_K):
    return W_Q @ W_K.T  # (d_model, d_model)


def symmetric(B):
    return same(B, B.T)


def square(W):
    return W.shape[0] == W.shape[1]


def multiples(W_Q, W_K):
    return np.linalg.matrix_rank(np.stack([W_Q.ravel(), W_K.ravel()])) < 2


BREAK = BreakExercise(
    task=(
        "Hand in (W_Q, W_K), neither a multiple of the other, with which the raw scores are "
        "symmetric for every X."
    ),
    parts=("W_Q", "W_K"),
    shapes={"W_Q": (None, None), "W_K": (None, None)},
    accepts=lambda W_Q, W_K: symmetric(form(W_Q, W_K)),
    right="Right: W_Q W_Kᵀ is symmetric although the two matrices differ. Only the product counts.",
    wrong="W_Q W_Kᵀ is not symmetric, so some X gives raw scores that are not either.",
    mistakes={
        "shapes-differ": Mistake(
            ([[1, 0], [0, 1]], [[1, 0, 0], [0, 1, 0]]),
            "W_Q and W_K have different shapes: both turn d_model numbers into d_k.",
            seen=lambda W_Q, W_K: W_Q.shape != W_K.shape,
        ),
        "one-coordinate": Mistake(
            ([[1, 2]], [[3, 1]]),
            "Here d_model is 1 and W_Q W_Kᵀ is a single number, which is always symmetric: use "
            "vectors of at least two numbers.",
            seen=lambda W_Q, W_K: len(W_Q) == 1,
        ),
        "equal": Mistake(
            ([[1, 2], [0, 1]], [[1, 2], [0, 1]]),
            "Your matrices are equal, and W Wᵀ is always symmetric: find two that differ.",
            seen=same,
        ),
        "no-scores": Mistake(
            ([[1, 0], [2, 0]], [[0, 1], [0, 3]]),
            "W_Q W_Kᵀ is 0, so every raw score is 0 and no reader can tell candidates apart: "
            "find a product that is not 0.",
            ([[1, 2], [0, 1]], [[0, 0], [0, 0]]),
            seen=lambda W_Q, W_K: same(form(W_Q, W_K), 0 * form(W_Q, W_K)),
        ),
        "multiple": Mistake(
            ([[1, 2], [0, 1]], [[2, 4], [0, 2]]),
            "One matrix is a multiple of the other, which is W Wᵀ with a factor: find a pair "
            "that is not.",
            seen=multiples,
        ),
        "width-one": Mistake(
            ([[1], [0]], [[0], [1]]),
            "With d_k = 1 the product is one column times one row, symmetric only when they are "
            "multiples: use at least two columns.",
            seen=lambda W_Q, W_K: W_Q.shape[1] == 1,
        ),
        "w-k-is-w-q-transposed": Mistake(
            ([[1, 2], [0, 1]], [[1, 0], [2, 1]]),
            "W_K is W_Q transposed, so the product is W_Q times itself, and that need not be "
            "symmetric.",
            seen=lambda W_Q, W_K: (
                square(W_Q) and same(W_K, W_Q.T) and not symmetric(form(W_Q, W_K))
            ),
        ),
        "each-symmetric": Mistake(
            ([[1, 0], [0, 2]], [[0, 1], [1, 0]]),
            "Each of your matrices is symmetric, but their product is not: it is only when the "
            "two commute.",
            seen=lambda W_Q, W_K: (
                square(W_Q) and symmetric(W_Q) and symmetric(W_K) and not symmetric(form(W_Q, W_K))
            ),
        ),
        "inverse-transposed": Mistake(
            ([[2, 1], [0, 1]], [[0.5, -0.5], [0, 1]]),
            "W_Qᵀ W_K is the identity here, which stands in the wrong order: what counts is "
            "W_Q W_Kᵀ.",
            seen=lambda W_Q, W_K: (
                square(W_Q) and same(W_K, np.linalg.pinv(W_Q)) and not symmetric(form(W_Q, W_K))
            ),
        ),
    },
)
