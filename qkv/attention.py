"""The reference: softmax, masks, one read and its gradients, in NumPy and float64.

Position i reads (a row), position j is read (a column). Lists, integers and float32 arrays are
accepted and computed in float64. All quantities are dimensionless.
"""

from typing import NamedTuple

import numpy as np

from qkv import validate
from qkv.validate import as_float64


class Read(NamedTuple):
    """What one read computes: scores (..., n_q, n_kv), weights (alike), output (..., n_q, d_v)."""

    scores: np.ndarray
    weights: np.ndarray
    output: np.ndarray


class Projection(NamedTuple):
    """One vector, three roles: Q, K (..., n, d_k) and V (..., n, d_v)."""

    Q: np.ndarray
    K: np.ndarray
    V: np.ndarray


class AttentionGradient(NamedTuple):
    """The gradient of a loss: Q, K, V in their own shapes, scores (..., n_q, n_kv)."""

    Q: np.ndarray
    K: np.ndarray
    V: np.ndarray
    scores: np.ndarray


class ReadGradient(NamedTuple):
    """The gradient of a loss for the input X and the three matrices, each in its own shape."""

    X: np.ndarray
    W_Q: np.ndarray
    W_K: np.ndarray
    W_V: np.ndarray


def softmax(scores, axis=-1):
    """Turn scores of any shape into weights: positive, sum 1 along `axis`.

    The maximum is subtracted first; weights don't change, and exp can't overflow.
    A score of −inf marks a blocked position and gets the weight 0.

    Errors: ValueError for NaN, +inf, a row that is all −inf, an empty or a missing axis.
    Source: Bridle, "Probabilistic interpretation of feedforward classification network
    outputs" (1990), where the name is given.
    """
    scores = as_float64("softmax", "scores", scores)
    validate.scores("softmax", scores, axis)
    return _softmax(scores, axis)


def _softmax(scores, axis=-1):
    exp = np.exp(scores - scores.max(axis, keepdims=True))
    return exp / exp.sum(axis, keepdims=True)


def causal_mask(n):
    """Return the boolean mask (n, n) in which row i may read columns j ≤ i (True = may read).

    Errors: ValueError unless n is a whole number of at least 1.
    Source: Vaswani et al., "Attention Is All You Need" (2017), section 3.2.3.
    """
    n = validate.whole_number("causal_mask", "n", n)
    return np.tril(np.ones((n, n), dtype=bool))


def attention(Q, K, V, *, mask=None, scale=None):
    """Let every row of Q read the rows of V, weighted by how it scores the rows of K.

    Q (..., n_q, d_k), K (..., n_kv, d_k), V (..., n_kv, d_v); leading axes broadcast.
    mask: boolean, broadcasts to (..., n_q, n_kv), True = may read; blocked scores are −inf.
    scale: multiplies the raw scores; 1/√d_k by default.

    Returns a Read with .scores and .weights (..., n_q, n_kv) and .output (..., n_q, d_v).
    Errors: ValueError for shapes that don't fit, an empty axis, non-finite input, a mask that
    isn't boolean, a row with nothing to read.
    Source: Vaswani et al., "Attention Is All You Need" (2017), equation 1.
    """
    Q, K, V, mask, scale = _inputs("attention", Q, K, V, mask, scale)
    return _attention("attention", Q, K, V, mask, scale)


def _inputs(function, Q, K, V, mask, scale, grad_output=None):
    Q, K, V = (as_float64(function, name, x) for name, x in [("Q", Q), ("K", K), ("V", V)])
    if mask is not None:
        mask = np.asarray(mask.cpu() if hasattr(mask, "cpu") else mask)
    lead = validate.attention(function, Q, K, V, mask, scale, grad_output)
    Q, K, V = (np.broadcast_to(x, (*lead, *x.shape[-2:])) for x in (Q, K, V))
    scale = 1 / np.sqrt(Q.shape[-1]) if scale is None else float(scale)
    return Q, K, V, mask, scale


def _attention(function, Q, K, V, mask, scale):
    with np.errstate(over="ignore", invalid="ignore"):  # no_overflow speaks instead
        scores = Q @ K.swapaxes(-1, -2) * scale  # (..., n_q, n_kv)
    validate.no_overflow(function, scores)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = _softmax(scores)  # each row on its own
    return Read(scores, weights, weights @ V)  # output (..., n_q, d_v)
