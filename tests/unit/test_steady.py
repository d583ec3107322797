"""What is written down does not show the last bits of a number."""

import ast
import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qkv.steady import fixed, steady

ROOT = Path(__file__).resolve().parents[2]
numbers = st.floats(allow_nan=False, allow_infinity=False)


@given(numbers)
def test_close_to_the_number_and_the_same_again(x):
    once = steady(x)
    assert math.isclose(once, x, rel_tol=1e-11, abs_tol=1e-12)
    assert repr(steady(once)) == repr(once)


@pytest.mark.parametrize("x", [2 / 3, 0.1 + 0.2, 12345.678, 1e-7 / 3, -math.pi, 0.50815, 1e9 / 7])
def test_the_last_bits_do_not_show(x):
    for step in (-3, -1, 1, 3):
        near = x
        for _ in range(abs(step)):
            near = math.nextafter(near, math.copysign(math.inf, step))
        assert repr(steady(near)) == repr(steady(x))


def test_a_tie_is_rounded_one_way_whatever_its_last_bit():
    below, above = math.nextafter(0.00125, 0), math.nextafter(0.00125, 1)
    assert f"{below:.4f}" != f"{above:.4f}"
    assert fixed(below, 4) == fixed(above, 4) == f"{steady(below):.4f}"


def test_no_minus_zero_and_nothing_else_touched():
    assert [str(steady(x)) for x in (-0.0, -1e-17, 1e-13)] == ["0.0"] * 3
    assert steady(-math.inf) == -math.inf and math.isnan(steady(math.nan))
    assert [fixed(x, 4) for x in (-0.0, -1e-9, -0.00006)] == ["0.0000", "0.0000", "-0.0001"]
    nest = {"a": [1, True, "x", None, (0.1 + 0.2,)], "b": {"c": 3}}
    assert steady(nest) == {"a": [1, True, "x", None, (0.3,)], "b": {"c": 3}}
    assert isinstance(steady(np.float64(0.5)), float)


def written_by():
    """The files whose text is stored: pictures, widgets, questions, what a lesson's cell prints."""
    for folder in ("figures", "qkv/widgets", "qkv/lessons"):
        yield from sorted((ROOT / folder).rglob("*.py"))
    yield from sorted((ROOT / "notebooks").glob("*.ipynb"))
    yield ROOT / "qkv" / "lesson.py"


def code_of(path):
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return text
    cells = [c for c in json.loads(text)["cells"] if c["cell_type"] == "code"]
    return "\n".join("".join(cell["source"]) for cell in cells)


@pytest.mark.parametrize("path", list(written_by()), ids=lambda p: p.relative_to(ROOT).as_posix())
def test_decimals_are_written_by_fixed_alone(path):
    for node in ast.walk(ast.parse(code_of(path))):
        if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
            value, spec = ast.unparse(node.value), ast.unparse(node.format_spec)
            decimals = re.search(r"\.[^.]+[efg]'?$", spec)
            assert not decimals, f"{path.name}: {value} as {spec}: use fixed(…) or show(…)"
