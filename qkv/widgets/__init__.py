"""The book's widgets. Each computes in the browser; Python holds the same results from NumPy."""

from .attention_table import AttentionTable

CLASSES = (AttentionTable,)
NAMES = tuple(cls.__name__ for cls in CLASSES)

__all__ = ["CLASSES", "NAMES", *NAMES]
