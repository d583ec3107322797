"""Execute and normalise the lessons: `make notebooks`, or `python tools/notebooks.py [LESSON ...]`.

A LESSON is a file, a file name or a number ("06"); without any, all of notebooks/ is done.
Each notebook runs in its own folder, with a fresh kernel. What is written depends on the
lesson and the package alone, so a second run changes nothing:

- cell ids are kept when they are short words (`two-cards`), else made from the position;
- widget models are numbered 1, 2, 3… in reading order; those that no output shows are dropped;
- of metadata only the tags, a reduced kernel description and the widgets' state stay;
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

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"
STATE = "application/vnd.jupyter.widget-state+json"
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
    options = parser.parse_args(arguments)
    try:
        for path in find(options.lessons):
            changed = refresh(path, options.timeout)
            print(f"{path.name}: {'written' if changed else 'unchanged'}", flush=True)
    except Stopped as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("make notebooks: interrupted; the file it was at is as it was", file=sys.stderr)
        return 130
    return 0


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


def refresh(path, timeout=300):
    """Execute one notebook and write it back, normalised → True when the file changed."""
    path = Path(path).resolve()
    if not path.stat().st_mode & 0o222:
        raise Stopped(f"{path.name}: the file is read-only")
    sweep(path)
    before = path.read_bytes()
    try:
        notebook = nbformat.reads(before.decode("utf-8"), as_version=4)
    except Exception as error:
        raise Stopped(f"{path.name}: not a notebook: {error}") from error
    prepare(notebook)
    execute(notebook, path, timeout)
    normalise(notebook)
    try:
        nbformat.validate(notebook)
    except nbformat.ValidationError as error:
        raise Stopped(f"{path.name}: no valid notebook: {error.message}") from error
    after = (nbformat.writes(notebook).rstrip("\n") + "\n").encode("utf-8")
    if after == before:
        return False
    try:
        replace(path, after)
    except OSError as error:
        raise Stopped(f"{path.name}: cannot be written: {error.strerror}") from error
    return True


def prepare(notebook):
    """Drop old outputs and state; give every cell the id that it is reported under."""
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    notebook.metadata.pop("widgets", None)
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
        store_widget_state=True,
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
    widgets = notebook.metadata.get("widgets", {}).get(STATE, {}).get("state", {})
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
    number_widgets(notebook, widgets)


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


def number_widgets(notebook, state):
    """Rename widget models 1, 2, 3… in reading order and store the state of those shown."""
    order = []
    views = [
        output.data[VIEW]
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if VIEW in output.get("data", {})
    ]
    for view in views:
        if view["model_id"] not in state:
            raise Stopped("a cell shows a widget that was closed before the end of the notebook")
        visit(view["model_id"], state, order)
    for id, model in state.items():  # a link between two models that are shown
        ends = references(model)
        if id not in order and "Link" in model.get("model_name", "") and set(ends) <= set(order):
            order.append(id)
    names = {id: str(number) for number, id in enumerate(order, start=1)}
    for view in views:
        view["model_id"] = names[view["model_id"]]
    if order:
        shown = {names[id]: renamed(state[id], names) for id in order}
        notebook.metadata["widgets"] = nbformat.from_dict(
            {STATE: {"state": shown, "version_major": 2, "version_minor": 0}}
        )


def visit(id, state, order):
    if id in state and id not in order:
        order.append(id)
        for other in references(state[id]):
            visit(other, state, order)


def references(value):
    """Ids of the models that a value names as "IPY_MODEL_<id>", in a fixed order."""
    if isinstance(value, str):
        return [value.removeprefix("IPY_MODEL_")] if value.startswith("IPY_MODEL_") else []
    if isinstance(value, dict):
        return [id for key in sorted(value) for id in references(value[key])]
    if isinstance(value, (list, tuple)):
        return [id for item in value for id in references(item)]
    return []


def renamed(value, names):
    if isinstance(value, str) and value.startswith("IPY_MODEL_"):
        id = value.removeprefix("IPY_MODEL_")
        return f"IPY_MODEL_{names.get(id, id)}"
    if isinstance(value, dict):
        return {key: renamed(item, names) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [renamed(item, names) for item in value]
    return value


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
