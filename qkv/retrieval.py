"""Lesson 01's card file: match a request with keys, then take values."""

from qkv import validate
from qkv.attention import _softmax
from qkv.validate import as_float64


def match(request, keys):
    """Count the tags that a request shares with each card: a dot product, a raw score.

    request (..., d_k), keys (n_kv, d_k) → raw scores (..., n_kv). With tags that are 0 or 1
    the result is a count; any real numbers are allowed.

    Errors: ValueError for shapes that don't fit, an empty axis, non-finite input.
    """
    request, keys, _ = _cards("match", request, keys)
    return request @ keys.T


def retrieve(request, keys, values):
    """Return the value of the card that matches best; cards that tie share equally.

    request (..., d_k), keys (n_kv, d_k), values (n_kv, d_v) → (..., d_v). A request that
    matches nothing is a tie of all cards.

    Errors: as in `match`.
    """
    request, keys, values = _cards("retrieve", request, keys, values)
    raw = request @ keys.T  # (..., n_kv)
    best = (raw == raw.max(-1, keepdims=True)).astype(float)
    return best / best.sum(-1, keepdims=True) @ values  # (..., d_v)


def soft_retrieve(request, keys, values, temperature=1.0):
    """Return a mixture of all values, weighted by softmax(match / temperature).

    Shapes as in `retrieve`. temperature > 0, in units of one match: near 0 the choice is
    hard, far above 1 every card has the same weight.

    Errors: as in `match`, and for a temperature that isn't one finite number above 0.
    """
    request, keys, values = _cards("soft_retrieve", request, keys, values)
    validate.number("soft_retrieve", "temperature", temperature, positive=True)
    raw = request @ keys.T
    best = raw.max(-1, keepdims=True)  # subtracted before the division: no overflow
    return _softmax((raw - best) / float(temperature)) @ values


def _cards(function, request, keys, values=None):
    request = as_float64(function, "request", request)
    keys = as_float64(function, "keys", keys)
    if values is not None:
        values = as_float64(function, "values", values)
    validate.cards(function, request, keys, values)
    return request, keys, values
