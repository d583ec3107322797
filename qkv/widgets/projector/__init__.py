"""Projector: one vector in three roles, and the raw score both ways round (lesson 03)."""

from pathlib import Path

import numpy as np
import traitlets

from .._base import numbers
from .._bundle import bundle, stylesheet
from .._projected import Projected
from .._still import tables

HERE = Path(__file__).parent
EQUAL = 1e-9  # scores this near, for their size, count as equal


class Projector(Projected):
    """Opens on x₃ of the running example. Positions are 0-based here, 1-based on screen.

    Inputs: X, W_Q, W_K, W_V (see Projected), reader i, candidate j.
    Results: q, k (d_k,) and v (d_v,) of position i; raw (n, n) = Q Kᵀ; raw_ij, raw_ji; symmetric.
    """

    _esm = bundle(HERE / "view.js")
    _css = stylesheet(HERE / "style.css")

    INPUTS = ("X", "W_Q", "W_K", "W_V", "i", "j")
    RESULTS = ("q", "k", "v", "raw", "raw_ij", "raw_ji", "symmetric")

    i = traitlets.Int(2, min=0).tag(sync=True)
    j = traitlets.Int(0, min=0).tag(sync=True)

    q = property(lambda self: self.Q[self.at("i")])
    k = property(lambda self: self.K[self.at("i")])
    v = property(lambda self: self.V[self.at("i")])
    raw = property(lambda self: self.Q @ self.K.T)  # (n, n)
    raw_ij = property(lambda self: float(self.raw[self.at("i"), self.at("j")]))
    raw_ji = property(lambda self: float(self.raw[self.at("j"), self.at("i")]))

    def at(self, name):
        return self.index(name, len(self.X))

    @property
    def symmetric(self):
        size = max(1.0, np.abs(self.raw).max())
        return bool(np.abs(self.raw - self.raw.T).max() <= EQUAL * size)

    def describe(self):
        i, j = self.i + 1, self.j + 1
        return (
            f"position {i}: q {numbers(self.q)}, k {numbers(self.k)}, v {numbers(self.v)}; "
            f"raw score of {i} on {j} {numbers(self.raw_ij)}, "
            f"of {j} on {i} {numbers(self.raw_ji)}, symmetric={self.symmetric}"
        )

    def still(self):
        i = self.i
        return tables(
            "One vector, three roles",
            f"Three projections of one position. {self.describe()}.",
            [
                {"caption": "X", "values": self.X, "digits": 2, "mark": i},
                {"caption": f"q of {i + 1}", "values": [self.q], "digits": 2, "role": "q"},
                {"caption": f"k of {i + 1}", "values": [self.k], "digits": 2, "role": "k"},
                {"caption": f"v of {i + 1}", "values": [self.v], "digits": 2, "role": "v"},
                {"caption": "Raw scores", "values": self.raw, "digits": 2, "mark": i},
            ],
        )
