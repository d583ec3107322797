import numpy as np

from qkv import draws
from qkv.reproduce import Row

COUNT = 4000


def rows():
    for d in (1, 4, 16, 64, 256, 1024):
        q, k = draws.normals(d, (2, COUNT if d < 1024 else 1000, d))
        raw = (q * k).sum(-1)
        yield Row(f"Var(q·k) against d_k = {d}, in error bars", "< 4", _off(raw, d))
    q = draws.normals(7, (COUNT, 64))
    same = (q * q).sum(-1)  # the failing case: q = k
    bar = (same.var() / COUNT) ** 0.5
    yield Row("mean of q·q against d_k = 64, in error bars", "< 4", abs(same.mean() - 64) / bar)
    yield Row("Var(q·q) against 1.9 d_k, d_k = 64, in error bars", "< 4", _off(same, 1.9 * 64))


def _off(sample, variance):
    """How many standard errors the sample's variance lies from the wanted one."""
    squares = (sample - sample.mean()) ** 2
    return abs(squares.mean() - variance) / (squares.std() / np.sqrt(len(sample)))
