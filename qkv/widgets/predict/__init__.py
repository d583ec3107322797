"""Predict: say what you expect before you run the cell."""

from pathlib import Path

from .._bundle import bundle, stylesheet
from .._question import Question

HERE = Path(__file__).parent


class Predict(Question):
    """Traits and results: see Question."""

    _esm = bundle(HERE / "view.js")
    _css = stylesheet()

    TITLE, RIGHT, WRONG = "Predict before you run", "You predicted it.", "It turns out otherwise."
