"""In code: from the shape of the weights to the vectors that one reader needs."""

import numpy as np

from qkv.checks import CodeExercise, Mistake, soft


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
