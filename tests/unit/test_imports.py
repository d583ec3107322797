"""Who imports whom in the package: never in a circle, and lessons by the one finder alone.

Imports inside functions count as well, and so do the names that `qkv` looks up when first used.
"""

import ast
import graphlib
from pathlib import Path

import pytest

import qkv

PACKAGE = Path(qkv.__file__).parent
LAZY = {f"qkv.{name}" for name in qkv._MODULES} | set(qkv._FUNCTIONS.values())


def sources(package):
    """The modules of a package → dict from dotted name to (path, syntax tree)."""
    found = {}
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = path, ast.parse(path.read_text(encoding="utf-8"))
    return found


def imported(name, path, tree, modules):
    """The modules of the package that one of them imports, wherever in its text."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                up = node.level - (path.name == "__init__.py")
                parts = name.split(".")[: len(name.split(".")) - up]
                base = ".".join([*parts, *filter(None, [node.module])])
            names = {f"{base}.{alias.name}" for alias in node.names}
            yield from names & modules.keys()
            if base in modules and names - modules.keys():
                yield base


def graph(package):
    modules = sources(package)
    return {name: set(imported(name, *found, modules)) for name, found in modules.items()}


def circle(edges):
    """The modules of one circle, or None."""
    try:
        graphlib.TopologicalSorter(edges).prepare()
    except graphlib.CycleError as error:
        return error.args[1]
    return None


def room(name):
    """The lesson's folder in which a module lies, or ""."""
    inside = name == "qkv.lessons" or name.startswith("qkv.lessons.")
    return ".".join(name.split(".")[:3]) if inside else ""


def trespasses(edges):
    """Imports of what belongs to a lesson from anywhere but its own folder."""
    return {
        (name, target)
        for name, targets in edges.items()
        for target in targets
        if room(target) and room(target) != room(name)
    }


def test_no_import_in_a_circle():
    edges = graph(PACKAGE)
    edges["qkv"] |= LAZY
    assert edges.keys() >= LAZY | {"qkv.widgets.quiz", "qkv.lessons.lesson_06.exercises.attention"}
    assert not circle(edges)


def test_a_lesson_is_imported_by_itself_alone():
    assert not trespasses(graph(PACKAGE))


def test_only_the_finder_and_the_front_door_import_by_name():
    by_name = {
        name
        for name, (_, tree) in sources(PACKAGE).items()
        for node in ast.walk(tree)
        if "import_module" in (getattr(node, "attr", ""), getattr(node, "name", ""))
        or getattr(node, "id", "") == "__import__"
    }
    assert by_name == {"qkv", "qkv.by_lesson"}


@pytest.mark.parametrize("text", [
    "from .. import questions",
    "def f():\n    from ..questions import number",
    "def f():\n    import qkv.questions.kinds",
    "from qkv import questions as q",
])  # fmt: skip
def test_a_circle_is_seen_wherever_it_is_hidden(tmp_path, text):
    write(tmp_path, {"questions/kinds.py": "from . import number", "checks/by_hand.py": text})
    write(tmp_path, {"questions/__init__.py": "from .. import checks\nnumber = 1"})
    write(tmp_path, {"checks/__init__.py": "from .by_hand import f"})
    assert "qkv.checks.by_hand" in circle(graph(tmp_path / "qkv"))


@pytest.mark.parametrize("text", [
    "from ..lessons.lesson_06 import quoted",
    "from ..lessons import lesson_06",
    "def f():\n    import qkv.lessons",
    "def f():\n    from ..lessons.lesson_06.quoted import rows",
])  # fmt: skip
def test_an_import_of_a_lesson_is_seen(tmp_path, text):
    write(tmp_path, {"checks/__init__.py": text, "lessons/__init__.py": ""})
    write(tmp_path, {"lessons/lesson_06/__init__.py": "", "lessons/lesson_06/quoted.py": ""})
    write(tmp_path, {"lessons/lesson_07.py": "from .lesson_06 import quoted"})
    found = trespasses(graph(tmp_path / "qkv"))
    assert {name for name, _ in found} == {"qkv.checks", "qkv.lessons.lesson_07"}


def write(folder, files):
    for name, text in {"__init__.py": "", **files}.items():
        path = folder / "qkv" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n", encoding="utf-8")
