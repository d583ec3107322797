"""Make a lean lesson whole: the widget models that a viewer without the package needs.

A committed lesson keeps a widget's inputs alone. The copies that the site offers carry models as
ipywidgets saves them, code and style included, so that Colab, JupyterLab and nbviewer show the
live widget before any cell has run.
"""

import json

from ipywidgets import Widget

from qkv.widgets import restore

from .widgets import STATE, take_stored


def whole(notebook):
    """Return a copy of a lesson with a view for each widget and the state of its models."""
    copy = json.loads(json.dumps(notebook))
    stored, state = take_stored(copy), {}
    for model_id, inputs in stored.items():
        widget = restore(inputs)
        layout_id = str(len(stored) + int(model_id))
        names = {widget.model_id: model_id, widget.layout.model_id: layout_id}
        saved = Widget.get_manager_state(widgets=[widget, widget.layout])["state"]
        for id, model in saved.items():
            state[names[id]] = model
        state[model_id]["state"]["layout"] = f"IPY_MODEL_{layout_id}"
        widget.layout.close()
        widget.close()
    if state:
        ordered = {id: state[id] for id in sorted(state, key=int)}
        saved = {"state": ordered, "version_major": 2, "version_minor": 0}
        copy["metadata"]["widgets"] = {STATE: saved}
    return copy
