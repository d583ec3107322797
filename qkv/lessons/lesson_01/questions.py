"""Lesson 01, the card file: predictions and quiz. Numbers are computed, never typed."""

import numpy as np

from qkv.attention import softmax
from qkv.questions import number, predict, quiz

_MATCHES = np.array([3.0, 2.0])  # quiz 3: two cards, temperature 1

QUESTIONS = {
    "01.twin": predict(
        "A fourth card is filed under bicycle and place as well. It holds “at the station”. "
        "The request stays bicycle, place. What can the tags tell about cards 1 and 4?",
        [
            (
                "Card 1 fits better: the sentence about Noor comes first",
                "No tag says which sentence came first or who it is about.",
            ),
            (
                "Both fit equally well",
                "Right: the same tags give the same count. What the cards hold plays no part.",
            ),
            (
                "Neither fits, because they contradict each other",
                "Finding reads no content, so it can't see a contradiction.",
            ),
        ],
        right=1,
        hint="Count the shared tags of card 4.",
    ),
    "01.nothing": predict(
        "A request asks for no tag at all: q = [0, 0, 0, 0]. What does the hard choice give?",
        [
            (
                "Nothing: the output is [0, 0]",
                "The rule reads the cards with the largest match, and a largest match exists.",
            ),
            ("The content of card 1", "Card 1 has no larger match than the others now."),
            (
                "The mean of all three contents",
                "Right: every match is 0, so all cards are best and share equally.",
            ),
            ("An error", "The rule can be carried out: it finds a tie of all cards."),
        ],
        right=2,
        hint="Write down the three matches, then look for the largest.",
    ),
    "01.soft": predict(
        "Card 3 shares no tag with the request: its match is 0. Which weight does it get from the "
        "soft choice at T = 1?",
        [
            ("Exactly 0", "exp(0) is 1, so its share is above 0. Only a hard choice gives a 0."),
            ("More than 0, less than 1/3", "Right: exp(0) = 1 is the smallest of three shares."),
            ("1/3", "The shares would be equal only if all matches were."),
            ("Less than 0", "exp is positive for every number, so no weight is negative."),
        ],
        right=1,
        hint="What is exp(0)?",
    ),
    "01.change": predict(
        "Cards 1 and 2 exchange what they hold and keep their tags. The request stays. What moves?",
        [
            ("The matches", "A match compares tags, and the tags have stayed."),
            (
                "The output",
                "Right: card 1 is still the one that is found, and it holds something else.",
            ),
            ("Both", "The tags have stayed, so every match stays."),
            ("Neither", "Card 1 is still found, but its content is now another."),
        ],
        right=1,
        hint="Which of the two jobs reads the content?",
    ),
    "01.quiz.1": quiz(
        "From the prerequisites: `keys` has shape (5, 4) and `request` has shape (4,). What is the "
        "shape of `keys @ request`, and what does it hold?",
        [
            ("(5,): one match per card", "Right: each of the 5 rows makes one dot product."),
            ("(4,): one match per tag", "The axis of length 4, the tags, is summed away."),
            ("(5, 4): the tags that are shared", "That is `keys * request`, before summing."),
            ("It fails: the shapes differ", "The inner lengths agree: 4 and 4."),
        ],
        right=0,
        hint="A product (a, b) · (b,) has shape (a,).",
    ),
    "01.quiz.2": quiz(
        "A card is to be found by other requests than before, and to hand over the same as before. "
        "What do you change?",
        [
            ("Its value", "The value is what it hands over: that was to stay."),
            ("The query", "The query belongs to who asks, not to the card."),
            ("Its key", "Right: the key is what the card offers for matching."),
        ],
        right=2,
        hint="Which of the three is compared with a request?",
    ),
    "01.quiz.3": number(
        "Two cards have the matches 3 and 2. Which weights does the soft choice give them at "
        "T = 1, to 3 decimals?",
        answer=softmax(_MATCHES),
        digits=3,
        labels=("a₁", "a₂"),
        mistakes={
            "proportional": (
                _MATCHES / _MATCHES.sum(),
                "These are the matches divided by their sum: exponentiate first.",
            ),
            "hard": (
                [1.0, 0.0],
                "This is the hard choice: in the soft one every card has a share.",
            ),
            "swapped": (softmax(_MATCHES)[::-1], "The larger match gets the larger weight."),
        },
        hint="Only the difference counts: a₁ / a₂ = exp(3 − 2).",
        right="Right: exp(3) and exp(2), each divided by their sum.",
    ),
    "01.quiz.4": quiz(
        "Two cards have equal keys and different values. What can a request do?",
        [
            (
                "Pick the card whose value suits it better",
                "A request is compared with keys alone and never sees a value.",
            ),
            (
                "Find both or neither: their weights are equal",
                "Right: equal keys give equal matches, whatever is asked.",
            ),
            (
                "Find the first one only",
                "The order of the cards plays no part: a tie is shared equally.",
            ),
        ],
        right=1,
        hint="Write down both matches for a request q.",
    ),
    "01.quiz.5": quiz(
        "Which sentence about a Transformer's keys is true?",
        [
            (
                "A key sums up its value",
                "Nothing ties them: a key can stay while its value changes.",
            ),
            ("A key is a list of words", "It is a vector of numbers; no coordinate needs a name."),
            (
                "A key is a vector that queries are multiplied with",
                "Right: it serves for matching and for nothing else.",
            ),
            (
                "A key is an address on the Internet",
                "Candidates are positions of the text at hand.",
            ),
        ],
        right=2,
        hint="Recall where the card file stops.",
    ),
}
