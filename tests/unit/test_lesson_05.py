"""What lesson 05 tells the reader beyond its cells: predictions, quiz, and right answers."""

import math

import numpy as np
import pytest
import torch

import qkv
from qkv import checks
from qkv.questions import question

CURRICULUM = {"wrong-axis", "no-maximum", "global-maximum", "squares", "base-2", "sign"}


def by_keepdims(scores):
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def by_torch(scores):
    return torch.nn.functional.softmax(torch.as_tensor(scores), dim=-1)


def by_loops(scores):
    rows = scores if isinstance(scores, list) else scores.tolist()
    if isinstance(rows[0], list):
        return [by_loops(row) for row in rows]
    exps = [math.exp(e - max(rows)) for e in rows]
    return [x / sum(exps) for x in exps]


def by_logs(scores):
    e = scores - scores.max(axis=-1, keepdims=True)
    return np.exp(e - np.log(np.exp(e).sum(axis=-1, keepdims=True)))


def by_differences(scores):
    return 1 / np.exp(scores[..., None, :] - scores[..., :, None]).sum(axis=-1)


@pytest.mark.parametrize("answer", [by_keepdims, by_torch, by_loops, by_logs, by_differences])
def test_right_answers_in_any_form(answer):
    verdict = qkv.check("05.softmax", answer)
    assert verdict.ok, verdict.message


def test_every_mistake_of_the_curriculum_has_its_name():
    assert set(checks.mistakes("05.softmax")) >= CURRICULUM


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda scores: None, "None"),
        (lambda scores: scores[..., 0], "shape"),
        (lambda scores: np.full(scores.shape, np.nan), "NaN"),
        (lambda scores: 1 / 0, "ZeroDivisionError"),
        (lambda scores: np.round(by_keepdims(scores), 3), "rounded to 3"),
    ],
)
def test_other_wrong_answers_get_a_sentence(answer, said):
    verdict = qkv.check("05.softmax", answer)
    assert not verdict.ok and verdict.mistake is None and said in verdict.message


@pytest.mark.parametrize(
    "answer",
    [
        ([1, 0], [1, 3], [[0, 1], [1, 1], [2, 1]]),  # a horizontal line
        ([0.5, 2], [-1.5, 3], [[0, 0], [1, 2], [-0.5, -1]]),  # a slanted one
        (np.zeros(2), np.array([0, -7.0]), np.array([[3, 1.5], [-2, 1.5], [0.1, 1.5]])),
        {"q": [2, 2], "p": [3, 1], "K": [[0, 0], [1, 1], [4, 4]]},
        (torch.tensor([1.0, 0]), torch.tensor([1.0, 5]), torch.tensor([[0.0, 2], [1, 2], [9, 2]])),
    ],
)
def test_two_questions_with_one_answer(answer):
    verdict = qkv.check("05.break", answer)
    assert verdict.ok, verdict.message


def test_keys_off_the_line_are_refused():
    verdict = qkv.check("05.break", ([0.3, 2], [1, 5], [[0, 0], [1, 0], [2, 1]]))
    assert not verdict.ok and "move" in verdict.message
    assert "shape" in qkv.check("05.break", ([1], [2], [[0], [1], [2]])).message


def test_the_hand_exercise_forgives_rounded_weights_and_lies_in_its_triangle():
    weights = np.round(qkv.softmax([2, 0, 1]), 4)
    values = np.array([[5, 0], [0, 5], [5, 10]])
    assert qkv.check("05.hand", [*weights, *(weights @ values)]).ok
    assert not qkv.check("05.hand", [0.7, 0.1, 0.2, 4.5, 2.9]).ok


def test_predictions_are_true():
    raw = qkv.inputs()["raw_mixing"]
    after = (raw["scores"] + raw["offset"]) @ raw["values"]
    assert question("05.raw").choices[question("05.raw").answer] == f"{after:.0f}"
    with np.errstate(all="ignore"):
        exp = np.exp([1000.0, 1001.0])
        assert np.isnan(exp / exp.sum()).all()
    assert "NaN" in question("05.thousand").choices[question("05.thousand").answer]
    np.testing.assert_allclose(qkv.softmax(np.array([3.0, -1, 8]) / 1e6), 1 / 3, atol=1e-5)
    assert "middle" in question("05.temperature").choices[question("05.temperature").answer]


def test_quiz_is_true():
    a, b = (qkv.softmax(np.array([2.0, 0]) / T) for T in (1, 4))
    np.testing.assert_allclose(question("05.quiz.1").answer, [a[0] / a[1], b[0] / b[1]])
    row = np.array([0.3, -1.0, 2.0])
    np.testing.assert_allclose(qkv.softmax(row + 7), qkv.softmax(row))
    for changed in (2 * row, row + [0, 0, 7], abs(row)):
        assert abs(qkv.softmax(changed) - qkv.softmax(row)).max() > 0.01
    scaled = qkv.draws.normals(5, (200, 10))  # rows of scores with variance 1
    assert qkv.entropy(qkv.softmax(16 * scaled)).mean() < 0.3
    assert qkv.entropy(qkv.softmax(scaled)).mean() > 1.5


def test_entropy_rises_with_temperature():
    e = qkv.draws.normals(7, (50, 6))
    rows = [qkv.entropy(qkv.softmax(e / T)) for T in (0.1, 0.3, 1, 3, 10, 100)]
    assert (np.diff(rows, axis=0) >= 0).all()


def test_a_mixture_goes_no_further_than_its_values_in_any_direction():
    e, V, u = (qkv.draws.normals(k, s) for k, s in ((1, (40, 5)), (2, (5, 3)), (3, (3, 60))))
    outputs, ends = qkv.softmax(3 * e) @ V @ u, V @ u
    assert (outputs <= ends.max(axis=0) + 1e-12).all()
    assert (outputs >= ends.min(axis=0) - 1e-12).all()
