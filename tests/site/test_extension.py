"""The parts of book/_ext, one by one."""

import json
import subprocess
import xml.etree.ElementTree as ET

import pytest
import tinycss2
from qkv_site import assets, downloads, maths, repository
from qkv_site import widgets as slots
from qkv_site.whole import whole

from qkv.widgets import CLASSES, STORED, AttentionTable, Quiz
from qkv.widgets._bundle import joined
from qkv.widgets._still import as_image, of_image, picture

# repository


@pytest.mark.parametrize(
    "remote, name",
    [
        ("https://github.com/someone/some-book.git", "someone/some-book"),
        ("https://github.com/someone/some.book", "someone/some.book"),
        ("git@github.com:someone/book.git", "someone/book"),
        ("ssh://git@github.com/someone/book", "someone/book"),
        ("https://token@github.com/someone/book.git", "someone/book"),
        ("https://example.org/someone/book.git", ""),
        ("/srv/git/book", ""),
        ("git@example.org:someone/book.git", ""),
    ],
)
def test_repository_from_a_remote(tmp_path, monkeypatch, remote, name):
    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "remote", "add", "origin", remote], cwd=tmp_path, check=True)
    assert repository.find("", tmp_path) == (f"https://github.com/{name}" if name else "")


def test_repository_order(tmp_path, monkeypatch):
    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)
    assert repository.find("", tmp_path) == ""
    monkeypatch.setenv("GITHUB_REPOSITORY", "someone/book")
    assert repository.find("", tmp_path) == "https://github.com/someone/book"
    assert repository.find("https://github.com/a/b/", tmp_path) == "https://github.com/a/b"


# widgets


def lean(*widgets):
    """A lesson as it is committed, with these widgets as the output of one cell each."""
    cells = []
    for widget in widgets:
        data, _ = widget._repr_mimebundle_()
        data.pop(slots.VIEW)
        output = {"output_type": "execute_result", "data": data}
        cells.append({"cell_type": "code", "id": "c", "source": [], "outputs": [output]})
    return json.loads(json.dumps({"cells": cells, "metadata": {}}))


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_the_host_joins_the_module_that_anywidget_loads(cls, tmp_path):
    """Shared parts once, own parts per kind; joined, they are the module's text to the letter."""
    files = {"js": [], "css": []}
    code = slots.keep_code(tmp_path, cls, files)
    slots.keep_code(tmp_path, Quiz, files)
    assert len(files["js"]) == len(set(files["js"])) and files["js"][0].startswith("shared-")
    known = {}
    for name in files["js"]:
        text = (tmp_path / "_static" / "widgets" / f"{name}.js").read_text(encoding="utf-8")
        known.update(json.loads(text.split(", ", 1)[1].rstrip(");\n")))
    recipe = known[code["_esm"]["text"]]
    parts = [part if isinstance(part, str) else known[part["shared"]] for part in recipe]
    assert joined(parts) == str(cls._esm)
    style = tmp_path / "_static" / "widgets" / f"{code['_css']['text']}.css"
    assert style.read_text(encoding="utf-8") == str(cls._css)


def test_views_take_the_place_of_what_is_stored():
    lesson = lean(AttentionTable(), AttentionTable(causal=True))
    taken = slots.take_stored(lesson)
    assert [(id, inputs["traits"]["causal"]) for id, inputs in taken.items()] == [
        ("1", False), ("2", True),
    ]  # fmt: skip
    bundles = [cell["outputs"][0]["data"] for cell in lesson["cells"]]
    assert [data[slots.VIEW]["model_id"] for data in bundles] == ["1", "2"]
    assert not [data for data in bundles if STORED in data]


def test_a_whole_lesson_carries_models_with_code_and_layout():
    lesson = lean(AttentionTable(causal=True), Quiz())
    before = json.dumps(lesson)
    copy = whole(lesson)
    assert json.dumps(lesson) == before and json.dumps(whole(lesson)) == json.dumps(copy)
    models = copy["metadata"]["widgets"][slots.STATE]["state"]
    assert list(models) == ["1", "2", "3", "4"]
    first = models["1"]["state"]
    assert first["causal"] is True and first["layout"] == "IPY_MODEL_3"
    assert first["_esm"] == str(AttentionTable._esm) and first["_css"] == str(AttentionTable._css)
    assert models["4"]["model_name"] == "LayoutModel" and models["4"]["state"]
    assert "widgets" not in whole(lean())["metadata"]


def test_state_cannot_end_its_script():
    text = slots.as_script({"label": "</script><script>alert(1)</script>"})
    assert "<" not in text and json.loads(text)["label"].startswith("</script>")


def test_a_still_picture_survives_its_image():
    for cls in CLASSES:
        svg = cls().still()
        image = as_image(svg)
        again, alt = of_image(image)
        assert again.replace("'", '"') == svg.replace("'", '"')
        assert ET.fromstring(again).get("aria-label") == ET.fromstring(svg).get("aria-label") == alt
    hard = picture(10, 20, "2 < 3 & 'so' \"on\" 50 % #1", [])
    assert of_image(as_image(hard))[1] == "2 < 3 & 'so' \"on\" 50 % #1"


def test_a_still_picture_becomes_a_file(tmp_path):
    name = slots.keep_still(tmp_path, "<svg/>")
    assert name == slots.keep_still(tmp_path, "<svg/>")
    assert (tmp_path / "_images" / name).read_text(encoding="utf-8") == "<svg/>"


# downloads


def notebook(*code):
    title = {"cell_type": "markdown", "id": "t", "source": ["# T\n", "![a](../figures/01_a.svg)"]}
    cells = [{"cell_type": "code", "id": f"c{i}", "source": [c]} for i, c in enumerate(code)]
    return {"cells": [title, *cells], "metadata": {}}


def install_cell(*code, site="https://book.example"):
    copy = downloads.site_copy(notebook(*code), site, "qkv-0.1.0-py3-none-any.whl")
    return "".join(copy["cells"][1]["source"]), copy


def test_install_cell_asks_for_what_the_lesson_imports():
    assert "('numpy', 'anywidget')" in install_cell("import qkv")[0]
    assert "('numpy', 'anywidget', 'torch')" in install_cell("import torch")[0]
    assert "('numpy', 'anywidget', 'torch')" in install_cell("from qkv.torch import softmax")[0]
    assert "('numpy', 'anywidget', 'torch')" in install_cell("from qkv import torch as t")[0]


def test_copy_shows_pictures_from_the_site_and_leaves_the_lesson_alone():
    original = notebook("import qkv")
    before = json.dumps(original)
    copy = downloads.site_copy(original, "https://book.example", "qkv-0.1.0-py3-none-any.whl")
    assert "(https://book.example/_images/01_a.svg)" in "".join(copy["cells"][0]["source"])
    assert json.dumps(original) == before


def test_site_address(monkeypatch):
    monkeypatch.delenv("SITE_URL", raising=False)
    assert downloads.site_url() == "http://127.0.0.1:8000"
    monkeypatch.setenv("SITE_URL", "https://book.example/")
    assert downloads.site_url() == "https://book.example"


def run_install(source, monkeypatch, *, version, missing=(), code=0):
    """Run an install cell with pip and the import system played by us; return its commands."""
    import importlib.metadata
    import importlib.util

    commands = []

    def run(command, **kwargs):
        commands.append(command[command.index("--disable-pip-version-check") + 1 :])
        return subprocess.CompletedProcess(command, code, "", "no such place")

    def version_of(name):
        if version is None:
            raise importlib.metadata.PackageNotFoundError(name)
        return version

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(importlib.metadata, "version", version_of)
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name in missing else object()
    )
    exec(source, {})
    return commands


def test_install_cell_installs_only_what_is_missing(monkeypatch):
    monkeypatch.delenv("SITE_URL", raising=False)
    source = install_cell("import torch")[0]
    wheel = "https://book.example/wheel/qkv-0.1.0-py3-none-any.whl"
    assert run_install(source, monkeypatch, version="0.1.0") == []
    assert run_install(source, monkeypatch, version=None) == [["--no-deps", wheel]]
    assert run_install(source, monkeypatch, version="0.0.9", missing=["anywidget"]) == [
        ["anywidget"],
        ["--no-deps", wheel],
    ]


def test_install_cell_follows_site_url_and_says_why_it_fails(monkeypatch):
    source = install_cell("import qkv")[0]
    monkeypatch.setenv("SITE_URL", "http://127.0.0.1:9000/")
    [command] = run_install(source, monkeypatch, version=None)
    assert command[1].startswith("http://127.0.0.1:9000/wheel/")
    with pytest.raises(RuntimeError, match="Set the environment variable SITE_URL"):
        run_install(source, monkeypatch, version=None, code=1)


# maths


def test_formula_is_rendered_and_a_wrong_one_is_told():
    render = maths.Renderer()
    try:
        assert "katex-mathml" in render(r"\frac{q_i \cdot k_j}{\sqrt{d_k}}", display=False)
        assert "katex-display" in render("x", display=True)
        assert "color:#0072B2" in render(r"\textcolor{#0072B2}{q_i}", display=False)
        with pytest.raises(ValueError, match="Undefined control sequence"):
            render(r"\nosuchthing", display=False)
        assert "katex" in render("after_{an} + error", display=False)
    finally:
        render.stop()


# assets


def trimmed(css, *words):
    return assets.trim(tinycss2.parse_stylesheet(css, True, True), set(words))


def test_trim_drops_what_matches_nothing():
    assert trimmed(".a{x:1}.b{y:2}", "a") == ".a{x:1}"
    assert trimmed(".a,.b p{x:1}", "a") == ".a{x:1}"
    assert trimmed("#top .a{x:1}", "a") == ""
    assert trimmed("p>a[href]{x:1}") == "p>a[href]{x:1}"
    assert trimmed("@media print{.b{y:2}}", "a") == ""
    assert trimmed("@media print{.a{y:2}}", "a") == "@media print{.a{y:2}}"
    assert trimmed("p:not(.b){x:1}") == "p:not(.b){x:1}"


def test_only_fonts_in_use_are_kept():
    css = """@font-face{font-family:"K_Main";src:url(fonts/m.woff2) format("woff2"),url(m.ttf)}
    @font-face{font-family:K_Fraktur;src:url(f.woff2)}"""
    rules = tinycss2.parse_stylesheet(css, True, True)
    [(text, name)] = assets.faces(rules, "p{font-family:K_Main}")
    assert name == "m.woff2" and "url(fonts/m.woff2)" in text and "ttf" not in text
