"""The PyTorch twins: equal to NumPy, inside autograd, in the dtype and on the device given."""

import numpy as np
import pytest
import torch

import qkv
import qkv.torch

rng = np.random.default_rng(7)
SHAPES = {"Q": (2, 3, 4, 5), "K": (2, 3, 6, 5), "V": (2, 3, 6, 7)}
Q, K, V = (rng.normal(size=shape) for shape in SHAPES.values())
G = rng.normal(size=(2, 3, 4, 7))
MASK = np.array(rng.random((4, 6)) < 0.5) | (np.arange(6) == 2)
X, W_Q, W_K, W_V = (rng.normal(size=s) for s in [(2, 4, 3), (3, 5), (3, 5), (3, 6)])
A, B = qkv.softmax(rng.normal(size=(3, 4))), qkv.softmax(rng.normal(size=(3, 4)))

CALLS = [
    ("softmax", [Q], {}),
    ("softmax", [Q], {"axis": 1}),
    ("attention", [Q, K, V], {}),
    ("attention", [Q, K, V], {"mask": MASK, "scale": 0.7}),
    ("attention", [Q, K[0], V[:, :1]], {"mask": MASK}),
    ("attention_backward", [Q, K, V, G], {}),
    ("attention_backward", [Q, K[0], V[:, :1], G], {"mask": MASK, "scale": 0.7}),
    ("project", [X, W_Q, W_K, W_V], {}),
    ("read", [X, W_Q, W_K, W_V], {"mask": qkv.causal_mask(4)}),
    ("read_backward", [X, W_Q, W_K, W_V, rng.normal(size=(2, 4, 6))], {}),
    ("read_backward", [X, W_Q, W_K, W_V, rng.normal(size=(2, 4, 6))], {"mask": qkv.causal_mask(4)}),
    ("match", [X[0], W_Q.T], {}),
    ("retrieve", [[1, 1, 0], np.eye(3), W_V], {}),
    ("soft_retrieve", [X[0], W_Q.T, V[0, 0, :5]], {"temperature": 0.5}),
    ("additive_scores", [X, V[0, :2, :5, :2], W_Q, G[0, 0, :2, :5], Q[0, 0, 0]], {}),
    ("additive_scores", [X, X, W_Q, W_K, Q[0, 0, 0]], {"tanh": False}),
    ("entropy", [A], {}),
    ("entropy", [[[1, 0], [0.5, 0.5]]], {}),
    ("kl", [A, B], {}),
    ("kl", [[[1, 0], [0.5, 0.5]], [[0.5, 0.5], [1, 0]]], {}),
    ("objective", [A, Q[0, 0, :3, :4]], {"temperature": 2.0}),
]  # fmt: skip


def both(name, args, kwargs, dtype=torch.float64):
    twin = [torch.tensor(x, dtype=dtype) for x in args]
    given = {k: torch.as_tensor(v) if k == "mask" else v for k, v in kwargs.items()}
    a, b = getattr(qkv, name)(*args, **kwargs), getattr(qkv.torch, name)(*twin, **given)
    return (a, b) if isinstance(a, tuple) else ((a,), (b,))


@pytest.mark.parametrize("name, args, kwargs", CALLS)
def test_twins_agree(name, args, kwargs):
    for a, b in zip(*both(name, args, kwargs), strict=True):
        assert b.dtype == torch.float64 and tuple(b.shape) == np.shape(a)
        np.testing.assert_allclose(b.numpy(), a, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name, args, kwargs", CALLS)
def test_float32_stays_float32(name, args, kwargs):
    for a, b in zip(*both(name, args, kwargs, torch.float32), strict=True):
        assert b.dtype == torch.float32
        np.testing.assert_allclose(b.numpy(), a, rtol=2e-4, atol=2e-5)


def test_every_twin_is_called():
    names = {n for n in vars(qkv.torch) if callable(getattr(qkv, n, None)) and n[0] != "_"}
    assert names - {"causal_mask"} == {name for name, _, _ in CALLS}


def test_causal_masks_agree():
    mask = qkv.torch.causal_mask(5)
    assert mask.dtype == torch.bool
    np.testing.assert_array_equal(mask.numpy(), qkv.causal_mask(5))
    assert qkv.torch.causal_mask(5, device="meta").device.type == "meta"


@pytest.mark.parametrize("mask", [None, MASK])
def test_hand_gradients_equal_autograd(mask):
    given = [torch.tensor(x, requires_grad=True) for x in (Q, K[0], V[:, :1])]
    read = qkv.torch.attention(*given, mask=None if mask is None else torch.as_tensor(mask))
    read.scores.retain_grad()
    read.output.backward(torch.tensor(G))
    hand = qkv.attention_backward(Q, K[0], V[:, :1], G, mask=mask)
    for tensor, grad in zip(given, hand[:3], strict=True):
        np.testing.assert_allclose(grad, tensor.grad.numpy(), rtol=0, atol=1e-10)
    np.testing.assert_allclose(hand.scores, read.scores.grad.numpy(), rtol=0, atol=1e-10)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("masked", [False, True])
def test_hand_read_gradients_equal_autograd(masked, seed):
    random = np.random.default_rng(seed)
    n, d, d_k, d_v = random.integers(1, 7, size=4)
    shapes = [(2, n, d), (d, d_k), (d, d_k), (d, d_v)]
    arrays, G = [random.normal(size=s) for s in shapes], random.normal(size=(2, n, d_v))
    mask = qkv.causal_mask(n) if masked else None
    tensors = [torch.tensor(x, requires_grad=True) for x in arrays]
    qkv.torch.read(*tensors, mask=mask).output.backward(torch.tensor(G))
    for tensor, grad in zip(tensors, qkv.read_backward(*arrays, G, mask=mask), strict=True):
        np.testing.assert_allclose(grad, tensor.grad.numpy(), rtol=0, atol=1e-10)


def test_a_learnt_scale_gets_its_gradient():
    scale = torch.tensor(0.5, dtype=torch.float64, requires_grad=True)
    qkv.torch.attention(*map(torch.tensor, (Q, K, V)), scale=scale).output.sum().backward()
    assert scale.grad is not None and scale.grad.abs() > 0


def test_hand_gradients_can_be_differentiated_again():
    q = torch.tensor(Q, requires_grad=True)
    grad = qkv.torch.attention_backward(q, *map(torch.tensor, (K, V, G)))
    assert grad.Q.requires_grad and torch.autograd.grad(grad.Q.sum(), q)[0].isfinite().all()


def test_no_nan_reaches_autograd_through_blocked_entries():
    q = torch.tensor(Q, requires_grad=True)
    read = qkv.torch.attention(q, torch.tensor(K), torch.tensor(V), mask=torch.as_tensor(MASK))
    (grad,) = torch.autograd.grad(read.output.square().sum(), q)
    assert grad.isfinite().all()


def test_equals_scaled_dot_product_attention():
    for mask in (None, torch.as_tensor(MASK)):
        given = list(map(torch.tensor, (Q, K, V)))
        ours = qkv.torch.attention(*given, mask=mask).output
        theirs = torch.nn.functional.scaled_dot_product_attention(*given, attn_mask=mask)
        torch.testing.assert_close(ours, theirs, rtol=1e-12, atol=1e-12)


def test_lists_and_integers_are_accepted():
    read = qkv.torch.attention([[1, 0]], torch.tensor([[1, 1], [0, 1]]), [[2], [0]])
    assert read.output.dtype == torch.float64
    mixed = qkv.torch.attention(torch.ones(1, 2), [[1, 1], [0, 1]], torch.tensor([[2], [0]]))
    assert mixed.output.dtype == torch.float32


def test_device_is_kept():
    device = "cuda" if torch.cuda.is_available() else "cpu"
    given = [torch.tensor(x, device=device) for x in (Q, K, V)]
    read = qkv.torch.attention(*given, mask=torch.as_tensor(MASK))
    assert all(x.device.type == device for x in read)
