"""Hold what is stored to what other processors compute: `make machines`.

The same program gives other last bits on another processor, since NumPy and PyTorch choose their
routines by what the processor can do. Their choice can be set, so one machine can stand for
several. Under each kind of arithmetic this runs whatever compares stored with computed: the
widgets that lessons keep, figures, quoted numbers, the numbers on the site's pages, every lesson
by nbval, and `make notebooks`, which must leave the same bytes.

    python tools/machines.py                   all kinds, everything
    python tools/machines.py prescott haswell  some kinds
    python tools/machines.py --quick prescott  without kernels and browser: some seconds a kind
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SANITIZE = "tests/lessons/nbval_sanitize.cfg"
QUICK = ["tests/lessons/test_widget_state.py", "tests/figures", "tests/unit/test_reproduce.py"]
NBVAL = ["--nbval", "--nbval-sanitize-with", SANITIZE, "--nbval-cell-timeout=120"]
PYTEST = ["-m", "pytest", "-q", "-p", "no:cacheprovider"]
CHECKS = {
    "stored widgets, figures, quoted numbers": [*PYTEST, *QUICK],
    "lessons, by nbval": [*PYTEST, "notebooks", *NBVAL],
    "make notebooks gives no diff": ["tools/notebooks.py", "--check"],
    "numbers on the site": [*PYTEST, "tests/site/test_numbers.py"],
}


def narrow():
    """Switch off all of NumPy's wide vector units that this processor has."""
    from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

    there = [name for name in __cpu_dispatch__ if __cpu_features__.get(name)]
    return {"NPY_DISABLE_CPU_FEATURES": " ".join(there), "ATEN_CPU_CAPABILITY": "default"}


def threads(count):
    return {f"{name}_NUM_THREADS": str(count) for name in ("OMP", "OPENBLAS", "MKL")}


KINDS = {
    "default": dict,
    "prescott": lambda: {"OPENBLAS_CORETYPE": "Prescott"},
    "haswell": lambda: {"OPENBLAS_CORETYPE": "Haswell"},
    "narrow": narrow,
    "one-thread": lambda: threads(1),
    "two-threads": lambda: threads(2),
}


def run(kind, check):
    """Run one check under one kind of arithmetic → (it passed, what it printed)."""
    command = [sys.executable, *CHECKS[check]]
    env = {**os.environ, **KINDS[kind]()}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    return done.returncode == 0, done.stdout + done.stderr


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Hold stored to computed on other processors.")
    parser.add_argument("kinds", nargs="*", help=f"of {', '.join(KINDS)}; all by default")
    parser.add_argument("--quick", action="store_true", help="no kernels, no browser")
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.kinds) - set(KINDS))
    if unknown:
        parser.error(f"expected kinds among {', '.join(KINDS)}, got {', '.join(unknown)}")
    failed = 0
    for kind in options.kinds or KINDS:
        for check in list(CHECKS)[:1] if options.quick else CHECKS:
            start = time.monotonic()
            passed, printed = run(kind, check)
            failed += not passed
            took = f"{time.monotonic() - start:4.0f} s"
            print(f"{kind:12} {check:41} {'ok' if passed else 'DIFFERS':8}{took}", flush=True)
            if not passed:
                print(printed[-4000:], flush=True)
    if failed:
        print(f"make machines: {failed} checks differ", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
