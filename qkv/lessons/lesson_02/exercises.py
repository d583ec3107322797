"""Lesson 02, a request from inside the sentence: who reads, and what is read."""

import numpy as np

from qkv.attention import _softmax
from qkv.checks import BreakExercise, CodeExercise, HandExercise, Mistake, soft

# In code: from the shape of the weights to the vectors that one reader needs.


def pick(X, Y, n):
    return X if n == len(X) else Y


def sources(X, Y, shape, i):
    n_q, n_kv = shape
    candidates = pick(X, Y, n_kv)
    return pick(X, Y, n_q)[i], candidates, candidates


def only_itself(X, Y, shape, i):
    q, K, V = sources(X, Y, shape, i)
    return (q, K[i : i + 1], V[i : i + 1]) if shape[0] == shape[1] else (q, K, V)


def without_itself(X, Y, shape, i):
    q, K, V = sources(X, Y, shape, i)
    return (q, np.delete(K, i, 0), np.delete(V, i, 0)) if shape[0] == shape[1] else (q, K, V)


def earlier(X, Y, shape, i):
    q, K, V = sources(X, Y, shape, i)
    return (q, K[: i + 1], V[: i + 1]) if shape[0] == shape[1] else (q, K, V)


def other_one(X, Y, shape, i):
    other = Y if shape[0] == len(X) else X
    return pick(X, Y, shape[0])[i], other, other


# Either sequence may be the longer one; i is a position of both, so that exchanged ones run.
A, B = (soft(4, 3), soft(6, 3, seed=1)), (soft(5, 2, seed=2), soft(3, 2, seed=3))
CASES = [(*A, (4, 6), 2), (*A, (6, 4), 1), (*A, (4, 4), 3), (*A, (6, 6), 0)]
CASES += [(*B, (5, 3), 1), (*B, (5, 5), 2), (*B, (3, 5), 2), (*B, (3, 3), 1)]

SOURCES = CodeExercise(
    args=("X", "Y", "shape", "i"),
    parts=("q", "K", "V"),
    reference=sources,
    cases=CASES,
    right="Right: rows come from the readers' sequence, columns from the one that is read.",
    mistakes={
        "only-itself": Mistake(
            only_itself,
            "In the self case you let the reader read itself alone: self says which sequence is "
            "read, and that is all of it.",
        ),
        "without-itself": Mistake(
            without_itself,
            "In the self case you left the reader out of its own candidates: it may read itself "
            "too.",
        ),
        "k-and-v-apart": Mistake(
            lambda X, Y, shape, i: (*sources(X, Y, shape, i)[:2], pick(X, Y, shape[0])),
            "You took K from one sequence and V from another: a candidate's key and value belong "
            "to the same position.",
            lambda X, Y, shape, i: (
                pick(X, Y, shape[0])[i],
                pick(X, Y, shape[0]),
                pick(X, Y, shape[1]),
            ),
        ),
        "exchanged": Mistake(
            lambda X, Y, shape, i: sources(X, Y, shape[::-1], i),
            "You exchanged n_q and n_kv: the first axis counts readers, the second what they read.",
        ),
        "always-self": Mistake(
            lambda X, Y, shape, i: sources(X, Y, (shape[0], shape[0]), i),
            "Your reader reads its own sequence whatever the second length says: that length "
            "names the sequence that is read.",
            lambda X, Y, shape, i: (X[i], X, X),
        ),
        "always-cross": Mistake(
            lambda X, Y, shape, i: (X[i], Y, Y),
            "You let one sequence read the other whatever the shape says: each of its two lengths "
            "names a sequence, and both may name the same.",
            other_one,
        ),
        "all-readers": Mistake(
            lambda X, Y, shape, i: (pick(X, Y, shape[0]), *sources(X, Y, shape, i)[1:]),
            "You returned all readers: q is the row of reader i alone.",
        ),
        "counts-from-1": Mistake(
            lambda X, Y, shape, i: (pick(X, Y, shape[0])[i - 1], *sources(X, Y, shape, i)[1:]),
            "You took the row before reader i: in code positions count from 0.",
        ),
        "only-earlier": Mistake(
            earlier,
            "In the self case you stopped at the reader: here it may read later positions too. "
            "Lesson 07 will forbid that.",
        ),
    },
)


# By hand: three tokens, from their ids to the output of the last one. All matches are whole.
TABLE = np.array([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0], [-1.0, 1.0]])
STEPS = np.array([[0.0, 0.0], [0.5, 0.0], [1.0, 0.0]])
IDS = [0, 1, 3]


def hand(X=None, reader=2, weights=None, x=None):
    """The numbers asked: x of the reader, its three weights, its output."""
    X = TABLE[IDS] + STEPS if X is None else X
    x = X[reader] if x is None else x
    weights = _softmax(X @ x) if weights is None else np.array(weights)
    return np.concatenate([x, weights, weights @ X])


def one_off():
    X = TABLE[[3, 0, 2]] + STEPS  # rows counted from 1: id 0 falls off the table
    return hand(X)


HAND = HandExercise(
    text=(
        "A table has four rows, for the ids 0 to 3: [1, 0], [0, 2], [1, 1], [−1, 1]. Position "
        "vectors: p₁ = [0, 0], p₂ = [0.5, 0], p₃ = [1, 0]. A sequence has the ids 0, 1, 3 and "
        "reads itself; every vector serves as query, key and value, and T = 1. What is x₃? What "
        "are the three weights of reader 3, and its output? Two decimals."
    ),
    labels=("x₃ first", "x₃ second", "a₁", "a₂", "a₃", "o₃ first", "o₃ second"),
    answer=hand(),
    digits=2,
    hint="Three vectors first: row of the table plus position vector. Then three dot products.",
    right="Right: x₃ = [0, 1] matches the three positions by 0, 2 and 1.",
    mistakes={
        "no-positions": Mistake(
            hand(TABLE[IDS]),
            "You left the position vectors out: x is a row of the table plus the vector of its "
            "position.",
        ),
        "only-itself": Mistake(
            hand(weights=[0, 0, 1]),
            "You let position 3 read itself alone: in self-attention it reads all three positions.",
        ),
        "without-itself": Mistake(
            hand(weights=[*_softmax(np.array([0.0, 2.0])), 0]),
            "You left position 3 out of its own candidates: it reads itself too.",
        ),
        "ids-from-1": Mistake(
            one_off(),
            "You counted the rows of the table from 1: the first row has the id 0.",
        ),
        "position-as-id": Mistake(
            hand(TABLE[:3] + STEPS),
            "You took rows 1, 2, 3 of the table, by position: the id says which row.",
        ),
        "hard-choice": Mistake(
            hand(weights=[0, 1, 0]),
            "This is the hard choice: here every candidate takes part.",
        ),
        "matches-as-weights": Mistake(
            hand(weights=np.array([0, 2, 1]) / 3),
            "You divided the matches by their sum: exponentiate first.",
        ),
        "not-divided": Mistake(
            hand(weights=np.exp([0.0, 2.0, 1.0])),
            "These are the exponentials of the matches: divide them by their sum.",
        ),
        "reader-1": Mistake(
            hand(reader=0),
            "These are the numbers of reader 1: position 3 asks.",
        ),
    },
)


# Break it: self-attention in which (nearly) nobody reads itself most.


def strict_losers(X):
    """Which readers give some other position a larger weight than themselves → boolean, (n,)."""
    match = X @ X.T
    return match.max(axis=1) > np.diag(match) + 1e-9 * np.abs(match).max()


def only_one(X):
    return strict_losers(X).sum() == len(X) - 1


def has_zero(X):
    return (np.abs(X).max(axis=1) < 1e-12).any()


def has_twins(X):
    gaps = np.abs(X[:, None] - X).max(axis=-1) + np.eye(len(X)) * 1e9
    return gaps.min() < 1e-12


def one_length(X):
    lengths = (X**2).sum(axis=1)
    return np.ptp(lengths) <= 1e-9 * lengths.max()


def unrelated(X):
    match = X @ X.T
    return np.abs(match - np.diag(np.diag(match))).max() <= 1e-9 * np.abs(match).max()


BREAK = BreakExercise(
    task=(
        "Hand in X, at least three positions, in which only one reader gives itself its largest "
        "weight; every vector serves as query, key and value."
    ),
    parts=("X",),
    shapes={"X": (None, None)},
    accepts=only_one,
    right="Right: a longer vector in a reader's own direction wins over the reader itself.",
    wrong=(
        "More than one reader still gives itself its largest weight: compare each xᵢ·xᵢ with the "
        "rest of its row."
    ),
    mistakes={
        "too-few": Mistake(
            [[1, 0], [2, 0]],
            "This takes at least three positions.",
            seen=lambda X: len(X) < 3,
        ),
        "zero-vector": Mistake(
            [[0, 0], [1, 0], [2, 0]],
            "One vector is zero: it matches every position by 0, so its weights are all equal.",
            seen=has_zero,
        ),
        "twins": Mistake(
            [[1, 1], [1, 1], [1, 1]],
            "Two positions are equal: neither can give the other more than itself. A longer "
            "vector, in their direction, can take from both.",
            seen=lambda X: has_twins(X) and not only_one(X),  # two that both prefer a third pass
        ),
        "one-length": Mistake(
            [[1, 0], [0, 1], [-1, 0]],
            "All your vectors have one length: then none matches another vector better than "
            "itself.",
            seen=one_length,
        ),
        "unrelated": Mistake(
            [[1, 0, 0], [0, 2, 0], [0, 0, 3]],
            "All your vectors are orthogonal: each matches itself and nothing else.",
            seen=unrelated,
        ),
        "opposite": Mistake(
            [[1, 0], [-2, 0], [0.5, 0]],
            "Some vectors point away from the longest one, and so prefer themselves: point them "
            "all its way.",
            seen=lambda X: (
                ((X @ X[(X**2).sum(axis=1).argmax()]) < 0).any()
                and strict_losers(X).sum() < len(X) - 1
            ),
        ),
    },
)

EXERCISES = {"02.hand": HAND, "02.sources": SOURCES, "02.break": BREAK}
