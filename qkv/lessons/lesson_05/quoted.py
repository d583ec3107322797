import numpy as np

import qkv
from qkv import draws
from qkv.reproduce import Row, central, running


def rows():
    mixing = qkv.inputs()["raw_mixing"]
    e, v, offset = mixing["scores"], mixing["values"], mixing["offset"]
    yield Row("raw mixing of (10, 20) with (2, 1)", "40", e @ v)
    yield Row("the same, 100 added to both scores", "3040", (e + offset) @ v)
    yield Row("softmax of (2, 1)", "[0.731059, 0.268941]", qkv.softmax(e))
    yield Row("softmax of (102, 101)", "[0.731059, 0.268941]", qkv.softmax(e + offset))
    for rival, quoted in ((1, "0.7311"), (2, "0.5000"), (3, "0.2689")):
        yield Row(f"weight of score 2 beside {rival}", quoted, qkv.softmax([2, rival])[0])
    large = np.array([1000.0, 1001.0])
    yield Row("softmax of (1000, 1001)", "[0.268941, 0.731059]", qkv.softmax(large))
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

    yield from _running()

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


def _running():
    """Reader 2 in the triangle of values, at five temperatures; what readers can't tell apart."""
    X, W_Q, W_K, W_V, _ = running()
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    read = qkv.attention(Q, K, V)
    e = read.scores[1]
    yield Row("running, reader 2: scores", "[0.707107, 0.707107, 1.414214]", e)
    yield Row("running, reader 2: weights", "[0.248255, 0.248255, 0.503490]", read.weights[1])
    yield Row("running, reader 2: output", "[1.503490, 0.751745]", read.output[1])
    yield Row("running, reader 2: raw mix", "[4.243, 2.121]", e @ V)

    quoted = {
        0.1: ("[0.0008, 0.0008, 0.9983]", "0.0137"),
        0.5: ("[0.1636, 0.1636, 0.6728]", "0.8589"),
        1: ("[0.2483, 0.2483, 0.5035]", "1.0373"),
        2: ("[0.2920, 0.2920, 0.4159]", "1.0838"),
        10: ("[0.3254, 0.3254, 0.3492]", "1.0980"),
    }
    for T, (weights, entropy) in quoted.items():
        yield Row(f"reader 2 at T = {T}: weights", weights, qkv.softmax(e / T))
        yield Row(f"reader 2 at T = {T}: entropy", entropy, qkv.entropy(qkv.softmax(e / T)))
    yield Row("largest entropy of three weights, log 3", "1.0986", np.log(3))
    yield Row("output at T = 10", "[1.3492, 0.6746]", qkv.softmax(e / 10) @ V)
    yield Row("mean of the values", "[1.3333, 0.6667]", V.mean(axis=0))

    for t in (0, 1, 2):
        a = qkv.softmax(K @ (Q[0] + [0, t]) / np.sqrt(2))
        yield Row(f"q₁ moved by {t}, orthogonal to k₁ − k₂: a₁/a₂", "2.0281", a[0] / a[1])
    twins = qkv.softmax(Q @ K[[0, 1, 1]].T / np.sqrt(2))
    yield Row("twin keys: difference of their weights", "< 1e-12", abs(twins[:, 1] - twins[:, 2]))
    w = np.array([2.0, 1.0])
    plain = qkv.softmax(qkv.additive_scores(Q, K, np.eye(2), np.eye(2), w, tanh=False))
    bent = qkv.softmax(qkv.additive_scores(Q, K, np.eye(2), np.eye(2), w))
    for i in range(3):
        yield Row(f"weights without tanh, reader {i + 1}", "[0.2595, 0.0351, 0.7054]", plain[i])
    yield Row(
        "weights with tanh",
        "[[0.3458, 0.2307, 0.4234], [0.4445, 0.0969, 0.4585], [0.3706, 0.2472, 0.3822]]",
        bent,
    )

    T = 0.5
    best = qkv.softmax(e / T)
    slope = central(lambda a: _trade(a, e, T), best)  # equal slopes: no exchange of weight pays
    yield Row("slope of F at softmax: differences between positions", "< 1e-8", np.ptp(slope))


def _trade(a, e, T):
    """F(a) = Σ a e + T H(a), for any positive a."""
    return a @ e - T * a @ np.log(a)


def _competitors():
    """2000 points of the simplex over three positions; those to a high power lie near a corner."""
    a = draws.uniforms(11, 6000).reshape(2000, 3) + 1e-9
    a = a ** np.repeat([1.0, 3.0, 10.0, 30.0], 500)[:, None]
    return a / a.sum(-1, keepdims=True)
