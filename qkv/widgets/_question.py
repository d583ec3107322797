"""What Predict and Quiz share in Python: the traits of a question, and its verdict."""

import traitlets

from ._base import Lab
from ._still import lines


class Question(Lab):
    """A question with choices, or one that asks for numbers.

    Inputs: id, question, hint; for choices `choices`, `answer` (an index) and `why` (one text per
    choice); for numbers `labels`, `answer` (a list), `digits`, `tolerance` (half a unit of the last
    digit by default) and `mistakes` ({id, answer, message}); `response` is None until answered.
    Results: verdict ("unanswered", "right", "wrong", "unreadable") and message.
    """

    INPUTS = (
        "id", "question", "choices", "answer", "labels", "digits", "tolerance", "why", "mistakes",
        "hint", "response",
    )  # fmt: skip
    RESULTS = ("verdict", "message")
    TITLE = RIGHT = WRONG = ""

    id = traitlets.Unicode("example").tag(sync=True)
    question = traitlets.Unicode("Which number is larger?").tag(sync=True)
    choices = traitlets.List(traitlets.Unicode(), ["1", "2"]).tag(sync=True)
    answer = traitlets.Any(1).tag(sync=True)
    labels = traitlets.List(traitlets.Unicode()).tag(sync=True)
    digits = traitlets.Int(4).tag(sync=True)
    tolerance = traitlets.Float().tag(sync=True)
    why = traitlets.List(traitlets.Unicode(), ["1 is less than 2.", "2 is 1 more."]).tag(sync=True)
    mistakes = traitlets.List(traitlets.Dict()).tag(sync=True)
    hint = traitlets.Unicode("").tag(sync=True)
    response = traitlets.Any(None, allow_none=True).tag(sync=True)

    @traitlets.default("tolerance")
    def _half_a_unit(self):
        return 0.5 * 10.0**-self.digits

    verdict = property(lambda self: self.judge()[0])
    message = property(lambda self: self.judge()[1])

    def judge(self):
        """Return (verdict, message) for the response, in the words that the page uses."""
        if self.response is None:
            return "unanswered", ""
        return self.judge_choice() if self.choices else self.judge_numbers()

    def judge_choice(self):
        right = self.response == self.answer
        verdict = "right" if right else "wrong"
        said = self.RIGHT if right else self.WRONG
        return verdict, f"{said} {self.why[self.response]}".strip()

    def judge_numbers(self):
        missing = [name for name, x in zip(self.labels, self.response, strict=True) if x is None]
        if missing:
            return "unreadable", f"A number is wanted for {', '.join(missing)}."
        if self.near(self.response, self.answer):
            return "right", " ".join([self.RIGHT, *self.why[:1]]).strip()
        for mistake in self.mistakes:
            if self.near(self.response, mistake["answer"]):
                return "wrong", f"{self.WRONG} {mistake['message']}"
        given = zip(self.labels, self.response, self.answer, strict=True)
        off = [name for name, x, y in given if not self.near([x], [y])]
        text = f"{self.WRONG} Not right to {self.digits} decimals: {', '.join(off)}."
        return "wrong", text

    def near(self, given, wanted):
        limit = self.tolerance + 1e-12
        return all(abs(x - y) <= limit for x, y in zip(given, wanted, strict=True))

    def describe(self):
        return f"{self.id}: {self.question}"

    def still(self):
        asked = [f"○ {text}" for text in self.choices] or [f"{text}: ____" for text in self.labels]
        texts = [*self.question.split("\n"), *asked]
        return lines(self.TITLE, f"{self.TITLE}. {self.question} {' '.join(asked)}", texts)
