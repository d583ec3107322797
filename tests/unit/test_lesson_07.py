"""Lesson 07: its checkers on answers of many kinds, and its claims held to the reference."""

import copy
import math

import numpy as np
import pytest

import qkv
from qkv import checks
from qkv.probes import has_leak, is_permutation_equivariant

torch = pytest.importorskip("torch")
F = torch.nn.functional

CURRICULUM = {
    "07.causal_mask": {"blocks-itself", "blocks-the-past", "inverted", "transposed", "window"},
    "07.causal_attention": {"mask-after-softmax", "zeros-for-infinity", "renormalises-over-all"},
    "07.has_leak": {"last-position-only", "one-direction", "own-row", "nan-passes", "changes-x"},
}


@pytest.mark.parametrize("id", CURRICULUM)
def test_mistakes_of_the_curriculum_are_there(id):
    assert set(checks.mistakes(id)) >= CURRICULUM[id]


# ---------------------------------------------------------------- 07.causal_mask


@pytest.mark.parametrize(
    "answer",
    [
        qkv.causal_mask,
        qkv.torch.causal_mask,
        lambda n: [[j <= i for j in range(n)] for i in range(n)],
        lambda n: np.arange(n) <= np.arange(n)[:, None],
        lambda n: np.tri(n, dtype=bool),
        lambda n: torch.ones(n, n).tril() == 1,
        lambda n: ~np.triu(np.ones((n, n), dtype=bool), 1),
    ],
)
def test_causal_mask_accepts(answer):
    verdict = qkv.check("07.causal_mask", answer)
    assert verdict.ok, verdict.message


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        (lambda n: torch.triu(torch.ones(n, n, dtype=bool), 1), "inverted"),
        (lambda n: [[j >= i for j in range(n)] for i in range(n)], "transposed"),
        (lambda n: [[j < i for j in range(n)] for i in range(n)], "blocks-itself"),
        (lambda n: torch.full((n, n), -torch.inf).triu(1), "additive"),
        (lambda n: [[i - 1 <= j <= i for j in range(n)] for i in range(n)], "window"),
        (lambda n: np.tri(n - 1), None),
        (lambda n: np.tri(n)[None], None),
    ],
)
def test_causal_mask_names_mistakes_in_other_words(answer, name):
    verdict = qkv.check("07.causal_mask", answer)
    assert (verdict.ok, verdict.mistake) == (False, name), verdict.message


# ---------------------------------------------------------------- 07.causal_attention


def prefix_by_prefix(Q, K, V):
    rows = [qkv.attention(Q[i : i + 1], K[: i + 1], V[: i + 1]).output for i in range(len(Q))]
    return np.concatenate(rows)


def plain_loops(Q, K, V):
    output = []
    for i, q in enumerate(Q):
        scores = [sum(a * b for a, b in zip(q, k, strict=True)) for k in K[: i + 1]]
        exp = [math.exp(s / math.sqrt(len(q))) for s in scores]
        mixed = [0.0] * len(V[0])
        for e, v in zip(exp, V[: i + 1], strict=True):
            mixed = [m + e / sum(exp) * x for m, x in zip(mixed, v, strict=True)]
        output.append(mixed)
    return output


def with_infinity(Q, K, V):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    scores[~np.tri(len(Q), dtype=bool)] = -np.inf
    exp = np.exp(scores - scores.max(axis=1, keepdims=True))
    return exp / exp.sum(axis=1, keepdims=True) @ V


def with_a_large_number(Q, K, V):
    scores = Q @ K.T / np.sqrt(Q.shape[1]) + np.where(np.tri(len(Q)), 0, -1e9)
    return qkv.softmax(scores) @ V


def zero_then_renormalise(Q, K, V):
    weights = np.tril(qkv.attention(Q, K, V).weights)
    return weights / weights.sum(axis=1, keepdims=True) @ V


def torch_masked_fill(Q, K, V):
    scores = Q @ K.mT / Q.shape[-1] ** 0.5
    closed = torch.ones_like(scores, dtype=torch.bool).triu(1)
    return scores.masked_fill(closed, -torch.inf).softmax(-1) @ V


@pytest.mark.parametrize(
    "answer",
    [
        prefix_by_prefix, plain_loops, with_infinity, with_a_large_number, zero_then_renormalise,
        torch_masked_fill,
        lambda Q, K, V: F.scaled_dot_product_attention(Q, K, V, is_causal=True),
        lambda Q, K, V: qkv.attention(Q, K, V, mask=qkv.causal_mask(len(Q))),
    ],
)  # fmt: skip
def test_causal_attention_accepts(answer):
    verdict = qkv.check("07.causal_attention", answer)
    assert verdict.ok, verdict.message


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        (lambda Q, K, V: F.scaled_dot_product_attention(Q, K, V), "no-mask"),
        (lambda Q, K, V: F.scaled_dot_product_attention(Q, K, V).tril(), None),
        (lambda Q, K, V: (Q @ K.mT / Q.shape[1] ** 0.5).softmax(-1).tril() @ V,
         "mask-after-softmax"),
        (lambda Q, K, V: (Q @ K.mT / Q.shape[1] ** 0.5).tril().softmax(-1) @ V,
         "zeros-for-infinity"),
        (lambda Q, K, V: F.scaled_dot_product_attention(Q, K, V, is_causal=True, scale=1.0),
         "no-scale"),
    ],
)  # fmt: skip
def test_causal_attention_names_mistakes_in_other_words(answer, name):
    verdict = qkv.check("07.causal_attention", answer)
    assert (verdict.ok, verdict.mistake) == (False, name), verdict.message


# ---------------------------------------------------------------- 07.has_leak


def feature_by_feature(model, X):
    before = model(X)
    assert np.isfinite(before).all(), "NaN or infinity"
    for j in range(1, len(X)):
        for r in range(X.shape[1]):
            changed = X.copy()
            changed[j, r] += 1
            if not np.allclose(model(changed)[:j], before[:j]):
                return True
    return False


def new_rows(model, X):
    rng = np.random.default_rng(0)
    before = np.asarray(model(X))
    if np.isnan(before).any():
        raise ValueError("NaN")
    for j in range(1, len(X)):
        changed = np.vstack([X[:j], rng.normal(size=X[j:].shape)])
        if abs(model(changed)[:j] - before[:j]).max() > 1e-9:
            return True
    return False


def with_tensors(model, X):
    before = model(X)
    if before.isnan().any():
        raise ValueError("NaN")
    for j in range(1, X.shape[0]):
        for r in range(X.shape[1]):
            changed = X.clone()
            changed[j, r] += 0.5
            if not torch.allclose(model(changed)[:j], before[:j]):
                return torch.tensor(True)
    return torch.tensor(False)


def with_lists(model, X):
    if not isinstance(X, list):
        raise TypeError("lists, please")
    before = model(X)
    if any(math.isnan(y) for row in before for y in row):
        raise ValueError("NaN")
    for j in range(1, len(X)):
        for r in range(len(X[0])):
            changed = copy.deepcopy(X)
            changed[j][r] += 1
            rows = zip(model(changed)[:j], before[:j], strict=True)
            if any(abs(y - z) > 1e-9 for new, old in rows for y, z in zip(new, old, strict=True)):
                return True
    return False


def restores_x(model, X):
    before, kept = model(X), X.copy()
    if not np.isfinite(before).all():
        raise ValueError("NaN")
    leaks = False
    for j, r in np.ndindex(X.shape):
        X[j, r] += 1
        leaks = leaks or (j > 0 and abs(model(X)[:j] - before[:j]).max() > 1e-9)
        X[:] = kept
    return leaks


@pytest.mark.parametrize(
    "answer",
    [has_leak, feature_by_feature, new_rows, with_tensors, with_lists, restores_x],
)
def test_has_leak_accepts(answer):
    verdict = qkv.check("07.has_leak", answer)
    assert verdict.ok, verdict.message


def only_the_last(model, X):
    before = model(X)
    changed = X.copy()
    changed[-1] += [0.3, -1.0, 2.0]
    return not np.allclose(model(changed)[:-1], before[:-1], equal_nan=True)


def everything_at_once(model, X):
    before = model(X)
    if np.isnan(before).any():
        raise ValueError("NaN")
    return any(
        not np.allclose(model(np.where(np.arange(len(X))[:, None] == j, X + 1, X))[:j], before[:j])
        for j in range(1, len(X))
    )


def never_copies(model, X):
    before = model(X)
    X[2] = 0
    return not np.allclose(model(X)[:2], before[:2])


def steps(change, rows=lambda j: slice(0, j), moved=lambda gap: gap > 1e-9, fresh=True):
    """A probe in other words: change(row, r) alters a row of its copy in place."""

    def probe(model, X):
        before, copy_ = model(X), X.copy()
        if np.isnan(before).any():
            raise ValueError("NaN")
        for j in range(1, len(X)):
            for r in range(X.shape[1]):
                copy_ = X.copy() if fresh else copy_
                change(copy_[j], r)
                if moved(abs(model(copy_) - before)[rows(j)].max()):
                    return True
        return False

    return probe


def one_feature(row, r):
    row[r] += 1


def last_feature(row, r):
    row[-1] += 1


def to_zero(row, r):
    row[:] = 0


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        (only_the_last, "last-position-only"),
        (steps(last_feature), "one-direction"),
        (steps(to_zero), "one-direction"),
        (steps(one_feature, rows=lambda j: slice(j - 1, j)), "one-row-only"),
        (steps(one_feature, moved=lambda gap: gap != 0), "no-tolerance"),
        (steps(one_feature, fresh=False), "not-restored"),
        (everything_at_once, "one-direction"),
        (never_copies, "changes-x"),
        (lambda model, X: False, None),
        (lambda model, X: True, "own-row"),
        (lambda model, X: model(X), None),
    ],
)
def test_has_leak_names_mistakes_in_other_words(answer, name):
    verdict = qkv.check("07.has_leak", answer)
    assert (verdict.ok, verdict.mistake) == (False, name), verdict.message


# ---------------------------------------------------------------- 07.break


@pytest.mark.parametrize(
    "answer",
    [
        ([[1, 0, 0], [0, 0, 1], [0, 0, 1]], [[0, 1, 0], [0, 1, 0], [0, 0, 1]]),
        ([[1, 1, 0], [1, 1, 1], [1, 1, 1]], [[1, 1, 0], [1, 1, 1], [1, 1, 1]]),
        (np.eye(3, dtype=bool) | np.eye(3, k=1, dtype=bool),) * 2,
        {"first": torch.eye(3) + torch.eye(3).roll(1, 1) * torch.triu(torch.ones(3, 3)),
         "second": np.tri(3, k=1)},
    ],
)  # fmt: skip
def test_break_accepts(answer):
    verdict = qkv.check("07.break", answer)
    assert verdict.ok, verdict.message


def test_break_refuses_what_has_no_name():
    verdict = qkv.check("07.break", ([[1, 1, 0], [1, 1, 0], [1, 1, 1]], np.tri(3)))
    assert (verdict.ok, verdict.mistake) == (False, None)
    assert "does not reach" in verdict.message


# ---------------------------------------------------------------- what the lesson says

running = qkv.inputs()["running"]
X = running["X"]
Q, K, V = (X @ running[name] for name in ("W_Q", "W_K", "W_V"))
mask = qkv.causal_mask(3)
full, causal = qkv.attention(Q, K, V), qkv.attention(Q, K, V, mask=mask)


def stack(*masks):
    def model(X):
        for layer in masks:
            X = qkv.attention(*(X @ running[f"W_{r}"] for r in "QKV"), mask=layer).output
        return X

    return model


def test_running_example():
    np.testing.assert_allclose(causal.weights[:2], [[1, 0, 0], [0.5, 0.5, 0]], atol=1e-12)
    np.testing.assert_allclose(causal.output[:2], [[2, 0], [1, 0.5]], atol=1e-12)
    np.testing.assert_allclose(causal.output[2], full.output[2], rtol=1e-12)
    assert round(np.tril(full.weights)[1].sum(), 6) == 0.496510


@pytest.mark.parametrize("seed", range(5))
def test_zero_then_renormalise_is_mask_then_softmax(seed):
    rng = np.random.default_rng(seed)
    n, d_k, d_v = 3 + seed, 2 + seed, 4
    Q, K, V = (rng.normal(size=(n, d)) for d in (d_k, d_k, d_v))
    weights = np.tril(qkv.attention(Q, K, V).weights)
    weights /= weights.sum(-1, keepdims=True)
    masked = qkv.attention(Q, K, V, mask=qkv.causal_mask(n)).weights
    np.testing.assert_allclose(weights, masked, rtol=0, atol=1e-12)


def test_the_two_layer_leak_and_its_cure():
    assert has_leak(stack(None, mask), X)
    assert has_leak(stack(mask, None), X)
    assert not has_leak(stack(mask, mask), X)


def test_zeroing_after_softmax_leaks():
    def late(X):
        return np.tril(stack_weights(X)) @ (X @ running["W_V"])

    def stack_weights(X):
        return qkv.attention(X @ running["W_Q"], X @ running["W_K"], X @ running["W_V"]).weights

    assert has_leak(late, X)


def test_permutation_equivariance_ends_with_the_mask():
    assert is_permutation_equivariant(stack(None), X)
    assert not is_permutation_equivariant(stack(mask), X)


def test_is_causal_in_both_precisions():
    for dtype, tolerance in [(torch.float64, 1e-12), (torch.float32, 1e-6)]:
        tensors = [torch.as_tensor(M, dtype=dtype) for M in (Q, K, V)]
        found = F.scaled_dot_product_attention(*tensors, is_causal=True)
        assert abs(found.double().numpy() - causal.output).max() < tolerance
