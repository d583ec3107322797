"""Break it: a path through two layers that neither mask shows."""

import numpy as np

from qkv.checks import BreakExercise, Mistake

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
