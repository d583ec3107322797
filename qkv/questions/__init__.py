"""Questions on the page: `qkv.ask("06.columns")` shows one, as a widget that needs no kernel.

A lesson's questions stand in its folder, `qkv/lessons/lesson_NN/questions.py`, as a dict QUESTIONS
from id to question. Two kinds:

    from qkv.questions import number, predict, quiz

    QUESTIONS = {
        # ahead of a surprising cell; the right choice comes first in `right`, counted from 0
        "06.columns": predict(
            "Do the columns of the weights sum to 1 as well?",
            [
                ("Yes, always", "Only rows are normalised: each reader shares out 1."),
                ("No", "Right: what all readers say of one candidate can sum to anything."),
            ],
            right=1,
        ),
        # in the quiz, where numbers are typed: answer and mistakes are computed, never typed
        "06.quiz.2": number(
            "d_k = 64, raw score 16. What is the score?",
            answer=16 / np.sqrt(64), digits=1, labels=("e",),
            mistakes={"scale-d-k": (16 / 64, "You divided by d_k, not by its square root.")},
            hint="The divisor is √d_k.",
            right="Right: e = 2.",
        ),
    }

`quiz(...)` takes what `predict(...)` takes. The explanation of the right choice, and no other,
begins with "Right". Texts are plain, with `code` in backticks and Unicode (q₂, √dₖ, Σ).
Exercises by hand are asked with their own id: `qkv.ask("06.hand")`.
"""

import re
from dataclasses import dataclass, field

import numpy as np

from .. import by_lesson, checks

__all__ = ["Question", "ask", "ids", "number", "predict", "question", "quiz"]


@dataclass
class Question:
    """What the widgets Predict and Quiz are made from; `traits()` are their inputs."""

    kind: str  # "predict" or "quiz"
    question: str
    choices: list = field(default_factory=list)  # of str; empty when numbers are asked
    answer: object = 0  # the index of the right choice, or the numbers
    why: list = field(default_factory=list)  # one per choice; for numbers, one: when right
    labels: list = field(default_factory=list)  # one per number asked
    digits: int = 0
    tolerance: float = 0.0
    mistakes: list = field(default_factory=list)  # of {"id", "answer", "message"}
    hint: str = ""
    id: str = ""

    def traits(self):
        """Plain values by trait name, for the widget and for tests."""
        return {name: value for name, value in vars(self).items() if name != "kind"}

    def widget(self):
        """A new Predict or Quiz widget."""
        from .. import widgets

        return getattr(widgets, self.kind.capitalize())(**self.traits())


def predict(question, choices, right, hint=""):
    """A choice made before a cell is run. choices: (text, why) pairs; right: index from 0."""
    return _choice("predict", question, choices, right, hint)


def quiz(question, choices, right, hint=""):
    """A choice in a lesson's quiz. choices: (text, why) pairs; right: index from 0."""
    return _choice("quiz", question, choices, right, hint)


def number(question, answer, digits, labels, mistakes=None, hint="", right="Right.", kind="quiz"):
    """Numbers to type, right within half a unit of the last of `digits` decimals.

    mistakes: dict from a short id to (numbers, message), or to a list of such pairs.
    """
    answer = _floats(answer)
    if len(labels) != len(answer):
        raise ValueError(f"number: expected {len(answer)} labels, got {len(labels)}")
    wrong = []
    for id, pairs in (mistakes or {}).items():
        for numbers, message in pairs if isinstance(pairs, list) else [pairs]:
            wrong.append({"id": id, "answer": _floats(numbers), "message": message})
    return Question(
        kind=kind,
        question=question,
        answer=answer,
        labels=list(labels),
        digits=digits,
        tolerance=0.5 * 10.0**-digits,
        why=[_bare(right)],
        mistakes=wrong,
        hint=hint,
    )


def of_exercise(exercise):
    """An exercise by hand as a quiz, with the same mistakes."""
    mistakes = {
        name: [(example, mistake.message) for example in mistake.examples]
        for name, mistake in exercise.mistakes.items()
    }
    item = number(
        exercise.text,
        exercise.answer,
        exercise.digits,
        exercise.labels,
        mistakes,
        exercise.hint,
        exercise.right,
    )
    item.id = exercise.id
    return item


def ask(id):
    """The widget that asks one question: a prediction, a quiz question, an exercise by hand."""
    return question(id).widget()


def question(id):
    """The question with this id → Question. ValueError naming the known ids when there is none."""
    if str(id)[:2] in by_lesson.lessons() and id in _questions(id[:2]):
        return _questions(id[:2])[id]
    if str(id).endswith(".hand") and checks.has(id):
        return of_exercise(checks.exercise(id))
    raise ValueError(f"ask: expected a question id (one of {', '.join(ids())}), got {id!r}")


def ids():
    """All question ids, by lesson; those of the exercises by hand are among them."""
    asked = [id for lesson in by_lesson.lessons() for id in _questions(lesson)]
    return sorted(asked + [id for id in checks.ids() if id.endswith(".hand")])


def _questions(lesson):
    return by_lesson.entries(lesson, "questions")


def _choice(kind, question, choices, right, hint):
    if not 0 <= right < len(choices):
        raise ValueError(f"{kind}: expected right in 0..{len(choices) - 1}, got {right}")
    texts, why = (list(column) for column in zip(*choices, strict=True))
    called = [k for k, text in enumerate(why) if text.startswith("Right")]
    if called != [right]:  # the two places must agree, or a slip in one would go unseen
        wanted = f"“Right” to open explanation {right} and no other"
        raise ValueError(f"{kind}: expected {wanted}, got it at {called}")
    why = [_bare(text) for text in why]
    return Question(kind, question, choices=texts, answer=right, why=why, hint=hint)


def _bare(text):
    """The widget says "Right." itself, so the text goes on from there: "Right: both" → "Both"."""
    if not text.startswith(("Right: ", "Right, ")):
        return text
    text = text[len("Right: ") :]
    is_word = re.match(r"(a(?= [a-z]{2})|[a-z]{2,}(?=[ ,’]))", text)  # and no symbol: e = 2
    return text[0].upper() + text[1:] if is_word else text


def _floats(numbers):
    return [float(x) for x in np.ravel(numbers)]
