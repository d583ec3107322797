"""The shared inputs: complete, of one kind, fresh at every call; and what `import qkv` costs."""

import hashlib
import json
import subprocess
import sys
from importlib.resources import files

import numpy as np
import pytest

import qkv

# Lessons quote results of these numbers, not always the numbers: a slip in one that nothing prints
# yet would go unseen. Meant to change an example? Then put its new mark here as well.
MARKS = {
    "running": "6b685b24c199",
    "pencil": "8dfe7434fa8b",
    "raw_mixing": "c20482e397dc",
    "block": "a4ad67a50840",
    "cards": "7ef36fb37c25",
    "cards_twin": "5120b26766af",
    "sentences": "aad0a52a1dd2",
}


def test_examples_are_the_ones_that_the_lessons_were_written_with():
    text = files("qkv").joinpath("inputs.json").read_text(encoding="utf-8")
    marks = {
        name: hashlib.sha256(json.dumps(example, sort_keys=True).encode()).hexdigest()[:12]
        for name, example in json.loads(text).items()
    }
    assert marks == MARKS


def test_fresh_copies():
    a = qkv.inputs()
    a["running"]["X"][:] = 9
    a["cards"]["labels"].append("x")
    b = qkv.inputs()
    assert b["running"]["X"].tolist() == [[1, 0], [0, 1], [1, 1]] and len(b["cards"]["labels"]) == 3


def test_kinds():
    for example in qkv.inputs().values():
        for key, value in example.items():
            if isinstance(value, list):
                assert all(isinstance(word, str) for word in value)
            elif isinstance(value, np.ndarray):
                wanted = np.int64 if key.endswith("_ids") else bool if key == "mask" else np.float64
                assert value.dtype == wanted


def test_sentences_fit_their_table():
    s = qkv.inputs()["sentences"]
    assert len(s["vocabulary"]) == len(set(s["vocabulary"])) == len(s["embeddings"])
    assert len({tuple(row) for row in s["embeddings"]}) == len(s["vocabulary"])
    for name in ("noor", "question", "birds", "choirs"):
        assert [s["vocabulary"][i] for i in s[f"{name}_ids"]] == s[name]
        assert len(s[name]) <= len(s["positions"])


@pytest.mark.parametrize("name", ["cards", "cards_twin"])
def test_cards_have_sizes_that_can_be_told_apart(name):
    cards = qkv.inputs()[name]
    n, d_k = cards["keys"].shape
    assert len(cards["labels"]) == len(cards["values"]) == n
    assert len(cards["tags"]) == len(cards["request"]) == d_k
    assert cards["values"].shape[1] not in (n, d_k)


def test_import_needs_numpy_only():
    code = """
import sys
import qkv
qkv.softmax([1, 2])
assert not {"torch", "anywidget", "ipywidgets", "matplotlib"} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'qkv' has no attribute 'atention'"):
        qkv.atention  # noqa: B018
