"""Key press → painted update, from event.timeStamp to a task after the next animation frame."""

import random
import tempfile
import time
from pathlib import Path

from . import lab

LESSON = "notebooks/06_whole_sequence.html"
SIZES = (3, 16, 64)
WARM = 5  # presses before the first that counts
TABLE = '[data-qkv-address="AttentionTable"]'

# window.bench.arm() before a key press; `await window.bench.done` → its time in ms.
CLOCK = """
window.bench = {
  afterPaint(then) {
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => then();
      channel.port2.postMessage(0);
    });
  },
  // Without `output`, the update happens in the event itself; with it, when that element's text
  // differs from what it was.
  arm(output = null) {
    this.done = new Promise((resolve, fail) => {
      setTimeout(() => fail(new Error("no update within 20 s of a key press")), 20000);
      addEventListener("keydown", ({ timeStamp }) => {
        const finish = () => this.afterPaint(() => resolve(performance.now() - timeStamp));
        if (!output) return finish();
        const before = output.textContent;
        const watcher = new MutationObserver(() => {
          const now = output.textContent;
          if (now === before || now.trim() === "") return;
          watcher.disconnect();
          finish();
        });
        watcher.observe(output, { childList: true, characterData: true, subtree: true });
      }, { once: true, capture: true });
    });
  },
};
"""


def positions(n, seed=6):
    """n positions of two coordinates, with one decimal."""
    draw = random.Random(seed)
    return [[round(draw.gauss(0, 1), 1) for _ in range(2)] for _ in range(n)]


def press(tab, keys, count, look, output="null"):
    """Press `keys` in turn → `count` times in ms. `look` is what must differ after a press."""
    times = []
    before = tab.evaluate(look)
    for k in range(WARM + count):
        tab.evaluate(f"window.bench.arm({output})")
        tab.keyboard.press(keys[k % len(keys)])
        times.append(tab.evaluate("window.bench.done"))
        after = tab.evaluate(look)
        if after == before:
            raise RuntimeError(f"{keys[k % len(keys)]} changed nothing")
        before = after
        tab.wait_for_timeout(random.uniform(20, 60))  # any phase of the frame
    return times[WARM:]


def on_page(browser, server, n, count):
    """AttentionTable on the static page: the reader's slider, and a number typed into X."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.add_init_script(CLOCK)
    tab = context.new_page()
    X = str(positions(n)).replace(" ", "")
    try:
        tab.goto(f"{server.url}{LESSON}#w:AttentionTable:X={X}")
        tab.wait_for_selector("html[data-qkv-ready]", state="attached")
        held = tab.evaluate(
            "window.qkv.widgets.find(w => w.name === 'AttentionTable').model.get('X').length"
        )
        if held != n:
            raise RuntimeError(f"the page took {held} positions from its address, wanted {n}")
        tab.wait_for_timeout(500)
        look = f"""(() => {{
          const root = document.querySelector('{TABLE}');
          return root.textContent + [...root.querySelectorAll("input")].map((i) => i.value);
        }})()"""
        tab.locator(f"{TABLE} input[type=range]").focus()
        reader = press(tab, ["ArrowLeft", "ArrowRight"], count, look)
        tab.locator(f"{TABLE} input.qkv-cell").first.focus()
        number = press(tab, ["ArrowUp", "ArrowDown"], count, look)
    finally:
        context.close()
    return {"reader": reader, "number": number}


def empty_page(browser, count):
    """A page that writes one number at a key press: what a frame alone takes on this machine."""
    tab = browser.new_page()
    try:
        tab.set_content("<!DOCTYPE html><p>0</p>")
        tab.evaluate(CLOCK)
        tab.evaluate("""addEventListener("keydown", () => {
          const text = document.querySelector("p").firstChild;
          text.data = String(Number(text.data) + 1);
        })""")
        return press(tab, ["ArrowUp"], count, "document.body.textContent")
    finally:
        tab.close()


def in_lab(browser, address, count):
    """The slider of `interact` in JupyterLab, its function run by the kernel."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    tab = context.new_page()
    tab.set_default_timeout(90_000)
    try:
        tab.goto(address)
        tab.wait_for_selector(".jp-NotebookPanel .jp-Cell")
        tab.wait_for_function("""() => {
          const panel = window.jupyterapp?.shell.currentWidget;
          return panel?.sessionContext?.session?.kernel?.status === "idle";
        }""")
        tab.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
        tab.wait_for_function(
            "document.querySelector('.widget-output')?.textContent.includes('end')"
        )
        tab.evaluate(CLOCK)
        tab.locator(".noUi-handle").first.focus()
        tab.wait_for_timeout(1000)
        output = "document.querySelector('.widget-output')"
        return press(tab, ["ArrowUp", "ArrowDown"], count, f"{output}.textContent", output)
    finally:
        context.close()


def measure(browser, server, count, lab_count):
    """All of it → {"empty": times, n: {"reader": …, "number": …, "interact": …}}."""
    found = {"empty": empty_page(browser, count)}
    for n in SIZES:
        found[n] = on_page(browser, server, n, count)
    with tempfile.TemporaryDirectory(prefix="qkv-bench-lab-") as folder:
        folder = Path(folder)
        with lab.jupyter_lab(folder) as address:
            for n in SIZES:
                name = f"interact_{n}.ipynb"
                lab.write_notebook(folder / "files" / name, positions(n), matrices())
                found[n]["interact"] = in_lab(browser, address(name), lab_count)
                time.sleep(0.5)
    return found


def matrices():
    """The running example's W_Q, W_K, W_V: the ones that the page's widget opens with."""
    import qkv

    running = qkv.inputs()["running"]
    return [running[name].tolist() for name in ("W_Q", "W_K", "W_V")]
