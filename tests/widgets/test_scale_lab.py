"""ScaleLab: the same draws, number for number, in the browser and in NumPy."""

import json
import subprocess

import numpy as np
import pytest
from agreement import NODE, assert_agrees, derive_in_node

import qkv.widgets
from qkv.draws import normals

SHARED = qkv.widgets.__path__[0] + "/_shared"


def test_draws_are_equal_number_for_number():
    code = f"""
    import {{ normalAt }} from "file://{SHARED}/draws.js";
    const seeds = [0, 1, 7, 4294967295];
    const all = seeds.map((s) => Array.from({{ length: 5000 }}, (_, i) => normalAt(s, i)));
    process.stdout.write(JSON.stringify(all));
    """
    command = [NODE, "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", "--input-type=module"]
    done = subprocess.run([*command, "-e", code], capture_output=True, text=True, check=True)
    for seed, drawn in zip([0, 1, 7, 4294967295], json.loads(done.stdout), strict=True):
        assert drawn == normals(seed, 5000).tolist()


def state(**change):
    return {**qkv.widgets.ScaleLab().inputs(), **change}


@pytest.mark.parametrize("d_k", [1, 2, 64, 100, 1024])
def test_derive_equals_numpy(d_k):
    assert_agrees(
        "ScaleLab",
        [
            state(d_k=d_k),
            state(d_k=d_k, divisor="sqrt", seed=9),
            state(d_k=d_k, divisor="d_k", draws=200),
            state(d_k=d_k, rho=0.6, within=-0.4, sigma=1.5, divisor="sqrt"),
            state(d_k=d_k, rho=-1, within=0.9),
        ],
    )


def test_scores_stay_equal_to_the_last_bit():
    """Counts compare scores with edges, so the scores must be equal, not near."""
    lab = qkv.widgets.ScaleLab(d_k=300, rho=0.3, within=0.5, draws=5000)
    (found,) = derive_in_node("ScaleLab", [lab.inputs()])
    assert found["counts"] == lab.counts.tolist() and sum(found["counts"]) == 5000


@pytest.mark.parametrize("change", [{}, {"rho": 0.5}, {"within": 0.7}, {"sigma": 2.0}])
def test_the_derived_mean_and_variance_hold(change):
    """Within five standard errors of 5000 draws; for the variance, of a fourth moment below 9."""
    lab = qkv.widgets.ScaleLab(d_k=32, draws=5000, **change)
    mean, sd = lab.expected()
    assert abs(lab.mean - mean) <= 5 * sd / np.sqrt(5000)
    assert abs(lab.variance / sd**2 - 1) <= 5 * np.sqrt(8 / 5000)


@pytest.mark.parametrize(
    "change, sentence",
    [
        ({"d_k": 0}, "d_k must be a whole number from 1 to 1024."),
        ({"rho": 1.5}, "The correlation of q and k must be from −1 to 1."),
        ({"within": 1}, "The correlation of neighbours must lie between −1 and 1."),
        ({"sigma": 0}, "σ must be above 0 and at most 10."),
        ({"divisor": "root"}, "The divisor must be “none”, “sqrt” or “d_k”."),
        ({"draws": 3}, "Draws must be a whole number from 8 to 5000."),
        ({"seed": -1}, "The seed must be a whole number from 0 to 4294967295."),
        ({"seed": 2**32}, "The seed must be a whole number from 0 to 4294967295."),
    ],
)
def test_bad_inputs_get_a_sentence(change, sentence):
    assert derive_in_node("ScaleLab", [state(**change)]) == [sentence]
