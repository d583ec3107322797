"""PullLab: nudge one score and see where the output and the loss go (lesson 08)."""

from pathlib import Path

import numpy as np
import traitlets

from ...attention import attention, project, softmax
from ...inputs import inputs
from .._base import Array, Lab, numbers
from .._bundle import bundle, stylesheet
from .._still import tables

HERE = Path(__file__).parent
MOMENT = ("step", "loss", "right", "q", "K", "V", "g")  # what a frame holds


def running(name):
    """Q, K or V of the running example as nested lists."""
    example = inputs()["running"]
    return getattr(project(*(example[x] for x in ("X", "W_Q", "W_K", "W_V"))), name).tolist()


class PullLab(Lab):
    """Opens on reader 2 of the running example. Indices are 0-based here, 1-based on screen.

    Inputs: Q (n_q, d_k), K (n_kv, d_k), V (n_kv, d_v), g = ∂L/∂o (d_v,), reader, candidate,
    delta (what is added to that one score); frames, recorded moments of a training run (dicts
    with step, loss, right, q, K, V, g), and frame: 0 for Q, K, V, g above, else 1, 2, …
    Results: weights (n_kv,), output (d_v,), moved (the output after the nudge), pull (∂L/∂e for
    each candidate), predicted = delta · pull of the candidate, actual = g·(moved − output).
    """

    _esm = bundle(HERE / "view.js")
    _css = stylesheet(HERE / "style.css")

    INPUTS = ("Q", "K", "V", "g", "reader", "candidate", "delta", "frames", "frame")
    RESULTS = ("weights", "output", "moved", "pull", "predicted", "actual")

    Q = Array(running("Q"), ndim=2).tag(sync=True)
    K = Array(running("K"), ndim=2).tag(sync=True)
    V = Array(running("V"), ndim=2).tag(sync=True)
    g = Array(inputs()["running"]["G"][1].tolist(), ndim=1).tag(sync=True)
    reader = traitlets.Int(1).tag(sync=True)
    candidate = traitlets.Int(1).tag(sync=True)
    delta = traitlets.Float(0.5).tag(sync=True)
    frames = traitlets.List(traitlets.Dict()).tag(sync=True)
    frame = traitlets.Int(0).tag(sync=True)

    weights = property(lambda self: self.read().weights[0])
    output = property(lambda self: self.read().output[0])
    predicted = property(lambda self: float(self.delta * self.pull[self.chosen()]))
    actual = property(lambda self: float(self.row()[3] @ (self.moved - self.output)))

    @traitlets.default("frames")
    def record(self):
        return training_run()

    @property
    def moved(self):
        scores = self.read().scores[0].copy()
        scores[self.chosen()] += self.delta
        return softmax(scores) @ self.row()[2]

    @property
    def pull(self):
        _, _, V, g = self.row()
        return self.weights * ((V - self.output) @ g)

    def row(self):
        """Return q, K, V and g of the row that the results are about."""
        if self.index("frame", len(self.frames) + 1):
            frame = self.frames[self.frame - 1]
            missing = [name for name in MOMENT if name not in frame]
            if missing:
                raise ValueError(
                    f"PullLab: expected frames with {', '.join(MOMENT)}, "
                    f"got one without {', '.join(missing)}"
                )
            return [np.array(frame[name], dtype=float) for name in ("q", "K", "V", "g")]
        q = self.Q[self.index("reader", len(self.Q))]
        return [np.array(x) for x in (q, self.K, self.V, self.g)]

    def chosen(self):
        return self.index("candidate", len(self.row()[1]))

    def read(self):
        q, K, V, _ = self.row()
        return attention(q[None], K, V)

    def describe(self):
        who = f"moment {self.frame} of training" if self.frame else f"reader {self.reader + 1}"
        return (
            f"{who}, score of candidate {self.candidate + 1} nudged by {self.delta:g}: "
            f"output {numbers(self.output)} → {numbers(self.moved)}, "
            f"loss predicted {numbers(self.predicted)}, actual {numbers(self.actual)}"
        )

    def still(self):
        count = min(len(self.weights), 8)
        return tables(
            "Nudge one score, watch the output and the loss",
            f"The pull on each candidate of one reader. {self.describe()}.",
            [
                {"caption": "Weights", "values": [self.weights[:count]], "heat": True},
                {"caption": "Pull ∂L/∂e", "values": [self.pull[:count]]},
                {"caption": "Output", "values": [self.output]},
                {"caption": "After the nudge", "values": [self.moved]},
                {
                    "caption": "Change of L: predicted, actual",
                    "values": [[self.predicted, self.actual]],
                },
            ],
        )


def training_run():
    """Return recorded moments of lesson 08's tiny reader on one held-out card file.

    The numbers are rounded to 4 decimals: as inputs they are exact, and the page stays small.
    """
    from ...tiny_reader import train

    frames = train(seed=0, every=10).frames
    return [
        {
            "step": frame["step"],
            "loss": round(frame["loss"], 4),
            "right": frame["right"],
            "q": rounded(frame["Q"][0]),
            **{name: rounded(frame[name]) for name in ("K", "V", "g")},
        }
        for frame in frames
        if frame["step"] <= 100 or frame["step"] % 100 == 0
    ]


def rounded(x):
    return (np.round(x, 4) + 0.0).tolist()
