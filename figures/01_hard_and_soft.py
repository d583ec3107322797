"""Where the output goes as the temperature rises: from the best card to the plain mean."""

import numpy as np

from figures._draw import MUTED, SHADE, Paper, number
from qkv import inputs, retrieve, soft_retrieve

MARKED = [0.5, 1, 4]


def draw():
    cards = inputs()["cards"]
    given = cards["request"], cards["keys"], cards["values"]
    paper = Paper(
        640, 400, "Hard and soft choice",
        "The contents of three cards as points. The output starts at card 1 for a temperature "
        "near 0 and runs along a curve to the mean of the three.",
    )  # fmt: skip
    axes = paper.axes(60, 50, 540, 280, (-3, 6), (0, 4), range(-2, 7, 2), range(5),
                      "first number of the content", "second number")  # fmt: skip
    corners = [axes.point(*v) for v in cards["values"]]
    paper.polygon(corners, "#eef7f3", "v", 1)
    for j, v in enumerate(cards["values"], 1):
        axes.dots([v[0]], [v[1]], "v", 6)
        text = f"card {j} ({number(v[0])}, {number(v[1])})"
        dx, dy = {1: (12, 6), 2: (0, -12), 3: (-50, 36)}[j]
        axes.text(*v, text, dx, dy, color=SHADE["v"], bold=True, anchor="middle" if j == 2 else
                  "start")  # fmt: skip
    path = np.array([soft_retrieve(*given, T) for T in np.geomspace(0.08, 400, 60)])
    axes.line(path[:, 0], path[:, 1], "#582494", 3)
    for T in MARKED:
        x, y = soft_retrieve(*given, T)
        axes.dots([x], [y], "#582494", 5)
        axes.text(x, y, f"T = {number(T)}", 6, -9, size=15, color="#582494")
    x, y = retrieve(*given)
    axes.text(x, y, "hard choice", 12, 26, size=15, color=MUTED)
    x, y = cards["values"].mean(0)
    axes.dots([x], [y], "#1c1f24", 5)
    axes.text(x, y, "mean of all three", -10, 5, size=15, color=MUTED, anchor="end")
    return paper.svg()
