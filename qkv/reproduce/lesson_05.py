import numpy as np

import qkv
from qkv import draws
from qkv.reproduce import Row


def rows():
    mixing = qkv.inputs()["raw_mixing"]
    e, v, offset = mixing["scores"], mixing["values"], mixing["offset"]
    yield Row("raw mixing of (10, 20) with (2, 1)", "40", e @ v)
    yield Row("the same, 100 added to both scores", "3040", (e + offset) @ v)
    yield Row("softmax of (2, 1)", "[0.731059, 0.268941]", qkv.softmax(e))
    yield Row("softmax of (102, 101)", "[0.731059, 0.268941]", qkv.softmax(e + offset))
    yield Row("mixture with softmax", "12.689414", qkv.softmax(e) @ v)
    yield Row("the same, 100 added to both scores", "12.689414", qkv.softmax(e + offset) @ v)

    pencil = qkv.inputs()["pencil"]
    q, K, V = pencil["q"][None], pencil["K"], pencil["V"]
    read, blocked = qkv.attention(q, K, V), qkv.attention(q, K, V, mask=pencil["mask"])
    yield Row("pencil: scores", "[1, 0, 1]", read.scores[0])
    yield Row("pencil: weights", "[0.4223, 0.1554, 0.4223]", read.weights[0])
    yield Row("pencil: output", "[5.912, 4.088]", read.output[0])
    yield Row("pencil: third candidate blocked", "[0.7311, 0.2689, 0]", blocked.weights[0])
    ratio = np.log(read.weights[0, 0] / read.weights[0, 1]) - q[0] @ (K[0] - K[1]) / 2**0.5
    yield Row("pencil: log(a₁/a₂) − qᵀ(k₁ − k₂)/√d_k", "< 1e-12", abs(ratio))

    e = read.scores[0]
    for T in (0.5, 1.0, 2.0):
        best = qkv.softmax(e / T)
        gap = qkv.objective(best, e, T) - qkv.objective(_competitors(), e, T)
        off = gap - T * qkv.kl(_competitors(), best)
        yield Row(f"softmax minus 2000 competitors, T = {T}", "> 0", gap)
        yield Row(f"that gap against T·KL, T = {T}", "< 1e-10", abs(off))

    Q, K = draws.normals(1, (20, 2)), draws.normals(2, (4, 5))
    W_q, W_k, w = draws.normals(3, (2, 6)), draws.normals(4, (5, 6)), draws.normals(5, 6)
    for tanh, quoted in ((False, "< 1e-12"), (True, "> 0.1")):
        weights = qkv.softmax(qkv.additive_scores(Q, K, W_q, W_k, w, tanh=tanh))
        name = "with" if tanh else "without"
        yield Row(f"additive scores {name} tanh: spread over 20 queries", quoted,
                  np.ptp(weights, axis=0).max())  # fmt: skip


def _competitors():
    """2000 points of the simplex over three positions; those to a high power lie near a corner."""
    a = draws.uniforms(11, 6000).reshape(2000, 3) + 1e-9
    a = a ** np.repeat([1.0, 3.0, 10.0, 30.0], 500)[:, None]
    return a / a.sum(-1, keepdims=True)
