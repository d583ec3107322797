"""Recompute every number that a lesson quotes, and its gradient checks.

    python -m qkv.reproduce          all lessons
    python -m qkv.reproduce 06 08    some
    python -m qkv.reproduce pages    the pages that are not lessons

Prints a table of quoted against computed; the exit status is 1 if any row differs.
A lesson's rows stand in lesson_NN.py, as a function rows() that yields Row; those of the pages
in lesson_pages.py.
"""

import json
import re
from typing import Any, NamedTuple

import numpy as np

from .. import by_lesson

NUMBER = re.compile(r"-?(?:\d+(?:\.(\d+))?|Infinity)")
BOUND = re.compile(r"([<>≤≥])\s*([0-9.]+(?:e[-+]?\d+)?)")


class Row(NamedTuple):
    """One line of the table.

    quoted: as printed in the lesson: a number "12.689414", a list "[0.5, 0.5, 0]" (nested if
    need be), a bound "< 1e-10" or "≥ 0.99", or a word. computed: from the reference. A bound
    must hold for every computed number.
    """

    what: str
    quoted: str
    computed: Any


def lessons():
    """Return the numbers of the lessons that have rows: ["01", "02", …, "pages"]."""
    return list(by_lesson.lessons(__name__))


def rows(lesson):
    """Return the rows of one lesson, e.g. "06"."""
    if lesson not in lessons():
        raise ValueError(f"rows: expected one of {' '.join(lessons())}, got {lesson}")
    return list(by_lesson.module(__name__, lesson).rows())


def agrees(row):
    """Return True if the computed numbers, rounded to the quoted digits, are the quoted ones."""
    return _compare(row)[0]


def shown(row):
    """Return the computed numbers as text, with as many digits as were quoted."""
    return _compare(row)[1]


def _compare(row):
    text = row.quoted.replace("−", "-").replace("∞", "Infinity").replace("-inf", "-Infinity")
    bound = BOUND.fullmatch(text)
    if bound:
        sign, limit = bound[1], float(bound[2])
        values = np.asarray(row.computed, dtype=float)
        worst = float(values.max() if sign in "<≤" else values.min())  # NaN stays NaN
        ok = {"<": worst < limit, ">": worst > limit, "≤": worst <= limit, "≥": worst >= limit}
        return ok[sign], f"{worst:.2g}"
    try:
        quoted = np.asarray(json.loads(text), dtype=float)
    except ValueError:  # a word
        return row.quoted == str(row.computed), str(row.computed)
    values = np.asarray(row.computed, dtype=float)
    if values.shape != quoted.shape:
        return False, f"shape {values.shape}, quoted {quoted.shape}"
    decimals = [len(match[1] or "") for match in NUMBER.finditer(text)]
    flat = zip(values.ravel(), quoted.ravel(), decimals, strict=True)
    ok = all(a == b or abs(a - b) <= 0.5 * 10.0**-d + 1e-12 for a, b, d in flat)
    computed = iter(zip(values.ravel(), decimals, strict=True))
    return ok, NUMBER.sub(lambda _: _fixed(*next(computed)), text)


def _fixed(value, decimals):
    if not np.isfinite(value):
        return {np.inf: "∞", -np.inf: "-∞"}.get(value, "nan")
    return f"{round(float(value), decimals) + 0.0:.{decimals}f}"  # + 0.0: never -0


def table(lesson):
    """Return the lesson's table as lines of text, and how many of its rows differ."""
    results = [(row, *_compare(row)) for row in rows(lesson)]
    left = max(len("quoted"), *(len(row.quoted) for row, _, _ in results))
    right = max(len("computed"), *(len(computed) for _, _, computed in results))
    title = f"Lesson {lesson}" if lesson.isdigit() else lesson.capitalize()
    lines = [title, f"  {'':9}{'quoted':<{left}}  {'computed':<{right}}  what"]
    for row, ok, computed in results:
        verdict = "ok" if ok else "DIFFERS"
        lines.append(f"  {verdict:<9}{row.quoted:<{left}}  {computed:<{right}}  {row.what}")
    return lines, sum(not ok for _, ok, _ in results)
