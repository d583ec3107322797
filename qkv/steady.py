"""Numbers as they are written down: the same on every machine.

A matrix product differs in its last bit from one processor to the next. Whatever is written into
a notebook, a picture or a page passes through `steady` or `fixed`, so that this cannot show:
neither as another digit nor as another rounding of a tie (0.125 to two decimals) nor as −0.
"""

import math

DIGITS = 12  # a double holds almost 16; sums in another order agree to about 14


def steady(value):
    """Round a number to 12 significant digits and at most 12 decimals; in lists and dicts, each.

    value: a float or a nest of lists, tuples and dicts with text, whole numbers and floats.
    Returns the same nest; all but floats stay as they are. −0 becomes 0; ∞ and NaN stay.
    """
    if isinstance(value, dict):
        return {key: steady(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(steady(item) for item in value)
    if not isinstance(value, float) or not math.isfinite(value):
        return value
    return round(float(f"{value:.{DIGITS}g}"), DIGITS) + 0.0


def fixed(value, digits):
    """Return a number as text with so many decimals, "0.2483"; never "-0.0000"."""
    return f"{round(steady(float(value)), digits) + 0.0:.{digits}f}"
