"""Break it: values that differ, and no score that is pulled."""

import numpy as np

from qkv.attention import softmax
from qkv.checks import BreakExercise, Mistake


def pulls(scores, V, g):
    a = softmax(scores)
    return a * ((V - a @ V) @ g)


def no_pull(scores, V, g):
    size = max(1.0, np.abs(V).max()) * np.abs(g).max()
    return bool((np.abs(pulls(scores, V, g)) <= 1e-9 * size).all())


BREAK = BreakExercise(
    task=(
        "Hand in scores (n), values V (n, d_v) and g (d_v) so that every score's gradient is 0, "
        "with at least two candidates, values that differ, g not 0 and no weight below 0.01."
    ),
    parts=("scores", "V", "g"),
    accepts=no_pull,
    right=(
        "Right: your values differ only across g, where the loss doesn't look. "
        "No score learns anything from this reader."
    ),
    wrong="Some candidate is still pulled: compare g·v for each of your values.",
    shapes={"scores": (None,), "V": (None, None), "g": (None,)},
    mistakes={
        "one-candidate": Mistake(
            ([1.0], [[1.0, 2.0]], [1.0, 0.0]),
            "One candidate has the weight 1 whatever its score: that is the trivial way. "
            "Use two or more.",
            seen=lambda scores, V, g: len(scores) == 1,
        ),
        "zero-g": Mistake(
            ([0.0, 1.0], [[1.0, 0.0], [0.0, 1.0]], [0.0, 0.0]),
            "With g = 0 the loss asks for nothing at all. Find a g that asks for something.",
            seen=lambda scores, V, g: not g.any(),
        ),
        "equal-values": Mistake(
            ([0.0, 1.0], [[1.0, 2.0], [1.0, 2.0]], [1.0, 0.0]),
            "All values are equal, so every mixture is the same. Let two of them differ.",
            seen=lambda scores, V, g: np.allclose(V, V[0], rtol=0, atol=1e-9),
        ),
        "saturated": Mistake(
            ([40.0, 0.0], [[1.0, 0.0], [0.0, 1.0]], [1.0, 0.0]),
            "One weight is nearly 1 here: the pulls are tiny, not 0, and only because nobody "
            "else is read. Keep every weight at 0.01 or more.",
            seen=lambda scores, V, g: softmax(scores).min() < 0.01,
        ),
        "balanced-output": Mistake(
            ([0.0, 0.0], [[1.0, 0.0], [-1.0, 0.0]], [1.0, 0.0]),
            "Your output is at right angles to g, but that is not enough: each v_j is compared "
            "with o, and g·(v_j − o) isn't 0.",
            seen=lambda scores, V, g: (
                not no_pull(scores, V, g)
                and abs(softmax(scores) @ V @ g) < 1e-9 * np.abs(g).max() * max(1, np.abs(V).max())
            ),
        ),
    },
)
