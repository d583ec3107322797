"""Every page of the built site in a browser: no fault, no other host, WCAG 2.2 AA, light."""

import gzip
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
AXE = ROOT / "book" / "vendor" / "node_modules" / "axe-core" / "axe.min.js"
TOC = (ROOT / "_toc.yml").read_text(encoding="utf-8")
FILES = re.findall(r"(?:root|file):\s*([\w/]+)", TOC)
PAGES = [f"{name.removeprefix('book/')}.html" for name in FILES] + ["search.html?q=softmax"]
LESSONS = [name for name in PAGES if name.startswith("notebooks/")]
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
LOOKS = [("light", 1280), ("dark", 1280), ("light", 360), ("dark", 360)]


def faults(tab):
    """What axe finds, one line per fault."""
    if not tab.evaluate("'axe' in window"):
        tab.add_script_tag(path=AXE)
    found = tab.evaluate(
        """tags => axe.run({ runOnly: tags, resultTypes: ["violations"] })
        .then((results) => results.violations)""",
        RULES,
    )
    return [
        f"{rule['id']} ({rule['impact']}): {' '.join(node['target'])} {node['html'][:120]}"
        for rule in found
        for node in rule["nodes"]
    ]


@pytest.mark.parametrize("theme, width", LOOKS)
@pytest.mark.parametrize("path", PAGES)
def test_page_is_sound(page, path, theme, width):
    tab = page(path, theme=theme, width=width, reduced_motion="reduce")
    assert tab.evaluate("document.documentElement.dataset.theme") == theme
    slots = tab.locator(".qkv-slot").count()
    assert tab.locator('.qkv-slot[data-state="live"]').count() == slots
    assert tab.evaluate("(window.qkv.widgets ?? []).length") == slots
    wide = tab.evaluate("(root => root.scrollWidth - root.clientWidth)(document.documentElement)")
    assert wide <= 0, f"the page scrolls sideways by {wide} px"
    tab.evaluate("document.querySelectorAll('article details').forEach(d => { d.open = true })")
    tab.wait_for_function("document.fonts.status === 'loaded'")
    tab.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
    assert not faults(tab)


@pytest.mark.parametrize("path", LESSONS)
def test_lesson_is_light(page, path):
    """As a server would send it: text gzipped, fonts as they are, pictures left out."""
    answers = []
    tab = page("search.html")  # a page of the same site, to listen before the lesson is asked for
    tab.on("response", lambda response: answers.append(response))
    tab.goto(tab.url.replace("search.html", path))
    tab.wait_for_selector("html[data-qkv-ready]", state="attached")
    tab.wait_for_function("document.fonts.status === 'loaded'")
    sent = raw = 0
    answers = [a for a in answers if a.url.startswith("http")]
    for answer in answers:
        kind = answer.headers.get("content-type", "")
        if kind.startswith("image/"):
            continue
        body = answer.body()
        raw += len(body)
        sent += len(body) if "font" in kind else len(gzip.compress(body, 6))
    print(f"{path}: {sent} bytes sent, {raw} uncompressed, {len(answers)} requests")
    assert sent <= 260_000 and raw <= 1_500_000 and len(answers) <= 25
    assert sent > 50_000  # it was measured at all
