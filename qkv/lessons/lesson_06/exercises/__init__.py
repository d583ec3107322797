"""Lesson 06, the whole sequence: exercises by hand, in code and “break it”."""

from .attention import ATTENTION
from .break_it import BREAK
from .hand import HAND

EXERCISES = {"06.hand": HAND, "06.attention": ATTENTION, "06.break": BREAK}
