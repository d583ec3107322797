"""The pages of book/: their style, where their numbers come from, and that they keep their word."""

import re
from functools import cache
from pathlib import Path

import prose
import pytest

from qkv import reproduce

BOOK = Path(__file__).resolve().parents[2] / "book"
PAGES = sorted(BOOK.glob("*.md"))
LESSONS = {path.name: path for path in prose.LESSONS}
PART_ONE = [f"0{k}" for k in range(1, 9)]
LESSON_LINK = re.compile(r"\]\(\.\./notebooks/(\d\d_\w+\.ipynb)(?:#([^)\s]+))?\)")

each_page = pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)


def text_of(path):
    return prose.COMMENT.sub("", prose.FENCE.sub("", path.read_text(encoding="utf-8")))


def slug(heading):
    """The anchor that the site gives a heading."""
    heading = re.sub(r"\$[^$]*\$|[`*]", "", heading.strip().lower())  # formulas are left out
    return re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")


@cache
def sections(name):
    """Anchor → the cells under that heading of a lesson, its lower headings included."""
    found, open_ = {}, []
    for cell in prose.load(LESSONS[name]).cells:
        if cell.cell_type == "markdown":
            for marks, title in re.findall(r"^(#{1,3}) (.+?)\s*$", cell.source, flags=re.M):
                open_ = [item for item in open_ if item[0] < len(marks)]
                open_.append((len(marks), found.setdefault(slug(title), [])))
        for _, cells in open_:
            if not cells or cells[-1] is not cell:
                cells.append(cell)
    return found


@each_page
def test_style(path):
    text = text_of(path)
    assert not prose.long_sentences(text)
    assert not prose.long_paragraphs(text)
    assert not [match[0] for match in prose.FILLER.finditer(prose.plain(text))]
    assert not prose.WORKSHOP.search(path.read_text(encoding="utf-8"))
    assert not re.search(r"\{[a-zA-Z:_-]+\}`", text), "a MyST role"


@each_page
def test_numbers_are_reproduced(path):
    if path.stem == "references":
        return  # volumes and addresses
    text = re.sub(r"Python 3\.\d+((, | to | or | and )3\.\d+)*", "Python", text_of(path))
    assert not prose.unfounded(text, known()), "qkv.reproduce does not make these"


@cache
def known():
    rows = [row for lesson in reproduce.lessons() for row in reproduce.rows(lesson)]
    return prose.numbers_in("\n".join(row.quoted for row in rows)) | prose.input_numbers()


@each_page
def test_links_lead_to_headings(path):
    for name, anchor in LESSON_LINK.findall(text_of(path)):
        assert name in LESSONS, f"{name} is missing"
        assert not anchor or anchor in sections(name), f"{name} has no heading #{anchor}"


# ---------------------------------------------------------------- prerequisites


def self_test():
    text = (BOOK / "prerequisites.md").read_text(encoding="utf-8")
    return text, re.findall(
        r"<details><summary>Answer (\d+)</summary>\n\n(.*?)\n\n</details>", text, re.S
    )


def test_self_test_covers_its_subjects():
    text, answers = self_test()
    for title in ("The matrix product", "exp and log", "The chain rule", "Variance"):
        assert prose.section(text, title).count("<details>") >= 2, title
    questions = re.findall(r"^\*\*Question (\d+)\.\*\*", text, flags=re.M)
    assert questions == [str(k) for k in range(1, len(questions) + 1)]
    assert [number for number, _ in answers] == questions, "each answer is folded below"


def test_answers_of_the_self_test_are_right():
    text, answers = self_test()
    for number, answer in answers:
        assert "assert " in "".join(re.findall(r"```python\n(.*?)```", answer, re.S)), number
    names = {}
    for source in re.findall(r"^```python\n(.*?)^```", text, flags=re.M | re.S):
        exec(compile(source, "<prerequisites>", "exec"), names)


def test_answers_of_the_self_test_say_what_is_reproduced():
    answers = {number: prose.FENCE.sub("", answer) for number, answer in self_test()[1]}
    rows = [row for row in reproduce.rows("pages") if row.what.startswith("self-test ")]
    assert len(rows) >= 10
    for row in rows:
        said = prose.numbers_in(answers[re.search(r"\d+", row.what)[0]])
        assert prose.numbers_in(row.quoted) <= said, row.what


# ---------------------------------------------------------------- glossary


@cache
def markdown(name):
    return prose.markdown(prose.load(LESSONS[name]))


ENTRY = re.compile(
    r"(?P<sentence>[A-Z].+?\.)(?: \*Symbol:\* (?P<symbol>.+?)\.)?(?: \*Shape:\* (?P<shape>.+?)\.)?"
    r" \*Introduced in\* \[lesson (?P<number>\d\d)\]\(\.\./notebooks/(?P<name>\w+\.ipynb)\)\."
)


def glossary():
    text = (BOOK / "glossary.md").read_text(encoding="utf-8")
    return re.findall(r"^(\w.*)\n: (.+)$", text, flags=re.M)


@pytest.mark.parametrize(("term", "entry"), glossary(), ids=lambda text: text[:20])
def test_glossary_entry(term, entry):
    found = ENTRY.fullmatch(entry)
    assert found, f"{term}: a sentence, its symbol and shape where it has them, its lesson"
    assert len(prose.sentences(found["sentence"])) == 1
    assert found["name"].startswith(found["number"])
    assert re.search(term.rstrip("y"), markdown(found["name"]), re.I), f"not in {found['name']}"


def test_glossary_has_no_term_twice():
    terms = [term for term, _ in glossary()]
    assert terms
    assert len(set(terms)) == len(terms)
    assert {"raw score", "score", "weight", "output", "reader", "candidate"} <= set(terms)


# ---------------------------------------------------------------- misconceptions


def misconceptions():
    text = (BOOK / "misconceptions.md").read_text(encoding="utf-8")
    return re.findall(r"^- \*\*(.+?)\*\*(.*?)(?=^- |^#|\Z)", text, flags=re.M | re.S)


@pytest.mark.parametrize(("claim", "answer"), misconceptions(), ids=lambda text: text[:40])
def test_a_cell_refutes_each_misconception(claim, answer):
    links = [(name, anchor) for name, anchor in LESSON_LINK.findall(answer) if anchor]
    assert links, "no link to a lesson's section"
    for name, anchor in links:
        cells = sections(name).get(anchor)
        assert cells, f"{name} has no heading #{anchor}"
        outputs = [output for cell in cells for output in cell.get("outputs", [])]
        assert outputs, f"nothing is computed under {name}#{anchor}"


def test_misconceptions_of_every_lesson():
    text = " ".join(answer for _, answer in misconceptions())
    seen = {name[:2] for name, _ in LESSON_LINK.findall(text)}
    assert seen >= set(PART_ONE)


# ---------------------------------------------------------------- references


@pytest.mark.parametrize("path", prose.LESSONS, ids=lambda path: path.stem)
def test_every_source_is_among_the_references(path):
    page = (BOOK / "references.md").read_text(encoding="utf-8")
    sources = prose.section(prose.markdown(prose.load(path)), "Sources")
    cited = [link for _, link in prose.LINK.findall(sources) if link.startswith("https://")]
    assert not [link for link in cited if link.split("#")[0].rstrip("/") not in page]
