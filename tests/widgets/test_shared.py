"""The pieces that all widgets share and that need no page: addresses, numbers as text."""

import json
import subprocess
from pathlib import Path

import pytest
from agreement import NODE

import qkv.widgets

SHARED = Path(qkv.widgets.__file__).parent / "_shared"
KNOWN = {"X": [[1, 0], [0, 1]], "reader": 1, "causal": False, "mode": "self", "response": None}


def run(script, given):
    """Run lines of JavaScript that have `given` and the shared modules; return their `result`."""
    imports = "".join(
        f"import * as {name} from {json.dumps((SHARED / f'{name}.js').as_uri())};\n"
        for name in ("hash", "numbers", "prose")
    )
    quiet = "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON"
    text = f"{imports}const given = {json.dumps(given)};\n{script}\n"
    done = subprocess.run(
        [NODE, quiet, "--input-type=module", "-e", f"{text}console.log(JSON.stringify(result));"],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def read(*hashes):
    return run(
        "const result = given[0].map((text) => hash.readHash(text, 'Table', given[1]));",
        [hashes, KNOWN],
    )


def test_what_is_not_this_widget_s_is_left_alone():
    others = [
        "",
        "#",
        "#exercises",
        "#w:",
        "#w::",
        "#w:Other:X=1",
        "#w:Table.2:X=1",
        "#W:Table:X=1",
    ]
    assert read(*others) == [None] * len(others)
    assert read("#w:Table", "#w:Table:", "#w:Table:;;") == [{"state": {}}] * 3


def test_a_state_comes_back_as_it_was_written():
    state = {"X": [[0.5, -2], [1e-7, 3]], "reader": 0, "causal": True, "mode": "a;b=c%&#“ü"}
    written = run("const result = hash.writeHash('Table', given);", state)
    assert read(written) == [{"state": state}]


@pytest.mark.parametrize("name", ["__proto__", "constructor", "toString", "hasOwnProperty", "nope"])
@pytest.mark.parametrize("value", ["", "=1", '={"x":1}'])
def test_an_unknown_name_is_told(name, value):
    [found] = read(f"#w:Table:{name}{value}")
    there = "`X`, `reader`, `causal`, `mode`, `response`"
    assert found == {"error": f"no input is called `{name}` (there are {there})"}


@pytest.mark.parametrize("text", [
    "X=1", "X={}", "X", "X=", "X=[[1,2]", "X=%E0%A4%A", "reader=true", 'reader="1"', "reader=[1]",
    "reader=null", "reader=NaN", "causal=1", 'causal="true"', "mode=self", "mode=1", "=1",
])  # fmt: skip
def test_a_wrong_kind_is_told(text):
    [found] = read(f"#w:Table:{text}")
    assert "wants" in found["error"] or "no input is called ``" in found["error"]


def test_what_is_quoted_is_short_and_a_list_not_too_long():
    long = "9" * 5000
    errors = [found["error"] for found in read(f"#w:Table:{long}=1", f"#w:Table:X={long}")]
    assert max(map(len, errors)) < 200
    many = json.dumps([[0, 1]] * 600, separators=(",", ":"))
    [found] = read(f"#w:Table:X={many}")
    assert found == {"error": "`X` holds 1200 numbers, a link at most 1000"}


def test_only_a_blocked_score_may_be_infinite():
    results = [
        {"raw": [[1, 2]], "scores": [[1, "-inf"]]},
        {"raw": [[1, "-inf"]], "scores": [[1, 2]]},
        {"scores": [[1, "inf"]]},
        {"scores": [["nan"]]},
        {"mean": "inf"},
        {"mean": 1e308, "name": "inf", "entropy": None},
    ]
    script = """
    const numbersOf = { inf: Infinity, "-inf": -Infinity, nan: NaN };
    const revive = (key, x) => (key !== "name" && x in numbersOf ? numbersOf[x] : x);
    const result = given.map((one) => numbers.overflowed(JSON.parse(one, revive)));
    """
    given = [json.dumps(one) for one in results]
    assert run(script, given) == [False, True, True, True, True, False]


def test_a_field_never_shows_0_for_what_is_not_0():
    given = [0, 1e-5, -0.000012345, 0.0001, 1 / 3, -2, 1e-320, 1e21]
    shown = run("const result = given.map(numbers.inField);", given)
    assert shown == ["0", "0.00001", "−0.0000123", "0.0001", "0.3333", "−2", "1e−320", "1e+21"]
    back = run("const result = given.map(numbers.parseNumber);", shown)
    assert back == pytest.approx(given, rel=1e-2, abs=1e-4) and back[1] == 1e-5


SENTENCES = {
    "": [""],
    "Weights": ["Weights"],
    "0.5": ["", "0.5"],
    "o₁ = Σⱼ a₁ⱼ·vⱼ₁ = 0.25·2 + 0.75·(−1) = −0.25": [
        "", "o₁ = Σⱼ a₁ⱼ·vⱼ₁ = 0.25·2 + 0.75·(−1) = −0.25",
    ],
    "row 1: 0.5 + 0.5 = 1, as it must be.": ["row ", "1: 0.5 + 0.5 = 1,", " as it must be."],
    "make W_Q equal to W_K, then change a number of X": [
        "make ", "W_Q", " equal to ", "W_K,", " then change a number of ", "X",
    ],
    "A tie (“green”, “on Monday”) of all": ["A tie (“green”, “on Monday”) of all"],
    "(e + c) / T, the score": ["", "(e + c) / T,", " the score"],
    "x → layer 2 ▦ masked": ["", "x →", " layer ", "2 ▦", " masked"],
    "in two  3 , 4 , then": ["in two  ", "3 , 4", " , then"],
}  # fmt: skip


@pytest.mark.parametrize("text", SENTENCES)
def test_a_sentence_is_told_from_its_numbers_and_formulas(text):
    """Words and formulas take turns, words first; together they are the text."""
    found = run("const result = prose.pieces(given);", text)
    assert found == SENTENCES[text] and "".join(found) == text
