"""WhoReadsWhom: every position is a reader and a source (lesson 02)."""

from pathlib import Path

import numpy as np
import traitlets

from ...attention import softmax
from ...inputs import inputs
from ...retrieval import match
from .._base import Array, Lab, numbers
from .._bundle import bundle, stylesheet
from .._still import tables

HERE = Path(__file__).parent


def sentence(name):
    """Return the tokens of one of the shared sentences and their vectors (n, 3)."""
    shared = inputs()["sentences"]
    ids = shared[f"{name}_ids"].astype(int)
    return shared[name], shared["embeddings"][ids] + shared["positions"][: len(ids)]


NOOR, QUESTION = sentence("noor"), sentence("question")


class WhoReadsWhom(Lab):
    """Opens on Noor's sentence reading itself, with "she" as the reader.

    Inputs: tokens and X (n_q, d), their vectors; memory and M (n_kv, d), the second sequence; mode
    "self" or "cross"; reader (0-based here, 1-based on screen).
    Results: shape (n_q, n_kv), and of the reader: weights (n_kv,), output (d,). The match is the
    dot product of the vectors themselves: projections come in lesson 03.
    """

    _esm = bundle(HERE / "view.js")
    _css = stylesheet(HERE / "style.css")

    INPUTS = ("tokens", "memory", "X", "M", "mode", "reader")
    RESULTS = ("shape", "weights", "output")

    tokens = traitlets.List(traitlets.Unicode(), NOOR[0]).tag(sync=True)
    memory = traitlets.List(traitlets.Unicode(), QUESTION[0]).tag(sync=True)
    X = Array(NOOR[1].tolist(), ndim=2).tag(sync=True)
    M = Array(QUESTION[1].tolist(), ndim=2).tag(sync=True)
    mode = traitlets.Enum(("self", "cross"), "self").tag(sync=True)
    reader = traitlets.Int(9, min=0).tag(sync=True)

    shape = property(lambda self: (len(self.X), len(self.sources())))
    weights = property(lambda self: softmax(match(self.request(), self.sources())))
    output = property(lambda self: self.weights @ self.sources())

    def request(self):
        return self.X[self.index("reader", len(self.X))]

    def sources(self):
        return np.array(self.X if self.mode == "self" else self.M)  # (n_kv, d)

    def describe(self):
        words = self.tokens if self.mode == "self" else self.memory
        most = int(self.weights.argmax())
        return (
            f"{self.mode}, weights {self.shape[0]} × {self.shape[1]}: reader {self.reader + 1} "
            f"{self.tokens[self.reader]!r} gives {numbers(self.weights)}, most to {words[most]!r}; "
            f"output {numbers(self.output)}"
        )

    def still(self):
        words = self.tokens if self.mode == "self" else self.memory
        cuts = [slice(at, at + 7) for at in range(0, len(words), 7)]
        items = []
        for cut in cuts:
            items.append({"caption": "Sources", "values": [words[cut]]})
            items.append({"caption": "Weights", "values": [self.weights[cut]], "heat": True})
        title = f"Who reads whom? Reader {self.reader + 1}: {self.tokens[self.reader]}"
        return tables(title, f"One reader's weights over its sources. {self.describe()}.", items)
