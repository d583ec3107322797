"""Lesson 08's tiny reader: one read, trained from nothing, in NumPy with gradients by hand.

The task: five cards, each [key | value] (two one-hot codes side by side), in any order; the
last row [key | 0] asks for one key. The answer is the value on the card with that key. Keys
on the cards differ, values are drawn with replacement, so the right card can be told by its
key alone: no place in the row and no missing value gives it away.
"""

from typing import NamedTuple

import numpy as np

from qkv import draws
from qkv.attention import attention, attention_backward, softmax

CARDS = 5  # so n = 6 rows, the request included
KEYS = 8
VALUES = 4  # d_v: the output is one logit per value
D_MODEL = KEYS + VALUES
D_K = 8
STEPS = 400
BATCH = 64
RATE = 0.05  # Adam's step


class Matrices(NamedTuple):
    """W_Q, W_K (d_model, d_k) and W_V (d_model, d_v), or their gradients."""

    W_Q: np.ndarray
    W_K: np.ndarray
    W_V: np.ndarray


class Batch(NamedTuple):
    """X (count, n, d_model), the row of the right card (count,), the value on it (count,)."""

    X: np.ndarray
    right: np.ndarray
    answer: np.ndarray


class Run(NamedTuple):
    """A finished training run: the matrices, the loss at each step, frames to scrub through."""

    matrices: Matrices
    losses: np.ndarray
    frames: list


class Result(NamedTuple):
    """On held-out cards: how often the largest weight is on the right card, that card's mean
    weight, the mean loss in nats, and how often the largest logit is the answer's."""

    link: float
    weight: float
    loss: float
    accuracy: float


def draw_cards(seed, count):
    """Draw `count` card files with their requests: keys differ, values with replacement."""
    uniform = draws.uniforms(seed, count * (KEYS + CARDS + 1)).reshape(count, -1)
    keys = np.argsort(uniform[:, :KEYS], axis=1, kind="stable")[:, :CARDS]  # (count, CARDS)
    values = (uniform[:, KEYS:-1] * VALUES).astype(int)  # (count, CARDS)
    return _batch(keys, values, uniform[:, -1])


def draw_permutation_cards(seed, count):
    """NOT for showing that a reader finds its link: kept for a counterexample.

    Four cards carry the four values, each once. Then a reader can be right by *avoiding* the
    right card: it reads all the others and answers with the value it did not see.
    """
    uniform = draws.uniforms(seed, count * (KEYS + VALUES + 1)).reshape(count, -1)
    keys = np.argsort(uniform[:, :KEYS], axis=1, kind="stable")[:, :VALUES]
    values = np.argsort(uniform[:, KEYS:-1], axis=1, kind="stable")  # a permutation of the values
    return _batch(keys, values, uniform[:, -1])


def _batch(keys, values, uniform):
    count, cards = keys.shape
    row, column = np.arange(count), np.arange(cards)
    right = (uniform * cards).astype(int)  # (count,)
    X = np.zeros((count, cards + 1, D_MODEL))
    X[row[:, None], column, keys] = 1  # [key | …
    X[row[:, None], column, KEYS + values] = 1  # … value]
    X[row, -1, keys[row, right]] = 1  # the last row asks: [key | 0]
    return Batch(X, right, values[row, right])


def start(seed):
    """Return small matrices to begin from; another seed, another beginning."""
    shapes = [(D_MODEL, D_K), (D_MODEL, D_K), (D_MODEL, VALUES)]
    skips = np.cumsum([0, *(rows * columns for rows, columns in shapes)])
    return Matrices(*(0.3 * draws.normals(seed, shape, start=int(skip))
                      for shape, skip in zip(shapes, skips[:-1], strict=True)))  # fmt: skip


def forward(matrices, X):
    """Let the last row of X (count, n, d_model) read all rows.

    Returns Q (count, 1, d_k), K (count, n, d_k), V (count, n, d_v) and the Read.
    """
    Q, K, V = X[:, -1:] @ matrices.W_Q, X @ matrices.W_K, X @ matrices.W_V
    return Q, K, V, attention(Q, K, V)


def loss_and_gradient(matrices, batch):
    """Return the mean cross-entropy (nats, over the four values) and its gradient by hand."""
    Q, K, V, read = forward(matrices, batch.X)
    p, loss = _prediction(read, batch.answer)
    g = (p - np.eye(VALUES)[batch.answer]) / len(p)  # ∂L/∂o: (count, d_v)
    grad = attention_backward(Q, K, V, g[:, None])

    def outer(x, dy):  # Σ over the batch and its rows of x dyᵀ
        return x.reshape(-1, D_MODEL).T @ dy.reshape(-1, dy.shape[-1])

    last = batch.X[:, -1:]
    return loss.mean(), Matrices(
        outer(last, grad.Q), outer(batch.X, grad.K), outer(batch.X, grad.V)
    )


def _prediction(read, answer):
    p = softmax(read.output[:, 0])  # (count, d_v): over values, not over cards
    return p, -np.log(p[np.arange(len(p)), answer])


def train(seed=0, steps=STEPS, draw=draw_cards, every=20):
    """Train one reader by Adam on fresh cards at each step; a frame is kept every few steps.

    A frame shows the same held-out card file each time: a dict of step, loss, Q (1, d_k),
    K (n, d_k), V (n, d_v), weights (n,), output (d_v,), g (d_v,), right (its right card).

    Source of Adam: Kingma, Ba, "Adam: A Method for Stochastic Optimization" (ICLR 2015).
    """
    matrices = start(seed)
    mean, square = ([np.zeros_like(W) for W in matrices] for _ in range(2))
    losses, frames = [], [_frame(matrices, 0, draw)]
    for step in range(1, steps + 1):
        loss, grads = loss_and_gradient(matrices, draw(1_000_000 * (seed + 1) + step, BATCH))
        losses.append(loss)
        moved = []
        for i, (W, grad) in enumerate(zip(matrices, grads, strict=True)):
            mean[i] = 0.9 * mean[i] + 0.1 * grad
            square[i] = 0.999 * square[i] + 0.001 * grad**2
            m, v = mean[i] / (1 - 0.9**step), square[i] / (1 - 0.999**step)
            moved.append(W - RATE * m / (np.sqrt(v) + 1e-8))
        matrices = Matrices(*moved)
        if step % every == 0:
            frames.append(_frame(matrices, step, draw))
    return Run(matrices, np.array(losses), frames)


def _held_out(draw, count):
    return draw(999_999, count)  # below every training seed


def _frame(matrices, step, draw):
    X, right, answer = _held_out(draw, 1)
    Q, K, V, read = forward(matrices, X)
    p, loss = _prediction(read, answer)
    g = p[0] - np.eye(VALUES)[answer[0]]
    return {
        "step": step, "loss": float(loss[0]), "Q": Q[0], "K": K[0], "V": V[0],
        "weights": read.weights[0, 0], "output": read.output[0, 0], "g": g,
        "right": int(right[0]),
    }  # fmt: skip


def examine(matrices, draw=draw_cards, count=1000):
    """Return the Result on cards that no training run has seen.

    A reader "finds its link" if link ≥ 0.99 and weight ≥ 0.9.
    """
    batch = _held_out(draw, count)
    read = forward(matrices, batch.X)[-1]
    weights, row = read.weights[:, 0], np.arange(count)  # (count, n)
    loss = _prediction(read, batch.answer)[1].mean()
    return Result(
        link=float((weights.argmax(-1) == batch.right).mean()),
        weight=float(weights[row, batch.right].mean()),
        loss=float(loss),
        accuracy=float((read.output[:, 0].argmax(-1) == batch.answer).mean()),
    )


def change_gauge(matrices, R):
    """Return (W_Q R, W_K R⁻ᵀ, W_V): other matrices, the same scores, the same loss (lesson 03).

    R (d_k, d_k) must have an inverse.
    """
    return Matrices(matrices.W_Q @ R, matrices.W_K @ np.linalg.inv(R).T, matrices.W_V)


def gauge_between(matrices, other):
    """Return the R (d_k, d_k) that turns the queries of one reader into those of another.

    The request's code is one of KEYS unit vectors and d_k = KEYS, so that one R takes every
    query along: W_Q R equals the other's W_Q on the key rows.
    """
    return np.linalg.solve(matrices.W_Q[:KEYS], other.W_Q[:KEYS])
