import numpy as np

import qkv
from qkv.reproduce import Row
from qkv.reproduce._examples import running


def rows():
    X, W_Q, W_K, W_V, _ = running()
    Q, K, V = qkv.project(X, W_Q, W_K, W_V)
    yield Row("K", "[[1, 1], [0, 1], [1, 2]]", K)
    yield Row("V", "[[2, 0], [0, 1], [2, 1]]", V)
    yield Row("raw scores QKᵀ", "[[1, 0, 1], [1, 1, 2], [2, 1, 3]]", Q @ K.T)
    yield Row("three roles of x₃", "[[1, 1], [1, 2], [2, 1]]", [Q[2], K[2], V[2]])
    bilinear = X @ W_Q @ W_K.T @ X.T
    yield Row("xᵢᵀ W_Q W_Kᵀ xⱼ against qᵢ·kⱼ", "< 1e-12", abs(bilinear - Q @ K.T))
    R = np.array([[2.0, 1.0], [1.0, 1.0]])
    moved = (X @ W_Q @ R) @ (X @ W_K @ np.linalg.inv(R).T).T
    yield Row("raw scores with (W_Q R, W_K R⁻ᵀ)", "< 1e-12", abs(moved - Q @ K.T))
    symmetric = X @ X.T
    yield Row("XXᵀ is symmetric", "yes", _yes(np.array_equal(symmetric, symmetric.T)))
    yield Row("QKᵀ is symmetric", "no", _yes(np.array_equal(Q @ K.T, (Q @ K.T).T)))
    weights = qkv.softmax(symmetric)
    yield Row("softmax of XXᵀ is symmetric", "no", _yes(np.allclose(weights, weights.T)))


def _yes(truth):
    return "yes" if truth else "no"
