"""In code: the gradients of Q, K and V."""

import inspect
from dataclasses import replace

import numpy as np

from qkv.attention import attention_backward, softmax
from qkv.checks import CodeExercise, Mistake, Verdict, soft


def backward(Q, K, V, grad_output, mask=None):
    return attention_backward(Q, K, V, grad_output, mask=mask)[:3]


def weights_of(Q, K, mask=None):
    scores = Q @ K.T / np.sqrt(K.shape[-1])
    return softmax(scores if mask is None else np.where(mask, scores, -np.inf))


def from_scores(E, A, Q, K, G, scale=None):
    """The three gradients, once E = ∂L/∂e is there."""
    scale = 1 / np.sqrt(K.shape[-1]) if scale is None else scale
    return E @ K * scale, E.T @ Q * scale, A.T @ G


def wrong(change):
    """A wrong implementation: `change(A, E, Q, K, V, G, mask)` → the three gradients."""

    def implementation(Q, K, V, grad_output, mask=None):
        A = weights_of(Q, K, mask)
        E = A * (grad_output @ V.T - (grad_output * (A @ V)).sum(-1, keepdims=True))
        return change(A, E, Q, K, V, grad_output, mask)

    return implementation


def one_reader(row):
    def change(A, E, Q, K, V, G, mask):
        dQ, _, dV = from_scores(E, A, Q, K, G)
        return dQ, np.outer(E[row], Q[row]) / np.sqrt(K.shape[-1]), dV

    return wrong(change)


@wrong
def mean_over_readers(A, E, Q, K, V, G, mask):
    dQ, dK, dV = from_scores(E, A, Q, K, G)
    return dQ, dK / len(Q), dV


@wrong
def own_reader(A, E, Q, K, V, G, mask):
    dQ, _, dV = from_scores(E, A, Q, K, G)
    own = E.diagonal()[:, None] * Q / np.sqrt(K.shape[-1])
    return dQ, own if own.shape == K.shape else 1 / 0, dV


@wrong
def not_transposed(A, E, Q, K, V, G, mask):
    dQ, _, dV = from_scores(E, A, Q, K, G)
    return dQ, E @ Q / np.sqrt(K.shape[-1]), dV


@wrong
def leaves_out_values(A, E, Q, K, V, G, mask):
    dQ, dK, _ = from_scores(E, A, Q, K, G)
    return dQ, dK, np.zeros(V.shape)


@wrong
def values_without_weights(A, E, Q, K, V, G, mask):
    dQ, dK, _ = from_scores(E, A, Q, K, G)
    return dQ, dK, np.broadcast_to(G.sum(0), V.shape)


@wrong
def values_not_transposed(A, E, Q, K, V, G, mask):
    dQ, dK, _ = from_scores(E, A, Q, K, G)
    return dQ, dK, A @ G


@wrong
def forgets_output(A, E, Q, K, V, G, mask):
    return from_scores(A * (G @ V.T), A, Q, K, G)


@wrong
def forgets_weight(A, E, Q, K, V, G, mask):
    pull = G @ V.T - (G * (A @ V)).sum(-1, keepdims=True)
    return from_scores(pull if mask is None else np.where(mask, pull, 0), A, Q, K, G)


@wrong
def forgets_scale(A, E, Q, K, V, G, mask):
    return from_scores(E, A, Q, K, G, scale=1)


@wrong
def forgets_scale_once(A, E, Q, K, V, G, mask):
    dQ, dK, dV = from_scores(E, A, Q, K, G)
    return dQ, dK * np.sqrt(K.shape[-1]), dV


@wrong
def forgets_scale_of_q(A, E, Q, K, V, G, mask):
    dQ, dK, dV = from_scores(E, A, Q, K, G)
    return dQ * np.sqrt(K.shape[-1]), dK, dV


@wrong
def divides_by_width(A, E, Q, K, V, G, mask):
    return from_scores(E, A, Q, K, G, scale=1 / K.shape[-1])


@wrong
def leaves_out_rivals(A, E, Q, K, V, G, mask):
    return from_scores(A * (1 - A) * (G @ V.T), A, Q, K, G)


@wrong
def blocked_unmasked_weights(A, E, Q, K, V, G, mask):
    full = weights_of(Q, K)
    return from_scores(full * (G @ V.T - (G * (A @ V)).sum(-1, keepdims=True)), A, Q, K, G)


@wrong
def blocked_ignores_mask(A, E, Q, K, V, G, mask):
    return backward(Q, K, V, G)


@wrong
def blocked_as_zero(A, E, Q, K, V, G, mask):
    scores = Q @ K.T / np.sqrt(K.shape[-1])
    A = softmax(scores if mask is None else scores * mask)
    return from_scores(A * (G @ V.T - (G * (A @ V)).sum(-1, keepdims=True)), A, Q, K, G)


@wrong
def masked_late(A, E, Q, K, V, G, mask):
    full = weights_of(Q, K)
    E = full * (G @ V.T - (G * (full @ V)).sum(-1, keepdims=True))
    if mask is not None:
        E, full = np.where(mask, E, 0), np.where(mask, full, 0)
    return from_scores(E, full, Q, K, G)


@wrong
def masked_late_pulls(A, E, Q, K, V, G, mask):
    full = weights_of(Q, K)
    E = full * (G @ V.T - (G * (full @ V)).sum(-1, keepdims=True))
    return from_scores(E if mask is None else np.where(mask, E, 0), full, Q, K, G)


@wrong
def blocked_scores_only(A, E, Q, K, V, G, mask):
    full = weights_of(Q, K)
    pull = full * (G @ V.T - (G * (full @ V)).sum(-1, keepdims=True))
    return from_scores(pull, A, Q, K, G)


@wrong
def other_sign(A, E, Q, K, V, G, mask):
    return tuple(-x for x in from_scores(E, A, Q, K, G))


@wrong
def swaps_queries_and_keys(A, E, Q, K, V, G, mask):
    dQ, dK, dV = from_scores(E, A, Q, K, G)
    return dK, dQ, dV


class BackwardExercise(CodeExercise):
    """Calls an answer that takes a mask with masks as well; any other without."""

    def check(self, answer):
        if not callable(answer) or takes_mask(answer):
            return super().check(answer)
        open_cases = [case for case in self.cases if case[-1] is None]
        verdict = CodeExercise.check(replace(self, cases=open_cases), answer)
        if not verdict.ok:
            return verdict
        note = "Next, take a `mask` as well: blocked scores must get a gradient of exactly 0."
        return Verdict(True, None, f"{verdict.message} {note}")

    def _wanted(self):
        return "a function of (Q, K, V, grad_output) or (Q, K, V, grad_output, mask=None)"

    def _outcome(self, function, case, form):
        return super()._outcome(by_keyword(function), case, form)


def takes_mask(function):
    try:
        return "mask" in inspect.signature(function).parameters
    except (TypeError, ValueError):
        return False


def by_keyword(function):
    def call(Q, K, V, grad_output, mask):
        if mask is None:
            return function(Q, K, V, grad_output)
        return function(Q, K, V, grad_output, mask=mask)

    return call


def case(n_q, n_kv, d_k, d_v, seed, mask=None):
    Q, K, V = (
        soft(n_q, d_k, seed=seed),
        soft(n_kv, d_k, seed=seed + 1),
        soft(n_kv, d_v, seed=seed + 2),
    )
    return Q, K, V, soft(n_q, d_v, seed=seed + 3), mask


BACKWARD = BackwardExercise(
    args=("Q", "K", "V", "grad_output", "mask"),
    parts=("Q", "K", "V"),
    reference=backward,
    cases=[
        case(4, 5, 3, 2, seed=0),
        case(2, 3, 5, 4, seed=10),
        case(4, 4, 3, 2, seed=20),
        case(3, 5, 2, 4, seed=30, mask=np.tri(3, 5, 2, dtype=bool)),
        case(4, 4, 2, 3, seed=40, mask=np.tri(4, dtype=bool)),
    ],
    right="Right: three gradients from one pass back.",
    mistakes={
        "forgets-output": Mistake(
            forgets_output,
            "Your ∂L/∂e is a·g·v. Take o away first: raising one score lowers the other "
            "weights, and that is the −o in g·(v_j − o).",
        ),
        "forgets-weight": Mistake(
            forgets_weight,
            "Your ∂L/∂e lacks the factor a_ij: it is a_ij g_i·(v_j − o_i).",
        ),
        "forgets-scale": Mistake(
            forgets_scale,
            "The scores are q·k/√d_k, so the gradients of Q and of K each carry 1/√d_k, once.",
            forgets_scale_once,
            forgets_scale_of_q,
            divides_by_width,
        ),
        "rivals-left-out": Mistake(
            leaves_out_rivals,
            "You used the diagonal of the Jacobian alone: a_m of the rivals falls when e_j rises, "
            "and together they give a_j g·(v_j − o).",
        ),
        "no-sum-over-readers": Mistake(
            one_reader(0),
            "A key is read by every reader: ∇k_j is a sum over all i, in matrices EᵀQ/√d_k.",
            one_reader(-1),
            mean_over_readers,
            own_reader,
        ),
        "not-transposed": Mistake(
            not_transposed,
            "Keys and values belong to columns, so the matrix of pulls or weights is "
            "transposed on the way to them: EᵀQ/√d_k and AᵀG.",
            values_not_transposed,
        ),
        "blocked-entries": Mistake(
            blocked_unmasked_weights,
            "With a mask, blocked entries get a gradient in your function. Their weight is 0, "
            "so ∂L/∂e is exactly 0 there.",
            blocked_ignores_mask,
            blocked_scores_only,
            blocked_as_zero,
        ),
        "masked-late": Mistake(
            masked_late,
            "You set blocked entries to 0 after the softmax: the open weights then still share "
            "their row with the blocked ones. Put −∞ into the scores.",
            masked_late_pulls,
        ),
        "value-path": Mistake(
            leaves_out_values,
            "The path through V is missing: o_i also depends on v_j directly, and ∇V = AᵀG.",
            values_without_weights,
        ),
        "sign": Mistake(
            other_sign,
            "All signs are turned: return the gradient, not the step that a descent would take.",
        ),
        "q-and-k": Mistake(
            swaps_queries_and_keys,
            "You returned the gradient of K where Q's is wanted, and the other way round.",
        ),
    },
)
