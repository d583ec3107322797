"""The one place where arguments are checked.

Every check works on NumPy arrays and on torch tensors alike (it looks at shapes, dtypes and
values only), so both kinds of function refuse the same input with the same sentence:
"<function>: expected <wanted>, got <given>". The error is always a ValueError.
"""

import math
import operator
from numbers import Real

import numpy as np

MASK = "a boolean mask (True = may read)"
WITHOUT_TWIN = ("has_leak", "is_permutation_equivariant")  # the rest has one in qkv.torch
FLOATS = ("float16", "bfloat16", "float32", "float64")  # what torch computes in


def fail(function, wanted, given):
    """Raise the ValueError that names what was wanted and what was given."""
    raise ValueError(f"{function}: expected {wanted}, got {given}")


def as_float64(function, name, x):
    """Return x (array, number, nested list) as a float64 array; refuse what isn't real numbers."""
    wanted = f"{name} as an array of real numbers"
    x = as_array(function, x, wanted)
    if x.dtype.kind not in "biuf":  # booleans, integers, floats
        fail(function, wanted, f"dtype {dtype_name(x)}")
    return x.astype(np.float64, copy=False)


def as_array(function, x, wanted):
    """Return x (array, torch tensor, nested list) as a NumPy array of whatever dtype."""
    if hasattr(x, "detach"):
        readable_tensor(function, wanted, x)
        if dtype_name(x) == "bfloat16":
            fail(function, wanted, f"dtype bfloat16, which NumPy lacks: {_way_out(function)}")
        x = x.detach().cpu()
    elif isinstance(x, (list, tuple)):
        x = _without_tensors(function, wanted, x)
    if np.ma.is_masked(x):
        fail(function, wanted, "an array with masked entries")
    try:
        return np.asarray(x)
    except ValueError:  # NumPy's answer to rows of different lengths
        fail(function, wanted, "rows of different lengths")
    except TypeError:  # a dtype that NumPy doesn't have
        fail(function, wanted, f"dtype {dtype_name(x)}" if hasattr(x, "dtype") else repr(x))


def _way_out(function):
    """What to do with a bfloat16 tensor."""
    twin = "" if function in WITHOUT_TWIN else f", or use qkv.torch.{function}"
    return f"convert it with .float(){twin}"


def _without_tensors(function, wanted, x):
    """Return a nested list in which each torch tensor is a list: NumPy reads only some of them."""
    if isinstance(x, (list, tuple)):
        return [_without_tensors(function, wanted, item) for item in x]
    if hasattr(x, "detach"):
        readable_tensor(function, wanted, x)
        return x.detach().tolist()
    return x


def readable_tensor(function, wanted, x):
    """Refuse a torch tensor that isn't a plain table of real numbers."""
    if str(x.layout) != "torch.strided":
        fail(function, wanted, f"a tensor of layout {str(x.layout).removeprefix('torch.')}")
    if x.is_meta:
        fail(function, wanted, "a tensor without values (meta)")
    if x.is_complex() or x.is_quantized:
        fail(function, wanted, f"dtype {dtype_name(x)}")
    if x.is_floating_point() and dtype_name(x) not in FLOATS:  # float8 and the like only store
        fail(function, wanted, f"dtype {dtype_name(x)}: convert it with .float()")


def as_mask(function, mask):
    """Return the mask as a boolean array; `readable` then looks at its shape and rows."""
    if mask is None:
        return None
    if hasattr(mask, "dtype"):
        boolean(function, mask)
    mask = as_array(function, mask, MASK)
    boolean(function, mask)
    return mask


def boolean(function, mask):
    """Refuse a mask of any other dtype: with 0 and −∞ or 0 and 1 nobody knows which is which."""
    if dtype_name(mask) != "bool":
        fail(function, MASK, f"dtype {dtype_name(mask)}")


def dtype_name(x):
    """float64 for NumPy's and for torch's float64."""
    return str(x.dtype).removeprefix("torch.")


def shapes(**arrays):
    """'Q (3, 2) and K (3, 4)', for a sentence."""
    parts = [f"{name} {tuple(x.shape)}" for name, x in arrays.items()]
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]


def whole_number(function, name, n, least=1):
    """Return n as an int; refuse booleans, fractions and numbers below `least`."""
    try:
        count = operator.index(n)
    except TypeError:
        count = None
    if count is None or isinstance(n, (bool, np.bool_)) or count < least:
        fail(function, f"{name} as a whole number of at least {least}", repr(n))
    return count


def number(function, name, x, positive=False):
    """Return x as a float; refuse what isn't one finite number (above 0 if `positive`).

    A tensor of one number is taken, whatever its axes. Booleans and texts are none.
    """
    value = math.nan
    if hasattr(x, "detach"):
        real = not (x.is_complex() or dtype_name(x) == "bool")
        value = _float(x) if real and x.numel() == 1 else value
    else:
        plain = x[()] if isinstance(x, np.ndarray) else x  # a number from an array without axes
        if isinstance(plain, Real) and not isinstance(plain, bool):
            value = _as_double(plain)
    if not math.isfinite(value) or (positive and value <= 0):
        fail(function, f"{name} as one finite number" + " above 0" * positive, _short(x))
    return value


def _as_double(x):
    try:
        return float(x)
    except OverflowError:  # an int beyond the range of floats
        return math.inf


def not_empty(function, **arrays):
    """Refuse an axis of length 0: no position to read, or no feature to compare."""
    for name, x in arrays.items():
        if 0 in tuple(x.shape):
            fail(function, f"{name} with at least 1 entry along every axis", f"shape {_shape(x)}")


def finite(function, **arrays):
    """Refuse NaN, ∞ and −∞."""
    for name, x in arrays.items():
        ok = abs(x) < math.inf  # False for NaN too
        if not bool(ok.all()):
            where, value = _first(~ok, x)
            fail(function, f"finite numbers in {name}", f"{value} at index {where}")


def no_overflow(function, what, *results):
    """Refuse results that left the range of their dtype though the inputs were finite."""
    for x in results:
        if not bool((abs(x) < math.inf).all()):
            fail(function, f"{what} within the range of {dtype_name(x)}", "an overflow")


def scores(function, scores, axis):
    """Refuse scores that no softmax over `axis` can turn into weights.

    −∞ is allowed: it marks a blocked position. A row of nothing but −∞ isn't.
    """
    if scores.ndim == 0:
        fail(function, "scores with at least one axis", "a single number")
    not_empty(function, scores=scores)
    along(function, scores, axis)
    ok = scores < math.inf  # False for NaN and +∞
    if not bool(ok.all()):
        where, value = _first(~ok, scores)
        fail(function, "finite scores (or -inf where blocked)", f"{value} at index {where}")
    if bool((scores == -math.inf).all(axis).any()):
        fail(function, "at least one score above -inf in every row", "a row that is all -inf")


def along(function, x, axis):
    """Refuse an axis that x hasn't."""
    whole = isinstance(axis, (int, np.integer)) and not isinstance(axis, bool)
    if not whole or not -x.ndim <= axis < x.ndim:
        fail(function, f"an axis from {-x.ndim} to {x.ndim - 1}", repr(axis))


def attention(function, Q, K, V, mask=None, scale=None, grad_output=None):
    """Refuse what attention can't read; return the leading axes that Q, K and V share.

    Q (..., n_q, d_k), K (..., n_kv, d_k), V (..., n_kv, d_v); mask boolean, broadcasting to
    (..., n_q, n_kv), True = may read, at least one True per row; scale one number;
    grad_output (..., n_q, d_v).
    """
    for name, x, wanted in [("Q", Q, "n_q, d_k"), ("K", K, "n_kv, d_k"), ("V", V, "n_kv, d_v")]:
        if x.ndim < 2:
            fail(function, f"{name} of shape (..., {wanted})", f"shape {_shape(x)}")
    not_empty(function, Q=Q, K=K, V=V)
    if Q.shape[-1] != K.shape[-1]:
        fail(function, "Q and K of one width d_k", shapes(Q=Q, K=K))
    if K.shape[-2] != V.shape[-2]:
        fail(function, "as many rows in K as in V (n_kv)", shapes(K=K, V=V))
    try:
        lead = np.broadcast_shapes(*(tuple(x.shape[:-2]) for x in (Q, K, V)))
    except ValueError:
        fail(function, "leading axes of Q, K and V that fit together", shapes(Q=Q, K=K, V=V))
    finite(function, Q=Q, K=K, V=V)
    if scale is not None:
        number(function, "scale", scale)
    if mask is not None:
        readable(function, mask, (*lead, Q.shape[-2], K.shape[-2]))
    if grad_output is not None:
        same_shape(function, "grad_output", grad_output, (*lead, Q.shape[-2], V.shape[-1]))
        finite(function, grad_output=grad_output)
    return lead


def readable(function, mask, shape):
    """Refuse a mask that isn't boolean, doesn't broadcast to `shape`, or blocks a whole row."""
    boolean(function, mask)
    try:
        fits = np.broadcast_shapes(tuple(mask.shape), shape) == tuple(shape)
    except ValueError:
        fits = False
    if not fits:
        fail(function, f"a mask that broadcasts to {tuple(shape)}", f"shape {_shape(mask)}")
    blocked = ~mask.any(-1) if mask.ndim else ~mask  # (..., n_q)
    if bool(blocked.any()):
        where, _ = _first(blocked, blocked)
        row = where[0] if len(where) == 1 else where
        fail(
            function,
            "at least one True in every row of the mask",
            f"none in row {row}, counted from 0" if where else "none",
        )


def projections(function, X, W_Q, W_K, W_V):
    """Refuse an X (..., n, d_model) that W_Q, W_K (d_model, d_k), W_V (d_model, d_v) don't fit."""
    if X.ndim < 2:
        fail(function, "X of shape (..., n, d_model)", f"shape {_shape(X)}")
    for name, W, width in [("W_Q", W_Q, "d_k"), ("W_K", W_K, "d_k"), ("W_V", W_V, "d_v")]:
        if W.ndim != 2:
            fail(function, f"{name} of shape (d_model, {width})", f"shape {_shape(W)}")
    not_empty(function, X=X, W_Q=W_Q, W_K=W_K, W_V=W_V)
    for name, W in [("W_Q", W_Q), ("W_K", W_K), ("W_V", W_V)]:
        if X.shape[-1] != W.shape[0]:
            fail(
                function,
                f"as many rows in {name} as columns in X (d_model)",
                shapes(**{"X": X, name: W}),
            )
    if W_Q.shape[1] != W_K.shape[1]:
        fail(function, "W_Q and W_K of one width d_k", shapes(W_Q=W_Q, W_K=W_K))
    finite(function, X=X, W_Q=W_Q, W_K=W_K, W_V=W_V)


def cards(function, request, keys, values=None):
    """Refuse a request (..., d_k) that keys (n_kv, d_k) and values (n_kv, d_v) don't fit."""
    if request.ndim < 1:
        fail(function, "a request of shape (d_k,)", f"shape {_shape(request)}")
    if keys.ndim != 2:
        fail(function, "keys of shape (n_kv, d_k)", f"shape {_shape(keys)}")
    given = {"request": request, "keys": keys}
    if values is not None:
        if values.ndim != 2:
            fail(function, "values of shape (n_kv, d_v)", f"shape {_shape(values)}")
        given["values"] = values
    not_empty(function, **given)
    if request.shape[-1] != keys.shape[-1]:
        fail(function, "a request and keys of one width d_k", shapes(request=request, keys=keys))
    if values is not None and len(keys) != len(values):
        fail(function, "as many keys as values (n_kv)", shapes(keys=keys, values=values))
    finite(function, **given)


def same_shape(function, name, x, shape):
    """Refuse x unless its shape is exactly `shape`."""
    if tuple(x.shape) != tuple(shape):
        fail(function, f"{name} of shape {tuple(shape)}", f"shape {_shape(x)}")


def distribution(function, name, a, axis=-1):
    """Refuse weights that aren't ≥ 0 with sum 1 along `axis` (to what the dtype can hold)."""
    if a.ndim == 0:
        fail(function, f"{name} with at least one axis", "a single number")
    not_empty(function, **{name: a})
    along(function, a, axis)
    finite(function, **{name: a})
    if bool((a < 0).any()):
        fail(function, f"{name} with no negative entry", f"{_float(a.min()):g}")
    off = abs(a.sum(axis) - 1)
    if bool((off > {"float64": 1e-6, "float32": 1e-5}.get(dtype_name(a), 1e-2)).any()):
        fail(function, f"{name} with sum 1 along the axis", f"a sum off by {_float(off.max()):.3g}")


def fit(function, **arrays):
    """Refuse shapes that don't broadcast together."""
    try:
        np.broadcast_shapes(*(tuple(x.shape) for x in arrays.values()))
    except ValueError:
        fail(function, "shapes that fit together", shapes(**arrays))


def additive(function, Q, K, W_q, W_k, w):
    """Refuse what the additive scorer can't read: Q W_q and K W_k must meet in the width of w."""
    for name, x, wanted in [("Q", Q, "n_q, d_q"), ("K", K, "n_kv, d_key")]:
        if x.ndim < 2:
            fail(function, f"{name} of shape (..., {wanted})", f"shape {_shape(x)}")
    for name, x, wanted in [("W_q", W_q, "(d_q, d)"), ("W_k", W_k, "(d_key, d)"), ("w", w, "(d,)")]:
        if x.ndim != 1 + wanted.count(" "):
            fail(function, f"{name} of shape {wanted}", f"shape {_shape(x)}")
    not_empty(function, Q=Q, K=K, W_q=W_q, W_k=W_k, w=w)
    if Q.shape[-1] != W_q.shape[0]:
        fail(function, "as many columns in Q as rows in W_q (d_q)", shapes(Q=Q, W_q=W_q))
    if K.shape[-1] != W_k.shape[0]:
        fail(function, "as many columns in K as rows in W_k (d_key)", shapes(K=K, W_k=W_k))
    if not W_q.shape[1] == W_k.shape[1] == w.shape[0]:
        fail(function, "W_q, W_k and w of one width d", shapes(W_q=W_q, W_k=W_k, w=w))
    try:
        np.broadcast_shapes(tuple(Q.shape[:-2]), tuple(K.shape[:-2]))
    except ValueError:
        fail(function, "leading axes of Q and K that fit together", shapes(Q=Q, K=K))
    finite(function, Q=Q, K=K, W_q=W_q, W_k=W_k, w=w)


def _shape(x):
    return str(tuple(x.shape))


def _short(x):
    text = " ".join(str(x).split())
    return text if len(text) <= 60 else text[:57] + "..."


def _first(bad, x):
    """The index of the first True in `bad`, and x there."""
    bad = np.asarray(bad.cpu() if hasattr(bad, "cpu") else bad)
    where = tuple(int(i) for i in np.argwhere(bad)[0])
    return where, _float(x[where])


def _float(x):
    return float(x.detach() if hasattr(x, "detach") else x)
