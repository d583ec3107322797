"""A browser may translate a page's sentences, and nothing else: formulas, code, numbers stay.

`element.translate` is what browsers go by: the nearest translate="yes" or "no" above decides.
"""

import re

import pytest
from test_site_pages import LESSONS, PAGES

KEPT = (
    ".math, code, pre, kbd, samp, .output:not(.text_markdown), input, .qkv-cell, .qkv-typed, "
    "td.notranslate, .qkv-matrix thead th, table.qkv-matrix:not(.qkv-pull-table), "
    "button.qkv-number, .qkv-computed, .qkv-shape, .qkv-position, .qkv-share"
)
WORDS = (
    "h1, h2, h3, h4, article p, article li, article figcaption, article th, summary, nav a, "
    "legend, label, .qkv-widget, .qkv-title, .qkv-tip, .qkv-stage-title, .qkv-summary, "
    ".qkv-trace, .qkv-notice, .qkv-verdict, .qkv-option, .qkv-asked, .site-notice, "
    "button:not(.qkv-number, .qkv-computed)"
)
# Elements of both kinds that a translator would take for the other.
WRONG = """([kept, words]) => {
  const told = (node) => `${node.tagName} .${node.className}: ${node.textContent.slice(0, 60)}`;
  const open = [...document.querySelectorAll(kept)].filter((node) => node.translate);
  const shut = [...document.querySelectorAll(words)].filter((node) =>
    !node.translate && !node.parentNode.closest(kept) && !node.matches(kept));
  return { open: open.map(told), shut: shut.map(told) };
}"""
# What a translator would get of the widgets, text by text.
TEXTS = """() => {
  const texts = [];
  for (const root of document.querySelectorAll(".qkv-live")) {
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      const text = walk.currentNode;
      const said = text.parentNode.closest("[translate]");
      if (said?.getAttribute("translate") !== "no" && text.data.trim()) texts.push(text.data);
    }
  }
  return texts;
}"""
FORMULA = re.compile(r"[\d=+·√−×Σ∂∇∞₀-₉ₖⱼᵢᵀ_]")


def assert_told_apart(tab):
    wrong = tab.evaluate(WRONG, [KEPT, WORDS])
    assert wrong == {"open": [], "shut": []}
    bad = [text for text in tab.evaluate(TEXTS) if FORMULA.search(text)]
    assert not bad


@pytest.mark.parametrize("path", PAGES)
def test_prose_may_be_translated_and_nothing_else(page, path):
    tab = page(path)
    assert_told_apart(tab)
    for selector in ("h1", "p", "nav a", "button.site-theme"):
        assert tab.locator(selector).first.evaluate("node => node.translate"), selector


@pytest.mark.parametrize("path", LESSONS)
def test_a_formula_in_a_sentence_stays_and_the_sentence_does_not(page, path):
    tab = page(path)
    inside = tab.locator("article p > .math").first
    assert inside.evaluate("node => [node.translate, node.parentNode.translate]") == [False, True]
    assert tab.locator("article .cell_output .output").count()
    copy = tab.locator("button.site-copy")  # it stands inside of code
    assert copy.evaluate_all("all => all.every((node) => node.translate)") and copy.count()


@pytest.mark.parametrize("path", ["index.html", *LESSONS])
def test_sums_behind_numbers_stay_while_their_words_go(page, path):
    """Every kind of computed number is pressed, every answer given: the sentences that come."""
    tab = page(path)
    for table in tab.locator(".qkv-live table, .qkv-live .qkv-card, .qkv-taken").all():
        number = table.locator("button.qkv-number, button.qkv-computed")
        if number.count() and number.first.is_visible():
            number.first.click()
            trace = tab.locator(".qkv-trace:visible")
            assert trace.count() == 1 and trace.inner_text()
            assert_told_apart(tab)
    for button in tab.get_by_role("button", name="Check").all():
        question = button.locator("xpath=ancestor::form")
        for field in question.locator("input[type=text]").all():
            field.fill("7")
        for choice in question.locator("input[type=radio]").all()[:1]:
            choice.check()
        button.click()
        assert question.locator(".qkv-verdict").inner_text()
    for cell in tab.locator(".qkv-live input.qkv-cell:visible").all()[:1]:
        cell.fill("x1")
        assert "a number is wanted" in tab.locator(".qkv-notice:visible").inner_text()
    assert_told_apart(tab)


def test_the_names_of_traits_stay(page):
    tab = page("index.html#w:AttentionTable:nosuch=1")
    notice = tab.locator(".qkv-notice")
    names = notice.locator("code").evaluate_all("all => all.map((n) => [n.innerText, n.translate])")
    assert ["W_Q", False] in names and ["reader", False] in names
    tab.evaluate("location.hash = '#w:Nowhere'")
    tab.locator(".site-notice code").first.wait_for()
    assert_told_apart(tab)


def test_what_a_translator_has_turned_is_written_anew(page):
    """It puts elements of its own in place of texts: a summary then still follows the slider."""
    tab = page("index.html")
    widget = tab.locator('[data-qkv-widget="AttentionTable"]')
    line = widget.locator(".qkv-summary")
    line.evaluate(
        """line => {
          for (const text of [...line.childNodes].filter((node) => node.nodeType === 3)) {
            const turned = document.createElement("font");
            turned.textContent = text.data.toUpperCase();
            text.replaceWith(turned);
          }
        }"""
    )
    widget.get_by_role("slider", name="Reader").press("End")
    assert line.inner_text().startswith("Reader 3 gives positions 1 to 3 the weights ")
    assert_told_apart(tab)
