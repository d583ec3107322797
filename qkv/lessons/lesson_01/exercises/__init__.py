"""Lesson 01, the card file: exercises by hand, in code and “break it”."""

from .break_it import BREAK
from .hand import HAND
from .retrieve import RETRIEVE

EXERCISES = {"01.hand": HAND, "01.retrieve": RETRIEVE, "01.break": BREAK}
