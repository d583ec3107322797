"""Find what belongs to a lesson: a package keeps it in one module per lesson, `lesson_NN.py`."""

import functools
import importlib
import pkgutil


@functools.cache
def lessons(package):
    """Return the lessons that a package has a module for: ("01", "02", …).

    package: its dotted name, such as "qkv.checks".
    """
    path = importlib.import_module(package).__path__
    names = (module.name for module in pkgutil.iter_modules(path))
    return tuple(sorted(n.removeprefix("lesson_") for n in names if n.startswith("lesson_")))


def module(package, lesson):
    """Import and return the package's module for one lesson."""
    return importlib.import_module(f"{package}.lesson_{lesson}")


@functools.cache
def entries(package, lesson, name):
    """Return the dict called `name` in a lesson's module; each entry gets its key as `.id`."""
    found = getattr(module(package, lesson), name)
    for id, item in found.items():
        item.id = id
    return found
