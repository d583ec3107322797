"""What a lesson stores of its widgets is what the package makes today: inputs, text and picture.

nbval compares the same, with a kernel. Here it takes a second, so that `make machines` and an
author see it at once; the answers of the quizzes are among the inputs.
"""

import contextlib
import io
import json

import prose
import pytest

import qkv.widgets
from qkv.widgets import STORED
from qkv.widgets._still import as_image


def stored_widgets(notebook):
    """Yield (cell, output data) for each widget that a lesson shows."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if STORED in output.get("data", {}):
                yield cell, output.data


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
    for cell, data in shown:
        where = f"{path.name}, cell {cell.id}: run `make notebooks`"
        widget = made(notebook, cell)
        assert isinstance(widget, qkv.widgets.CLASSES), where
        now = json.loads(json.dumps(widget.stored()))
        assert data[STORED]["name"] == now["name"], where
        for name, value in now["traits"].items():
            assert data[STORED]["traits"][name] == value, f"its {name} is another now; {where}"
        assert data["text/plain"] == repr(widget), where
        assert data["text/html"] == as_image(widget.still()), where


@pytest.mark.parametrize("path", prose.LESSONS, ids=lambda path: path.stem)
def test_what_is_stored_makes_the_same_widget_again(path):
    for cell, data in stored_widgets(prose.load(path)):
        widget = qkv.widgets.restore(data[STORED])
        assert widget.stored() == data[STORED], cell.id
        assert repr(widget) == data["text/plain"]


def test_restore_names_what_it_cannot_make():
    with pytest.raises(ValueError, match="expected a name among AttentionTable, .*got 'Lamp'"):
        qkv.widgets.restore({"name": "Lamp", "traits": {}})
