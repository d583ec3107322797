"""Lesson 01's card file: match a request with keys, then take values."""

import numpy as np

from qkv import validate
from qkv.attention import _softmax
from qkv.validate import as_float64


def match(request, keys):
    """Count the tags that a request shares with each card: a dot product, a raw score.

    request (..., d_k), keys (n_kv, d_k) → raw scores (..., n_kv). With tags that are 0 or 1
    the result is a count; any real numbers are allowed.

    Errors: ValueError for shapes that don't fit, an empty axis, non-finite input.
    """
    request, keys = _cards("match", request=request, keys=keys)
    return _match("match", request, keys)


def _match(function, request, keys):
    with np.errstate(over="ignore", invalid="ignore"):  # no_overflow speaks instead
        raw = request @ keys.T  # (..., n_kv)
    validate.no_overflow(function, "matches", raw)
    return raw


def retrieve(request, keys, values):
    """Return the value of the card that matches best; cards that tie share equally.

    request (..., d_k), keys (n_kv, d_k), values (n_kv, d_v) → (..., d_v). A request that
    matches nothing is a tie of all cards.

    Errors: as in `match`.
    """
    request, keys, values = _cards("retrieve", request=request, keys=keys, values=values)
    raw = _match("retrieve", request, keys)
    best = (raw == raw.max(-1, keepdims=True)).astype(float)
    return best / best.sum(-1, keepdims=True) @ values  # (..., d_v)


def soft_retrieve(request, keys, values, temperature=1.0):
    """Return a mixture of all values, weighted by softmax(match / temperature).

    Shapes as in `retrieve`. temperature > 0, in units of one match: near 0 the choice is
    hard, far above 1 every card has the same weight.

    Errors: as in `match`, and for a temperature that isn't one finite number above 0.
    """
    request, keys, values = _cards("soft_retrieve", request=request, keys=keys, values=values)
    temperature = validate.number("soft_retrieve", "temperature", temperature, positive=True)
    raw = _match("soft_retrieve", request, keys)
    with np.errstate(over="ignore"):  # a match that far below the best has the weight 0
        below = (raw - raw.max(-1, keepdims=True)) / temperature  # subtracted first: never +∞
    return _softmax(below) @ values


def _cards(function, **given):
    arrays = [as_float64(function, name, x) for name, x in given.items()]
    validate.cards(function, *arrays)
    return arrays
