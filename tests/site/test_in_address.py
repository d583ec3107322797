"""A widget's state in the address, and what a cell is called when a large matrix shows one row."""

import json

TABLE = '[data-qkv-widget="AttentionTable"]'
COUNT = """(() => {
  const replace = history.replaceState.bind(history);
  window.replaced = 0;
  history.replaceState = (...given) => { window.replaced += 1; replace(...given); };
})()"""


def open_with(page, **state):
    pairs = ";".join(f"{k}={json.dumps(v, separators=(',', ':'))}" for k, v in state.items())
    return page(f"index.html#w:AttentionTable:{pairs}")


def test_the_address_follows_at_once_and_many_keys_write_it_few_times(page):
    tab = page("index.html")
    tab.evaluate(COUNT)
    cell = tab.locator(f"{TABLE} input.qkv-cell").first
    cell.press("ArrowUp")
    assert "X=[[2," in tab.evaluate("location.hash")
    for _ in range(10):
        cell.press("ArrowUp")
    tab.wait_for_function("location.hash.includes('X=[[12,')")
    assert tab.evaluate("window.replaced") < 10


def test_reset_clears_the_address_even_while_one_waits(page):
    tab = page("index.html")
    cell = tab.locator(f"{TABLE} input.qkv-cell").first
    for _ in range(3):
        cell.press("ArrowUp")
    tab.locator(TABLE).get_by_role("button", name="Reset").click()
    tab.wait_for_timeout(500)
    assert tab.evaluate("location.hash") == ""


def test_a_cell_of_the_one_row_is_named_by_its_position(page):
    tab = open_with(page, X=[[k, 1] for k in range(12)], reader=8)
    table = tab.locator(TABLE)
    cell = table.get_by_label("X, row 9, column 1", exact=True)
    assert cell.input_value() == "8"
    table.get_by_role("slider", name="Reader").press("ArrowRight")
    cell = table.get_by_label("X, row 10, column 1", exact=True)
    assert cell.input_value() == "9"
    cell.press("ArrowUp")
    assert cell.input_value() == "10"
    X = tab.evaluate("window.qkv.widgets[0].model.get('X')")
    assert X[9] == [10, 1] and X[8] == [8, 1]


def test_an_arrow_mends_a_cell_that_held_no_number(page):
    tab = page("index.html")
    cell = tab.locator(f"{TABLE} input.qkv-cell").first
    cell.fill("x")
    notice = tab.locator(f"{TABLE} .qkv-notice")
    assert cell.get_attribute("aria-invalid") == "true" and notice.is_visible()
    cell.press("ArrowUp")
    assert cell.input_value() == "2" and cell.get_attribute("aria-invalid") is None
    assert not notice.is_visible()
