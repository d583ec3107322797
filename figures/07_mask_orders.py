"""Row 2 of the running example under three orders of mask and softmax."""

import numpy as np

import qkv
from figures._draw import BAD, GOOD, MUTED, Paper, number

CELL = (58, 32)
LEFT, STEP = 24, 218
FUTURE = [[False, False, True]]


def draw():
    paper = Paper(
        720, 470, "Three orders of mask and softmax, on row 2",
        "Mask then softmax gives 0.5, 0.5, 0. Softmax then zero leaves a row with a sum below 1. "
        "Dividing that row by its sum gives 0.5, 0.5, 0 again.",
    )  # fmt: skip
    running = qkv.inputs()["running"]
    Q, K, V = (running["X"] @ running[name] for name in ["W_Q", "W_K", "W_V"])
    scores, weights, _ = qkv.attention(Q, K, V)
    e, a = scores[1:2], weights[1:2]
    masked = np.where(FUTURE, -np.inf, e)
    zeroed = np.where(FUTURE, 0.0, a)

    start = paper.matrix(LEFT, 46, e, "scores of reader 2", cell=CELL)
    paper.text(start.right + 14, 68, "position 3 lies in the future and has the largest score", 15,
               color=MUTED)  # fmt: skip
    steps = [
        ("1. Mask, then softmax", [("mask", masked), ("softmax", qkv.softmax(masked))]),
        ("2. Softmax, then zero", [("softmax", a), ("zero", zeroed)]),
        ("3. Softmax, zero, renormalise",
         [("softmax", a), ("zero", zeroed), ("divide by the sum", zeroed / zeroed.sum())]),
    ]  # fmt: skip
    for lane, (title, parts) in enumerate(steps):
        show_lane(paper, 158 + 122 * lane, title, parts)
    return paper.svg()


def show_lane(paper, y, title, parts):
    paper.line(LEFT, y - 52, 696, y - 52, "#e4e7ec", 1)
    paper.text(LEFT, y - 28, title, 17, bold=True)
    for k, (name, row) in enumerate(parts):
        x = LEFT + STEP * k
        closed = name != "softmax" or row[0, 2] == 0
        grid = paper.matrix(x, y, row, cell=CELL, heat=name != "mask",
                            blocked=FUTURE if closed else None)  # fmt: skip
        paper.text(x, y + 52, name, 15, color=MUTED)
        if k < len(parts) - 1:
            paper.arrow(*grid.right_of(0, 6), x + STEP - 6, y + 16)
    total = parts[-1][1].sum()
    whole = np.isclose(total, 1)
    x = LEFT + STEP * (len(parts) - 1) + 3 * CELL[0]
    paper.text(x + 12, y + 22, f"sum {number(total, 0 if whole else 4)}", 16,
               color=GOOD if whole else BAD, bold=True)  # fmt: skip
