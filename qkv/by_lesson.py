"""Find what belongs to a lesson: its folder `qkv/lessons/lesson_NN/`, and nothing else leads there.

Checkers, questions and quoted numbers know no lesson; they ask here, by its number.
"""

import functools
import importlib
import pkgutil


@functools.cache
def lessons():
    """The lessons that have a folder, in order: ("01", "02", …)."""
    path = importlib.import_module("qkv.lessons").__path__
    names = (module.name for module in pkgutil.iter_modules(path))
    return tuple(sorted(n.removeprefix("lesson_") for n in names if n.startswith("lesson_")))


def module(lesson, name):
    """Import and return a lesson's `exercises`, `questions` or `quoted`."""
    return importlib.import_module(f"qkv.lessons.lesson_{lesson}.{name}")


@functools.cache
def entries(lesson, name):
    """The dict EXERCISES or QUESTIONS of a lesson's module; each entry gets its key as `.id`."""
    found = getattr(module(lesson, name), name.upper())
    for id, item in found.items():
        item.id = id
    return found
