"""MixLab: three scores, three weights, one mixture; where can the output go? (lesson 05)"""

from math import hypot
from pathlib import Path

import numpy as np
import traitlets

from ...attention import read, softmax
from ...inputs import inputs
from ...scoring import entropy
from .._base import Array, Lab, numbers
from .._bundle import bundle, stylesheet
from .._still import tables

HERE = Path(__file__).parent
RUNNING = inputs()["running"]
READ = read(*(RUNNING[name] for name in ("X", "W_Q", "W_K", "W_V")))
NEAR = 1e-9  # a sum this near 1 counts as 1, a point this near the triangle as inside


class MixLab(Lab):
    """Opens on reader 2 of the running example: its three scores, the three values.

    Inputs: scores (3,), values (3, 2), offset, temperature, rule ("softmax" or "raw").
    Results: weights (3,), total (their sum), output (2,), entropy in nats (None where the weights
    are no shares), inside (does the output lie in the triangle of the values?).
    Both rules receive (scores + offset) / temperature; "raw" takes these as the weights.
    """

    _esm = bundle(HERE / "view.js")
    _css = stylesheet(HERE / "style.css")

    INPUTS = ("scores", "values", "offset", "temperature", "rule")
    RESULTS = ("weights", "total", "output", "entropy", "inside")

    scores = Array(READ.scores[1].tolist(), ndim=1).tag(sync=True)
    values = Array((RUNNING["X"] @ RUNNING["W_V"]).tolist(), ndim=2).tag(sync=True)
    offset = traitlets.Float(0.0).tag(sync=True)
    temperature = traitlets.Float(1.0).tag(sync=True)
    rule = traitlets.Enum(["softmax", "raw"], "softmax").tag(sync=True)

    total = property(lambda self: self.weights.sum())
    output = property(lambda self: self.weights @ np.array(self.values))  # (2,)

    @traitlets.validate("scores", "values")
    def _three(self, proposal):
        name, value = proposal["trait"].name, proposal["value"]
        wanted = {"scores": (3,), "values": (3, 2)}[name]
        if np.shape(value) != wanted:
            raise ValueError(
                f"MixLab.{name}: expected numbers of shape {wanted}, got shape {np.shape(value)}"
            )
        return value

    @traitlets.validate("temperature")
    def _above_zero(self, proposal):
        if not 0 < proposal["value"] < np.inf:
            raise ValueError(
                f"MixLab.temperature: expected a finite number above 0, got {proposal['value']}"
            )
        return proposal["value"]

    @property
    def weights(self):
        used = (np.array(self.scores) + self.offset) / self.temperature
        return softmax(used) if self.rule == "softmax" else used

    @property
    def entropy(self):
        a = self.weights
        return float(entropy(a)) if a.min() >= 0 and abs(a.sum() - 1) <= NEAR else None

    @property
    def inside(self):
        size = max(1, np.abs(self.values).max())
        return bool(distance(self.output, self.values) <= NEAR * size)

    def describe(self):
        where = "inside" if self.inside else "outside"
        spread = "none" if self.entropy is None else numbers(self.entropy)
        return (
            f"{self.rule}, offset {self.offset:g}, temperature {self.temperature:g}: "
            f"weights {numbers(self.weights)}, sum {numbers(self.total)}, entropy {spread}, "
            f"output {numbers(self.output)} {where} the triangle"
        )

    def still(self):
        return tables(
            "Where can a mixture go?",
            f"Three scores mixed into one output. {self.describe()}.",
            [
                {"caption": "Scores", "values": [self.scores]},
                {"caption": "Weights", "values": [self.weights], "heat": True},
                {"caption": "Values", "values": self.values, "digits": 2, "role": "v"},
                {"caption": f"Output ({self.rule})", "values": [self.output]},
            ],
        )


def distance(p, corners):
    """Return how far p lies from the triangle; 0 inside. A flat triangle is its edges."""
    a, b, c = corners
    area = turn(a, b, c)
    sides = [turn(a, b, p), turn(b, c, p), turn(c, a, p)]
    if area != 0 and all(side * np.sign(area) >= 0 for side in sides):
        return 0.0
    return min(to_edge(p, a, b), to_edge(p, b, c), to_edge(p, c, a))


def turn(a, b, p):
    """Return twice the area of a, b, p: positive when p lies to the left of a → b."""
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])


def to_edge(p, a, b):
    x, y = b[0] - a[0], b[1] - a[1]
    long = x * x + y * y
    along = ((p[0] - a[0]) * x + (p[1] - a[1]) * y) / long if long > 0 else 0.0
    t = min(1.0, max(0.0, along))
    return hypot(p[0] - a[0] - t * x, p[1] - a[1] - t * y)
