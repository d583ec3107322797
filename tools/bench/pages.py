"""Each lesson page's weight, requests, and time until its widgets answer, with an empty cache."""

import gzip
import re
import statistics
import time
from contextlib import contextmanager
from urllib.parse import urlsplit

from tools.browser import FLAGS, find

from .server import is_picture

VIEW = re.compile(r'<script type="application/vnd\.jupyter\.widget-view\+json">')
ALONE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"  # no name leads anywhere

# When as many widgets stand as the page promises, note the time at which they are painted.
WATCH = """
(() => {
  const wanted = %d;
  const painted = (key) => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => { window.benchTimes[key] = performance.now(); };
    channel.port2.postMessage(0);
  });
  window.benchTimes = {};
  const watcher = new MutationObserver(() => {
    const there = document.querySelectorAll("[data-qkv-widget]").length;
    if (there && !window.benchTimes.started) painted("first");
    if (there) window.benchTimes.started = true;
    if (there < wanted) return;
    watcher.disconnect();
    painted("all");
  });
  watcher.observe(document, { childList: true, subtree: true });
})();
"""
# A control of the first widget that has one, and the key that moves it.
CONTROLS = (
    ("[data-qkv-widget] input[type=range]", ("ArrowRight", "ArrowLeft")),
    ("[data-qkv-widget] input.qkv-cell", ("ArrowUp",)),
    ("[data-qkv-widget] input[type=checkbox]", ("Space",)),
    ("[data-qkv-widget] input[type=radio]", ("Space",)),
)


@contextmanager
def chromium():
    """A browser that reaches nothing but this machine."""
    from playwright.sync_api import sync_playwright

    path = find()
    if path is None:
        raise RuntimeError("no browser: run `python tools/browser.py --install`")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=[*FLAGS, ALONE])
        try:
            yield browser
        finally:
            browser.close()


def load(browser, server, path, wanted, scroll=False):
    """Open a page with an empty cache → its times in ms, and what was asked of other hosts."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.add_init_script(WATCH % wanted)
    tab = context.new_page()
    outside = []
    tab.on("request", lambda r: outside.append(r.url) if is_outside(r.url) else None)
    try:
        tab.goto(server.url + path)
        if wanted:
            tab.wait_for_function("window.benchTimes.all", timeout=60_000)
        times = tab.evaluate("window.benchTimes")
        if wanted:
            assert_answers(tab, path)
        if scroll:
            scroll_through(tab, server)
    finally:
        context.close()
    return times, outside


def is_outside(url):
    parts = urlsplit(url)
    return parts.scheme in ("http", "https", "ws", "wss") and parts.hostname != "127.0.0.1"


def assert_answers(tab, path):
    """Press a key on the first control that takes one, and see the widget's text change."""
    for selector, keys in CONTROLS:
        control = tab.locator(selector).first
        if control.count() == 0:
            continue
        look = "node => node.closest('[data-qkv-widget]').innerText"
        before = control.evaluate(look)
        for key in keys:
            control.press(key)
            if control.evaluate(look) != before:
                return
    raise RuntimeError(f"{path}: no widget answers the keyboard")


def scroll_through(tab, server):
    """Bring everything that loads late onto the screen; wait until nothing more is asked for."""
    height = tab.evaluate("document.documentElement.scrollHeight")
    for top in range(0, height, 800):
        tab.evaluate("top => window.scrollTo(0, top)", top)
        tab.wait_for_timeout(20)
    seen, since = len(server.sent), time.monotonic()
    while time.monotonic() - since < 1:
        tab.wait_for_timeout(50)
        if len(server.sent) != seen:
            seen, since = len(server.sent), time.monotonic()


def weigh(sent, outside):
    """Add up what a server sent for one page; pictures are counted apart."""
    files = [s for s in sent if not is_picture(s.path)]
    return {
        "requests": len(files),
        "pictures": len(sent) - len(files),
        "outside": len(outside),
        "missing": sum(s.status >= 400 for s in sent),
        "raw": sum(s.raw for s in files),
        "gzip": sum(s.wire for s in files),
        "files": [s._asdict() for s in sorted(files, key=lambda s: -s.wire)],
    }


def promised(server, path):
    """How many widgets a page promises, from its text."""
    status, _, _, wire, packed = server.answer(f"/{path}")
    if status != 200:
        raise RuntimeError(f"there is no page {path}")
    html = gzip.decompress(wire) if packed else wire
    return len(VIEW.findall(html.decode("utf-8")))


def measure(browser, servers, path, repeats):
    """One page on several servers ({who: server}) → weight from one load, times of `repeats` more.

    The servers take turns, so that a busy moment of the machine falls on all of them.
    """
    found, loads = {}, {}
    for who, server in servers.items():
        wanted = promised(server, path)
        server.sent.clear()
        _, outside = load(browser, server, path, wanted, scroll=True)
        found[who] = {**weigh(list(server.sent), outside), "widgets": wanted}
        loads[who] = []
    for _ in range(repeats):
        for who, server in servers.items():
            loads[who].append(load(browser, server, path, found[who]["widgets"])[0])
    for who, times in loads.items():
        for key in ("first", "all"):
            each = [t[key] for t in times if key in t]
            found[who][f"{key}_ms"] = statistics.median(each) if each else None
            found[who][f"{key}_each_ms"] = each
    return found
