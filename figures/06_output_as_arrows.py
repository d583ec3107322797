"""Reader 2's output on the running example: three weighted values, head to tail."""

import numpy as np

from figures._draw import MUTED, TINT, Paper, number
from qkv import attention, inputs


def draw():
    running = inputs()["running"]
    X = running["X"]
    V = X @ running["W_V"]
    weights = attention(X @ running["W_Q"], X @ running["W_K"], V).weights[1]
    pieces = weights[:, None] * V  # (n, d_v)
    tips = np.vstack([np.zeros(2), pieces.cumsum(axis=0)])
    named = ", ".join(f"{number(a, 4)} times v{j}" for j, a in enumerate(weights, 1))
    end = ", ".join(number(c, 4) for c in tips[-1])
    paper = Paper(
        700, 470, "The output of reader 2 as three arrows head to tail",
        f"Pieces {named} lead from the origin to o2 = ({end}), inside the triangle of the three "
        "values.",
    )  # fmt: skip
    ticks = [0, 0.5, 1, 1.5, 2]
    axes = paper.axes(56, 56, 572, 312, (0, 2.2), (0, 1.2), ticks, [0, 0.5, 1],
                      "first coordinate", "second coordinate")  # fmt: skip
    paper.polygon([axes.point(*v) for v in V], fill=TINT["v"], stroke="v")
    labels = [(10, -10, "start"), (12, -10, "start"), (-12, -14, "end")]
    for j, (v, (dx, dy, anchor)) in enumerate(zip(V, labels, strict=True), 1):
        paper.circle(*axes.point(*v), 6, "v")
        name = f"[v:v_{j}] = ({number(v[0])}, {number(v[1])})"
        axes.text(*v, name, dx=dx, dy=dy, anchor=anchor, size=17)
    for start, end in zip(tips[:-1], tips[1:], strict=True):
        axes.arrow(*start, *end, color="v", width=4, head=14)
    along = tips[:-1] + pieces * [[0.5], [0.4], [0.75]]  # where each piece is named
    places = [(0, -12, "middle"), (12, 6, "start"), (10, 24, "start")]
    for j, (at, (dx, dy, anchor)) in enumerate(zip(along, places, strict=True), 1):
        text = f"{number(weights[j - 1], 4)} [v:v_{j}]"
        axes.text(*at, text, dx=dx, dy=dy, anchor=anchor, size=17)
    paper.circle(*axes.point(*tips[-1]), 7)
    o = f"o_2 = ({number(tips[-1][0], 4)}, {number(tips[-1][1], 4)})"
    axes.text(*tips[-1], o, dx=-12, dy=-14, anchor="end", size=18, bold=True)
    paper.text(350, 454, "shaded: every mixture of the three values", 16, "middle", MUTED)
    return paper.svg()
