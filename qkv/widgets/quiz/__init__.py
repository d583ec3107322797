"""Quiz: a question that explains every wrong choice."""

from pathlib import Path

from .._bundle import bundle, stylesheet
from .._question import Question

HERE = Path(__file__).parent


class Quiz(Question):
    """Traits and results: see Question."""

    _esm = bundle(HERE / "view.js")
    _css = stylesheet()

    TITLE, RIGHT, WRONG = "Quiz", "Right.", "No."
