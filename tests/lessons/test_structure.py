"""What every lesson has, in which order, and that its notebook is executed and clean."""

import ast
import contextlib
import io
import re

import prose
import pytest

import qkv
from qkv import checks, questions
from qkv.widgets import STORED

VIEW = "application/vnd.jupyter.widget-view+json"
CODE_LINES = 14  # of a cell, blank lines and comments left out
LESSON_BYTES, MEAN_BYTES = 130_000, 125_000  # with still pictures: eight lessons, 1 MB
TAGS = {"remove-input", "hide-input", "hide-output", "nbval-ignore-output"}
UNCOMPARED = {}  # cells tagged nbval-ignore-output by lesson number; each needs a reason here
LAST_SECTIONS = [
    "Exercises", "Quiz", "What goes wrong", "Key points", "Sources", "Reproduce",
]  # fmt: skip

each_lesson = pytest.mark.parametrize("path", prose.LESSONS, ids=lambda path: path.stem)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def headings(text, level):
    return re.findall(rf"^{'#' * level} (.+?)\s*$", text, flags=re.M)


def raw_markdown(notebook):
    return "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


def cells_of(notebook, title):
    """The cells under one `## title`, the one with the heading included."""
    found, inside = [], False
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and re.search(r"^## ", cell.source, flags=re.M):
            inside = bool(re.search(rf"^## {re.escape(title)}\s*$", cell.source, flags=re.M))
        if inside:
            found.append(cell)
    return found


def subsection(text, title):
    """The text under the `### title…` headings that start so, together."""
    parts = re.split(r"^### ", text, flags=re.M)[1:]
    return "\n".join(part for part in parts if part.startswith(title))


def asked(cells):
    source = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    return re.findall(r"\bask\(\s*[\"']([^\"']+)[\"']\s*\)", source)


def checked(cell):
    """("06.attention", "attention") from `print(qkv.check("06.attention", attention))`."""
    for node in ast.walk(ast.parse(cell.source)):
        name = getattr(node, "func", None)
        if isinstance(node, ast.Call) and ast.unparse(name).split(".")[-1] == "check":
            return ast.literal_eval(node.args[0]), ast.unparse(node.args[1])
    return None


def printed(cell):
    return "".join(output.get("text", "") for output in cell.outputs)


# ---------------------------------------------------------------- the notebook as a file


@each_lesson
def test_every_code_cell_is_executed_in_order(path):
    cells = code_cells(prose.load(path))
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert all(cell.source.strip() for cell in cells), "an empty code cell"


@each_lesson
def test_outputs_are_clean(path):
    for cell in code_cells(prose.load(path)):
        for output in cell.outputs:
            assert output.output_type != "error", f"{cell.id} raised {output.get('ename')}"
            assert output.get("name") != "stderr", f"{cell.id} wrote to stderr: {output.text}"
            pictures = {"image/png", "image/jpeg", "image/gif"} & set(output.get("data", {}))
            assert not pictures, f"{cell.id} shows {pictures}, which nothing compares"


@each_lesson
def test_cells_are_short_and_end_on_no_semicolon(path):
    for cell in code_cells(prose.load(path)):
        lines = [line.strip() for line in cell.source.splitlines()]
        lines = [line for line in lines if line and not line.startswith("#")]
        assert len(lines) <= CODE_LINES, f"{cell.id} has {len(lines)} lines of code"
        assert not lines[-1].endswith(";"), f"{cell.id} ends on a semicolon"


@each_lesson
def test_a_lesson_is_lean(path):
    """It keeps of its widgets inputs, picture and text: no code, no style, no models."""
    text = path.read_text(encoding="utf-8")
    notebook = prose.load(path)
    assert "widgets" not in notebook.metadata
    shown = [o.data for c in code_cells(notebook) for o in c.outputs if STORED in o.get("data", {})]
    assert shown, "no widget"
    for data in shown:
        assert set(data) == {STORED, "text/html", "text/plain"}
        assert set(data[STORED]) == {"name", "traits"}
        cls = getattr(qkv.widgets, data[STORED]["name"])
        assert set(data[STORED]["traits"]) == set(cls.INPUTS)
    assert VIEW not in text and "_esm" not in text and "_css" not in text, "run make notebooks"
    assert len(text.encode()) <= LESSON_BYTES


def test_lessons_together_are_small():
    assert sum(path.stat().st_size for path in prose.LESSONS) <= len(prose.LESSONS) * MEAN_BYTES


@each_lesson
def test_tags(path):
    cells = prose.load(path).cells
    tags = [tag for cell in cells for tag in cell.metadata.get("tags", [])]
    assert set(tags) <= TAGS, set(tags) - TAGS
    budget = UNCOMPARED.get(prose.number_of(path), 0)
    assert tags.count("nbval-ignore-output") <= budget, "more cells uncompared than allowed"


@each_lesson
def test_cell_ids_are_words(path):
    ids = [cell.id for cell in prose.load(path).cells]
    assert len(set(ids)) == len(ids)
    for id in ids:
        assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", id), id


# ---------------------------------------------------------------- the lesson's parts


@each_lesson
def test_opening(path):
    notebook = prose.load(path)
    number = prose.number_of(path)
    first = notebook.cells[0]
    assert first.cell_type == "markdown"
    assert re.match(rf"# {number} · \S", first.source), f"does not open with # {number} · Title"
    assert len(headings(prose.markdown(notebook), 1)) == 1
    assert len(list(prose.paragraphs(first.source.split("\n## ")[0]))) == 1, "one paragraph"
    goals = prose.section(prose.markdown(notebook), "What you will be able to do")
    assert len(re.findall(r"^\s*[-*] ", goals, flags=re.M)) >= 3, "fewer than three objectives"
    assert re.search(r"\*\*Time:\*\* about \d+ minutes\. \*\*Builds on:\*\* \S", goals)
    setup = code_cells(notebook)[0].source
    assert re.search(r"^import qkv$", setup, flags=re.M), "the first code cell imports qkv"
    assert "import numpy as np" in setup


@each_lesson
def test_sections_in_order(path):
    titles = headings(prose.markdown(prose.load(path)), 2)
    assert titles[0] == "What you will be able to do"
    assert titles[-len(LAST_SECTIONS) :] == LAST_SECTIONS
    assert len(titles) - len(LAST_SECTIONS) >= 4, "fewer than three sections of its own"


@each_lesson
def test_body_has_prediction_lab_and_twin(path):
    notebook = prose.load(path)
    position = next(
        i for i, cell in enumerate(notebook.cells) if re.search(r"^## Exercises", cell.source, re.M)
    )
    body = [cell for cell in notebook.cells[:position] if cell.cell_type == "code"]
    source = "\n".join(cell.source for cell in body)
    assert any(questions.question(id).kind == "predict" for id in asked(body)), "no prediction"
    assert re.search(r"qkv\.widgets\.[A-Z]\w+\(", source), "no lab widget"
    assert re.search(r"\bdevice\(\)", source), "no PyTorch step on device()"


@each_lesson
def test_questions_are_hidden_known_and_all_asked(path):
    notebook = prose.load(path)
    number = prose.number_of(path)
    for cell in code_cells(notebook):
        if asked([cell]):
            assert cell.metadata.get("tags") == ["remove-input"], f"{cell.id}: tag remove-input"
    found = asked(notebook.cells)
    assert len(set(found)) == len(found), "a question is asked twice"
    wanted = {id for id in questions.ids() if id.startswith(number)}
    assert set(found) == wanted, set(found) ^ wanted


@each_lesson
def test_quiz(path):
    notebook = prose.load(path)
    ids = asked(cells_of(notebook, "Quiz"))
    number = prose.number_of(path)
    assert 3 <= len(ids) <= 5
    assert ids == [f"{number}.quiz.{k}" for k in range(1, len(ids) + 1)]


@each_lesson
def test_every_choice_is_explained(path):
    number = prose.number_of(path)
    for id in questions.ids():
        if id.startswith(number):
            item = questions.question(id)
            assert len(item.why) == max(1, len(item.choices)), id
            assert all(item.why), id
            assert len(set(item.choices)) == len(item.choices), id
            assert item.choices == [] or len(item.choices) >= 2, id
            assert "$" not in item.question + "".join(item.choices + item.why), f"{id}: no LaTeX"


@each_lesson
def test_exercises(path):
    notebook = prose.load(path)
    number = prose.number_of(path)
    cells = cells_of(notebook, "Exercises")
    text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    wanted = [id for id in checks.ids() if id.startswith(number)]
    found = [checked(cell)[0] for cell in cells if cell.cell_type == "code" and checked(cell)]
    assert sorted(found) == wanted, "one cell with qkv.check(id, …) for each exercise"
    assert f"{number}.hand" in asked(cells)
    for title in ("By hand", "In code", "Break it"):
        part = subsection(text, title)
        assert part, f"no ### {title}"
        for summary in ("Hint 1", "Hint 2", "Solution"):
            assert f"<summary>{summary}</summary>" in part, f"{title}: no {summary}"


@each_lesson
def test_stubs_are_unsolved(path):
    for cell in code_cells(prose.load(path)):
        if checked(cell):
            right = checks.exercise(checked(cell)[0]).right
            assert printed(cell).strip(), f"{cell.id} prints no verdict"
            assert right not in printed(cell), f"{cell.id} holds a solution"


@each_lesson
def test_solutions_pass(path):
    notebook = prose.load(path)
    text = "\n".join(c.source for c in cells_of(notebook, "Exercises") if c.cell_type == "markdown")
    seen = set()
    for block in re.findall(r"<summary>Solution</summary>(.*?)</details>", text, flags=re.S):
        for source in re.findall(r"^```python\n(.*?)^```", block, flags=re.M | re.S):
            for id, verdict in solve(notebook, source):
                assert verdict.ok, f"{id}: the folded solution is told: {verdict.message}"
                seen.add(id)
    wanted = {id for id in checks.ids() if id.startswith(prose.number_of(path))}
    assert seen == wanted, f"no folded solution was run for {sorted(wanted - seen)}"


def solve(notebook, source):
    """Run a folded solution after the lesson's cells; check every answer that it defines."""
    names = run([code_cells(notebook)[0].source])
    try:
        run([source], names)
    except NameError:  # it uses what the lesson has built
        names = run([cell.source for cell in code_cells(notebook) if not skipped(cell)])
        run([source], names)
    made = {node.id for node in ast.walk(ast.parse(source)) if _stored(node)}
    made |= {node.name for node in ast.parse(source).body if hasattr(node, "name")}
    for cell in cells_of(notebook, "Exercises"):
        if cell.cell_type == "code" and checked(cell):
            id, answer = checked(cell)
            used = {node.id for node in ast.walk(ast.parse(answer)) if isinstance(node, ast.Name)}
            if used and used <= made:
                yield id, qkv.check(id, eval(answer, names))


def _stored(node):
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def skipped(cell):
    return asked([cell]) or "qkv.widgets." in cell.source or checked(cell)


def run(sources, names=None):
    names = {"__name__": "lesson"} if names is None else names
    with contextlib.redirect_stdout(io.StringIO()):
        for source in sources:
            exec(compile(source, "<lesson>", "exec"), names)
    return names


# ---------------------------------------------------------------- text that reads everywhere


@each_lesson
def test_plain_markdown(path):
    text = raw_markdown(prose.load(path))
    outside = prose.FENCE.sub("", text)
    assert not re.search(r"^(```|~~~|:::)\s*\{", text, flags=re.M), "a MyST directive"
    assert not re.search(r"^:::", text, flags=re.M), "a MyST directive"
    assert not re.search(r"\{[a-zA-Z:_-]+\}`", outside), "a MyST role"
    assert not re.search(r"^\(.+\)=\s*$", outside, flags=re.M), "a MyST target"
    assert not re.search(r"^\\begin\{", re.sub(prose.DISPLAY, "", outside), flags=re.M)


@each_lesson
def test_details_are_closed_and_have_blank_lines(path):
    for cell in prose.load(path).cells:
        if cell.cell_type != "markdown":
            continue
        source = cell.source
        assert source.count("<details>") == source.count("</details>"), cell.id
        for match in re.finditer(r"<summary>[^<]*</summary>(.{0,2})", source, flags=re.S):
            assert match[1] == "\n\n", f"{cell.id}: a blank line after the summary"
        for match in re.finditer(r"(.{0,2})</details>(.{0,2})", source, flags=re.S):
            assert match[1] == "\n\n", f"{cell.id}: a blank line before </details>"
            assert match[2] in ("", "\n", "\n\n"), f"{cell.id}: a blank line after </details>"


@each_lesson
def test_figures_exist_and_have_alt_text(path):
    text = raw_markdown(prose.load(path))
    figures = prose.IMAGE.findall(text)
    number = prose.number_of(path)
    assert any(target.startswith(f"../figures/{number}_") for _, target in figures), "no figure"
    for alt, target in figures:
        assert (path.parent / target).is_file(), f"{target} is missing"
        assert len(alt.split()) >= 5, f"{target}: the alt text says what the figure shows"
    assert not re.search(r"<img\b", text), "images in Markdown, with alt text"


@each_lesson
def test_links_lead_somewhere(path):
    text = raw_markdown(prose.load(path))
    for _, target in prose.LINK.findall(prose.FENCE.sub("", text)):
        if not re.match(r"(https?:|mailto:|#)", target):
            assert (path.parent / target.split("#")[0]).exists(), f"{target} is missing"


@each_lesson
def test_sources_and_reproduce(path):
    text = prose.markdown(prose.load(path))
    number = prose.number_of(path)
    sources = prose.section(text, "Sources")
    assert re.search(r"\]\(https://", sources), "no link to a source"
    assert re.search(r"\b(19|20)\d\d\b", sources), "no year"
    reproduce = prose.section(text, "Reproduce")
    assert "](../qkv/inputs.json)" in reproduce
    assert re.search(rf"\]\(\.\./figures/{number}_\w+\.py\)", reproduce)
    assert f"python -m qkv.reproduce {number}" in reproduce
    assert re.search(r"made by hand|hand-made|trained", reproduce), "how the figures were made"
