import qkv
from qkv.reproduce import Row


def rows():
    cards, twin = qkv.inputs()["cards"], qkv.inputs()["cards_twin"]
    given = [cards[name] for name in ("request", "keys", "values")]
    raw = qkv.match(*given[:2])
    yield Row("matches of {bicycle, place} with the cards", "[2, 1, 0]", raw)
    yield Row("the hard choice", "[4, 1]", qkv.retrieve(*given))
    yield Row("weights of the soft choice", "[0.6652, 0.2447, 0.0900]", qkv.softmax(raw))
    yield Row("the soft choice", "[2.7256, 1.5795]", qkv.soft_retrieve(*given))
    given = [twin[name] for name in ("request", "keys", "values")]
    yield Row("matches with the twin card", "[2, 1, 0, 2]", qkv.match(*given[:2]))
    yield Row("a tie is shared", "[2, 0]", qkv.retrieve(*given))
    nothing = 0 * given[0]
    yield Row("no tag asked for: a tie of all", "[0.75, 1.25]", qkv.retrieve(nothing, *given[1:]))
