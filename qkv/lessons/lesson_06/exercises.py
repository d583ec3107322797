"""Lesson 06, the whole sequence: one function for all readers."""

import numpy as np

from qkv.attention import attention
from qkv.checks import BreakExercise, CodeExercise, HandExercise, Mistake, soft


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


# By hand: d_k = 4, three candidates, values of width 2, so that no two divisors are the same.
HAND_Q = np.array([[1.0, 1, 1, 1]])
HAND_K = np.array([[1.0, 2, 0, 1], [1, -1, 0, 0], [0, 1, 1, 0]])
HAND_V = np.array([[1.0, 0], [0, 2], [3, 1]])


def hand(Q=HAND_Q, K=HAND_K, V=HAND_V, divisor=2.0, after=1.0):
    weights = row_softmax(Q @ K.T / divisor) / after
    return np.concatenate([weights[0], (weights @ V)[0]])


HAND = HandExercise(
    text=(
        "One reader, three candidates. q = [1, 1, 1, 1]. Keys: k₁ = [1, 2, 0, 1], "
        "k₂ = [1, −1, 0, 0], k₃ = [0, 1, 1, 0]. Values: v₁ = [1, 0], v₂ = [0, 2], v₃ = [3, 1]. "
        "What are the three weights and the two coordinates of the output, to 3 decimals?"
    ),
    labels=("a₁", "a₂", "a₃", "o₁", "o₂"),
    answer=hand(),
    digits=3,
    hint="Three raw scores; divide each by √dₖ = 2; exponentiate; divide by the sum of the three.",
    right="Right: scores 2, 0 and 1, then their exponentials over the sum of all three.",
    mistakes={
        "no-scale": Mistake(
            hand(divisor=1.0),
            "These are the weights of the raw scores 4, 0 and 2: divide them by √dₖ = 2 first.",
        ),
        "scale-d-k": Mistake(
            hand(divisor=4.0), "You divided by dₖ = 4: the divisor is its square root, 2."
        ),
        "scale-sqrt-n": Mistake(
            hand(divisor=np.sqrt(3)),
            "You divided by √3, from the number of candidates: the keys have 4 coordinates.",
        ),
        "scale-sqrt-d-v": Mistake(
            hand(divisor=np.sqrt(2)),
            "You divided by √2, from the width of a value: the keys have 4 coordinates.",
        ),
        "scaled-after-softmax": Mistake(
            hand(divisor=1.0, after=2.0),
            "Your weights sum to one half: divide the scores by 2, not the weights.",
        ),
        "no-exp": Mistake(
            np.concatenate([[4 / 6, 0, 2 / 6], np.array([4 / 6, 0, 2 / 6]) @ HAND_V]),
            "You divided the scores by their sum: exponentiate each one first.",
        ),
        "no-softmax": Mistake(
            np.concatenate([[2, 0, 1], np.array([2, 0, 1]) @ HAND_V]),
            "These are scores, and you mixed with them: exponentiate, then divide by the sum.",
            np.concatenate([[4, 0, 2], np.array([4, 0, 2]) @ HAND_V]),
            np.concatenate([np.exp([2, 0, 1]), np.exp([2, 0, 1]) @ HAND_V]),
        ),
        "uniform": Mistake(
            np.concatenate([np.full(3, 1 / 3), HAND_V.mean(axis=0)]),
            "Equal weights: the scores 2, 0 and 1 are not equal, so the weights are not either.",
        ),
        "hard-argmax": Mistake(
            [1, 0, 0, 1, 0],
            "You gave all the weight to the largest score: softmax leaves some to the others.",
        ),
    },
)


# Break it: a test input on which a softmax down the columns cannot be seen.
def scores_of(Q, K):
    return Q @ K.T / root_d_k(Q)


def log_sums(scores, axis):
    return np.logaddexp.reduce(scores, axis=axis)


def blind(Q, K):
    """Every row and every column of exp(scores) has one and the same sum."""
    scores = scores_of(Q, K)
    sums = np.concatenate([log_sums(scores, 0), log_sums(scores, 1)])
    return np.allclose(sums, sums[0], 1e-9, 1e-9)


def looks_blind(Q, K):
    scores = scores_of(Q, K)
    return np.allclose(row_softmax(scores), row_softmax(scores, axis=0), 0, 1e-9)


def constant(scores):
    return np.ptp(scores) < 1e-9


def same_rows(x):
    return np.allclose(x, x[:1])


BREAK = BreakExercise(
    task=(
        "Hand in (Q, K), at least two positions, on which a softmax down the columns gives the "
        "same weights as one along the rows, although the scores are not all equal."
    ),
    parts=("Q", "K"),
    shapes={"Q": (None, None), "K": (None, None)},
    accepts=blind,
    right=(
        "Right: here every row and every column of exp(scores) has the same sum, so a test on "
        "these inputs passes with the axis wrong."
    ),
    wrong=(
        "The two kinds of weights still differ here: a row and a column through the same score "
        "must have the same sum of exponentials."
    ),
    mistakes={
        "widths-differ": Mistake(
            ([[1, 0], [0, 1]], [[1, 0, 0], [0, 1, 0]]),
            "Q and K need the same width d_k, or there is no dot product.",
            seen=lambda Q, K: Q.shape[1] != K.shape[1],
        ),
        "one-position": Mistake(
            ([[1, 2]], [[3, 1]]),
            "With one position every weight is 1, whatever the axis: use at least two.",
            seen=lambda Q, K: len(Q) == 1 and len(K) == 1,
        ),
        "not-square": Mistake(
            ([[1, 0], [0, 1]], [[1, 0], [0, 1], [1, 1]]),
            "All weights together sum to n_q along rows and to n_kv down columns: "
            "take as many readers as candidates.",
            seen=lambda Q, K: len(Q) != len(K),
        ),
        "all-equal": Mistake(
            ([[0, 0], [0, 0]], [[1, 0], [0, 1]]),
            "All your scores are equal, so all weights are: the exercise asks for scores that "
            "differ.",
            seen=lambda Q, K: constant(scores_of(Q, K)),
        ),
        "equal-queries": Mistake(
            ([[1, 0], [1, 0]], [[2, 0], [0, 1]]),
            "All your queries are equal: each column then holds one score, and a softmax down it "
            "is uniform, but along the rows it is not.",
            seen=lambda Q, K: same_rows(scores_of(Q, K)),
        ),
        "equal-keys": Mistake(
            ([[2, 0], [0, 1]], [[1, 0], [1, 0]]),
            "All your keys are equal: each row then holds one score, and a softmax along it is "
            "uniform, but down the columns it is not.",
            seen=lambda Q, K: same_rows(scores_of(Q, K).T),
        ),
        "saturated": Mistake(
            ([[60, 0], [0, 90]], [[1, 0], [0, 1]]),
            "The weights agree to nine digits only because one candidate takes each row: the sums "
            "of exponentials differ. Try softer scores.",
            seen=lambda Q, K: not blind(Q, K) and looks_blind(Q, K),
        ),
        "only-symmetric": Mistake(
            ([[1, 0], [0, 2]], [[1, 0], [0, 2]]),
            "Symmetric scores are not enough: the column weights are then the row weights "
            "transposed. The sums of exponentials must agree as well.",
            seen=lambda Q, K: np.allclose(scores_of(Q, K), scores_of(Q, K).T) and not blind(Q, K),
        ),
    },
)

EXERCISES = {"06.hand": HAND, "06.attention": ATTENTION, "06.break": BREAK}
