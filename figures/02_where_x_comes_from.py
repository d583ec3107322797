"""Where x₁₀ comes from: token, id, row of the table, position vector; deeper, the layer below."""

from figures._draw import INK, LINE, MARK, MUTED, PANEL, Paper, number
from qkv import inputs

AT = 9  # position 10, "she"
SHOWN = 2  # rows of the table on either side of its row


def draw():
    s = inputs()["sentences"]
    token, id = s["noor"][AT], int(s["noor_ids"][AT])
    row, place = s["embeddings"][id], s["positions"][AT]
    paper = Paper(
        720, 430, "Where the vector of position 10 comes from",
        "The token she has the id 13. Row 13 of the embedding table plus the vector of position "
        "10 is x of position 10 at the first layer. At every deeper layer x is what the layer "
        "below has made for the position.",
    )  # fmt: skip
    middle = sentence(paper, s["noor"])
    paper.path(f"M{middle} 52 V68 H122 V82", MUTED, 1.5)
    paper.arrow(122, 72, 122, 88)
    paper.arrow(middle, 52, middle, 88)

    paper.box(84, 90, 76, 32, token, size=17, bold=True)
    paper.text(74, 112, "token", 15, "end", MUTED)
    paper.arrow(122, 124, 122, 156)
    paper.box(84, 158, 76, 32, str(id), size=17, bold=True)
    paper.text(74, 180, "id", 15, "end", MUTED)
    paper.arrow(164, 174, 228, 174)
    table(paper, s, id)

    paper.box(middle - 38, 90, 76, 32, str(AT + 1), size=17, bold=True)
    paper.text(middle + 48, 112, "position", 15, color=MUTED)
    paper.arrow(middle, 124, middle, 156)
    vector(paper, 500, 159, place, PANEL, INK)
    paper.text(587, 212, "position vector", 15, "middle", MUTED)

    paper.text(471, 183, "+", 26, "middle", bold=True)
    paper.arrow(471, 194, 471, 272)
    vector(paper, 384, 276, row + place, MARK, INK)
    paper.text(372, 297, "x_{10}", 18, "end", bold=True)
    paper.text(572, 297, "at the first layer", 16)

    paper.rect(24, 332, 672, 78, PANEL, LINE, r=8)
    paper.lines(44, 364, [
        "At the first layer x_{10} knows its token and its place, and no other token.",
        "At every deeper layer x_{10} is what the layer below has made for position 10.",
    ], gap=28)  # fmt: skip
    return paper.svg()


def sentence(paper, tokens):
    """Write the tokens in a line, frame the one at position 10, return its middle."""
    x, middle = 24, None
    for i, token in enumerate(tokens):
        width = 9.3 * len(token)
        if i == AT:
            x += 5
            middle = x + width / 2
            paper.rect(x - 5, 20, width + 10, 31, MARK, INK, 2, 5)
        paper.text(x + width / 2, 41, token, 16, "middle", bold=i == AT)
        x += width + (15 if i == AT else 9)
    return middle


def table(paper, s, id):
    paper.text(270, 90, "embedding table", 15, color=MUTED)
    for at in range(id - SHOWN, id + SHOWN + 1):
        y = 159 + (at - id) * 30
        if at != id:
            vector(paper, 270, y, s["embeddings"][at], "#ffffff")
        paper.text(258, y + 20, str(at), 15, "end", INK if at == id else MUTED, bold=at == id)
    vector(paper, 270, 159, s["embeddings"][id], MARK, INK)


def vector(paper, x, y, values, fill, edge=LINE):
    for c, value in enumerate(values):
        paper.rect(x + 58 * c, y, 58, 30, fill, LINE, 1)
        paper.text(x + 58 * c + 29, y + 20, number(value), 15, "middle")
    paper.rect(x, y, 58 * len(values), 30, "none", edge, 2 if edge == INK else 1)
