import numpy as np

import qkv
from qkv.reproduce import Row, running, torch_or_none


def rows():
    X, W_Q, W_K, W_V, _ = running()
    Q, K, V = qkv.project(X, W_Q, W_K, W_V)
    yield Row("raw scores without projections", "[[1, 0, 1], [0, 1, 1], [1, 1, 2]]", X @ X.T)
    yield Row("XXᵀ is symmetric", "yes", _yes(_symmetric(X @ X.T)))
    yield Row("three roles of x₃", "[[1, 1], [1, 2], [2, 1]]", [Q[2], K[2], V[2]])
    yield Row("Q", "[[1, 0], [0, 1], [1, 1]]", Q)
    yield Row("K", "[[1, 1], [0, 1], [1, 2]]", K)
    yield Row("V", "[[2, 0], [0, 1], [2, 1]]", V)
    yield Row("parameters, all widths 2", "12", _parameters(X, W_Q, W_V))
    wide = np.zeros((1, 512)), np.zeros((512, 64)), np.zeros((512, 64))
    yield Row("parameters, widths 512, 64, 64", "98304", _parameters(*wide))
    longer = qkv.project(np.vstack([X, [3, -1]]), W_Q, W_K, W_V)
    yield Row("keys of four positions", "[[1, 1], [0, 1], [1, 2], [3, 2]]", longer.K)
    yield Row("W_K forgotten to transpose", "[[1, 0], [1, 1], [2, 1]]", X @ W_K.T)

    B = W_Q @ W_K.T
    yield Row("B = W_Q W_Kᵀ", "[[1, 0], [1, 1]]", B)
    yield Row("raw scores QKᵀ", "[[1, 0, 1], [1, 1, 2], [2, 1, 3]]", Q @ K.T)
    yield Row("xᵢᵀ W_Q W_Kᵀ xⱼ against qᵢ·kⱼ", "< 1e-12", abs(X @ B @ X.T - Q @ K.T))
    yield Row("QKᵀ is symmetric", "no", _yes(_symmetric(Q @ K.T)))
    yield Row("x₂ᵀ(B − Bᵀ)x₁", "1", X[1] @ (B - B.T) @ X[0])
    narrow = W_Q[:, :1] @ W_K[:, :1].T
    yield Row("rank of B, with both columns and with one", "[2, 1]", [_rank(B), _rank(narrow)])
    yield Row("raw scores with dₖ = 1", "[[1, 0, 1], [0, 0, 0], [1, 0, 1]]", X @ narrow @ X.T)

    exp = np.exp(X @ X.T)
    yield Row("exp of XXᵀ: row sums", "[6.4366, 6.4366, 12.8256]", exp.sum(axis=1))
    weights = qkv.softmax(X @ X.T)
    quoted = "[[0.4223, 0.1554, 0.4223], [0.1554, 0.4223, 0.4223], [0.2119, 0.2119, 0.5761]]"
    yield Row("weights of XXᵀ", quoted, weights)
    yield Row("they are symmetric", "no", _yes(_symmetric(weights)))

    q, keys = np.array([1, 1]), np.array([[1, 1], [2, 2], [5, 0]])
    yield Row("a copy of q and two longer keys: raw scores", "[2, 4, 5]", keys @ q)
    cosines = keys @ q / np.linalg.norm(keys, axis=1) / np.linalg.norm(q)
    yield Row("cosines", "[1.0000, 1.0000, 0.7071]", cosines)

    R = np.array([[2.0, 1.0], [1.0, 1.0]])
    Q_new, K_new = X @ W_Q @ R, X @ W_K @ np.linalg.inv(R).T
    yield Row("Q with another gauge", "[[2, 1], [1, 1], [3, 2]]", Q_new)
    yield Row("K with another gauge", "[[0, 1], [-1, 2], [-1, 3]]", K_new)
    yield Row("raw scores with (W_Q R, W_K R⁻ᵀ)", "< 1e-12", abs(Q_new @ K_new.T - Q @ K.T))

    other = np.vstack([X[:2], [0, 2]])
    yield Row("x₃ replaced: raw scores of reader 1", "[1, 0, 0]", X[0] @ B @ other.T)
    before, after = qkv.softmax(X[0] @ B @ X.T), qkv.softmax(X[0] @ B @ other.T)
    yield Row("weights of reader 1 before", "[0.4223, 0.1554, 0.4223]", before)
    yield Row("weights of reader 1 after", "[0.5761, 0.2119, 0.2119]", after)
    torch = torch_or_none()
    if torch:
        ours = np.stack(qkv.project(X, W_Q, W_K, W_V))
        theirs = np.stack([
            torch.nn.functional.linear(torch.tensor(X), torch.tensor(W.T)).numpy()
            for W in (W_Q, W_K, W_V)
        ])  # fmt: skip
        yield Row("torch's linear layer against NumPy", "< 1e-12", abs(theirs - ours))


def _parameters(X, W_Q, W_V):
    d_model, d_k, d_v = X.shape[1], W_Q.shape[1], W_V.shape[1]
    return d_model * (2 * d_k + d_v)


def _symmetric(A):
    return np.allclose(A, A.T)


def _rank(A):
    return np.linalg.matrix_rank(A)


def _yes(truth):
    return "yes" if truth else "no"
