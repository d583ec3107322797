"""Run the bench: `python -m tools.bench [--quick] [--only pages,keys,builds] [--site FOLDER]`.

Exit status 0 whatever the figures are; a measurement that fails stops the bench.
"""

import argparse
import json
import os
import platform
import sys
import tempfile
from pathlib import Path

from . import builds, keys, pages, report, stock
from .server import serving
from .tree import ROOT, copy_tree

OUT = ROOT / "_build" / "bench.json"
PARTS = ("builds", "pages", "keys")
QUICK = {"builds": 1, "loads": 2, "presses": 15, "lab presses": 10}
FULL = {"builds": 3, "loads": 7, "presses": 100, "lab presses": 60}


def say(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


def machine(before):
    """The machine and how busy it was: a busy machine spoils times."""
    load = lambda three: " ".join(f"{x:.1f}" for x in three)  # noqa: E731
    return (
        f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}; load "
        f"(1, 5, 15 min) {load(before)} before, {load(os.getloadavg())} after"
    )


def measure_pages(browser, server, folder, loads):
    """The lesson pages of the site against the same notebooks by the stock pipeline."""
    site = server.folder
    lessons = [ROOT / "notebooks" / f"{p.stem}.ipynb" for p in site.glob("notebooks/*.html")]
    lessons.sort()
    say(f"builds {len(lessons)} lessons by the stock pipeline")
    plain = stock.build(folder / "stock", lessons)
    found = {}
    with serving(plain, stock.networks(folder / "networks")) as other:
        for lesson in lessons:
            say(f"weighs {lesson.stem}")
            path = f"notebooks/{lesson.stem}.html"
            servers = {"book": server, "stock": other}
            found[lesson.stem] = pages.measure(browser, servers, path, loads)
    return found


def run(parts, counts, site, folder):
    before = os.getloadavg()
    result = {}
    if "builds" in parts or site is None:
        tree = copy_tree(folder / "tree")
        if "builds" in parts:
            say("times make book in a copy of the tree")
            result["builds"] = builds.measure(tree, counts["builds"])
        else:
            say("builds the book in a copy of the tree")
            builds.make_book(tree)
        site = site or tree / "_build" / "html"
    if "pages" in parts or "keys" in parts:
        with pages.chromium() as browser, serving(site) as server:
            if "pages" in parts:
                result["pages"] = measure_pages(browser, server, folder, counts["loads"])
            if "keys" in parts:
                say("times key presses")
                count, in_lab = counts["presses"], counts["lab presses"]
                result["keys"] = keys.measure(browser, server, count, in_lab)
    result["machine"] = machine(before)
    result["counts"] = counts
    result["targets"] = list(report.targets(result))
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few repeats")
    parser.add_argument("--only", default=",".join(PARTS), help="parts, of builds,pages,keys")
    parser.add_argument("--site", type=Path, help="a built site, instead of building a copy")
    options = parser.parse_args()
    parts = options.only.split(",")
    if unknown := set(parts) - set(PARTS):
        parser.error(f"no part is called {', '.join(sorted(unknown))}")
    quick = options.quick or os.environ.get("QUICK", "") not in ("", "0")
    with tempfile.TemporaryDirectory(prefix="qkv-bench-") as folder:
        result = run(parts, QUICK if quick else FULL, options.site, Path(folder))
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(report.table(result))
    print(f"\nbench: all of it is in {OUT.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
