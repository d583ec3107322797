import qkv
from qkv.reproduce import Row


def rows():
    s = qkv.inputs()["sentences"]
    sing, output = [], []
    for name in ("birds", "choirs"):
        ids = s[f"{name}_ids"]
        X = s["embeddings"][ids] + s["positions"][: len(ids)]
        sing.append(X[1])
        output.append(qkv.soft_retrieve(X[1], X, X))
    yield Row("x of “sing” in “Birds sing”", "[1, 1, 1.1]", sing[0])
    yield Row("x of “sing” in “Choirs sing”", "[1, 1, 1.1]", sing[1])
    yield Row("output of “sing” in “Birds sing”", "[1.2297, 0.7703, 0.8473]", output[0])
    yield Row("output of “sing” in “Choirs sing”", "[0.7703, 1.2297, 0.8473]", output[1])
