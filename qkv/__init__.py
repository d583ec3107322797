"""Query, Key, Value: attention you can run, drag and check.

`import qkv` needs NumPy alone. What needs more (PyTorch, anywidget) or takes longer is imported
when it is first used.
"""

from importlib import import_module

from qkv.attention import (
    attention,
    attention_backward,
    causal_mask,
    project,
    read,
    read_backward,
    softmax,
)
from qkv.inputs import inputs
from qkv.retrieval import match, retrieve, soft_retrieve
from qkv.scoring import additive_scores, entropy, kl, objective

__version__ = "0.1.0"

_MODULES = {
    "checks", "draws", "lesson", "probes", "questions", "reproduce", "tiny_reader", "torch",
    "widgets",
}  # fmt: skip
_FUNCTIONS = {
    "ask": "qkv.questions",
    "check": "qkv.checks",
    "has_leak": "qkv.probes",
    "is_permutation_equivariant": "qkv.probes",
}

__all__ = [
    "additive_scores", "attention", "attention_backward", "causal_mask", "entropy", "inputs",
    "kl", "match", "objective", "project", "read", "read_backward", "retrieve", "soft_retrieve",
    "softmax", *sorted(_MODULES | set(_FUNCTIONS)),
]  # fmt: skip


def __getattr__(name):
    if name in _MODULES:
        return import_module(f"qkv.{name}")
    if name in _FUNCTIONS:
        return getattr(import_module(_FUNCTIONS[name]), name)
    raise AttributeError(f"module 'qkv' has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *__all__})
