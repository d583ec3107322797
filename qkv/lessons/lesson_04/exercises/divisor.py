"""In code: what the scores are divided by, from the widths of a model."""

import numpy as np

from qkv.checks import CodeExercise, Mistake

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
