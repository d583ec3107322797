"""Widget outputs become slots for the static host, and their embedded state is slimmed.

MyST-NB leaves a placeholder script for each widget view and one script with the state of all
widget models. From these a page gets

- for each view a `<div class="qkv-slot">` that keeps the placeholder and holds a still picture,
  for print and for readers without scripts;
- one state script in which each long text (the module `_esm`, the style sheet `_css`) is a
  reference. The texts are files under _static/widgets, shared by all pages: a style sheet that is
  linked, and a classic script that hands the module's text to the host. A browser refuses module
  scripts on file://, but not classic ones.
"""

import hashlib
import html
import json
import re
from pathlib import Path

STATE = "application/vnd.jupyter.widget-state+json"
VIEW = "application/vnd.jupyter.widget-view+json"
STILL = "application/x-qkv-still+json"  # {model id: svg}, left by our own directive
KINDS = "|".join(re.escape(kind) for kind in (STATE, VIEW, STILL))
SCRIPT = re.compile(rf'<script type="({KINDS})">(.*?)</script>', re.S)
TEXTS = {"_esm": "js", "_css": "css"}
BORROWED = ("layout", "tabbable", "tooltip", "_dom_classes", "_anywidget_id")
NAME = re.compile(r'<svg\b[^>]*\baria-label="([^"]*)"')
SIZE = re.compile(r'\b(?:width|height)="\d+"')
WORDS = re.compile(r"<(?:title|desc)\b[^>]*>(.*?)</", re.S)
FOREIGN = re.compile(r"<script\b[^>]*>.*?</script>", re.S)


def keep_text(outdir, kind, text):
    """Store a text under _static/widgets, named by its content; return its reference."""
    name = hashlib.sha256(text.encode()).hexdigest()[:12]
    path = Path(outdir) / "_static" / "widgets" / f"{name}.{kind}"
    if kind == "js":
        text = f"(window.qkvTexts ??= {{}})[{json.dumps(name)}] = {json.dumps(text)};\n"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return name


def slim(models, keep):
    """The state of the anywidget models alone, with their texts replaced by references."""
    slimmed = {}
    for model_id, model in models.items():
        state = dict(model.get("state", {}))
        if "_esm" not in state:
            continue  # a layout, or a plain ipywidget: the host has no use for it
        for key in [k for k in state if k in BORROWED or k.startswith(("_model", "_view"))]:
            del state[key]
        for key, kind in TEXTS.items():
            text = state.pop(key, "")
            if text:
                state[key] = {"text": keep(kind, text)}
        slimmed[model_id] = {"state": state}
    return slimmed


def stills_of(notebook):
    """{model id: svg} of a notebook's outputs: the picture that stands beside each view."""
    stills = {}
    for cell in notebook.get("cells", []):
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if VIEW in data and "image/svg+xml" in data:
                svg = data["image/svg+xml"]
                stills[data[VIEW]["model_id"]] = "".join(svg)
    return stills


def keep_still(outdir, svg):
    """Store a still picture under _images; return (its name, its alt text)."""
    label = NAME.search(svg)
    alt = label[1] if label else " ".join(WORDS.findall(svg))
    name = f"still-{hashlib.sha256(svg.encode()).hexdigest()[:12]}.svg"
    path = Path(outdir) / "_images" / name
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(svg, encoding="utf-8")
    return name, html.unescape(" ".join(alt.split()))


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
    context["qkv_widget_texts"] = texts = {"js": [], "css": []}
    context["qkv_widget_state"] = ""
    if app.builder.format != "html" or not body:
        return
    notebook = read_notebook(app, pagename)
    models = dict(notebook.get("metadata", {}).get("widgets", {}).get(STATE, {}).get("state", {}))
    stills = stills_of(notebook)
    for kind, text in SCRIPT.findall(body):
        if kind == STATE:
            models.update(json.loads(text)["state"])
        elif kind == STILL:
            stills.update(json.loads(text))

    def picture(model_id):
        if model_id not in stills:
            return ""
        name, alt = keep_still(app.outdir, stills[model_id])
        source = context["pathto"](f"_images/{name}", True)
        alt = html.escape(alt, quote=True)
        size = " ".join(SIZE.findall(stills[model_id].partition(">")[0]))
        return f'<img class="qkv-still" src="{source}" alt="{alt}" {size} loading="lazy">'

    def rewrite(match):
        if match[1] != VIEW:
            return ""
        model_id = json.loads(match[2])["model_id"]
        return slot(match[0], model_id, picture(model_id))

    # Other scripts in the text are those of sphinx-thebe, which this site does not use.
    body = FOREIGN.sub(lambda m: m[0] if SCRIPT.fullmatch(m[0]) else "", body)
    context["body"] = SCRIPT.sub(rewrite, body)

    def keep(kind, text):
        name = keep_text(app.outdir, kind, text)
        if name not in texts[kind]:
            texts[kind].append(name)
        return name

    shown = set(re.findall(r'class="qkv-slot" data-model-id="([^"]+)"', context["body"]))
    state = slim({k: m for k, m in models.items() if k in shown}, keep)
    whole = {"version_major": 2, "version_minor": 0, "state": state}
    if state:
        context["qkv_widget_state"] = as_script(whole)


def as_script(value):
    """JSON that may stand in a script element whatever its strings hold."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def setup(app):
    app.connect("html-page-context", on_page, priority=600)
