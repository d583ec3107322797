"""Lesson 02, a request from inside the sentence: exercises by hand, in code and “break it”."""

from .break_it import BREAK
from .hand import HAND
from .sources import SOURCES

EXERCISES = {"02.hand": HAND, "02.sources": SOURCES, "02.break": BREAK}
