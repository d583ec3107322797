"""Lesson 01, the card file: finding a card and taking what it holds."""

import numpy as np

from qkv.checks import BreakExercise, CodeExercise, HandExercise, Mistake, soft
from qkv.inputs import inputs


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


# By hand: four cards, of which two tie; the busiest card is not the best.
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


# Break it: move the answer and leave the match alone.
def cards():
    example = inputs()["cards"]
    return example["keys"], example["values"], example["request"]


def match_moves(keys, values):
    old, _, request = cards()
    return not np.array_equal(keys @ request, old @ request)


def answer_moves(keys, values):
    old_keys, old_values, request = cards()
    return not np.allclose(retrieve(request, keys, values), retrieve(request, old_keys, old_values))


def keys_changed(keys):
    return not np.array_equal(keys, cards()[0])


def cards_changed(values):
    """Which cards hold something else than before → boolean, one per card."""
    return (values != cards()[1]).any(axis=1)


def unread(values):
    keys, _, request = cards()
    changed = cards_changed(values)
    return changed.any() and not (changed & (best(keys @ request) > 0)).any()


KEYS, VALUES, _ = cards()
TAG_MOVED = KEYS.copy()
TAG_MOVED[0, 1] = 0  # the first card is no longer about a place
QUIET_TAG = KEYS.copy()
QUIET_TAG[0, 3] = 1  # a tag that the request does not ask for
NEW_CONTENT = VALUES + tags([1, 1], [0, 0], [0, 0])
OTHER_CARD = VALUES + tags([0, 0], [1, 1], [0, 0])
ALL_CARDS = VALUES + 1

BREAK = BreakExercise(
    task=(
        "Take keys and values of `qkv.inputs()[\"cards\"]` and change one thing, so that no match "
        "moves and the answer to the request does. Hand in (keys, values)."
    ),
    parts=("keys", "values"),
    shapes={"keys": KEYS.shape, "values": VALUES.shape},
    accepts=answer_moves,
    right="Right: the content of the card that is read has changed, and no match has noticed.",
    wrong="The answer to the request is the same as before.",
    mistakes={
        "changed-nothing": Mistake(
            (KEYS, VALUES),
            "Nothing has changed: these are the cards as they were.",
            seen=lambda keys, values: not keys_changed(keys) and not cards_changed(values).any(),
        ),
        "changed-both": Mistake(
            (TAG_MOVED, NEW_CONTENT),
            "You changed keys and values: change one thing, or you can't tell which one did it.",
            seen=lambda keys, values: keys_changed(keys) and cards_changed(values).any(),
        ),
        "moved-the-match": Mistake(
            (TAG_MOVED, VALUES),
            "You changed a tag that the request asks for, so a match has moved: leave the keys "
            "alone.",
            seen=match_moves,
        ),
        "changed-a-quiet-tag": Mistake(
            (QUIET_TAG, VALUES),
            "You changed a tag that the request does not ask for: no match moves, but the answer "
            "does not either.",
            seen=lambda keys, values: keys_changed(keys),
        ),
        "changed-an-unread-card": Mistake(
            (KEYS, OTHER_CARD),
            "You changed the content of a card that is not read: the answer stays as it was.",
            seen=lambda keys, values: unread(values),
        ),
        "changed-several-cards": Mistake(
            (KEYS, ALL_CARDS),
            "You changed the content of several cards: one is enough, the one that is read.",
            seen=lambda keys, values: cards_changed(values).sum() > 1,
        ),
    },
)

EXERCISES = {"01.hand": HAND, "01.retrieve": RETRIEVE, "01.break": BREAK}
