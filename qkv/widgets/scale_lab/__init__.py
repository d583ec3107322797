"""ScaleLab: how widely dot products spread, and what a divisor makes of them (lesson 04)."""

from functools import lru_cache
from pathlib import Path

import numpy as np
import traitlets

from ...attention import softmax
from ...draws import normals
from .._base import Lab, numbers
from .._bundle import bundle, stylesheet
from .._still import tables

HERE = Path(__file__).parent
WIDEST, CANDIDATES, BINS, NUDGE = 1024, 8, 24, 0.01


@lru_cache(maxsize=2)
def pool(seed, draws):
    """Return (draws, 2, 1024) numbers: each draw owns a query and a key of the greatest width."""
    return normals(seed, (draws, 2, WIDEST))


class ScaleLab(Lab):
    """Opens on d_k = 64 with nothing correlated and no divisor.

    Inputs: d_k, rho (correlation of q_r with k_r), within (of neighbouring coordinates), sigma (of
    each coordinate), divisor ("none", "sqrt", "d_k"), draws, seed.
    Results, of the scores q·k / divisor over the draws: mean, variance, counts (24,) between edges
    (25,). Of one reader (the first query) and eight candidates: row (8,) of weights, largest, and
    sensitivity, by how much the largest weight grows per unit of its own score (nudged by 0.01).
    """

    _esm = bundle(HERE / "view.js")
    _css = stylesheet(HERE / "style.css")

    INPUTS = ("d_k", "rho", "within", "sigma", "divisor", "draws", "seed")
    RESULTS = ("mean", "variance", "counts", "edges", "row", "largest", "sensitivity")

    d_k = traitlets.Int(64, min=1, max=WIDEST).tag(sync=True)
    rho = traitlets.Float(0.0, min=-1, max=1).tag(sync=True)
    within = traitlets.Float(0.0, min=-0.99, max=0.99).tag(sync=True)
    sigma = traitlets.Float(1.0, min=0.01, max=10).tag(sync=True)
    divisor = traitlets.Enum(("none", "sqrt", "d_k"), "none").tag(sync=True)
    draws = traitlets.Int(500, min=CANDIDATES, max=5000).tag(sync=True)
    seed = traitlets.Int(1, min=0, max=2**32 - 1).tag(sync=True)

    mean = property(lambda self: self.scores().mean())
    variance = property(lambda self: self.scores().var(ddof=1))
    row = property(lambda self: softmax(self.reader_scores()))
    largest = property(lambda self: self.row.max())

    def vectors(self):
        """Return q and k, (draws, d_k) each."""
        z = pool(self.seed, self.draws)[:, :, : self.d_k]
        fresh, own = np.sqrt(1 - self.within**2), np.sqrt(1 - self.rho**2)
        a, b = z[:, 0].copy(), z[:, 1].copy()
        for r in range(1, self.d_k):  # each coordinate leans on the one before it
            a[:, r] = self.within * a[:, r - 1] + fresh * z[:, 0, r]
            b[:, r] = self.within * b[:, r - 1] + fresh * z[:, 1, r]
        return self.sigma * a, self.sigma * (self.rho * a + own * b)

    def divide_by(self):
        return {"none": 1.0, "sqrt": np.sqrt(self.d_k), "d_k": float(self.d_k)}[self.divisor]

    def scores(self):
        q, k = self.vectors()
        return in_order(q * k) / self.divide_by()  # (draws,)

    def reader_scores(self):
        q, k = self.vectors()
        return in_order(q[0] * k[:CANDIDATES]) / self.divide_by()  # (8,)

    def expected(self):
        """Return what the derivation says of a score: its mean and its standard deviation."""
        lags = np.arange(1, self.d_k)
        pairs = self.d_k + 2 * ((self.d_k - lags) * float(self.within) ** (2 * lags)).sum()
        scale = self.sigma**2 / self.divide_by()
        return self.rho * self.d_k * scale, np.sqrt((1 + self.rho**2) * pairs) * scale

    @property
    def edges(self):
        mean, sd = self.expected()
        return mean + (8 * np.arange(BINS + 1) / BINS - 4) * sd

    @property
    def counts(self):
        bins = np.searchsorted(self.edges[1:-1], self.scores(), side="right")
        return np.bincount(bins, minlength=BINS)

    @property
    def sensitivity(self):
        scores = self.reader_scores()
        top = scores.argmax()
        nudged = scores + NUDGE * (np.arange(CANDIDATES) == top)
        return (softmax(nudged)[top] - softmax(scores)[top]) / NUDGE

    def describe(self):
        return (
            f"d_k={self.d_k}, rho={self.rho:g}, within={self.within:g}, sigma={self.sigma:g}, "
            f"divisor {self.divisor}: "
            f"mean {numbers(self.mean)}, variance {numbers(self.variance)}, "
            f"largest weight {numbers(self.largest)}, sensitivity {numbers(self.sensitivity)}"
        )

    def still(self):
        return tables(
            "How widely do dot products spread?",
            f"{self.draws} random dot products. {self.describe()}.",
            [
                {"caption": "Mean, variance", "values": [[self.mean, self.variance]], "digits": 2},
                {"caption": "Weights of one row", "values": [self.row], "heat": True},
            ],
        )


def in_order(products):
    """Sum over the last axis from first to last, as a loop does: the same doubles everywhere."""
    total = np.zeros(products.shape[:-1])
    for r in range(products.shape[-1]):
        total += products[..., r]
    return total
