"""Break it: self-attention in which (nearly) nobody reads itself most."""

import numpy as np

from qkv.checks import BreakExercise, Mistake


def strict_losers(X):
    """Which readers give some other position a larger weight than themselves → boolean, (n,)."""
    match = X @ X.T
    return match.max(axis=1) > np.diag(match) + 1e-9 * np.abs(match).max()


def only_one(X):
    return strict_losers(X).sum() == len(X) - 1


def has_zero(X):
    return (np.abs(X).max(axis=1) < 1e-12).any()


def has_twins(X):
    gaps = np.abs(X[:, None] - X).max(axis=-1) + np.eye(len(X)) * 1e9
    return gaps.min() < 1e-12


def one_length(X):
    lengths = (X**2).sum(axis=1)
    return np.ptp(lengths) <= 1e-9 * lengths.max()


def unrelated(X):
    match = X @ X.T
    return np.abs(match - np.diag(np.diag(match))).max() <= 1e-9 * np.abs(match).max()


BREAK = BreakExercise(
    task=(
        "Hand in X, at least three positions, in which only one reader gives itself its largest "
        "weight; every vector serves as query, key and value."
    ),
    parts=("X",),
    shapes={"X": (None, None)},
    accepts=only_one,
    right="Right: a longer vector in a reader's own direction wins over the reader itself.",
    wrong=(
        "More than one reader still gives itself its largest weight: compare each xᵢ·xᵢ with the "
        "rest of its row."
    ),
    mistakes={
        "too-few": Mistake(
            [[1, 0], [2, 0]],
            "This takes at least three positions.",
            seen=lambda X: len(X) < 3,
        ),
        "zero-vector": Mistake(
            [[0, 0], [1, 0], [2, 0]],
            "One vector is zero: it matches every position by 0, so its weights are all equal.",
            seen=has_zero,
        ),
        "twins": Mistake(
            [[1, 1], [1, 1], [1, 1]],
            "Two positions are equal: neither can give the other more than itself. A longer "
            "vector, in their direction, can take from both.",
            seen=lambda X: has_twins(X) and not only_one(X),  # two that both prefer a third pass
        ),
        "one-length": Mistake(
            [[1, 0], [0, 1], [-1, 0]],
            "All your vectors have one length: then none matches another vector better than "
            "itself.",
            seen=one_length,
        ),
        "unrelated": Mistake(
            [[1, 0, 0], [0, 2, 0], [0, 0, 3]],
            "All your vectors are orthogonal: each matches itself and nothing else.",
            seen=unrelated,
        ),
        "opposite": Mistake(
            [[1, 0], [-2, 0], [0.5, 0]],
            "Some vectors point away from the longest one, and so prefer themselves: point them "
            "all its way.",
            seen=lambda X: (
                ((X @ X[(X**2).sum(axis=1).argmax()]) < 0).any()
                and strict_losers(X).sum() < len(X) - 1
            ),
        ),
    },
)
