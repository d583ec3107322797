"""The triangle of the running values: where softmax mixtures lie, and a raw mix outside it."""

import numpy as np

from figures._draw import HEAT, INK, MUTED, TINT, Paper, number
from qkv import attention, inputs, softmax

PURPLE = "#" + "".join(f"{c:02x}" for c in HEAT)


def draw():
    running = inputs()["running"]
    X = running["X"]
    V = X @ running["W_V"]
    read = attention(X @ running["W_Q"], X @ running["W_K"], V)
    scores, output = read.scores[1], read.output[1]
    middle, raw = V.mean(axis=0), scores @ V
    temperatures = np.geomspace(0.03, 300, 60)
    path = softmax(scores / temperatures[:, None]) @ V  # (60, d_v)
    paper = Paper(
        700, 452, "The triangle of the three values",
        f"Softmax mixes reader 2's values to {pair(output)}, inside the triangle; every "
        f"temperature keeps the output on a path from v3 to the middle {pair(middle)}. The raw "
        f"scores mix to {pair(raw)}, far outside.",
    )  # fmt: skip
    axes = paper.axes(58, 52, 602, 308, (0, 4.6), (0, 2.3535), [0, 1, 2, 3, 4], [0, 1, 2],
                      "first coordinate", "second coordinate")  # fmt: skip
    paper.polygon([axes.point(*v) for v in V], fill=TINT["v"], stroke="v", width=2)
    axes.line(*path.T, color=PURPLE, width=3, dash="2 4")
    labels = [(12, -8, "start"), (8, -14, "start"), (12, 22, "start")]
    for j, (v, (dx, dy, anchor)) in enumerate(zip(V, labels, strict=True), 1):
        paper.circle(*axes.point(*v), 6, "v")
        name = f"[v:v_{j}] = ({number(v[0])}, {number(v[1])})"
        axes.text(*v, name, dx=dx, dy=dy, anchor=anchor, size=17)
    paper.circle(*axes.point(*middle), 5, PURPLE)
    axes.text(*middle, "T → ∞", dx=-8, dy=-9, anchor="end", color=PURPLE)
    axes.text(*V[2], "T → 0", dx=-14, dy=-11, anchor="end", color=PURPLE)
    square(paper, *axes.point(*output), INK)
    axes.text(*output, "o_2", dx=4, dy=26, size=18, bold=True)
    square(paper, *axes.point(*raw), "#b3261e")
    axes.text(*raw, f"raw mix {pair(raw)}", dx=-16, dy=6, anchor="end", size=17)
    paper.text(359, 436, "shaded: every mixture that softmax can make", 16, "middle", MUTED)
    return paper.svg()


def square(paper, x, y, color):
    paper.rect(x - 6, y - 6, 12, 12, fill=color, stroke="#ffffff", width=1.5)


def pair(point, digits=3):
    return "(" + ", ".join(number(x, digits) for x in point) + ")"
