"""The whole read of the running example as a chain of tables, reader 2 marked."""

from figures._draw import MUTED, Paper
from qkv import attention, inputs

READER = 1
NAMES = ["1", "2", "3"]


def draw():
    running = inputs()["running"]
    X = running["X"]
    Q, K, V = (X @ running[W] for W in ("W_Q", "W_K", "W_V"))
    read = attention(Q, K, V)
    paper = Paper(
        720, 430, "A whole read as matrices",
        "X gives Q, K and V. Q times K transposed over the root of 2 gives the scores; softmax "
        "along each row gives the weights; the weights times V give the output. Row 2 is marked.",
    )  # fmt: skip
    small, wide, top, low = (50, 32), (66, 36), 70, 270
    x = paper.matrix(52, top, X, "X", mark=READER, cell=small, rows_named=NAMES)
    q = paper.matrix(250, top, Q, "[q:Q] = X [q:W_Q]", "q", mark=READER, cell=small)
    k = paper.matrix(410, top, K, "[k:K] = X [k:W_K]", "k", cell=small)
    v = paper.matrix(570, top, V, "[v:V] = X [v:W_V]", "v", cell=small)
    paper.text((x.right + q.x) / 2, top + 37, "project", 15, "middle", MUTED)
    paper.arrow(*x.right_of(READER, 14), *q.left_of(READER, 14))

    e = paper.matrix(52, low, read.scores, "scores [q:Q][k:K]^⊤ / √2", mark=READER, digits=3,
                     cell=wide, rows_named=NAMES)  # fmt: skip
    a = paper.matrix(314, low, read.weights, "weights", heat=True, mark=READER, digits=3, cell=wide)
    o = paper.matrix(576, low, read.output, "output", mark=READER, digits=3, cell=wide)
    paper.arrow(*e.right_of(READER, 7), *a.left_of(READER, 7))
    paper.arrow(*a.right_of(READER, 7), *o.left_of(READER, 7))
    paper.text(314, low + 130, "softmax along each row", 15, color=MUTED)
    paper.text(576, low + 130, "weights · [v:V]", 15, color=MUTED)
    paper.curve([q.below(0.5), (q.x, 200), (200, 195), (170, low - 32)], "q", head=10)
    paper.curve([k.below(0.5), (k.x, 205), (260, 190), (200, low - 32)], "k", dash="6 4", head=10)
    paper.curve([v.below(0.5), (v.x + 50, 200), (600, 210), (600, low - 32)], "v", head=10)
    return paper.svg()
