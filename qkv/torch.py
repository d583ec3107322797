"""The PyTorch twins: same names, same checks, same sentences as the NumPy reference.

Tensors keep their dtype, their device and their place in autograd's graph. Lists, arrays and
integers follow the floating-point tensors they come with, or become float64 on the CPU.
"""

import math

import torch

from qkv import validate
from qkv.attention import AttentionGradient, Projection, Read, ReadGradient


def _tensors(function, **given):
    """Return the arguments as tensors of one floating-point dtype on one device."""
    tensors = [x for x in given.values() if isinstance(x, torch.Tensor)]
    floats = [x for x in tensors if x.is_floating_point()]
    dtypes = sorted({validate.dtype_name(x) for x in floats})
    if len(dtypes) > 1:
        validate.fail(function, f"one dtype for {', '.join(given)}", " and ".join(dtypes))
    devices = sorted({str(x.device) for x in tensors})
    if len(devices) > 1:
        validate.fail(function, f"one device for {', '.join(given)}", " and ".join(devices))
    dtype = floats[0].dtype if floats else torch.float64
    device = tensors[0].device if tensors else None
    result = []
    for name, x in given.items():
        if not isinstance(x, torch.Tensor):
            x = torch.as_tensor(validate.as_float64(function, name, x))
        else:
            validate.readable_tensor(function, f"{name} as an array of real numbers", x)
        result.append(x.to(device=device, dtype=dtype))
    return result


def _number(function, name, x, positive=False):
    """Return one finite number: a tensor stays one, without axes, so it can get its gradient."""
    value = validate.number(function, name, x, positive)
    return x.reshape(()) if isinstance(x, torch.Tensor) else value


def softmax(scores, axis=-1):
    """Turn scores into weights: positive, sum 1 along `axis`. See `qkv.softmax`."""
    (scores,) = _tensors("softmax", scores=scores)
    validate.scores("softmax", scores, axis)
    return torch.softmax(scores, axis)


def causal_mask(n, device=None):
    """Return the boolean mask (n, n): row i may read columns j ≤ i. See `qkv.causal_mask`."""
    n = validate.whole_number("causal_mask", "n", n)
    return torch.ones(n, n, dtype=torch.bool, device=device).tril()


def attention(Q, K, V, *, mask=None, scale=None):
    """Let every row of Q read the rows of V. See `qkv.attention`.

    scale may be a tensor of one number, which then gets its gradient.
    """
    Q, K, V = _tensors("attention", Q=Q, K=K, V=V)
    Q, K, V, mask, scale = _inputs("attention", Q, K, V, mask, scale)
    return _attention("attention", Q, K, V, mask, scale)


def _inputs(function, Q, K, V, mask, scale, grad_output=None):
    if mask is not None:
        if not isinstance(mask, torch.Tensor):
            mask = torch.as_tensor(validate.as_mask(function, mask))
        validate.boolean(function, mask)
        validate.readable_tensor(function, validate.MASK, mask)
        mask = mask.to(Q.device)
    lead = validate.attention(function, Q, K, V, mask, scale, grad_output)
    Q, K, V = (x.expand(*lead, *x.shape[-2:]) for x in (Q, K, V))
    given = scale is not None
    scale = _number(function, "scale", scale) if given else 1 / math.sqrt(Q.shape[-1])
    return Q, K, V, mask, scale


def _attention(function, Q, K, V, mask, scale):
    scores = Q @ K.mT * scale  # (..., n_q, n_kv)
    validate.no_overflow(function, "scores", scores)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, -1)  # each row on its own
    return Read(scores, weights, weights @ V)  # output (..., n_q, d_v)


def attention_backward(Q, K, V, grad_output, *, mask=None, scale=None):
    """Return the gradient for Q, K, V and the scores, by hand. See `qkv.attention_backward`."""
    function = "attention_backward"
    Q, K, V, G = _tensors(function, Q=Q, K=K, V=V, grad_output=grad_output)
    return _backward(function, Q, K, V, G, mask, scale)


def _backward(function, Q, K, V, G, mask, scale):
    shapes = [x.shape for x in (Q, K, V)]
    Q, K, V, mask, scale = _inputs(function, Q, K, V, mask, scale, G)
    _, A, O = _attention(function, Q, K, V, mask, scale)

    pull = G @ V.mT - (G * O).sum(-1, keepdim=True)  # g_i·(v_j − o_i)
    E = A * pull  # (..., n_q, n_kv)
    if mask is not None:
        E = E.masked_fill(~mask, 0.0)
    grads = (E @ K * scale, E.mT @ Q * scale, A.mT @ G)
    grads = [grad.sum_to_size(shape) for grad, shape in zip(grads, shapes, strict=True)]
    validate.no_overflow(function, "gradients", *grads, E)
    return AttentionGradient(*grads, E)


def project(X, W_Q, W_K, W_V):
    """Give every row of X three roles. See `qkv.project`."""
    X, W_Q, W_K, W_V = _weights("project", X, W_Q, W_K, W_V)
    return _project("project", X, W_Q, W_K, W_V)


def _project(function, X, W_Q, W_K, W_V):
    roles = Projection(X @ W_Q, X @ W_K, X @ W_V)
    validate.no_overflow(function, "projections", *roles)
    return roles


def _weights(function, X, W_Q, W_K, W_V, **more):
    arrays = _tensors(function, X=X, W_Q=W_Q, W_K=W_K, W_V=W_V, **more)
    validate.projections(function, *arrays[:4])
    return arrays


def read(X, W_Q, W_K, W_V, *, mask=None, scale=None):
    """Let a sequence read itself: project X, then attend. See `qkv.read`."""
    X, W_Q, W_K, W_V = _weights("read", X, W_Q, W_K, W_V)
    roles = _project("read", X, W_Q, W_K, W_V)
    Q, K, V, mask, scale = _inputs("read", *roles, mask, scale)
    return _attention("read", Q, K, V, mask, scale)


def read_backward(X, W_Q, W_K, W_V, grad_output, *, mask=None, scale=None):
    """Return the gradient for X, W_Q, W_K and W_V, by hand. See `qkv.read_backward`."""
    function = "read_backward"
    X, W_Q, W_K, W_V, G = _weights(function, X, W_Q, W_K, W_V, grad_output=grad_output)
    grad = _backward(function, *_project(function, X, W_Q, W_K, W_V), G, mask, scale)

    def outer(dY):  # Xᵀ dY, added up over every leading axis: (d_model, d)
        return X.reshape(-1, X.shape[-1]).mT @ dY.reshape(-1, dY.shape[-1])

    dX = grad.Q @ W_Q.mT + grad.K @ W_K.mT + grad.V @ W_V.mT
    grads = ReadGradient(dX, outer(grad.Q), outer(grad.K), outer(grad.V))
    validate.no_overflow(function, "gradients", *grads)
    return grads


def match(request, keys):
    """Count the tags that a request shares with each card. See `qkv.match`."""
    request, keys = _tensors("match", request=request, keys=keys)
    validate.cards("match", request, keys)
    return _match("match", request, keys)


def _match(function, request, keys):
    raw = request @ keys.mT  # (..., n_kv)
    validate.no_overflow(function, "matches", raw)
    return raw


def retrieve(request, keys, values):
    """Return the value of the card that matches best; ties share. See `qkv.retrieve`."""
    request, keys, values = _tensors("retrieve", request=request, keys=keys, values=values)
    validate.cards("retrieve", request, keys, values)
    raw = _match("retrieve", request, keys)
    best = (raw == raw.amax(-1, keepdim=True)).to(raw.dtype)
    return best / best.sum(-1, keepdim=True) @ values  # (..., d_v)


def soft_retrieve(request, keys, values, temperature=1.0):
    """Return a mixture of all values, weighted by their match. See `qkv.soft_retrieve`."""
    request, keys, values = _tensors("soft_retrieve", request=request, keys=keys, values=values)
    validate.cards("soft_retrieve", request, keys, values)
    temperature = _number("soft_retrieve", "temperature", temperature, positive=True)
    raw = _match("soft_retrieve", request, keys)
    best = raw.amax(-1, keepdim=True)  # subtracted before the division: no overflow
    return torch.softmax((raw - best) / temperature, -1) @ values


def additive_scores(Q, K, W_q, W_k, w, *, tanh=True):
    """Score each pair by a small network. See `qkv.additive_scores`."""
    given = _tensors("additive_scores", Q=Q, K=K, W_q=W_q, W_k=W_k, w=w)
    validate.additive("additive_scores", *given)
    Q, K, W_q, W_k, w = given
    hidden = (Q @ W_q)[..., :, None, :] + (K @ W_k)[..., None, :, :]  # (..., n_q, n_kv, d)
    scores = (torch.tanh(hidden) if tanh else hidden) @ w
    validate.no_overflow("additive_scores", "scores", hidden, scores)
    return scores


def entropy(weights, axis=-1):
    """Return H(a) = −Σ a log a along `axis`, in nats. See `qkv.entropy`."""
    (a,) = _tensors("entropy", weights=weights)
    validate.distribution("entropy", "weights", a, axis)
    return torch.special.entr(a).sum(axis)


def kl(a, b, axis=-1):
    """Return KL(a‖b) = Σ a log(a/b) along `axis`, in nats. See `qkv.kl`."""
    a, b = _tensors("kl", a=a, b=b)
    validate.distribution("kl", "a", a, axis)
    validate.distribution("kl", "b", b, axis)
    validate.fit("kl", a=a, b=b)
    return (torch.xlogy(a, a) - torch.xlogy(a, b)).sum(axis)


def objective(weights, scores, temperature=1.0, axis=-1):
    """Return Σ a_j e_j + T·H(a) along `axis`. See `qkv.objective`."""
    a, e = _tensors("objective", weights=weights, scores=scores)
    validate.distribution("objective", "weights", a, axis)
    validate.finite("objective", scores=e)
    validate.fit("objective", weights=a, scores=e)
    temperature = _number("objective", "temperature", temperature, positive=True)
    result = (a * e).sum(axis) + temperature * torch.special.entr(a).sum(axis)
    validate.no_overflow("objective", "a result", result)
    return result
