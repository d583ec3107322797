"""What a widget's Python object says of traits that it cannot use."""

import pytest

import qkv.widgets


@pytest.mark.parametrize("cls", qkv.widgets.CLASSES, ids=lambda cls: cls.__name__)
def test_a_misspelt_trait_is_refused(cls):
    with pytest.raises(ValueError, match=f"{cls.__name__}: expected inputs among .*, got casual"):
        cls(casual=True)


@pytest.mark.parametrize("name, trait, most", [
    ("AttentionTable", "reader", 2), ("WhoReadsWhom", "reader", 12),
    ("Projector", "i", 2), ("Projector", "j", 2),
    ("PullLab", "reader", 2), ("PullLab", "candidate", 2),
])  # fmt: skip
def test_a_position_that_is_not_there_is_named(name, trait, most):
    widget = getattr(qkv.widgets, name)()
    setattr(widget, trait, most)
    assert repr(widget)
    setattr(widget, trait, 99)
    with pytest.raises(ValueError, match=f"{name}: expected {trait} from 0 to {most}, got 99"):
        repr(widget)


def test_two_widgets_can_share_a_setting():
    from ipywidgets import link

    first, second = qkv.widgets.AttentionTable(), qkv.widgets.AttentionTable()
    link((first, "causal"), (second, "causal"))
    link((first, "X"), (second, "X"))
    first.causal = True
    second.X = [[1, 2], [3, 4]]
    assert second.weights.tolist() == first.weights.tolist() and second.weights[0, 1] == 0
