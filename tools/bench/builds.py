"""How long `make book` takes: from nothing, with nothing changed, with one lesson changed."""

import json
import subprocess
import time

LESSON = "notebooks/06_whole_sequence.ipynb"


def make_book(tree):
    """Seconds that `make book` takes; an error stops the bench."""
    start = time.perf_counter()
    done = subprocess.run(["make", "book"], cwd=tree, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"make book failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return time.perf_counter() - start


def add_words(path, words):
    """Add a sentence to the last Markdown cell of a notebook, as an author would."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    cell = [c for c in notebook["cells"] if c["cell_type"] == "markdown"][-1]
    text = "".join(cell["source"]) + f"\n\n{words}\n"
    cell["source"] = text.splitlines(keepends=True)
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def measure(tree, repeats):
    """Build in a copy of the tree → seconds of each build; the site stands there afterwards."""
    found = {"from nothing": [make_book(tree)], "nothing changed": [], "one lesson changed": []}
    lesson = tree / LESSON
    original = lesson.read_bytes()
    for k in range(repeats):
        found["nothing changed"].append(make_book(tree))
        add_words(lesson, f"Changed {k + 1} times.")
        found["one lesson changed"].append(make_book(tree))
    lesson.write_bytes(original)
    make_book(tree)  # the pages that are measured next hold the lesson as it is
    return found
