"""Probes: ask any model what it does, without looking inside.

A model is any callable that takes X (..., n, d_model), positions along the last but one axis,
and returns outputs (..., n, anything) or an object with such an `.output`. It may be made of
NumPy or of torch. A probe hands it copies only and works in float64; a torch module is copied
and turned to float64 first. What refuses float64 gets its own dtype, at a wider tolerance.
"""

import copy
import sys
from itertools import permutations

import numpy as np

from qkv import validate
from qkv.validate import as_float64

TOLERANCE = {"float64": 1e-9, "float32": 1e-4}  # in units of the largest output, or of 1


def has_leak(model, X):
    """Return True if changing a later position changes an earlier output.

    Every position but the first is changed, in several directions: along each feature, and
    along one that moves all features unequally, forwards and backwards, by 1 and by 10. A
    model without a leak is one whose output at i depends on positions j ≤ i alone.

    Errors: ValueError if X isn't finite or has one position only, if two runs on the same X
    differ (dropout, random numbers, memory), or if an output isn't finite or hasn't one row
    per position. X is never altered.
    """
    run, X, tolerance = _steady("has_leak", model, X)
    n, d = X.shape[-2:]
    if n < 2:
        validate.fail("has_leak", "at least 2 positions", f"X of shape {X.shape}")
    before = run(X)
    limit = tolerance * max(1.0, abs(before).max())
    for j in range(1, n):
        for step in _steps(d):
            changed = X.copy()
            changed[..., j, :] += step
            moved = run(changed)[..., :j, :] - before[..., :j, :]
            if abs(moved).max() > limit:
                return True
    return False


def is_permutation_equivariant(model, X):
    """Return True if permuting the rows of X permutes the rows of the output alike, and only that.

    All orders are tried up to n = 4, beyond that the exchanges of neighbours (which generate
    the rest), the reversal and a rotation; on X itself and on X plus a small uneven change.

    Errors: as in `has_leak`, and a ValueError if all rows of X are equal (nothing would move).
    """
    function = "is_permutation_equivariant"
    run, X, tolerance = _steady(function, model, X)
    n = X.shape[-2]
    if not (X != X[..., :1, :]).any():
        validate.fail(function, "rows of X that differ", "rows that are all equal")
    uneven = 0.1 * np.sin(1.0 + np.arange(X.size)).reshape(X.shape)
    for x in (X, X + uneven):
        before = run(x)
        limit = tolerance * max(1.0, abs(before).max())
        for order in _orders(n):
            if abs(run(x[..., order, :]) - before[..., order, :]).max() > limit:
                return False
    return True


def _steps(d):
    """The directions in which one position is moved: (d,) each."""
    uneven = np.sin(1.0 + np.arange(d))  # no two features alike, none 0
    for direction in (uneven, *np.eye(d)):
        for size in (1.0, -1.0, 10.0, -10.0):
            yield size * direction


def _orders(n):
    """Permutations of range(n) as lists, the identity left out."""
    if n <= 4:
        return [list(order) for order in permutations(range(n))][1:]
    swaps = []
    for i in range(n - 1):
        order = list(range(n))
        order[i], order[i + 1] = i + 1, i
        swaps.append(order)
    return [*swaps, list(range(n))[::-1], [*range(1, n), 0]]


def _steady(function, model, X):
    """Return the model as a function from float64 to float64, X as float64, and the tolerance.

    The model has run twice by then: its outputs were finite and alike.
    """
    feeds = _feeds(model, X)
    X = as_float64(function, "X", X)
    if X.ndim < 2:
        validate.fail(function, "X of shape (..., n, d_model)", f"shape {X.shape}")
    validate.not_empty(function, X=X)
    validate.finite(function, X=X)

    feed, tolerance = _first_that_runs(feeds, X)

    def run(x):  # a copy goes in: a model that alters its input alters nothing of ours
        return _output(function, feed(x.copy()), x)

    a, b = run(X), run(X)
    if a.shape != b.shape or abs(a - b).max() > tolerance * max(1.0, abs(a).max()):
        validate.fail(function, "a model that answers alike twice", "two outputs that differ")
    return run, X, tolerance


def _first_that_runs(feeds, X):
    """NumPy or torch, float64 or not: keep the first way to call the model that it takes."""
    errors = []
    for feed, tolerance in feeds:
        try:
            feed(X.copy())
        except (TypeError, AttributeError, RuntimeError) as error:
            errors.append(error)
        else:
            return feed, tolerance
    raise errors[0]


def _feeds(model, X):
    """List ways to call the model with a float64 NumPy array, the likeliest first."""
    torch = sys.modules.get("torch")  # a model made of torch has imported it
    if torch is None:
        return [(model, TOLERANCE["float64"])]
    is_module = isinstance(model, torch.nn.Module)
    exact = copy.deepcopy(model).double() if is_module else model
    held = next(model.parameters(), X) if is_module else X  # what says where and in which dtype
    held = held if isinstance(held, torch.Tensor) else torch.zeros(())

    def tensors(model, dtype):
        def feed(x):
            with torch.no_grad():
                return model(torch.as_tensor(x, dtype=dtype, device=held.device))

        return feed

    own = held.dtype if held.dtype.is_floating_point else torch.float32
    as_numpy = [(model, TOLERANCE["float64"])]
    as_torch = [(tensors(exact, torch.float64), TOLERANCE["float64"])]
    if own != torch.float64:
        as_torch.append((tensors(model, own), TOLERANCE["float32"]))
    likely_torch = is_module or isinstance(X, torch.Tensor)
    return as_torch + as_numpy if likely_torch else as_numpy + as_torch


def _output(function, result, x):
    """Return the model's result as a float64 array of its own, with one row per position."""
    y = as_float64(function, "the model's output", getattr(result, "output", result)).copy()
    if y.ndim < 2 or y.shape[-2] != x.shape[-2]:
        wanted = f"an output of shape (..., {x.shape[-2]}, d), a row per position"
        validate.fail(function, wanted, f"shape {y.shape}")
    validate.finite(function, **{"the model's output": y})
    return y
