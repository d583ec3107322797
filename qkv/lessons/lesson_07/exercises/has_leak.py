"""In code: a probe that says whether a model leaks."""

import numpy as np

from qkv.attention import attention, causal_mask
from qkv.checks import CodeExercise, Mistake, soft
from qkv.probes import has_leak


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
