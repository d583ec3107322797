"""Lesson 03, projections: predictions and quiz. Numbers are computed, never typed."""

from qkv.questions import number, predict, quiz

_D_MODEL, _D_K, _D_V, _N = 12, 4, 5, 100  # quiz 1


def _parameters(d_model, d_k, d_v):
    return d_model * (2 * d_k + d_v)


_WIDE = _parameters(512, 64, 64)

QUESTIONS = {
    "03.count": predict(
        "x has 512 numbers, queries, keys and values have 64 each. How many numbers do the three "
        "matrices hold for a sequence of 10 positions, and how many for one of 1,000?",
        [
            (
                f"{_WIDE:,} both times",
                "Right: 512 · (64 + 64 + 64). The length of the sequence is nowhere in it.",
            ),
            (
                "A hundred times as many for 1,000 positions",
                "Q, K and V grow with the sequence. The matrices are shared by all positions.",
            ),
            (
                "Ten thousand times as many, one set for each pair",
                "Pairs get raw scores, which are computed. The matrices are the same for all.",
            ),
        ],
        right=0,
        hint="Write down the shapes of the three matrices and look for n.",
    ),
    "03.weights": predict(
        "XXᵀ is symmetric. Each of its rows is turned into weights by softmax. Is the table of "
        "weights symmetric too?",
        [
            (
                "Yes: exp of equal numbers gives equal numbers",
                "The exponentials are symmetric. Then each row is divided by a sum of its own.",
            ),
            (
                "No: rows have different denominators",
                "Right: the same exponential is divided by row i’s sum here and by row j’s there.",
            ),
            (
                "Yes, because no raw score here is negative",
                "exp makes every number positive anyway. The denominators still differ.",
            ),
        ],
        right=1,
        hint="What is a₁₃ divided by, and what is a₃₁ divided by?",
    ),
    "03.copy": predict(
        "The query is q = [1, 1]. Which of these keys gets the largest raw score?",
        [
            ("[1, 1], an exact copy of q", "Its raw score is 1 + 1: two longer keys beat it."),
            ("[2, 2], in the direction of q", "It gets 2 + 2, twice the copy’s, and still loses."),
            (
                "[5, 0], in another direction",
                "Right: it gets 5 + 0. It is far longer, and a dot product grows with length.",
            ),
        ],
        right=2,
        hint="Work out the three dot products.",
    ),
    "03.gauge": predict(
        "You replace `W_Q` by `W_Q @ R`, with R = [[2, 1], [1, 1]]. All queries change. Can you "
        "choose another `W_K`, once, such that no raw score moves, whatever X is?",
        [
            (
                "No: other queries have other raw scores",
                "A raw score is a product of two factors. The second can undo the first.",
            ),
            (
                "Yes: multiply `W_K` by R as well",
                "Then the product holds R Rᵀ, which is the identity for rotations alone.",
            ),
            (
                "Yes: multiply `W_K` by the inverse of R",
                "Nearly: the product W_Q W_Kᵀ transposes what you do to `W_K`.",
            ),
            (
                "Yes: multiply `W_K` by the inverse of R, transposed",
                "Right: in W_Q R (W_K R⁻ᵀ)ᵀ = W_Q R R⁻¹ W_Kᵀ the two cancel.",
            ),
        ],
        right=3,
        hint="Every raw score is made with W_Q W_Kᵀ. Put W_Q R in it.",
    ),
    "03.quiz.1": number(
        f"d_model = {_D_MODEL}, dₖ = {_D_K}, d_v = {_D_V}, n = {_N}. How many parameters do the "
        "three matrices have together?",
        answer=_parameters(_D_MODEL, _D_K, _D_V),
        digits=0,
        labels=("parameters",),
        mistakes={
            "times-n": (
                _N * _parameters(_D_MODEL, _D_K, _D_V),
                "All positions share the matrices: n plays no part.",
            ),
            "counts-the-tables": (
                _N * (2 * _D_K + _D_V),
                "These are the numbers in Q, K and V: the question asks for the matrices.",
            ),
            "one-d-k": (
                _D_MODEL * (_D_K + _D_V),
                "Queries and keys have a matrix each: count dₖ twice.",
            ),
            "one-width": (_D_MODEL * 3 * _D_K, "Values have a width of their own, d_v."),
        },
        hint="Two matrices of shape (d_model, dₖ) and one of shape (d_model, d_v).",
        right="Right: 12 · (4 + 4 + 5), for any n.",
    ),
    "03.quiz.2": quiz(
        "Two positions of a sequence hold equal vectors: x₂ and x₅ are the same. What about their "
        "queries, keys and values?",
        [
            (
                "They differ, because the positions do",
                "A projection sees x alone. To tell places apart, x itself must differ.",
            ),
            (
                "They are equal: the two ask for the same, and every reader finds them alike",
                "Right: the same matrices on the same x. A position enters only through x.",
            ),
            (
                "Keys and values are equal, queries differ",
                "The query is made like the others, from x alone.",
            ),
            (
                "It depends on the other positions",
                "Projections mix no positions, so the others play no part.",
            ),
        ],
        right=1,
        hint="What goes into q₂?",
    ),
    "03.quiz.3": quiz(
        "d_model = 512 and dₖ = 64. What is true of W_Q W_Kᵀ?",
        [
            ("It is 64 by 64", "That is the shape of W_Qᵀ W_K, which is in no raw score."),
            (
                "It is 512 by 512 and of rank 512",
                "It is a sum of 64 products column · row, each of rank 1.",
            ),
            (
                "It is 512 by 512 and of rank 64 at most",
                "Right: so there are directions of x that no query carries.",
            ),
            (
                "It is 512 by 512 and symmetric",
                "Only when W_Q W_Kᵀ happens to equal W_K W_Qᵀ. Nothing sees to that.",
            ),
        ],
        right=2,
        hint="The raw score is xᵢᵀ (W_Q W_Kᵀ) xⱼ.",
    ),
    "03.quiz.4": quiz(
        "A trained model has a large first number in the query of “she”. What can you say about "
        "it?",
        [
            (
                "Coordinate 1 stands for the person meant",
                "Nobody gave it that meaning; another gauge has other coordinates and the same "
                "raw scores.",
            ),
            (
                "Nothing yet: raw scores depend on W_Q W_Kᵀ, not on single coordinates of q",
                "Right: (W_Q R, W_K R⁻ᵀ) changes the number and no raw score.",
            ),
            (
                "“she” will give its largest weight to itself",
                "Weights come from raw scores with all keys. One number of q decides none.",
            ),
        ],
        right=1,
        hint="Which changes of W_Q and W_K does no raw score notice?",
    ),
    "03.quiz.5": quiz(
        "From lesson 01: candidates shall hand over something else, and be found exactly as "
        "before. Which matrix do you change?",
        [
            ("W_Q", "Then readers ask otherwise, and find otherwise."),
            ("W_K", "Then candidates are found otherwise: keys serve for matching."),
            ("W_V", "Right: no value enters a raw score, so no match moves."),
            ("All three", "W_Q and W_K decide who finds whom, and that was to stay."),
        ],
        right=2,
        hint="Finding uses queries and keys.",
    ),
}
