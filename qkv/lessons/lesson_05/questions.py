"""Lesson 05, from scores to a mixture: predictions and quiz. Numbers are computed, never typed."""

import numpy as np

from qkv.inputs import inputs
from qkv.questions import number, predict, quiz

_raw = inputs()["raw_mixing"]
_BEFORE = float(_raw["scores"] @ _raw["values"])
_AFTER = float((_raw["scores"] + _raw["offset"]) @ _raw["values"])
_OFFSET = int(_raw["offset"])

_GAP, _T = 2.0, 4.0  # quiz 1: a score difference, then a temperature

QUESTIONS = {
    "05.raw": predict(
        f"Scores (2, 1) mix the values (10, 20) to {_BEFORE:g}. You add {_OFFSET} to both "
        "scores. What do the new scores mix them to?",
        [
            (f"{_BEFORE:g}, as before", "The preference is the same, but raw mixing sees sizes."),
            (
                f"{_BEFORE + _OFFSET:g}, more by {_OFFSET}",
                "The offset multiplies every value, so it adds more than itself.",
            ),
            (
                f"{_AFTER:g}",
                f"Right: the offset adds {_OFFSET} times the sum of the values.",
            ),
        ],
        right=2,
        hint="102 · 10 + 101 · 20.",
    ),
    "05.thousand": predict(
        "The formula of softmax is typed in as it stands, with float64 numbers. What does it give "
        "for the scores (1000, 1001)?",
        [
            (
                "The weights of (0, 1)",
                "They are equal on paper, but exp(1000) is no longer a float64 number.",
            ),
            (
                "(0, 1): the larger score takes all",
                "The difference is 1, so on paper neither weight is near 0.",
            ),
            ("NaN twice", "Right: exp overflows to ∞, and ∞/∞ is no number."),
            ("An error", "NumPy warns at most: the fault travels on as a value."),
        ],
        right=2,
        hint="The largest float64 is about 1.8 · 10³⁰⁸, which is exp of a little less than 710.",
    ),
    "05.temperature": predict(
        "You divide all three scores by a temperature T that grows and grows. Where does the "
        "output go?",
        [
            (
                "To the middle of the triangle",
                "Right: all scores go to 0, all differences with them, and the shares become "
                "equal.",
            ),
            ("To the value with the largest score", "That is where it goes as T falls to 0."),
            ("To the origin", "Weights sum to 1 at every T: the output can't shrink away."),
            ("Out of the triangle", "No scores can do that, whatever they were divided by."),
        ],
        right=0,
        hint="Divide any three numbers by a million. How much do they still differ?",
    ),
    "05.tanh": predict(
        "Three queries are scored against three keys by wᵀ(W_qᵀq + W_kᵀk), without tanh. How do "
        "the three rows of weights compare?",
        [
            ("All three differ", "The scores differ; look at what differs along one row."),
            (
                "All three are equal",
                "Right: the query adds one number to its whole row, and softmax ignores it.",
            ),
            (
                "Each row is uniform",
                "The keys still differ, so the weights do: they don't depend on the query.",
            ),
        ],
        right=1,
        hint="Multiply out: wᵀW_qᵀq + wᵀW_kᵀk. Which part depends on the candidate?",
    ),
    "05.quiz.1": number(
        f"Two scores differ by {_GAP:g}. The larger weight is how many times the smaller one, at "
        f"T = 1 and at T = {_T:g}?",
        answer=[np.exp(_GAP), np.exp(_GAP / _T)],
        digits=2,
        labels=("at T = 1", f"at T = {_T:g}"),
        mistakes={
            "no-exp": (
                [_GAP, _GAP / _T],
                "That is the difference of scores: the ratio of weights is its exp.",
            ),
            "inverse": (
                [np.exp(-_GAP), np.exp(-_GAP / _T)],
                "That is the smaller weight over the larger.",
            ),
            "divided-after": (
                [np.exp(_GAP), np.exp(_GAP) / _T],
                "T divides the scores, inside exp, not the ratio.",
            ),
            "multiplied": (
                [np.exp(_GAP), np.exp(_GAP * _T)],
                "A higher temperature makes weights more equal: divide by T.",
            ),
        },
        hint="log(a₁/a₂) = (e₁ − e₂)/T.",
        right="Right: a ratio of weights is exp of the difference of scores over T.",
    ),
    "05.quiz.2": quiz(
        "Which change of a row of scores leaves all its weights as they are?",
        [
            ("Multiply every score by 2", "That doubles the differences, like a lower T."),
            ("Add 7 to every score", "Right: only differences of scores reach the weights."),
            (
                "Add 7 to the largest score",
                "One difference grows, and every weight of the row moves.",
            ),
            (
                "Replace every score by its absolute value",
                "Negative scores change, and differences with them.",
            ),
        ],
        right=1,
        hint="Write the ratio of two weights.",
    ),
    "05.quiz.3": quiz(
        "A reader gives candidate 3 the weight 0.7. What follows?",
        [
            (
                "v₃ enters this reader's output with that factor",
                "Right: that is all a weight says, a share over positions.",
            ),
            (
                "Candidate 3 is the right one with that probability",
                "Nothing was compared with a right answer. It is a share of a mixture.",
            ),
            (
                "The score of candidate 3 is high",
                "A lone score fixes no weight: the others may be lower still.",
            ),
            (
                "That share of the output's length comes from v₃",
                "v₃ may be short or even 0: a factor is no length.",
            ),
        ],
        right=0,
        hint="Look at the formula of the output.",
    ),
    "05.quiz.4": quiz(
        "From lesson 04. Queries and keys have independent components with mean 0 and variance 1, "
        "and d_k = 256. You forget to divide by √d_k. What happens to a row's entropy?",
        [
            (
                "Nothing: softmax ignores a common factor",
                "It ignores a common offset. A factor multiplies every difference.",
            ),
            (
                "It falls toward 0",
                "Right: raw scores spread by about √256 = 16, as if T were 1/16, and one "
                "candidate takes nearly all.",
            ),
            (
                "It rises toward log n",
                "That needs scores that lie close together; these lie far apart.",
            ),
        ],
        right=1,
        hint="What is the standard deviation of a raw score, and what does it do to differences?",
    ),
    "05.quiz.5": quiz(
        "Two keys are equal, their values are not. What can a query do?",
        [
            (
                "Prefer the better value of the two",
                "A query meets keys alone: values have no part in a score.",
            ),
            (
                "Give the two different weights, if it is long enough",
                "Length multiplies the score difference, and that is 0.",
            ),
            (
                "Give both the same weight, large or small",
                "Right: the ratio of the two weights is exp(0) = 1 for every query.",
            ),
        ],
        right=2,
        hint="log(a_j/a_m) = qᵀ(k_j − k_m)/√dₖ.",
    ),
}
