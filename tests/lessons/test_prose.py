"""What a lesson says: its length, its words, and where its numbers come from."""

import prose
import pytest

each_lesson = pytest.mark.parametrize("path", prose.LESSONS, ids=lambda path: path.stem)


@each_lesson
def test_sentences_are_short(path):
    found = prose.long_sentences(prose.markdown(prose.load(path)))
    assert not found, f"over {prose.SENTENCE} words: {found}"


@each_lesson
def test_paragraphs_are_short(path):
    found = prose.long_paragraphs(prose.markdown(prose.load(path)))
    assert not found, f"over {prose.LINES} lines of {prose.LINE} characters: {found}"


@each_lesson
def test_no_filler(path):
    text = prose.plain(prose.markdown(prose.load(path)))
    found = [match[0] for match in prose.FILLER.finditer(text)]
    assert not found, found


@each_lesson
def test_speaks_of_the_subject_alone(path):
    notebook = prose.load(path)
    text = "\n".join(cell.source for cell in notebook.cells)
    found = [match[0] for match in prose.WORKSHOP.finditer(text)]
    assert not found, found


@each_lesson
def test_reading_time_is_right_within_a_third(path):
    text = prose.markdown(prose.load(path))
    stated, counted = prose.stated_time(text), prose.reading_time(text)
    assert stated is not None, "no line **Time:** about N minutes."
    assert abs(stated - counted) <= counted / 3, f"stated {stated}, counted {counted:.1f}"


@each_lesson
def test_numbers_in_prose_are_inputs_or_printed(path):
    notebook = prose.load(path)
    known = prose.printed(notebook) | prose.input_numbers()
    found = prose.unfounded(prose.markdown(notebook), known)
    assert not found, f"neither an input nor in an output of this notebook: {found}"


# The reader of prose itself, on text made for it.


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("The weight is 0.2483.", ["0.2483"]),
        ("It falls by −0.37 and by 1.5-0.25.", ["-0.37", "1.5", "0.25"]),
        ("There are 16,777,216 scores, 12 heads and 100 rows.", ["16,777,216", "100"]),
        ("With $d_k = 64$ this gives 8; then $8 \\le 9$.", ["64", "8"]),
        ("$\\textcolor{#0072B2}{q_2} = \\textcolor{#0072B2}{[3, -1]}$", ["3", "-1"]),
        ("$A = \\begin{bmatrix} 7 & 8 \\\\ 9 & 5 \\end{bmatrix}$", ["7", "8", "9", "5"]),
        ("In 2017, arXiv:1706.03762, section 3.2.1, `06.quiz.2`, float64, W_128.", []),
        ("[a page](https://example.org/12345) and ![a row of 0.5](../figures/x_123.svg)", ["0.5"]),
        ("```python\nx = 0.125\n```\n", []),
        ("## Sources\n\nPages 5998 to 6008.\n\n## Reproduce\n\n0.75", ["0.75"]),
    ],
)
def test_stated_numbers(text, numbers):
    assert prose.stated(prose.FENCE.sub("", text)) == numbers


def test_unfounded_numbers():
    known = prose.numbers_in("weights: [0.2483, -0.5000, 1000, 7]")
    assert prose.unfounded("0.2483, 0.5, −0.5, 1,000 and 0.50", known) == []
    assert prose.unfounded("0.2484, −0.2483 and 1,001", known) == ["0.2484", "-0.2483", "1,001"]


def test_sentences():
    text = "Vaswani et al. (2017) say so. It is $a = 1.5$ here! `code` runs. Is it [a link](x.md)?"
    assert len(prose.sentences(text)) == 4
    assert prose.words("— a row , of $x$") == ["a", "row", "of", "$x$"]
    assert prose.long_sentences("word " * 36 + ".\n\n- " + "word " * 35 + ".") != []
    assert prose.long_sentences("- " + "word " * 35 + ".\n- " + "word " * 35) == []


def test_paragraphs():
    assert prose.long_paragraphs("letters " * 72) != []
    assert prose.long_paragraphs("letters " * 70 + "\n\n| " + "letters " * 80 + "|") == []


def test_reading_time():
    assert prose.reading_time("word " * 400) == 2
    assert prose.reading_time("$$a = b$$\n\n$$c$$\n\n" + "$x + y$ " * 200) == 2
    assert prose.stated_time("**Time:** about 14 minutes. **Builds on:** lesson 01.") == 14


def test_filler():
    for text in ["You simply add.", "Just divide.", "the color"]:
        assert prose.FILLER.search(prose.plain(text))
    for text in ["adjust the row", "`just` in code", "colour", "$\\color{red}$"]:
        assert not prose.FILLER.search(prose.plain(text))
