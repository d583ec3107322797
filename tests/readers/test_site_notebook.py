"""A reader without this repository: a notebook taken from the served site runs whole.

The environment is new and holds only numpy, torch, matplotlib and Jupyter, linked from the one
that runs the tests. The first cell fetches the book's wheel from the site, and anywidget from the
package index.
"""

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from packaging.requirements import Requirement

GIVEN = ("numpy", "torch", "matplotlib", "nbconvert", "ipykernel", "pip")
ROOT = Path(__file__).resolve().parents[2]
LESSONS = sorted(path.stem for path in (ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))


def closure(names):
    """The installed distributions that `names` need, themselves included."""
    found, seen, waiting = {}, set(), [Requirement(name) for name in names]
    while waiting:
        wanted = waiting.pop()
        name = re.sub(r"[-_.]+", "-", wanted.name).lower()
        if (name, *wanted.extras) in seen:
            continue
        seen.add((name, *wanted.extras))
        try:
            found[name] = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue  # needed on another platform only
        for line in found[name].requires or []:
            needed = Requirement(line)
            extras = wanted.extras or {""}
            if not needed.marker or any(needed.marker.evaluate({"extra": e}) for e in extras):
                waiting.append(needed)
    return found


@pytest.fixture(scope="module")
def bare_python(tmp_path_factory):
    """A Python in a new environment that has what GIVEN names and nothing of the book."""
    folder = tmp_path_factory.mktemp("reader") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    library = next(folder.glob("lib/python3*/site-packages"))
    for distribution in closure(GIVEN).values():
        for file in distribution.files:
            source = Path(distribution.locate_file(file))
            target = library / file
            if ".." in file.parts or file.suffix == ".pyc" or not source.is_file():
                continue  # scripts belong to the other environment
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                os.link(source, target)
            except OSError:
                shutil.copy2(source, target)
    python = folder / "bin" / "python"
    probe = "import importlib.util as u; print([n for n in ('qkv', 'anywidget') if u.find_spec(n)])"
    done = subprocess.run([python, "-c", probe], capture_output=True, text=True, cwd=folder)
    assert done.stdout.strip() == "[]", done.stdout + done.stderr
    return python


def environment(**extra):
    """This process's variables, less those that would let the book's own folder in."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV"))}
    return {**kept, **extra}


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_notebook_from_the_site_runs_whole(lesson, bare_python, server, tmp_path):
    import urllib.request

    address = f"{server.url}notebooks/{lesson}.ipynb"
    path = tmp_path / f"{lesson}.ipynb"
    path.write_bytes(urllib.request.urlopen(address).read())

    command = [bare_python, "-m", "nbconvert", "--to", "notebook", "--execute", "--inplace", path]
    env = environment(SITE_URL=server.url, IPYTHONDIR=str(tmp_path / "ipython"))
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=env)
    assert done.returncode == 0, done.stderr[-3000:]

    fresh = nbformat.read(path, as_version=4)
    stored = nbformat.read(ROOT / "notebooks" / f"{lesson}.ipynb", as_version=4)
    outputs = {cell.id: printed(cell) for cell in fresh.cells if cell.cell_type == "code"}
    assert outputs.pop("install-qkv") == ""
    assert outputs == {c.id: printed(c) for c in stored.cells if c.cell_type == "code"}


def printed(cell):
    texts = [o.get("text") or o.get("data", {}).get("text/plain", "") for o in cell.outputs]
    return "".join(texts)


def test_the_first_cell_says_what_is_wrong(bare_python, server, tmp_path):
    """An address that serves no book: one sentence names it and says what to set."""
    import json
    import urllib.request

    text = urllib.request.urlopen(f"{server.url}notebooks/{LESSONS[0]}.ipynb").read()
    cell = next(c for c in json.loads(text)["cells"] if c.get("id") == "install-qkv")
    code = "".join(cell["source"]).replace('== "', '!= "')  # as if qkv were not there yet
    nowhere = f"{server.url}nowhere"
    done = subprocess.run(
        [bare_python, "-c", code], capture_output=True, text=True, cwd=tmp_path,
        env=environment(SITE_URL=nowhere),
    )  # fmt: skip
    assert done.returncode != 0
    assert f"Is {nowhere} the address of the book? Set the environment variable SITE_URL" in (
        done.stderr
    )
