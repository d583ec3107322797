import numpy as np

import qkv
from qkv.reproduce import Row, running, torch_or_none


def rows():
    X, W_Q, W_K, W_V, _ = running()
    Q, K, V = qkv.project(X, W_Q, W_K, W_V)
    read = qkv.attention(Q, K, V)
    yield Row("K", "[[1, 1], [0, 1], [1, 2]]", K)
    yield Row("V", "[[2, 0], [0, 1], [2, 1]]", V)
    yield Row("raw scores QKᵀ", "[[1, 0, 1], [1, 1, 2], [2, 1, 3]]", Q @ K.T)
    yield Row("scores, row 2", "[0.707107, 0.707107, 1.414214]", read.scores[1])
    exp = np.exp(read.scores[1])
    yield Row("exponentials, row 2", "[2.028115, 2.028115, 4.113250]", exp)
    yield Row("their sum", "8.169480", exp.sum())
    yield Row("weights, row 1", "[0.401112, 0.197776, 0.401112]", read.weights[0])
    yield Row("weights, row 2", "[0.248255, 0.248255, 0.503490]", read.weights[1])
    yield Row("weights, row 3", "[0.283995, 0.140029, 0.575975]", read.weights[2])
    yield Row("output, row 1", "[1.604448, 0.598888]", read.output[0])
    yield Row("output, row 2", "[1.503490, 0.751745]", read.output[1])
    yield Row("output, row 3", "[1.719942, 0.716005]", read.output[2])
    columns = read.weights.sum(axis=0)
    yield Row("column sums of the weights", "[0.933363, 0.586060, 1.480577]", columns)
    down = qkv.softmax(read.scores, axis=0)
    yield Row("softmax down the columns: row sums", "[0.5861, 0.9334, 1.4806]", down.sum(axis=1))
    yield Row("softmax down the columns: output, row 3", "[2.1589, 0.9771]", (down @ V)[2])
    swapped = qkv.attention(Q, V, K)
    yield Row("K and V exchanged: output, row 2", "[0.5989, 1.4011]", swapped.output[1])
    moved = qkv.project(X + [[0, 0], [0, 0], [2, -1]], W_Q, W_K, W_V)
    change = moved.Q @ moved.K.T - Q @ K.T
    yield Row("x₃ = [3, 0]: change of QKᵀ", "[[0, 0, 2], [0, 0, 1], [1, -1, 6]]", change)
    new = qkv.attention(Q, K, [[2, 0], [0, 1], [2, -1]])
    yield Row("v₃ = [2, −1]: output, row 2", "[1.5035, -0.2552]", new.output[1])
    loops = [[sum(a * v[c] for a, v in zip(row, V, strict=True)) for c in range(2)]
             for row in read.weights]  # fmt: skip
    yield Row("loops against matrices", "< 1e-12", abs(np.array(loops) - read.output))
    other = qkv.attention(Q, K, V + 1)
    yield Row("V changed: change of the weights", "≤ 0", abs(other.weights - read.weights))
    heads = [qkv.attention(Q[:, [h]], K[:, [h]], V[:, [h]]).output for h in (0, 1)]
    yield Row("two heads of width 1, row 2", "[1.333333, 0.788058]", np.concatenate(heads, -1)[1])
    tiles = qkv.softmax(read.scores[1, :2]) @ V[:2]
    yield Row("tiled by one key: row 2 after two blocks", "[1, 0.5]", tiles)
    torch = torch_or_none()
    if torch:
        theirs = torch.nn.functional.scaled_dot_product_attention(*map(torch.tensor, (Q, K, V)))
        twin = qkv.torch.attention(*map(torch.tensor, (Q, K, V))).output
        yield Row("PyTorch twin against NumPy", "< 1e-12", abs(twin.numpy() - read.output))
        yield Row(
            "torch's own function against NumPy", "< 1e-12", abs(theirs.numpy() - read.output)
        )
