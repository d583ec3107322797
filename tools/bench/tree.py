"""A copy of the working tree, to build in and to change: the tree itself stays as it is."""

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINKED = (".venv", "book/vendor/node_modules")  # ignored by git, made by `make setup`


def copy_tree(target):
    """Copy what git tracks or would track into `target`, with the times of the files."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, listed.split("\0")):
        source = ROOT / name
        if source.is_file():  # a file deleted but not yet committed is still listed
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target / name)
    for name in LINKED:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).symlink_to(ROOT / name)
    return target
