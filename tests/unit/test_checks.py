"""Checkers: every named mistake by its name, right answers in any form, a sentence for the rest."""

import itertools
import math

import numpy as np
import pytest
import torch

import qkv
from qkv import checks, questions
from qkv.checks import (
    BreakExercise,
    CodeExercise,
    HandExercise,
    Mistake,
    Verdict,
    soft,
)

IDS = checks.ids()
NAMED = [(id, name) for id in IDS for name in checks.mistakes(id)]
CODE = [id for id in IDS if isinstance(checks.exercise(id), CodeExercise)]
HAND = [id for id in IDS if isinstance(checks.exercise(id), HandExercise)]

CURRICULUM = {
    "01.retrieve": {"matches-on-values", "returns-key", "first-of-tie", "sum-not-mean"},
    "06.attention": {
        "no-scale", "scale-d-k", "scale-sqrt-n", "scale-sqrt-d-v", "scaled-after-softmax",
        "swapped-q-k", "axis-0", "k-for-v", "uniform", "hard-argmax", "output-transposed",
    },
}  # fmt: skip


# ---------------------------------------------------------------- all exercises


@pytest.mark.parametrize(("id", "name"), NAMED)
def test_every_mistake_is_rejected_by_name(id, name):
    for example in checks.exercise(id).mistakes[name].examples:
        verdict = qkv.check(id, example)
        assert (verdict.ok, verdict.mistake) == (False, name), verdict.message


@pytest.mark.parametrize("id", IDS)
def test_at_least_three_mistakes_each_with_a_sentence(id):
    exercise = checks.exercise(id)
    assert len(exercise.mistakes) >= 3
    messages = [mistake.message for mistake in exercise.mistakes.values()]
    assert len(set(messages)) == len(messages)
    for message in [*messages, exercise.right]:
        assert message.strip().endswith((".", ")", "?")), message
        assert len(message.split()) <= 50, message
    assert exercise.id == id


@pytest.mark.parametrize("id", CURRICULUM)
def test_mistakes_of_the_curriculum_are_there(id):
    assert set(checks.mistakes(id)) >= CURRICULUM[id]


@pytest.mark.parametrize("id", CODE)
def test_reference_is_right_and_no_two_mistakes_look_alike(id):
    exercise = checks.exercise(id)
    assert qkv.check(id, exercise.reference).ok
    runs = {name: exercise._run(m.example, "arrays") for name, m in exercise.mistakes.items()}
    for a, b in itertools.combinations(runs, 2):
        same = [
            x.value is not None
            and y.value is not None
            and all(
                p.shape == q.shape and np.allclose(p, q, 1e-3, 1e-3, equal_nan=True)
                for p, q in zip(x.value, y.value, strict=True)
            )
            for x, y in zip(runs[a], runs[b], strict=True)
            if x.value is not None or y.value is not None
        ]
        assert not all(same), f"{a} and {b} give the same results on all cases"


@pytest.mark.parametrize("id", CODE)
@pytest.mark.parametrize(
    "answer",
    [
        lambda *args: 1 / 0,
        lambda *args: [][1],
        lambda *args: exit(),
        lambda *args: None,
        lambda *args: "a string",
        lambda *args: {"no": "numbers"},
        lambda *args: [[1, 2], [3]],
        lambda *args: np.nan,
        lambda *args: np.full((2, 2), np.nan),
        lambda *args: np.zeros((0, 3)),
        lambda *args: np.ones((17, 19)),
        lambda *args: object(),
        lambda *args: (x for x in args),
        lambda *args: 1j,
        lambda: 3,
        3,
        None,
        "text",
        [1, 2, 3],
        {},
        np.ones(3),
    ],
)
def test_no_traceback_but_a_sentence(id, answer):
    verdict = qkv.check(id, answer)
    assert not verdict.ok
    assert verdict.mistake is None
    assert len(verdict.message.split()) >= 4
    assert verdict.message.endswith(".")
    assert "Traceback" not in verdict.message
    assert str(verdict) == verdict.message


class Unreadable:
    """Raises whenever anything is asked of it."""

    def __getattr__(self, name):
        raise RuntimeError(name)


class Wordless(Exception):
    def __str__(self):
        raise RuntimeError


def wordless(*args):
    raise Wordless


ITSELF = []
ITSELF.append(ITSELF)
ODD = [Unreadable(), ITSELF, np.ma.masked, torch.ones(2, device="meta"), torch.eye(2).to_sparse()]


@pytest.mark.parametrize("id", IDS)
def test_what_cannot_even_be_looked_at_gets_a_sentence(id):
    for answer in [*ODD, wordless, *(lambda *args, x=x: x for x in ODD)]:
        verdict = qkv.check(id, answer)
        assert not verdict.ok and verdict.mistake is None
        assert len(verdict.message.split()) >= 4 and verdict.message.endswith(".")


@pytest.mark.parametrize("id", HAND)
def test_by_hand_half_a_unit_of_the_last_digit(id):
    exercise = checks.exercise(id)
    unit = 10.0**-exercise.digits
    assert qkv.check(id, np.round(exercise.numbers, exercise.digits)).ok
    assert qkv.check(id, exercise.numbers.tolist()).ok
    assert qkv.check(id, exercise.numbers + 0.49 * unit).ok
    for i in range(len(exercise.numbers)):
        off = exercise.numbers.copy()
        off[i] += 0.51 * unit
        assert not qkv.check(id, off).ok
    assert "round" in qkv.check(id, off).message
    assert exercise.tolerance == 0.5 * unit


@pytest.mark.parametrize("id", HAND)
def test_by_hand_mistakes_differ_in_the_digits_asked(id):
    exercise = checks.exercise(id)
    rows = [exercise.numbers]
    rows += [np.ravel(e) for m in exercise.mistakes.values() for e in m.examples]
    for a, b in itertools.combinations(rows, 2):
        assert np.abs(a - b).max() > 1.5 * 10.0**-exercise.digits


@pytest.mark.parametrize("id", HAND)
def test_by_hand_is_a_question_for_the_page(id):
    exercise, item = checks.exercise(id), questions.question(id)
    traits = item.traits()
    assert traits["id"] == id
    assert traits["answer"] == exercise.numbers.tolist()
    assert len(traits["labels"]) == len(traits["answer"])
    assert traits["tolerance"] == exercise.tolerance
    assert {m["id"] for m in traits["mistakes"]} == set(exercise.mistakes)
    assert traits["hint"]
    assert "$" not in traits["question"]


@pytest.mark.parametrize("id", [id for id in IDS if id not in CODE])
@pytest.mark.parametrize(
    "answer",
    [None, ..., 3 + 4j, "text", [], {}, [None], [np.nan], [[np.nan]], object(), lambda: 3,
     [[1, 2], [3]], ["a", "b"], np.ones((3, 3, 3)), ([[np.nan]], [[1.0]]), ([], [])],
)  # fmt: skip
def test_numbers_that_cannot_be_read(id, answer):
    verdict = qkv.check(id, answer)
    assert not verdict.ok
    assert verdict.mistake is None
    assert len(verdict.message.split()) >= 4
    assert verdict.message.endswith(".")


@pytest.mark.parametrize("id", ["06.atention", "6.attention", "", None, 6, "99.hand", "06"])
def test_unknown_id(id):
    with pytest.raises(ValueError, match="01.retrieve.*06.attention"):
        qkv.check(id, None)
    with pytest.raises(ValueError, match="06.hand"):
        questions.question(id)


# ---------------------------------------------------------------- 06.attention

torch = pytest.importorskip("torch")


def softmax(scores, axis=-1):
    exp = np.exp(scores)
    return exp / exp.sum(axis=axis, keepdims=True)


def columns(V):
    return [[row[r] for row in V] for r in range(len(V[0]))]


def loops(Q, K, V):
    output = []
    for q in Q:
        scores = [sum(a * b for a, b in zip(q, k, strict=True)) / math.sqrt(len(q)) for k in K]
        exp = [math.exp(s) for s in scores]
        weights = [e / sum(exp) for e in exp]
        output.append([sum(w * x for w, x in zip(weights, c, strict=True)) for c in columns(V)])
    return output


def lists_only(Q, K, V):
    for x in (Q, K, V):
        if not isinstance(x, list):
            raise TypeError("lists, please")
    return loops(Q, K, V)


def einsum(Q, K, V):
    scores = np.einsum("id,jd->ij", Q, K) / np.sqrt(Q.shape[-1])
    return np.einsum("ij,jd->id", softmax(scores), V)


def torch_inside(Q, K, V):
    Q, K, V = (torch.as_tensor(x, dtype=torch.float32) for x in (Q, K, V))
    return torch.softmax(Q @ K.T / Q.shape[-1] ** 0.5, dim=-1) @ V


def tensors_wanted(Q, K, V):
    return (Q @ K.mT / Q.shape[-1] ** 0.5).softmax(-1) @ V


def tensors_transposed(Q, K, V):
    return torch.softmax(Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5, dim=-1) @ V


def sdpa(Q, K, V):
    return torch.nn.functional.scaled_dot_product_attention(Q, K, V)


def float32_wanted(Q, K, V):
    scale = torch.tensor(Q.shape[-1], dtype=torch.float32).sqrt()
    return torch.softmax(torch.matmul(Q, K.float().T) / scale, -1) @ V


def scaled_in_place(Q, K, V):
    scores = Q @ K.T
    scores /= np.sqrt(K.shape[1])
    return softmax(scores) @ V


def scaled_before(Q, K, V):
    return softmax((Q / Q.shape[1] ** 0.25) @ (K / K.shape[1] ** 0.25).T) @ V


def one_by_one(Q, K, V):
    return np.stack([softmax(K @ q / np.sqrt(len(q))) @ V for q in Q])


class Module(torch.nn.Module):
    def forward(self, Q, K, V):
        self.used = True
        return sdpa(Q, K, V).requires_grad_()


RIGHT = [
    loops, lists_only, einsum, torch_inside, tensors_wanted, tensors_transposed, sdpa,
    float32_wanted, scaled_in_place, scaled_before, one_by_one, Module(), qkv.attention,
    qkv.torch.attention, lambda Q, K, V: qkv.attention(Q, K, V).output.tolist(),
    lambda Q, K, V: list(torch_inside(Q, K, V)),
]  # fmt: skip


@pytest.mark.parametrize("answer", RIGHT)
def test_attention_accepts(answer):
    verdict = qkv.check("06.attention", answer)
    assert verdict.ok, verdict.message
    assert verdict.mistake is None


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        (lambda Q, K, V: sdpa(Q, K, V).T, "output-transposed"),
        (lambda Q, K, V: torch.softmax(Q @ K.mT, -1) @ V, "no-scale"),
        (lambda Q, K, V: (Q @ K.mT / Q.shape[-1]).softmax(-1) @ V, "scale-d-k"),
        (lambda Q, K, V: (Q @ K.mT / len(Q) ** 0.5).softmax(-1) @ V, "scale-sqrt-n"),
        (lambda Q, K, V: (Q @ K.mT / len(K) ** 0.5).softmax(-1) @ V, "scale-sqrt-n"),
        (lambda Q, K, V: (Q @ K.mT / V.shape[-1] ** 0.5).softmax(-1) @ V, "scale-sqrt-d-v"),
        (lambda Q, K, V: (Q @ K.mT).softmax(-1) / Q.shape[-1] ** 0.5 @ V, "scaled-after-softmax"),
        (lambda Q, K, V: (Q @ K.mT / Q.shape[-1] ** 0.5).softmax(0) @ V, "axis-0"),
        (lambda Q, K, V: loops(K, Q, V), "swapped-q-k"),
        (lambda Q, K, V: sdpa(K, Q, V), "swapped-q-k"),
        (lambda Q, K, V: loops(Q, K, K), "k-for-v"),
        (lambda Q, K, V: loops(Q, V, K), "swapped-k-v"),
        (lambda Q, K, V: [V[int(np.argmax([np.dot(q, k) for k in K]))] for q in Q], "hard-argmax"),
        (lambda Q, K, V: [np.mean(V, axis=0)] * len(Q), "uniform"),
    ],
)
def test_attention_names_mistakes_in_other_words(answer, name):
    verdict = qkv.check("06.attention", answer)
    assert (verdict.ok, verdict.mistake) == (False, name), verdict.message


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda Q, K, V: np.round(loops(Q, K, V), 2), "rounded to 2"),
        (lambda Q, K, V: softmax(Q @ K.T / np.sqrt(Q.shape[1] + 1)) @ V, "should be"),
        (lambda Q, K, V: softmax(Q @ K.T / np.sqrt(8)) @ V, "should be"),
        (lambda Q, K, V: np.array(loops(Q, K, V)) * (1 + 1e-3), "should be"),
        (lambda Q, K, V: loops(Q, K, V)[:-1], "shape"),
        (lambda Q, K, V: [row[:-1] for row in loops(Q, K, V)], "shape"),
        (lambda Q, K, V: np.array(loops(Q, K, V))[None], "shape"),
        (lambda Q, K, V: np.where(np.arange(len(Q))[:, None] == 0, np.nan, loops(Q, K, V)), "NaN"),
        (lambda Q, K, V: softmax(Q @ K.T / np.sqrt(2)) @ V, "should be"),
    ],
)
def test_attention_partly_wrong(answer, says):
    verdict = qkv.check("06.attention", answer)
    assert (verdict.ok, verdict.mistake) == (False, None)
    assert says in verdict.message


@pytest.mark.parametrize("name", "QKV")
def test_changed_input(name):
    def changes(Q, K, V):
        result = np.array(loops(Q, K, V))
        {"Q": Q, "K": K, "V": V}[name][0] += 1
        return result

    verdict = qkv.check("06.attention", changes)
    assert (verdict.ok, verdict.mistake) == (False, None)
    assert f"changes its input {name}" in verdict.message


def test_cases_tell_shapes_apart_and_stay_soft():
    Q, K, V = checks.exercise("06.attention").cases[0]
    assert len({len(Q), len(K), Q.shape[1], V.shape[1]}) == 4
    for Q, K, V in checks.exercise("06.attention").cases:
        weights = qkv.attention(Q, K, V).weights
        assert weights.max() < 0.75
        assert np.ptp(weights) > 0.05


# ---------------------------------------------------------------- 01.retrieve


def retrieve_loops(request, keys, values):
    matches = [sum(a * b for a, b in zip(request, key, strict=True)) for key in keys]
    best = [v for m, v in zip(matches, values, strict=True) if m == max(matches)]
    return [sum(column) / len(best) for column in zip(*best, strict=True)]


def retrieve_torch(request, keys, values):
    match = torch.as_tensor(keys) @ torch.as_tensor(request)
    return torch.as_tensor(values)[match == match.max()].mean(dim=0)


def retrieve_tensors(request, keys, values):
    match = torch.mv(keys, request)
    return values[match.eq(match.amax())].mean(0)


def retrieve_masked(request, keys, values):
    match = np.einsum("jt,t->j", keys, request)
    return values[match == match.max()].mean(axis=0)


@pytest.mark.parametrize(
    "answer", [retrieve_loops, retrieve_torch, retrieve_tensors, retrieve_masked, qkv.retrieve]
)
def test_retrieve_accepts(answer):
    assert qkv.check("01.retrieve", answer).ok


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        (lambda r, k, v: values_first(r, k, v), "first-of-tie"),
        (lambda r, k, v: torch.as_tensor(v)[(torch.as_tensor(k) @ torch.as_tensor(r)).argmax()],
         "first-of-tie"),
        (lambda r, k, v: retrieve_loops(r, k, k), "returns-key"),
        (lambda r, k, v: retrieve_loops(r, v, v), "matches-on-values"),
        (lambda r, k, v: retrieve_loops_sum(r, k, v), "sum-not-mean"),
    ],
)  # fmt: skip
def test_retrieve_names_mistakes_in_other_words(answer, name):
    verdict = qkv.check("01.retrieve", answer)
    assert (verdict.ok, verdict.mistake) == (False, name), verdict.message


def values_first(request, keys, values):
    matches = [sum(a * b for a, b in zip(request, key, strict=True)) for key in keys]
    return values[matches.index(max(matches))]


def retrieve_loops_sum(request, keys, values):
    matches = [sum(a * b for a, b in zip(request, key, strict=True)) for key in keys]
    best = [v for m, v in zip(matches, values, strict=True) if m == max(matches)]
    return [sum(column) for column in zip(*best, strict=True)]


def test_retrieve_partly_wrong():
    def swapped(request, keys, values):
        return retrieve_masked(values[0], keys, values)

    def largest_value(request, keys, values):
        return values.max(axis=0)

    for answer in (swapped, largest_value):
        verdict = qkv.check("01.retrieve", answer)
        assert (verdict.ok, verdict.mistake) == (False, None)


# ---------------------------------------------------------------- break it


@pytest.mark.parametrize(
    "answer",
    [
        (np.eye(2), np.eye(2)),
        (np.eye(3).tolist(), np.roll(np.eye(3), 1, axis=0).tolist()),
        (torch.eye(2), 3 * torch.eye(2)),
        {"Q": [[1.0], [-1.0]], "K": [[2.0], [-2.0]]},
    ],
)
def test_06_break_accepts(answer):
    verdict = qkv.check("06.break", answer)
    assert verdict.ok, verdict.message


def test_06_break_refuses_what_has_no_name():
    verdict = qkv.check("06.break", (soft(3, 2, seed=1), soft(3, 2, seed=2)))
    assert (verdict.ok, verdict.mistake) == (False, None)
    assert "same sum of exponentials" in verdict.message


def test_01_break_accepts_any_change_of_the_card_that_is_read():
    cards = qkv.inputs()["cards"]
    for i in range(2):
        values = cards["values"].copy()
        values[0, i] += 0.5
        assert qkv.check("01.break", (cards["keys"], values)).ok
        assert qkv.check("01.break", {"keys": cards["keys"], "values": torch.tensor(values)}).ok


# ---------------------------------------------------------------- the machinery, on small exercises


def double(by=2, **kwargs):
    return CodeExercise(
        args=("x",),
        reference=lambda x: by * x,
        cases=[(np.array([1.0, -2.0, 0.25]),)],
        mistakes={"adds": Mistake(lambda x: x + by, "You added.", lambda x: x + 1)},
        **kwargs,
    )


def test_verdict():
    assert bool(Verdict(True, None, "yes")) is True
    assert bool(Verdict(False, "a", "no")) is False
    assert str(Verdict(False, "a", "no")) == "no"


def test_variants_of_a_mistake():
    assert double().check(lambda x: x + 1).mistake == "adds"
    assert double().check(lambda x: x + 3).mistake is None


def test_a_mistake_is_not_named_where_it_cannot_be_told_from_right():
    exercise = CodeExercise(
        args=("x",),
        reference=lambda x: x,
        cases=[(np.zeros(2),), (np.ones((2, 2)),)],
        mistakes={"flat-only": Mistake(lambda x: 2 * x if x.ndim == 1 else 1 / 0, "No.")},
    )
    assert exercise.check(lambda x: 3 * x).mistake is None


def test_nan_of_a_named_mistake_is_named():
    exercise = double()
    exercise.mistakes["nan"] = Mistake(lambda x: np.where(x < 0, np.nan, x), "NaN below 0.")
    assert exercise.check(lambda x: np.sqrt(x) ** 2).mistake == "nan"
    assert exercise.check(lambda x: np.nan * x).mistake is None


def test_changed_input_can_be_a_named_mistake():
    exercise = double(mutates="adds")

    def changes(x):
        x += 1
        return x

    assert exercise.check(changes).mistake == "adds"


def test_cases_that_are_to_be_refused():
    def positive(x):
        if x < 0:
            raise ValueError("negative")
        return x

    exercise = CodeExercise(
        args=("x",), reference=positive, cases=[(1.0,), (-1.0,)],
        mistakes={"nan": Mistake(lambda x: x if x >= 0 else np.nan, "Raise an error.")},
    )  # fmt: skip
    assert exercise.check(positive).ok
    assert exercise.check(lambda x: x if x >= 0 else np.nan).mistake == "nan"
    assert "should raise" in exercise.check(lambda x: x).message


def test_several_parts():
    exercise = CodeExercise(
        args=("x",), parts=("Q", "K"), reference=lambda x: (x, 2 * x), cases=[(np.ones((2, 3)),)],
        mistakes={"swapped": Mistake(lambda x: (2 * x, x), "Swapped.")},
    )  # fmt: skip

    class Result:
        def __init__(self, x):
            self.Q, self.K = x, 2 * x

    for answer in (
        lambda x: (x, 2 * x),
        lambda x: [x.tolist(), 2 * torch.as_tensor(x)],
        lambda x: np.stack([x, 2 * x]),
        lambda x: {"K": 2 * x, "Q": x},
        Result,
    ):
        assert exercise.check(answer).ok
    assert exercise.check(lambda x: (2 * x, x)).mistake == "swapped"
    assert "Q at [0, 0] should be 1.0000, got 3" in exercise.check(lambda x: (3 * x, x)).message
    for wrong in (
        lambda x: x[:1], lambda x: (x,), lambda x: 3, lambda x: (x, None), lambda x: {"Q": x},
    ):  # fmt: skip
        verdict = exercise.check(wrong)
        assert (verdict.ok, verdict.mistake) == (False, None)


def test_arguments_that_are_no_arrays():
    exercise = CodeExercise(
        args=("model", "n"), reference=lambda model, n: model(n) > 3, cases=[(abs, -4), (abs, 1)],
        mistakes={"always": Mistake(lambda model, n: True, "Always true.")},
    )  # fmt: skip
    assert exercise.check(lambda model, n: bool(model(n) > 3)).ok
    assert exercise.check(lambda model, n: 1).mistake == "always"
    verdict = exercise.check(lambda model, n: n < 0 or None)
    assert verdict.message == "Nothing returned yet: your function gave None."
    assert "model, n = -4" in exercise.check(lambda model, n: n + [1]).message


def test_hand_reads_numbers_in_any_form():
    swapped = {"swapped": Mistake([-1.5, 0.25], "Swapped.")}
    exercise = HandExercise("What?", ("a", "b"), [0.25, -1.5], 2, swapped, "Look.")
    for answer in ([0.25, -1.5], "0.25, −1.5", ["0,25", "-1.5"], {"a": 0.25, "b": -1.5},
                   torch.tensor([0.25, -1.5]), [[0.25], [-1.5]], (0.254, -1.496),
                   [np.array([0.25]), -1.5], [["0.25"], torch.tensor([-1.5])]):  # fmt: skip
        assert exercise.check(answer).ok, answer
    assert "missing" in exercise.check([[0.25], [None]]).message
    assert exercise.check([-1.5, 0.25]).mistake == "swapped"
    assert exercise.check([0.25, 7]).message == "Not yet: b is off. Look."
    assert exercise.check([5, 7]).message == "Not yet: a, b are off. Look."


def test_break_wants_its_shapes_and_copies():
    def zero(x):
        x *= 1 if x.any() else 0
        x += 1  # what a predicate does to its copy is seen by no other
        return bool((x == 1).all())

    exercise = BreakExercise(
        task="", parts=("x",), shapes={"x": (None, 2)}, accepts=lambda x: x.sum() > 0,
        mistakes={"zero": Mistake([[0, 0]], "Zero.", seen=zero)}, wrong="Too small.",
    )  # fmt: skip
    assert exercise.check([[1, 2]]).ok
    assert exercise.check(([[1, 2]],)).ok
    assert exercise.check([[0, 0], [0, 0]]).mistake == "zero"
    assert exercise.check([[-1, 0]]).message == "Too small."
    assert "should have shape (any, 2), got (1, 3)" in exercise.check([[1, 2, 3]]).message
    exercise.accepts = lambda x: 1 / 0
    assert "cannot be used together: division by zero." in exercise.check([[1, 2]]).message
