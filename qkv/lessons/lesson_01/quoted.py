import numpy as np

import qkv
from qkv.reproduce import Row

from .exercises import EXERCISES


def rows():
    cards, twin = qkv.inputs()["cards"], qkv.inputs()["cards_twin"]
    request, keys, values = (cards[name] for name in ("request", "keys", "values"))
    raw = qkv.match(request, keys)
    yield Row("matches of {bicycle, place} with the cards", "[2, 1, 0]", raw)
    yield Row(
        "matches with the twin card", "[2, 1, 0, 2]", qkv.match(twin["request"], twin["keys"])
    )
    yield from choices(request, keys, values)
    yield from changes(request, keys, values)
    yield Row("quiz: weights for the matches 3 and 2", "[0.731, 0.269]", qkv.softmax([3, 2]))
    yield Row(
        "by hand: matches and output",
        "[2, 1, 2, 0, 4, -0.5]",
        EXERCISES["01.hand"].answer,
    )


def choices(request, keys, values):
    yield Row("the hard choice", "[4, 1]", qkv.retrieve(request, keys, values))
    yield Row("bicycle alone: a tie", "[2.5, 2]", qkv.retrieve([1, 0, 0, 0], keys, values))
    yield Row("no tag asked for: the mean", "[1, 2]", qkv.retrieve(np.zeros(4), keys, values))
    for T, weights, output in [
        (0.5, "[0.8668, 0.1173, 0.0159]", "[3.5528, 1.2505]"),
        (1, "[0.6652, 0.2447, 0.0900]", "[2.7256, 1.5795]"),
        (4, "[0.4192, 0.3265, 0.2543]", "[1.4949, 1.9073]"),
    ]:
        yield Row(f"soft weights, T = {T}", weights, qkv.softmax(qkv.match(request, keys) / T))
        yield Row(f"soft output, T = {T}", output, qkv.soft_retrieve(request, keys, values, T))
    requests = np.array([[1, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1]])
    yield Row(
        "three requests at once",
        "[[2.7256, 1.5795], [1.8009, 2.0000], [-0.0925, 2.0000]]",
        qkv.soft_retrieve(requests, keys, values),
    )


def changes(request, keys, values):
    yield Row(
        "contents 1 and 2 exchanged", "[1, 3]", qkv.retrieve(request, keys, values[[1, 0, 2]])
    )
    more = keys.copy()
    more[1, 1] = 1
    yield Row("card 2 gets the tag place: matches", "[2, 2, 0]", qkv.match(request, more))
    yield Row("card 2 gets the tag place: output", "[2.5, 2]", qkv.retrieve(request, more, values))
