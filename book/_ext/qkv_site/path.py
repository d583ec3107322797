"""The path of all lessons: `{qkv-path}`, and links to lessons that are still to come.

book/path.json lists the sixteen lessons. One that stands in _toc.yml is linked; the others are
marked as still to come, on the front page and wherever a lesson points ahead to them.
"""

import json
import re
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.util.docutils import SphinxDirective

FILE = Path(__file__).resolve().parents[2] / "path.json"


def parts():
    return json.loads(FILE.read_text(encoding="utf-8"))


def text(words, *classes):
    return nodes.inline("", words, classes=list(classes))


class QkvPath(SphinxDirective):
    """The lessons of one part: `{qkv-path} 1`."""

    required_arguments = 1

    def run(self):
        self.env.note_dependency(str(FILE))
        part = parts()[int(self.arguments[0]) - 1]
        ready = self.env.config.qkv_lessons
        items = nodes.bullet_list("", classes=["site-path"])
        for lesson in part["lessons"]:
            number, title = lesson["name"][:2], lesson["title"]
            if lesson["name"] in ready:
                link = addnodes.pending_xref(
                    "",
                    text(title),
                    refdomain="std",
                    reftype="doc",
                    refexplicit=True,
                    refdoc=self.env.docname,
                    reftarget=f"/notebooks/{lesson['name']}",
                )
                name = [link]
            else:
                name = [text(title, "site-soon"), nodes.Text(" "), text("to come", "site-tag")]
            what = text(lesson["what"], "site-what")
            words = nodes.paragraph("", "", *name, nodes.Text(" "), what)
            count = nodes.paragraph("", "", text(number, "site-number"))
            items += nodes.list_item("", count, words)
        return [items]


def soften(app, doctree):
    """Turn a link to a lesson that is still to come into text that says so."""
    coming = {lesson["name"] for part in parts() for lesson in part["lessons"]}
    coming -= set(app.config.qkv_lessons)
    for link in list(doctree.findall(addnodes.pending_xref)):
        name = Path(re.sub(r"#.*$", "", link.get("reftarget", ""))).name.removesuffix(".ipynb")
        if name in coming:
            inside = text("", "site-ahead")
            inside.extend(link.children)
            link.replace_self([inside, text(" (to come)", "site-ahead")])


def on_config(app, config):
    toc = Path(app.srcdir, "_toc.yml").read_text(encoding="utf-8")
    config.qkv_lessons = re.findall(r"file:\s*notebooks/(\w+)", toc)


def setup(app):
    app.add_config_value("qkv_lessons", [], "env")  # a lesson more: read every page anew
    app.add_directive("qkv-path", QkvPath)
    app.connect("config-inited", on_config)
    app.connect("doctree-read", soften)
