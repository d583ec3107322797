"""Reading a lesson as text: its Markdown without code, its sentences, its numbers.

    python tests/lessons/prose.py notebooks/06_whole_sequence.ipynb

prints the reading time and everything that the style test and the numbers test object to.
"""

import re
import sys
from decimal import Decimal, InvalidOperation
from pathlib import Path

import nbformat
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
LESSONS = sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))

FENCE = re.compile(r"^(```|~~~).*?^\1\s*$", re.M | re.S)
DISPLAY = re.compile(r"\$\$(.+?)\$\$", re.S)
INLINE = re.compile(r"(?<![\\$])\$(?!\$)([^$]+?)\$(?!\$)")
CODE = re.compile(r"`([^`]+)`")
IMAGE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)\s]+)\)")
TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
COMMENT = re.compile(r"<!--.*?-->", re.S)

WORDS_A_MINUTE, FORMULAS_A_MINUTE = 200, 2
SENTENCE, LINE, LINES = 35, 95, 6


def load(path):
    return nbformat.read(path, as_version=4)


def number_of(path):
    return path.name[:2]


def markdown(notebook):
    """All Markdown of a notebook as one text, without fenced code and comments."""
    text = "\n\n".join(c.source for c in notebook.cells if c.cell_type == "markdown")
    return COMMENT.sub("", FENCE.sub("", text))


def section(text, title):
    """The text under one `## title`, up to the next of its kind; "" when there is none."""
    parts = re.split(r"^## ", text, flags=re.M)
    return next((part for part in parts[1:] if part.split("\n")[0].strip() == title), "")


def without_section(text, title):
    part = section(text, title)
    return text.replace(f"## {part}", "") if part else text


# ---------------------------------------------------------------- paragraphs and sentences


def paragraphs(text):
    """Paragraphs and list items as a reader sees them; headings, tables and formulas are none."""
    text = DISPLAY.sub("\n\n", text)
    text = IMAGE.sub("", text)
    text = re.sub(r"</?(details|summary|p|div|ul|ol|li)[^<>]*>", "\n\n", text)
    for block in re.split(r"\n\s*\n", text):
        lines = [line for line in block.splitlines() if line.strip()]
        if not lines or lines[0].lstrip().startswith(("#", "|")):
            continue
        for item in re.split(r"^\s*(?:[-*+]|\d+\.)\s+", "\n".join(lines), flags=re.M):
            item = re.sub(r"^\s*>\s?", "", item, flags=re.M)
            if item.strip():
                yield " ".join(item.split())


def readable(paragraph):
    """A paragraph roughly as long as it looks: links by their words, formulas by their signs."""
    paragraph = LINK.sub(r"\1", paragraph)
    paragraph = INLINE.sub(lambda m: signs(m[1]), paragraph)
    paragraph = CODE.sub(r"\1", paragraph)
    return TAG.sub("", paragraph).replace("**", "")


def signs(formula):
    formula = re.sub(r"\\textcolor\{[^}]*\}", "", formula)
    formula = re.sub(r"\\(text|mathrm|operatorname|mathbf)\b", "", formula)
    formula = re.sub(r"\\[a-zA-Z]+", "x", formula)
    return re.sub(r"[{}_^\\\s]", "", formula)


def sentences(paragraph):
    """Sentences of one paragraph, with each formula and each piece of code as one word."""
    text = LINK.sub(r"\1", paragraph)
    text = CODE.sub("code", INLINE.sub("formula", text))
    text = TAG.sub(" ", text).replace("**", "")
    text = re.sub(r"\b(et al|e\.g|i\.e|cf|vs|Dr|Eq|Sec|Fig|pp?)\.", r"\1", text)
    return [s for s in re.split(r"(?<=[.!?])[\"”’)]*\s+(?=[\"“‘(A-Z0-9]|formula|code)", text) if s]


def words(sentence):
    return [word for word in sentence.split() if re.search(r"\w", word)]


def long_sentences(text):
    return [s for p in paragraphs(text) for s in sentences(p) if len(words(s)) > SENTENCE]


def long_paragraphs(text):
    return [p for p in paragraphs(text) if -(-len(readable(p)) // LINE) > LINES]


# ---------------------------------------------------------------- reading time


def reading_time(text):
    """Minutes to read a lesson's text: 200 words and 2 formulas a minute.

    A formula is one set on lines of its own ($$…$$). A formula within a line, and a piece of
    code within a line, is read as one word. Headings, lists, tables, hints and solutions count;
    code in cells and fences, widgets and exercises take time of their own and do not.
    """
    formulas = len(DISPLAY.findall(text))
    rest = IMAGE.sub("", DISPLAY.sub("", text))
    rest = CODE.sub("code", INLINE.sub("formula", LINK.sub(r"\1", rest)))
    rest = TAG.sub(" ", rest)
    return len(words(rest)) / WORDS_A_MINUTE + formulas / FORMULAS_A_MINUTE


def stated_time(text):
    found = re.search(r"\*\*Time:\*\* about (\d+) minutes?\.", text)
    return int(found[1]) if found else None


# ---------------------------------------------------------------- numbers

NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?"
SIGNED = re.compile(rf"(?<![\w.#])([-−+]\s?)?(?<![\w.])({NUMBER})(?![\w])(?!\.\d)")
ASIDE = re.compile(
    r"(arXiv[: ]?\s*\d{4}\.\d{4,5}(v\d+)?"
    r"|doi[: ]\s*\S+"
    r"|\b(Python|NumPy|PyTorch|[Tt]orch|version|[Ss]ections?|§|[Cc]hapter|[Ee]quation|[Ee]q\.?"
    r"|[Ff]igure|[Tt]able|[Ll]essons?)\s*\d+(\.\d+)*"
    r"|(?<![\d.])(19|20)\d\d(?![\d.]*\d)"  # years
    r"|\b\d\d\.[a-z_]+(\.\d+)?)"  # ids of exercises and questions
)
AFTER = re.compile(r"(?:(?<![<>!=≠≤≥])=(?!=)|\bgives\b)")
OPEN = re.compile(r"^(?:\s|\$|\*|`|&|~|\\[,;:!]|\\left|\\bigl?|\\quad|\\textcolor\{[^}]*\}|\{)*")
BRACKETS = re.compile(
    r"^(?:\\begin\{[a-z]*matrix\}.*?\\end\{[a-z]*matrix\}|[\[(][^\])=]*[\])])", re.S
)
FIRST = re.compile(rf"^[-−+]?\s?{NUMBER}(?![\w])")


def stated(text):
    """Numbers in prose that must come from somewhere: decimals, integers of three digits or
    more, and what follows "=" or "gives" → list of strings, in order."""
    text = IMAGE.sub(r"\1", without_section(text, "Sources"))
    text = LINK.sub(r"\1", text)
    text = re.sub(r"https?://\S+", "", text)
    text = re.sub(r"\\textcolor\{[^}]*\}", "", text)
    text = ASIDE.sub(" ", TAG.sub(" ", text))
    found = []
    for match in SIGNED.finditer(text):
        if "." in match[2] or len(re.sub(r"\D", "", match[2])) >= 3:
            found.append((match.start(), _sign(match, text) + match[2]))
    for match in AFTER.finditer(text):
        rest = text[match.end() :]
        start = match.end() + OPEN.match(rest).end()
        rest = text[start : start + 400]
        bracket = BRACKETS.match(rest)
        first = FIRST.match(rest)
        run = bracket[0] if bracket else first[0] if first else ""
        run = re.sub(r"\\[a-zA-Z]+(\{[a-z]*matrix\})?", " ", run)
        for number in re.finditer(rf"([-−]\s?)?(?<![\w.])({NUMBER})(?![\w])", run):
            found.append((start + number.start(), (number[1] or "") + number[2]))
    ordered = dict.fromkeys(number for _, number in sorted(found))
    return list(ordered)


def _sign(match, text):
    """A minus is a sign where it touches the number and nothing touches it: x-3.5 subtracts."""
    if not match[1] or match[1] not in "-−":
        return ""
    before = text[match.start() - 1 : match.start()]
    return "" if before.isalnum() or before in set(")]}") else "-"


def printed(notebook):
    """All numbers that stand in the outputs of a notebook, as Decimals with both signs known."""
    text = []
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            text.append(output.get("text", ""))
            data = output.get("data", {})
            text += [data.get("text/plain", ""), data.get("text/markdown", "")]
            text.append(TAG.sub(" ", data.get("text/html", "")))
    return numbers_in("\n".join(text))


def numbers_in(text):
    text = re.sub(r"\\[a-zA-Z]+(\{#[0-9A-F]{6}\})?", " ", text).replace("−", "-")
    found = set()
    for number in re.findall(r"-?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?", text):
        for part in {number.replace(",", ""), *number.split(",")}:
            try:
                found.add(Decimal(part))
            except InvalidOperation:
                pass
    return found


def input_numbers():
    """All numbers of the shared inputs."""
    import qkv

    found = set()
    for example in qkv.inputs().values():
        for value in example.values():
            array = np.asarray(value)
            if array.dtype.kind in "iuf":
                found.update(Decimal(repr(float(x))) for x in array.ravel())
            elif array.dtype.kind in "US":
                found.update(numbers_in(" ".join(array.ravel().tolist())))
    return found


def unfounded(text, known):
    """Numbers stated in prose that are neither inputs nor printed."""
    known = known | {abs(x) for x in known}
    return [n for n in stated(text) if not _known(n.replace("−", "-").replace(" ", ""), known)]


def _known(number, known):
    parts = number.split(",")  # 1,000 may be two numbers of a list
    return Decimal("".join(parts)) in known or all(Decimal(part) in known for part in parts)


# ---------------------------------------------------------------- style

FILLER = re.compile(
    r"\b(simply|just|obvious(ly)?|clearly|trivially|basically|of course|needless to say|"
    r"as we all know|it is easy to see|it should be noted|in order to|delve|leverag\w+|powerful|"
    r"crucial(ly)?|dive into|magic(al)?|amazing|fascinating|beautiful(ly)?|elegant(ly)?|"
    r"seamless(ly)?|exciting|remarkabl[ey]|incredibl[ey]|color(s|ed)?|neighbors?|behaviors?)\b",
    re.I,
)
WORKSHOP = re.compile(
    r"(/work/|/tmp/|\bsub-?agents?\b|\bClaude\b|\bAnthropic\b|\bChatGPT\b|\bthis session\b|"
    r"\blead author's brief\b|\bAI[- ]generated\b|\bas an AI\b|\bPLAN\.md\b)",
    re.I,
)


def plain(text):
    """Prose without formulas, code, addresses and tags."""
    text = CODE.sub(" ", INLINE.sub(" ", DISPLAY.sub(" ", text)))
    return re.sub(r"https?://\S+", " ", TAG.sub(" ", LINK.sub(r"\1", IMAGE.sub(r"\1", text))))


def report(path):
    notebook = load(path)
    text = markdown(notebook)
    print(f"{path.name}: {reading_time(text):.1f} minutes to read, stated: {stated_time(text)}")
    for what, found in {
        "sentence too long": long_sentences(text),
        "paragraph too long": long_paragraphs(text),
        "filler": [m[0] for m in FILLER.finditer(plain(text))],
        "number neither printed nor an input": unfounded(text, printed(notebook) | input_numbers()),
    }.items():
        for item in found:
            print(f"  {what}: {item}")


if __name__ == "__main__":
    for name in sys.argv[1:] or LESSONS:
        report(Path(name))
