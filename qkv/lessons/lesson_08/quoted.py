import numpy as np

import qkv
from qkv import draws, tiny_reader
from qkv.reproduce import Row, central, running, torch_or_none

NAMES = ("X", "W_Q", "W_K", "W_V")


def rows():
    X, W_Q, W_K, W_V, G = running()
    yield from _one_row(X, W_Q, W_K, W_V, G)
    back = qkv.attention_backward(*qkv.project(X, W_Q, W_K, W_V), G)
    scores = back.scores
    grad = qkv.read_backward(X, W_Q, W_K, W_V, G)
    yield Row("∂L/∂e, row 1", "[0.158661, -0.317321, 0.158661]", scores[0])
    yield Row("∂L/∂e, row 2", "[0.123261, -0.373249, 0.249988]", scores[1])
    yield Row("∂L/∂e, row 3", "[-0.203342, 0.039768, 0.163574]", scores[2])
    yield Row("∇Q", "[[0.2244, 0.1122], [0.2639, 0.1768], [-0.0281, 0.1157]]", back.Q)
    yield Row("∇K", "[[-0.0316, -0.0566], [-0.1963, -0.2358], [0.2279, 0.2924]]", back.K)
    yield Row("∇V", "[[0.6494, 0.2840], [0.4460, 0.1400], [0.9046, 0.5760]]", back.V)
    yield Row("∇W_Q", "[[0.196260, 0.227854], [0.235807, 0.292433]]", grad.W_Q)
    yield Row("∇W_K", "[[0.196260, 0.235807], [0.031595, 0.056626]]", grad.W_K)
    yield Row("∇W_V", "[[1.553969, 0.859971], [1.350633, 0.716005]]", grad.W_V)
    yield Row("∇X", "[[1.434894, 0.339560], [0.723922, 0.080990], [2.301371, 0.984072]]", grad.X)
    yield Row("sums of the rows of ∂L/∂e", "< 1e-12", abs(scores.sum(-1)))
    yield from _causal(X, W_Q, W_K, W_V, G)
    yield from _differences(X, W_Q, W_K, W_V, G)
    yield from _step_sizes(X, W_Q, W_K, W_V)
    yield from _checks("running", (X, W_Q, W_K, W_V), G)
    for seed in range(3):  # a batch of two, sizes drawn
        n, d_model, d_k, d_v = (2 + 5 * draws.uniforms(seed, 4)).astype(int)
        shapes = [(2, n, d_model), (d_model, d_k), (d_model, d_k), (d_model, d_v), (2, n, d_v)]
        *drawn, G = (draws.normals(10 * seed + i, shape) for i, shape in enumerate(shapes))
        yield from _checks(f"n = {n}, widths {d_model}, {d_k}, {d_v}", drawn, G)
    yield from _training()


def _one_row(X, W_Q, W_K, W_V, G):
    """Reader 2 of the running example."""
    Q, K, V = qkv.project(X, W_Q, W_K, W_V)
    read = qkv.attention(Q, K, V)
    a, o = read.weights[1], read.output[1]
    yield Row("output", "[[1.6044, 0.5989], [1.5035, 0.7517], [1.7199, 0.7160]]", read.output)
    yield Row("loss Σ g·o", "3.8239", (G * read.output).sum())
    jacobian = np.diag(a) - np.outer(a, a)
    yield Row("weights, row 2", "[0.2483, 0.2483, 0.5035]", a)
    yield Row(
        "Jacobian of row 2",
        "[[0.1866, -0.0616, -0.1250], [-0.0616, 0.1866, -0.1250], [-0.1250, -0.1250, 0.2500]]",
        jacobian,
    )
    yield Row(
        "v − o₂", "[[0.4965, -0.7517], [-1.5035, 0.2483], [0.4965, 0.2483]]", V - o
    )  # fmt: skip
    yield Row("pull, row 2", "[0.1233, -0.3732, 0.2500]", a * ((V - o) @ G[1]))
    nudged = qkv.softmax(read.scores[1] + [0, 3, 0]) @ V
    yield Row(
        "share of the way to v₂ for a nudge of 3", "[0.8257, 0.8257]", (nudged - o) / (V[1] - o)
    )


def _causal(X, W_Q, W_K, W_V, G):
    given = qkv.project(X, W_Q, W_K, W_V)
    causal = qkv.attention_backward(*given, G, mask=qkv.causal_mask(3))
    yield Row("∂L/∂e, causal, row 1", "[0, 0, 0]", causal.scores[0])
    yield Row("∂L/∂e, causal, row 2", "[0.500000, -0.500000, 0]", causal.scores[1])
    yield Row("∂L/∂e, causal, row 3", "[-0.203342, 0.039768, 0.163574]", causal.scores[2])
    yield Row("∇V, causal", "[[1.5000, 0.2840], [0.5000, 0.1400], [0, 0.5760]]", causal.V)


def _differences(X, W_Q, W_K, W_V, G):
    given = dict(zip(NAMES, (X, W_Q, W_K, W_V), strict=True))
    hand = qkv.read_backward(X, W_Q, W_K, W_V, G)
    powers, errors = (-1, -3, -5, -7, -9, -11), []
    for power in powers:
        off = 0.0
        for part in NAMES:

            def loss(x, part=part):
                return (G * qkv.read(**given | {part: x}).output).sum()

            numeric = central(loss, given[part], step=10.0**power)
            off = max(off, abs(getattr(hand, part) - numeric).max())
        errors.append(off)
    yield Row("central differences: best step, power of 10", "-5", powers[int(np.argmin(errors))])


def _step_sizes(X, *W):
    target = np.array([0, 1])

    def loss(W):
        return 0.5 * ((qkv.read(X, *W).output[1] - target) ** 2).sum()

    G = np.zeros((3, 2))
    G[1] = qkv.read(X, *W).output[1] - target
    slopes = qkv.read_backward(X, *W, G)[1:]
    square = sum((S**2).sum() for S in slopes)
    yield Row("half squared distance of o₂ from [0, 1]", "1.1611", loss(W))
    quoted = {0.01: "[-0.0304, -0.0302]", 0.3: "[-0.9129, -0.7249]", 10: "[-30.4315, 50.2998]"}
    for eta, text in quoted.items():
        moved = [M - eta * S for M, S in zip(W, slopes, strict=True)]
        yield Row(f"step {eta}: predicted, actual", text, [-eta * square, loss(moved) - loss(W)])


def _checks(name, arrays, G):
    torch = torch_or_none()
    for mask in (None, qkv.causal_mask(arrays[0].shape[-2])):
        case = f"{name}, {'causal' if mask is not None else 'full'}"
        hand = qkv.read_backward(*arrays, G, mask=mask)
        given = dict(zip(NAMES, arrays, strict=True))
        for part in NAMES:

            def loss(x, part=part, given=given, mask=mask):
                return (G * qkv.read(**given | {part: x}, mask=mask).output).sum()

            off = abs(getattr(hand, part) - central(loss, given[part]))
            yield Row(f"∇{part} by hand against central differences, {case}", "< 1e-6", off)
        if torch:
            tensors = [torch.tensor(x, requires_grad=True) for x in arrays]
            qkv.torch.read(*tensors, mask=mask).output.backward(torch.tensor(G))
            off = [abs(a - t.grad.numpy()).max() for a, t in zip(hand, tensors, strict=True)]
            yield Row(f"all four by hand against autograd, {case}", "< 1e-10", off)
        if mask is not None:
            E = qkv.attention_backward(*qkv.project(*arrays), G, mask=mask).scores
            yield Row(f"∂L/∂e where blocked, {case}", "≤ 0", abs(E[..., ~mask]))


def _training():
    runs = [tiny_reader.train(seed) for seed in range(10)]
    results = [tiny_reader.examine(run.matrices) for run in runs]
    untrained = [tiny_reader.examine(tiny_reader.start(seed)).link for seed in range(10)]
    yield Row("untrained: largest weight on the right card", "< 0.3", untrained)
    found = [r.link >= 0.99 and r.weight >= 0.9 for r in results]
    yield Row("readers of ten that found their link", "10", sum(found))
    yield Row("ten seeds: largest weight on the right card", "≥ 0.99", [r.link for r in results])
    yield Row("ten seeds: mean weight of the right card", "≥ 0.9", [r.weight for r in results])
    a, b = runs[0].matrices, runs[1].matrices
    apart = np.linalg.norm(a.W_Q - b.W_Q) / np.linalg.norm(a.W_Q)
    yield Row("two seeds: ‖difference of W_Q‖/‖W_Q‖", "> 1", apart)
    yield Row("two seeds: difference of the loss", "< 1e-3", abs(results[0].loss - results[1].loss))
    moved = tiny_reader.change_gauge(a, tiny_reader.gauge_between(a, b))
    off = abs(tiny_reader.examine(moved).loss - results[0].loss)
    yield Row("the first reader with the second one's queries: change of the loss", "< 1e-12", off)
