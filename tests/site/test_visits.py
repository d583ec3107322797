"""Addresses that come and go: Back and Forward between states, and widgets that a page hasn't."""

import json
import re

import pytest

TABLE = '[data-qkv-widget="AttentionTable"]'
LINK = "#w:AttentionTable:reader=2;causal=true"


def go(tab, address):
    """Follow a link: a new entry in the history."""
    tab.evaluate("hash => { location.hash = hash }", address)
    tab.wait_for_function("hash => location.hash === hash", arg=address)


def step(tab, way):
    """Back or Forward, until the page has heard of it."""
    tab.evaluate(
        """way => new Promise((done) => {
          window.addEventListener("popstate", () => setTimeout(done), { once: true });
          history[way]();
        })""",
        way,
    )


def state(tab, index=0):
    """What the model holds and what the page shows of it: both are to be restored."""
    widget = tab.locator(TABLE).nth(index)
    reader, causal = tab.evaluate(
        """index => {
          const { model } = window.qkv.widgets[index];
          return [model.get("reader"), model.get("causal")];
        }""",
        index,
    )
    assert widget.get_by_role("slider", name="Reader").input_value() == str(reader + 1)
    assert widget.get_by_role("checkbox", name=re.compile("^Causal")).is_checked() == causal
    assert widget.locator(".qkv-summary").inner_text().startswith(f"Reader {reader + 1} ")
    return reader, causal


def press(tab, key, index=0):
    tab.locator(TABLE).nth(index).get_by_role("slider", name="Reader").press(key)


@pytest.fixture(params=["served", "disk"])
def base(request, site, server):
    return server.url if request.param == "served" else f"{site.as_uri()}/"


def test_back_restores_what_a_link_replaced_and_forward_brings_it_again(page, base):
    tab = page("index.html", base=base)
    start = state(tab)
    go(tab, LINK)
    assert state(tab) == (2, True) != start
    step(tab, "back")
    assert tab.evaluate("location.hash") == "" and state(tab) == start
    step(tab, "forward")
    assert tab.evaluate("location.hash") == LINK and state(tab) == (2, True)


def test_back_restores_what_the_reader_had_done_before_the_link(page):
    tab = page("index.html")
    press(tab, "ArrowLeft")
    before = state(tab)
    assert before == (0, False)
    own = tab.evaluate("location.hash")
    assert own == "#w:AttentionTable:reader=0"
    go(tab, LINK)
    press(tab, "ArrowLeft")  # goes on from the link: this belongs to the link's entry
    tab.wait_for_function("location.hash.includes('causal=true') && !location.hash.includes('=2')")
    step(tab, "back")
    assert tab.evaluate("location.hash") == own and state(tab) == before
    step(tab, "forward")
    assert state(tab) == (1, True)


def test_back_to_a_plain_anchor_restores_what_was_done_there(page, base):
    tab = page("index.html#how-to-run-it", base=base)
    press(tab, "ArrowLeft")
    go(tab, LINK)
    step(tab, "back")
    assert tab.evaluate("location.hash") == "#how-to-run-it" and state(tab) == (0, False)


def test_a_plain_anchor_resets_nothing_on_the_way_there_or_back(page):
    tab = page("index.html")
    press(tab, "ArrowLeft")
    go(tab, "#how-to-run-it")
    assert state(tab) == (0, False)
    press(tab, "End")
    assert tab.evaluate("location.hash") == "#how-to-run-it" and state(tab) == (2, False)
    step(tab, "back")
    assert state(tab) == (2, False)  # and the address, written before, says so
    assert tab.evaluate("location.hash") == "#w:AttentionTable:reader=2"
    step(tab, "forward")
    assert state(tab) == (2, False)


def test_a_plain_anchor_after_a_link_stays_with_the_link(page):
    tab = page("index.html")
    go(tab, LINK)
    go(tab, "#how-to-run-it")
    press(tab, "Home")
    assert state(tab) == (0, True)
    tab.evaluate("history.go(-2)")
    tab.wait_for_function("location.hash === ''")
    assert state(tab) == (1, False)
    tab.evaluate("history.go(2)")
    tab.wait_for_function("location.hash === '#how-to-run-it'")
    assert state(tab) == (0, True)


def test_one_link_after_another_are_three_states(page):
    tab = page("index.html")
    seen = [state(tab)]
    for hash in (LINK, "#w:AttentionTable:reader=0"):
        go(tab, hash)
        seen.append(state(tab))
    assert len(set(seen)) == 3
    step(tab, "back")
    assert state(tab) == seen[1]
    step(tab, "back")
    assert state(tab) == seen[0]
    step(tab, "forward")
    assert state(tab) == seen[1]


def test_entries_outlive_a_new_load_of_the_page(page):
    """The widgets' memory is gone then: an entry shows what its address says."""
    tab = page("index.html")
    go(tab, LINK)
    tab.reload()
    tab.wait_for_selector("html[data-qkv-ready]", state="attached")
    assert state(tab) == (2, True)
    step(tab, "back")
    assert tab.evaluate("location.hash") == "" and state(tab) == (1, False)
    step(tab, "forward")
    assert state(tab) == (2, True)


def test_back_clears_what_a_bad_link_and_a_bad_cell_had_left(page):
    tab = page("index.html")
    table = tab.locator(TABLE)
    notice, typed = table.locator(".qkv-notice"), table.get_by_label("Reader, typed")
    go(tab, "#w:AttentionTable:reader=99")
    assert "The link's state for AttentionTable is ignored" in notice.inner_text()
    step(tab, "back")
    assert not notice.is_visible() and state(tab) == (1, False)
    step(tab, "forward")
    assert "The link's state for AttentionTable is ignored" in notice.inner_text()
    go(tab, "#how-to-run-it")
    assert not notice.is_visible()
    go(tab, LINK)
    typed.fill("x")
    typed.press("Tab")
    assert typed.get_attribute("aria-invalid") == "true"
    step(tab, "back")
    assert typed.get_attribute("aria-invalid") is None and typed.input_value() == "2"


# two widgets of one kind on a page


@pytest.fixture
def two(page, serve, site, tmp_path):
    """The front page with its widget twice, each with a model of its own."""
    (tmp_path / "_static").symlink_to(site / "_static")
    text = (site / "index.html").read_text(encoding="utf-8")
    slot = re.search(r'<div class="qkv-slot".*?</script>', text, re.S)[0] + "</div>"
    text = text.replace(slot[: -len("</div>")], slot + slot.replace("-1", "-2")[: -len("</div>")])
    kind = "application/vnd.jupyter.widget-state+json"
    found = re.search(rf'<script type="{re.escape(kind)}">(.*?)</script>', text, re.S)
    stored = json.loads(found[1])
    [(name, model)] = stored["state"].items()
    stored["state"][name.replace("-1", "-2")] = model
    text = text.replace(found[1], json.dumps(stored).replace("<", "\\u003c"))
    text = re.sub(r'<img class="qkv-still"[^>]*>', "", text)
    (tmp_path / "index.html").write_text(text, encoding="utf-8")
    tab = page("index.html", base=serve(tmp_path).url)
    assert tab.locator(TABLE).count() == 2
    return tab


def test_two_widgets_keep_their_own_states(two):
    press(two, "Home", 0)
    press(two, "End", 1)
    before = [state(two, 0), state(two, 1)]
    assert before == [(0, False), (2, False)]
    go(two, "#w:AttentionTable.2:causal=true")
    assert [state(two, 0), state(two, 1)] == [(0, False), (1, True)]
    press(two, "End", 0)
    step(two, "back")
    assert [state(two, 0), state(two, 1)] == before
    step(two, "forward")
    assert [state(two, 0), state(two, 1)] == [(2, False), (1, True)]


# an address that names what the page hasn't


def notice_of(tab):
    return tab.get_by_role("alert").filter(has_text="The address")


@pytest.mark.parametrize(
    "path, has",
    [("index.html", "This page has AttentionTable."), ("glossary.html", "This page has none")],
)
@pytest.mark.parametrize("width", [1280, 360])
def test_a_widget_that_the_page_has_not_is_told(page, base, path, has, width):
    tab = page(f"{path}#w:NoSuchLab:reader=2", base=base, width=width)
    notice = notice_of(tab)
    notice.wait_for()
    assert "asks for the widget NoSuchLab" in notice.inner_text() and has in notice.inner_text()
    room = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    assert tab.evaluate(room)
    tab.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)")
    box = notice.bounding_box()
    assert 0 <= box["y"] < 200  # in sight wherever the reader is
    notice.get_by_role("button", name="Close").press("Enter")
    notice.wait_for(state="hidden")


@pytest.mark.parametrize("valid", ["#w:AttentionTable:reader=0", "#how-to-run-it"])
def test_the_notice_goes_with_the_address(page, valid):
    tab = page("index.html")
    go(tab, "#w:Other:n=1")
    notice_of(tab).wait_for()
    go(tab, valid)
    notice_of(tab).wait_for(state="hidden")
    step(tab, "back")
    notice_of(tab).wait_for()
    step(tab, "back")
    notice_of(tab).wait_for(state="hidden")


@pytest.mark.parametrize(
    "hash, said",
    [("#w:", "names no widget"), ("#w:%3Cb%3E", "the widget <b>."), ("#w:%E0%A4", "%E0%A4"),
     ("#w:" + "x" * 200, "x…"), ("#w:attentiontable", "the widget attentiontable."),
     ("#w:AttentionTable.2", "the widget AttentionTable.2.")],
)  # fmt: skip
def test_whatever_is_asked_for_is_told_as_text(page, hash, said):
    tab = page(f"index.html{hash}")
    notice = notice_of(tab)
    notice.wait_for()
    assert said in notice.inner_text() and len(notice.inner_text()) < 150
    assert not notice.locator("b").count()


def test_an_anchor_that_cannot_be_read_does_no_harm(page):
    tab = page("index.html#%E0%A4")
    tab.wait_for_function("!('starting' in document.documentElement.dataset)")
    assert not notice_of(tab).count()


def test_a_question_has_no_state_to_ask_for(page):
    tab = page("notebooks/06_whole_sequence.html#w:Quiz:response=1")
    notice_of(tab).wait_for()
    assert "This page has AttentionTable." in notice_of(tab).inner_text()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_notice_is_sound(page, theme):
    from test_site_pages import faults

    tab = page("index.html#w:Other", theme=theme, width=360)
    notice_of(tab).wait_for()
    assert not faults(tab)
