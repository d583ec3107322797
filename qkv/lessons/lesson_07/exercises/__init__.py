"""Lesson 07, the causal mask: exercises by hand, in code and “break it”."""

from .break_it import BREAK
from .causal_attention import ATTENTION
from .causal_mask import MASK
from .hand import HAND
from .has_leak import LEAK

EXERCISES = {
    "07.hand": HAND,
    "07.causal_mask": MASK,
    "07.causal_attention": ATTENTION,
    "07.has_leak": LEAK,
    "07.break": BREAK,
}
