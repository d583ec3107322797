"""Lesson 04, scores and scale: predictions and quiz. Numbers are computed, never typed."""

import numpy as np

from qkv.questions import number, predict, quiz
from qkv.steady import fixed

_NARROW, _WIDE = 4, 256  # prediction 1
_SAME = 64  # prediction 3
_D_MODEL, _HEADS = 512, 8  # quiz 2
_D_K = 64  # quiz 1

QUESTIONS = {
    "04.growth": predict(
        f"d_k goes from {_NARROW} to {_WIDE}, which is {_WIDE // _NARROW} times as wide. By which "
        "factor does the standard deviation of the raw scores grow, about?",
        [
            ("1: the mean is 0, so nothing grows", "The mean stays; the distance from it grows."),
            (
                f"{fixed(np.sqrt(_WIDE / _NARROW), 0)}",
                "Right: the root of the factor, because terms of both signs partly cancel.",
            ),
            (
                f"{_WIDE // _NARROW}",
                "That would need all products of a sum to have one sign. They partly cancel.",
            ),
            (f"{(_WIDE // _NARROW) ** 2}", "No sum grows faster than the number of its terms."),
        ],
        right=1,
        hint="The products have both signs. How far does a sum of such terms get?",
    ),
    "04.row": predict(
        "No divisor, and d_k grows from 4 to 1024. You raise the largest score of each row by a "
        "little. How does its weight answer, compared with d_k = 4?",
        [
            ("More strongly", "Larger scores, but the nudge stays as small as it was."),
            ("As before", "The row has changed: its scores lie further apart."),
            (
                "Hardly at all",
                "Right: that weight has nearly everything already, and nowhere to go.",
            ),
        ],
        right=2,
        hint="What is the largest weight of a row whose scores lie far apart?",
    ),
    "04.same": predict(
        f"Queries and keys are equal, q = k, with d_k = {_SAME}. You divide q·k by √d_k. What is "
        "the mean of the score?",
        [
            ("0, as before", "q_r k_r is now a square, and a square is never negative."),
            ("1", "That is the mean of one square. The sum has more terms."),
            (
                f"{fixed(np.sqrt(_SAME), 0)}",
                f"Right: {_SAME} squares with mean 1, divided by √{_SAME}.",
            ),
            (f"{_SAME}", "That is the mean of the raw score: divide it by √d_k."),
        ],
        right=2,
        hint="Each of the d_k terms is a square. What is its mean when the variance is 1?",
    ),
    "04.quiz.1": number(
        f"The assumptions hold, d_k = {_D_K}, and somebody divides the raw scores by d_k. What are "
        "the variance and the standard deviation of the result?",
        answer=[1 / _D_K, 1 / np.sqrt(_D_K)],
        digits=3,
        labels=("variance", "standard deviation"),
        mistakes={
            "right-divisor": ([1, 1], "That is what √d_k gives. Here the divisor is d_k."),
            "divided-once": (
                [_D_K / _D_K, np.sqrt(_D_K) / _D_K],
                "A divisor c divides the variance by c², not by c.",
            ),
            "no-root": (
                [1 / _D_K, 1 / _D_K],
                "The standard deviation is the root of the variance.",
            ),
            "raw": ([_D_K, np.sqrt(_D_K)], "That is the raw score, before the division."),
            "exchanged": (
                [1 / np.sqrt(_D_K), 1 / _D_K],
                "The other way round: the variance is the square of the standard deviation.",
            ),
        },
        hint="Var(cX) = c² Var(X), with c = 1/d_k.",
        right="Right: scores so close together leave a row almost equal weights.",
    ),
    "04.quiz.2": quiz(
        f"d_model = {_D_MODEL}, {_HEADS} heads. Each head divides its raw scores by √d_model. What "
        "variance do its scores have, if the assumptions hold?",
        [
            ("1", f"That needs √d_k, with d_k = {_D_MODEL // _HEADS}."),
            (
                f"1/{_HEADS}",
                f"Right: d_k / d_model. The scores are too small by the factor √{_HEADS}.",
            ),
            (f"{_HEADS}", "The divisor is too large, so the variance is too small."),
            (f"1/{_D_MODEL}", "The raw scores have variance d_k, not 1."),
        ],
        right=1,
        hint="The raw scores of one head have variance d_k. Divide by the square of the divisor.",
    ),
    "04.quiz.3": quiz(
        "A trained model divides by √d_k. What do you know of the variance of its scores?",
        [
            (
                "It is 1",
                "That was derived for independent components of variance 1. Training may leave "
                "neither.",
            ),
            ("It is at most 1", "Nothing bounds it: the learnt matrices can be of any size."),
            (
                "Nothing, until you measure it",
                "Right: the divisor takes the width out, and promises nothing about the rest.",
            ),
            (
                "It is d_k",
                "That is the raw score under the same assumptions, which need not hold.",
            ),
        ],
        right=2,
        hint="Which assumptions did the derivation use, and who keeps to them in training?",
    ),
    "04.quiz.4": quiz(
        "All components have variance 1. In q any two components are correlated by 0.5, in k too; "
        "q and k know nothing of each other. How does the variance of q·k grow for large d_k?",
        [
            ("Like √d_k", "That is the standard deviation in the independent case."),
            ("Like d_k", "So it does if terms don't move together. Here any two of them do."),
            (
                "Like d_k²",
                "Right: d_k (d_k − 1) pairs of terms each add the same covariance.",
            ),
        ],
        right=2,
        hint="Count the pairs r ≠ s in the variance of the sum.",
    ),
    "04.quiz.5": quiz(
        "From lesson 03. You double every entry of `W_Q` and halve every entry of `W_K`. What "
        "happens to the variance of the raw scores?",
        [
            ("It is multiplied by 16", "That would be a factor 4 on each raw score."),
            ("It is multiplied by 4", "The queries alone grow so. The keys shrink as much."),
            (
                "It stays",
                "Right: only the product W_Q W_Kᵀ enters a raw score, and 2 · 1/2 leaves it alone.",
            ),
            ("It is divided by 4", "The keys alone shrink so. The queries grow as much."),
        ],
        right=2,
        hint="A raw score is x_iᵀ W_Q W_Kᵀ x_j.",
    ),
}
