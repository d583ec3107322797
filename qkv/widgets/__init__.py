"""The book's widgets. Each computes in the browser; Python holds the same results from NumPy."""

from .attention_table import AttentionTable
from .predict import Predict
from .quiz import Quiz

CLASSES = (AttentionTable, Predict, Quiz)
NAMES = tuple(cls.__name__ for cls in CLASSES)

__all__ = ["CLASSES", "NAMES", *NAMES]
