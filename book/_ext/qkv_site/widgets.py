"""A page's widgets: slots for the static host, and the state that it opens them on.

A lesson keeps of each widget its inputs and a still picture (qkv.widgets.STORED); the code is the
package's. Before MyST-NB reads the lesson, each such output gets a view, for which it leaves a
placeholder script; a page of book/ gets the same from our directive. From these a page gets

- for each view a `<div class="qkv-slot">` that keeps the placeholder and holds the still picture,
  for print and for readers without scripts;
- one state script with the inputs of all its widgets, in which the module `_esm` and the style
  sheet `_css` are references. The texts are files under _static/widgets, shared by all pages:
  style sheets that are linked, and classic scripts that hand a module's text to the host. What
  all kinds of widget share comes once, in one script; that of a kind says of which parts its
  module is joined. A browser refuses module scripts on file://, but not classic ones.
"""

import functools
import hashlib
import html
import json
import re
import sys
from pathlib import Path

import qkv.widgets
from qkv.widgets import STORED
from qkv.widgets._bundle import parts
from qkv.widgets._still import of_image

STATE = "application/vnd.jupyter.widget-state+json"
VIEW = "application/vnd.jupyter.widget-view+json"
KINDS = "|".join(re.escape(kind) for kind in (STATE, VIEW, STORED))
SCRIPT = re.compile(rf'<script type="({KINDS})">(.*?)</script>', re.S)
SIZE = re.compile(r'\b(?:width|height)="\d+"')
FOREIGN = re.compile(r"<script\b[^>]*>.*?</script>", re.S)


def numbered(notebook):
    """Yield (model id, output data) of each widget that a lesson shows: "1", "2", … in order."""
    outputs = (output for cell in notebook.get("cells", []) for output in cell.get("outputs", []))
    shown = (output["data"] for output in outputs if STORED in output.get("data", {}))
    for number, data in enumerate(shown, start=1):
        yield str(number), data


def take_stored(notebook):
    """Put in place of each stored widget the view that MyST-NB and viewers know; return them."""
    taken = {}
    for model_id, data in list(numbered(notebook)):
        taken[model_id] = data.pop(STORED)
        data[VIEW] = {"version_major": 2, "version_minor": 1, "model_id": model_id}
    return taken


def on_read(app, docname, source):
    """Let MyST-NB read the lesson with its views."""
    if app.env.doc2path(docname).endswith(".ipynb"):
        notebook = json.loads(source[0])
        take_stored(notebook)
        source[0] = json.dumps(notebook)


def keep_file(outdir, name, text):
    """Store a text under _static/widgets; the name tells the content, so it is written once."""
    path = Path(outdir) / "_static" / "widgets" / name
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def script_of(texts):
    """A classic script that adds texts to those that the host knows."""
    return f"Object.assign((window.qkvTexts ??= {{}}), {json.dumps(texts, ensure_ascii=False)});\n"


@functools.cache
def shared_script():
    """(name, text) of the script that holds every part in qkv/widgets/_shared."""
    every = (part for cls in qkv.widgets.CLASSES for part in parts_of(cls))
    script = script_of({path.name: text for path, text in every if is_shared(path)})
    return f"shared-{digest(script)}", script


def is_shared(path):
    return path.parent.name == "_shared"


def parts_of(cls):
    """The parts of a kind's module, as `bundle` joins them."""
    return parts(Path(sys.modules[cls.__module__].__file__).with_name("view.js"))


@functools.cache
def own_script(cls):
    """(name, text) of the script that says how a kind's module is joined, with its own parts."""
    recipe = [{"shared": path.name} if is_shared(path) else text for path, text in parts_of(cls)]
    name = digest(json.dumps(recipe))
    return name, script_of({name: recipe})


def keep_code(outdir, cls, files):
    """Store the code of a kind of widget and list its files → the references for its state."""
    scripts = [shared_script(), own_script(cls)]
    style = str(cls._css)
    for name, text in scripts:
        keep_file(outdir, f"{name}.js", text)
    keep_file(outdir, f"{digest(style)}.css", style)
    files["js"] += [name for name, _ in scripts if name not in files["js"]]
    files["css"] += [digest(style)] if digest(style) not in files["css"] else []
    return {"_esm": {"text": scripts[-1][0]}, "_css": {"text": digest(style)}}


def keep_still(outdir, svg):
    """Store a still picture under _images; return its name."""
    name = f"still-{digest(svg)}.svg"
    path = Path(outdir) / "_images" / name
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(svg, encoding="utf-8")
    return name


def slot(view, model_id, picture):
    """The container of one widget: placeholder for the host, picture for everyone else."""
    model = html.escape(model_id, quote=True)
    return f'<div class="qkv-slot" data-model-id="{model}">{view}{picture}</div>'


def read_notebook(app, pagename):
    """The notebook that a page was made from, or {}."""
    if pagename not in app.env.all_docs:
        return {}
    path = Path(app.env.doc2path(pagename))
    if path.suffix != ".ipynb":
        return {}
    return json.loads(path.read_text(encoding="utf-8"))


def on_page(app, pagename, templatename, context, doctree):
    """Rewrite the page's widget views and state, and tell the template what to load."""
    body = context.get("body")
    context["qkv_widget_files"] = files = {"js": [], "css": []}
    context["qkv_widget_state"] = ""
    if app.builder.format != "html" or not body:
        return
    stored, stills = {}, {}
    for model_id, data in numbered(read_notebook(app, pagename)):
        stored[model_id], stills[model_id] = data[STORED], "".join(data["text/html"])
    for kind, text in SCRIPT.findall(body):
        if kind == STORED:  # left by our own directive
            model = json.loads(text)
            stored[model["model_id"]], stills[model["model_id"]] = model["stored"], model["still"]

    def picture(model_id):
        svg, alt = of_image(stills[model_id])
        source = context["pathto"](f"_images/{keep_still(app.outdir, svg)}", True)
        alt = html.escape(alt, quote=True)
        size = " ".join(SIZE.findall(stills[model_id].partition(" alt=")[0]))
        return f'<img class="qkv-still" src="{source}" alt="{alt}" {size} loading="lazy">'

    def rewrite(match):
        if match[1] != VIEW:
            return ""
        model_id = json.loads(match[2])["model_id"]
        return slot(match[0], model_id, picture(model_id))

    # Other scripts in the text are those of sphinx-thebe, which this site does not use.
    body = FOREIGN.sub(lambda m: m[0] if SCRIPT.fullmatch(m[0]) else "", body)
    context["body"] = SCRIPT.sub(rewrite, body)

    state = {}
    for model_id, model in stored.items():
        code = keep_code(app.outdir, getattr(qkv.widgets, model["name"]), files)
        state[model_id] = {"state": {**model["traits"], **code}}
    if state:
        whole = {"version_major": 2, "version_minor": 0, "state": state}
        context["qkv_widget_state"] = as_script(whole)


def as_script(value):
    """JSON that may stand in a script element whatever its strings hold."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def setup(app):
    app.connect("source-read", on_read)
    app.connect("html-page-context", on_page, priority=600)
