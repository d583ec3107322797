"""The book's widgets. Each computes in the browser; Python holds the same results from NumPy."""

from ._base import STORED
from .attention_table import AttentionTable
from .card_file import CardFile
from .mask_lab import MaskLab
from .mix_lab import MixLab
from .predict import Predict
from .projector import Projector
from .pull_lab import PullLab
from .quiz import Quiz
from .scale_lab import ScaleLab
from .who_reads_whom import WhoReadsWhom

CLASSES = (
    AttentionTable,
    CardFile,
    MaskLab,
    MixLab,
    Predict,
    Projector,
    PullLab,
    Quiz,
    ScaleLab,
    WhoReadsWhom,
)
NAMES = tuple(cls.__name__ for cls in CLASSES)

__all__ = ["CLASSES", "NAMES", "STORED", "restore", *NAMES]


def restore(stored):
    """Make the widget again that a notebook keeps as `stored`: {"name": …, "traits": {…}}."""
    name = stored.get("name")
    if name not in NAMES:
        raise ValueError(f"restore: expected a name among {', '.join(NAMES)}, got {name!r}")
    return globals()[name](**stored["traits"])
