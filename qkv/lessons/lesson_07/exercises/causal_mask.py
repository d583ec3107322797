"""In code: the causal mask."""

import numpy as np

from qkv.attention import causal_mask
from qkv.checks import CodeExercise, Mistake


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
