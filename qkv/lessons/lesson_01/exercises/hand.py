"""By hand: four cards, of which two tie; the busiest card is not the best."""

import numpy as np

from qkv.checks import HandExercise, Mistake

from .retrieve import best, tags

HAND_REQUEST = tags(1, 0, 1, 0)
HAND_KEYS = tags([1, 0, 1, 0], [1, 1, 0, 1], [1, 0, 1, 1], [0, 1, 0, 0])
HAND_VALUES = tags([6, 2], [9, 9], [2, -3], [0, 7])


def hand(match=None, output=None):
    match = HAND_KEYS @ HAND_REQUEST if match is None else match
    return np.concatenate([match, best(match) @ HAND_VALUES if output is None else output])


HAND = HandExercise(
    text=(
        "The request is [1, 0, 1, 0]. Four cards have the keys [1, 0, 1, 0], [1, 1, 0, 1], "
        "[1, 0, 1, 1], [0, 1, 0, 0] and the values [6, 2], [9, 9], [2, −3], [0, 7]. "
        "What are the four matches, and the two coordinates of the output under the hard choice? "
        "One decimal."
    ),
    labels=("match 1", "match 2", "match 3", "match 4", "o₁", "o₂"),
    answer=hand(),
    digits=1,
    hint="Multiply request and key tag by tag and add; the best cards share equally.",
    right="Right: cards 1 and 3 tie at two shared tags; the output is the mean of their values.",
    mistakes={
        "counts-all-tags": Mistake(
            hand(match=HAND_KEYS.sum(axis=1)),
            "You counted all tags on each card: only those that the request has too are shared.",
        ),
        "punishes-extra-tags": Mistake(
            hand(match=(HAND_KEYS == HAND_REQUEST).sum(axis=1).astype(float)),
            "You counted the places where request and key agree: two zeros are no shared tag.",
        ),
        "first-of-tie": Mistake(
            hand(output=HAND_VALUES[0]),
            "Your matches are right, but cards 1 and 3 tie: the output is the mean of both values.",
            hand(output=HAND_VALUES[2]),
        ),
        "sum-not-mean": Mistake(
            hand(output=HAND_VALUES[0] + HAND_VALUES[2]),
            "You added the values of cards 1 and 3: take their mean.",
        ),
        "mean-of-all": Mistake(
            hand(output=HAND_VALUES.mean(axis=0)),
            "You took the mean over all four cards: only the best two are read.",
        ),
        "weighted-by-match": Mistake(
            hand(output=HAND_KEYS @ HAND_REQUEST @ HAND_VALUES),
            "You added up all values, each times its match: the match only chooses the cards.",
        ),
    },
)
