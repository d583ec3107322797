"""By hand: three scores for which squares, powers of 2 and plain shares all differ from softmax."""

import numpy as np

from qkv.attention import softmax
from qkv.checks import HandExercise, Mistake

from .softmax import shares

HAND_E = np.array([2.0, 0, 1])
HAND_V = np.array([[5.0, 0], [0, 5], [5, 10]])


def mixed(weights):
    return [*weights, *(weights @ HAND_V)]


HAND = HandExercise(
    text="Scores e = [2, 0, 1]; values v₁ = [5, 0], v₂ = [0, 5], v₃ = [5, 10]. Which weights does "
    "softmax give, and which output o? Round to 2 decimals at the end.",
    labels=("a₁", "a₂", "a₃", "o₁", "o₂"),
    answer=mixed(softmax(HAND_E)),
    digits=2,
    hint="Take exp of each score, add the three up, and divide each by the sum.",
    right="Right: three exponentials over their sum, then one mixture of the values.",
    mistakes={
        "raw": Mistake(
            mixed(HAND_E),
            "You mixed with the scores themselves: weights are positive and sum to 1.",
        ),
        "not-exponentiated": Mistake(
            mixed(shares(HAND_E)),
            "You divided the scores by their sum: exp comes first. Here it gave candidate 2 "
            "nothing at all.",
        ),
        "not-divided": Mistake(
            mixed(np.exp(HAND_E)),
            "These are the exponentials: divide each by the sum of the three.",
            [*np.exp(HAND_E), *(softmax(HAND_E) @ HAND_V)],
            [*softmax(HAND_E), *(np.exp(HAND_E) @ HAND_V)],
        ),
        "squares": Mistake(
            mixed(shares(HAND_E**2)), "You used squares: softmax takes exp of each score."
        ),
        "base-2": Mistake(
            mixed(shares(2.0**HAND_E)), "You used powers of 2: the base is e, about 2.718."
        ),
        "base-10": Mistake(
            mixed(shares(10.0**HAND_E)), "You used powers of 10: the base is e, about 2.718."
        ),
        "scaled": Mistake(
            mixed(softmax(HAND_E / np.sqrt(2))),
            "You divided the scores by a root. A score has been divided already: it is what "
            "softmax receives.",
            mixed(softmax(HAND_E / np.sqrt(3))),
        ),
        "sign": Mistake(
            mixed(softmax(-HAND_E)),
            "Your largest score has the smallest weight: the exponent has the wrong sign.",
        ),
        "hard": Mistake(
            mixed(np.array([1.0, 0, 0])),
            "You took the best candidate alone: softmax gives every candidate a share.",
        ),
        "divided-by-n": Mistake(
            [*softmax(HAND_E), *(softmax(HAND_E) @ HAND_V / 3)],
            "The weights are right. Don't divide the output by 3: the weights already share out 1.",
        ),
    },
)
