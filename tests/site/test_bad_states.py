"""What a widget on the page does with links and cells that hold no good state."""

import json
import re

import pytest

TABLE = '[data-qkv-widget="AttentionTable"]'
WRONG = [
    "",
    " ",
    "abc",
    "1e309",
    "0x10",
    "１２",
    "1" * 400,
    "NaN",
    "−∞",
    "1/0",
    "1 000",
    "<b>",
]
LARGE = json.dumps([[1, 1]] * 3000, separators=(",", ":"))
LABS = {
    "CardFile": "notebooks/01_card_retrieval.html",
    "WhoReadsWhom": "notebooks/02_reading_from_inside.html",
    "Projector": "notebooks/03_projections.html",
    "ScaleLab": "notebooks/04_scores_and_scale.html",
    "MixLab": "notebooks/05_softmax_mixtures.html",
    "AttentionTable": "notebooks/06_whole_sequence.html",
    "MaskLab": "notebooks/07_causal_mask.html",
    "PullLab": "notebooks/08_gradients.html",
}
BAD = {
    "CardFile": ["temperature=0", "request=[2,0,0,0]", "values=[]", "tags=[1]", "keys=[[1]]"],
    "WhoReadsWhom": ['mode="constructor"', "reader=99", "memory=[]", "X=[[1,2],[3]]"],
    "Projector": ["i=-1", "j=1.5", f"X={LARGE}", "W_Q=[[1,2]]"],
    "ScaleLab": ["d_k=0", "draws=1e9", "seed=1e308", 'divisor="toString"', "rho=2"],
    "MixLab": ["scores=[1,2]", "temperature=-1", 'rule="__proto__"', "values=[[1],[2],[3]]"],
    "AttentionTable": ["X=[[1e999,1]]", f"X={LARGE}", "reader=3", "causal=1", "X=%E0%A4%A"],
    "MaskLab": ['mask="__proto__"', "layers=9", "masked_layers=2", "width=0"],
    "PullLab": ["delta=1e308", "frame=999", "frames=[{}]", "g=[1]"],
}
EVERYWHERE = ["__proto__=1", "constructor=1", "nothing=1", "=", "%"]


@pytest.mark.parametrize("name", LABS)
def test_a_link_that_holds_no_good_state_is_ignored_with_a_notice(page, name):
    tab = page(LABS[name])
    lab = tab.locator(f'[data-qkv-widget="{name}"]').first
    notice = lab.locator(".qkv-notice")
    before = lab.inner_text().split()
    for state in BAD[name] + EVERYWHERE:
        tab.evaluate("hash => { location.hash = hash }", f"#w:{name}:{state}")
        notice.get_by_text(f"The link's state for {name} is ignored").wait_for()
        said = notice.inner_text()
        assert len(said) < 300, state[:60]
        assert lab.inner_text().replace(said, "").split() == before, state[:60]
    lab.get_by_role("button", name="Reset").click()
    notice.wait_for(state="hidden")


def test_cells_that_hold_no_number_are_marked_and_the_page_stays_as_wide(page):
    tab = page("index.html", width=360)
    table = tab.locator(TABLE)
    cell, notice = table.locator("input.qkv-cell").first, table.locator(".qkv-notice")
    typed = table.get_by_label("Reader, typed")
    weights = table.get_by_role("table", name=re.compile("^Weights")).inner_text()
    for text in WRONG:
        for field in (cell, typed):
            field.fill(text)
            field.press("Tab")
            assert field.get_attribute("aria-invalid") == "true", text
        assert "a number is wanted" in notice.inner_text()
        assert "Wanted a whole number from 1 to 3" in table.inner_text()
        assert table.get_by_role("table", name=re.compile("^Weights")).inner_text() == weights
        room = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        assert tab.evaluate(room), text
    table.get_by_role("button", name="Reset").click()
    assert not table.locator("[aria-invalid]").count() and not notice.is_visible()
    assert (cell.input_value(), typed.input_value()) == ("1", "2")


def test_too_large_numbers_are_told_and_nothing_passes_for_a_blocked_score(page):
    tab = page("index.html")
    table = tab.locator(TABLE)
    cells = table.locator("input.qkv-cell")
    for at, text in ((0, "1e200"), (2, "-1e200")):
        cells.nth(at).fill(text)
    assert "These inputs are too large" in table.locator(".qkv-notice").inner_text()
    assert "−∞" not in table.inner_text()
    table.get_by_role("button", name="Reset").click()
    assert not table.locator(".qkv-notice").is_visible()


def test_a_plain_anchor_stays_and_a_newer_link_is_not_written_over(page):
    tab = page("index.html")
    table = tab.locator(TABLE)
    reader = table.get_by_role("slider", name="Reader")
    tab.evaluate("location.hash = '#exercises'")
    reader.press("ArrowRight")
    tab.wait_for_timeout(400)
    assert tab.evaluate("location.hash") == "#exercises"
    tab.evaluate("location.hash = ''")
    reader.press("ArrowLeft")
    reader.press("ArrowLeft")  # its address waits for a moment
    tab.evaluate("location.hash = '#w:Other:n=1'")
    tab.wait_for_timeout(400)
    assert tab.evaluate("location.hash") == "#w:Other:n=1"
