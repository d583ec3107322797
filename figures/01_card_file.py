"""The card file: a request, three cards, the tags they share, and what is taken."""

from figures._draw import INK, LINE, MARK, MUTED, PAPER, ROLE, TINT, Paper, number
from qkv import inputs, match

WIDE, HIGH, TOP = 212, 152, 150


def draw():
    cards = inputs()["cards"]
    raw = match(cards["request"], cards["keys"])
    paper = Paper(
        720, 470, "A card file",
        "A request for bicycle and place above three cards. Card 1 shares both tags, card 2 one, "
        "card 3 none. Only what card 1 holds, behind the library, is taken out.",
    )  # fmt: skip
    slip(paper, cards)
    for j, label in enumerate(cards["labels"]):
        x = 24 + j * (WIDE + 18)
        card(paper, x, j, label, cards, raw[j])
        count = number(raw[j])
        paper.text(x + WIDE / 2, TOP + HIGH + 30, f"{count} shared {_plural(raw[j])}", 16, "middle",
                   bold=raw[j] == raw.max())  # fmt: skip
    best = int(raw.argmax())
    x = 24 + best * (WIDE + 18) + WIDE / 2
    paper.arrow(x, TOP + HIGH + 40, x, TOP + HIGH + 84, "v", 2.5)
    paper.box(24, TOP + HIGH + 90, WIDE, 48, cards["labels"][best], "v", 17)
    paper.lines(260, TOP + HIGH + 110, ["Finding compared tags and read no content.",
                                        "Taking read one content and no tag."])  # fmt: skip
    return paper.svg()


def slip(paper, cards):
    asked = [tag for tag, on in zip(cards["tags"], cards["request"], strict=True) if on]
    paper.polygon([(24, 24), (402, 24), (402, 88), (386, 104), (24, 104)], TINT["q"], "q", 2)
    paper.line(25, 24, 25, 104, "q", 5)
    paper.text(42, 52, "Request: what is asked now", bold=True)
    for r, tag in enumerate(asked):
        chip(paper, 42 + 112 * r, 64, tag, True)


def card(paper, x, j, label, cards, shared):
    best = shared == cards["keys"].dot(cards["request"]).max()
    edge, width = (INK, 2.5) if best else ("#7d8590", 1.5)
    paper.polygon([(x, TOP), (x, TOP - 26), (x + 74, TOP - 26), (x + 84, TOP), (x + WIDE, TOP),
                   (x + WIDE, TOP + HIGH), (x, TOP + HIGH)], PAPER, edge, width)  # fmt: skip
    paper.text(x + 12, TOP - 6, f"Card {j + 1}", bold=True)
    paper.text(x + 16, TOP + 24, "filed under", 15, color=MUTED)
    on = [r for r, has in enumerate(cards["keys"][j]) if has]
    for place, r in enumerate(on):
        chip(paper, x + 14 + 98 * place, TOP + 34, cards["tags"][r], cards["request"][r] == 1)
    paper.line(x + 4, TOP + 36, x + 4, TOP + 60, "k", 4, "6 4")
    for line in range(3):
        y = TOP + 86 + 22 * line
        paper.line(x + 12, y + 8, x + WIDE - 12, y + 8, LINE, 1)
    paper.text(x + 16, TOP + 88, "holds", 15, color=MUTED)
    paper.text(x + 16, TOP + 110, label, 17)
    for dx in (2.5, 6):
        paper.line(x + dx, TOP + 74, x + dx, TOP + 116, ROLE["v"], 1.6)


def chip(paper, x, y, tag, lit):
    paper.rect(x, y, 92, 27, MARK if lit else "#f1f3f6", INK if lit else "#7d8590",
               2 if lit else 1, 13)  # fmt: skip
    paper.text(x + 46, y + 19, tag, 15, "middle", bold=lit)


def _plural(count):
    return "tag" if count == 1 else "tags"
