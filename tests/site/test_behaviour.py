"""What a reader does with the site: keys, themes, menus, search, no scripts, paper, disk."""

import re
from pathlib import Path

import pytest

LESSON = "notebooks/06_whole_sequence.html"
POLICY = (
    "default-src 'none'; script-src 'self' blob:; style-src-elem 'self'; "
    "style-src-attr 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'"
)


def values(tab, index=0):
    """The results of a widget, as its own `derive` gives them."""
    return tab.evaluate(
        """index => {
          const { model, derive } = window.qkv.widgets[index];
          const traits = new Proxy({}, { get: (_, name) => model.get(name) });
          const names = ["X", "W_Q", "W_K", "W_V", "causal", "scaled", "reader"];
          return derive(Object.fromEntries(names.map((name) => [name, traits[name]])));
        }""",
        index,
    )


def move_reader(tab):
    """Press a key on the reader's slider of the first AttentionTable; return the page's text."""
    table = tab.locator('[data-qkv-widget="AttentionTable"]').first
    slider = table.get_by_role("slider", name="Reader")
    before = table.inner_text(), slider.input_value()
    slider.press("ArrowRight")
    after = table.inner_text(), slider.input_value()
    assert before[1] != after[1] and before[0] != after[0]


def test_front_page_widget_answers_the_keyboard(page):
    move_reader(page(""))


def test_host_says_what_it_mounted(page):
    tab = page("")
    assert tab.evaluate("window.qkv.host") == "static"
    assert tab.evaluate("window.qkv.ready.then(list => list === window.qkv.widgets)")
    assert tab.evaluate("window.qkv.widgets.map(w => w.name)") == ["AttentionTable"]
    assert tab.evaluate(
        "window.qkv.widgets[0].element.closest('.qkv-slot').querySelectorAll("
        "'[data-qkv-widget]').length"
    ) == 1
    assert values(tab)["weights"][2][2] > 0


def test_host_gives_models_their_events(page):
    tab = page("")
    heard = tab.evaluate(
        """() => {
          const { model } = window.qkv.widgets[0], heard = [];
          const listen = () => heard.push("change:reader");
          model.on("change:reader", listen);
          model.on("change", () => heard.push("change"));
          model.set("reader", model.get("reader"));      // no change, no event
          model.set("reader", 0);
          model.off("change:reader", listen);
          model.set("reader", 2);
          model.save_changes();
          return heard;
        }"""
    )
    assert heard == ["change:reader", "change", "change"]


def test_a_widget_that_cannot_start_shows_its_picture(page, serve, site, tmp_path):
    (tmp_path / "_static").mkdir()
    (tmp_path / "_static" / "qkv-host.js").write_bytes(
        (site / "_static" / "qkv-host.js").read_bytes()
    )
    (tmp_path / "index.html").write_text(
        """<!DOCTYPE html><html class="js" lang="en"><title>t</title>
        <div class="qkv-slot" data-model-id="a"><script
        type="application/vnd.jupyter.widget-view+json">{"model_id": "a"}</script></div>
        <div class="qkv-slot" data-model-id="b"><script
        type="application/vnd.jupyter.widget-view+json">{"model_id": "b"}</script></div>
        <script type="application/vnd.jupyter.widget-state+json">{"state": {
          "a": {"state": {"_esm": "export default { render() { throw new Error('no luck') } }"}},
          "b": {"state": {"_esm": "export default { render({ el }) { el.textContent = 'fine' } }"}}
        }}</script><script src="_static/qkv-host.js"></script>""",
        encoding="utf-8",
    )
    tab = page("index.html", base=serve(tmp_path).url)
    slots = tab.locator(".qkv-slot")
    assert slots.nth(0).get_attribute("data-state") == "failed"
    assert "no luck" in slots.nth(0).inner_text()
    assert slots.nth(1).inner_text() == "fine"
    assert tab.problems and all("no luck" in problem for problem in tab.problems)
    tab.problems.clear()


@pytest.mark.parametrize("path", ["index.html", LESSON])
def test_page_works_from_disk_with_the_network_cut(page, site, path):
    tab = page(path, base=f"{site.as_uri()}/", offline=True)
    assert tab.url.startswith("file:")
    slots = tab.locator(".qkv-slot").count()
    assert slots and tab.locator('.qkv-slot[data-state="live"]').count() == slots
    move_reader(tab)
    style = "getComputedStyle(document.querySelector('.site-top')).position"
    assert tab.evaluate(style) == "sticky"  # the style sheet came, too


@pytest.mark.parametrize("path", ["index.html", LESSON, "search.html?q=softmax"])
def test_page_obeys_a_strict_policy(page, site, serve, path):
    guarded = serve(site, {"Content-Security-Policy": POLICY})
    tab = page(path, base=guarded.url)
    if path.startswith("search"):
        tab.wait_for_selector("ul.search li")
    else:
        move_reader(tab)


@pytest.mark.parametrize("path", ["index.html", LESSON])
def test_reader_without_scripts_sees_the_stills(page, path):
    tab = page(path, java_script_enabled=False, ready=False)
    stills = tab.locator("img.qkv-still")
    assert stills.count() == tab.locator(".qkv-slot").count() > 0
    for still in stills.all():
        still.scroll_into_view_if_needed()
        assert still.is_visible() and still.bounding_box()["height"] > 30
    assert tab.get_by_role("navigation", name="Book").is_visible()


def test_paper_shows_the_stills_and_no_controls(page):
    tab = page(LESSON)
    still, live = tab.locator("img.qkv-still").first, tab.locator(".qkv-live").first
    assert live.is_visible() and not still.is_visible()
    tab.emulate_media(media="print")
    still.wait_for(state="visible")
    assert not live.is_visible()
    assert not tab.locator(".site-side").is_visible()


def test_theme_button_turns_and_is_remembered(page):
    tab = page("", theme="auto", color_scheme="dark")
    theme = lambda: tab.evaluate("document.documentElement.dataset.theme")  # noqa: E731
    button = tab.get_by_role("button", name=re.compile("^Theme"))
    assert theme() == "dark"
    button.press("Enter")
    assert theme() == "light" and "light" in button.inner_text()
    tab.reload()
    assert theme() == "light"
    tab.get_by_role("button", name=re.compile("^Theme")).click()
    assert theme() == "dark"


def test_roles_keep_their_colours_in_both_themes(page):
    shades = set()
    for theme in ("light", "dark"):
        tab = page(LESSON, theme=theme)
        for colour in ("#0072B2", "#D55E00", "#009E73"):
            formula = tab.locator(f'.katex-html [style*="{colour}"]').first
            shades.add(formula.evaluate("node => getComputedStyle(node).color"))
    assert len(shades) == 6


def test_contents_on_a_narrow_screen(page):
    tab = page(LESSON, width=360)
    menu = tab.get_by_role("button", name="Contents")
    book = tab.get_by_role("navigation", name="Book")
    assert not book.is_visible() and menu.get_attribute("aria-expanded") == "false"
    menu.press("Enter")
    book.wait_for(state="visible")
    assert menu.get_attribute("aria-expanded") == "true"
    box = tab.get_by_role("searchbox", name="Search the book")
    assert box.evaluate("node => node === document.activeElement")
    tab.keyboard.press("Escape")
    book.wait_for(state="hidden")
    assert menu.evaluate("node => node === document.activeElement")


def test_first_tab_stop_skips_to_the_text(page):
    tab = page(LESSON)
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.textContent") == "Skip to the text"
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.id") == "main-content"


@pytest.mark.parametrize("disk", [False, True])
def test_search_finds_lessons_and_pages(page, site, disk):
    tab = page("index.html", base=f"{site.as_uri()}/" if disk else None)
    box = tab.get_by_role("searchbox", name="Search the book")
    box.fill("softmax")
    box.press("Enter")
    tab.wait_for_selector("ul.search li a")
    links = tab.locator("ul.search li a").evaluate_all("all => all.map(a => a.href)")
    assert any("/notebooks/06_whole_sequence.html" in link for link in links)
    assert not any("/book/" in link for link in links)
    assert "On this page" not in tab.locator("#search-results").inner_text()
    tab.locator("ul.search li a").first.click()
    tab.wait_for_load_state()
    assert "search.html" not in tab.url


def test_what_scrolls_is_a_tab_stop_and_only_then(page):
    tab = page(LESSON, width=360)
    kinds = ("pre", "div.math", ".site-scroll")
    boxes = tab.locator(", ".join(f"article {kind}:visible" for kind in kinds))
    found = boxes.evaluate_all(
        """all => all.map(box => [box.scrollWidth > box.clientWidth + 1, box.tabIndex === 0])"""
    )
    assert [True, True] in found and [False, False] in found
    assert [True, False] not in found and [False, True] not in found


def test_code_can_be_copied(page):
    tab = page(LESSON, permissions=["clipboard-read", "clipboard-write"])
    cell = tab.locator("div.cell_input div.highlight").first
    cell.hover()
    cell.get_by_role("button", name="Copy").click()
    cell.get_by_role("button", name="Copied").wait_for()
    copied = tab.evaluate("navigator.clipboard.readText()")
    assert copied.strip() == cell.locator("pre").inner_text().strip()


def test_offered_notebook_downloads(page, site):
    tab = page(LESSON)
    with tab.expect_download() as download:
        tab.get_by_role("link", name="Notebook").click()
    path = Path(download.value.path())
    assert path.read_bytes() == (site / "notebooks" / "06_whole_sequence.ipynb").read_bytes()


def test_a_figure_that_moves_can_be_stopped(page):
    tab = page(LESSON)
    image = tab.locator("img.site-moving")
    assert image.count() == 1 and "#still" not in image.get_attribute("src")
    tab.get_by_role("button", name="Stop the animation").press("Enter")
    assert image.get_attribute("src").endswith("#still")
    tab.get_by_role("button", name="Play the animation").press("Enter")
    assert "#still" not in image.get_attribute("src")


def test_a_figure_stands_for_readers_who_prefer_less_motion(page):
    tab = page(LESSON, reduced_motion="reduce")
    assert tab.locator("img.site-moving").get_attribute("src").endswith("#still")


def test_figures_keep_their_size_on_a_phone(page):
    tab = page(LESSON, width=360)
    image = tab.locator("article p > img").first
    assert image.bounding_box()["width"] > 500
    box = image.locator("xpath=..")
    assert box.get_attribute("tabindex") == "0", "the keyboard cannot scroll to its right half"


@pytest.mark.parametrize("width", [1280, 360])
def test_a_page_opens_at_its_anchor_and_is_laid_out_whole(page, width):
    tab = page(f"{LESSON}#quiz", width=width)
    tab.wait_for_function("!('starting' in document.documentElement.dataset)")
    top = "Math.round(document.getElementById('quiz').getBoundingClientRect().top)"
    tab.wait_for_function(f"Math.abs({top}) < 120")


def test_a_page_opens_at_the_widget_that_its_address_names(page):
    tab = page(f"{LESSON}#w:AttentionTable:reader=2")
    widget = tab.locator('[data-qkv-widget="AttentionTable"]')
    widget.evaluate("(w) => new Promise((done) => setTimeout(done, 500))")
    assert abs(widget.evaluate("(w) => w.getBoundingClientRect().top")) < 120


def test_a_page_that_opens_at_its_top_is_whole_once_its_widgets_answer(page):
    tab = page(LESSON)
    tab.wait_for_function("!('starting' in document.documentElement.dataset)")
    last = tab.locator("article > section > section").last
    assert last.evaluate("(s) => getComputedStyle(s).contentVisibility") == "visible"
