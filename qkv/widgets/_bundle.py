"""Join a widget's JavaScript files into the one module text that anywidget loads.

anywidget hands the browser a single module from memory, so a relative import inside it has nothing
to be relative to. The files stay real ES modules (Node and an editor read them as they are); here
they are put one after another, each once, in the order in which they import each other.
"""

import re
from pathlib import Path

IMPORT = re.compile(r'^import \{[^}]*\} from "(\.[^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|let|class) )", re.MULTILINE)
DECLARED = re.compile(r"^(?:async )?(?:function\*?|const|let|class) (\w+)", re.MULTILINE)


def bundle(entry):
    """Return the text of one module made of `entry` and of everything it imports."""
    return joined(text for _, text in parts(entry))


def joined(texts):
    """Return the text of a module from those of its parts."""
    return "\n\n".join(texts) + "\n"


def parts(entry):
    """List (path, text) of the files that make a module, in order, without import and export.

    Raises ValueError if two files declare the same top-level name: in one module they would clash.
    """
    found, owners = [], {}
    for path in in_import_order(Path(entry).resolve()):
        text = EXPORT.sub("", IMPORT.sub("", path.read_text(encoding="utf-8")))
        for name in DECLARED.findall(text):
            if name in owners:
                raise ValueError(
                    f"bundle: expected top-level names to be unique, got {name} "
                    f"in both {owners[name]} and {path.name}"
                )
            owners[name] = path.name
        found.append((path, text.strip()))
    return found


def in_import_order(path, seen=None):
    """List `path` after the files it imports, depth first, each once."""
    seen = {} if seen is None else seen
    if path in seen:
        return []
    seen[path] = True
    ordered = []
    for target in IMPORT.findall(path.read_text(encoding="utf-8")):
        ordered += in_import_order((path.parent / target).resolve(), seen)
    return [*ordered, path]


def stylesheet(*paths):
    """Return the joined text of the shared style sheet and of `paths`."""
    shared = Path(__file__).parent / "_shared" / "style.css"
    return "\n".join(Path(p).read_text(encoding="utf-8").strip() for p in (shared, *paths)) + "\n"
