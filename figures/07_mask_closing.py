"""An animation: the mask closes row by row, and each row shares out its 1 anew."""

import numpy as np

import qkv
from figures._draw import MUTED, Paper

CELL = (66, 34)
NAMES = ["1", "2", "3"]
CAPTIONS = [
    "Open: every reader reads all three positions.",
    "Reader 1: positions 2 and 3 close. It reads itself.",
    "Reader 2: position 3 closes. 1 and 2 share the whole.",
    "Closed. Reader 3 had no future to lose: its row stays.",
]


def draw():
    paper = Paper(
        560, 246, "The mask closing",
        "Row by row the scores above the diagonal become minus infinity and the weights of the "
        "row are shared among the positions that stay open. The last picture is the causal read.",
    )  # fmt: skip
    paper.frames(len(CAPTIONS), seconds=2.2, rest=1.5)
    running = qkv.inputs()["running"]
    Q, K, V = (running["X"] @ running[name] for name in ["W_Q", "W_K", "W_V"])
    mask = qkv.causal_mask(len(Q))
    full, causal = qkv.attention(Q, K, V), qkv.attention(Q, K, V, mask=mask)

    named = {"rows_named": NAMES, "columns_named": NAMES, "cell": CELL}
    left = paper.matrix(56, 62, full.scores, "scores", **named)
    right = paper.matrix(322, 62, full.weights, "weights", heat=True, **named)
    paper.arrow(*left.right_of(1, 8), right.x - 28, left.cell(1, 0)[1])
    for i in range(len(Q) - 1):  # the last row has nothing to close
        with paper.group(f"from-{i + 2}"):
            for grid, rows, heat in [(left, causal.scores, False), (right, causal.weights, True)]:
                paper.matrix(grid.x, grid.y + i * CELL[1], rows[i : i + 1], digits=4, cell=CELL,
                             heat=heat, blocked=~mask[i : i + 1])  # fmt: skip
    for frame, caption in enumerate(CAPTIONS, start=1):
        with paper.group(f"only-{frame}"):
            paper.text(34, 206, caption, 16, bold=True)
    paper.text(
        34, 229, "Row: reader. Column: candidate. Hatched: may not be read.", 15, color=MUTED
    )
    assert np.allclose(causal.weights.sum(-1), 1)
    return paper.svg()
