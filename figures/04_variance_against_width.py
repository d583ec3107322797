"""Variance against the width: raw score, score, and q·k over d_k; derived lines, measured points.

The points are the lesson's own 500 pairs. Left: three divisors on logarithmic axes. Right: the
score alone, with bars of two error bars each way.
"""

import math

from figures._draw import INK, MUTED, Paper
from qkv.draws import normals

PAIRS, WIDTHS = 500, [2**p for p in range(11)]  # 1, 2, 4 … 1024
TICKS = (1, 4, 16, 64, 256, 1024)
PURPLE = "#7b3fb5"  # the three roles keep their colours to themselves
BLUR = 2  # the bars drawn reach two error bars each way


def draw():
    points = measured()
    paper = Paper(
        720, 430, "Variance against the width of query and key",
        "Raw scores have variance d_k, scores variance 1 at every width, and q·k/d_k has 1/d_k. "
        "Five hundred measured pairs agree with the derived lines within their error bars.",
    )  # fmt: skip
    everything(paper, points)
    score_alone(paper, points)
    return paper.svg()


def measured():
    """For each width: variance of q·k and its standard error, over the pairs."""
    q, k = normals(4, (2, PAIRS, WIDTHS[-1]))
    found = []
    for d in WIDTHS:
        raw = (q * k)[:, :d].sum(axis=1)
        squares = (raw - raw.mean()) ** 2
        found.append((d, squares.mean(), squares.std() / math.sqrt(PAIRS)))
    return found


def everything(paper, points):
    axes = paper.axes(
        72, 62, 268, 300, (0.7, 1500), (1 / 2000, 2000), log="xy",
        xticks=TICKS, yticks=[(10.0**p, power(p)) for p in range(-3, 4)],
        xlabel="width d_k", ylabel="variance",
    )  # fmt: skip
    for divisor, exponent, dash in [("none", 1, None), ("root", 0, "7 4"), ("width", -1, "2 4")]:
        axes.line([1, 1024], [1, 1024**exponent], INK, 2, dash)
        for d, variance, _ in points:
            put(paper, divisor, *axes.point(d, variance * d ** (exponent - 1)))
    axes.text(64, 64, "raw score: d_k", -14, -12, anchor="end")
    axes.text(1024, 1, "score: 1", -4, -14, anchor="end")
    axes.text(64, 1 / 64, "q·k/d_k: 1/d_k", -14, 22, anchor="end")


def score_alone(paper, points):
    axes = paper.axes(
        424, 62, 268, 300, (0.7, 1500), (0.5, 1.5), log="x", xticks=TICKS,
        yticks=[(0.5, "0.5"), (0.75, "0.75"), (1, "1"), (1.25, "1.25"), (1.5, "1.5")],
        xlabel="width d_k", ylabel="variance of the score",
    )  # fmt: skip
    axes.line([0.7, 1500], [1, 1], INK, 2, "7 4")
    for d, variance, error in points:
        x, y = axes.point(d, variance / d)
        _, top = axes.point(d, (variance + BLUR * error) / d)
        _, bottom = axes.point(d, (variance - BLUR * error) / d)
        for x1, y1, x2, y2 in [(x, top, x, bottom), (x - 4, top, x + 4, top),
                               (x - 4, bottom, x + 4, bottom)]:  # fmt: skip
            paper.line(x1, y1, x2, y2, INK, 1.5)
        put(paper, "root", x, y)
    axes.text(1024, 1.35, "derived: 1", anchor="end")
    note = "bars: two error bars each way"
    axes.text(1024, 1.35, note, 0, 20, anchor="end", color=MUTED, size=15)


def put(paper, divisor, x, y):
    """One measured point: a disc for q·k, a square for the score, a triangle for q·k/d_k."""
    if divisor == "none":
        paper.circle(x, y, 4.5, INK)
    elif divisor == "root":
        paper.rect(x - 4, y - 4, 8, 8, PURPLE, "none")
    else:
        paper.polygon([(x, y + 5), (x - 5, y - 4), (x + 5, y - 4)], MUTED, "none")


def power(p):
    return f"10^{{{p}}}".replace("-", "−") if p not in (0, 1) else str(10**p)
