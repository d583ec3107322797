"""What a lesson stores of its widgets is what the package makes today: code, inputs and picture.

nbval compares printed text. The page's widgets open on the stored state and run the stored code,
so these are held to the package here, input by input: the answers of the quizzes are among them.
"""

import contextlib
import importlib
import io
import json

import prose
import pytest

import qkv.widgets

STATE = "application/vnd.jupyter.widget-state+json"
VIEW = "application/vnd.jupyter.widget-view+json"


def stored_widgets(notebook):
    """Yield (cell, class, stored state, output data) for each widget that a lesson shows."""
    models = notebook.metadata.get("widgets", {}).get(STATE, {}).get("state", {})
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if VIEW in data:
                state = models[data[VIEW]["model_id"]]["state"]
                module, name = state["_anywidget_id"].rsplit(".", 1)
                yield cell, getattr(importlib.import_module(module), name), state, data


def made(notebook, cell):
    """The widget that a cell makes today; the cells before it run where it needs their names."""
    names = {"qkv": qkv}
    try:
        return eval(cell.source, names)
    except NameError:
        before = notebook.cells[: notebook.cells.index(cell)]
        with contextlib.redirect_stdout(io.StringIO()):
            exec("\n".join(c.source for c in before if c.cell_type == "code"), names)
        return eval(cell.source, names)


@pytest.mark.parametrize("path", prose.LESSONS, ids=lambda path: path.stem)
def test_stored_widgets_are_the_package_s(path):
    notebook = prose.load(path)
    shown = list(stored_widgets(notebook))
    assert shown, f"{path.name} shows no widget"
    for cell, cls, state, data in shown:
        where = f"{path.name}, cell {cell.id}: run `make notebooks`"
        assert cls in qkv.widgets.CLASSES, where
        assert state["_esm"] == str(cls._esm), f"its JavaScript is not the package's; {where}"
        assert state["_css"] == str(cls._css), f"its style is not the package's; {where}"
        widget = made(notebook, cell)
        assert isinstance(widget, cls), where
        for name, value in json.loads(json.dumps(widget.inputs())).items():
            assert state[name] == value, f"its {name} is not what the cell makes; {where}"
        assert data["text/plain"] == repr(widget), where
        assert data["image/svg+xml"] == widget.still(), where
