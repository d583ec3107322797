"""Lesson 08, gradients: exercises by hand, in code and “break it”."""

from .attention_backward import BACKWARD
from .break_it import BREAK
from .hand import HAND

EXERCISES = {"08.hand": HAND, "08.attention_backward": BACKWARD, "08.break": BREAK}
