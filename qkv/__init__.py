"""Query, Key, Value: attention you can run, drag and check.

`import qkv` needs NumPy alone. What needs more (PyTorch, anywidget) or takes longer is imported
when it is first used.
"""

from importlib import import_module

from qkv.attention import attention, causal_mask, softmax
from qkv.inputs import inputs

__version__ = "0.1.0"

_MODULES = {"checks", "draws", "lesson", "questions", "reproduce", "tiny_reader", "torch", "widgets"}
_FUNCTIONS = {"ask": "qkv.questions", "check": "qkv.checks"}

__all__ = ["attention", "causal_mask", "inputs", "softmax", *sorted(_MODULES | set(_FUNCTIONS))]


def __getattr__(name):
    if name in _MODULES:
        return import_module(f"qkv.{name}")
    if name in _FUNCTIONS:
        return getattr(import_module(_FUNCTIONS[name]), name)
    raise AttributeError(f"module 'qkv' has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *__all__})
