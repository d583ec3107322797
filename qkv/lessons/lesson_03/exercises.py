"""Lesson 03, projections: three matrices give one vector three roles."""

import numpy as np

from qkv.checks import BreakExercise, CodeExercise, HandExercise, Mistake, soft


def project(X, W_Q, W_K, W_V):
    return X @ W_Q, X @ W_K, X @ W_V


# Square matrices first, none of them symmetric, so that a transposed or exchanged one runs.
# Then every length differs, and then a value as wide as a position's vector.
CASES = [
    (soft(4, 3, seed=1), soft(3, 3, seed=2), soft(3, 3, seed=3), soft(3, 3, seed=4)),
    (soft(5, 4, seed=5), soft(4, 3, seed=6), soft(4, 3, seed=7), soft(4, 2, seed=8)),
    (soft(2, 4, seed=9), soft(4, 4, seed=10), soft(4, 4, seed=11), soft(4, 4, seed=12)),
]

PROJECT = CodeExercise(
    args=("X", "W_Q", "W_K", "W_V"),
    parts=("Q", "K", "V"),
    reference=project,
    cases=CASES,
    right="Right: three projections of one X, and row i of each is made from row i of X alone.",
    mistakes={
        "w-transposed": Mistake(
            lambda X, W_Q, W_K, W_V: (X @ W_Q.T, X @ W_K.T, X @ W_V.T),
            "You transposed a matrix: for rows it is Q = X W_Q, and a square W raises no error "
            "when it is turned.",
            lambda X, W_Q, W_K, W_V: (X @ W_Q.T, X @ W_K.T, X @ W_V),
            lambda X, W_Q, W_K, W_V: (X @ W_Q.T, X @ W_K, X @ W_V),
            lambda X, W_Q, W_K, W_V: (X @ W_Q, X @ W_K.T, X @ W_V),
            lambda X, W_Q, W_K, W_V: (X @ W_Q, X @ W_K, X @ W_V.T),
        ),
        "k-with-w-q": Mistake(
            lambda X, W_Q, W_K, W_V: (X @ W_Q, X @ W_Q, X @ W_V),
            "You made K with W_Q, so keys equal queries and all raw scores are symmetric: K has "
            "a matrix of its own, W_K.",
        ),
        "v-from-k": Mistake(
            lambda X, W_Q, W_K, W_V: (X @ W_Q, X @ W_K, X @ W_K @ W_V),
            "You made V from K: all three roles are made from X.",
            lambda X, W_Q, W_K, W_V: (X @ W_Q, X @ W_K, X @ W_Q @ W_V),
        ),
        "v-with-w-k": Mistake(
            lambda X, W_Q, W_K, W_V: (X @ W_Q, X @ W_K, X @ W_K),
            "Your values are the keys: what a position hands over is made with W_V.",
        ),
        "k-from-q": Mistake(
            lambda X, W_Q, W_K, W_V: (X @ W_Q, X @ W_Q @ W_K, X @ W_V),
            "You made K from Q: the three projections stand side by side, each made from X.",
            lambda X, W_Q, W_K, W_V: (X @ W_Q, X @ W_Q @ W_K, X @ W_Q @ W_K @ W_V),
        ),
        "q-k-exchanged": Mistake(
            lambda X, W_Q, W_K, W_V: (X @ W_K, X @ W_Q, X @ W_V),
            "You exchanged Q and K: then every reader is treated as a candidate, and the raw "
            "scores come out transposed.",
        ),
        "k-v-exchanged": Mistake(
            lambda X, W_Q, W_K, W_V: (X @ W_Q, X @ W_V, X @ W_K),
            "You exchanged K and V: return the keys, made with W_K, before the values.",
        ),
        "one-matrix": Mistake(
            lambda X, W_Q, W_K, W_V: (X @ W_Q, X @ W_Q, X @ W_Q),
            "You used W_Q for all three roles: each role has a matrix of its own.",
        ),
        "v-unprojected": Mistake(
            lambda X, W_Q, W_K, W_V: (X @ W_Q, X @ W_K, X),
            "You handed over X itself as V: values are projected too, with W_V.",
        ),
        "no-projection": Mistake(
            lambda X, W_Q, W_K, W_V: (X, X, X),
            "You returned X three times: that is the read without projections.",
        ),
        "roles-as-columns": Mistake(
            lambda X, W_Q, W_K, W_V: ((X @ W_Q).T, (X @ W_K).T, (X @ W_V).T),
            "Your tables are transposed: position i has row i, as in X.",
        ),
        "scaled": Mistake(
            lambda X, W_Q, W_K, W_V: (X @ W_Q / np.sqrt(W_Q.shape[1]), X @ W_K, X @ W_V),
            "You divided the queries by √d_k: a divisor belongs to the scores, one lesson on.",
            lambda X, W_Q, W_K, W_V: (
                X @ W_Q / np.sqrt(W_Q.shape[1]), X @ W_K / np.sqrt(W_K.shape[1]), X @ W_V
            ),
        ),
    },
)  # fmt: skip


# By hand: two positions; W_Q W_Kᵀ is not symmetric and no two of the readings below agree.
HAND_X = np.array([[2.0, 1], [1, -1]])
HAND_Q = np.array([[1.0, 2], [0, 1]])
HAND_K = np.array([[1.0, -1], [2, 1]])


def hand(W_Q=HAND_Q, W_K=HAND_K, reader=0, candidate=1, mutual=False):
    Q, K = HAND_X @ W_Q, HAND_X @ W_K
    raw = Q @ K.T
    there = raw[reader, candidate]
    back = there if mutual else raw[candidate, reader]
    return np.array([*Q[reader], *K[candidate], there, back])


def backwards():
    right = hand()
    return np.array([*right[:4], right[5], right[4]])


HAND = HandExercise(
    text=(
        "x₁ = [2, 1] and x₂ = [1, −1]. `W_Q` = [[1, 2], [0, 1]] and `W_K` = [[1, −1], [2, 1]]. "
        "What are q₁ and k₂, the raw score of reader 1 on candidate 2, and the raw score of "
        "reader 2 on candidate 1? Whole numbers."
    ),
    labels=("q₁ first", "q₁ second", "k₂ first", "k₂ second", "raw 1 on 2", "raw 2 on 1"),
    answer=hand(),
    digits=0,
    hint="Each column of a matrix makes one number; for 2 on 1 you also need q₂ and k₁.",
    right="Right: q₁·k₂ and q₂·k₁ have different factors, so they need not agree.",
    mistakes={
        "w-transposed": Mistake(
            hand(W_Q=HAND_Q.T, W_K=HAND_K.T),
            "You multiplied with the rows of the matrices: each number of q or k comes from a "
            "column.",
            hand(W_Q=HAND_Q.T),
            hand(W_K=HAND_K.T),
        ),
        "k-with-w-q": Mistake(
            hand(W_K=HAND_Q),
            "You made the keys with W_Q: they have a matrix of their own, W_K.",
        ),
        "matrices-exchanged": Mistake(
            hand(W_Q=HAND_K, W_K=HAND_Q),
            "You made queries with W_K and keys with W_Q: exchange them.",
        ),
        "positions-exchanged": Mistake(
            hand(reader=1, candidate=0),
            "These are q₂ and k₁: asked are the query of position 1 and the key of position 2.",
        ),
        "assumes-symmetry": Mistake(
            hand(mutual=True),
            "You took both raw scores to be equal: reader 2 asks with q₂ and finds k₁.",
        ),
        "raw-scores-exchanged": Mistake(
            backwards(),
            "Your vectors are right, but the raw scores have changed places: reader 1 on "
            "candidate 2 is q₁·k₂.",
        ),
        "no-projection": Mistake(
            hand(W_Q=np.eye(2), W_K=np.eye(2)),
            "You used x₁ and x₂ themselves: project them first.",
        ),
    },
)


# Break it: different matrices, and yet every table of raw scores is symmetric.
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

EXERCISES = {"03.hand": HAND, "03.project": PROJECT, "03.break": BREAK}
