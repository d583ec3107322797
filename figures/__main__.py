"""Draw the figures: `python -m figures [NN_stem ...]`, or `--check` that the files are current.

Each NN_stem.py here defines draw() → the text of NN_stem.svg. Files are replaced in one step.
`--check` writes nothing and ends with status 1 when a file is missing, stale or has no script.
"""

import argparse
import importlib.util
import os
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER.parent)] if str(FOLDER.parent) not in sys.path else []


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m figures", description=__doc__.split("\n")[0])
    parser.add_argument("stems", nargs="*", help="like 07_mask_orders; all by default")
    parser.add_argument("--check", action="store_true", help="compare only")
    options = parser.parse_args(arguments)
    faults = []
    for script in scripts():
        if options.stems and script.stem not in options.stems:
            continue
        text, target = draw(script), script.with_suffix(".svg")
        current = target.is_file() and target.read_text(encoding="utf-8") == text
        if options.check and not current:
            faults.append(f"{target.name}: not what {script.name} draws; run make figures")
        elif not options.check:
            if not current:
                write(target, text)
            print(f"{target.name}: {'unchanged' if current else 'written'}")
    if options.check:
        faults += [f"{p.name}: no script draws it" for p in orphans()]
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


def scripts():
    """Return the scripts that draw a figure, in order."""
    return sorted(FOLDER.glob("[0-9][0-9]_*.py"))


def orphans():
    """Return the pictures that no script draws."""
    return sorted(p for p in FOLDER.glob("*.svg") if not p.with_suffix(".py").is_file())


def draw(script):
    """Run one script's draw() and return its SVG text."""
    spec = importlib.util.spec_from_file_location("figure_" + script.stem, script)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.draw()


def write(target, text):
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=target.name, suffix=".part")
    with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
    os.chmod(name, 0o644)
    os.replace(name, target)


if __name__ == "__main__":
    sys.exit(main())
