"""Figures that move get a class, so that site.js can give them a button that stops them."""

from pathlib import Path

from docutils import nodes


def mark_moving(app, doctree):
    for image in doctree.findall(nodes.image):
        path = Path(app.srcdir, image["uri"])
        if path.suffix == ".svg" and path.exists() and "@keyframes" in path.read_text("utf-8"):
            image["classes"].append("site-moving")


def setup(app):
    app.connect("doctree-read", mark_moving)
