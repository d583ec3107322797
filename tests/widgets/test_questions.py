"""Predict and Quiz: the same verdict and message in the browser and in Python."""

import pytest
from agreement import assert_agrees

import qkv.widgets

CHOICE = {
    "id": "t", "question": "Which?", "choices": ["a", "b", "c"], "answer": 1,
    "why": ["a is less.", "b it is.", "c is more."],
}  # fmt: skip
NUMBERS = {
    "id": "t", "question": "How much?", "choices": [], "labels": ["x", "y"], "answer": [0.25, 0.75],
    "digits": 4, "tolerance": 0.00005, "why": ["They sum to 1."],
    "mistakes": [{"id": "swapped", "answer": [0.75, 0.25], "message": "The two are exchanged."}],
}  # fmt: skip
CASES = [
    (CHOICE, None, "unanswered"),
    (CHOICE, 0, "wrong"),
    (CHOICE, 1, "right"),
    (CHOICE, 2, "wrong"),
    (NUMBERS, None, "unanswered"),
    (NUMBERS, [0.25, 0.75], "right"),
    (NUMBERS, [0.25005, 0.74995], "right"),
    (NUMBERS, [0.2502, 0.75], "wrong"),
    (NUMBERS, [0.75, 0.25], "wrong"),
    (NUMBERS, [None, 0.75], "unreadable"),
]


@pytest.mark.parametrize("name", ["Predict", "Quiz"])
@pytest.mark.parametrize("question, response, verdict", CASES)
def test_verdict(name, question, response, verdict):
    widget = getattr(qkv.widgets, name)(**question, response=response)
    assert widget.verdict == verdict
    assert_agrees(name, [widget.inputs()])


def test_a_named_mistake_is_named():
    assert "exchanged" in qkv.widgets.Quiz(**NUMBERS, response=[0.75, 0.25]).message


def test_a_wrong_number_is_pointed_at():
    assert qkv.widgets.Quiz(**NUMBERS, response=[0.25, 0.8]).message.endswith("decimals: y.")
