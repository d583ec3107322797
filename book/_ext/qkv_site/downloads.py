"""The notebooks that the site offers, and the wheel that they install.

Committed notebooks just `import qkv`. The copy beside each lesson page, which the download and
Colab buttons lead to, starts with a cell that installs the wheel from the site's own address and
only what else is missing: it never touches a NumPy or a PyTorch that is there. It carries its
widgets' code, which the committed lesson leaves to the package.
"""

import json
import os
import re
import shutil
from pathlib import Path

from .addresses import address
from .whole import whole

DEFAULT_SITE = "http://127.0.0.1:8000"  # what `make serve` serves
NEEDED = ("numpy", "anywidget")  # what qkv itself imports
OPTIONAL = ("torch", "matplotlib")  # what some lessons import besides
CELL = """\
# Installs the book's package qkv from the site this notebook came from, and only what it lacks.
import importlib.metadata, importlib.util, os, subprocess, sys

site = os.environ.get("SITE_URL", "{site}").rstrip("/")
try:
    there = importlib.metadata.version("qkv") == "{version}"
except importlib.metadata.PackageNotFoundError:
    there = False
lacking = [name for name in {needed} if importlib.util.find_spec(name) is None]
pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
commands = [[*pip, *lacking]] if lacking else []
if not there:
    commands.append([*pip, "--no-deps", f"{{site}}/{wheel}"])
for command in commands:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(
            f"could not install {{command[-1]}}. Is {{site}} the address of the book? "
            "Set the environment variable SITE_URL to it and run this cell again.\\n" + done.stderr
        )
importlib.invalidate_caches()
"""
IMAGE = re.compile(r"(!\[[^\]]*\]\()\.\./figures/([\w.-]+)\)")


def site_url():
    return os.environ.get("SITE_URL", "").rstrip("/") or DEFAULT_SITE


def imports(notebook, name):
    """Whether a code cell imports a module, or the part of qkv that is named after it."""
    code = "\n".join("".join(c["source"]) for c in notebook["cells"] if c["cell_type"] == "code")
    forms = (rf"^\s*(import|from)\s+{name}\b", rf"qkv\.{name}\b", rf"from qkv import .*\b{name}\b")
    return any(re.search(form, code, re.M) for form in forms)


def site_copy(notebook, site, wheel):
    """A copy of a lesson that runs away from the repository: install cell, absolute pictures,
    widgets with their code."""
    copy = whole(notebook)
    needed = NEEDED + tuple(name for name in OPTIONAL if imports(notebook, name))
    source = CELL.format(
        site=site, version=wheel.split("-")[1], needed=needed, wheel=f"wheel/{wheel}"
    )
    cell = {
        "cell_type": "code",
        "id": "install-qkv",
        "metadata": {"tags": ["nbval-ignore-output"]},
        "execution_count": None,
        "outputs": [],
        "source": source.splitlines(keepends=True),
    }
    for other in copy["cells"]:
        if other["cell_type"] == "markdown":
            text = IMAGE.sub(rf"\g<1>{site}/_images/\g<2>)", "".join(other["source"]))
            other["source"] = text.splitlines(keepends=True)
    copy["cells"].insert(1, cell)  # under the title
    return copy


def carry_wheel(app):
    """Copy the wheel that tools/wheel.py built into the site."""
    if app.builder.format != "html":
        return
    built = sorted((Path(app.srcdir) / "_build" / "wheel").glob("qkv-*.whl"))
    if not built:
        raise RuntimeError("no wheel in _build/wheel: run tools/wheel.py first (make book does)")
    folder = Path(app.outdir) / "wheel"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copy(built[-1], folder)
    app.config.qkv_wheel = built[-1].name


def on_page(app, pagename, templatename, context, doctree):
    """Write the copy beside a lesson page; give the template the addresses of its buttons."""
    repository, branch = app.config.qkv_repository, app.config.qkv_branch
    context["qkv_buttons"] = buttons = {}
    if app.builder.format != "html" or pagename not in app.env.all_docs:
        return
    source = Path(app.env.doc2path(pagename))
    if repository:
        buttons["source"] = f"{repository}/blob/{branch}/{app.env.doc2path(pagename, False)}"
    if source.suffix != ".ipynb":
        return
    notebook = json.loads(source.read_text(encoding="utf-8"))
    copy = site_copy(notebook, site_url(), app.config.qkv_wheel)
    path = Path(app.outdir) / f"{address(pagename)}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(copy, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    buttons["download"] = path.name
    if repository.startswith("https://github.com/"):
        # The published site is the branch gh-pages, so Colab opens the copy with the install cell.
        name = repository.removeprefix("https://github.com/")
        buttons["colab"] = (
            f"https://colab.research.google.com/github/{name}/blob/gh-pages/{address(pagename)}.ipynb"
        )


def setup(app):
    app.add_config_value("qkv_wheel", "", "html")
    app.add_config_value("qkv_site_url", site_url(), "html")  # another address: write pages anew
    app.connect("builder-inited", carry_wheel)
    app.connect("html-page-context", on_page, priority=600)
