"""Lesson 05, from scores to a mixture: exercises by hand, in code and “break it”."""

from .break_it import BREAK
from .hand import HAND
from .softmax import SOFTMAX

EXERCISES = {"05.hand": HAND, "05.softmax": SOFTMAX, "05.break": BREAK}
