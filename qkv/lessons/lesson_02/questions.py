"""Lesson 02, a request from inside the sentence: predictions and quiz."""

import numpy as np

from qkv.attention import softmax
from qkv.inputs import inputs
from qkv.questions import number, predict, quiz
from qkv.steady import fixed

_SENTENCES = inputs()["sentences"]
_IDS = _SENTENCES["noor_ids"]
_X = _SENTENCES["embeddings"][_IDS] + _SENTENCES["positions"][: len(_IDS)]
_ON_NOOR = softmax(_X @ _X[9])[0]  # what "she" gives "Noor": quiz 5
_ASKS, _IS_READ = len(_SENTENCES["question"]), len(_SENTENCES["noor"])  # 5 read 13
_N_Q, _N_KV, _WIDTH = 7, 4, 5  # quiz 2

QUESTIONS = {
    "02.the": predict(
        "The token “the” stands at positions 3 and 7 of the sentence. What can you say of their "
        "ids and of x₃ and x₇?",
        [
            (
                "Same id, same vector",
                "The row of the table is the same, but each position adds a vector of its own.",
            ),
            ("Same id, different vectors", "Right: one row of the table, two position vectors."),
            (
                "Different ids, different vectors",
                "An id belongs to a token of the vocabulary, not to a place in the sentence.",
            ),
        ],
        right=1,
        hint="Which of the two summands knows the position?",
    ),
    "02.itself": predict(
        "Reader 10, “she”, matches all thirteen vectors with its own, x₁₀ among them. Must the "
        "largest weight be the one on itself?",
        [
            (
                "Yes: no vector can match x₁₀ better than x₁₀ does",
                "A dot product grows with the length of the other vector: a longer one can win.",
            ),
            (
                "No: another vector may have a larger dot product with x₁₀",
                "Right: the match is no measure of likeness (lesson 01), and length counts.",
            ),
            (
                "No: a reader is not among its own candidates",
                "It is: the whole sequence is read, its own position included.",
            ),
        ],
        right=1,
        hint="Compare 2·2 with 2·3.",
    ),
    "02.sing": predict(
        "“sing” has the same id and stands at position 2 in “Birds sing” and in “Choirs sing”. "
        "Position 2 reads its sentence once. What is equal in the two sentences?",
        [
            (
                "x₂ and the output of position 2",
                "The output mixes in the first word, and that is another one.",
            ),
            (
                "x₂ alone: the outputs differ",
                "Right: x₂ is made before anything is read; the output is made by reading.",
            ),
            (
                "Neither: x₂ already depends on the first word",
                "At the first layer x₂ is made from its token and its position alone.",
            ),
        ],
        right=1,
        hint="What is x₂ made of, and what is the output made of?",
    ),
    "02.shape": number(
        "The question has 5 positions, the sentence 13, and all vectors have width 3. The question "
        "reads the sentence. How many rows and columns have the weights, how many the output?",
        answer=[_ASKS, _IS_READ, _ASKS, 3],
        digits=0,
        labels=("rows of weights", "columns of weights", "rows of output", "columns of output"),
        mistakes={
            "exchanged": (
                [_IS_READ, _ASKS, _IS_READ, 3],
                "You exchanged the two lengths: the question asks, so it has the rows.",
            ),
            "output-per-source": (
                [_ASKS, _IS_READ, _IS_READ, 3],
                "The weights are right; but it is each reader that gets an output.",
            ),
            "self": (
                [_ASKS, _ASKS, _ASKS, 3],
                "This is the question reading itself: the columns belong to the sentence.",
            ),
        },
        hint="One row per reader.",
        right="Right: one row per reader in both, one column of weights per position that is read.",
        kind="predict",
    ),
    "02.apart": predict(
        "Keys from “Birds sing”, values from “Choirs sing”: both have two positions, so all shapes "
        "fit. “sing” of “Birds sing” reads. What happens?",
        [
            ("An error", "Nothing in the shapes tells that the two sentences are not the same."),
            (
                "The output of “Birds sing”",
                "The weights are those of “Birds sing”, but the values come from elsewhere.",
            ),
            (
                "A number without a complaint: “Birds” is found, and “Choirs” is handed over",
                "Right: position 1 of one sentence is matched, position 1 of the other is taken.",
            ),
        ],
        right=2,
        hint="Finding reads keys, taking reads values.",
    ),
    "02.quiz.1": number(
        "From lesson 01: a reader matches all of six candidates by 0. Which weight does the soft "
        "choice give each of them, to 3 decimals?",
        answer=softmax(np.zeros(6))[:1],
        digits=3,
        labels=("a",),
        mistakes={
            "zero": ([0.0], "The weights sum to 1 whatever the matches are."),
            "not-divided": ([1.0], "This is exp(0): divide it by the sum of all six."),
        },
        hint="exp(0) for each, divided by the sum.",
        right="Right: a tie of all six.",
    ),
    "02.quiz.2": number(
        "7 positions read a sequence of 4; every vector has width 5. How many weights are there, "
        "and how many numbers do all outputs together hold?",
        answer=[_N_Q * _N_KV, _N_Q * _WIDTH],
        digits=0,
        labels=("weights", "numbers in the output"),
        mistakes={
            "output-per-source": (
                [_N_Q * _N_KV, _N_KV * _WIDTH],
                "The weights are right; but outputs belong to readers, and there are 7.",
            ),
            "self": (
                [_N_Q**2, _N_Q * _WIDTH],
                "These are the weights of a sequence that reads itself: here 4 positions are read.",
            ),
        },
        hint="Weights: one per pair of reader and candidate.",
        right="Right: 7 × 4 weights, and 7 outputs of width 5.",
    ),
    "02.quiz.3": quiz(
        "What does the word “self” in self-attention say?",
        [
            (
                "Each position reads itself",
                "It may, among others: its row of weights covers the whole sequence.",
            ),
            (
                "Readers and what they read come from one sequence",
                "Right: queries, keys and values are made from the same sequence.",
            ),
            (
                "The model is aware of itself",
                "The word names where vectors come from, and nothing about a mind.",
            ),
            (
                "The match is a dot product",
                "That is how matches are scored, a choice of its own: both cases can use it.",
            ),
        ],
        right=1,
        hint="What changes when a question reads the sentence instead?",
    ),
    "02.quiz.4": quiz(
        "At the first layer, what does the request of position 10 depend on?",
        [
            ("On the whole sentence", "The sentence is what the request is about to read."),
            (
                "On the tokens before position 10",
                "No other token has a part in x₁₀ yet: nothing has been read.",
            ),
            (
                "On the token at position 10 and on the number 10",
                "Right: x₁₀ is a row of the table plus a position vector, and the request is made "
                "from x₁₀ alone.",
            ),
        ],
        right=2,
        hint="What is x₁₀ made of?",
    ),
    "02.quiz.5": quiz(
        f"In this lesson “she” gives “Noor” a weight of {fixed(_ON_NOOR, 4)}, more than any other "
        "position. What does that show?",
        [
            (
                "That one read links a pronoun to its name",
                "The read handed over a mixture of thirteen vectors. No link was made.",
            ),
            (
                "That models learn who “she” is",
                "No model was trained here: the table was written by hand.",
            ),
            (
                "How three numbers per token turn into weights",
                "Right: another table made by hand would give other weights.",
            ),
        ],
        right=2,
        hint="Where do the numbers of the table come from?",
    ),
}
