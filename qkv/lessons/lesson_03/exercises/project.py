"""In code: three projections of one X."""

import numpy as np

from qkv.checks import CodeExercise, Mistake, soft


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
