"""What every widget shares in Python: traits that hold inputs, results from the reference."""

import anywidget
import numpy as np
import traitlets

from ..steady import fixed, steady
from ._still import as_image

STORED = "application/vnd.qkv.widget+json"  # what a notebook keeps of a widget: its inputs


class Array(traitlets.TraitType):
    """A synced trait for numbers: takes anything NumPy can read, keeps nested lists of floats.

    `ndim` is the number of axes wanted. Raises ValueError naming what was given and wanted.
    """

    def __init__(self, default_value, ndim, **kwargs):
        self.ndim = ndim
        super().__init__(default_value, **kwargs)

    def validate(self, obj, value):
        wanted = f"{type(obj).__name__}.{self.name}: expected finite numbers with {self.ndim} axes"
        try:
            array = np.asarray(value, dtype=float)
        except (TypeError, ValueError):
            raise ValueError(f"{wanted}, got {value!r}") from None
        if array.ndim != self.ndim or array.size == 0:
            raise ValueError(f"{wanted}, got shape {array.shape}")
        if not np.isfinite(array).all():
            raise ValueError(f"{wanted}, got NaN or infinity")
        return array.tolist()


class Lab(anywidget.AnyWidget):
    """Base of every widget. A subclass lives in its own folder, beside math.js and view.js.

    It declares the input traits (named in `INPUTS`), names its results in `RESULTS` and has a
    property for each, computed by the NumPy reference. The browser computes the same in math.js.
    """

    INPUTS = ()
    RESULTS = ()

    def __init__(self, **given):
        unknown = sorted(set(given) - set(self.trait_names()))
        if unknown:  # traitlets would only warn, and the widget open on its own numbers
            wanted = f"inputs among {', '.join(self.INPUTS)}"
            raise ValueError(f"{type(self).__name__}: expected {wanted}, got {', '.join(unknown)}")
        super().__init__(**given)

    def index(self, name, count):
        """Return the position that a trait names; ValueError unless it is from 0 to count − 1."""
        value = getattr(self, name)
        if not 0 <= value < count:
            kind = type(self).__name__
            raise ValueError(f"{kind}: expected {name} from 0 to {count - 1}, got {value}")
        return value

    def inputs(self):
        """Return the input traits as a dict of plain values."""
        return {name: getattr(self, name) for name in self.INPUTS}

    def results(self):
        """Return the results as a dict, computed by the NumPy reference."""
        return {name: getattr(self, name) for name in self.RESULTS}

    def describe(self):
        """Return one line with the numbers that the widget shows, for `repr` and the alt text."""
        raise NotImplementedError

    def still(self):
        """Return a still picture (SVG text) for print and for readers without script."""
        raise NotImplementedError

    def stored(self):
        """Return what a notebook or a page keeps of the widget: its name and its inputs."""
        return {"name": type(self).__name__, "traits": steady(self.inputs())}

    def __repr__(self):
        return f"{type(self).__name__}({self.describe()})"

    def _repr_mimebundle_(self, **kwargs):
        bundle_ = super()._repr_mimebundle_(**kwargs)
        data, metadata = bundle_ if isinstance(bundle_, tuple) else (bundle_, {})
        still = as_image(self.still())
        own = {"text/plain": repr(self), "text/html": still, STORED: self.stored()}
        return {**data, **own}, metadata


def numbers(values, digits=4):
    """Return the numbers as text with fixed decimals, −0 shown as 0: "0.2483 0.2483 0.5035"."""
    return " ".join(fixed(v, digits) for v in np.ravel(values))
