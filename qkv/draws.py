"""Random numbers that JavaScript and Python draw alike, so that a widget and NumPy agree.

mulberry32 works on 32-bit integers, and its results are multiples of 2⁻³². Twelve of them add
up exactly in a float64, whatever the order. A Box–Muller transform would not do: log and cos
differ between languages in the last digit.
"""

import numpy as np

from qkv import validate


def uniforms(seed, count, start=0):
    """Return `count` numbers in [0, 1) from mulberry32, after the first `start` of them.

    seed: a whole number ≥ 0 (its low 32 bits count). Returns float64 (count,), dimensionless.
    Source: Tommy Ettinger's mulberry32 (2017), public domain.
    """
    seed = validate.whole_number("uniforms", "seed", seed, least=0)
    count = validate.whole_number("uniforms", "count", count, least=0)
    start = validate.whole_number("uniforms", "start", start, least=0)
    step = np.arange(start + 1, start + count + 1, dtype=np.uint64)
    state = (np.uint64(seed & 0xFFFFFFFF) + step * np.uint64(0x6D2B79F5)).astype(np.uint32)
    t = (state ^ state >> np.uint32(15)) * (state | np.uint32(1))  # wraps at 2³², as wanted
    t ^= t + (t ^ t >> np.uint32(7)) * (t | np.uint32(61))
    return (t ^ t >> np.uint32(14)) / 2.0**32


def normals(seed, shape, start=0):
    """Return nearly normal numbers: sums of twelve uniforms, minus 6. Mean 0, variance 1.

    shape: a whole number or a tuple of them; filled row by row. `start` skips that many
    normals. The values stay within ±6 and the fourth moment is 2.9 (a normal's is 3), so
    Var(q·q) is 1.9 d here, not 2 d.
    """
    shape = (shape,) if np.ndim(shape) == 0 else tuple(shape)
    shape = tuple(validate.whole_number("normals", "a size", size) for size in shape)
    start = validate.whole_number("normals", "start", start, least=0)
    twelve = uniforms(seed, 12 * int(np.prod(shape)), 12 * start).reshape(-1, 12)
    return (twelve.sum(-1) - 6).reshape(shape)
