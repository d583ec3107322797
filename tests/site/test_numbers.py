"""The numbers on the built page are NumPy's, as it opens and after a key press."""

import json
import re
import sys
from pathlib import Path

import numpy as np
import pytest

import qkv.widgets
from qkv.widgets._question import Question

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "widgets"))

from agreement import assert_same  # noqa: E402

LESSONS = sorted(path.stem for path in (ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))
DERIVE = """([index, traits]) => {
  const plain = (key, x) => (x === -Infinity ? "-Infinity" : x);
  return JSON.stringify(window.qkv.widgets[index].derive(traits), plain);
}"""
TRAITS = """([index, names]) => {
  const { model } = window.qkv.widgets[index];
  return Object.fromEntries(names.map((name) => [name, model.get(name)]));
}"""


def widgets_of(tab):
    """(index, class) of each widget on the page, in order."""
    names = tab.evaluate("window.qkv.widgets.map((w) => w.name)")
    return [(index, getattr(qkv.widgets, name)) for index, name in enumerate(names)]


def assert_page_is_numpy(tab, index, cls):
    """Hold derive of the widget's present traits, in the page, to the Python properties."""
    traits = tab.evaluate(TRAITS, [index, list(cls.INPUTS)])
    found = json.loads(tab.evaluate(DERIVE, [index, traits]))
    wanted = cls(**traits).results()
    assert set(found) == set(wanted)
    for key, value in wanted.items():
        assert_same(found[key], value, f"{cls.__name__}.{key}")
    return traits


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_widget_agrees_before_and_after_a_key_press(page, lesson):
    tab = page(f"notebooks/{lesson}.html")
    labs = 0
    for index, cls in widgets_of(tab):
        before = assert_page_is_numpy(tab, index, cls)
        root = tab.locator("[data-qkv-widget]").nth(index)
        if issubclass(cls, Question):
            continue
        labs += 1
        text = root.locator(".qkv-summary").inner_text()
        press_a_key(root)
        after = assert_page_is_numpy(tab, index, cls)
        assert before != after, f"{cls.__name__}: the key press changed no input"
        assert root.locator(".qkv-summary").inner_text() != text
    assert labs, f"{lesson} has questions only"


def press_a_key(root):
    """Move the first slider by one step or, where there is none, turn the first checkbox."""
    sliders = root.locator('input[type="range"]:visible')
    if not sliders.count():
        return root.locator('input[type="checkbox"]:visible').first.press("Space")
    at_end = sliders.first.evaluate("(s) => Number(s.value) >= Number(s.max)")
    return sliders.first.press("ArrowLeft" if at_end else "ArrowRight")


def matrix(rng, *shape):
    return rng.normal(size=shape).round(6).tolist()


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("scaled", [False, True])
def test_attention_table_on_random_inputs(page, causal, scaled):
    tab = page("notebooks/06_whole_sequence.html")
    index = next(i for i, cls in widgets_of(tab) if cls is qkv.widgets.AttentionTable)
    rng = np.random.default_rng(60 + 2 * causal + scaled)
    for n, d_model, d_k, d_v in [(1, 1, 1, 1), (3, 2, 2, 2), (5, 4, 3, 2), (16, 3, 5, 4)]:
        traits = {
            "X": matrix(rng, n, d_model), "W_Q": matrix(rng, d_model, d_k),
            "W_K": matrix(rng, d_model, d_k), "W_V": matrix(rng, d_model, d_v),
            "causal": causal, "scaled": scaled, "reader": n - 1,
        }  # fmt: skip
        found = json.loads(tab.evaluate(DERIVE, [index, traits]))
        for key, value in qkv.widgets.AttentionTable(**traits).results().items():
            assert_same(found[key], value, key)


@pytest.mark.parametrize("hard", [False, True])
def test_card_file_on_random_inputs(page, hard):
    tab = page("notebooks/01_card_retrieval.html")
    index = next(i for i, cls in widgets_of(tab) if cls is qkv.widgets.CardFile)
    rng = np.random.default_rng(10 + hard)
    for tags, cards, width in [(1, 1, 1), (4, 3, 2), (6, 9, 4)]:
        traits = {
            "tags": [f"t{r}" for r in range(tags)], "labels": [f"c{j}" for j in range(cards)],
            "request": rng.integers(0, 2, tags).tolist(),
            "keys": rng.integers(0, 2, (cards, tags)).tolist(),
            "values": matrix(rng, cards, width), "hard": hard,
            "temperature": round(rng.uniform(0.2, 3), 3),
        }  # fmt: skip
        found = json.loads(tab.evaluate(DERIVE, [index, traits]))
        for key, value in qkv.widgets.CardFile(**traits).results().items():
            assert_same(found[key], value, key)


def test_what_stands_in_the_cells_is_what_derive_gives(page):
    """The table's text itself, at the lesson's example and with the mask."""
    tab = page("notebooks/06_whole_sequence.html")
    root = tab.locator('[data-qkv-widget="AttentionTable"]')
    for causal in (False, True):
        root.get_by_role("checkbox", name="Causal: read no later position").set_checked(causal)
        table = qkv.widgets.AttentionTable(causal=causal)
        cells = (
            root.get_by_role("table", name=re.compile("^Weights"))
            .locator("tbody button")
            .all_inner_texts()
        )
        assert cells == [f"{a:.4f}" for a in table.weights.ravel()]
        cells = (
            root.get_by_role("table", name=re.compile("^Output"))
            .locator("tbody button")
            .all_inner_texts()
        )
        assert cells == [f"{o:.4f}" for o in table.output.ravel()]
