"""The pull toward a value: reader 2 of the running example, where each score moves its output."""

from figures._draw import GOOD, INK, LINE, MUTED, Paper, number
from qkv import inputs
from qkv.attention import attention, attention_backward, project

LEFT, TOP, W, H = 60, 66, 600, 300
XLIM, YLIM = (-0.4, 2.6), (-0.35, 1.15)  # one scale for both axes: 200 pixels a unit


def draw():
    example = inputs()["running"]
    G = example["G"]
    Q, K, V = project(*(example[name] for name in ("X", "W_Q", "W_K", "W_V")))
    read = attention(Q, K, V)
    pull = attention_backward(Q, K, V, G).scores[1]
    a, o, g = read.weights[1], read.output[1], G[1]
    paper = Paper(
        720,
        440,
        "The pull toward each value",
        "Three values as corners of a triangle with the output of reader 2 inside. Arrows show how "
        "each score moves it.",
    )
    axes = paper.axes(
        LEFT, TOP, W, H, XLIM, YLIM, xticks=(0, 1, 2), yticks=(0, 1),
        xlabel="first number",
    )  # fmt: skip
    x, _ = axes.point(o[0], 0)
    paper.rect(LEFT, TOP, x - LEFT, H, "#e9f4ec", "none")  # where g·(v − o) < 0
    paper.line(x, TOP, x, TOP + H, MUTED, 1.2, "3 4")
    paper.text(
        LEFT + 12, TOP + H - 12, "g·(v − o) < 0: raise these scores", 16, color=GOOD, bold=True
    )
    paper.text(LEFT + W - 8, TOP + H - 12, "lower these", 16, "end", bold=True)
    paper.polygon([axes.point(*v) for v in V], "none", LINE)
    beside = {0: (12, 28, "middle"), 1: (14, -14, "start"), 2: (12, -14, "middle")}
    for j, v in enumerate(V):
        axes.arrow(*o, *(o + a[j] * (v - o)), width=3)
        px, py = axes.point(*v)
        paper.circle(px, py, 8, "#ffffff", "v", 2)
        paper.circle(px, py, 4, "v")
        dx, dy, anchor = beside[j]
        paper.text(
            px + dx, py + dy, f"[v:v_{j + 1}]: pull {number(pull[j], 4)}", 16, anchor, bold=True
        )
    px, py = axes.point(*o)
    paper.circle(px, py, 6, INK)
    paper.text(px - 8, py + 24, "o_2", 17, "end", bold=True)
    paper.arrow(px, py + 52, px - 110 * g[0], py + 52, MUTED, 2)
    paper.text(px - 118, py + 57, "−g_2, the way down", 16, "end", MUTED)
    paper.text(LEFT, 34, "Each arrow: where o_2 goes as one score rises, a_{2j}([v:v_j] − o_2)", 16)
    return paper.svg()
