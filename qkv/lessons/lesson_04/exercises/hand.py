"""By hand: components of unequal sizes, so that each step leaves its own number."""

import numpy as np

from qkv.checks import HandExercise, Mistake

SIGMA_Q, SIGMA_K, D_K = 3.0, 0.5, 16


def steps(product, d_k=D_K):
    """From the variance of one product: of the raw score, its standard deviation, the score's."""
    return [product, product * d_k, np.sqrt(product * d_k), product]


_PRODUCT = SIGMA_Q**2 * SIGMA_K**2
_RIGHT = steps(_PRODUCT)

HAND = HandExercise(
    text=f"d_k = {D_K}. All components are independent with mean 0. Those of q have the standard "
    f"deviation {SIGMA_Q:g}, those of k have {SIGMA_K}. What are the variance of one product "
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
