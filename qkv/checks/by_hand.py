"""An exercise by hand: the reader hands in numbers.

They are right within half a unit of the last digit asked. The exercise is also a quiz on the
page (`qkv.questions`), with the same mistakes.

    HAND = HandExercise(
        text="x = [1, 1], `W_Q` = [[1, 2], [0, 1]]. What is q?",
        labels=("q₁", "q₂"),
        answer=np.array([1, 1]) @ np.array([[1, 2], [0, 1]]),   # computed, never typed
        digits=0,
        hint="Each column of `W_Q` makes one number of q.",
        right="Right: q = [1, 3].",
        mistakes={"w-transposed": Mistake([3, 1], "These are the sums along the rows of W_Q.")},
    )
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from .answers import Unreadable, as_array
from .verdict import Verdict


@dataclass
class HandExercise:
    """The reader hands in numbers, `labels` says which; half a unit of the last digit is right."""

    text: str
    labels: tuple
    answer: Any
    digits: int
    mistakes: dict
    hint: str = ""
    right: str = "Right."
    id: str = ""

    @property
    def tolerance(self):
        return 0.5 * 10.0**-self.digits

    @property
    def numbers(self):
        return np.asarray(self.answer, dtype=float).ravel()

    def check(self, answer):
        try:
            got = self._read(answer)
        except Unreadable as error:
            return Verdict(False, None, str(error))
        if self._within(got, self.numbers):
            return Verdict(True, None, self.right)
        for name, mistake in self.mistakes.items():
            if any(self._within(got, np.ravel(wrong)) for wrong in mistake.examples):
                return Verdict(False, name, mistake.message)
        off = np.abs(got - self.numbers) > self._limit(self.numbers)
        if np.abs(got - self.numbers).max() <= 2.01 * self.tolerance:
            message = f"Nearly: round to {self.digits} decimals at the end, not on the way."
        else:
            wrong = ", ".join(np.array(self.labels)[off])
            message = f"Not yet: {wrong} {'is' if off.sum() == 1 else 'are'} off."
        return Verdict(False, None, f"{message} {self.hint}".strip())

    def _within(self, got, wanted):
        return bool((np.abs(got - wanted) <= self._limit(wanted)).all())

    def _limit(self, wanted):
        return self.tolerance + 1e-9 * np.maximum(1, np.abs(wanted))  # 0.5 itself is not a tie

    def _read(self, answer):
        wanted = f"{len(self.labels)} number{'s' if len(self.labels) > 1 else ''}"
        wanted += f" ({', '.join(self.labels)})"
        if answer is None or answer is Ellipsis:
            raise Unreadable(f"Nothing handed in yet: this exercise wants {wanted}.")
        if isinstance(answer, dict):
            answer = list(answer.values())
        if isinstance(answer, (list, tuple)):
            answer = list(_flat(answer))
            if any(x is None or x is ... for x in answer):
                raise Unreadable(f"Some numbers are missing: this exercise wants {wanted}.")
            answer = [_from_text(x) if isinstance(x, str) else x for x in answer]
        elif isinstance(answer, str):
            answer = [_from_text(x) for x in answer.strip("[]() ").replace(",", " ").split()]
        got = as_array(answer, f"This exercise wants {wanted}, but you handed in").ravel()
        if got.size != len(self.labels):
            raise Unreadable(f"This exercise wants {wanted}, got {got.size}.")
        if not np.isfinite(got).all():
            raise Unreadable("An answer by hand is a finite number: yours holds NaN or ∞.")
        return got


def _flat(answer):
    """Numbers in a list, some of them perhaps grouped as vectors, one after another."""
    for x in answer:
        if isinstance(x, (list, tuple)) or getattr(x, "ndim", 0):
            yield from _flat(x)
        else:
            yield x


def _from_text(text):
    try:
        return float(text.strip().replace("−", "-").replace(",", "."))
    except ValueError:
        raise Unreadable(f"This is no number: {text.strip()!r}.") from None
