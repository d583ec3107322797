"""AttentionTable: one read of a whole sequence, every input editable (lesson 06)."""

from pathlib import Path

import traitlets

from ...attention import attention, causal_mask
from .._base import numbers
from .._bundle import bundle, stylesheet
from .._projected import Projected
from .._still import tables

HERE = Path(__file__).parent


class AttentionTable(Projected):
    """Opens on the running example. Positions are 0-based here, 1-based on screen.

    Inputs: X, W_Q, W_K, W_V (see Projected), causal, scaled, reader.
    Results: Q, K, V, raw and scores (n, n; −inf where blocked), weights (n, n), output (n, d_v).
    """

    _esm = bundle(HERE / "view.js")
    _css = stylesheet()

    INPUTS = ("X", "W_Q", "W_K", "W_V", "causal", "scaled", "reader")
    RESULTS = ("Q", "K", "V", "raw", "scores", "weights", "output")

    causal = traitlets.Bool(False).tag(sync=True)
    scaled = traitlets.Bool(True).tag(sync=True)
    reader = traitlets.Int(1).tag(sync=True)

    raw = property(lambda self: self.Q @ self.K.T)  # (n, n)
    scores = property(lambda self: self.read().scores)
    weights = property(lambda self: self.read().weights)
    output = property(lambda self: self.read().output)

    def read(self):
        mask = causal_mask(len(self.X)) if self.causal else None
        return attention(self.Q, self.K, self.V, mask=mask, scale=None if self.scaled else 1.0)

    def describe(self):
        i = self.index("reader", len(self.X))
        return (
            f"n={len(self.X)}, reader {i + 1}, causal={self.causal}, scaled={self.scaled}: "
            f"weights {numbers(self.weights[i])}, output {numbers(self.output[i])}"
        )

    def still(self):
        n, i = len(self.X), self.reader
        if n > 8:
            rows = [{"caption": f"Weights of reader {i + 1}", "values": [self.weights[i][:8]]}]
            return tables("One read, every number", self.describe(), rows)
        return tables(
            "One read, every number",
            f"Attention on {n} positions. {self.describe()}.",
            [
                {"caption": "X", "values": self.X, "digits": 2, "mark": i},
                {"caption": "Q", "values": self.Q, "digits": 2, "role": "q", "mark": i},
                {"caption": "K", "values": self.K, "digits": 2, "role": "k"},
                {"caption": "V", "values": self.V, "digits": 2, "role": "v"},
                {"caption": "Scores", "values": self.scores, "mark": i},
                {"caption": "Weights", "values": self.weights, "heat": True, "mark": i},
                {"caption": "Output", "values": self.output, "mark": i},
            ],
        )
