"""By hand: one causal row, and the same row with its future set to 0 too late."""

import numpy as np

from qkv.checks import HandExercise, Mistake
from qkv.steady import fixed

EXP = np.array([2.0, 6.0, 12.0])  # the exponentials of reader 2's scores
VALUES = np.array([8.0, 4.0, 20.0])


def by_hand(exp, total, zeroed):
    a = np.asarray(exp) / total
    return [a[0], a[1], a @ VALUES, zeroed]


MASKED = EXP * [1, 1, 0]
ZEROED = MASKED.sum() / EXP.sum()
SCORES = np.log(EXP)

HAND = HandExercise(
    text=(
        "Three positions. The scores of reader 2 are "
        + ", ".join(f"{fixed(e, 4)}" for e in SCORES)
        + " (their exponentials are 2, 6 and 12). The values are the numbers 8, 4 and 20. Read "
        "causally: what are the weights a₂₁ and a₂₂ and the output o₂? And what does row 2 of the "
        "weights sum to if its future is set to 0 after the softmax instead? Two decimals."
    ),
    labels=("a₂₁", "a₂₂", "o₂", "sum if zeroed late"),
    answer=by_hand(MASKED, MASKED.sum(), ZEROED),
    digits=2,
    hint="Which of the three exponentials belong in the denominator of a causal row 2?",
    right="Right: 2 and 6 share the row; zeroing after softmax leaves 8 of 20 parts.",
    mistakes={
        "future-kept": Mistake(
            by_hand(EXP, EXP.sum(), ZEROED),
            "Position 3 lies in the future of reader 2 and still takes part in your read.",
            by_hand(EXP, EXP.sum(), 1),
        ),
        "mask-after-softmax": Mistake(
            by_hand(MASKED, EXP.sum(), ZEROED),
            "The future's exponential 12 still stands in your denominator: block the score before "
            "the softmax.",
        ),
        "zeros-for-infinity": Mistake(
            by_hand([2, 6, 1], 9, ZEROED),
            "You gave the blocked position the score 0, and exp(0) = 1 still takes a share.",
            by_hand(MASKED, 9, ZEROED),
        ),
        "blocks-itself": Mistake(
            by_hand([2, 0, 0], 2, ZEROED),
            "You blocked position 2 for reader 2: a reader may read itself.",
            by_hand([2, 0, 0], 2, 2 / EXP.sum()),
        ),
        "no-exp": Mistake(
            by_hand(SCORES * [1, 1, 0], SCORES[:2].sum(), ZEROED),
            "You shared out the scores themselves: exponentiate them first.",
            by_hand(SCORES * [1, 1, 0], SCORES[:2].sum(), SCORES[:2].sum() / SCORES.sum()),
        ),
        "sum-stays-1": Mistake(
            by_hand(MASKED, MASKED.sum(), 1),
            "The causal row is right. Zeroing after the softmax takes the future's share away and "
            "gives it to no one, so the sum is below 1.",
        ),
        "lost-share": Mistake(
            by_hand(MASKED, MASKED.sum(), 1 - ZEROED),
            "The causal row is right. The last number is the share that was thrown away: the "
            "question asks for the share that is left.",
        ),
    },
)
