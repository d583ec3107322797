"""The three kinds of exercise: in code, by hand, "break it".

An exercise in code calls the reader's function on every case and compares what it returns
with the reference. Where the reference raises, a right answer raises too. A mistake is named
when the function does what that mistake's wrong implementation does, on every case that the
wrong implementation can answer at all.

    from qkv.checks._kinds import CodeExercise, Mistake, soft

    def project(X, W_Q, W_K, W_V):
        return X @ W_Q, X @ W_K, X @ W_V

    EXERCISES = {
        "03.project": CodeExercise(
            args=("X", "W_Q", "W_K", "W_V"),
            parts=("Q", "K", "V"),                 # leave out when one array is returned
            reference=project,
            cases=[(soft(4, 3), soft(3, 3, seed=1), soft(3, 3, seed=2), soft(3, 3, seed=3))],
            right="Right: three projections of one X.",
            mistakes={
                "w-transposed": Mistake(
                    lambda X, W_Q, W_K, W_V: (X @ W_Q.T, X @ W_K.T, X @ W_V.T),
                    "You transposed the matrices: x_i is a row of X, so it stands on the left.",
                ),
            },
        ),
    }

An exercise by hand compares numbers with the answer, right within half a unit of the last
digit asked. It also becomes a quiz on the page (`question()`), with the same mistakes.

    "03.hand": HandExercise(
        text="x = [1, 1], `W_Q` = [[1, 2], [0, 1]]. What is q?",
        labels=("q₁", "q₂"),
        answer=np.array([1, 1]) @ np.array([[1, 2], [0, 1]]),   # computed, never typed
        digits=0,
        hint="Each column of `W_Q` makes one number of q.",
        right="Right: q = [1, 3].",
        mistakes={"w-transposed": Mistake([3, 1], "These are the sums along the rows of W_Q.")},
    ),

A "break it" asks for inputs on which something shows. `parts` names what is handed in;
`accepts` is the predicate; each mistake carries an example and a predicate `seen`. Mistakes
are tried in the order given, before `accepts`. All predicates take the parts as float64 arrays.

    "03.break": BreakExercise(
        task="Hand in (W_Q, W_K) that differ, with a symmetric X W_Q W_Kᵀ Xᵀ for every X.",
        parts=("W_Q", "W_K"),
        accepts=lambda W_Q, W_K: np.allclose(W_Q @ W_K.T, W_K @ W_Q.T),
        right="Right: only the product W_Q W_Kᵀ decides.",
        wrong="W_Q W_Kᵀ is not symmetric.",
        shapes={"W_Q": (None, None)},              # optional: the axes wanted, None for any length
        mistakes={
            "equal": Mistake(
                ([[1, 0], [0, 1]], [[1, 0], [0, 1]]),
                "The two matrices are equal: that is the trivial way.",
                seen=lambda W_Q, W_K: np.allclose(W_Q, W_K),
            ),
        },
    ),

What a message may say: one or two sentences, to "you", the fault first and then where to look.
"""

import copy
import sys
import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np

RTOL, ATOL = 1e-5, 1e-6  # a float32 answer passes, one rounded to two digits does not


@dataclass(frozen=True)
class Verdict:
    """What a checker says of one answer: `.ok`, `.mistake` (short id or None), `.message`."""

    ok: bool
    mistake: str | None
    message: str

    def __str__(self):
        return self.message

    def __bool__(self):
        return self.ok


class Mistake:
    """A mistake with a name: one example of it, what to tell the reader, how to recognise it.

    example: a wrong function (in code), wrong numbers (by hand) or wrong inputs (break it).
    others: more examples of the same mistake, written so that they give other numbers.
    seen: for "break it" alone, a predicate on the parts handed in.
    """

    def __init__(self, example, message, *others, seen=None):
        self.example, self.message, self.others, self.seen = example, message, others, seen

    @property
    def examples(self):
        return (self.example, *self.others)


class Unreadable(Exception):
    """Its text is the sentence that tells the reader what cannot be read."""


def soft(*shape, seed=0):
    """Numbers between −1 and 1 with no pattern and no random generator: a softmax stays soft."""
    count = int(np.prod(shape))
    return np.sin(1.0 + 12.9898 * np.arange(1, count + 1) + 78.233 * seed).reshape(shape)


# ---------------------------------------------------------------- exercises in code


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
            given = _kind(answer)
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
            what = f"{type(error).__name__}: {_first_line(error)}"
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
            return [_array(result, "Your function returned")]
        return _parts(result, self.parts, "Your function returned")

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
            what = _many(digits, "decimal")
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


# ---------------------------------------------------------------- exercises by hand


@dataclass
class HandExercise:
    """The reader hands in numbers, `labels` says which; half a unit of the last digit is right."""

    text: str
    labels: tuple
    answer: Any
    digits: int
    mistakes: dict
    hint: str = ""
    right: str = "Right."
    id: str = ""

    @property
    def tolerance(self):
        return 0.5 * 10.0**-self.digits

    @property
    def numbers(self):
        return np.asarray(self.answer, dtype=float).ravel()

    def check(self, answer):
        try:
            got = self._read(answer)
        except Unreadable as error:
            return Verdict(False, None, str(error))
        if self._within(got, self.numbers):
            return Verdict(True, None, self.right)
        for name, mistake in self.mistakes.items():
            if any(self._within(got, np.ravel(wrong)) for wrong in mistake.examples):
                return Verdict(False, name, mistake.message)
        off = np.abs(got - self.numbers) > self._limit(self.numbers)
        if np.abs(got - self.numbers).max() <= 2.01 * self.tolerance:
            message = f"Nearly: round to {self.digits} decimals at the end, not on the way."
        else:
            wrong = ", ".join(np.array(self.labels)[off])
            message = f"Not yet: {wrong} {'is' if off.sum() == 1 else 'are'} off."
        return Verdict(False, None, f"{message} {self.hint}".strip())

    def question(self):
        """The same exercise as a quiz for the page → qkv.questions.Question."""
        from ..questions import number

        mistakes = {
            name: [(example, mistake.message) for example in mistake.examples]
            for name, mistake in self.mistakes.items()
        }
        item = number(
            self.text, self.answer, self.digits, self.labels, mistakes, self.hint, self.right
        )
        item.id = self.id
        return item

    def _within(self, got, wanted):
        return bool((np.abs(got - wanted) <= self._limit(wanted)).all())

    def _limit(self, wanted):
        return self.tolerance + 1e-9 * np.maximum(1, np.abs(wanted))  # 0.5 itself is not a tie

    def _read(self, answer):
        wanted = f"{len(self.labels)} number{'s' if len(self.labels) > 1 else ''}"
        wanted += f" ({', '.join(self.labels)})"
        if answer is None or answer is Ellipsis:
            raise Unreadable(f"Nothing handed in yet: this exercise wants {wanted}.")
        if isinstance(answer, dict):
            answer = list(answer.values())
        if isinstance(answer, (list, tuple)):
            answer = list(_flat(answer))
            if any(x is None or x is ... for x in answer):
                raise Unreadable(f"Some numbers are missing: this exercise wants {wanted}.")
            answer = [_from_text(x) if isinstance(x, str) else x for x in answer]
        elif isinstance(answer, str):
            answer = [_from_text(x) for x in answer.strip("[]() ").replace(",", " ").split()]
        got = _array(answer, f"This exercise wants {wanted}, but you handed in").ravel()
        if got.size != len(self.labels):
            raise Unreadable(f"This exercise wants {wanted}, got {got.size}.")
        if not np.isfinite(got).all():
            raise Unreadable("An answer by hand is a finite number: yours holds NaN or ∞.")
        return got


def _flat(answer):
    """Numbers in a list, some of them perhaps grouped as vectors, one after another."""
    for x in answer:
        if isinstance(x, (list, tuple)) or getattr(x, "ndim", 0):
            yield from _flat(x)
        else:
            yield x


def _from_text(text):
    try:
        return float(text.strip().replace("−", "-").replace(",", "."))
    except ValueError:
        raise Unreadable(f"This is no number: {text.strip()!r}.") from None


# ---------------------------------------------------------------- "break it"


@dataclass
class BreakExercise:
    """The reader hands in inputs (`parts`); `accepts` decides, mistakes are tried first."""

    task: str
    parts: tuple
    accepts: Any
    mistakes: dict
    right: str = "Right."
    wrong: str = "Not yet."
    shapes: dict = field(default_factory=dict)
    id: str = ""

    def check(self, answer):
        names = ", ".join(self.parts)
        if answer is None or answer is Ellipsis:
            return Verdict(False, None, f"Nothing handed in yet: this exercise wants ({names}).")
        try:
            given = _parts(answer, self.parts, f"This exercise wants ({names}); you handed in")
            self._fits(given)
            with np.errstate(all="ignore"):
                for name, mistake in self.mistakes.items():
                    if mistake.seen(*(x.copy() for x in given)):
                        return Verdict(False, name, mistake.message)
                if self.accepts(*(x.copy() for x in given)):
                    return Verdict(True, None, self.right)
        except Unreadable as error:
            return Verdict(False, None, str(error))
        except Exception as error:  # the inputs do not fit one another
            message = f"These inputs cannot be used together: {_first_line(error)}"
            return Verdict(False, None, message.rstrip(".") + ".")
        return Verdict(False, None, self.wrong)

    def _fits(self, given):
        for name, x in zip(self.parts, given, strict=True):
            if not np.isfinite(x).all():
                raise Unreadable(f"{name} holds NaN or ∞: hand in finite numbers.")
            if x.size == 0:
                raise Unreadable(f"{name} is empty: hand in at least one number.")
            shape = self.shapes.get(name)
            if shape is None:
                continue
            lengths = zip(shape, x.shape, strict=False)
            if len(shape) != x.ndim or any(w not in (None, g) for w, g in lengths):
                wanted = ", ".join("any" if w is None else str(w) for w in shape)
                raise Unreadable(f"{name} should have shape ({wanted}), got {x.shape}.")


# ---------------------------------------------------------------- reading what was handed in


def _parts(answer, names, start):
    """An answer of several parts (tuple, list, dict, attributes) → a list of arrays."""
    if isinstance(answer, dict) and all(name in answer for name in names):
        answer = [answer[name] for name in names]
    elif all(hasattr(answer, name) for name in names):
        answer = [getattr(answer, name) for name in names]
    elif len(names) == 1 and not (isinstance(answer, tuple) and len(answer) == 1):
        answer = [answer]
    if isinstance(answer, (str, dict)) or not hasattr(answer, "__len__"):
        raise Unreadable(f"{start} {_kind(answer)}: give ({', '.join(names)}).")
    if len(answer) != len(names):
        raise Unreadable(f"{start} {_many(len(answer), 'thing')}: give ({', '.join(names)}).")
    return [_array(x, f"For {name} {_lower(start)}") for name, x in zip(names, answer, strict=True)]


def _array(x, start):
    """Numbers in any form → a float64 array; Unreadable with a sentence when they are none."""
    if x is None or isinstance(x, (str, bytes, dict, set)) or callable(x):
        raise Unreadable(f"{start} {_kind(x)} where numbers are wanted.")
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
        raise Unreadable(f"{start} {_kind(x)} that holds no table of real numbers.") from None


def _plain(x):
    if isinstance(x, (list, tuple)):
        return [_plain(item) for item in x]
    return x.detach().cpu().tolist() if hasattr(x, "detach") else x


def _kind(x):
    name = {"ndarray": "array", "NoneType": "None", "method": "function"}.get(
        type(x).__name__, type(x).__name__
    )
    if x is None:
        return name
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


def _many(count, what):
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _lower(text):
    return text[0].lower() + text[1:]


def _shape_of(name, x):
    if isinstance(x, np.ndarray):
        return f"{name} {x.shape}"
    return getattr(x, "label", name) if callable(x) else f"{name} = {x!r}"


def _first_line(error):
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".") if lines else "no message"
