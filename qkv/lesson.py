"""What a lesson's cell needs to print stable output: show, say, check_shape, device.

Lessons are committed with their outputs and compared character by character when they run
again, so nothing here depends on NumPy's or torch's own way of printing.
"""

import numpy as np

from .steady import fixed


def show(name, value, digits=4):
    """Print one block: a name, then a number, a row, a matrix or a list of words.

    name: str. value: number, bool, str, list of str, NumPy array, torch tensor or nested list;
    any number of axes, dimensionless. digits: decimals of a float; integers have none.
    Booleans print as 0 and 1 in an array, as yes and no alone. −0 prints as 0.
    Raises ValueError when the value is ragged or is no number.
    """
    print(_block(name, value, digits))


def say(text):
    """Show a line of Markdown under the cell (an f-string keeps its numbers computed)."""
    try:
        from IPython.display import Markdown, display
    except ImportError:
        print(text)
    else:
        display(Markdown(text))


def check_shape(x, shape):
    """Raise ValueError unless x has this shape; None in `shape` stands for any length."""
    got = tuple(int(length) for length in (x.shape if hasattr(x, "shape") else np.shape(x)))
    fits = len(got) == len(shape) and all(
        wanted is None or wanted == length for wanted, length in zip(shape, got, strict=True)
    )
    if not fits:
        wanted = "(" + ", ".join("any" if s is None else str(s) for s in shape)
        wanted += ",)" if len(shape) == 1 else ")"
        raise ValueError(f"check_shape: expected shape {wanted}, got {got}")


def device():
    """The torch device that a lesson uses: CUDA where there is one, else the CPU."""
    import torch

    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def _block(name, value, digits):
    if isinstance(value, str):
        return f"{name}: {value}"
    if isinstance(value, (bool, np.bool_)):
        return f"{name}: {'yes' if value else 'no'}"
    if _words(value):
        return f"{name}: {', '.join(value)}"
    array = _array(value)
    text = np.empty(array.shape, dtype=object)
    for index in np.ndindex(array.shape):
        text[index] = _number(array[index], digits)
    if array.ndim == 0:
        return f"{name}: {text[()]}"
    if array.ndim == 1:
        return f"{name}: [{', '.join(text)}]"
    return f"{name}, shape {array.shape}:\n{_rows(text, _widths(text))}"


def _words(value):
    return isinstance(value, (list, tuple)) and value and all(isinstance(v, str) for v in value)


def _array(value):
    if hasattr(value, "detach"):  # a torch tensor, perhaps on a device, in half precision
        value = value.detach().cpu()
        value = value.double() if value.is_floating_point() else value
        value = value.numpy()
    try:
        array = np.asarray(value)
    except ValueError:
        raise ValueError("show: expected rows of one length, got a ragged list") from None
    if array.dtype.kind not in "biuf":
        raise ValueError(f"show: expected numbers, got {array.dtype}")
    return array


def _number(x, digits):
    if isinstance(x, (bool, np.bool_)):
        return "1" if x else "0"
    if isinstance(x, (int, np.integer)):
        return str(int(x))
    return fixed(x, digits)


def _widths(text):
    columns = text.reshape(-1, text.shape[-1])  # every column of every matrix in the stack
    return [max((len(t) for t in columns[:, j]), default=0) for j in range(text.shape[-1])]


def _rows(text, widths, depth=0):
    if text.ndim == 1:
        return "[" + ", ".join(t.rjust(w) for t, w in zip(text, widths, strict=True)) + "]"
    gap = ",\n" + ("\n" if text.ndim > 2 else "") + " " * (depth + 1)
    return "[" + gap.join(_rows(part, widths, depth + 1) for part in text) + "]"
