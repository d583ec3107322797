"""What a lesson stores of its widgets is what the package makes today: code, inputs and picture.

nbval compares printed text. The page's widgets open on the stored state and run the stored code,
so these are held to the package here.
"""

import importlib

import prose
import pytest

import qkv.widgets

STATE = "application/vnd.jupyter.widget-state+json"
VIEW = "application/vnd.jupyter.widget-view+json"


def stored_widgets(path):
    """Yield (cell id, class, stored state, output data) for each widget that a lesson shows."""
    notebook = prose.load(path)
    models = notebook.metadata.get("widgets", {}).get(STATE, {}).get("state", {})
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if VIEW in data:
                state = models[data[VIEW]["model_id"]]["state"]
                module, name = state["_anywidget_id"].rsplit(".", 1)
                yield cell.id, getattr(importlib.import_module(module), name), state, data


@pytest.mark.parametrize("path", prose.LESSONS, ids=lambda path: path.stem)
def test_stored_widgets_are_the_package_s(path):
    shown = list(stored_widgets(path))
    assert shown, f"{path.name} shows no widget"
    for cell, cls, state, data in shown:
        where = f"{path.name}, cell {cell}: run `make notebooks`"
        assert cls in qkv.widgets.CLASSES, where
        assert state["_esm"] == str(cls._esm), f"its JavaScript is not the package's; {where}"
        assert state["_css"] == str(cls._css), f"its style is not the package's; {where}"
        widget = cls(**{name: state[name] for name in cls.INPUTS})
        assert data["text/plain"] == repr(widget), where
        assert data["image/svg+xml"] == widget.still(), where
