"""A learner in JupyterLab: stills before a cell has run; then a slider moves Python's numbers."""

import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import nbformat
import pytest

import qkv.widgets
from qkv.widgets import STORED

ROOT = Path(__file__).resolve().parents[2]
LESSON = ROOT / "notebooks" / "06_whole_sequence.ipynb"
STILLS = ".jp-OutputArea-output img[src^='data:image/svg']"
CELLS = [
    "import qkv\ntable = qkv.widgets.AttentionTable()\ntable",
    "print('weights', table.reader, table.causal, table.weights[table.reader].round(4))",
]


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


@pytest.fixture
def lab(tmp_path):
    """A JupyterLab of its own, with its settings in a folder of its own."""
    cells = [nbformat.v4.new_code_cell(source) for source in CELLS]
    metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata=metadata)
    nbformat.write(notebook, tmp_path / "try.ipynb")
    shutil.copy(LESSON, tmp_path)
    port, token = free_port(), secrets.token_hex(16)
    env = dict(os.environ, JUPYTER_CONFIG_DIR=str(tmp_path / "config"))
    env.update(JUPYTER_RUNTIME_DIR=str(tmp_path / "run"), IPYTHONDIR=str(tmp_path / "ipython"))
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    log = (tmp_path / "lab.log").open("w")
    process = subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1",
         f"--port={port}", "--ServerApp.port_retries=0", f"--IdentityProvider.token={token}",
         "--LabApp.news_url=None", f"--ServerApp.root_dir={tmp_path}"],
        env=env, stdout=log, stderr=log, cwd=tmp_path,
    )  # fmt: skip
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(240):
            try:
                urllib.request.urlopen(f"{url}/api/status?token={token}", timeout=2).read()
                break
            except OSError:
                assert process.poll() is None, (tmp_path / "lab.log").read_text()[-2000:]
                time.sleep(0.25)
        yield lambda name: f"{url}/lab/tree/{name}?token={token}"
    finally:
        process.terminate()
        process.wait(timeout=20)
        log.close()
        shutil.rmtree(tmp_path, ignore_errors=True)


def test_the_kernel_sees_what_is_dragged(lab, browser):
    context = browser.new_context(viewport={"width": 1280, "height": 1100})
    context.set_default_timeout(60_000)
    page = context.new_page()
    try:
        page.goto(lab("try.ipynb"))
        page.get_by_text("| Idle").wait_for()  # the kernel has started
        first = page.locator(".jp-CodeCell").nth(0)
        first.locator(".cm-content").click()
        page.keyboard.press("Shift+Enter")
        widget = page.locator('[data-qkv-widget="AttentionTable"]')
        widget.wait_for()

        def kernel_prints():
            cell = page.locator(".jp-CodeCell").nth(1)
            before = cell.locator(".jp-InputArea-prompt").inner_text()
            cell.locator(".cm-content").click()
            page.keyboard.press("Control+Enter")
            changed = "([p, old]) => p.innerText !== old && !p.innerText.includes('*')"
            handle = cell.locator(".jp-InputArea-prompt").element_handle()
            page.wait_for_function(changed, arg=[handle, before])
            return cell.locator(".jp-OutputArea-output").inner_text().strip()

        table = qkv.widgets.AttentionTable()
        assert kernel_prints() == said(table)

        slider = widget.get_by_role("slider", name="Reader")
        slider.scroll_into_view_if_needed()
        box = slider.bounding_box()
        height = box["y"] + box["height"] / 2
        page.mouse.move(box["x"] + box["width"] / 2, height)  # the knob stands at reader 2 of 3
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] - 4, height, steps=5)
        page.mouse.up()
        page.keyboard.press("ArrowLeft")
        assert "Reader 2" in widget.locator(".qkv-summary").inner_text()
        page.keyboard.press("ArrowRight")
        widget.get_by_role("checkbox", name=re.compile("^Causal")).check()
        table.reader, table.causal = 2, True
        assert "Reader 3" in widget.locator(".qkv-summary").inner_text()
        assert kernel_prints() == said(table)

        # and back: what Python sets, the widget shows
        page.locator(".jp-CodeCell").nth(1).locator(".cm-content").click()
        page.keyboard.press("Control+A")
        page.keyboard.type("table.reader = 0")
        page.keyboard.press("Control+Enter")
        page.wait_for_function(
            "document.querySelector('.qkv-summary').textContent.startsWith('Reader 1 ')"
        )
    finally:
        context.close()


def test_before_a_cell_has_run_each_widget_shows_its_still_picture(lab, browser):
    """As in a fresh clone: JupyterLab does not trust the notebook, and no kernel knows a widget."""
    cells = nbformat.read(LESSON, as_version=4).cells
    bundles = [o.data for cell in cells for o in cell.get("outputs", []) if "data" in o]
    names = [data["text/plain"] for data in bundles if STORED in data]
    context = browser.new_context(viewport={"width": 1280, "height": 1100})
    context.set_default_timeout(60_000)
    page = context.new_page()
    try:
        page.goto(lab(LESSON.name))
        page.get_by_text("| Idle").wait_for()
        for k, name in enumerate(names):
            still = page.locator(STILLS).nth(k)
            still.scroll_into_view_if_needed()
            assert still.evaluate("async (i) => (await i.decode(), i.naturalWidth)") > 300, name
            assert len(still.get_attribute("alt")) > 20, name
        assert page.locator(STILLS).count() == len(names)
        shown = page.locator(".jp-Notebook").inner_text()
        for fault in ("Error displaying", "Loading widget", "Cannot display", "Failed to"):
            assert fault not in shown
    finally:
        context.close()


def said(table):
    return f"weights {table.reader} {table.causal} {table.weights[table.reader].round(4)}"


def test_stored_state_is_json():
    """What a notebook stores of a widget survives the round trip through JSON."""
    for cls in qkv.widgets.CLASSES:
        state = {k: v for k, v in cls().get_state().items() if not k.startswith("_")}
        assert json.loads(json.dumps(state)) == state
