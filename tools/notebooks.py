"""Execute and normalise the lessons: `make notebooks`, or `python tools/notebooks.py [LESSON ...]`.

With --check nothing is written: the exit status is 1 if a lesson would change.

A LESSON is a file, a file name or a number ("06"); without any, all of notebooks/ is done.
Each notebook runs in its own folder, with a fresh kernel. What is written depends on the
lesson and the package alone, so a second run changes nothing:

- cell ids are kept when they are short words (`two-cards`), else made from the position;
- of a widget its inputs, its still picture and its text stay: no code, no model of a live kernel;
- of metadata only the tags and a reduced kernel description stay;
- execution counts are 1..n, streams of one name are joined, timings are gone.

A cell that raises stops everything with exit status 1 and a line that names lesson, cell and
error; the committed file stays as it was, as it does when a run is interrupted or cannot start.
Files are replaced in one step, never half written; a read-only file is refused.
"""

import argparse
import os
import re
import sys
import tempfile
from pathlib import Path

import nbformat
from jupyter_client.kernelspec import NoSuchKernel
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from qkv.widgets import STORED

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"
VIEW = "application/vnd.jupyter.widget-view+json"
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
LANGUAGE = {
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "name": "python",
    "pygments_lexer": "ipython3",
}
WORDS = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
RANDOM = re.compile(r"(?=.*\d)[0-9a-f]{8}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class Stopped(Exception):
    """A lesson that cannot be executed; its text names lesson, cell and error."""


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Execute and normalise the lessons.")
    parser.add_argument("lessons", nargs="*", help="files, file names or numbers; all by default")
    parser.add_argument("--timeout", type=int, default=300, help="seconds for one cell")
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args(arguments)
    written = "not what its cells print" if options.check else "written"
    stale = False
    try:
        for path in find(options.lessons):
            changed = refresh(path, options.timeout, write=not options.check)
            stale = stale or (changed and options.check)
            print(f"{path.name}: {written if changed else 'unchanged'}", flush=True)
    except Stopped as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("make notebooks: interrupted; the file it was at is as it was", file=sys.stderr)
        return 130
    return 1 if stale else 0


def find(names, folder=NOTEBOOKS):
    """Lessons by file, file name, stem or number → paths in reading order."""
    lessons = sorted(folder.glob("*.ipynb"))
    if not names:
        return lessons
    found = []
    for name in names:
        stem = Path(name).stem if name.endswith(".ipynb") else name
        matches = [p for p in lessons if p.stem == stem or p.stem.split("_")[0] == stem]
        if Path(name).is_file():
            matches = [Path(name)]
        if not matches:
            raise Stopped(f"make notebooks: no lesson {name!r} in {folder}")
        found += matches
    return found


def refresh(path, timeout=300, write=True):
    """Execute one notebook and write it back, normalised → True when the file is another now.

    write: False leaves the file alone, whatever comes out.
    """
    path = Path(path).resolve()
    if write and not path.stat().st_mode & 0o222:
        raise Stopped(f"{path.name}: the file is read-only")
    if write:
        sweep(path)
    before = path.read_bytes()
    try:
        notebook = nbformat.reads(before.decode("utf-8"), as_version=4)
    except Exception as error:
        raise Stopped(f"{path.name}: not a notebook: {error}") from error
    prepare(notebook)
    execute(notebook, path, timeout)
    try:
        normalise(notebook)
    except Stopped as error:
        raise Stopped(f"{path.name}: {error}") from error
    try:
        nbformat.validate(notebook)
    except nbformat.ValidationError as error:
        raise Stopped(f"{path.name}: no valid notebook: {error.message}") from error
    after = (nbformat.writes(notebook).rstrip("\n") + "\n").encode("utf-8")
    if after == before or not write:
        return after != before
    try:
        replace(path, after)
    except OSError as error:
        raise Stopped(f"{path.name}: cannot be written: {error.strerror}") from error
    return True


def prepare(notebook):
    """Drop old outputs and state; give every cell the id that it is reported under."""
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    name_cells(notebook.cells)


def execute(notebook, path, timeout):
    """Run all cells in the notebook's own folder. Stopped names the cell that fails."""
    last = [0]
    client = NotebookClient(
        notebook,
        timeout=timeout,
        kernel_name=KERNEL["name"],
        resources={"metadata": {"path": str(path.parent)}},
        store_widget_state=False,
        extra_arguments=["--IPKernelApp.log_level=ERROR"],  # no talk about the transport
        on_cell_start=lambda cell, cell_index: last.__setitem__(0, cell_index),
    )
    try:
        client.execute()
    except Exception as error:
        if hasattr(client, "_async_cleanup_kernel_future"):  # nbclient ends the kernel at Ctrl-C
            raise KeyboardInterrupt from error  # and then stumbles over that
        if isinstance(error, NoSuchKernel):
            raise Stopped(f"{path.name}: there is no kernel named {error.name!r}") from error
        problem = name_problem(error, timeout)
        raise Stopped(report(path, notebook, last[0], problem)) from error


def name_problem(error, timeout):
    """Say in a few words why a cell did not come to its end."""
    if isinstance(error, CellExecutionError):
        return f"{error.ename}: {error.evalue}"
    if isinstance(error, CellTimeoutError):
        return f"took longer than {timeout} seconds"
    if isinstance(error, DeadKernelError):
        return "the kernel died"
    return f"{type(error).__name__}: {error}"


def report(path, notebook, index, problem):
    """ "06_whole_sequence.ipynb: cell 7 (`loops`): NameError: …", cells counted from 1."""
    problem = COLOUR.sub("", problem).strip()
    return f"{path.name}: cell {index + 1} (`{notebook.cells[index].id}`): {problem}"


def normalise(notebook):
    """Make the notebook depend on nothing but its sources and what they print."""
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNEL, "language_info": LANGUAGE})
    count = 0
    for cell in notebook.cells:
        cell.source = cell.source.rstrip("\n")
        tags = cell.metadata.get("tags", [])
        cell.metadata = nbformat.from_dict({"tags": tags} if tags else {})
        cell.pop("attachments", None) if not cell.get("attachments") else None
        if cell.cell_type == "code":
            count += 1
            cell.execution_count = count
            cell.outputs = join_streams(cell.outputs)
            for output in cell.outputs:
                output.pop("transient", None)
                if output.output_type == "execute_result":
                    output.execution_count = count
            keep_inputs(cell)


def name_cells(cells):
    """Keep each id that is made of words and is the first of its kind; remake the others."""
    kept = set()
    for cell in cells:
        id = cell.get("id", "")
        ok = WORDS.fullmatch(id) and not RANDOM.fullmatch(id) and len(id) <= 64
        cell.id = id if ok and id not in kept else ""
        kept.add(cell.id)
    for position, cell in enumerate(cells, start=1):
        if not cell.id:
            id = f"cell-{position}"
            while id in kept:
                id += "-again"
            cell.id = id
            kept.add(id)


def join_streams(outputs):
    joined = []
    for output in outputs:
        last = joined[-1] if joined else None
        if (
            output.output_type == "stream"
            and last is not None
            and last.output_type == "stream"
            and last.name == output.name
        ):
            last.text += output.text
        else:
            joined.append(output)
    return joined


def keep_inputs(cell):
    """Of a widget keep its inputs, picture and text: its code and its models are the package's."""
    for output in cell.outputs:
        data = output.get("data", {})
        if VIEW in data and STORED not in data:
            raise Stopped(f"cell `{cell.id}` shows a widget that is not of qkv.widgets")
        data.pop(VIEW, None)


def replace(path, data):
    """Write beside the file and move into place: readers see the old file or the new one."""
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, path.stat().st_mode & 0o777)
        os.replace(temporary, path)
    finally:
        Path(temporary).unlink(missing_ok=True)


def sweep(path):
    """Remove what a killed run left beside the file."""
    for leftover in path.parent.glob(f".{path.name}.*.tmp"):
        leftover.unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main())
