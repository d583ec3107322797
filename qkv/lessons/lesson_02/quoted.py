import numpy as np

import qkv
from qkv.reproduce import Row

from .exercises import EXERCISES


def vectors(name):
    s = qkv.inputs()["sentences"]
    ids = s[f"{name}_ids"]
    return s["embeddings"][ids] + s["positions"][: len(ids)]


def read(readers, candidates):
    """Weights (n_q, n_kv) and output (n_q, d) of a read in which every vector is q, k and v."""
    weights = qkv.softmax(readers @ candidates.T)
    return weights, weights @ candidates


def rows():
    yield from noor()
    yield from contexts()
    yield from cross()
    yield Row("quiz: six matches of 0", "0.167", qkv.softmax(np.zeros(6))[0])
    yield Row(
        "by hand: x₃, weights, output",
        "[0, 1, 0.09, 0.67, 0.24, 0.42, 1.58]",
        EXERCISES["02.hand"].answer,
    )


def noor():
    X = vectors("noor")
    weights, output = read(X, X)
    own = np.diag(weights)
    match = X @ X[9]
    yield Row("length of the sentence, size of the vocabulary", "[13, 17]", _lengths())
    yield Row("x of “she”, position 10", "[1, 1, 0.9]", X[9])
    yield Row("“the” at positions 3 and 7", "[[0, 0, 0.7], [0, 0, 1.1]]", X[[2, 6]])
    yield Row("matches of “she” with “Noor” and itself", "[3, 2.81]", match[[0, 9]])
    yield Row(
        "weights of “she” on “Noor”, itself, “bicycle”",
        "[0.2989, 0.2471, 0.1742]",
        weights[9, [0, 9, 4]],
    )
    yield Row("output of “she”", "[0.8493, 0.9679, 0.4457]", output[9])
    yield Row("“library” and “because” on themselves", "[0.9422, 0.0935]", own[[7, 8]])
    yield Row("readers that prefer another position", "9", (weights.max(axis=1) > own).sum())


def _lengths():
    s = qkv.inputs()["sentences"]
    return [len(s["noor"]), len(s["embeddings"])]


def contexts():
    birds, choirs = vectors("birds"), vectors("choirs")
    for name, Z, output in [
        ("Birds sing", birds, "[1.2297, 0.7703, 0.8473]"),
        ("Choirs sing", choirs, "[0.7703, 1.2297, 0.8473]"),
    ]:
        yield Row(f"x of “sing” in “{name}”", "[1, 1, 1.1]", Z[1])
        yield Row(f"matches of “sing” in “{name}”", "[2.00, 3.21]", qkv.match(Z[1], Z))
        yield Row(f"weights of “sing” in “{name}”", "[0.2297, 0.7703]", read(Z, Z)[0][1])
        yield Row(f"output of “sing” in “{name}”", output, qkv.soft_retrieve(Z[1], Z, Z))
        yield Row(f"hard choice of “sing” in “{name}”", "[1, 1, 1.1]", qkv.retrieve(Z[1], Z, Z))
    yield Row(
        "keys of “Birds sing”, values of “Choirs sing”",
        "[0.7703, 1.2297, 0.8473]",
        qkv.soft_retrieve(birds[1], birds, choirs),
    )


def cross():
    X, Y = vectors("noor"), vectors("question")
    weights, output = read(Y, X)
    yield Row(
        "a question reads the sentence: shapes", "[5, 13, 5, 3]", weights.shape + output.shape
    )
    yield Row("“bicycle” of the question on “bicycle”", "0.7612", weights[3, 4])
    yield Row(
        "“Where” on “parked”, “behind”, “library”, “late”",
        "[0.1750, 0.0353, 0.0159, 0.1750]",
        weights[0, [1, 5, 7, 11]],
    )
