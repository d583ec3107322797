import numpy as np

import qkv
from qkv.reproduce import Row
from qkv.reproduce._examples import running, torch_or_none


def rows():
    X, W_Q, W_K, W_V, _ = running()
    W, mask = (W_Q, W_K, W_V), qkv.causal_mask(3)
    full, causal = qkv.read(X, *W), qkv.read(X, *W, mask=mask)
    yield Row("causal weights, row 1", "[1, 0, 0]", causal.weights[0])
    yield Row("causal weights, row 2", "[0.5, 0.5, 0]", causal.weights[1])
    yield Row("causal output, row 1", "[2, 0]", causal.output[0])
    yield Row("causal output, row 2", "[1, 0.5]", causal.output[1])
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
    torch = torch_or_none()
    if torch:
        for dtype, quoted in ((torch.float64, "< 1e-12"), (torch.float32, "< 1e-6")):
            given = [torch.tensor(x, dtype=dtype) for x in qkv.project(X, *W)]
            theirs = torch.nn.functional.scaled_dot_product_attention(*given, is_causal=True)
            name = str(dtype).removeprefix("torch.")
            yield Row(f"torch's is_causal in {name}", quoted, abs(theirs.numpy() - causal.output))
