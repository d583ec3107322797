"""Every quoted number is recomputed; a wrong digit is seen and ends in a non-zero exit status."""

import numpy as np
import pytest

from qkv import reproduce
from qkv.reproduce import Row, __main__, agrees, shown


@pytest.mark.parametrize("lesson", reproduce.lessons())
def test_every_quoted_number_is_the_computed_one(lesson):
    rows = reproduce.rows(lesson)
    assert rows
    for row in rows:
        assert agrees(row), f"{row.what}: quoted {row.quoted}, computed {shown(row)}"


def test_part_one_is_there():
    assert set(reproduce.lessons()) >= {f"0{i}" for i in range(1, 9)}


@pytest.mark.parametrize("quoted, computed, ok", [
    ("0.50", 0.504, True),
    ("0.50", 0.506, False),
    ("0.496510", 0.4965102, True),
    ("0.496511", 0.4965102, False),
    ("-0.373249", -0.37324899, True),
    ("0.373249", -0.37324899, False),
    ("[1, 0.5]", [1.0, 0.5], True),
    ("[1, 0.5]", [1.0, 0.56], False),
    ("[1, 0.5]", [1.4, 0.5], True),  # a quoted 1 promises no more digits
    ("[1, 0.5]", [1.6, 0.5], False),
    ("[1, 0.5]", [[1.0, 0.5]], False),
    ("[1, 0.5]", [1.0, 0.5, 0.0], False),
    ("[1, −∞]", [1.0, -np.inf], True),
    ("[1, −∞]", [1.0, 0.0], False),
    ("1", np.nan, False),
    ("< 1e-10", [0, 1e-11], True),
    ("< 1e-10", [0, 1e-9], False),
    ("< 1e-10", [0, np.nan], False),
    ("≥ 0.99", [0.99, 1], True),
    ("≥ 0.99", [0.98, 1], False),
    ("≤ 0", [0.0, 0.0], True),
    ("≤ 0", [0.0, 1e-300], False),
    ("> 1", 1.0, False),
    ("True", True, True),
    ("True", False, False),
])  # fmt: skip
def test_comparison(quoted, computed, ok):
    assert agrees(Row("", quoted, computed)) == ok


def test_shown_has_the_quoted_number_of_digits():
    row = Row("", "[[0.5000, 1], [-0.1, −∞]]", [[0.12346, 2], [0.04, 1]])
    assert shown(row) == "[[0.1235, 2], [0.0, 1]]"
    assert shown(Row("", "0.0", -0.01)) == "0.0"


def test_exit_status(monkeypatch, capsys):
    assert __main__.main(["01"]) == 0
    assert "all as quoted" in capsys.readouterr().out
    assert __main__.main(["99"]) == 2
    monkeypatch.setattr(reproduce, "rows", lambda lesson: [Row("a sum", "0.5", 0.6)])
    assert __main__.main(["01"]) == 1
    out = capsys.readouterr().out
    assert "DIFFERS" in out and "1 that differ" in out


def test_numbers_may_be_short_and_help_is_given(monkeypatch, capsys):
    monkeypatch.setattr(reproduce, "rows", lambda lesson: [Row(lesson, "0.5", 0.5)])
    assert __main__.main(["6", "06", "6"]) == 0
    assert "1 rows, all as quoted" in capsys.readouterr().out
    assert __main__.main(["--help"]) == 0
    assert "python -m qkv.reproduce 06 08" in capsys.readouterr().out


def test_an_unknown_lesson_is_named():
    with pytest.raises(ValueError, match="rows: expected one of 01 .*, got 99"):
        reproduce.rows("99")
