"""By hand: three tokens, from their ids to the output of the last one. All matches are whole."""

import numpy as np

from qkv.attention import _softmax
from qkv.checks import HandExercise, Mistake

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
