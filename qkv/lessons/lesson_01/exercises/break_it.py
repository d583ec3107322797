"""Break it: move the answer and leave the match alone."""

import numpy as np

from qkv.checks import BreakExercise, Mistake
from qkv.inputs import inputs

from .retrieve import best, retrieve, tags


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
