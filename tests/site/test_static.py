"""What can be said of the built site from its files alone."""

import json
import re
import zipfile
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from qkv.widgets import STORED

ROOT = Path(__file__).resolve().parents[2]
LESSONS = re.findall(r"file:\s*notebooks/(\w+)", (ROOT / "_toc.yml").read_text(encoding="utf-8"))
STATE = "application/vnd.jupyter.widget-state+json"
VIEW = "application/vnd.jupyter.widget-view+json"
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}


class Page(HTMLParser):
    """The elements of a page, flat: tag, attributes, and the text inside scripts."""

    def __init__(self, path):
        super().__init__()
        self.path, self.elements, self.ids = path, [], set()
        self.text = path.read_text(encoding="utf-8")
        self.feed(self.text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.elements.append([tag, attributes, ""])
        if attributes.get("id"):
            self.ids.add(attributes["id"])

    def handle_data(self, data):
        if self.elements and self.elements[-1][0] in ("script", "style", "noscript"):
            self.elements[-1][2] += data

    def of(self, *tags):
        return [(a, text) for tag, a, text in self.elements if tag in tags]

    def links(self):
        for tag, attributes, _ in self.elements:
            for name in ("href", "src"):
                if attributes.get(name) and tag != "base":
                    yield tag, attributes[name]


@pytest.fixture(scope="module")
def pages(site):
    found = [p for p in sorted(site.rglob("*.html")) if "_static" not in p.parts]
    return {p.relative_to(site).as_posix(): Page(p) for p in found}


@pytest.fixture(scope="module")
def lesson_pages(pages):
    return {name: pages[f"notebooks/{name}.html"] for name in LESSONS}


def test_every_promised_page_is_there(pages):
    assert "index.html" in pages and "search.html" in pages
    assert {f"notebooks/{name}.html" for name in LESSONS} <= set(pages)
    assert "http-equiv" not in pages["index.html"].text  # the front page itself, no redirect


def test_pages_load_nothing_from_other_hosts(pages, site):
    for name, page in pages.items():
        for tag, link in page.links():
            if tag in ("script", "link", "img", "iframe", "source", "video", "audio"):
                assert not urlsplit(link).netloc, f"{name}: {tag} {link}"
    for sheet in site.rglob("*.css"):
        for target in re.findall(r"url\(([^)]*)\)", sheet.read_text(encoding="utf-8")):
            assert not re.match(r"[\"']?(https?:)?//", target), f"{sheet.name}: {target}"


def test_pages_run_no_inline_script(pages):
    for name, page in pages.items():
        for attributes, text in page.of("script"):
            kind = attributes.get("type", "text/javascript")
            assert "src" in attributes or "json" in kind, f"{name}: {text[:60]}"
        for tag, attributes, _ in page.elements:
            handlers = [a for a in attributes if a.startswith("on")]
            assert not handlers, f"{name}: <{tag}> has {handlers}"


@pytest.mark.parametrize("word", ["THEBE", "thebe", "fontawesome", "MathJax", "require.js"])
def test_pages_carry_nothing_of_what_was_dropped(pages, word):
    prose = re.compile(r"<script[^>]*>|<link[^>]*>")
    for name, page in pages.items():
        assert not [tag for tag in prose.findall(page.text) if word in tag], name


def test_internal_links_lead_somewhere(pages, site):
    for name, page in pages.items():
        for tag, link in page.links():
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                assert parts.scheme in ("https", "mailto"), f"{name}: {link}"
                continue
            target = (site / name).parent / unquote(parts.path) if parts.path else site / name
            assert target.exists(), f"{name}: <{tag}> {link} is not there"
            if parts.fragment and target.suffix == ".html" and not parts.fragment.startswith("w:"):
                inside = pages[target.resolve().relative_to(site.resolve()).as_posix()]
                assert unquote(parts.fragment) in inside.ids, f"{name}: no such place {link}"


def test_formulas_are_rendered(pages):
    for name, page in pages.items():
        assert "katex-error" not in page.text, name
        text = re.sub(r"<(script|code|pre|annotation)\b.*?</\1>", "", page.text, flags=re.S)
        text = re.sub(r"<[^>]*>", "", text)
        assert "$$" not in text and "\\frac" not in text, name


def test_every_widget_view_is_a_slot_with_its_state(pages):
    slots = 0
    for name, page in pages.items():
        views = [json.loads(t)["model_id"] for a, t in page.of("script") if a.get("type") == VIEW]
        held = [a["data-model-id"] for a, _ in page.of("div") if a.get("class") == "qkv-slot"]
        states = [json.loads(t) for a, t in page.of("script") if a.get("type") == STATE]
        models = {k: m for state in states for k, m in state["state"].items()}
        assert len(states) <= 1 and views == held, name
        assert set(views) == set(models), name
        slots += len(views)
    assert slots > 2 * len(LESSONS)


def test_state_refers_to_texts_that_are_there(pages, site):
    for name, page in pages.items():
        for attributes, text in page.of("script"):
            if attributes.get("type") != STATE:
                continue
            for model in json.loads(text)["state"].values():
                for key, ending in (("_esm", "js"), ("_css", "css")):
                    if key in model["state"]:
                        path = f"widgets/{model['state'][key]['text']}.{ending}"
                        assert (site / "_static" / path).exists(), f"{name}: {path}"
                        assert f"_static/{path}" in page.text, f"{name} does not load {path}"


def test_every_slot_has_a_still_picture_with_words(pages, site):
    for name, page in pages.items():
        stills = [a for a, _ in page.of("img") if a.get("class") == "qkv-still"]
        slots = [a for a, _ in page.of("div") if a.get("class") == "qkv-slot"]
        assert len(stills) == len(slots), name
        for still in stills:
            assert len(still["alt"]) > 20, f"{name}: {still}"
            svg = ((site / name).parent / still["src"]).read_text(encoding="utf-8")
            assert svg.lstrip().startswith("<svg"), name


def test_every_picture_has_words(pages):
    for name, page in pages.items():
        for attributes, _ in page.of("img"):
            assert attributes.get("alt"), f"{name}: {attributes.get('src')}"


# the notebooks that the site offers


def common(output):
    """An output less what only the lean lesson or only the whole copy holds."""
    data = {k: v for k, v in output.get("data", {}).items() if k not in (STORED, VIEW)}
    return {**output, "data": data}


@pytest.mark.parametrize("name", LESSONS)
def test_offered_notebook_is_the_lesson_with_an_install_cell(site, name):
    offered = json.loads((site / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8"))
    lesson = json.loads((ROOT / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8"))
    first, install, *rest = offered["cells"]
    assert install["id"] == "install-qkv" and "pip" in "".join(install["source"])
    both = zip([first, *rest], lesson["cells"], strict=True)
    for ours, theirs in both:
        assert ours["id"] == theirs["id"]
        if ours["cell_type"] == "code":
            assert ours["source"] == theirs["source"]
            assert list(map(common, ours["outputs"])) == list(map(common, theirs["outputs"]))
    shown = [o["data"] for c in rest for o in c.get("outputs", []) if VIEW in o.get("data", {})]
    models = offered["metadata"]["widgets"][STATE]["state"]
    assert shown and all(models[d[VIEW]["model_id"]]["state"]["_esm"] for d in shown)
    compile("".join(install["source"]), name, "exec")
    wheel = re.search(r"wheel/(qkv-[\w.]+-py3-none-any\.whl)", "".join(install["source"]))[1]
    assert (site / "wheel" / wheel).exists()


def test_lesson_pages_lead_to_their_notebook(lesson_pages):
    for name, page in lesson_pages.items():
        buttons = [a for a, _ in page.of("a") if "site-button" in a.get("class", "")]
        offered = [a["href"] for a in buttons if "download" in a]
        assert offered == [f"{name}.ipynb"]


def test_wheel_holds_the_whole_package(site):
    [wheel] = (site / "wheel").glob("*.whl")
    inside = set(zipfile.ZipFile(wheel).namelist())
    ours = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "qkv").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert ours <= inside
    assert not [name for name in inside if not name.startswith(("qkv/", "qkv-"))]
