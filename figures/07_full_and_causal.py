"""The running example read in full and read causally: scores, weights, outputs."""

import numpy as np

import qkv
from figures._draw import MUTED, Paper
from qkv.attention import read

NAMES = ["1", "2", "3"]


def draw():
    paper = Paper(
        720, 452, "One read in full, and the same read causally",
        "Above, all three readers read all positions. Below, the scores above the diagonal are "
        "minus infinity: rows 1 and 2 of weights and outputs change, row 3 stays.",
    )  # fmt: skip
    running = qkv.inputs()["running"]
    X, W_Q, W_K, W_V = (running[name] for name in ["X", "W_Q", "W_K", "W_V"])
    mask = qkv.causal_mask(len(X))
    lane(paper, 98, "Full", read(X, W_Q, W_K, W_V), None)
    lane(paper, 312, "Causal", read(X, W_Q, W_K, W_V, mask=mask), ~mask)
    return paper.svg()


def lane(paper, y, title, result, blocked):
    paper.text(24, y - 60, title, 18, bold=True)
    named = {"rows_named": NAMES, "columns_named": NAMES, "cell": (62, 32)}
    scores = paper.matrix(48, y, result.scores, "scores", blocked=blocked, **named)
    weights = paper.matrix(298, y, result.weights, "weights", heat=True, blocked=blocked, **named)
    output = paper.matrix(548, y, result.output, "output", rows_named=NAMES, cell=(72, 32))
    for before, after, text in [(scores, weights, "softmax"), (weights, output, "mix [v:V]")]:
        x, top = before.right_of(1, 6)
        paper.arrow(x, top, after.x - 26, top)
        paper.text((x + after.x - 26) / 2 + 2, before.bottom + 24, text, 15, "middle", MUTED)
    paper.text(48, y + 120, "row: reader", 15, color=MUTED)
    assert np.allclose(result.weights.sum(-1), 1)
