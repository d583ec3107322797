import numpy as np

import qkv
from qkv.reproduce import Row, running, torch_or_none

from .exercises import EXERCISES


def rows():
    X, W_Q, W_K, W_V, _ = running()
    W, mask = (W_Q, W_K, W_V), qkv.causal_mask(3)
    full, causal = qkv.read(X, *W), qkv.read(X, *W, mask=mask)
    yield Row("causal weights, row 1", "[1, 0, 0]", causal.weights[0])
    yield Row("causal weights, row 2", "[0.5, 0.5, 0]", causal.weights[1])
    yield Row("causal output, row 1", "[2, 0]", causal.output[0])
    yield Row("causal output, row 2", "[1, 0.5]", causal.output[1])
    yield Row("causal weights, row 3", "[0.283995, 0.140029, 0.575975]", causal.weights[2])
    yield Row("causal output, row 3", "[1.719942, 0.716005]", causal.output[2])
    yield Row("row 3, causal against full", "< 1e-12", abs(causal.output[2] - full.output[2]))
    zeroed = np.where(mask, full.weights, 0)
    yield Row("softmax, then zero: sum of row 2", "0.496510", zeroed[1].sum())
    again = zeroed / zeroed.sum(-1, keepdims=True)
    off = abs(again - causal.weights)
    yield Row("zero, then renormalise, against mask, then softmax", "< 1e-12", off)
    prefixes = [qkv.read(X[: i + 1], *W).output[-1] for i in range(3)]
    yield Row("each prefix on its own against the rows", "< 1e-12", abs(prefixes - causal.output))

    def model(*masks):
        def run(x):
            for m in masks:
                x = x + qkv.read(x, *W, mask=m).output
            return x

        return run

    yield Row("leak without a mask", "True", qkv.has_leak(model(None), X))
    yield Row("leak with a mask", "False", qkv.has_leak(model(mask), X))
    yield Row("leak, masked in the last of two layers only", "True",
              qkv.has_leak(model(None, mask), X))  # fmt: skip
    yield Row("leak, masked in both layers", "False", qkv.has_leak(model(mask, mask), X))
    equivariant = qkv.is_permutation_equivariant
    yield Row("permutation equivariant without a mask", "True", equivariant(model(None), X))
    yield Row("permutation equivariant with a mask", "False", equivariant(model(mask), X))
    yield from numbers_of_the_cells(X, W, mask)
    torch = torch_or_none()
    if torch:
        yield from blocked_rows(torch)
        for dtype, quoted in ((torch.float64, "< 1e-12"), (torch.float32, "< 1e-6")):
            given = [torch.tensor(x, dtype=dtype) for x in qkv.project(X, *W)]
            theirs = torch.nn.functional.scaled_dot_product_attention(*given, is_causal=True)
            name = str(dtype).removeprefix("torch.")
            yield Row(f"torch's is_causal in {name}", quoted, abs(theirs.numpy() - causal.output))


def numbers_of_the_cells(X, W, mask):
    def late(x):  # softmax, then zero
        return np.tril(qkv.read(x, *W).weights) @ (x @ W[2])

    def stack(x, first):
        return qkv.read(qkv.read(x, *W, mask=first).output, *W, mask=mask).output

    def moves(model, x):
        return abs(model(x) - model(X)).max(-1)

    new, blind = X.copy(), X.copy()
    new[2], blind[2] = [2, 1], [2, 0]
    outputs = "[[0.8022, 0.0000], [0.4965, 0.2483], [1.7199, 0.7160]]"
    yield Row("softmax, then zero: outputs", outputs, late(X))
    outputs = "[[0.5680, 0.0000], [0.3272, 0.1636], [3.8363, 0.9449]]"
    yield Row("the same with x₃ = [2, 1]", outputs, late(new))
    yield Row("moves with x₃ = [2, 0]", "[0.2342, 0.0000, 1.7251]", moves(late, blind))
    yield Row("two layers, the last masked: moves", "[2.5349, 2.8124, 4.2817]",
              moves(lambda x: stack(x, None), new))  # fmt: skip
    yield Row("two layers, both masked: moves", "[0.0000, 0.0000, 4.1205]",
              moves(lambda x: stack(x, mask), new))  # fmt: skip
    order = [2, 0, 1]
    yield Row("full: permuted rows against permuted outputs", "< 1e-12",
              abs(qkv.read(X[order], *W).output - qkv.read(X, *W).output[order]))  # fmt: skip
    permuted = qkv.read(X[order], *W, mask=mask).output
    rows = "[[2.0000, 1.0000], [2.0000, 0.5000], [1.5035, 0.7517]]"
    yield Row("causal: outputs of the permuted rows", rows, permuted)
    far = qkv.softmax([0.0, 0.0, 800.0]) * [1, 1, 0]
    yield Row("scores 0, 0, 800: what softmax leaves of the open ones", "≤ 0", far)
    yield Row("by hand: a₂₁, a₂₂, o₂, sum", "[0.25, 0.75, 5.00, 0.40]",
              EXERCISES["07.hand"].answer)  # fmt: skip


def blocked_rows(torch):
    """The table of the row with nothing to read: how each method's weights look."""
    pencil = qkv.inputs()["pencil"]
    unmasked = qkv.attention(pencil["q"][None], pencil["K"], np.eye(3)).weights
    for dtype, added in ((torch.float64, "unmasked read"), (torch.float32, "equal weights")):
        q, K, V = (
            torch.tensor(x, dtype=dtype) for x in (pencil["q"][None], pencil["K"], np.eye(3))
        )
        e, closed = q @ K.mT / 2**0.5, torch.zeros(1, 3, dtype=torch.bool)
        name = str(dtype).removeprefix("torch.")
        for method, quoted, row in [
            ("−∞ filled in", "not a number", torch.full_like(e, -torch.inf).softmax(-1)),
            ("−1e9 filled in", "equal weights", torch.full_like(e, -1e9).softmax(-1)),
            ("−1e9 added", added, (e - 1e9).softmax(-1)),
            ("torch's function", "zeros",
             torch.nn.functional.scaled_dot_product_attention(q, K, V, attn_mask=closed)),
        ]:  # fmt: skip
            yield Row(f"blocked row, {name}, {method}", quoted, in_words(row.numpy(), unmasked))
    half = torch.tensor([-1e9], dtype=torch.float16)
    yield Row("−1e9 in float16", "-inf", half.double().numpy()[0])


def in_words(row, unmasked):
    if np.isnan(row).any():
        return "not a number"
    if (row == 0).all():
        return "zeros"
    if abs(row - 1 / 3).max() < 1e-6:
        return "equal weights"
    return "unmasked read" if abs(row - unmasked).max() < 1e-7 else "something else"
