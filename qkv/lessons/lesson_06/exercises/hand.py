"""By hand: d_k = 4, three candidates, values of width 2, so that no two divisors are the same."""

import numpy as np

from qkv.checks import HandExercise, Mistake

from .attention import row_softmax

HAND_Q = np.array([[1.0, 1, 1, 1]])
HAND_K = np.array([[1.0, 2, 0, 1], [1, -1, 0, 0], [0, 1, 1, 0]])
HAND_V = np.array([[1.0, 0], [0, 2], [3, 1]])


def hand(Q=HAND_Q, K=HAND_K, V=HAND_V, divisor=2.0, after=1.0):
    weights = row_softmax(Q @ K.T / divisor) / after
    return np.concatenate([weights[0], (weights @ V)[0]])


HAND = HandExercise(
    text=(
        "One reader, three candidates. q = [1, 1, 1, 1]. Keys: k₁ = [1, 2, 0, 1], "
        "k₂ = [1, −1, 0, 0], k₃ = [0, 1, 1, 0]. Values: v₁ = [1, 0], v₂ = [0, 2], v₃ = [3, 1]. "
        "What are the three weights and the two coordinates of the output, to 3 decimals?"
    ),
    labels=("a₁", "a₂", "a₃", "o₁", "o₂"),
    answer=hand(),
    digits=3,
    hint="Three raw scores; divide each by √dₖ = 2; exponentiate; divide by the sum of the three.",
    right="Right: scores 2, 0 and 1, then their exponentials over the sum of all three.",
    mistakes={
        "no-scale": Mistake(
            hand(divisor=1.0),
            "These are the weights of the raw scores 4, 0 and 2: divide them by √dₖ = 2 first.",
        ),
        "scale-d-k": Mistake(
            hand(divisor=4.0), "You divided by dₖ = 4: the divisor is its square root, 2."
        ),
        "scale-sqrt-n": Mistake(
            hand(divisor=np.sqrt(3)),
            "You divided by √3, from the number of candidates: the keys have 4 coordinates.",
        ),
        "scale-sqrt-d-v": Mistake(
            hand(divisor=np.sqrt(2)),
            "You divided by √2, from the width of a value: the keys have 4 coordinates.",
        ),
        "scaled-after-softmax": Mistake(
            hand(divisor=1.0, after=2.0),
            "Your weights sum to one half: divide the scores by 2, not the weights.",
        ),
        "no-exp": Mistake(
            np.concatenate([[4 / 6, 0, 2 / 6], np.array([4 / 6, 0, 2 / 6]) @ HAND_V]),
            "You divided the scores by their sum: exponentiate each one first.",
        ),
        "no-softmax": Mistake(
            np.concatenate([[2, 0, 1], np.array([2, 0, 1]) @ HAND_V]),
            "These are scores, and you mixed with them: exponentiate, then divide by the sum.",
            np.concatenate([[4, 0, 2], np.array([4, 0, 2]) @ HAND_V]),
            np.concatenate([np.exp([2, 0, 1]), np.exp([2, 0, 1]) @ HAND_V]),
        ),
        "uniform": Mistake(
            np.concatenate([np.full(3, 1 / 3), HAND_V.mean(axis=0)]),
            "Equal weights: the scores 2, 0 and 1 are not equal, so the weights are not either.",
        ),
        "hard-argmax": Mistake(
            [1, 0, 0, 1, 0],
            "You gave all the weight to the largest score: softmax leaves some to the others.",
        ),
    },
)
