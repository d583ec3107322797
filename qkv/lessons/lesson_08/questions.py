"""Lesson 08, gradients: predictions and quiz. Numbers are computed, never typed."""

import numpy as np

from qkv.questions import number, predict, quiz

# Quiz 3: one key, three readers. E holds the pulls on its column, q the readers' queries.
_E, _Q, _D_K = np.array([0.5, -0.25, 0.75]), np.array([[2.0], [4.0], [6.0]]), 4
_GRAD_K = (_E @ _Q)[0] / np.sqrt(_D_K)

QUESTIONS = {
    "08.rivals": predict(
        "Reader 2 has the weights 0.2483, 0.2483, 0.5035. Only its score of candidate 2 rises a "
        "little. What do the weights of candidates 1 and 3 do?",
        [
            (
                "They stay: their scores did not move",
                "A weight is exp of the score over the sum of all, and that sum grew.",
            ),
            (
                "Both lose equally much",
                "They lose by one factor, not by one amount: the larger one loses more.",
            ),
            (
                "Both lose, and candidate 3 loses about twice as much",
                "Right: rivals pay in proportion to their own weights.",
            ),
            (
                "Candidate 1 loses and candidate 3 gains",
                "No rival gains: the sum in every denominator grew.",
            ),
        ],
        right=2,
        hint="Divide both weights by the same larger sum.",
    ),
    "08.pull": predict(
        "Reader 2 has g₂ = [1, 0]: the loss falls if the first number of o₂ falls. The values are "
        "v₁ = [2, 0], v₂ = [0, 1], v₃ = [2, 1], and o₂ starts with 1.5035. Which scores does a "
        "descent step raise?",
        [
            (
                "e₂₃ alone, the one with the largest weight",
                "v₃ starts with 2. More of it makes the first number of o₂ grow.",
            ),
            (
                "e₂₂ alone",
                "Right: only v₂ lies on the downhill side of o₂, since 0 is less than 1.5035.",
            ),
            (
                "e₂₁ and e₂₃",
                "v₁ and v₃ both start with 2, above 1.5035: the wrong side for this loss.",
            ),
            (
                "All three, some more than others",
                "Raising all scores alike changes no weight. Some have to fall.",
            ),
        ],
        right=1,
        hint="Compare the first number of each value with that of o₂.",
    ),
    "08.step": predict(
        "You check a gradient with central differences in float64. Which step h comes closest to "
        "the truth?",
        [
            (
                "The smallest you can write, such as 1e-12",
                "The two losses then agree in nearly all their digits, and the difference of "
                "the rest is mostly rounding.",
            ),
            (
                "About 1e-5",
                "Right: there the rounding is about as large as what the series leaves out.",
            ),
            (
                "About 0.1, so that rounding plays no part",
                "Rounding is no trouble there, but the loss is not straight within such a step.",
            ),
        ],
        right=1,
        hint="One part of the error grows with h, another part with 1/h.",
    ),
    "08.local": predict(
        "A descent step with η = 0.01 lowers the loss a little. You make the step a thousand "
        "times as long, in the same direction. What happens to the loss?",
        [
            (
                "It falls about a thousand times as much",
                "The loss is a half squared distance, so it can't fall below 0. The straight "
                "line of the prediction can.",
            ),
            (
                "It falls close to 0 and stays there",
                "Nothing stops the step at the lowest point: it goes as far as you send it.",
            ),
            (
                "It rises far above where it began",
                "Right: the step runs past the lowest point and far up the other side.",
            ),
        ],
        right=2,
        hint="The gradient knows the slope here and nothing of what comes later.",
    ),
    "08.told": predict(
        "The tiny reader is told the right value after each answer, never which card it was on. "
        "Where will its largest weight be after training?",
        [
            (
                "Nowhere in particular: the weights are never graded",
                "They are moved all the same. Each weight has a pull, and the pull knows g.",
            ),
            (
                "On the card with the requested key",
                "Right: over many card files it is the only card that lowers the loss each time.",
            ),
            (
                "On the card whose value is most common",
                "Values are drawn with equal chances: no value pays in the long run.",
            ),
        ],
        right=1,
        hint="Which candidate lies downhill in every card file?",
    ),
    "08.quiz.1": quiz(
        "For one reader a₃ = 0.4 and g·(v₃ − o) = 0. What does a descent step on the scores do "
        "to e₃, and why?",
        [
            (
                "It raises e₃, because the weight is large",
                "The weight is a factor: 0.4 times 0 is 0.",
            ),
            (
                "It leaves e₃ alone: to this loss v₃ is as good as the output",
                "Right: a little more of v₃ would change the loss by nothing to first order.",
            ),
            (
                "It lowers e₃ to 0",
                "A gradient says in which direction to move. It sets no score.",
            ),
        ],
        right=1,
    ),
    "08.quiz.2": quiz(
        "With a causal mask, reader 1 may read position 1 alone. How does the loss at reader 1 "
        "move W_Q and W_K?",
        [
            (
                "Not at all: its weight is 1 whatever the score",
                "Right: o₁ = v₁, so g·(v₁ − o₁) is 0. The loss at reader 1 can still move W_V.",
            ),
            (
                "As for any reader",
                "Its only pull is a₁₁ g·(v₁ − o₁), and o₁ is v₁.",
            ),
            (
                "By −∞, from the blocked scores",
                "A blocked weight is 0, and 0 times a finite number is 0. No infinity is left.",
            ),
        ],
        right=0,
    ),
    "08.quiz.3": number(
        "Three readers score one key. The pulls on its column are 0.5, −0.25 and 0.75, the first "
        "numbers of the three queries are 2, 4 and 6, and dₖ = 4. What is the first number of ∇k?",
        answer=_GRAD_K,
        digits=2,
        labels=("∇k₁",),
        mistakes={
            "no-scale": (_GRAD_K * 2, "You left out the divisor √dₖ = 2."),
            "divides-by-width": (_GRAD_K / 2, "You divided by dₖ = 4. The score has √dₖ."),
            "one-reader": (
                [_E[0] * _Q[0, 0] / 2],
                "That is the first reader's part. A key adds up all its readers.",
            ),
            "mean": (_GRAD_K / 3, "You took the mean over the readers. The gradient is a sum."),
        },
        hint="Add up pull times query over the readers, then divide by √dₖ.",
        right="Right: (0.5·2 − 0.25·4 + 0.75·6)/2.",
    ),
    "08.quiz.4": quiz(
        "Lesson 03: you replace W_Q by 2·W_Q and W_K by W_K/2. What happens to the scores, and "
        "what does this say of a trained W_Q?",
        [
            (
                "They double; so the size of W_Q shows how sure the model is",
                "The 2 and the 1/2 cancel in every q·k.",
            ),
            (
                "They stay; so the size of W_Q alone says nothing",
                "Right: only the product W_Q W_Kᵀ enters the scores.",
            ),
            (
                "They stay for this input; for another they may change",
                "The factors cancel for every input: W_Q W_Kᵀ itself is unchanged.",
            ),
        ],
        right=1,
    ),
    "08.quiz.5": quiz(
        "After 400 steps the tiny reader puts its largest weight on the right card. What was it "
        "trained on?",
        [
            (
                "On pairs of a request and the right card",
                "No card was ever marked. The loss compared values only.",
            ),
            (
                "On right values; the link came out of the gradient",
                "Right: prediction is supervised, reading is not.",
            ),
            (
                "On nothing: the link was there from the start",
                "Before training the largest weight is on the right card about as often as chance.",
            ),
        ],
        right=1,
    ),
}
