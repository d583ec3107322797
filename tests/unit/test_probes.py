"""The probes: find every kind of leak, pass what has none, refuse what they can't judge."""

import warnings

import numpy as np
import pytest
import torch

import qkv
import qkv.torch
from qkv import draws

RUNNING = qkv.inputs()["running"]
X = draws.normals(5, (5, 3))
W = [draws.normals(6 + i, (3, 3)) for i in range(3)]
causal = qkv.causal_mask(5)


def full(x):
    return qkv.read(x, *W)


def masked(x):
    return qkv.read(x, *W, mask=causal).output


def last_layer_only(x):
    return masked(x + full(x).output)


def both_layers(x):
    return masked(x + masked(x))


def peeks_at_the_last_position(x):
    y = masked(x)
    y[0] += 1e-6 * x[-1, 1]
    return y


def peeks_at_one_feature_of_a_middle_position(x):
    y = masked(x)
    y[1, 0] += x[3, 2]
    return y


def peeks_when_large(x):
    y = masked(x)
    y[0, 0] += max(0.0, x[2, 0] - 5)  # silent for small steps
    return y


def relative_features(x):
    return x - x.mean(-1, keepdims=True) + (x[1:2] - x[1:2].mean())  # blind to equal steps


LEAKS = [
    full, last_layer_only, peeks_at_the_last_position, peeks_when_large, relative_features,
    peeks_at_one_feature_of_a_middle_position,
    lambda x: np.where(causal[..., None], 0, 1).sum(1) * x.sum(),
    lambda x: torch.tensor(x).flip(0),
    lambda x: qkv.torch.read(torch.as_tensor(x), *W).output,
]  # fmt: skip
SAFE = [
    masked, both_layers, np.tanh, lambda x: np.cumsum(x, 0), lambda x: qkv.read(x, *W, mask=causal),
    lambda x: qkv.torch.read(torch.as_tensor(x), *W, mask=causal).output,
]  # fmt: skip


@pytest.mark.parametrize("model", LEAKS)
def test_leaks_are_found(model):
    assert qkv.has_leak(model, X)


@pytest.mark.parametrize("model", SAFE)
def test_no_leak_where_there_is_none(model):
    assert not qkv.has_leak(model, X)


def test_a_leak_in_a_batch_and_from_lists():
    stack = np.stack([X, X + 1])
    assert qkv.has_leak(lambda x: qkv.read(x, *W), stack)
    assert not qkv.has_leak(lambda x: qkv.read(x, *W, mask=causal), stack)
    assert not qkv.has_leak(masked, X.tolist())


@pytest.mark.parametrize("kind", ["module", "closure", "float64 X", "NumPy X"])
@pytest.mark.parametrize("leaky", [True, False])
def test_torch_models_in_float32(kind, leaky):
    layer = torch.nn.Linear(3, 3)

    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = layer

        def forward(self, x):
            y = self.layer(x)
            return y.flip(-2).cumsum(-2) if leaky else y.cumsum(-2)

    model = Model()
    x = torch.tensor(X, dtype=torch.float64 if kind == "float64 X" else torch.float32)
    if kind == "closure":
        assert qkv.has_leak(lambda x: model(x), x) == leaky
    else:
        assert qkv.has_leak(model, X if kind == "NumPy X" else x) == leaky
    assert layer.weight.dtype == torch.float32 and layer.weight.grad is None


def test_x_is_never_altered_even_by_a_model_that_writes_into_it():
    def writes(x):
        x *= 2
        return x

    for probe in (qkv.has_leak, qkv.is_permutation_equivariant):
        for x in (X.copy(), torch.tensor(X)):
            kept = x.tolist()
            probe(writes, x)
            assert x.tolist() == kept


@pytest.mark.parametrize("model", [np.tanh, full, lambda x: x - x.mean(0), lambda x: np.sort(x, 1)])
def test_equivariant_models(model):
    assert qkv.is_permutation_equivariant(model, X)
    assert qkv.is_permutation_equivariant(model, X[:3])


@pytest.mark.parametrize("model", [
    lambda x: qkv.read(x, *W, mask=qkv.causal_mask(len(x))),
    lambda x: x + np.arange(len(x))[:, None],
    lambda x: np.sort(x, 0),  # invariant, not equivariant
    lambda x: np.tile(x.sum(0), (len(x), 1)) + np.eye(len(x), 3),
    lambda x: x.cumsum(0),
    lambda x: np.roll(x, 1, 0),  # passes one rotation, fails an exchange
])  # fmt: skip
def test_models_that_know_the_order(model):
    assert not qkv.is_permutation_equivariant(model, X)
    assert not qkv.is_permutation_equivariant(model, X[:3])


def test_equivariance_of_the_running_example():
    W = [RUNNING[name] for name in ("W_Q", "W_K", "W_V")]
    assert qkv.is_permutation_equivariant(lambda x: qkv.read(x, *W), RUNNING["X"])
    mask = qkv.causal_mask(3)
    assert not qkv.is_permutation_equivariant(lambda x: qkv.read(x, *W, mask=mask), RUNNING["X"])


def nan_for_the_last_row(x):
    return np.where(np.arange(5)[:, None] == 4, np.nan, x)


class Counts:
    calls = 0

    def __call__(self, x):
        self.calls += 1
        return x + self.calls


@pytest.mark.parametrize("probe", [qkv.has_leak, qkv.is_permutation_equivariant])
@pytest.mark.parametrize("model, x, sentence", [
    (lambda x: x + np.random.default_rng().normal(size=x.shape), X, "answers alike twice"),
    (torch.nn.Dropout(0.5), X, "answers alike twice"),
    (Counts(), X, "answers alike twice"),
    (nan_for_the_last_row, X, "finite numbers in the model's output, got nan at index (4, 0)"),
    (lambda x: x.sum(), X, "an output of shape (..., 5, d), a row per position, got shape ()"),
    (lambda x: x[1:], X, "a row per position, got shape (4, 3)"),
    (lambda x: None, X, "the model's output as an array of real numbers, got dtype object"),
    (np.tanh, X[0], "X of shape (..., n, d_model), got shape (3,)"),
    (np.tanh, X[:0], "X with at least 1 entry along every axis, got shape (0, 3)"),
    (np.tanh, X * np.nan, "finite numbers in X, got nan at index (0, 0)"),
])  # fmt: skip
def test_what_cannot_be_judged_is_refused(probe, model, x, sentence):
    with pytest.raises(ValueError) as error:
        probe(model, x)
    assert str(error.value).startswith(f"{probe.__name__}: expected ")
    assert sentence in str(error.value)


def test_nan_that_only_a_changed_input_brings_is_refused():
    with pytest.raises(ValueError, match="finite numbers in the model's output"):
        qkv.has_leak(lambda x: np.where(x > 5, np.nan, x), X)


def test_a_model_that_fills_one_buffer_again_and_again_is_judged_like_any_other():
    buffer = np.zeros_like(X)

    def leaky(x):
        buffer[...] = x + x.sum(0)
        return buffer

    def ordered(x):
        buffer[...] = np.cumsum(x, 0)
        return buffer

    assert qkv.has_leak(leaky, X) and not qkv.has_leak(ordered, X)
    assert qkv.is_permutation_equivariant(leaky, X)
    assert not qkv.is_permutation_equivariant(ordered, X)


def test_vacuous_probes_are_refused():
    with pytest.raises(ValueError, match="has_leak: expected at least 2 positions"):
        qkv.has_leak(np.tanh, X[:1])
    with pytest.raises(ValueError, match="rows of X that differ, got rows that are all equal"):
        qkv.is_permutation_equivariant(np.tanh, np.ones((4, 2)))


def test_a_model_s_own_error_is_shown():
    def broken(x):
        raise TypeError("this model is broken")

    with warnings.catch_warnings(), pytest.raises(TypeError, match="this model is broken"):
        qkv.has_leak(broken, X)
