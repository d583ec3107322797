"""In code: find the cards that match best, and take what they hold."""

import numpy as np

from qkv.checks import CodeExercise, Mistake, soft


def best(match):
    """Weights of a hard choice: the best cards share equally."""
    chosen = match == match.max()
    return chosen / chosen.sum()


def retrieve(request, keys, values):
    return best(keys @ request) @ values


def mixture(match):
    exp = np.exp(match - match.max())
    return exp / exp.sum()


def tags(*rows):
    return np.array(rows, dtype=float)


# Cards, tags and widths differ in number. The last two cases have as many coordinates as tags,
# so that a match on the values can run; ties, an all-zero match and a busy card are among them.
CASES = [
    (tags(1, 1, 0, 0), tags([1, 0, 1, 0], [1, 1, 0, 0], [0, 0, 0, 1], [1, 1, 0, 0], [0, 1, 1, 0]),
     soft(5, 3, seed=1)),
    (tags(0, 0, 0, 1), tags([1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 1, 0]), soft(3, 2, seed=2)),
    (tags(1, 0, 1), tags([0, 1, 0], [1, 0, 0], [1, 1, 1], [1, 0, 1]),
     tags([2, 1, 5], [1, 4, 0], [-1, 2, 0.5], [0.25, -3, 1])),
    (tags(0, 1, 1), tags([0, 1, 1], [1, 1, 0], [0, 0, 1], [1, 0, 0]),
     tags([1, -2, 0.5], [3, 1, 2], [0, 4, 1], [2, 0, 0])),
]

RETRIEVE = CodeExercise(
    args=("request", "keys", "values"),
    reference=retrieve,
    cases=CASES,
    right="Right: the tags find the cards, and the best cards hand over the mean of their values.",
    mistakes={
        "matches-on-values": Mistake(
            lambda request, keys, values: best(values @ request) @ values,
            "You matched the request with the values: a card is found by its key.",
        ),
        "returns-key": Mistake(
            lambda request, keys, values: best(keys @ request) @ keys,
            "You returned a key: the key finds the card, the value is what the card hands over.",
            lambda request, keys, values: keys[np.argmax(keys @ request)],
        ),
        "first-of-tie": Mistake(
            lambda request, keys, values: values[np.argmax(keys @ request)],
            "You kept only the first of several equally good cards: a tie is shared equally.",
        ),
        "last-of-tie": Mistake(
            lambda request, keys, values: values[len(keys) - 1 - np.argmax((keys @ request)[::-1])],
            "You kept only the last of several equally good cards: a tie is shared equally.",
        ),
        "sum-not-mean": Mistake(
            lambda request, keys, values: (keys @ request == (keys @ request).max()) @ values,
            "You added up the values of the best cards: take their mean.",
        ),
        "mean-of-all": Mistake(
            lambda request, keys, values: values.mean(axis=0),
            "You took the mean over all cards: only those with the largest match are read.",
        ),
        "soft-choice": Mistake(
            lambda request, keys, values: mixture(keys @ request) @ values,
            "This is the soft choice, in which every card takes part: here the best cards alone "
            "are read.",
        ),
        "weighted-by-match": Mistake(
            lambda request, keys, values: (keys @ request) @ values,
            "You added up all values, each times its match: the match chooses, it does not "
            "multiply.",
        ),
        "returns-match": Mistake(
            lambda request, keys, values: keys @ request,
            "You returned the matches, one per card: use them to choose, then return the values.",
        ),
        "zero-when-no-match": Mistake(
            lambda request, keys, values: retrieve(request, keys, values) * (keys @ request).any(),
            "When no card shares a tag with the request, all cards tie at 0: return the mean of "
            "all of them.",
        ),
    },
)
