"""Build the wheel of qkv into _build/wheel, without network: the site carries it.

The build back end is called in this process, so nothing is fetched, and the same sources give
the same bytes.
"""

import os
import shutil
from pathlib import Path

from hatchling.build import build_wheel

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "_build" / "wheel"


def main():
    os.environ.setdefault("SOURCE_DATE_EPOCH", "1577836800")
    os.chdir(ROOT)
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    name = build_wheel(str(OUT))
    print(f"wheel: {(OUT / name).relative_to(ROOT)}")


if __name__ == "__main__":
    main()
