"""The notation page's words, in all prose: score, weight, output; reader/row, candidate/column.

A rule is a pattern of words that mixes two of them. What stands in quotation marks is another
author's word and is left alone; so are titles of papers (Sources) and the wrong choices of a
quiz, which are there to be wrong. Formulas keep their letters, without colours.
"""

import re
from pathlib import Path

import prose
import pytest

import qkv
from qkv import checks, questions

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "book").glob("*.md"))
FIGURES = sorted((ROOT / "figures").glob("*.svg"))

QUOTED = re.compile(r"“[^”\n]*”|‘[^’\n]*’|\"[^\"\n]*\"")
BE = r"(?:is|are|was|were|becomes?|gives?|holds?|belongs? to)"
SUM = r"(?:sum|sums|summing|add|adds) (?:up )?to (?:1|one)\b"
THE = r"(?:(?:a|an|the|one|each|every|all|these|those|its|their|your) )?"
RAW_FORMULA = r"\$\s*q(?:_\{?\w+\}?)?(?:\^\{?\\top\}?)?\s*(?:\\cdot|·|\s)?\s*k(?:_\{?\w+\}?)?\s*\$"

RULES = {
    "attention score: say score or weight": r"\battention scores?\b",
    "softmax makes weights, not scores": (
        r"\b(?:softmax|normali[sz]ed|softmaxed) scores?\b|\bscores? after (?:the )?softmax\b"
        r"|\bsoftmax (?:gives|returns|makes|yields)(?: \w+){0,3} scores\b"
    ),
    "softmax receives scores, not weights": (
        r"\bweights? (?:before|ahead of|that enter) (?:the )?softmax\b"
        rf"|\bsoftmax (?:of|over|on|to) {THE}(?:rows? of )?weights\b"
    ),
    "weights sum to 1, scores do not": (
        rf"\bscores?(?: of {THE}(?:row|reader))? (?:always |must |should |do |will )*{SUM}"
        rf"|\brows? of (?:the )?(?:raw )?scores? {SUM}"
    ),
    "columns sum to no fixed number": rf"\b(?:each|every|a|its) column(?: of weights)? {SUM}",
    "the divisor turns a raw score into a score": (
        rf"(?<!raw )\bscores? {THE}{RAW_FORMULA}|\braw scores? {THE}\$e_"
    ),
    "e is a score, a is a weight, o is an output": (
        r"\bweights? \$e_|\bscores? \$a_|\bscores? \$o_|\bweights? \$o_"
        r"|\boutputs? \$(?:a|e)_|\boutputs? \$v_"
    ),
    "an output is not a weight or a score": (
        rf"\boutputs? (?:scores?|weights?)\b|\b(?:weights?|scores?) {BE} {THE}outputs?\b"
    ),
    "a weight is not called a probability": (
        r"\battention probabilit\w+|\bweights (?:are|form|give) (?:a |the )?probabilit\w+"
    ),
    "the reader is the row, i": (
        rf"\breaders? {BE} {THE}columns?\b|\bcolumns? {BE} {THE}readers?\b"
        rf"|\breader \$?j\b|\brow \$?j\$? (?:of the (?:scores|weights)|{BE} {THE}reader)"
    ),
    "the candidate is the column, j": (
        rf"\bcandidates? {BE} {THE}rows? of (?:the )?(?:scores|weights)\b"
        rf"|\bcandidate \$?i\b|\bcolumn \$?i\$? (?:of the (?:scores|weights)|{BE} {THE}candidate)"
    ),
    "a score is no logit, energy or similarity here": (
        r"\battention (?:logits?|energ(?:y|ies))\b|\bsimilarity scores?\b|\bpre-softmax\b"
        r"|\balignment (?:scores?|weights?|vectors?)\b"
    ),
}
RULES = {name: re.compile(pattern, re.I) for name, pattern in RULES.items()}


def mixed(text):
    """Where a text mixes two words → list of "rule: …what was found…"."""
    text = re.sub(r"\\textcolor\{[^}]*\}\{((?:[^{}]|\{[^{}]*\})*)\}", r"\1", text)
    text = prose.LINK.sub(r"\1", prose.IMAGE.sub(r"\1", prose.without_section(text, "Sources")))
    text = QUOTED.sub(" ", text.replace("**", "").replace("*", "").replace("`", ""))
    text = " ".join(prose.TAG.sub(" ", text).split())
    return [f"{name}: …{m[0]}…" for name, rule in RULES.items() for m in rule.finditer(text)]


@pytest.mark.parametrize("path", prose.LESSONS, ids=lambda path: path.stem)
def test_lesson(path):
    assert not mixed(prose.markdown(prose.load(path)))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_page(path):
    assert not mixed(prose.COMMENT.sub("", prose.FENCE.sub("", path.read_text(encoding="utf-8"))))


@pytest.mark.parametrize("path", FIGURES, ids=lambda path: path.stem)
def test_figure(path):
    texts = re.findall(r"<(title|desc|text)\b[^>]*>(.*?)</\1>", path.read_text("utf-8"), re.S)
    assert not [m for _, text in texts for m in mixed(re.sub(r"<[^>]*>", "", text))]


@pytest.mark.parametrize("id", questions.ids())
def test_question(id):
    item = questions.question(id)
    right = [item.choices[item.answer]] if item.choices else []
    messages = [mistake["message"] for mistake in item.mistakes]
    assert not [
        m for t in [item.question, item.hint, *right, *item.why, *messages] for m in mixed(t)
    ]


@pytest.mark.parametrize("id", checks.ids())
def test_checker(id):
    item = checks.exercise(id)
    texts = [item.right, getattr(item, "wrong", ""), getattr(item, "task", "")]
    texts += [mistake.message for mistake in item.mistakes.values()]
    assert not [m for text in texts for m in mixed(text)]


@pytest.mark.parametrize("name", qkv.widgets.NAMES)
def test_widget(name):
    folder = Path(qkv.widgets.__file__).parent / re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
    source = "\n".join(path.read_text("utf-8") for path in sorted(folder.glob("*.js")))
    strings = re.findall(r"`[^`]*`|\"[^\"\n]*\"", source)  # what a reader may be shown
    assert not [m for string in strings for m in mixed(string.strip('`"'))]


@pytest.mark.parametrize(
    "text",
    [
        "The attention score of position 3 is large.",
        "Each row of the table holds softmax scores.",
        "Take the softmax of each row of weights.",
        "The weights before softmax are finite.",
        "The scores of each row sum to 1.",
        "Every column sums to 1.",
        "The score $q_i^\\top k_j$ is divided by the root.",
        "The score $\\textcolor{#0072B2}{q_i}^\\top \\textcolor{#D55E00}{k_j}$ is divided.",
        "The raw score $e_{ij}$ enters softmax.",
        "The weight $e_{ij}$ and the value.",
        "Softmax turns the score $a_{ij}$ into an output.",
        "An output weight of 0.5.",
        "The weights are probabilities.",
        "The column is the reader.",
        "Row j belongs to one reader.",
        "Each **reader** has a column; candidate i is read.",
        "Similarity scores say who reads whom.",
    ],
)
def test_mixed_words_are_found(text):
    assert mixed(text)


@pytest.mark.parametrize(
    "text",
    [
        'Some call the weight an “attention score”; others say "alignment weight".',
        "A score is the number that softmax receives; a row of weights sums to 1.",
        "Softmax turns each row of scores into weights.",
        "The raw score $q_i^\\top k_j$; the score $q_i^\\top k_j/\\sqrt{d_k}$; the score $e_{ij}$.",
        "Row i belongs to reader i, column j to candidate j.",
        "The output $o_i$ is a mixture with the weights $a_{ij}$.",
        "A weight is no probability of being right.",
        "Columns sum to no fixed number. The weights, not the scores, sum to 1.",
        "## Sources\n\nOn attention scores (2020)\n\n## Reproduce\n\nEnd.",
    ],
)
def test_right_words_pass(text):
    assert mixed(text) == []
