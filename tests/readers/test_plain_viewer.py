"""A lesson in a viewer that knows no widgets, `jupyter nbconvert --to html`, opened offline."""

import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from qkv.widgets import STORED

ROOT = Path(__file__).resolve().parents[2]
LESSONS = sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))


@pytest.fixture(scope="module")
def converted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("html")
    command = [sys.executable, "-m", "nbconvert", "--to", "html", "--output-dir", folder, *LESSONS]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stderr[-2000:]
    return folder


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: path.stem)
def test_each_widget_shows_its_still_picture(lesson, converted, browser):
    cells = nbformat.read(lesson, as_version=4).cells
    outputs = [o for cell in cells for o in cell.get("outputs", []) if STORED in o.get("data", {})]
    context = browser.new_context()
    page, errors = context.new_page(), []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.route("**/*", lambda r: r.continue_() if r.request.url.startswith("file:") else r.abort())
    try:
        page.goto((converted / f"{lesson.stem}.html").as_uri(), wait_until="domcontentloaded")
        stills = page.locator(".jp-OutputArea-output img[src^='data:image/svg']")
        assert stills.count() == len(outputs) > 0
        for still in stills.all():
            still.scroll_into_view_if_needed()
            assert still.evaluate("async (i) => (await i.decode(), i.naturalWidth)") > 300
        assert page.locator("[data-mime-type='application/vnd.jupyter.stderr']").count() == 0
        assert page.locator("script[type*='widget']").count() == 0  # no widget manager is called
    finally:
        context.close()
    assert not errors
