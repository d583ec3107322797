"""Lesson 07, the causal mask: predictions and quiz. Numbers are computed, never typed."""

from qkv.attention import causal_mask
from qkv.questions import number, predict, quiz

_N = 6
_OPEN = int(causal_mask(_N).sum())

QUESTIONS = {
    "07.rows": predict(
        "Three positions. Every score of a later position becomes −∞, then softmax runs along "
        "each row. Which of the nine weights change?",
        [
            (
                "All nine",
                "Row 3 belongs to the last reader: no position comes after it, so nothing is "
                "blocked.",
            ),
            (
                "The six of rows 1 and 2",
                "Right: these readers lose candidates and share out 1 among the rest.",
            ),
            ("The three of row 3", "Reader 3 is the only one that has no future to lose."),
            (
                "The three above the diagonal: they become 0",
                "They do, but each row must sum to 1 again: what stays open takes over the share.",
            ),
        ],
        right=1,
        hint="Ask for each reader how many positions come after it.",
    ),
    "07.sum": predict(
        "Now the other way round: softmax first, over all three, then the weights of the future "
        "are set to 0. What does row 2 sum to?",
        [
            ("To 1", "It summed to 1 with the third weight. That weight is now gone."),
            (
                "To less than 1",
                "Right: the share of position 3 was taken away and given to no one.",
            ),
            ("To more than 1", "A positive weight was replaced by 0, so the sum can only fall."),
        ],
        right=1,
    ),
    "07.hidden": predict(
        "Same order: softmax, then zero, so the weight a₂₃ is 0. You replace x₃. Does o₂ move?",
        [
            (
                "No: position 3 has the weight 0 in row 2",
                "v₃ is indeed gone. But look at the denominator of a₂₁: which scores are in it?",
            ),
            (
                "Yes, through the other weights of row 2",
                "Right: a₂₁ and a₂₂ were divided by a sum that holds the score of position 3.",
            ),
            (
                "Yes, because q₂ changes",
                "q₂ is made from x₂ alone: projections mix no positions.",
            ),
        ],
        right=1,
        hint="Write a₂₁ as a fraction.",
    ),
    "07.layers": predict(
        "Two layers: the output of the first read is the input of the second. The first layer is "
        "open, the second is causal. You replace x₃. Which outputs of the second layer move?",
        [
            (
                "Output 3 alone: the last layer is causal",
                "In layer 2 reader 1 reads position 1 alone. What has gone into it by then?",
            ),
            (
                "All three",
                "Right: after layer 1 every position already holds a part of x₃.",
            ),
            ("None", "Output 3 may read position 3, so it moves in any case."),
        ],
        right=1,
        hint="What does position 1 hold after layer 1?",
    ),
    "07.blocked": predict(
        "In float32 every score of a row is replaced by −1e9, because all its candidates are "
        "blocked. What does softmax make of this row?",
        [
            ("Zeros", "A softmax sums to 1, so it cannot give zeros."),
            ("NaN", "That is what −∞ gives: −∞ − (−∞). A finite number has finite differences."),
            (
                "Equal weights for all",
                "Right: three equal scores, three equal weights, and no error to warn you.",
            ),
            (
                "The weights of the read without a mask",
                "The scores were replaced, so nothing of them is left.",
            ),
        ],
        right=2,
        hint="Softmax sees differences of scores alone (lesson 05).",
    ),
    "07.quiz.1": quiz(
        "Five positions, causal read. Which positions may reader 3 read?",
        [
            ("1 and 2", "Its own position is known to it: it has received token 3."),
            ("1, 2 and 3", "Right: everything up to itself. It helps predict token 4."),
            ("1, 2, 3 and 4", "Token 4 is the answer that it should help predict."),
            ("3, 4 and 5", "That is the mask transposed: reader 3 would see no past at all."),
        ],
        right=1,
    ),
    "07.quiz.2": number(
        f"n = {_N}. How many pairs of reader and candidate does the causal mask leave open?",
        answer=_OPEN,
        digits=0,
        labels=("open pairs",),
        mistakes={
            "all": (_N * _N, "That is the number without a mask."),
            "without-diagonal": (_OPEN - _N, "Each reader may also read itself."),
            "half": (_N * _N / 2, "A little more than half: the diagonal is open too."),
            "last-row": (_N, "That is the last row alone: add up the rows."),
        },
        hint="Row i has i open entries.",
        right=f"Right: 1 + 2 + … + {_N} = n(n + 1)/2.",
    ),
    "07.quiz.3": quiz(
        "You are given a model that you cannot look into. It should be causal. Which test tells?",
        [
            (
                "Its training loss is not suspiciously low",
                "A small leak can hide in an ordinary loss.",
            ),
            (
                "Its loss on new text is as good as on the training text",
                "A model that copies the answer does so on new text as well.",
            ),
            (
                "All its weights above the diagonal are 0",
                "Softmax then zero passes this test, and so does a stack with an open layer below.",
            ),
            (
                "Later positions are changed, and earlier outputs stay",
                "Right: this is the requirement itself, tested from outside.",
            ),
        ],
        right=3,
    ),
    "07.quiz.4": quiz(
        "Three layers. The first and the third are causal, the second has no mask. Can x₃ reach "
        "output 1?",
        [
            (
                "No: the last layer blocks it",
                "It blocks position 3, not what position 1 already holds.",
            ),
            (
                "Yes: in layer 2 position 1 reads position 3",
                "Right: position 3 holds x₃ after layer 1, and layer 3 lets reader 1 read itself.",
            ),
            (
                "Only if a weight is above one half",
                "Any weight above 0 carries a part of the value along.",
            ),
            (
                "Yes, because a causal layer leaks a little",
                "A causal layer blocks exactly: its weights above the diagonal are 0.",
            ),
        ],
        right=1,
        hint="Follow a path: one step in each layer.",
    ),
    "07.quiz.5": quiz(
        "From lesson 05: in one causal row you add 5 to every open score; the blocked ones stay "
        "at −∞. What happens to the weights?",
        [
            ("They stay", "Right: a common offset cancels, and −∞ takes no part in the sum."),
            (
                "The open ones grow, the blocked ones stay 0",
                "They sum to 1 before and after, so not all of them can grow.",
            ),
            (
                "They become more equal",
                "Only differences count, and adding one number leaves them as they are.",
            ),
            ("The row becomes NaN", "NaN comes from a row in which everything is −∞."),
        ],
        right=0,
    ),
}
