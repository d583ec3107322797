"""Other scores, and what softmax maximises."""

import numpy as np

from qkv import validate
from qkv.validate import as_float64


def additive_scores(Q, K, W_q, W_k, w, *, tanh=True):
    """Score each pair by a small network: e_ij = wᵀ tanh(W_qᵀ q_i + W_kᵀ k_j).

    Q (..., n_q, d_q), K (..., n_kv, d_key), W_q (d_q, d), W_k (d_key, d), w (d,) → scores
    (..., n_q, n_kv). Queries and keys may differ in width. With tanh=False the request adds
    the same number to every score of its row, which softmax ignores.

    Errors: ValueError for shapes that don't fit, an empty axis, non-finite input.
    Source: Bahdanau, Cho, Bengio, "Neural Machine Translation by Jointly Learning to Align
    and Translate" (ICLR 2015), appendix A.1.2.
    """
    given = {"Q": Q, "K": K, "W_q": W_q, "W_k": W_k, "w": w}
    given = {name: as_float64("additive_scores", name, x) for name, x in given.items()}
    validate.additive("additive_scores", **given)
    Q, K, W_q, W_k, w = given.values()
    with np.errstate(over="ignore", invalid="ignore"):  # no_overflow speaks instead
        hidden = (Q @ W_q)[..., :, None, :] + (K @ W_k)[..., None, :, :]  # (..., n_q, n_kv, d)
        scores = (np.tanh(hidden) if tanh else hidden) @ w
    validate.no_overflow("additive_scores", "scores", hidden, scores)
    return scores


def entropy(weights, axis=-1):
    """Return H(a) = −Σ a log a along `axis`, in nats, with 0 log 0 = 0.

    0 when one position has all the weight; log n when n positions share it equally.

    Errors: ValueError unless the weights are ≥ 0 and sum to 1 (to 1e-6).
    Source: Shannon, "A Mathematical Theory of Communication" (1948), section 6.
    """
    a = as_float64("entropy", "weights", weights)
    validate.distribution("entropy", "weights", a, axis)
    return -(a * _log(a)).sum(axis) + 0.0  # + 0.0: never −0


def kl(a, b, axis=-1):
    """Return KL(a‖b) = Σ a log(a/b) along `axis`, in nats: 0 where a = b, else positive.

    ∞ where a puts weight on a position to which b gives none. a and b broadcast.

    Errors: ValueError unless both are ≥ 0 and sum to 1 (to 1e-6), or if their shapes don't fit.
    Source: Kullback, Leibler, "On Information and Sufficiency" (1951).
    """
    a, b = as_float64("kl", "a", a), as_float64("kl", "b", b)
    validate.distribution("kl", "a", a, axis)
    validate.distribution("kl", "b", b, axis)
    validate.fit("kl", a=a, b=b)
    terms = a * (_log(a) - _log(b))
    return np.where((a > 0) & (b == 0), np.inf, terms).sum(axis)


def objective(weights, scores, temperature=1.0, axis=-1):
    """Return Σ a_j e_j + T·H(a) along `axis`: what softmax(e/T) maximises over the simplex.

    Any other a loses exactly T·KL(a‖softmax(e/T)). Scores are dimensionless, as is T > 0.

    Errors: ValueError unless the weights are ≥ 0 and sum to 1 (to 1e-6), for non-finite
    scores, a temperature that isn't above 0, or shapes that don't fit.
    Source: Jaynes, "Information Theory and Statistical Mechanics" (1957).
    """
    a, e = as_float64("objective", "weights", weights), as_float64("objective", "scores", scores)
    validate.distribution("objective", "weights", a, axis)
    validate.finite("objective", scores=e)
    validate.fit("objective", weights=a, scores=e)
    temperature = validate.number("objective", "temperature", temperature, positive=True)
    with np.errstate(over="ignore", invalid="ignore"):
        result = (a * e).sum(axis) - temperature * (a * _log(a)).sum(axis)
    validate.no_overflow("objective", "a result", result)
    return result


def _log(a):
    """log a, and 0 where a is 0 (it is only ever multiplied by that 0)."""
    return np.log(np.where(a > 0, a, 1.0))
