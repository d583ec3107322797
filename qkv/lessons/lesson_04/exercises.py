"""Lesson 04, scores and scale: which width goes under the root, and what it takes for granted."""

import numpy as np

from qkv.checks import BreakExercise, CodeExercise, HandExercise, Mistake

# d_model, heads, n: every wrong divisor differs from √(d_model / heads) somewhere; heads = 1 too.
CASES = [(512, 8, 100), (96, 4, 10), (768, 12, 77), (20, 1, 6), (90, 9, 25)]


def width(d_model, heads):
    return d_model / heads


DIVISOR = CodeExercise(
    args=("d_model", "heads", "n"),
    reference=lambda d_model, heads, n: np.sqrt(width(d_model, heads)),
    cases=CASES,
    right="Right: the dot product has d_model / heads terms, and only their number counts.",
    mistakes={
        "sqrt-d-model": Mistake(
            lambda d_model, heads, n: np.sqrt(d_model),
            "You took √d_model: a head's query and key have only d_model / heads components, and "
            "those are the terms of the sum.",
        ),
        "d-k": Mistake(
            lambda d_model, heads, n: width(d_model, heads),
            "You divide by d_k itself: the variance of the score would be 1/d_k. Take the root.",
            lambda d_model, heads, n: d_model // heads,
        ),
        "sqrt-n": Mistake(
            lambda d_model, heads, n: np.sqrt(n),
            "You took √n: the number of positions says how many scores there are, not how many "
            "terms one of them has.",
        ),
        "sqrt-heads": Mistake(
            lambda d_model, heads, n: np.sqrt(heads),
            "You took √heads: divide d_model by heads first, then take the root.",
        ),
        "root-before-split": Mistake(
            lambda d_model, heads, n: np.sqrt(d_model) / heads,
            "You took the root of d_model and then divided by heads: the division belongs under "
            "the root.",
        ),
        "d-model": Mistake(
            lambda d_model, heads, n: d_model,
            "You divide by d_model: count the terms of one dot product, then take the root.",
            lambda d_model, heads, n: float(d_model),
        ),
        "multiplied": Mistake(
            lambda d_model, heads, n: np.sqrt(d_model * heads),
            "You multiplied d_model by heads: the heads share d_model out, so each has less of it.",
        ),
        "inverse": Mistake(
            lambda d_model, heads, n: 1 / np.sqrt(width(d_model, heads)),
            "That is the factor 1/√d_k that multiplies. The divisor is its inverse.",
        ),
        "variance-left": Mistake(
            lambda d_model, heads, n: 1 / width(d_model, heads),
            "That is the variance which the divisor d_k leaves. The divisor wanted is √d_k.",
        ),
        "none": Mistake(
            lambda d_model, heads, n: 1.0,
            "You divide by 1: raw scores then have variance d_k.",
        ),
        "whole": Mistake(
            lambda d_model, heads, n: np.floor(np.sqrt(width(d_model, heads))),
            "You rounded the root down to a whole number: return it as it is.",
            lambda d_model, heads, n: np.rint(np.sqrt(width(d_model, heads))),
        ),
    },
)


# By hand: components of unequal sizes, so that each step of the derivation leaves its own number.
SIGMA_Q, SIGMA_K, D_K = 3.0, 0.5, 16


def steps(product, d_k=D_K):
    """From the variance of one product: of the raw score, its standard deviation, the score's."""
    return [product, product * d_k, np.sqrt(product * d_k), product]


_PRODUCT = SIGMA_Q**2 * SIGMA_K**2
_RIGHT = steps(_PRODUCT)

HAND = HandExercise(
    text=f"d_k = {D_K}. All components are independent with mean 0. Those of q have the standard "
    f"deviation {SIGMA_Q:.0f}, those of k have {SIGMA_K}. What are the variance of one product "
    "q_r k_r, the variance of q·k, the standard deviation of q·k, and the variance of the score?",
    labels=("Var(q_r k_r)", "Var(q·k)", "Std(q·k)", "Var(e)"),
    answer=_RIGHT,
    digits=2,
    hint="Square the two standard deviations first; the score is q·k/√d_k.",
    right="Right: the divisor takes the width out and leaves the size of the components.",
    mistakes={
        "unit-variance": Mistake(
            steps(1.0),
            "You took every variance as 1. Here the components have other sizes: the variance of a "
            "product is the product of the variances.",
        ),
        "not-squared": Mistake(
            steps(SIGMA_Q * SIGMA_K),
            "You multiplied standard deviations and called it a variance: square each of them.",
        ),
        "variances-added": Mistake(
            steps(SIGMA_Q**2 + SIGMA_K**2),
            "You added the two variances: they add for a sum q_r + k_r. For a product of "
            "independent factors with mean 0 they multiply.",
        ),
        "deviations-added": Mistake(
            [_PRODUCT, (SIGMA_Q * SIGMA_K * D_K) ** 2, SIGMA_Q * SIGMA_K * D_K, _PRODUCT * D_K],
            "You added standard deviations over the terms: it is the variances that add.",
            [_PRODUCT, (SIGMA_Q * SIGMA_K * D_K) ** 2, SIGMA_Q * SIGMA_K * D_K, _PRODUCT],
        ),
        "root-once": Mistake(
            [*_RIGHT[:3], _PRODUCT * D_K / np.sqrt(D_K)],
            "You divided the variance by √d_k. Dividing a number by √d_k divides its variance by "
            "the square of that, d_k.",
        ),
        "divided-by-d-k": Mistake(
            [*_RIGHT[:3], _PRODUCT * D_K / D_K**2],
            "That is the variance of q·k/d_k. The score is q·k/√d_k.",
        ),
        "score-is-one": Mistake(
            [*_RIGHT[:3], 1.0],
            "The divisor makes the variance of the score 1 only if every component has variance 1.",
        ),
        "no-divisor": Mistake(
            [*_RIGHT[:3], _PRODUCT * D_K],
            "The last number is the variance of the raw score: divide q·k by √d_k first.",
        ),
        "no-root": Mistake(
            [_PRODUCT, _PRODUCT * D_K, _PRODUCT * D_K, _PRODUCT],
            "The standard deviation is the root of the variance.",
        ),
    },
)


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

EXERCISES = {"04.hand": HAND, "04.divisor": DIVISOR, "04.break": BREAK}
