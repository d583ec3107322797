"""An exercise in code: the reader hands in a function.

The function is called on every case, and what it returns is compared with the reference. Where
the reference raises, a right answer raises too. A mistake is named when the function does what
that mistake's wrong implementation does, on every case that the wrong implementation can answer
at all.

    from qkv.checks import CodeExercise, Mistake, soft


    def project(X, W_Q, W_K, W_V):
        return X @ W_Q, X @ W_K, X @ W_V


    PROJECT = CodeExercise(
        args=("X", "W_Q", "W_K", "W_V"),
        parts=("Q", "K", "V"),                     # leave out when one array is returned
        reference=project,
        cases=[(soft(4, 3), soft(3, 3, seed=1), soft(3, 3, seed=2), soft(3, 3, seed=3))],
        right="Right: three projections of one X.",
        mistakes={
            "w-transposed": Mistake(
                lambda X, W_Q, W_K, W_V: (X @ W_Q.T, X @ W_K.T, X @ W_V.T),
                "You transposed the matrices: x_i is a row of X, so it stands on the left.",
            ),
        },
    )
"""

import copy
import sys
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from .answers import Unreadable, as_array, as_parts, counted, first_line, kind_of
from .verdict import Verdict

RTOL, ATOL = 1e-5, 1e-6  # a float32 answer passes, one rounded to two digits does not


def soft(*shape, seed=0):
    """Numbers between −1 and 1 with no pattern and no random generator: a softmax stays soft."""
    count = int(np.prod(shape))
    return np.sin(1.0 + 12.9898 * np.arange(1, count + 1) + 78.233 * seed).reshape(shape)


@dataclass
class CodeExercise:
    """The reader hands in a function; `cases` are the argument tuples it is called with."""

    args: tuple
    reference: Any
    cases: list
    mistakes: dict
    right: str = "Right."
    parts: tuple = ()  # names of the results when there are several: tuple, dict or attributes
    take: str = "output"  # an attribute that is read when the result is an object (one part)
    mutates: str | None = None  # the mistake that a function which changes its input is told
    yes_no: bool = False  # the result holds booleans: messages say True and False
    id: str = ""

    def check(self, answer):
        if answer is None:
            return Verdict(False, None, f"Nothing handed in yet: {self._wanted()}.")
        if not callable(answer):
            given = kind_of(answer)
            return Verdict(False, None, f"This exercise wants {self._wanted()}, not {given}.")
        wanted = self._run(self.reference, "arrays")
        runs = []
        for form in ("arrays", "tensors", "float32 tensors", "lists"):
            if "tensors" in form and "torch" not in sys.modules:
                continue  # an answer in PyTorch has imported it by now
            runs.append(self._run(answer, form))
            if all(map(_agree, runs[-1], wanted)):
                return Verdict(True, None, self.right)
            if _silent(runs[-1]) or any(outcome.changed for outcome in runs[-1]):
                break
        named = self._named(runs, wanted)
        return self._unnamed(runs, wanted) if named is None else named

    def _wanted(self):
        return f"a function of ({', '.join(self.args)})"

    def _run(self, function, form):
        return [self._outcome(function, case, form) for case in self.cases]

    def _outcome(self, function, case, form):
        given = [_fresh(x, form) for x in case]
        before = [_fresh(x, form) for x in case]
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                result = function(*given)
        except (Exception, SystemExit) as error:
            where = ", ".join(map(_shape_of, self.args, case))
            what = f"{type(error).__name__}: {first_line(error)}"
            return Outcome(problem=f"Your function raised {what}, on {where}.", raised=True)
        for name, old, new in zip(self.args, before, given, strict=True):
            if not _same(old, new):
                problem = f"Your function changes its input {name}: work on a copy."
                return Outcome(problem=problem, changed=True)
        try:
            return Outcome(value=self._read(result))
        except Unreadable as error:
            return Outcome(problem=str(error), silent=result is None)

    def _read(self, result):
        if result is None:
            raise Unreadable("Nothing returned yet: your function gave None.")
        if not self.parts:
            result = getattr(result, self.take, result)
            if isinstance(result, tuple) and any(getattr(x, "ndim", 0) > 1 for x in result):
                raise Unreadable(f"Your function returned {len(result)} things: return one array.")
            return [as_array(result, "Your function returned")]
        return as_parts(result, self.parts, "Your function returned")

    def _named(self, runs, wanted):
        if self.mutates and any(outcome.changed for run in runs for outcome in run):
            return Verdict(False, self.mutates, self.mistakes[self.mutates].message)
        for name, mistake in self.mistakes.items():
            for example in mistake.examples:
                wrong = self._run(example, "arrays")
                if any(_matches(run, wrong, wanted) for run in runs):
                    return Verdict(False, name, mistake.message)
        return None

    def _unnamed(self, runs, wanted):
        run = min(runs, key=lambda run: sum(outcome.value is None for outcome in run))
        digits = _rounded_to(run, wanted)
        if digits is not None:
            what = counted(digits, "decimal")
            message = f"The numbers are right but rounded to {what}: return them as computed."
            return Verdict(False, None, message)
        for got, right, case in zip(run, wanted, self.cases, strict=True):
            if _agree(got, right):
                continue
            if got.value is None:
                return Verdict(False, None, got.problem)
            where = ", ".join(map(_shape_of, self.args, case))
            if right.value is None:
                message = f"Not yet: on {where} your function should raise an error, and does not."
            else:
                message = self._difference(got.value, right.value, where)
            return Verdict(False, None, message)
        raise AssertionError("a wrong run differs somewhere")

    def _difference(self, got, right, where):
        for part, g, r in zip(self.parts or ("",), got, right, strict=True):
            name = part or "the result"
            if g.shape != r.shape:
                return f"Not yet: on {where}, {name} should have shape {r.shape}, got {g.shape}."
            if np.isnan(g).any() and not np.isnan(r).any():
                return f"Not yet: on {where}, {name} holds NaN, which is no number."
            if not _close(g, r):
                at = np.unravel_index(np.argmax(~np.isclose(g, r, RTOL, ATOL)), r.shape)
                index = f" at {[int(i) for i in at]}" if r.ndim else ""
                got, right = (self._short(x[at]) for x in (g, r))
                return f"Not yet: on {where}, {name}{index} should be {right}, got {got}."
        raise AssertionError("a wrong value differs somewhere")

    def _short(self, x):
        return str(bool(x)) if self.yes_no and x in (0, 1) else f"{x:.4f}"


@dataclass
class Outcome:
    """What one call gave: a list of arrays (one per part), or a sentence that says why not."""

    value: list | None = None
    problem: str = ""
    raised: bool = False
    changed: bool = False
    silent: bool = False


def _agree(got, right):
    if got.value is None or right.value is None:
        return got.raised and right.raised  # some cases are there to be refused
    return all(map(_close, got.value, right.value))


def _silent(run):
    return all(outcome.silent for outcome in run)


def _matches(run, wrong, wanted):
    """True when the run does what the wrong implementation does wherever that gives a value."""
    told_apart = False
    for got, bad, right in zip(run, wrong, wanted, strict=True):
        if bad.value is None:
            continue
        if got.value is None or not all(map(_close, got.value, bad.value)):
            return False
        told_apart = told_apart or not _agree(bad, right)
    return told_apart


def _close(a, b):
    return a.shape == b.shape and bool(np.allclose(a, b, RTOL, ATOL, equal_nan=True))


def _rounded_to(run, wanted):
    """To how many decimals a run is the right one rounded, on every case; None when it isn't."""
    pairs = [p for p in zip(run, wanted, strict=True) if p[1].value or not p[0].raised]
    if any(got.value is None or right.value is None for got, right in pairs):
        return None
    numbers = [pair for got, right in pairs for pair in zip(got.value, right.value, strict=True)]
    if any(g.shape != r.shape or not np.isfinite(r).all() for g, r in numbers):
        return None
    for digits in range(6):
        if all(np.allclose(g, np.round(r, digits), 0, 1e-9) for g, r in numbers):
            return digits
    return None


def _fresh(x, form):
    if not isinstance(x, np.ndarray):
        return x if callable(x) else copy.deepcopy(x)
    if form == "arrays":
        return x.copy()
    if form == "lists":
        return x.tolist()
    import torch

    tensor = torch.as_tensor(x.copy())
    return tensor.float() if form == "float32 tensors" and x.dtype.kind == "f" else tensor


def _same(old, new):
    if callable(old):
        return True
    if hasattr(old, "detach"):
        old, new = old.detach().numpy(), new.detach().numpy()
    if isinstance(old, np.ndarray):
        return old.shape == new.shape and np.array_equal(old, new, equal_nan=old.dtype.kind == "f")
    return old == new


def _shape_of(name, x):
    if isinstance(x, np.ndarray):
        return f"{name} {x.shape}"
    return getattr(x, "label", name) if callable(x) else f"{name} = {x!r}"
