"""Lesson 06, the whole sequence: predictions and quiz. Numbers are computed, never typed."""

import numpy as np

from qkv.attention import attention
from qkv.inputs import inputs
from qkv.questions import number, predict, quiz
from qkv.steady import fixed

_running = inputs()["running"]
_K = _running["X"] @ _running["W_K"]
_WEIGHTS = attention(_running["X"] @ _running["W_Q"], _K, _running["X"] @ _running["W_V"]).weights

_D_K, _RAW = 64, 16.0

QUESTIONS = {
    "06.columns": predict(
        "The weights of each row sum to 1. What do the columns of the weights sum to?",
        [
            ("To 1 as well", "Softmax normalises each row on its own; nothing fixes a column."),
            ("To n = 3", "The whole table sums to 3, because three readers share out 1 each."),
            (
                "To different numbers that sum to 3",
                "Right: three readers share out 1 each, and no rule says who collects how much.",
            ),
        ],
        right=2,
        hint="Each of three readers has a total of 1 to give away.",
    ),
    "06.values": predict(
        "Only v₃ changes. Which tables move?",
        [
            ("Scores, weights and outputs", "A score is made of a query and a key: no v is in it."),
            (
                "Weights and outputs",
                "Weights come from scores alone, and no value enters a score.",
            ),
            ("Outputs alone", "Right: the weights stay, and what they mix has changed."),
            (
                "Row 3 of the outputs alone",
                "Every reader gives v₃ some weight, so every output takes a part of the change.",
            ),
        ],
        right=2,
        hint="Look for v in the three formulas at the top of the lesson.",
    ),
    "06.swap": predict(
        "You call the read with K and V exchanged, on the running example. What happens?",
        [
            (
                "An error about shapes",
                "Here K and V both have shape (3, 2), so every product exists.",
            ),
            (
                "Wrong numbers and no error",
                "Right: the shapes fit, each row sums to 1, and the outputs are wrong.",
            ),
            (
                "The same outputs",
                "Scores with V and mixtures of K are other numbers, unless K equals V.",
            ),
        ],
        right=1,
    ),
    "06.quiz.1": number(
        "Five readers, eight candidates, d_k = 4, d_v = 6. How many weights are there, and how "
        "many numbers does the output hold?",
        answer=[5 * 8, 5 * 6],
        digits=0,
        labels=("weights", "numbers in the output"),
        mistakes={
            "n-kv-rows": ([5 * 8, 8 * 6], "The output has one row per reader, not per candidate."),
            "d-k-wide": ([5 * 8, 5 * 4], "Values are mixed, so the output is as wide as a value."),
            "square": ([8 * 8, 5 * 6], "Rows belong to readers: there are five of them."),
            "transposed": ([5 * 8, 8 * 4], "One row per reader, one column per value coordinate."),
        },
        hint="Weights: one per reader and candidate. Output: one row per reader, d_v wide.",
        right="Right: (5, 8) weights, (5, 6) outputs.",
    ),
    "06.quiz.2": quiz(
        f"In the running example column 3 of the weights sums to {fixed(_WEIGHTS[:, 2].sum(), 4)}. "
        "What does that say?",
        [
            (
                "A mistake: weights must sum to 1",
                "Rows must. A column collects what different readers give.",
            ),
            (
                "Reader 3 gives away more than it has",
                "Row 3 belongs to reader 3, and it sums to 1.",
            ),
            (
                "The three readers together give candidate 3 nearly half of their total",
                "Right: they have 3 to give in all.",
            ),
            (
                "Position 3 is right more often than the others",
                "A weight measures how a read is shared, not whether anything is right.",
            ),
        ],
        right=2,
    ),
    "06.quiz.3": quiz(
        "x₂ changes, the rest of X stays, and nothing is masked. Which entries of the weights can "
        "move?",
        [
            (
                "Row 2 alone",
                "Row 2 moves with q₂, but k₂ stands in every other row as well.",
            ),
            (
                "Row 2 and column 2 alone",
                "That is true of the scores. In the weights each row shares one denominator.",
            ),
            (
                "All of them",
                "Right: column 2 of the scores moves, and softmax passes it on to the whole row.",
            ),
            ("None: the matrices W stay", "Weights are computed anew from each input."),
        ],
        right=2,
    ),
    "06.quiz.4": number(
        f"From lesson 04: d_k = {_D_K}, and a raw score is {_RAW:g}. What is the score?",
        answer=_RAW / np.sqrt(_D_K),
        digits=2,
        labels=("e",),
        mistakes={
            "scale-d-k": (_RAW / _D_K, "You divided by dₖ: the divisor is its square root."),
            "no-scale": (_RAW, "That is the raw score: divide it by √dₖ."),
            "multiplied": (_RAW * np.sqrt(_D_K), "You multiplied by √dₖ: divide by it."),
        },
        hint="The divisor is √dₖ.",
        right="Right: raw scores of wide vectors are brought back to the size of 1.",
    ),
    "06.quiz.5": quiz(
        "From lesson 05: you add 5 to every score of row 2. What happens to the outputs?",
        [
            (
                "All of them stay",
                "Right: the offset cancels in row 2, and other rows never see it.",
            ),
            (
                "o₂ grows by 5",
                "The output is a mixture of values; the offset cancels before any value is mixed.",
            ),
            (
                "o₂ moves toward the best candidate",
                "That would need larger differences. Adding one number leaves them as they are.",
            ),
            (
                "The other outputs shrink",
                "Each row is normalised on its own, so no reader takes from another.",
            ),
        ],
        right=0,
        hint="Write exp(e + 5) as exp(e) times a constant.",
    ),
}
