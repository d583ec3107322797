"""One read of the running example, reader after reader (an animation; it rests on all rows)."""

from figures._draw import INK, MUTED, Paper, number, shade
from qkv import attention, inputs

TOP, ROW, WIDE, SMALL = 60, 38, 60, 40
SCORES, WEIGHTS, OUTPUT = 160, 364, 568


def draw():
    running = inputs()["running"]
    X = running["X"]
    Q, K, V = (X @ running[W] for W in ("W_Q", "W_K", "W_V"))
    read = attention(Q, K, V)
    n = len(X)
    paper = Paper(
        720, 300, "A read row by row",
        "Each reader in turn: its query meets all keys, its row of scores becomes a row of "
        "weights, and the weights mix the values into its row of the output.",
    )  # fmt: skip
    paper.frames(n + 1, seconds=2, rest=1)
    paper.matrix(40, TOP, Q, "[q:Q]", "q", cell=(SMALL, ROW), rows_named=["1", "2", "3"])
    for left, width, caption in [
        (SCORES, n, "scores"),
        (WEIGHTS, n, "weights"),
        (OUTPUT, 2, "output"),
    ]:
        paper.matrix(left, TOP, [[""] * width] * n, caption, cell=(WIDE, ROW), digits=0)
    for i in range(n):
        with paper.group(f"from-{i + 1}"):
            row(paper, SCORES, i, read.scores[i])
            row(paper, WEIGHTS, i, read.weights[i], heat=True)
            row(paper, OUTPUT, i, read.output[i])
        with paper.group(f"only-{i + 1}"):
            y = TOP + i * ROW
            paper.rect(38, y - 1, 2 * SMALL + 4, ROW + 2, "none", INK, 3)
            paper.rect(SCORES - 2, y - 1, n * WIDE + 4, ROW + 2, "none", INK, 3)
            paper.rect(WEIGHTS - 2, y - 1, n * WIDE + 4, ROW + 2, "none", INK, 3)
            paper.rect(OUTPUT - 2, y - 1, 2 * WIDE + 4, ROW + 2, "none", INK, 3)
            first = f"Reader {i + 1}: [q:q_{i + 1}] meets every key, softmax shares out"
            paper.lines(40, 212, [first, "1 along this row, and the weights mix the values."])
    with paper.group(f"only-{n + 1}"):
        paper.lines(40, 212, ["No row needed another row:", "all readers can read at once."])
    keys = ", ".join(f"[k:k_{j}] = ({_pair(k)})" for j, k in enumerate(K, 1))
    values = ", ".join(f"[v:v_{j}] = ({_pair(v)})" for j, v in enumerate(V, 1))
    paper.text(40, 276, f"The same for all: {keys}; {values}.", 15, color=MUTED)
    return paper.svg()


def row(paper, left, i, values, heat=False):
    for j, value in enumerate(values):
        x, y = left + j * WIDE, TOP + i * ROW
        if heat:
            paper.rect(x, y, WIDE, ROW, fill=shade(value), width=1)
        paper.text(x + WIDE / 2, y + ROW / 2 + 6, number(value, 3), 15, "middle")


def _pair(vector):
    return ", ".join(number(x) for x in vector)
