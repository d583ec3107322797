"""Build the book: the package's wheel, then the site, in which any warning is an error."""

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main():
    start = time.monotonic()
    subprocess.run([sys.executable, ROOT / "tools" / "wheel.py"], check=True)
    # The command line of jupyter-book, run in this Python so that PATH does not matter.
    command = [sys.executable, "-c", "from jupyter_book.cli.main import main; main()", "build", "."]
    command += ["-W", "-n", "--keep-going", "-q"]
    env = dict(os.environ, PYTHONWARNINGS="ignore::DeprecationWarning")
    result = subprocess.run(command, cwd=ROOT, env=env)
    if result.returncode:
        raise SystemExit("make book: the build reported warnings or errors, listed above")
    page = ROOT / "_build" / "html" / "index.html"
    print(f"make book: {page.relative_to(ROOT)} in {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
