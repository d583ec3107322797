"""make notebooks: executed, normalised, written in one step, or left alone."""

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time

import nbformat
import prose
import pytest
from nbformat import v4

from qkv.widgets import STORED

TOOL = prose.ROOT / "tools" / "notebooks.py"
spec = importlib.util.spec_from_file_location("make_notebooks", TOOL)
tool = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tool)


def make(*arguments):
    return subprocess.run(
        [sys.executable, TOOL, *arguments], capture_output=True, text=True, timeout=120
    )


def write(path, *sources):
    cells = [v4.new_markdown_cell("# 01 · A title"), *map(v4.new_code_cell, sources)]
    for k, cell in enumerate(cells):
        cell.id = f"a1b2c3d{k}"  # as nbformat makes them; by chance some of its own are words
    nbformat.write(v4.new_notebook(cells=cells), path)
    return path


LESSON = [
    "import time\nimport qkv\nfrom pathlib import Path\nprint('one')",
    "print('two', flush=True)\ntime.sleep(0.01)\nprint('three')",
    "hidden = qkv.widgets.AttentionTable()\nqkv.widgets.AttentionTable(causal=True)",
    "print(Path.cwd().name)",
    "qkv.widgets.AttentionTable()",
]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A lesson made twice → its path, what the file held each time, what each run said."""
    folder = tmp_path_factory.mktemp("here")
    path = write(folder / "01_small.ipynb", *LESSON)
    path.chmod(0o640)
    runs, texts = [], []
    for _ in range(2):
        runs.append(make(path))
        texts.append(path.read_bytes())
    return path, texts, runs


def test_a_second_run_changes_nothing(made):
    path, texts, runs = made
    assert [run.returncode for run in runs] == [0, 0], runs[0].stderr
    assert texts[0] == texts[1]
    assert "written" in runs[0].stdout
    assert "unchanged" in runs[1].stdout
    assert runs[0].stderr == ""
    assert os.listdir(path.parent) == [path.name]
    assert path.stat().st_mode & 0o777 == 0o640
    assert texts[0].endswith(b"}\n")


def test_executed_and_normalised(made):
    path, _, _ = made
    notebook = prose.load(path)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == [1, 2, 3, 4, 5]
    assert [cell.id for cell in notebook.cells] == [f"cell-{k}" for k in range(1, 7)]
    assert [output.text for output in cells[1].outputs] == ["two\nthree\n"]
    assert cells[3].outputs[0].text == path.parent.name + "\n"  # ran in its own folder
    assert all(cell.metadata == {} for cell in notebook.cells)
    assert notebook.metadata.language_info.name == "python"
    assert "version" not in notebook.metadata.language_info


def test_of_a_widget_inputs_picture_and_text_are_kept(made):
    path, texts, _ = made
    shown = [
        output.data
        for cell in prose.load(path).cells
        for output in cell.get("outputs", [])
        if STORED in output.get("data", {})
    ]
    assert [data[STORED]["name"] for data in shown] == ["AttentionTable"] * 2
    assert [data[STORED]["traits"]["causal"] for data in shown] == [True, False]
    assert all(data["text/html"].startswith("<img ") for data in shown)
    assert all(set(data) == {STORED, "text/html", "text/plain"} for data in shown)
    assert not [word for word in (b"_esm", b"_css", b"export default") if word in texts[0]]


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("x = 1\nx.missing", "cell 3 (`cell-3`): AttributeError: 'int' object"),
        ("import os\nos._exit(3)", "cell 3 (`cell-3`): the kernel died"),
    ],
)
def test_a_raising_cell_leaves_the_file_as_it_was(tmp_path, source, says):
    path = write(tmp_path / "02_raises.ipynb", "print('fine')", source, "print('never')")
    before = path.read_bytes()
    (tmp_path / ".02_raises.ipynb.abc.tmp").write_text("left by a killed run")
    run = make(path)
    assert run.returncode == 1
    assert f"02_raises.ipynb: {says}" in run.stderr
    assert "Traceback" not in run.stderr
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == [path.name]


def test_a_slow_cell_is_named(tmp_path):
    path = write(tmp_path / "03_slow.ipynb", "import time\ntime.sleep(60)")
    run = make("--timeout", "1", path)
    assert run.returncode == 1
    assert "03_slow.ipynb: cell 2 (`cell-2`): took longer than 1 seconds" in run.stderr


def test_an_interrupted_run_leaves_the_file_as_it_was(tmp_path):
    path = write(tmp_path / "05_long.ipynb", "open('started', 'w')", "import time; time.sleep(60)")
    before = path.read_bytes()
    for stop, status in ((signal.SIGKILL, -9), (signal.SIGINT, 130)):
        run = subprocess.Popen([sys.executable, TOOL, path], stderr=subprocess.PIPE, text=True)
        started = tmp_path / "started"
        for _ in range(600):
            if started.exists():
                break
            time.sleep(0.1)
        run.send_signal(stop)
        said = run.communicate(timeout=30)[1]
        assert run.returncode == status
        assert stop == signal.SIGKILL or "interrupted" in said.splitlines()[-1]
        started.unlink()
        assert path.read_bytes() == before and os.listdir(tmp_path) == [path.name]


def test_a_missing_kernel_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(tool.KERNEL, "name", "no-such-kernel")
    path = write(tmp_path / "06_kernel.ipynb", "print(1)")
    before = path.read_bytes()
    assert tool.main([str(path)]) == 1
    said = capsys.readouterr().err
    assert said == "06_kernel.ipynb: there is no kernel named 'no-such-kernel'\n"
    assert path.read_bytes() == before


def test_a_read_only_file_is_refused(tmp_path):
    path = write(tmp_path / "07_closed.ipynb", "print(1)")
    path.chmod(0o444)
    before = path.read_bytes()
    run = make(path)
    assert (run.returncode, run.stderr) == (1, "07_closed.ipynb: the file is read-only\n")
    assert path.read_bytes() == before


def test_a_folder_that_cannot_be_written_is_told(tmp_path, monkeypatch):
    def refuse(path, data):
        raise PermissionError(13, "Permission denied")

    path = write(tmp_path / "08_folder.ipynb")
    monkeypatch.setattr(tool, "execute", lambda *_: None)
    monkeypatch.setattr(tool, "replace", refuse)
    with pytest.raises(tool.Stopped, match="08_folder.ipynb: cannot be written: Permission denied"):
        tool.refresh(path)


def test_no_such_lesson_and_no_notebook(tmp_path):
    run = make("99_nowhere")
    assert (run.returncode, run.stdout) == (1, "")
    assert "no lesson '99_nowhere'" in run.stderr
    path = tmp_path / "04_torn.ipynb"
    path.write_text('{"cells": [')
    run = make(path)
    assert run.returncode == 1
    assert "04_torn.ipynb: not a notebook" in run.stderr
    assert path.read_text() == '{"cells": ['


def test_a_write_that_fails_leaves_the_file_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "01_x.ipynb"
    path.write_bytes(b"before")
    monkeypatch.setattr(tool.os, "replace", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        tool.replace(path, b"after")
    assert path.read_bytes() == b"before"
    assert os.listdir(tmp_path) == [path.name]


def test_find(tmp_path):
    for name in ("02_b.ipynb", "01_a.ipynb", "notes.txt"):
        (tmp_path / name).write_text("")
    stems = [path.stem for path in tool.find([], tmp_path)]
    assert stems == ["01_a", "02_b"]
    for name in ("02", "02_b", "02_b.ipynb"):
        assert [path.stem for path in tool.find([name], tmp_path)] == ["02_b"]
    with pytest.raises(tool.Stopped, match="03"):
        tool.find(["03"], tmp_path)


def test_cell_ids():
    ids = ["two-cards", "two-cards", "a1b2c3d4", "deadbeef", "Loud", "0cell", "cell-2", ""]
    cells = [nbformat.from_dict({"id": id}) for id in ids]
    tool.name_cells(cells)
    assert [cell.id for cell in cells] == [
        "two-cards", "cell-2-again", "cell-3", "deadbeef", "cell-5", "cell-6", "cell-2", "cell-8",
    ]  # fmt: skip


def test_a_widget_that_the_page_cannot_mount_is_refused():
    view = v4.new_output("display_data", {tool.VIEW: {"model_id": "abc"}})
    notebook = v4.new_notebook(cells=[v4.new_code_cell("slider", id="slide", outputs=[view])])
    notebook.metadata["widgets"] = {"some": "state"}
    with pytest.raises(tool.Stopped, match="`slide` shows a widget that is not of qkv.widgets"):
        tool.normalise(notebook)
    notebook.cells[0].outputs = []
    tool.normalise(notebook)
    assert "widgets" not in notebook.metadata


def test_check_writes_nothing_and_tells(tmp_path):
    path = write(tmp_path / "09_check.ipynb", "print('one')")
    before = path.read_bytes()
    run = make("--check", path)
    assert run.returncode == 1 and "09_check.ipynb: not what its cells print" in run.stdout
    assert path.read_bytes() == before
    assert make(path).returncode == 0
    run = make("--check", path)
    assert (run.returncode, run.stdout) == (0, "09_check.ipynb: unchanged\n")


@pytest.mark.parametrize("path", prose.LESSONS, ids=lambda path: path.stem)
def test_lessons_are_committed_as_make_notebooks_writes_them(path):
    notebook = nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)
    tool.name_cells(notebook.cells)
    tool.normalise(notebook)
    again = nbformat.writes(notebook).rstrip("\n") + "\n"
    assert json.loads(again) == json.loads(path.read_text(encoding="utf-8"))
    assert again == path.read_text(encoding="utf-8")
