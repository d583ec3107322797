"""Two layers as paths: masked in the last alone, and masked in both."""

import numpy as np

import qkv
from figures._draw import BAD, GOOD, INK, MUTED, PANEL, Paper

FAINT = "#b3bac4"
LEVELS = (298, 188, 78)  # heights of x, h, o


def draw():
    paper = Paper(
        720, 400, "A mask in the last layer alone leaks",
        "Left: layer 1 is open, layer 2 causal. Position 3 reaches outputs 1 and 2 through h1 and "
        "h2. Right: both layers are causal, and position 3 reaches output 3 alone.",
    )  # fmt: skip
    n = len(qkv.inputs()["running"]["X"])
    open_, causal = np.ones((n, n), dtype=bool), qkv.causal_mask(n)
    panel(paper, 60, "Mask in layer 2 only", open_, causal)
    panel(paper, 420, "Mask in both layers", causal, causal)
    for text, level in [("layer 1", 0), ("layer 2", 1)]:
        middle = (LEVELS[level] + LEVELS[level + 1]) / 2
        paper.text(404, middle + 5, text, 15, "end", MUTED)
    return paper.svg()


def panel(paper, left, title, first, second):
    n = len(first)
    xs = [left + 22 + 108 * i for i in range(n)]
    paper.text(left, 36, title, 17, bold=True)
    felt = np.eye(n, dtype=bool)[-1]  # what the last input has reached: (n,)
    reached = [felt]
    for level, layer in enumerate((first, second)):
        edges = [(i, j) for i in range(n) for j in range(n) if layer[i, j]]
        for hot in (False, True):  # the paths of position n on top
            for i, j in edges:
                if (felt[j] and not (level == 1 and i == n - 1)) == hot:
                    edge(paper, xs[j], LEVELS[level], xs[i], LEVELS[level + 1], hot and i < n - 1)
        felt = (layer & felt).any(-1)
        reached.append(felt)
    for level, letter in enumerate("xho"):
        for i, x in enumerate(xs):
            bad = reached[level][i] and i < n - 1
            source = level == 0 and i == n - 1
            paper.circle(x, LEVELS[level], 19, "#fdeceb" if bad or source else PANEL,
                         BAD if bad or source else INK, 2.5 if bad or source else 1.5)  # fmt: skip
            paper.text(x, LEVELS[level] + 5, f"{letter}_{i + 1}", 17, "middle", bold=bad or source)
    early = [i + 1 for i in range(n - 1) if reached[2][i]]
    if early:
        paper.text(left, 352, "x_3 reaches o_1 and o_2", 16, color=BAD, bold=True)
        paper.text(left, 376, "by two steps, each allowed", 15, color=MUTED)
    else:
        paper.text(left, 352, "x_3 reaches o_3 alone", 16, color=GOOD, bold=True)
        paper.text(left, 376, "no step leads to an earlier position", 15, color=MUTED)


def edge(paper, x1, y1, x2, y2, hot):
    length = np.hypot(x2 - x1, y2 - y1)
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    ends = (x1 + 21 * ux, y1 + 21 * uy, x2 - 22 * ux, y2 - 22 * uy)
    paper.arrow(*ends, BAD if hot else FAINT, 3 if hot else 1.3, head=10 if hot else 7)
