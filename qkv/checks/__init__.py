"""Exercise checkers. `qkv.check(id, answer)` says whether an answer is right, else what it saw.

    verdict = qkv.check("06.attention", my_attention)
    verdict.ok        True or False
    verdict.mistake   the short id of the named mistake that was recognised, or None
    verdict.message   one or two sentences; print(verdict) shows them

A lesson's exercises stand in its folder, `qkv/lessons/lesson_NN/`, as a dict EXERCISES from id to
exercise. How to write one: the docstrings of `in_code.py`, `by_hand.py` and `break_it.py`.

What a message may say: one or two sentences, to "you", the fault first and then where to look.
"""

from .. import by_lesson
from .break_it import BreakExercise
from .by_hand import HandExercise
from .in_code import CodeExercise, soft
from .verdict import Mistake, Verdict

__all__ = [
    "BreakExercise",
    "CodeExercise",
    "HandExercise",
    "Mistake",
    "Verdict",
    "check",
    "exercise",
    "ids",
    "mistakes",
    "soft",
]


def check(id, answer):
    """Check one answer → Verdict. Never raises for what is wrong with the answer itself.

    id: str such as "06.attention". answer: a function for an exercise in code, numbers for one
    by hand, the things asked for in a "break it". ValueError when no exercise has this id.
    """
    item = exercise(id)
    try:
        return item.check(answer)
    except Exception as error:  # an object that cannot be looked at, a list that holds itself, …
        what = type(error).__name__
        return Verdict(False, None, f"Your answer cannot be read: looking at it raised {what}.")


def mistakes(id):
    """The named mistakes of one exercise → dict from short id to a wrong answer of that kind."""
    return {name: mistake.example for name, mistake in exercise(id).mistakes.items()}


def ids():
    """All exercise ids, in reading order."""
    return sorted(id for lesson in by_lesson.lessons() for id in _exercises(lesson))


def exercise(id):
    """The exercise with this id. ValueError naming the known ids when there is none."""
    if has(id):
        return _exercises(id[:2])[id]
    raise ValueError(f"check: expected an exercise id (one of {', '.join(ids())}), got {id!r}")


def has(id):
    """True when there is an exercise with this id."""
    return str(id)[:2] in by_lesson.lessons() and id in _exercises(id[:2])


def _exercises(lesson):
    return by_lesson.entries(lesson, "exercises")
