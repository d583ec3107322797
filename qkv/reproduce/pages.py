"""The pages that are not lessons: the answers of the prerequisites' self-test."""

import numpy as np

from ._examples import central
from .row import Row


def rows():
    A = np.array([[1, 2, 0], [0, 1, 3]])
    B = np.array([[2, 1], [1, 0], [0, 4]])
    yield Row("self-test 1: AB", "[[4, 1], [1, 12]]", A @ B)
    yield Row("self-test 1: shapes", "[[2, 2], [3, 3]]", [(A @ B).shape, (B @ A).shape])
    yield Row("self-test 3: shape of AᵀBᵀ", "[3, 3]", (A.T @ B.T).shape)
    yield Row("self-test 4: exp(log 2 + log 3)", "6", np.exp(np.log(2) + np.log(3)))
    exp = np.exp([0, np.log(3)])
    yield Row("self-test 5: the numbers", "[1, 3]", exp)
    yield Row("self-test 5: the shares", "[0.25, 0.75]", exp / exp.sum())
    w = central(lambda w: float((w * 3 - 5) ** 2), np.array(2.0))
    yield Row("self-test 7: dL/dw", "6", w)
    yield Row("self-test 8: the two paths", "[8, 6]", [2 * (3 + 1), 1 * (2 * 3)])
    yield Row("self-test 8: dL/ds", "14", central(lambda s: float(2 * s * (s + 1)), np.array(3.0)))
    numbers = np.array([1, 3, 5, 7])
    yield Row("self-test 10: mean", "4", numbers.mean())
    yield Row("self-test 10: squared distances", "[9, 1, 1, 9]", (numbers - numbers.mean()) ** 2)
    yield Row("self-test 10: variance", "5", numbers.var())
    yield Row("self-test 11: variance", "0.05", (numbers / 10).var())
    yield Row("self-test 11: factor", "100", numbers.var() / (numbers / 10).var())
    signs = np.array(np.meshgrid(*[[-1, 1]] * 9)).reshape(9, -1)  # every outcome once
    yield Row("self-test 12: variance of the sum", "9", signs.sum(axis=0).var())
    yield Row("self-test 12: standard deviation", "3", signs.sum(axis=0).std())
