"""Lesson 02: its checkers on answers of many kinds; its predictions and its quiz are true."""

import itertools
import re

import numpy as np
import pytest
import torch

import qkv
from qkv import checks
from qkv.questions import question
from qkv.widgets import WhoReadsWhom

s = qkv.inputs()["sentences"]


def vectors(name):
    ids = s[f"{name}_ids"]
    return s["embeddings"][ids] + s["positions"][: len(ids)]


def read(readers, candidates):
    weights = qkv.softmax(readers @ candidates.T)
    return weights, weights @ candidates


X, Y, birds, choirs = (vectors(name) for name in ("noor", "question", "birds", "choirs"))


# ---------------------------------------------------------------- the shared inputs


@pytest.mark.parametrize("name", ["noor", "question", "birds", "choirs"])
def test_ids_are_those_of_the_tokens(name):
    assert [s["vocabulary"][id] for id in s[f"{name}_ids"]] == s[name]
    assert len(s["vocabulary"]) == len(s["embeddings"]) == 17


def test_no_two_tokens_of_the_table_are_alike():
    gaps = abs(s["embeddings"][:, None] - s["embeddings"]).max(axis=-1)
    assert (gaps + np.eye(17) > 0).all()


# ---------------------------------------------------------------- predictions and quiz


def test_one_token_two_places():
    assert s["noor_ids"][2] == s["noor_ids"][6] and not np.array_equal(X[2], X[6])
    assert question("02.the").answer == 1


def test_she_prefers_another_position():
    weights, _ = read(X, X)
    assert weights[9].argmax() == 0 and s["noor"][0] == "Noor"
    assert question("02.itself").answer == 1
    assert f"{weights[9, 0]:.4f}" in question("02.quiz.5").question


def test_one_token_two_contexts():
    assert np.array_equal(birds[1], choirs[1])
    outputs = read(birds, birds)[1][1], read(choirs, choirs)[1][1]
    assert abs(outputs[0] - outputs[1]).max() > 0.4
    hard = [qkv.retrieve(Z[1], Z, Z) for Z in (birds, choirs)]
    assert np.array_equal(hard[0], birds[1]) and np.array_equal(hard[1], birds[1])
    assert question("02.sing").answer == 1


def test_keys_and_values_apart_are_noticed_by_lengths_alone():
    mixed = qkv.soft_retrieve(birds[1], birds, choirs)
    np.testing.assert_allclose(mixed, read(choirs, choirs)[1][1], rtol=1e-12)
    with pytest.raises(ValueError, match="as many keys as values"):
        qkv.soft_retrieve(X[9], Y, X)
    assert question("02.apart").answer == 2


def test_shapes_asked_are_those_of_the_read():
    weights, output = read(Y, X)
    assert question("02.shape").answer == [*weights.shape, *output.shape]
    rng = np.random.default_rng(2)
    weights, output = read(rng.normal(size=(7, 5)), rng.normal(size=(4, 5)))
    assert question("02.quiz.2").answer == [weights.size, output.size]


def test_reading_the_other_way_is_not_the_transpose():
    there, back = read(Y, X)[0], read(X, Y)[0]
    assert there.T.shape == back.shape and abs(there.T - back).max() > 0.1
    np.testing.assert_allclose(back.sum(axis=1), 1, rtol=1e-12)


def test_by_distance_every_position_reads_itself_most():
    weights = qkv.softmax(-((X[:, None] - X) ** 2).sum(axis=-1))
    assert np.array_equal(weights.argmax(axis=1), np.arange(13))


def test_widget_shows_the_lesson_in_both_modes():
    lab = WhoReadsWhom()
    np.testing.assert_allclose(lab.output, read(X, X)[1][9], rtol=1e-12)
    lab = WhoReadsWhom(
        tokens=s["question"], X=Y.tolist(), memory=s["noor"], M=X.tolist(), mode="cross", reader=3
    )
    assert lab.shape == (5, 13)
    np.testing.assert_allclose(lab.weights, read(Y, X)[0][3], rtol=1e-12)


# ---------------------------------------------------------------- checkers


def test_mistakes_of_the_curriculum_are_there():
    assert set(checks.mistakes("02.sources")) >= {"only-itself", "k-and-v-apart", "exchanged"}


def by_cases(X, Y, shape, i):
    if shape[0] == shape[1]:
        Z = X if shape[0] == X.shape[0] else Y
        return Z[i, :], Z.copy(), Z.copy()
    if shape == (len(X), len(Y)):
        return X[i], Y, Y
    return Y[i], X, X


def by_length(X, Y, shape, i):
    by = {len(Z): Z for Z in (X, Y)}
    return {"q": by[shape[0]][i], "K": by[shape[1]], "V": by[shape[1]]}


def in_torch(X, Y, shape, i):
    readers, candidates = (X if n == X.size(0) else Y for n in shape)
    return readers.select(0, i), candidates.clone(), candidates.clone()


def in_lists(X, Y, shape, i):
    readers, candidates = (X if n == len(X) else Y for n in shape)
    return [list(readers[i]), [list(x) for x in candidates], [list(x) for x in candidates]]


@pytest.mark.parametrize("answer", [by_cases, by_length, in_torch, in_lists])
def test_right_answers_in_any_form(answer):
    assert torch  # imported, so that the checker tries tensors
    verdict = qkv.check("02.sources", answer)
    assert verdict.ok, verdict.message


@pytest.mark.parametrize(
    ("answer", "mistake"),
    [
        (lambda X, Y, shape, i: (Y[i], Y, Y), None),  # no named mistake: reads Y by Y
        (lambda X, Y, shape, i: by_cases(X, Y, shape, i)[:2], None),
        (lambda X, Y, shape, i: by_cases(X, Y, shape, i)[::-1], None),
        (lambda X, Y, shape, i: (X[i], X, X), "always-self"),
        (lambda X, Y, shape, i: by_cases(Y, X, shape, i), "none: it is right"),
    ],
)
def test_other_answers(answer, mistake):
    verdict = qkv.check("02.sources", answer)
    assert verdict.ok == (mistake == "none: it is right")
    assert verdict.mistake == (None if verdict.ok else mistake)
    assert "Traceback" not in verdict.message


@pytest.mark.parametrize(
    "X",
    [
        [[1], [2], [3]],
        [[1, 0], [2, 0.1], [4, -0.1], [8, 0]],
        np.array([[1.0, 2, 0], [1, 1, 0.5], [2, 4, 1]]),
        torch.tensor([[-1.0, -1], [-2, -2], [-3, -3]]),
        ([[0.1, 0.1], [0.2, 0.3], [5, 5]],),
        [[1, 0], [1, 0], [5, 0]],  # two equal readers, and both prefer the third
    ],
)
def test_break_accepts_any_direction_and_form(X):
    verdict = qkv.check("02.break", X)
    assert verdict.ok, verdict.message


@pytest.mark.parametrize(
    ("X", "mistake"),
    [
        ([[1, 0], [0, 1], [0.6, 0.8]], "one-length"),
        ([[1, 0], [5, 0]], "too-few"),
        ([[1, 0], [5, 0], [5, 0]], "twins"),
        ([[0, 0], [0, 0], [5, 0]], "zero-vector"),
        ([[3, 0], [0, 2], [1, 1.9], [1, 0]], None),  # two readers keep to themselves
        (np.ones(3), None),
        ("text", None),
        ([[np.nan, 1], [1, 2], [2, 3]], None),
    ],
)
def test_break_says_what_is_missing(X, mistake):
    verdict = qkv.check("02.break", X)
    assert (verdict.ok, verdict.mistake) == (False, mistake), verdict.message


def test_one_reader_always_keeps_to_itself():
    rng = np.random.default_rng(3)
    for n, d in itertools.product((3, 5, 9), (1, 2, 4)):
        Z = rng.normal(size=(n, d))
        longest = (Z**2).sum(axis=1).argmax()
        assert read(Z, Z)[0][longest].argmax() == longest


def test_by_hand_text_states_the_numbers_it_uses():
    exercise = checks.exercise("02.hand")
    from qkv.lessons.lesson_02.exercises.hand import IDS, STEPS, TABLE

    numbers = [float(x) for x in re.findall(r"-?\d+(?:\.\d+)?", exercise.text.replace("−", "-"))]
    rows = [0, 3, *TABLE.ravel(), *STEPS.ravel(), *IDS]  # "ids 0 to 3" comes first
    assert numbers[: len(rows)] == rows
