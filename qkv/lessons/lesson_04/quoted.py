import numpy as np

import qkv
from qkv import draws
from qkv.reproduce import Row

from .exercises import EXERCISES

COUNT = 4000
D_K, D_MODEL, HEADS = 64, 512, 8  # one head of the first Transformer
RHO, C = 0.5, 0.5


def rows():
    for d in (1, 4, 16, 64, 256, 1024):
        q, k = draws.normals(d, (2, 256_000 // d if d > 64 else COUNT, d))
        raw = (q * k).sum(-1)
        yield Row(f"Var(q·k) against d_k = {d}, in error bars", "< 4", _off(raw, d))
    yield Row("d_k of one head: 512 shared by 8", "64", D_MODEL / HEADS)
    for name, divisor, quoted in (
        ("1", 1, "64.0000"),
        ("√d_k", D_K**0.5, "1.0000"),
        ("√d_model", D_MODEL**0.5, "0.1250"),
        ("d_k", D_K, "0.0156"),
    ):
        yield Row(f"variance after dividing by {name}", quoted, D_K / divisor**2)
    yield from _rows_of_weights()
    yield from _breaks()
    variance, term = EXERCISES["04.hand"].numbers[1], (3 * 0.5) ** 2
    yield Row("by hand: Var(q·k), σ_q = 3, σ_k = 0.5, d_k = 16", "36", variance)
    yield Row("by hand: variance of the score", "2.25", term)


def _rows_of_weights():
    """60 readers with 8 candidates: the largest weight, and what a nudge of its score does."""
    q, k = draws.normals(4, (60, 256)), draws.normals(5, (60, 8, 256))
    raw = (q[:, None] * k).sum(-1)
    for name, divisor, largest, answer in (
        ("1", 1, "> 0.8", "< 0.1"),
        ("√d_k", 16, "< 0.5", "> 0.15"),
        ("d_k", 256, "< 0.15", "> 0.1"),
    ):
        scores = raw / divisor
        top = scores == scores.max(-1, keepdims=True)
        a = qkv.softmax(scores)[top]
        slope = (qkv.softmax(scores + 1e-6 * top) - qkv.softmax(scores - 1e-6 * top))[top] / 2e-6
        yield Row(f"mean of the largest weight, divisor {name}, d_k = 256", largest, a.mean())
        yield Row(f"its answer per unit of score, divisor {name}", answer, slope.mean())
        yield Row(f"that answer against a(1 − a), divisor {name}", "< 1e-8", abs(slope - a + a * a))
    yield Row("equal weights of 8 candidates", "0.1250", 1 / 8)


def _breaks():
    d, moment = D_K, 3 - 12 / 120
    long = draws.normals(8, 200_000)
    bar = (long**4).std() / len(long) ** 0.5
    yield Row("fourth moment of a component", "2.9", moment)
    off = abs((long**4).mean() - moment) / bar
    yield Row("the same over 200,000 draws, in error bars", "< 4", off)
    a, b = draws.normals(7, (2, COUNT, d))
    u, w = draws.normals(9, (2, COUNT, 1))
    follows, shared = RHO * a + (1 - RHO**2) ** 0.5 * b, 1 + (d - 1) * C**2
    for name, q, k, mean, variance, quoted in (
        ("as assumed", a, b, 0, 1, "1.000"),
        ("σ = 2", 2 * a, 2 * b, 0, 2**4, "16.000"),
        ("q = k", a, a, 1, moment - 1, "1.900"),
        ("ρ = 0.5", a, follows, RHO, 1 + RHO**2 * (moment - 2), "1.225"),
        ("c = 0.5", C**0.5 * (a + u), C**0.5 * (b + w), 0, shared, "16.750"),
    ):
        raw = (q * k).sum(-1)
        bar = raw.std() / COUNT**0.5
        yield Row(f"{name}: variance of the score, d_k = 64", quoted, variance)
        yield Row(f"{name}: mean of q·k, in error bars", "< 4", abs(raw.mean() - d * mean) / bar)
        yield Row(f"{name}: variance of q·k, in error bars", "< 4", _off(raw, d * variance))
    yield Row("q = k: mean of the score, d_k = 64", "8", d / d**0.5)
    for width, quoted in ((16, "4.75"), (64, "16.75"), (256, "64.75"), (1024, "256.75")):
        yield Row(f"c = 0.5: variance of the score, d_k = {width}", quoted, 1 + (width - 1) * C**2)
    tied = 0.5 ** abs(np.subtract.outer(np.arange(2000), np.arange(2000)))  # ω = 0.5
    yield Row("neighbours tied by ω = 0.5: variance over (1 + ω²)/(1 − ω²) d_k", "1.00",
              (tied**2).sum() / (2000 * 1.25 / 0.75))  # fmt: skip


def _off(sample, variance):
    """How many standard errors the sample's variance lies from the wanted one."""
    squares = (sample - sample.mean()) ** 2
    return abs(squares.mean() - variance) / (squares.std() / np.sqrt(len(sample)))
