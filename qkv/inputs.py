"""The shared examples: one file of numbers for lessons, figures, widgets and tests."""

import json
from functools import cache
from importlib.resources import files

import numpy as np


def inputs():
    """Return the shared examples: a dict of name → dict of arrays.

    Lists of numbers become float64 arrays, names that end in `_ids` int64 arrays, lists of
    true and false boolean arrays; words and lists of words stay as they are. Every call
    returns fresh copies, so nothing that a reader changes is seen by the next reader.
    """
    examples = json.loads(_text())
    return {
        name: {key: _value(key, value) for key, value in example.items()}
        for name, example in examples.items()
    }


@cache
def _text():
    return files("qkv").joinpath("inputs.json").read_text(encoding="utf-8")


def _value(key, value):
    if isinstance(value, list):
        array = np.array(value)
        if key.endswith("_ids"):
            return array.astype(np.int64)
        if array.dtype.kind in "if":
            return array.astype(np.float64)
        if array.dtype.kind == "b":
            return array
    return value
