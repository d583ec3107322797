"""Fixtures of all tests: the built site, a server for it, and a browser that stays on this machine.

`page("notebooks/06_whole_sequence.html", theme="dark", width=360)` opens a page of the site. The
test fails at its end if the page raised an error, asked another host for anything, or met a file
that is not there.
"""

import functools
import subprocess
import sys
import threading
from pathlib import Path
from urllib.parse import urlsplit

import pytest

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "_build" / "html"

sys.path.insert(0, str(ROOT))  # for tools/
sys.path.insert(0, str(ROOT / "book" / "_ext"))  # for qkv_site

from tools import loopback  # noqa: E402


class Handler(loopback.Handler):
    """Serves the site; a test may set `headers_to_add` on the server."""

    def end_headers(self):
        for name, value in getattr(self.server, "headers_to_add", {}).items():
            self.send_header(name, value)
        super().end_headers()


@pytest.fixture(scope="session")
def site():
    """The folder of the built site (`make test` builds it first)."""
    if not (SITE / "index.html").exists():
        subprocess.run([sys.executable, ROOT / "tools" / "build.py"], check=True)
    return SITE


@pytest.fixture(scope="session")
def serve():
    """Start a server for a folder: serve(folder, headers={...}) → server with .url."""
    servers = []

    def start(folder, headers=None):
        server = loopback.Server(
            ("127.0.0.1", 0), functools.partial(Handler, directory=str(folder))
        )
        server.headers_to_add = headers or {}
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="session")
def server(site, serve):
    """The built site on loopback; server.url ends on a slash."""
    return serve(site)


@pytest.fixture(scope="session")
def browser():
    """A Chromium, driven by Playwright."""
    from playwright.sync_api import sync_playwright

    from tools.browser import FLAGS, find

    path = find()
    if path is None:
        pytest.fail("no browser: run `python tools/browser.py --install` (make test does)")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield chromium
        chromium.close()


def is_loopback(url):
    parts = urlsplit(url)
    return parts.scheme in ("data", "blob", "about", "file") or parts.hostname == "127.0.0.1"


@pytest.fixture
def page(browser, server):
    """A factory of pages; see the top of this file. `problems` on a page lists what went wrong."""
    opened = []

    def make(
        path="", *, theme="light", width=1280, height=900, base=None, ready=True, **context_options
    ):
        context = browser.new_context(
            viewport={"width": width, "height": height}, **context_options
        )
        context.set_default_timeout(15_000)
        if context_options.get("java_script_enabled", True):
            context.add_init_script(f"try {{ localStorage.mode ??= '{theme}' }} catch {{}}")
        tab = context.new_page()
        tab.problems = problems = []

        def gate(route):
            if is_loopback(route.request.url):
                route.continue_()
            else:
                problems.append(f"asked another host: {route.request.url}")
                route.abort()

        def on_response(response):
            if response.status >= 400:
                problems.append(f"status {response.status}: {response.url}")

        def on_failed(request):
            if request.failure != "net::ERR_ABORTED":
                problems.append(f"failed: {request.url} ({request.failure})")

        context.route("**/*", gate)
        tab.on("pageerror", lambda error: problems.append(f"page error: {error}"))
        tab.on("response", on_response)
        tab.on("requestfailed", on_failed)
        tab.on(
            "console",
            lambda m: problems.append(f"console: {m.text}") if m.type == "error" else None,
        )
        opened.append((context, problems))
        tab.goto((base or server.url) + path)
        if ready and tab.locator(".qkv-slot").count():
            tab.wait_for_selector("html[data-qkv-ready]", state="attached")
        return tab

    yield make
    found = []
    for context, problems in opened:
        found += problems
        context.close()
    assert not found, "\n".join(found)
