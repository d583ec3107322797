"""show, say, check_shape, device: output that is the same on every machine."""

import numpy as np
import pytest

from qkv.lesson import check_shape, device, say, show


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.23456, "x: 1.2346"),
        (-0.00001, "x: 0.0000"),
        (-0.0, "x: 0.0000"),
        (1e-17, "x: 0.0000"),
        (123456789.0, "x: 123456789.0000"),
        (-1.5, "x: -1.5000"),
        (7, "x: 7"),
        (-0, "x: 0"),
        (True, "x: yes"),
        (np.False_, "x: no"),
        ("a word", "x: a word"),
        (["a", "word"], "x: a, word"),
        ([1, 2], "x: [1, 2]"),
        ([1, 2.5], "x: [1.0000, 2.5000]"),
        ([-np.inf, np.nan, np.inf], "x: [-inf, nan, inf]"),
        ([True, False], "x: [1, 0]"),
        (np.float32(0.5), "x: 0.5000"),
        ([[1.0, -np.inf]], "x, shape (1, 2):\n[[1.0000, -inf]]"),
        ([[1, 20], [-3, 4]], "x, shape (2, 2):\n[[ 1, 20],\n [-3,  4]]"),
        (np.ones((2, 1, 1)), "x, shape (2, 1, 1):\n[[[1.0000]],\n\n [[1.0000]]]"),
    ],
)
def test_show(capsys, value, text):
    show("x", value)
    assert capsys.readouterr().out == text + "\n"


def test_show_digits_and_torch(capsys):
    torch = pytest.importorskip("torch")
    show("x", 1 / 3, digits=6)
    show("t", torch.tensor([0.5, -0.0], requires_grad=True))
    show("h", torch.tensor([0.5], dtype=torch.bfloat16))
    show("m", torch.tensor([[True, False]]))
    assert capsys.readouterr().out == (
        "x: 0.333333\nt: [0.5000, 0.0000]\nh: [0.5000]\nm, shape (1, 2):\n[[1, 0]]\n"
    )


@pytest.mark.parametrize("value", [[[1, 2], [3]], 1 + 2j, None])
def test_show_refuses(value):
    with pytest.raises(ValueError, match="show: expected"):
        show("x", value)


def test_say(capsys):
    pytest.importorskip("IPython")
    say("the weight is **0.5**")
    assert "Markdown" in capsys.readouterr().out  # outside a notebook IPython prints its repr


def test_check_shape(capsys):
    torch = pytest.importorskip("torch")
    check_shape(np.ones((2, 3)), (2, 3))
    check_shape([[1, 2]], (1, None))
    check_shape(torch.ones(4), (4,))
    check_shape(3, ())
    assert capsys.readouterr().out == ""
    with pytest.raises(ValueError, match=r"expected shape \(2, any\), got \(3,\)"):
        check_shape(np.ones(3), (2, None))
    with pytest.raises(ValueError, match=r"expected shape \(3,\), got \(4,\)"):
        check_shape(np.ones(4), (3,))


def test_device():
    torch = pytest.importorskip("torch")
    assert device().type == ("cuda" if torch.cuda.is_available() else "cpu")
