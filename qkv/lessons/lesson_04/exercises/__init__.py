"""Lesson 04, scores and scale: exercises by hand, in code and “break it”."""

from .break_it import BREAK
from .divisor import DIVISOR
from .hand import HAND

EXERCISES = {"04.hand": HAND, "04.divisor": DIVISOR, "04.break": BREAK}
