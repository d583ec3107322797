"""Recompute every number that a lesson quotes, and its gradient checks.

    python -m qkv.reproduce          all lessons
    python -m qkv.reproduce 06 08    some
    python -m qkv.reproduce pages    the pages that are not lessons

Prints a table of quoted against computed; the exit status is 1 if any row differs.
A lesson's rows stand in its folder, `qkv/lessons/lesson_NN/quoted.py`, as a function rows() that
yields Row; those of the pages in pages.py.
"""

from .. import by_lesson
from . import pages
from ._examples import central, running, torch_or_none
from .row import Row, agrees, compare, shown

__all__ = [
    "Row", "agrees", "central", "lessons", "rows", "running", "shown", "table", "torch_or_none",
]  # fmt: skip


def lessons():
    """Return the numbers of the lessons that have rows: ["01", "02", …, "pages"]."""
    return [*by_lesson.lessons(), "pages"]


def rows(lesson):
    """Return the rows of one lesson, e.g. "06"."""
    if lesson not in lessons():
        raise ValueError(f"rows: expected one of {' '.join(lessons())}, got {lesson}")
    source = pages if lesson == "pages" else by_lesson.module(lesson, "quoted")
    return list(source.rows())


def table(lesson):
    """Return the lesson's table as lines of text, and how many of its rows differ."""
    results = [(row, *compare(row)) for row in rows(lesson)]
    left = max(len("quoted"), *(len(row.quoted) for row, _, _ in results))
    right = max(len("computed"), *(len(computed) for _, _, computed in results))
    title = f"Lesson {lesson}" if lesson.isdigit() else lesson.capitalize()
    lines = [title, f"  {'':9}{'quoted':<{left}}  {'computed':<{right}}  what"]
    for row, ok, computed in results:
        verdict = "ok" if ok else "DIFFERS"
        lines.append(f"  {verdict:<9}{row.quoted:<{left}}  {computed:<{right}}  {row.what}")
    return lines, sum(not ok for _, ok, _ in results)
