"""Find a Chromium for the tests: one on PATH, else Playwright's, else the distribution's package.

`python tools/browser.py` prints where it is; with --install it brings one if there is none.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def on_path():
    """A browser of the system, or None."""
    for name in NAMES:
        found = shutil.which(name)
        if found:
            return found
    return None


def of_playwright():
    """The browser that `playwright install chromium` fetched, or None."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def find():
    """The path of a browser, or None."""
    return on_path() or of_playwright()


def install():
    """Bring a browser: Playwright's own, or the package of a Debian-like system."""
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
    if find() or not shutil.which("apt-get"):
        return
    apt = ["apt-get"] if os.geteuid() == 0 else ["sudo", "apt-get"]
    subprocess.run([*apt, "update", "-qq"], check=False)
    subprocess.run(
        [*apt, "install", "-y", "-qq", "--no-install-recommends", "chromium"], check=False
    )


def main():
    if find() is None and "--install" in sys.argv:
        install()
    path = find()
    if path is None:
        raise SystemExit(
            "browser: the tests need Chromium; install it, or run `playwright install chromium`"
        )
    print(f"browser: {path}")


if __name__ == "__main__":
    main()
