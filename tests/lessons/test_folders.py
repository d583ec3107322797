"""A lesson is one notebook, one line of the table of contents and one folder, and no more."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import prose
import pytest
import yaml

import qkv
from qkv import by_lesson

PACKAGE = Path(qkv.__file__).parent
LESSONS = PACKAGE / "lessons"


def test_each_lesson_has_a_notebook_a_folder_and_a_line_in_the_table_of_contents():
    toc = yaml.safe_load((prose.ROOT / "_toc.yml").read_text(encoding="utf-8"))
    files = [chapter["file"] for part in toc["parts"] for chapter in part["chapters"]]
    listed = [file for file in files if file.startswith("notebooks/")]
    assert listed == [f"notebooks/{path.stem}" for path in prose.LESSONS]
    assert by_lesson.lessons() == tuple(prose.number_of(path) for path in prose.LESSONS)


@pytest.mark.parametrize("lesson", by_lesson.lessons())
def test_an_id_says_where_it_stands(lesson):
    ids = [*by_lesson.entries(lesson, "exercises"), *by_lesson.entries(lesson, "questions")]
    assert all(id.startswith(f"{lesson}.") for id in ids)
    for id in by_lesson.entries(lesson, "exercises"):
        name = id.partition(".")[2].replace("break", "break_it")
        assert (LESSONS / f"lesson_{lesson}" / "exercises" / f"{name}.py").is_file()


def size(folder):
    return sum(path.stat().st_size for path in folder.rglob("*.py"))


def test_a_copied_folder_is_a_new_lesson(tmp_path):
    """Lesson 99, from the smallest folder there is: found by everything that readers call."""
    shutil.copytree(PACKAGE, tmp_path / "qkv", ignore=shutil.ignore_patterns("__pycache__"))
    smallest = min(LESSONS.glob("lesson_[0-9][0-9]"), key=size)
    copy = tmp_path / "qkv" / "lessons" / "lesson_99"
    shutil.copytree(smallest, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for path in copy.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub(rf'"{smallest.name[-2:]}\.', '"99.', text), encoding="utf-8")

    done = run(tmp_path, "-c", ASKED)
    assert done.stdout.split() == ["99.hand", "True", "True", "99.hand", "99.quiz.1"], done.stderr
    done = run(tmp_path, "-m", "qkv.reproduce", "99")
    assert done.returncode == 0 and "Lesson 99" in done.stdout, done.stderr


ASKED = """
import qkv
exercise = qkv.checks.exercise("99.hand")
print(exercise.id, qkv.check("99.hand", exercise.numbers).ok, bool(qkv.checks.mistakes("99.hand")))
print(qkv.ask("99.hand").id, qkv.questions.question("99.quiz.1").id)
assert {"99.hand", "99.break"} < set(qkv.checks.ids()) and "99.quiz.1" in qkv.questions.ids()
"""


def run(folder, *arguments):
    there = os.environ | {"PYTHONPATH": str(folder)}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=there, capture_output=True, text=True)
