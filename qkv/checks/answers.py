"""Reading what was handed in: numbers in any form, or a sentence that says why they are none."""

import numpy as np


class Unreadable(Exception):
    """Its text is the sentence that tells the reader what cannot be read."""


def as_parts(answer, names, start):
    """An answer of several parts (tuple, list, dict, attributes) → a list of arrays."""
    if isinstance(answer, dict) and all(name in answer for name in names):
        answer = [answer[name] for name in names]
    elif all(hasattr(answer, name) for name in names):
        answer = [getattr(answer, name) for name in names]
    elif len(names) == 1 and not (isinstance(answer, tuple) and len(answer) == 1):
        answer = [answer]
    if isinstance(answer, (str, dict)) or not hasattr(answer, "__len__"):
        raise Unreadable(f"{start} {kind_of(answer)}: give ({', '.join(names)}).")
    if len(answer) != len(names):
        raise Unreadable(f"{start} {counted(len(answer), 'thing')}: give ({', '.join(names)}).")
    each = zip(names, answer, strict=True)
    return [as_array(x, f"For {name} {_lower(start)}") for name, x in each]


def as_array(x, start):
    """Numbers in any form → a float64 array; Unreadable with a sentence when they are none."""
    if x is None or isinstance(x, (str, bytes, dict, set)) or callable(x):
        raise Unreadable(f"{start} {kind_of(x)} where numbers are wanted.")
    if hasattr(x, "detach"):
        x = x.detach().cpu()
    elif isinstance(x, (list, tuple)):
        x = _plain(x)
    try:
        array = np.asarray(x)
        if array.dtype.kind not in "biuf":
            raise TypeError
        return array.astype(float)
    except (TypeError, ValueError, RuntimeError):
        raise Unreadable(f"{start} {kind_of(x)} that holds no table of real numbers.") from None


def _plain(x):
    if isinstance(x, (list, tuple)):
        return [_plain(item) for item in x]
    return x.detach().cpu().tolist() if hasattr(x, "detach") else x


def kind_of(x):
    """What a thing is, in the words of a sentence: "an array", "a list", "None"."""
    name = {"ndarray": "array", "NoneType": "None", "method": "function"}.get(
        type(x).__name__, type(x).__name__
    )
    if x is None:
        return name
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


def counted(count, what):
    """1 and "thing" → "1 thing"; 2 → "2 things"."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _lower(text):
    return text[0].lower() + text[1:]


def first_line(error):
    """The first line of an error's message, without its full stop."""
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".") if lines else "no message"
