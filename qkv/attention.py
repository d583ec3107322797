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
    with np.errstate(over="ignore"):  # a score that far below the largest has the weight 0
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
    mask = validate.as_mask(function, mask)
    lead = validate.attention(function, Q, K, V, mask, scale, grad_output)
    Q, K, V = (np.broadcast_to(x, (*lead, *x.shape[-2:])) for x in (Q, K, V))
    given = scale is not None
    scale = validate.number(function, "scale", scale) if given else 1 / np.sqrt(Q.shape[-1])
    return Q, K, V, mask, scale


def _attention(function, Q, K, V, mask, scale):
    with np.errstate(over="ignore", invalid="ignore"):  # no_overflow speaks instead
        scores = Q @ K.swapaxes(-1, -2) * scale  # (..., n_q, n_kv)
    validate.no_overflow(function, "scores", scores)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = _softmax(scores)  # each row on its own
    return Read(scores, weights, weights @ V)  # output (..., n_q, d_v)


def attention_backward(Q, K, V, grad_output, *, mask=None, scale=None):
    """Return the gradient of a loss L for Q, K, V and the scores, by hand.

    grad_output (..., n_q, d_v) holds g_i = ∂L/∂o_i; everything else is as in `attention`.

    With V held fixed, ∂L/∂e_ij = a_ij g_iᵀ(v_j − o_i); then ∇q_i = Σ_j ∂L/∂e_ij k_j · scale,
    ∇k_j = Σ_i ∂L/∂e_ij q_i · scale and ∇v_j = Σ_i a_ij g_i. Blocked entries get exactly 0.

    Returns .Q .K .V in the shapes given and .scores (..., n_q, n_kv).
    Errors: as in `attention`, and for a grad_output that hasn't the output's shape.
    """
    return _backward("attention_backward", Q, K, V, grad_output, mask, scale)


def _backward(function, Q, K, V, grad_output, mask, scale):
    Q, K, V = (as_float64(function, name, x) for name, x in [("Q", Q), ("K", K), ("V", V)])
    G = as_float64(function, "grad_output", grad_output)
    shapes = [x.shape for x in (Q, K, V)]
    Q, K, V, mask, scale = _inputs(function, Q, K, V, mask, scale, G)
    _, A, O = _attention(function, Q, K, V, mask, scale)

    with np.errstate(over="ignore", invalid="ignore"):
        pull = G @ V.swapaxes(-1, -2) - (G * O).sum(-1, keepdims=True)  # g_i·(v_j − o_i)
        E = A * pull  # (..., n_q, n_kv)
        if mask is not None:
            E = np.where(mask, E, 0.0)
        grads = (E @ K * scale, E.swapaxes(-1, -2) @ Q * scale, A.swapaxes(-1, -2) @ G)
        grads = [_sum_to(grad, shape) for grad, shape in zip(grads, shapes, strict=True)]
    validate.no_overflow(function, "gradients", *grads, E)
    return AttentionGradient(*grads, E)


def _sum_to(grad, shape):
    """Add up what leading axes shared when they were broadcast."""
    grad = grad.sum(tuple(range(grad.ndim - len(shape))))
    stretched = tuple(axis for axis, size in enumerate(shape) if size < grad.shape[axis])
    return grad.sum(stretched, keepdims=True)


def project(X, W_Q, W_K, W_V):
    """Give every row of X three roles: Q = X W_Q, K = X W_K, V = X W_V.

    X (..., n, d_model); W_Q, W_K (d_model, d_k); W_V (d_model, d_v). Rows don't mix.

    Returns .Q .K (..., n, d_k) and .V (..., n, d_v).
    Errors: ValueError for shapes that don't fit, an empty axis, non-finite input.
    Source: Vaswani et al., "Attention Is All You Need" (2017), section 3.2.2.
    """
    X, W_Q, W_K, W_V = _weights("project", X, W_Q, W_K, W_V)
    return _project("project", X, W_Q, W_K, W_V)


def _project(function, X, W_Q, W_K, W_V):
    with np.errstate(over="ignore", invalid="ignore"):
        roles = Projection(X @ W_Q, X @ W_K, X @ W_V)
    validate.no_overflow(function, "projections", *roles)
    return roles


def _weights(function, X, W_Q, W_K, W_V):
    names = ["X", "W_Q", "W_K", "W_V"]
    given = [X, W_Q, W_K, W_V]
    arrays = [as_float64(function, name, x) for name, x in zip(names, given, strict=True)]
    validate.projections(function, *arrays)
    return arrays


def read(X, W_Q, W_K, W_V, *, mask=None, scale=None):
    """Let a sequence read itself: project X, then attend.

    X (..., n, d_model), the matrices as in `project`, mask and scale as in `attention`.

    Returns a Read with .scores and .weights (..., n, n) and .output (..., n, d_v).
    Errors: as in `project` and `attention`.
    """
    X, W_Q, W_K, W_V = _weights("read", X, W_Q, W_K, W_V)
    roles = _project("read", X, W_Q, W_K, W_V)
    Q, K, V, mask, scale = _inputs("read", *roles, mask, scale)
    return _attention("read", Q, K, V, mask, scale)


def read_backward(X, W_Q, W_K, W_V, grad_output, *, mask=None, scale=None):
    """Return the gradient of a loss for X, W_Q, W_K and W_V when X reads itself, by hand.

    grad_output (..., n, d_v) is the loss's gradient for the output of `read`. Each matrix
    adds up the pulls of all positions (and of all leading axes): ∇W_Q = Xᵀ∇Q and so on.
    X is reached along three paths: ∇X = ∇Q W_Qᵀ + ∇K W_Kᵀ + ∇V W_Vᵀ.

    Returns .X .W_Q .W_K .W_V in the shapes given. Errors: as in `read` and
    `attention_backward`.
    """
    X, W_Q, W_K, W_V = _weights("read_backward", X, W_Q, W_K, W_V)
    Q, K, V = _project("read_backward", X, W_Q, W_K, W_V)
    grad = _backward("read_backward", Q, K, V, grad_output, mask, scale)

    def outer(dY):  # Xᵀ dY, added up over every leading axis: (d_model, d)
        return X.reshape(-1, X.shape[-1]).T @ dY.reshape(-1, dY.shape[-1])

    with np.errstate(over="ignore", invalid="ignore"):
        dX = grad.Q @ W_Q.T + grad.K @ W_K.T + grad.V @ W_V.T
        grads = ReadGradient(dX, outer(grad.Q), outer(grad.K), outer(grad.V))
    validate.no_overflow("read_backward", "gradients", *grads)
    return grads
