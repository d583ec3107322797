"""Lesson 03, projections: exercises by hand, in code and “break it”."""

from .break_it import BREAK
from .hand import HAND
from .project import PROJECT

EXERCISES = {"03.hand": HAND, "03.project": PROJECT, "03.break": BREAK}
