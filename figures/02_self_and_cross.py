"""Self and cross as two grids over one sentence: other rows, the same columns."""

from figures._draw import INK, LINE, MUTED, Paper, shade
from qkv import inputs, softmax

LEFT, WIDE, HIGH = 150, 38, 23
READER, ASKED = 9, 3  # "she" in the sentence, "bicycle" in the question


def draw():
    s = inputs()["sentences"]
    X, Y = (vectors(s, name) for name in ("noor", "question"))
    paper = Paper(
        720, 656, "Self and cross: two grids of weights",
        "Above, Noor's sentence reads itself: 13 rows and 13 columns of weights. Below, the five "
        "tokens of a question read the same 13 columns. Each row sums to 1. In the upper grid the "
        "diagonal is where a position reads itself.",
    )  # fmt: skip
    paper.text(24, 34, "Self: the sentence reads itself, 13 × 13", 17, bold=True)
    for j, token in enumerate(s["noor"]):
        x = LEFT + (j + 0.62) * WIDE
        paper.raw(
            f'<text x="{x:g}" y="120" transform="rotate(-45 {x:g} 120)" font-size="15" '
            f'fill="{INK}">{token}</text>'
        )
    grid(paper, 132, softmax(X @ X.T), s["noor"], READER, diagonal=True)
    paper.text(24, 472, "Cross: a question reads the sentence, 5 × 13", 17, bold=True)
    grid(paper, 490, softmax(Y @ X.T), s["question"], ASKED)
    paper.text(24, 634, "Row: a reader. Column: what it reads. Darker: more weight. "
               "Dot: a position reads itself.", 15, color=MUTED)  # fmt: skip
    return paper.svg()


def vectors(s, name):
    ids = s[f"{name}_ids"]
    return s["embeddings"][ids] + s["positions"][: len(ids)]


def grid(paper, top, weights, tokens, reader, diagonal=False):
    for i, token in enumerate(tokens):
        y = top + i * HIGH
        paper.text(LEFT - 12, y + 17, token, 15, "end", INK, bold=i == reader)
        for j, weight in enumerate(weights[i]):
            paper.rect(LEFT + j * WIDE, y, WIDE, HIGH, shade(weight), LINE, 1)
            if diagonal and i == j:
                paper.circle(LEFT + (j + 0.5) * WIDE, y + HIGH / 2, 2.6, INK)
    paper.rect(LEFT - 2, top + reader * HIGH - 1, len(weights[0]) * WIDE + 4, HIGH + 2, "none", INK,
               2.5)  # fmt: skip
