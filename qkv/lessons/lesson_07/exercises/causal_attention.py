"""In code: a read through the causal mask."""

import numpy as np

from qkv.attention import attention, causal_mask
from qkv.checks import CodeExercise, Mistake, soft

from .causal_mask import ones


def row_softmax(scores, axis=-1):
    exp = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return exp / exp.sum(axis=axis, keepdims=True)


def scores_of(Q, K):
    return Q @ K.T / np.sqrt(Q.shape[-1])


def filled(open_, fill=-np.inf, axis=-1, divide=lambda Q: 1.0):
    """A masked read with something changed: which entries are open, what the others become."""

    def read(Q, K, V):
        scores = scores_of(Q, K) * divide(Q)
        return row_softmax(np.where(open_(len(Q)), scores, fill), axis) @ V

    return read


def zeros_where_empty(open_):
    """As torch's function does it: a reader with nothing to read gets zeros."""
    return lambda Q, K, V: np.nan_to_num(filled(open_)(Q, K, V))


def after_softmax(Q, K, V):
    return np.tril(row_softmax(scores_of(Q, K))) @ V


def over_the_table(Q, K, V):
    weights = np.tril(row_softmax(scores_of(Q, K)))
    return weights / weights.sum() @ V


def exp_over_the_table(Q, K, V):
    exp = np.tril(np.exp(scores_of(Q, K)))
    return exp / exp.sum() @ V


ATTENTION = CodeExercise(
    args=("Q", "K", "V"),
    reference=lambda Q, K, V: attention(Q, K, V, mask=causal_mask(len(Q))).output,
    cases=[
        (2 * soft(5, 3, seed=1), soft(5, 3, seed=2), 2 * soft(5, 2, seed=3)),
        (soft(4, 2, seed=4), 2 * soft(4, 2, seed=5), 2 * soft(4, 6, seed=6)),
    ],
    right="Right: each reader shares out 1 among the positions up to its own.",
    mistakes={
        "no-mask": Mistake(
            lambda Q, K, V: attention(Q, K, V).output,
            "Nothing is blocked: these are the outputs of the full read.",
        ),
        "mask-after-softmax": Mistake(
            after_softmax,
            "You set the weights of the future to 0 after the softmax: the rows no longer sum to "
            "1, and the future still stands in the denominators.",
        ),
        "zeros-for-infinity": Mistake(
            filled(causal_mask, fill=0.0),
            "You gave blocked positions the score 0: exp(0) = 1, so they still get weight. "
            "A blocked score is −∞.",
        ),
        "renormalises-over-all": Mistake(
            over_the_table,
            "You divided by the sum over the whole table: each reader's row has its own sum.",
            exp_over_the_table,
        ),
        "transposed": Mistake(
            filled(lambda n: np.triu(ones(n))),
            "Your readers read the future and not the past: row i is open for columns j ≤ i.",
        ),
        "blocks-itself": Mistake(
            filled(lambda n: np.tril(ones(n), -1)),
            "Your readers may not read themselves, so reader 1 has nothing to read: the diagonal "
            "is open.",
            filled(lambda n: np.tril(ones(n), -1), fill=-1e9),
            zeros_where_empty(lambda n: np.tril(ones(n), -1)),
        ),
        "inverted": Mistake(
            filled(lambda n: ~np.tril(ones(n))),
            "You blocked what should be open: True in the mask means may read.",
            filled(lambda n: ~np.tril(ones(n)), fill=-1e9),
            zeros_where_empty(lambda n: ~np.tril(ones(n))),
        ),
        "one-ahead": Mistake(
            filled(lambda n: np.tril(ones(n), 1)),
            "Reader i also reads position i + 1, the token that it should help predict.",
        ),
        "no-scale": Mistake(
            filled(causal_mask, divide=lambda Q: np.sqrt(Q.shape[-1])),
            "The mask is right, but the scores are not divided by √d_k.",
        ),
        "scale-d-k": Mistake(
            filled(causal_mask, divide=lambda Q: 1 / np.sqrt(Q.shape[-1])),
            "The mask is right, but you divided the scores by d_k: it is the square root.",
        ),
        "axis-0": Mistake(
            filled(causal_mask, axis=0),
            "Your softmax runs down the columns: each reader's row should sum to 1.",
        ),
        "weights-only": Mistake(
            lambda Q, K, V: attention(Q, K, V, mask=causal_mask(len(Q))).weights,
            "You returned the weights: multiply them by V to get the outputs.",
        ),
    },
)
