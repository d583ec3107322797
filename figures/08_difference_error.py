"""Central differences against the true gradient: the error falls, then rises again.

Plain Python floats and math.exp only: the rounding part of the curve is the same everywhere.
"""

import math

from figures._draw import INK, MUTED, Paper
from qkv import inputs, read_backward

STEPS = [10 ** (-k / 4) for k in range(4, 49)]  # 1e-1 … 1e-12


MATRICES = ("W_Q", "W_K", "W_V")


def draw():
    example = {name: x.tolist() for name, x in inputs()["running"].items()}
    X, G = example["X"], example["G"]
    gradient = read_backward(X, *(example[name] for name in MATRICES), G)
    entries = [(name, r, c) for name in MATRICES for r in range(2) for c in range(2)]

    def loss(entry, h):
        """L with one entry of one matrix moved by h."""
        name, r, c = entry
        W = {key: [list(row) for row in example[key]] for key in MATRICES}
        W[name][r][c] += h
        return sum(map(dot, read(X, **W), G))

    def largest_error(quotient, h):
        true = [float(getattr(gradient, name)[r, c]) for name, r, c in entries]
        found = [quotient(entry, h) for entry in entries]
        return max(abs(x - y) for x, y in zip(found, true, strict=True))

    def central(entry, h):
        return (loss(entry, h) - loss(entry, -h)) / (2 * h)

    def one_sided(entry, h):
        return (loss(entry, h) - loss(entry, 0.0)) / h

    paper = Paper(
        720,
        430,
        "The error of a difference quotient against its step",
        "Log–log plot. Central differences are best near a step of 1e-5, one-sided ones near 1e-7.",
    )
    axes = paper.axes(
        92, 60, 590, 290, (1e-12, 1e-1), (1e-13, 1e-1), log="xy",
        xticks=[(10.0**-k, f"10^{{−{k}}}") for k in (12, 10, 8, 6, 4, 2)],
        yticks=[(10.0**-k, f"10^{{−{k}}}") for k in (13, 11, 9, 7, 5, 3, 1)],
        xlabel="step h", ylabel="largest error over the twelve entries of the three matrices",
    )  # fmt: skip
    for quotient, width, dash in [(central, 3, None), (one_sided, 2, "6 4")]:
        axes.line(STEPS, [largest_error(quotient, h) for h in STEPS], INK, width, dash)
    axes.text(3e-2, 3e-6, "central", 14, 18, bold=True, anchor="middle")
    axes.text(1e-4, 1e-4, "one-sided", -50, -4, anchor="middle")
    axes.text(1e-10, 1e-9, "rounding: 10^{−16}/h", 0, 24, color=MUTED, anchor="middle")
    axes.text(3e-3, 1e-9, "series cut off: h^2", 0, 24, color=MUTED, anchor="middle")
    axes.text(1e-5, 1e-12, "best near 10^{−5}", 0, 10, bold=True, anchor="middle")
    return paper.svg()


def read(X, W_Q, W_K, W_V):
    Q, K, V = (times(X, W) for W in (W_Q, W_K, W_V))
    return [mix(softmax([dot(q, k) / math.sqrt(len(q)) for k in K]), V) for q in Q]


def softmax(scores):
    exps = [math.exp(e) for e in scores]
    return [x / sum(exps) for x in exps]


def mix(weights, rows):
    return [
        sum(a * x for a, x in zip(weights, column, strict=True))
        for column in zip(*rows, strict=True)
    ]


def times(A, B):
    return [[dot(row, column) for column in zip(*B, strict=True)] for row in A]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))
