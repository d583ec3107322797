"""A "break it": the reader hands in inputs on which something shows.

`parts` names what is handed in; `accepts` is the predicate; each mistake carries an example and a
predicate `seen`. Mistakes are tried in the order given, before `accepts`. All predicates take the
parts as float64 arrays.

    BREAK = BreakExercise(
        task="Hand in (W_Q, W_K) that differ, with a symmetric X W_Q W_Kᵀ Xᵀ for every X.",
        parts=("W_Q", "W_K"),
        accepts=lambda W_Q, W_K: np.allclose(W_Q @ W_K.T, W_K @ W_Q.T),
        right="Right: only the product W_Q W_Kᵀ decides.",
        wrong="W_Q W_Kᵀ is not symmetric.",
        shapes={"W_Q": (None, None)},              # optional: the axes wanted, None for any length
        mistakes={
            "equal": Mistake(
                ([[1, 0], [0, 1]], [[1, 0], [0, 1]]),
                "The two matrices are equal: that is the trivial way.",
                seen=lambda W_Q, W_K: np.allclose(W_Q, W_K),
            ),
        },
    )
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .answers import Unreadable, as_parts, first_line
from .verdict import Verdict


@dataclass
class BreakExercise:
    """The reader hands in inputs (`parts`); `accepts` decides, mistakes are tried first."""

    task: str
    parts: tuple
    accepts: Any
    mistakes: dict
    right: str = "Right."
    wrong: str = "Not yet."
    shapes: dict = field(default_factory=dict)
    id: str = ""

    def check(self, answer):
        names = ", ".join(self.parts)
        if answer is None or answer is Ellipsis:
            return Verdict(False, None, f"Nothing handed in yet: this exercise wants ({names}).")
        try:
            given = as_parts(answer, self.parts, f"This exercise wants ({names}); you handed in")
            self._fits(given)
            with np.errstate(all="ignore"):
                for name, mistake in self.mistakes.items():
                    if mistake.seen(*(x.copy() for x in given)):
                        return Verdict(False, name, mistake.message)
                if self.accepts(*(x.copy() for x in given)):
                    return Verdict(True, None, self.right)
        except Unreadable as error:
            return Verdict(False, None, str(error))
        except Exception as error:  # the inputs do not fit one another
            message = f"These inputs cannot be used together: {first_line(error)}"
            return Verdict(False, None, message.rstrip(".") + ".")
        return Verdict(False, None, self.wrong)

    def _fits(self, given):
        for name, x in zip(self.parts, given, strict=True):
            if not np.isfinite(x).all():
                raise Unreadable(f"{name} holds NaN or ∞: hand in finite numbers.")
            if x.size == 0:
                raise Unreadable(f"{name} is empty: hand in at least one number.")
            shape = self.shapes.get(name)
            if shape is None:
                continue
            lengths = zip(shape, x.shape, strict=False)
            if len(shape) != x.ndim or any(w not in (None, g) for w, g in lengths):
                wanted = ", ".join("any" if w is None else str(w) for w in shape)
                raise Unreadable(f"{name} should have shape ({wanted}), got {x.shape}.")
