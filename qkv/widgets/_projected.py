"""What widgets on projected positions share in Python: X and its three matrices."""

import numpy as np

from ..inputs import inputs
from ._base import Array, Lab

RUNNING = inputs()["running"]


class Projected(Lab):
    """Inputs X (n, d_model), W_Q and W_K (d_model, d_k), W_V (d_model, d_v).

    They open on the running example. Q, K (n, d_k) and V (n, d_v) are results of all of them.
    """

    X = Array(RUNNING["X"].tolist(), ndim=2).tag(sync=True)
    W_Q = Array(RUNNING["W_Q"].tolist(), ndim=2).tag(sync=True)
    W_K = Array(RUNNING["W_K"].tolist(), ndim=2).tag(sync=True)
    W_V = Array(RUNNING["W_V"].tolist(), ndim=2).tag(sync=True)

    Q = property(lambda self: self.project("W_Q"))
    K = property(lambda self: self.project("W_K"))
    V = property(lambda self: self.project("W_V"))

    def project(self, name):
        """Return X times the matrix called `name`; ValueError if their shapes do not fit."""
        X, W = np.array(self.X), np.array(getattr(self, name))
        if X.shape[1] != W.shape[0]:
            raise ValueError(
                f"{type(self).__name__}: expected {name} with {X.shape[1]} rows, one per column "
                f"of X, got shape {W.shape}"
            )
        return X @ W
