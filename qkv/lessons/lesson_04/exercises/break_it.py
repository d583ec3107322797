"""Break it: components as assumed one by one, and a score that is too large all the same."""

import numpy as np

from qkv.checks import BreakExercise, Mistake

LOOSE = 0.02  # a large sample from a generator passes as well as an exact table


def moments(Q, K):
    """Means and variances of all components, means of q_r k_r; ValueError on unequal shapes."""
    if Q.shape != K.shape:
        raise ValueError(f"row m of both is one pair, so expected one shape, got {Q.shape} and "
                         f"{K.shape}")  # fmt: skip
    both = np.hstack([Q, K])
    return both.mean(axis=0), both.var(axis=0), (Q * K).mean(axis=0)


def score_variance(Q, K):
    return (Q * K).sum(axis=1).var() / Q.shape[1]


SIGNS = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
FREE = [(a, b, c, d) for a, b in SIGNS for c, d in SIGNS]  # four independent signs

BREAK = BreakExercise(
    task="Hand in (Q, K): row m of both is one of N equally likely pairs. Every component has mean "
    "0 and variance 1, and every product q_r k_r has mean 0. Still the score q·k/√d_k has a "
    "variance of 2 or more.",
    parts=("Q", "K"),
    shapes={"Q": (None, None), "K": (None, None)},
    accepts=lambda Q, K: score_variance(Q, K) >= 2 - LOOSE,
    right="Right: each component is as assumed, one by one, and √d_k still fails. The derivation "
    "needs them to be independent.",
    wrong="The score's variance is above 1, but below 2: make more components move together.",
    mistakes={
        "off-centre": Mistake(
            ([[1, 1], [3, 3]], [[1, 1], [-1, -1]]),
            "A component of yours has a mean other than 0: each column of Q and of K must sum "
            "to 0.",
            seen=lambda Q, K: bool((np.abs(moments(Q, K)[0]) > LOOSE).any()),
        ),
        "other-size": Mistake(
            ([[2], [2], [-2], [-2]], [[2], [-2], [2], [-2]]),
            "A component of yours has a variance other than 1. Larger components do break the "
            "divisor, but this exercise forbids them.",
            seen=lambda Q, K: bool((np.abs(moments(Q, K)[1] - 1) > LOOSE).any()),
        ),
        "q-meets-k": Mistake(
            ([[1, 1], [-1, -1]], [[1, 1], [-1, -1]]),
            "A product q_r k_r of yours has a mean other than 0: component r of q goes with "
            "component r of k. Break it without that.",
            ([[1, 1], [1, -1], [-1, 1], [-1, -1]],) * 2,
            seen=lambda Q, K: bool((np.abs(moments(Q, K)[2]) > LOOSE).any()),
        ),
        "as-assumed": Mistake(
            ([row[:2] for row in FREE], [row[2:] for row in FREE]),
            "The score's variance is 1, as derived: the products of your components do not move "
            "together.",
            ([[1], [1], [-1], [-1]], [[1], [-1], [1], [-1]]),
            seen=lambda Q, K: abs(score_variance(Q, K) - 1) <= LOOSE,
        ),
        "cancels": Mistake(
            ([(s, s) for s, _ in SIGNS], [(t, -t) for _, t in SIGNS]),
            "The score's variance is below 1: the products of your components work against one "
            "another. Make them go the same way.",
            seen=lambda Q, K: score_variance(Q, K) < 1,
        ),
    },
)
