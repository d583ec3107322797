"""`{qkv-widget} AttentionTable`: a live widget on a page of book/.

Markdown pages are not executed, so the class is made here, at build, and leaves on the page what
a notebook's output would have left: a view, its inputs and its still picture.
"""

import json
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from .widgets import STORED, VIEW


def script(kind, value):
    text = json.dumps(value).replace("<", "\\u003c")
    return f'<script type="{kind}">{text}</script>'


class QkvWidget(SphinxDirective):
    required_arguments = 1

    def run(self):
        import qkv.widgets
        from qkv.widgets._still import as_image

        name = self.arguments[0]
        if name not in qkv.widgets.NAMES:
            raise self.error(f"qkv-widget: expected one of {qkv.widgets.NAMES}, got {name!r}")
        for path in Path(qkv.widgets.__file__).parent.rglob("*"):
            if path.suffix in (".py", ".js", ".css"):
                self.env.note_dependency(str(path))
        widget = getattr(qkv.widgets, name)()
        number = self.env.new_serialno("qkv-widget")
        model_id = f"{name.lower()}-{number + 1}"
        still = as_image(widget.still())
        parts = [
            script(STORED, {"model_id": model_id, "stored": widget.stored(), "still": still}),
            script(VIEW, {"version_major": 2, "version_minor": 1, "model_id": model_id}),
        ]
        return [nodes.raw("", "".join(parts), format="html")]


def setup(app):
    app.add_directive("qkv-widget", QkvWidget)
