"""Lesson 07, the causal mask: the mask, the masked read, a leak probe, paths through layers."""

import numpy as np

from qkv.attention import attention, causal_mask
from qkv.checks import BreakExercise, CodeExercise, HandExercise, Mistake, soft
from qkv.probes import has_leak

# ---------------------------------------------------------------- 07.causal_mask


def ones(n):
    return np.ones((n, n), dtype=bool)


def window(width):
    return lambda n: np.tril(ones(n)) & ~np.tril(ones(n), -width)


MASK = CodeExercise(
    args=("n",),
    reference=causal_mask,
    cases=[(1,), (4,), (7,)],
    yes_no=True,
    right="Right: row i is True from column 1 to column i, itself included.",
    mistakes={
        "blocks-itself": Mistake(
            lambda n: np.tril(ones(n), -1),
            "Your readers may not read themselves, and reader 1 has nothing left: position i has "
            "received its own token, so the diagonal is True.",
        ),
        "blocks-the-past": Mistake(
            lambda n: np.eye(n, dtype=bool),
            "Your readers read themselves alone: everything before position i is known, so it "
            "stays open.",
        ),
        "inverted": Mistake(
            lambda n: ~np.tril(ones(n)),
            "True stands where reading is forbidden: here True means may read.",
        ),
        "transposed": Mistake(
            lambda n: np.triu(ones(n)),
            "Your mask is transposed: row i belongs to the reader, so the open entries lie on and "
            "below the diagonal.",
        ),
        "window": Mistake(
            window(2),
            "Your readers see a few positions back and no further: the causal row i is open from "
            "position 1 on.",
            *(window(width) for width in (3, 4, 5, 6)),
        ),
        "one-ahead": Mistake(
            lambda n: np.tril(ones(n), 1),
            "Your reader i may read position i + 1, which is the very token that it should help "
            "predict.",
        ),
        "all-open": Mistake(ones, "Everything is open: the entries above the diagonal are False."),
        "additive": Mistake(
            lambda n: np.where(np.tril(ones(n)), 0.0, -np.inf),
            "This is the additive mask M of the formula, 0 and −∞: in code the mask is boolean, "
            "True where reading is allowed.",
            lambda n: np.where(np.tril(ones(n)), 0.0, -1e9),
        ),
    },
)

# ---------------------------------------------------------------- 07.causal_attention


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

# ---------------------------------------------------------------- 07.has_leak


def model(function, label, rounding=False):
    """A model that takes arrays, tensors and lists, and gives back what it was given.

    rounding: a detour by way of a number that changes with X leaves its rounding errors.
    """

    def run(X):
        x = np.array(X.detach().cpu() if hasattr(X, "detach") else X, dtype=float)
        with np.errstate(all="ignore"):
            y = function(x)
        if hasattr(X, "detach"):
            import torch

            exact = X.dtype == torch.float64  # in float32 a rounding error is no leak
            y = torch.as_tensor(y if exact else y.round(5)).to(X)
        if rounding:
            size = float(abs(x).sum())
            y = (y * size + size) / size - 1  # y, but for the last digits
        return y.tolist() if isinstance(X, list) else y

    run.label = label  # what a message calls it
    return run


def causal(x):
    return attention(x, x, x, mask=causal_mask(len(x))).output


def full(x):
    return attention(x, x, x).output


def zeroed_late(x):
    return np.tril(attention(x, x, x).weights) @ x


def from_the_middle(x):
    """Reader 1 also hears of position 3: no other position leaks."""
    y = causal(x)
    y[0] += x[2]
    return y


def to_the_last_but_one(x):
    """The last position is heard by its neighbour alone."""
    y = causal(x)
    y[-2] += x[-1]
    return y


def hidden_direction(x):
    """The next position is heard, but only as the difference of its last two features."""
    y = causal(x)
    y[:-1] += x[1:, [-2]] - x[1:, [-1]]
    return y


def in_front(x):
    """Reader 1 also hears of position 2: no other position leaks."""
    y = causal(x)
    y[0] += x[1]
    return y


def first_feature(x):
    """The next position is heard by its first feature alone."""
    y = causal(x)
    y[:-1] += x[1:, [0]]
    return y


def deaf_to_zero(x):
    """The next position is heard, but not if it is made longer, shorter or 0."""
    y = causal(x)
    y[:-1] += x[1:, [0]] * X[1:, [1]] - x[1:, [1]] * X[1:, [0]]
    return y


def deaf_to_1_2_3(x):
    """The next position is heard, but not if its features move by 1, 2, 3."""
    y = causal(x)
    y[:-1] += 2 * x[1:, [0]] - x[1:, [1]]
    return y


def blocked_row(x):
    """Reader 1 has nothing to read, so its softmax is 0/0."""
    y = causal(x)
    y[0] = np.nan
    return y


X = np.round(8 * soft(5, 3, seed=7)) / 8  # exact in float32, and so are sums with whole numbers
MODELS = {
    "a causal model": causal,
    "a model without a mask": full,
    "softmax, then zero": zeroed_late,
    "two layers with a mask in the last": lambda x: causal(full(x)),
    "two causal layers": lambda x: causal(causal(x)),
    "a model in which row 1 hears position 3 alone": from_the_middle,
    "a model in which row 1 hears position 2 alone": in_front,
    "a model whose last position is heard by its neighbour alone": to_the_last_but_one,
    "a model that hears a difference of two features": hidden_direction,
    "a model that hears the first feature alone": first_feature,
    "a model that doesn't hear a position become 0": deaf_to_zero,
    "a model that is deaf to one uneven direction": deaf_to_1_2_3,
    "a model that gives NaN": blocked_row,
}
CASES = [(model(function, label), X) for label, function in MODELS.items()]
CASES.append((model(causal, "a causal model with rounding errors", rounding=True), X))
CASES.append((model(causal, "a causal model"), X[:2]))


def probe(
    positions=None,
    directions=lambda x: np.eye(len(x)),
    rows=lambda j: slice(0, j),
    nan=None,
    tolerance=1e-9,
    fresh=True,
):
    """A leak probe with something left out. nan: what a NaN is answered with (None: refused)."""

    def wrong(model, X):
        before = model(X)
        if np.isnan(before).any():
            if nan is None:
                raise ValueError("has_leak: expected finite outputs, got NaN")
            return nan
        n, changed = len(X), X.copy()
        for j in positions(n) if positions else range(1, n):
            for step in directions(X[j]):
                changed = X.copy() if fresh else changed
                changed[j] += step
                moved = abs(model(changed) - before)[rows(j)]
                if moved.size and moved.max() > tolerance:
                    return True
        return False

    return wrong


def in_place(model, X):
    before = model(X)
    if np.isnan(before).any():
        raise ValueError("has_leak: expected finite outputs, got NaN")
    for j in range(1, len(X)):
        for r in range(X.shape[1]):
            X[j, r] += 1.0
            if abs(model(X)[:j] - before[:j]).max() > 1e-9:
                return True
    return False


def blind(message, *changes):
    """A mistake of the probe, with two ways of meeting a NaN: refused, or "no leak"."""
    return Mistake(
        probe(**changes[0]),
        message,
        *(probe(nan=nan, **change) for change in changes for nan in (None, False)),
    )


LEAK = CodeExercise(
    args=("model", "X"),
    reference=has_leak,
    cases=CASES,
    mutates="changes-x",
    yes_no=True,
    right="Right: every position, every feature, only earlier rows, and no NaN passes.",
    mistakes={
        "last-position-only": blind(
            "You change the last position alone: a model may leak from one in the middle.",
            {"positions": lambda n: [n - 1]},
        ),
        "one-direction": blind(
            "You move a position in one direction alone: a model may be blind to that one and "
            "feel another. Change the features one at a time.",
            {"directions": lambda x: [np.ones(len(x))]},
            {"directions": lambda x: np.eye(len(x))[:1]},
            {"directions": lambda x: np.eye(len(x))[-1:]},
            {"directions": lambda x: [1.0 + np.arange(len(x))]},
            {"directions": lambda x: [-x]},
        ),
        "own-row": blind(
            "Your probe says that a causal model leaks: when x_j changes, row j and the rows after "
            "it may move. Compare the rows before j alone.",
            {"rows": lambda j: slice(0, j + 1)},
            {"rows": lambda j: slice(None)},
        ),
        "one-row-only": blind(
            "You look at one output alone, the first or row j − 1: every row before j must stay.",
            {"rows": lambda j: slice(0, 1)},
            {"rows": lambda j: slice(j - 1, j)},
        ),
        "not-restored": blind(
            "You change position after position in one copy, so the earlier changes are still in "
            "it: begin with a fresh copy of X each time.",
            {"fresh": False},
        ),
        "no-tolerance": blind(
            "You take a rounding error for a leak: the last digits of an output may differ. "
            "Count a change from about 1e-9 on.",
            {"tolerance": 0.0},
        ),
        "nan-passes": Mistake(
            probe(nan=False),
            "A model whose output is NaN got an answer: NaN > tolerance is False, so the answer "
            "means nothing. Check that the outputs are finite, and raise a ValueError if not.",
            probe(nan=True),
        ),
        "inverted": Mistake(
            lambda model, X: not has_leak(model, X),
            "Your answer is the opposite: True means that the model leaks.",
        ),
        "changes-x": Mistake(
            in_place,
            "You change X itself, so the later comparisons start from another input and the "
            "caller's data is spoilt: change a copy. (A row or slice of an array is no copy.)",
        ),
    },
)

# ---------------------------------------------------------------- 07.hand

EXP = np.array([2.0, 6.0, 12.0])  # the exponentials of reader 2's scores
VALUES = np.array([8.0, 4.0, 20.0])


def by_hand(exp, total, zeroed):
    a = np.asarray(exp) / total
    return [a[0], a[1], a @ VALUES, zeroed]


MASKED = EXP * [1, 1, 0]
ZEROED = MASKED.sum() / EXP.sum()
SCORES = np.log(EXP)

HAND = HandExercise(
    text=(
        "Three positions. The scores of reader 2 are "
        + ", ".join(f"{e:.4f}" for e in SCORES)
        + " (their exponentials are 2, 6 and 12). The values are the numbers 8, 4 and 20. Read "
        "causally: what are the weights a₂₁ and a₂₂ and the output o₂? And what does row 2 of the "
        "weights sum to if its future is set to 0 after the softmax instead? Two decimals."
    ),
    labels=("a₂₁", "a₂₂", "o₂", "sum if zeroed late"),
    answer=by_hand(MASKED, MASKED.sum(), ZEROED),
    digits=2,
    hint="Which of the three exponentials belong in the denominator of a causal row 2?",
    right="Right: 2 and 6 share the row; zeroing after softmax leaves 8 of 20 parts.",
    mistakes={
        "future-kept": Mistake(
            by_hand(EXP, EXP.sum(), ZEROED),
            "Position 3 lies in the future of reader 2 and still takes part in your read.",
            by_hand(EXP, EXP.sum(), 1),
        ),
        "mask-after-softmax": Mistake(
            by_hand(MASKED, EXP.sum(), ZEROED),
            "The future's exponential 12 still stands in your denominator: block the score before "
            "the softmax.",
        ),
        "zeros-for-infinity": Mistake(
            by_hand([2, 6, 1], 9, ZEROED),
            "You gave the blocked position the score 0, and exp(0) = 1 still takes a share.",
            by_hand(MASKED, 9, ZEROED),
        ),
        "blocks-itself": Mistake(
            by_hand([2, 0, 0], 2, ZEROED),
            "You blocked position 2 for reader 2: a reader may read itself.",
            by_hand([2, 0, 0], 2, 2 / EXP.sum()),
        ),
        "no-exp": Mistake(
            by_hand(SCORES * [1, 1, 0], SCORES[:2].sum(), ZEROED),
            "You shared out the scores themselves: exponentiate them first.",
            by_hand(SCORES * [1, 1, 0], SCORES[:2].sum(), SCORES[:2].sum() / SCORES.sum()),
        ),
        "sum-stays-1": Mistake(
            by_hand(MASKED, MASKED.sum(), 1),
            "The causal row is right. Zeroing after the softmax takes the future's share away and "
            "gives it to no one, so the sum is below 1.",
        ),
        "lost-share": Mistake(
            by_hand(MASKED, MASKED.sum(), 1 - ZEROED),
            "The causal row is right. The last number is the share that was thrown away: the "
            "question asks for the share that is left.",
        ),
    },
)

# ---------------------------------------------------------------- 07.break

CAUSAL = np.tril(np.ones((3, 3)))


def reaches(first, second):
    """Entry (i, j): can x_j reach output i? Reader i reads m in layer 2, m read j in layer 1."""
    return second @ first > 0


BREAK = BreakExercise(
    task=(
        "Hand in (first, second): the masks of layer 1 and layer 2, three positions each. Neither "
        "may let reader 1 read position 3, and still x₃ must reach output 1."
    ),
    parts=("first", "second"),
    shapes={"first": (3, 3), "second": (3, 3)},
    accepts=lambda first, second: reaches(first, second)[0, 2],
    right=(
        "Right: in layer 1 position 2 reads position 3, and in layer 2 position 1 reads what "
        "position 2 has become. A mask must hold along whole paths, so every layer needs it."
    ),
    wrong=(
        "With these masks x₃ does not reach output 1: someone must read position 3 in layer 1, "
        "and reader 1 must read that one in layer 2."
    ),
    mistakes={
        "not-a-mask": Mistake(
            ([[0, -1, 1], [0, 0, 1], [0, 0, 0]], [[0, 0, 1], [0, 0, 0], [0, 0, 0]]),
            "A mask holds 1 (or True) where reading is allowed and 0 (or False) where not.",
            seen=lambda first, second: not np.isin([first, second], [0, 1]).all(),
        ),
        "direct": Mistake(
            (np.ones((3, 3)), CAUSAL),
            "Reader 1 may read position 3 directly in one of your layers: find a way round it.",
            seen=lambda first, second: first[0, 2] or second[0, 2],
        ),
        "blocked-row": Mistake(
            ([[1, 0, 0], [0, 0, 1], [0, 0, 0]], [[0, 1, 0], [0, 1, 0], [0, 0, 1]]),
            "One of your readers has nothing to read: every row of a mask needs at least one 1.",
            seen=lambda first, second: not (first.any(-1).all() and second.any(-1).all()),
        ),
        "both-causal": Mistake(
            (CAUSAL, CAUSAL),
            "Both layers are causal: no step leads to an earlier position, so no path does.",
            seen=lambda first, second: not (np.triu(first, 1).any() or np.triu(second, 1).any()),
        ),
        "layers-exchanged": Mistake(
            ([[0, 1, 0], [0, 1, 0], [0, 0, 1]], [[1, 0, 0], [0, 0, 1], [0, 0, 1]]),
            "The two steps come in the wrong order: position 3 is read in layer 1, and what read "
            "it is read in layer 2.",
            seen=lambda first, second: (
                reaches(second, first)[0, 2] and not reaches(first, second)[0, 2]
            ),
        ),
    },
)

EXERCISES = {
    "07.hand": HAND,
    "07.causal_mask": MASK,
    "07.causal_attention": ATTENTION,
    "07.has_leak": LEAK,
    "07.break": BREAK,
}
