import numpy as np

import qkv
from qkv import draws, tiny_reader
from qkv.reproduce import Row
from qkv.reproduce._examples import central, running, torch_or_none

NAMES = ("X", "W_Q", "W_K", "W_V")


def rows():
    X, W_Q, W_K, W_V, G = running()
    scores = qkv.attention_backward(*qkv.project(X, W_Q, W_K, W_V), G).scores
    grad = qkv.read_backward(X, W_Q, W_K, W_V, G)
    yield Row("∂L/∂e, row 2", "[0.123261, -0.373249, 0.249988]", scores[1])
    yield Row("∇W_Q", "[[0.196260, 0.227854], [0.235807, 0.292433]]", grad.W_Q)
    yield Row("∇W_K", "[[0.196260, 0.235807], [0.031595, 0.056626]]", grad.W_K)
    yield Row("∇W_V", "[[1.553969, 0.859971], [1.350633, 0.716005]]", grad.W_V)
    yield Row("sums of the rows of ∂L/∂e", "< 1e-12", abs(scores.sum(-1)))
    yield from _checks("running", (X, W_Q, W_K, W_V), G)
    shapes = [(2, 5, 3), (3, 4), (3, 4), (3, 2)]  # a batch of two; all sizes apart
    drawn = [draws.normals(40 + i, shape) for i, shape in enumerate(shapes)]
    yield from _checks("drawn", drawn, draws.normals(50, (2, 5, 2)))
    yield from _training()


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
    scores = [tiny_reader.score(run.matrices) for run in runs]
    yield Row("ten seeds: largest weight on the right card", "≥ 0.99", [s.link for s in scores])
    yield Row("ten seeds: mean weight of the right card", "≥ 0.9", [s.weight for s in scores])
    a, b = runs[0].matrices, runs[1].matrices
    apart = np.linalg.norm(a.W_Q - b.W_Q) / np.linalg.norm(a.W_Q)
    yield Row("two seeds: ‖difference of W_Q‖/‖W_Q‖", "> 1", apart)
    yield Row("two seeds: difference of the loss", "< 1e-3", abs(scores[0].loss - scores[1].loss))
    moved = tiny_reader.change_gauge(a, tiny_reader.gauge_between(a, b))
    off = abs(tiny_reader.score(moved).loss - scores[0].loss)
    yield Row("the first reader with the second one's queries: change of the loss", "< 1e-12", off)
