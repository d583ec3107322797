"""By hand: two positions; W_Q W_Kᵀ is not symmetric and no two of the readings below agree."""

import numpy as np

from qkv.checks import HandExercise, Mistake

HAND_X = np.array([[2.0, 1], [1, -1]])
HAND_Q = np.array([[1.0, 2], [0, 1]])
HAND_K = np.array([[1.0, -1], [2, 1]])


def hand(W_Q=HAND_Q, W_K=HAND_K, reader=0, candidate=1, mutual=False):
    Q, K = HAND_X @ W_Q, HAND_X @ W_K
    raw = Q @ K.T
    there = raw[reader, candidate]
    back = there if mutual else raw[candidate, reader]
    return np.array([*Q[reader], *K[candidate], there, back])


def backwards():
    right = hand()
    return np.array([*right[:4], right[5], right[4]])


HAND = HandExercise(
    text=(
        "x₁ = [2, 1] and x₂ = [1, −1]. `W_Q` = [[1, 2], [0, 1]] and `W_K` = [[1, −1], [2, 1]]. "
        "What are q₁ and k₂, the raw score of reader 1 on candidate 2, and the raw score of "
        "reader 2 on candidate 1? Whole numbers."
    ),
    labels=("q₁ first", "q₁ second", "k₂ first", "k₂ second", "raw 1 on 2", "raw 2 on 1"),
    answer=hand(),
    digits=0,
    hint="Each column of a matrix makes one number; for 2 on 1 you also need q₂ and k₁.",
    right="Right: q₁·k₂ and q₂·k₁ have different factors, so they need not agree.",
    mistakes={
        "w-transposed": Mistake(
            hand(W_Q=HAND_Q.T, W_K=HAND_K.T),
            "You multiplied with the rows of the matrices: each number of q or k comes from a "
            "column.",
            hand(W_Q=HAND_Q.T),
            hand(W_K=HAND_K.T),
        ),
        "k-with-w-q": Mistake(
            hand(W_K=HAND_Q),
            "You made the keys with W_Q: they have a matrix of their own, W_K.",
        ),
        "matrices-exchanged": Mistake(
            hand(W_Q=HAND_K, W_K=HAND_Q),
            "You made queries with W_K and keys with W_Q: exchange them.",
        ),
        "positions-exchanged": Mistake(
            hand(reader=1, candidate=0),
            "These are q₂ and k₁: asked are the query of position 1 and the key of position 2.",
        ),
        "assumes-symmetry": Mistake(
            hand(mutual=True),
            "You took both raw scores to be equal: reader 2 asks with q₂ and finds k₁.",
        ),
        "raw-scores-exchanged": Mistake(
            backwards(),
            "Your vectors are right, but the raw scores have changed places: reader 1 on "
            "candidate 2 is q₁·k₂.",
        ),
        "no-projection": Mistake(
            hand(W_Q=np.eye(2), W_K=np.eye(2)),
            "You used x₁ and x₂ themselves: project them first.",
        ),
    },
)
