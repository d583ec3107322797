"""One trimmed style sheet for the whole site, the fonts that it needs, and nothing else.

The theme, MyST-NB and KaTeX bring six style sheets of more than 350 kB, most of whose rules match
nothing here. After the pages are written, their rules are kept if every class and id they name
occurs in a page or in one of our scripts; a font is kept if a kept rule names its family.
"""

import hashlib
import re
import shutil
from pathlib import Path

import myst_nb
import pydata_sphinx_theme
import sphinx_book_theme
import tinycss2

import qkv.widgets

from .maths import KATEX

HERE = Path(__file__).resolve()
BOOK = HERE.parents[2]
PYDATA = Path(pydata_sphinx_theme.__file__).parent / "theme/pydata_sphinx_theme/static/styles"
SBT = Path(sphinx_book_theme.__file__).parent / "theme/sphinx_book_theme/static/styles"
SHEETS = (
    PYDATA / "bootstrap.css",
    PYDATA / "pydata-sphinx-theme.css",
    SBT / "sphinx-book-theme.css",
    Path(myst_nb.__file__).parent / "static" / "mystnb.css",
    KATEX / "katex.min.css",
)
OWN = BOOK / "_static" / "site.css"
NAMES = re.compile(r"[\w-]+")


def words_of(pages, scripts):
    """Every class and id of the pages, and every word of the scripts (they set classes too)."""
    words = set()
    for page in pages:
        text = page.read_text(encoding="utf-8")
        for value in re.findall(r'\b(?:class|id)="([^"]*)"', text):
            words.update(value.split())
    for script in scripts:
        words.update(NAMES.findall(script.read_text(encoding="utf-8")))
    return words


def named(tokens):
    """The classes and ids that a selector needs; what stands in :not(), :is(), … is optional."""
    found, dot = [], False
    for token in tokens:
        if token.type == "hash":
            found.append(token.value)
        elif token.type == "ident" and dot:
            found.append(token.value)
        dot = token.type == "literal" and token.value == "."
    return found


def split(tokens):
    """The selectors of a comma-separated list."""
    parts = [[]]
    for token in tokens:
        if token.type == "literal" and token.value == ",":
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def trim(rules, words):
    """The rules as text, without selectors that can match nothing; fonts are left for later."""
    out = []
    for rule in rules:
        if rule.type == "qualified-rule":
            kept = [s for s in split(rule.prelude) if all(n in words for n in named(s))]
            if kept:
                selector = ",".join(tinycss2.serialize(s).strip() for s in kept)
                out.append(f"{selector}{{{tinycss2.serialize(rule.content).strip()}}}")
        elif rule.type == "at-rule" and rule.at_keyword in ("media", "supports"):
            inner = tinycss2.parse_rule_list(rule.content, True, True)
            body = trim(inner, words)
            if body:
                out.append(f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}{{{body}}}")
        elif rule.type == "at-rule" and rule.at_keyword not in ("charset", "font-face"):
            out.append(rule.serialize())
    return "\n".join(out)


def faces(rules, used):
    """(text, file name) of each @font-face whose family the kept rules name, woff2 alone."""
    for rule in rules:
        if rule.type != "at-rule" or rule.at_keyword != "font-face":
            continue
        text = tinycss2.serialize(rule.content)
        family = re.search(r"font-family:\s*[\"']?([\w ]+)", text)[1].strip()
        source = re.search(r"url\(([^)]+\.woff2)\)", text)
        if source and re.search(rf"\b{re.escape(family)}\b", used):
            name = Path(source[1].strip("\"'")).name
            text = re.sub(r"src:[^;]+", f"src:url(fonts/{name}) format('woff2')", text)
            yield f"@font-face{{{text};font-display:swap}}", name


def write_sheet(app, exception):
    """After the pages: site.css, its fonts, and the removal of files that no page asks for."""
    if exception or app.builder.format != "html":
        return
    out = Path(app.outdir)
    static = out / "_static"
    pages = sorted(p for p in out.rglob("*.html") if static not in p.parents)
    scripts = sorted((BOOK / "_static").glob("*.js"))
    words = words_of(pages, scripts)
    sheets = [(path, path.read_text(encoding="utf-8")) for path in SHEETS]
    sheets.append((OWN, (static / "pygments.css").read_text(encoding="utf-8")))
    parsed = [tinycss2.parse_stylesheet(text, True, True) for _, text in sheets]
    body = "\n".join(trim(rules, words) for rules in parsed)
    body = re.sub(r"\n?/\*[#!].*?\*/", "", body, flags=re.S)
    body += "\n" + OWN.read_text(encoding="utf-8")
    fonts = static / "fonts"
    shutil.rmtree(fonts, ignore_errors=True)
    fonts.mkdir()
    head = []
    for text, name in (face for rules in parsed for face in faces(rules, body)):
        head.append(text)
        shutil.copy(KATEX / "fonts" / name, fonts)
    (static / "site.css").write_text("\n".join(head) + "\n" + body, encoding="utf-8")
    sweep(out, pages)


def sweep(out, pages):
    """Remove what Sphinx and its extensions copied and no page loads."""
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    static = out / "_static"
    for path in sorted(static.rglob("*")):
        if path.is_dir() or path.parent.name == "fonts" or path.name == "site.css":
            continue
        if f"_static/{path.relative_to(static).as_posix()}" not in text:
            path.unlink()
    for path in sorted(static.rglob("*"), reverse=True):
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()
    for path in (out / "_images").glob("still-*.svg"):
        if path.name not in text:
            path.unlink()
    shutil.rmtree(out / "_sphinx_design_static", ignore_errors=True)


def digest():
    """A digest of what shapes every page, so that a change of it writes all pages anew."""
    parts = [p for d in ("_ext", "_static", "_templates") for p in sorted((BOOK / d).rglob("*"))]
    parts += sorted(Path(qkv.widgets.__file__).parent.rglob("*"))
    parts = [p for p in parts if p.is_file() and p.suffix != ".pyc"]
    return hashlib.sha256(b"".join(p.read_bytes() for p in parts)).hexdigest()[:10]


def on_config(app, config):
    config.qkv_digest = digest()


def on_page(app, pagename, templatename, context, doctree):
    context["qkv_digest"] = app.config.qkv_digest


def setup(app):
    app.add_config_value("qkv_digest", "", "html")
    app.connect("config-inited", on_config)
    app.connect("html-page-context", on_page, priority=600)
    app.connect("build-finished", write_sheet, priority=900)
