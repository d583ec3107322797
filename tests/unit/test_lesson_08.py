"""Lesson 08: its checkers on answers of many kinds, and its claims held to the reference."""

import math

import numpy as np
import pytest

import qkv
from qkv import checks, tiny_reader
from qkv.checks import soft
from qkv.questions import question

torch = pytest.importorskip("torch")

running = qkv.inputs()["running"]
X, W_Q, W_K, W_V, G = (running[name] for name in ("X", "W_Q", "W_K", "W_V", "G"))
Q, K, V = X @ W_Q, X @ W_K, X @ W_V
read = qkv.attention(Q, K, V)


def test_mistakes_of_the_curriculum_are_there():
    assert set(checks.mistakes("08.attention_backward")) >= {
        "forgets-output", "forgets-scale", "no-sum-over-readers", "blocked-entries", "value-path",
    }  # fmt: skip


# ---------------------------------------------------------------- 08.attention_backward


def weights_of(Q, K, mask=None):
    scores = Q @ K.T / np.sqrt(K.shape[-1])
    return qkv.softmax(scores if mask is None else np.where(mask, scores, -np.inf))


def with_jacobians(Q, K, V, grad_output):
    """Row by row, through the Jacobian of softmax; a dict comes back."""
    dQ, dK, dV = np.zeros(Q.shape), np.zeros(K.shape), np.zeros(V.shape)
    for q, g, dq in zip(Q, grad_output, dQ, strict=True):
        a = qkv.softmax(K @ q / np.sqrt(len(q)))
        pull = (np.diag(a) - np.outer(a, a)) @ (V @ g)
        dq += pull @ K / np.sqrt(len(q))
        dK += np.outer(pull, q) / np.sqrt(len(q))
        dV += np.outer(a, g)
    return {"Q": dQ, "K": dK, "V": dV}


def plain_loops(Q, K, V, grad_output):
    """Nested lists in, nested lists out."""
    dQ, dK, dV = ([[0.0] * len(M[0]) for _ in M] for M in (Q, K, V))
    root = math.sqrt(len(K[0]))
    for i, q in enumerate(Q):
        g = grad_output[i]
        exp = [math.exp(sum(a * b for a, b in zip(q, k, strict=True)) / root) for k in K]
        a = [x / sum(exp) for x in exp]
        along = [sum(x * y for x, y in zip(g, v, strict=True)) for v in V]
        mean = sum(x * y for x, y in zip(a, along, strict=True))
        for j, k in enumerate(K):
            pull = a[j] * (along[j] - mean)
            for r in range(len(q)):
                dQ[i][r] += pull * k[r] / root
                dK[j][r] += pull * q[r] / root
            for c in range(len(g)):
                dV[j][c] += a[j] * g[c]
    return dQ, dK, dV


def by_autograd(Q, K, V, grad_output, mask=None):
    Q, K, V = (torch.as_tensor(x).detach().requires_grad_() for x in (Q, K, V))
    scores = Q @ K.mT / K.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~torch.as_tensor(mask), -torch.inf)
    (torch.softmax(scores, -1) @ V).backward(torch.as_tensor(grad_output))
    return Q.grad, K.grad, V.grad


def by_sdpa(Q, K, V, grad_output):
    return torch.func.vjp(torch.nn.functional.scaled_dot_product_attention, Q, K, V)[1](grad_output)


def by_differences(Q, K, V, grad_output, mask=None):
    found = []
    for p, M in enumerate((Q, K, V)):
        gradient = np.zeros(M.shape)
        for at in np.ndindex(M.shape):
            moved = [[x.copy() for x in (Q, K, V)] for _ in range(2)]
            moved[0][p][at] += 1e-5
            moved[1][p][at] -= 1e-5
            up, down = ((grad_output * qkv.attention(*m, mask=mask).output).sum() for m in moved)
            gradient[at] = (up - down) / 2e-5
        found.append(gradient)
    return found


def with_zeroed_pulls(Q, K, V, grad_output, mask=None):
    """Softmax over all, zeroed and renormalised: the same read, so the same gradients."""
    A = weights_of(Q, K)
    if mask is not None:
        A = A * mask / (A * mask).sum(-1, keepdims=True)
    E = A * ((grad_output @ V.T) - (grad_output * (A @ V)).sum(-1)[:, None])
    d = np.sqrt(K.shape[1])
    return E @ K / d, np.einsum("ij,ir->jr", E, Q) / d, np.einsum("ij,ic->jc", A, grad_output)


@pytest.mark.parametrize(
    "answer",
    [
        qkv.attention_backward, qkv.torch.attention_backward, with_jacobians, plain_loops,
        by_autograd, by_sdpa, by_differences, with_zeroed_pulls,
        lambda *given: qkv.attention_backward(*given)[:3],
    ],
)  # fmt: skip
def test_attention_backward_accepts(answer):
    verdict = qkv.check("08.attention_backward", answer)
    assert verdict.ok, verdict.message


def test_an_answer_without_a_mask_is_told_to_take_one():
    assert "mask" in qkv.check("08.attention_backward", plain_loops).message
    assert "mask" not in qkv.check("08.attention_backward", by_autograd).message


def no_mean(Q, K, V, grad_output):
    pull = torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, -1) * (grad_output @ V.mT)
    root = K.shape[-1] ** 0.5
    A = torch.softmax(Q @ K.mT / root, -1)
    return pull @ K / root, pull.mT @ Q / root, A.mT @ grad_output


def last_reader_wins(Q, K, V, grad_output):
    gradients = qkv.attention_backward(Q, K, V, grad_output)
    dK = np.zeros(K.shape)
    for i, pull in enumerate(gradients.scores):
        dK = np.outer(pull, Q[i]) / np.sqrt(K.shape[1])  # = where += is wanted
    return gradients.Q, dK, gradients.V


def zeroes_after_softmax(Q, K, V, grad_output, mask=None):
    """The forward pass is masked, the backward pass uses the unmasked weights."""
    A, full = weights_of(Q, K, mask), weights_of(Q, K)
    E = full * (grad_output @ V.T - (grad_output * (A @ V)).sum(-1, keepdims=True))
    root = np.sqrt(K.shape[1])
    return E @ K / root, E.T @ Q / root, A.T @ grad_output


def scores_alone(Q, K, V, grad_output, mask=None):
    dQ, dK, _ = by_autograd(Q, K, V, grad_output, mask)
    return dQ, dK, torch.zeros(V.shape, dtype=torch.float64)


def no_scale(Q, K, V, grad_output):
    dQ, dK, dV = qkv.attention_backward(Q, K, V, grad_output)[:3]
    return dQ * np.sqrt(K.shape[1]), dK * np.sqrt(K.shape[1]), dV


def changes_input(Q, K, V, grad_output):
    Q /= np.sqrt(K.shape[1])
    return qkv.attention_backward(Q, K, V, grad_output, scale=1)[:3]


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        (no_mean, "forgets-output"),
        (last_reader_wins, "no-sum-over-readers"),
        (zeroes_after_softmax, "blocked-entries"),
        (scores_alone, "value-path"),
        (no_scale, "forgets-scale"),
        (changes_input, None),
        (lambda Q, K, V, grad_output: (Q, K), None),
        (lambda Q, K, V, grad_output: None, None),
        (lambda Q, K, V, grad_output: (Q * np.nan, K, V), None),
        (lambda Q, K, V, grad_output: (Q.T, K.T, V.T), None),
        (lambda Q, K, V, grad_output: (Q, K, V), None),
        (lambda Q, K: Q, None),
    ],
)
def test_attention_backward_names_mistakes_in_other_words(answer, name):
    verdict = qkv.check("08.attention_backward", answer)
    assert (verdict.ok, verdict.mistake) == (False, name), verdict.message
    assert verdict.message


# ---------------------------------------------------------------- 08.break


@pytest.mark.parametrize(
    "answer",
    [
        ([0.0, 1.0], [[1, 5], [1, -2]], [1, 0]),
        ([0.3, 0.1, -1.0], [[1, 0], [0, 1], [2, -1]], [3, 3]),
        {"scores": np.zeros(4), "V": np.outer(range(4), [2, 1]), "g": [-1, 2]},
        (torch.zeros(2), torch.tensor([[0.0, 0, 1], [0, 0, -1]]), torch.tensor([1.0, 1, 0])),
    ],
)
def test_break_accepts(answer):
    verdict = qkv.check("08.break", answer)
    assert verdict.ok, verdict.message


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        ((np.ones(3), np.ones((3, 2)), [1, 2]), "equal-values"),
        (([1, 2], [[1, 0], [0, 1]], [0, 0]), "zero-g"),
        (([0, 9], [[1, 5], [1, -2]], [1, 0]), "saturated"),
        (([0, 0], [[1, 2], [-1, 5]], [1, 0]), "balanced-output"),
        (([0], [[1, 2]], [1, 0]), "one-candidate"),
        (([0, 1], [[1, 0], [0, 1]], [1, 0]), None),
        (([0, 1, 2], [[1, 0], [0, 1]], [1, 0]), None),
        (([0, 1], [[1, 0], [0, 1]], [1, 0, 0]), None),
        (([0, 1], [1, 0], [1, 0]), None),
        (([0, np.inf], [[1, 0], [0, 1]], [1, 0]), None),
        ("nothing", None),
    ],
)
def test_break_refuses(answer, name):
    verdict = qkv.check("08.break", answer)
    assert (verdict.ok, verdict.mistake) == (False, name), verdict.message


# ---------------------------------------------------------------- what the lesson says


def test_predictions_are_true():
    pull = qkv.attention_backward(Q, K, V, G).scores[1]
    assert [p < 0 for p in pull] == [False, True, False]
    assert question("08.pull").answer == 1
    a = read.weights[1]
    nudged = qkv.softmax(read.scores[1] + [0, 1e-6, 0])
    lost = a - nudged
    assert lost[2] / lost[0] == pytest.approx(a[2] / a[0], rel=1e-4)
    assert 1.9 < a[2] / a[0] < 2.1
    assert question("08.rivals").answer == 2


def test_pulls_cancel_and_blocked_entries_are_0():
    given = soft(5, 3), soft(5, 3, seed=1), soft(5, 2, seed=2), soft(5, 2, seed=3)
    mask = qkv.causal_mask(5)
    E = qkv.attention_backward(*given, mask=mask).scores
    assert (E[~mask] == 0).all() and (E[0] == 0).all()
    np.testing.assert_allclose(E.sum(-1), 0, atol=1e-14)


def test_an_output_lies_between_a_value_and_its_rivals_mixture():
    rivals = np.delete(read.weights[1], 1)
    r = rivals / rivals.sum() @ np.delete(V, 1, axis=0)
    for nudge in (-3, 0, 3):
        a = qkv.softmax(read.scores[1] + [0, nudge, 0])
        np.testing.assert_allclose(a @ V, a[1] * V[1] + (1 - a[1]) * r, atol=1e-14)


def test_before_training_the_right_card_is_pulled_up_on_average():
    matrices, batch = tiny_reader.start(0), tiny_reader.draw_cards(5, 2000)
    Q, K, V, _ = tiny_reader.forward(matrices, batch.X)
    p = qkv.softmax(qkv.attention(Q, K, V).output[:, 0])
    g = p - np.eye(tiny_reader.VALUES)[batch.answer]
    E = qkv.attention_backward(Q, K, V, g[:, None]).scores[:, 0]
    right = E[np.arange(len(E)), batch.right]
    others = np.delete(E.mean(0), -1).mean()
    assert right.mean() < others - 5 * right.std() / len(E) ** 0.5
