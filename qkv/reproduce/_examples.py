"""What several lessons' rows need."""

import numpy as np

from ..inputs import inputs


def running():
    """Return X, W_Q, W_K, W_V and grad_output G of the running example."""
    example = inputs()["running"]
    return [example[name] for name in ("X", "W_Q", "W_K", "W_V", "G")]


def central(f, x, step=1e-5):
    """Return the central-difference gradient of the number f(x) for the array x."""
    gradient = np.zeros_like(x)
    for index in np.ndindex(x.shape):
        ends = []
        for sign in (1, -1):
            moved = x.copy()
            moved[index] += sign * step
            ends.append(f(moved))
        gradient[index] = (ends[0] - ends[1]) / (2 * step)
    return gradient


def torch_or_none():
    """Return torch, or None where it isn't installed: its rows are then left out."""
    try:
        import torch
    except ImportError:
        return None
    return torch
