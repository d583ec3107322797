"""Other processors compute other last bits; what is stored stays the same (tools/machines.py).

`make machines` runs all of it under every kind of arithmetic. Here is the part that needs neither
kernels nor a browser, under the two kinds that differ most.
"""

import json
import os
import platform
import subprocess
import sys

import prose
import pytest

from tools import machines

ANSWERS = """
import json
from qkv import questions
from qkv.steady import steady
raw = [[q.answer, q.mistakes] for q in map(questions.question, questions.ids())]
print(json.dumps([raw, steady(raw)]))
"""


@pytest.mark.parametrize("kind", ["prescott", "narrow"])
def test_what_is_stored_is_the_same_on_another_processor(kind):
    check = next(iter(machines.CHECKS))
    passed, printed = machines.run(kind, check)
    assert passed, printed[-3000:]
    assert " passed" in printed


def test_the_kinds_compute_otherwise_and_store_the_same():
    raw, stored = set(), set()
    for kind in ("default", "prescott", "haswell", "narrow"):
        env = {**os.environ, **machines.KINDS[kind]()}
        done = subprocess.run(
            [sys.executable, "-c", ANSWERS], env=env, cwd=prose.ROOT, check=True,
            capture_output=True, text=True,
        )  # fmt: skip
        one, other = json.loads(done.stdout)
        raw.add(json.dumps(one))
        stored.add(json.dumps(other))
    assert len(stored) == 1
    if platform.machine() == "x86_64":  # elsewhere OpenBLAS does not know these processors
        assert len(raw) > 1, "the kinds do not reach NumPy: every one computes the same bits"


def test_a_difference_is_told(monkeypatch, capsys):
    monkeypatch.setattr(machines, "CHECKS", {"fine": ["-c", ""], "off": ["-c", "exit('a digit')"]})
    assert machines.main(["prescott"]) == 1
    said = capsys.readouterr()
    lines = [line.split() for line in said.out.splitlines()]
    assert lines[0][:3] == ["prescott", "fine", "ok"]
    assert lines[1][:3] == ["prescott", "off", "DIFFERS"] and lines[2] == ["a", "digit"]
    assert "1 checks differ" in said.err
    with pytest.raises(SystemExit):
        machines.main(["pentium"])
    assert "expected kinds among default, prescott" in capsys.readouterr().err
