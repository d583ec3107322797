"""In code: one read by all readers."""

import numpy as np

from qkv.attention import attention
from qkv.checks import CodeExercise, Mistake, soft


def row_softmax(scores, axis=-1):
    exp = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return exp / exp.sum(axis=axis, keepdims=True)


def read(Q, K, V, divisor=1.0, axis=-1):
    return row_softmax(Q @ K.T / divisor, axis) @ V


def root_d_k(Q):
    return np.sqrt(Q.shape[-1])


def summed(scores):
    return scores / scores.sum(axis=-1, keepdims=True)


# Every length differs in the first case. Where a swap would only raise, the others let it run:
# as many readers as candidates, then keys and values of one width.
CASES = [
    (soft(4, 3, seed=1), soft(6, 3, seed=2), 2 * soft(6, 5, seed=3)),
    (soft(5, 3, seed=4), soft(5, 3, seed=5), 2 * soft(5, 4, seed=6)),
    (soft(2, 5, seed=7), soft(3, 5, seed=8), 2 * soft(3, 5, seed=9)),
]

ATTENTION = CodeExercise(
    args=("Q", "K", "V"),
    reference=lambda Q, K, V: attention(Q, K, V).output,
    cases=CASES,
    right="Right: each row of scores is divided by √d_k and normalised on its own.",
    mistakes={
        "no-scale": Mistake(
            lambda Q, K, V: read(Q, K, V),
            "These are the outputs of unscaled scores: divide Q Kᵀ by √d_k before the softmax.",
        ),
        "scale-d-k": Mistake(
            lambda Q, K, V: read(Q, K, V, Q.shape[-1]),
            "You divided the scores by d_k: it is the square root, √d_k.",
        ),
        "scale-sqrt-n": Mistake(
            lambda Q, K, V: read(Q, K, V, np.sqrt(len(K))),
            "You divided by √n, the number of positions: the divisor is √d_k, the width of a key.",
            lambda Q, K, V: read(Q, K, V, np.sqrt(len(Q))),
        ),
        "scale-sqrt-d-v": Mistake(
            lambda Q, K, V: read(Q, K, V, np.sqrt(V.shape[-1])),
            "You divided by √d_v, from the width of a value: scores are sums over d_k products.",
        ),
        "scaled-after-softmax": Mistake(
            lambda Q, K, V: read(Q, K, V) / root_d_k(Q),
            "You divided after the softmax, so the weights no longer sum to 1: divide the scores.",
        ),
        "multiplied": Mistake(
            lambda Q, K, V: read(Q, K, V, 1 / root_d_k(Q)),
            "You multiplied the scores by √d_k: divide by it.",
        ),
        "swapped-q-k": Mistake(
            lambda Q, K, V: read(K, Q, V, root_d_k(Q)),
            "You exchanged Q and K: row i of Q Kᵀ belongs to reader i, so Q stands on the left.",
        ),
        "swapped-k-v": Mistake(
            lambda Q, K, V: read(Q, V, K, root_d_k(Q)),
            "You exchanged K and V: keys are scored, values are mixed.",
        ),
        "axis-0": Mistake(
            lambda Q, K, V: read(Q, K, V, root_d_k(Q), axis=0),
            "Your softmax runs down the columns: each reader's row should sum to 1, over axis −1.",
        ),
        "all-at-once": Mistake(
            lambda Q, K, V: read_all(Q, K, V),
            "Your softmax runs over the whole table: each reader's row is normalised on its own.",
        ),
        "k-for-v": Mistake(
            lambda Q, K, V: read(Q, K, K, root_d_k(Q)),
            "You mixed the keys: the weights are right, but they should mix the rows of V.",
        ),
        "uniform": Mistake(
            lambda Q, K, V: np.repeat(V.mean(axis=0, keepdims=True), len(Q), axis=0),
            "Each output is the plain mean of V: the scores play no part in your weights.",
        ),
        "hard-argmax": Mistake(
            lambda Q, K, V: V[(Q @ K.T).argmax(axis=-1)],
            "You took the value with the largest score alone: softmax mixes all of them.",
        ),
        "no-softmax": Mistake(
            lambda Q, K, V: Q @ K.T / root_d_k(Q) @ V,
            "You mixed with the scores themselves: turn each row into weights with softmax first.",
            lambda Q, K, V: summed(Q @ K.T / root_d_k(Q)) @ V,
            lambda Q, K, V: Q @ K.T @ V,
        ),
        "weights-only": Mistake(
            lambda Q, K, V: row_softmax(Q @ K.T / root_d_k(Q)),
            "You returned the weights: multiply them by V to get the outputs.",
        ),
        "output-transposed": Mistake(
            lambda Q, K, V: read(Q, K, V, root_d_k(Q)).T,
            "Your output is transposed: one row per reader, one column per coordinate of a value.",
        ),
    },
)


def read_all(Q, K, V):
    exp = np.exp(Q @ K.T / root_d_k(Q))
    return exp / exp.sum() @ V
