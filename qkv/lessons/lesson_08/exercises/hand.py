"""By hand: the pulls on three scores."""

import numpy as np

from qkv.attention import softmax
from qkv.checks import HandExercise, Mistake

SCORES = np.log([2, 1, 1])
VALUES = np.array([[4, 0], [0, 4], [0, 8]])
GRAD = np.array([1, -1])
WEIGHTS = softmax(SCORES)
GAINS = VALUES @ GRAD - (WEIGHTS @ VALUES) @ GRAD  # g·(v_j − o)
PULLS = WEIGHTS * GAINS

HAND = HandExercise(
    text=(
        "One reader has three candidates with the scores ln 2, 0 and 0. Their values are "
        "v₁ = [4, 0], v₂ = [0, 4] and v₃ = [0, 8]. The loss has the gradient g = [1, −1] at "
        "the output. What are the three gradients of the loss for the scores?"
    ),
    labels=("∂L/∂e₁", "∂L/∂e₂", "∂L/∂e₃"),
    answer=PULLS,
    digits=2,
    hint="Weights first (exp(ln 2) = 2), then the output o, then g·(vⱼ − o), then times aⱼ.",
    right="Right, and they sum to 0. A descent step lowers score 1 and raises scores 2 and 3.",
    mistakes={
        "forgets-output": Mistake(
            WEIGHTS * (VALUES @ GRAD),
            "You took aⱼ g·vⱼ. What counts is how far vⱼ lies from the output: g·(vⱼ − o).",
        ),
        "forgets-weight": Mistake(
            GAINS,
            "You took g·(vⱼ − o) without the weight aⱼ: a candidate that is hardly read "
            "moves the output hardly at all.",
        ),
        "rivals-left-out": Mistake(
            WEIGHTS * (1 - WEIGHTS) * (VALUES @ GRAD),
            "You let one weight answer to its score and left its rivals where they were: they "
            "fall, and the output moves by aⱼ (vⱼ − o).",
        ),
        "descent-sign": Mistake(
            -PULLS,
            "These are the directions of a descent step. The gradient itself has the other sign.",
        ),
        "scaled": Mistake(
            PULLS / np.sqrt(2),
            "You divided by √2. The scores here are what softmax receives: the scale comes in "
            "one step later, on the way to q and k.",
        ),
        "equal-weights": Mistake(
            (VALUES @ GRAD - VALUES.mean(0) @ GRAD) / 3,
            "You gave all candidates the weight 1/3. The scores differ: exp(ln 2) = 2.",
        ),
    },
)
