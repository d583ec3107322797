"""A row of the table: what is quoted, what is computed, and whether the two agree."""

import json
import re
from typing import Any, NamedTuple

import numpy as np

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


def agrees(row):
    """Return True if the computed numbers, rounded to the quoted digits, are the quoted ones."""
    return compare(row)[0]


def shown(row):
    """Return the computed numbers as text, with as many digits as were quoted."""
    return compare(row)[1]


def compare(row):
    """Return whether a row agrees, and its computed numbers as text."""
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
