"""MaskLab: what a mask lets through, in which order, in which layers (lesson 07)."""

from pathlib import Path

import numpy as np
import traitlets

from ...attention import Read, attention, causal_mask, project
from .._base import numbers
from .._bundle import bundle, stylesheet
from .._projected import Projected
from .._still import tables

HERE = Path(__file__).parent
MASKS = ("full", "causal", "padding", "window")
ORDERS = ("mask-softmax", "softmax-zero", "zero-renormalise")
MOST_LAYERS = 3


class MaskLab(Projected):
    """Opens on the running example, one causal layer, with a nudge of 1 to the last position.

    Inputs: X, W_Q, W_K, W_V (see Projected), mask, pad (how many
    positions at the end are padding), width (of the window), order, layers (all with the same
    matrices), masked_layers (how many of them are masked, counted from the last), nudge (added
    to every number of the last row of X).
    Results, of the last layer: scores and weights (n, n), total (n,) the sum of each row of
    weights, V (n, d_v), output (n, d_v); change (n, d_v) of the output under the nudge; leak,
    the largest change of an output before the last position.
    """

    _esm = bundle(HERE / "view.js")
    _css = stylesheet(HERE / "style.css")

    INPUTS = ("X", "W_Q", "W_K", "W_V", "mask", "pad", "width", "order", "layers",
              "masked_layers", "nudge")  # fmt: skip
    RESULTS = ("scores", "weights", "total", "V", "output", "change", "leak")

    mask = traitlets.Enum(MASKS, "causal").tag(sync=True)
    pad = traitlets.Int(1, min=0).tag(sync=True)
    width = traitlets.Int(2, min=1).tag(sync=True)
    order = traitlets.Enum(ORDERS, "mask-softmax").tag(sync=True)
    layers = traitlets.Int(1, min=1, max=MOST_LAYERS).tag(sync=True)
    masked_layers = traitlets.Int(1, min=0, max=MOST_LAYERS).tag(sync=True)
    nudge = traitlets.Float(1.0).tag(sync=True)

    scores = property(lambda self: self.stack()[0].scores)
    weights = property(lambda self: self.stack()[0].weights)
    total = property(lambda self: self.weights.sum(-1))
    V = property(lambda self: self.stack()[1])
    output = property(lambda self: self.stack()[0].output)
    change = property(lambda self: self.stack(self.nudge)[0].output - self.output)
    leak = property(lambda self: float(np.abs(self.change[:-1]).max(initial=0.0)))

    def allowed(self):
        """Return the boolean mask (n, n), True = may read."""
        n = len(self.X)
        i, j = np.arange(n)[:, None], np.arange(n)
        if self.mask == "padding" and self.pad >= n:
            raise ValueError(f"MaskLab: expected pad below n = {n}, got {self.pad}")
        return {
            "full": np.ones((n, n), dtype=bool),
            "causal": causal_mask(n),
            "padding": np.broadcast_to(j < n - self.pad, (n, n)),
            "window": (j <= i) & (j > i - self.width),
        }[self.mask]

    def stack(self, nudge=0.0):
        """Run all layers on X, its last row nudged → the last layer's Read and its V."""
        X = np.array(self.X)
        X[-1] += nudge
        if self.masked_layers > self.layers:
            raise ValueError(
                f"MaskLab: expected masked_layers up to layers = {self.layers}, "
                f"got {self.masked_layers}"
            )
        for layer in range(self.layers):
            masked = layer >= self.layers - self.masked_layers
            last, V = self.read(X, self.allowed() if masked else None)
            X = last.output
        return last, V

    def read(self, X, mask):
        """One layer, the mask applied in the chosen order (None: no mask)."""
        Q, K, V = project(X, self.W_Q, self.W_K, self.W_V)
        if mask is None or self.order == "mask-softmax":
            return attention(Q, K, V, mask=mask), V
        scores, weights, _ = attention(Q, K, V)
        weights = np.where(mask, weights, 0.0)
        if self.order == "zero-renormalise":
            weights = weights / weights.sum(-1, keepdims=True)
        return Read(scores, weights, weights @ V), V

    def describe(self):
        return (
            f"{self.mask} mask, {self.order}, in {self.masked_layers} of {self.layers} layers: "
            f"totals {numbers(self.total)}, leak {numbers(self.leak)}"
        )

    def still(self):
        title = "What does the mask let through?"
        if len(self.X) > 8:
            rows = [{"caption": "Weights of the last reader", "values": [self.weights[-1][:8]]}]
            return tables(title, self.describe(), rows)
        nudged = f"Change when x{len(self.X)} + {self.nudge:g}"
        return tables(
            title,
            f"{self.describe()}.",
            [
                {"caption": "X", "values": self.X, "digits": 2},
                {"caption": "Scores", "values": self.scores},
                {"caption": "Weights", "values": self.weights, "heat": True},
                {"caption": "Total", "values": self.total[:, None]},
                {"caption": "Output", "values": self.output},
                {"caption": nudged, "values": self.change},
            ],
        )
