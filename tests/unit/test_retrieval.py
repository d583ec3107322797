"""Lesson 01's card file: matches, ties, mixtures."""

import numpy as np
import pytest

import qkv
import qkv.torch

CARDS, TWIN = qkv.inputs()["cards"], qkv.inputs()["cards_twin"]


def test_the_request_is_answered():
    request, keys, values = CARDS["request"], CARDS["keys"], CARDS["values"]
    np.testing.assert_array_equal(qkv.match(request, keys), [2, 1, 0])
    np.testing.assert_array_equal(qkv.retrieve(request, keys, values), values[0])
    weights = qkv.softmax(qkv.match(request, keys))
    np.testing.assert_allclose(weights, [0.6652, 0.2447, 0.0900], atol=5e-5)
    np.testing.assert_allclose(qkv.soft_retrieve(request, keys, values), weights @ values)


def test_a_tie_is_shared():
    request, keys, values = TWIN["request"], TWIN["keys"], TWIN["values"]
    np.testing.assert_array_equal(qkv.match(request, keys), [2, 1, 0, 2])
    both = (values[0] + values[3]) / 2
    np.testing.assert_array_equal(qkv.retrieve(request, keys, values), both)
    np.testing.assert_array_equal(qkv.retrieve(np.zeros(4), keys, values), values.mean(0))


def test_content_and_tags_do_not_touch_each_other():
    request, keys, values = CARDS["request"], CARDS["keys"], CARDS["values"]
    changed = values.copy()
    changed[0] = [9, 9]
    np.testing.assert_array_equal(qkv.retrieve(request, keys, changed), [9, 9])
    other = keys.copy()
    other[0, 1] = 0  # the card is no longer about a place
    np.testing.assert_array_equal(qkv.match(request, other), [1, 1, 0])
    assert (qkv.retrieve(request, other, values) != values[0]).any()


@pytest.mark.parametrize("package", [qkv, qkv.torch])
def test_temperature(package):
    given = [TWIN[name].tolist() for name in ("request", "keys", "values")]
    hard, soft = np.asarray(package.retrieve(*given)), np.asarray(package.soft_retrieve(*given))
    assert abs(hard - soft).max() > 0.1
    np.testing.assert_allclose(package.soft_retrieve(*given, temperature=1e-300), hard, atol=1e-12)
    even = np.mean(given[2], 0)
    np.testing.assert_allclose(package.soft_retrieve(*given, temperature=1e9), even, atol=1e-6)


def test_several_requests_at_once():
    requests = np.array([[1, 1, 0, 0], [1, 0, 1, 0], [0, 0, 0, 1]])
    np.testing.assert_array_equal(
        qkv.retrieve(requests, CARDS["keys"], CARDS["values"]), CARDS["values"]
    )


def test_one_token_two_contexts():
    s = qkv.inputs()["sentences"]
    read = []
    for name in ("birds", "choirs"):
        ids = s[f"{name}_ids"]
        X = s["embeddings"][ids] + s["positions"][: len(ids)]
        read.append((X[1], qkv.soft_retrieve(X[1], X, X), qkv.retrieve(X[1], X, X)))
    np.testing.assert_array_equal(read[0][0], read[1][0])
    assert abs(read[0][1] - read[1][1]).max() > 0.1
