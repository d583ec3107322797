"""The NumPy reference: hand numbers from the curriculum, properties, gradients."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qkv

EXACT = {"rtol": 1e-12, "atol": 1e-12}


def running():
    example = qkv.inputs()["running"]
    return [example[name] for name in ("X", "W_Q", "W_K", "W_V", "G")]


def digits(value, quoted):
    """The quoted digits are the computed ones, rounded: off by half a unit of the last at most."""
    quoted_text = str(quoted)
    decimals = max((len(t.split(".")[1]) for t in _numbers(quoted_text) if "." in t), default=0)
    assert np.shape(value) == np.shape(quoted)
    np.testing.assert_allclose(value, quoted, rtol=0, atol=0.5000001 * 10.0**-decimals)


def _numbers(text):
    return text.replace("[", " ").replace("]", " ").replace(",", " ").split()


# the running example


def test_running_projections_and_raw_scores():
    Q, K, V = qkv.project(*running()[:4])
    digits(K, [[1, 1], [0, 1], [1, 2]])
    digits(V, [[2, 0], [0, 1], [2, 1]])
    digits(Q @ K.T, [[1, 0, 1], [1, 1, 2], [2, 1, 3]])


def test_running_row_2():
    read = qkv.read(*running()[:4])
    digits(read.scores[1], [0.707107, 0.707107, 1.414214])
    digits(read.weights[1], [0.248255, 0.248255, 0.503490])
    digits(read.output[1], [1.503490, 0.751745])


def test_running_causal():
    full = qkv.read(*running()[:4])
    causal = qkv.read(*running()[:4], mask=qkv.causal_mask(3))
    digits(causal.weights[:2], [[1, 0, 0], [0.5, 0.5, 0]])
    digits(causal.output[:2], [[2, 0], [1, 0.5]])
    np.testing.assert_array_equal(causal.weights[2], full.weights[2])
    np.testing.assert_array_equal(causal.output[2], full.output[2])
    assert causal.scores[0, 1] == causal.scores[0, 2] == causal.scores[1, 2] == -np.inf
    zeroed = np.where(qkv.causal_mask(3), full.weights, 0)  # after softmax: a sum below 1
    digits(zeroed[1].sum(), 0.496510)
    again = zeroed / zeroed.sum(-1, keepdims=True)
    np.testing.assert_allclose(again, causal.weights, **EXACT)


def test_running_gradients():
    X, W_Q, W_K, W_V, G = running()
    scores = qkv.attention_backward(*qkv.project(X, W_Q, W_K, W_V), G).scores
    digits(scores[1], [0.123261, -0.373249, 0.249988])
    grad = qkv.read_backward(X, W_Q, W_K, W_V, G)
    digits(grad.W_Q, [[0.196260, 0.227854], [0.235807, 0.292433]])
    digits(grad.W_K, [[0.196260, 0.235807], [0.031595, 0.056626]])
    digits(grad.W_V, [[1.553969, 0.859971], [1.350633, 0.716005]])


def test_running_two_heads_of_width_1():
    Q, K, V = qkv.project(*running()[:4])
    heads = [qkv.attention(Q[:, [h]], K[:, [h]], V[:, [h]]).output for h in range(2)]
    digits(np.concatenate(heads, -1)[1], [1.333333, 0.788058])


def test_running_tiled_in_blocks_of_one_key():
    (e,), v = qkv.read(*running()[:4]).scores[[1]], qkv.project(*running()[:4]).V
    digits(qkv.softmax(e[:2]) @ v[:2], [1, 0.5])
    assert e[0] == e[1] < e[2]  # the running maximum changes at the third block only


def test_pencil():
    pencil = qkv.inputs()["pencil"]
    q, K, V = pencil["q"][None], pencil["K"], pencil["V"]
    read = qkv.attention(q, K, V)
    digits(read.scores[0], [1, 0, 1])
    digits(read.weights[0], [0.4223, 0.1554, 0.4223])
    digits(read.output[0], [5.912, 4.088])
    blocked = qkv.attention(q, K, V, mask=pencil["mask"])
    digits(blocked.weights[0, :2], [0.7311, 0.2689])
    assert blocked.weights[0, 2] == 0
    a, b = V[1] - V[0], V[2] - V[0]
    assert a[0] * b[1] == a[1] * b[0]  # the values lie on one line
    digits(np.array([0.5912, 0.4088, 0]) @ V, [5.912, 4.088])  # other weights, the same output


def test_raw_mixing_moves_with_an_offset_and_softmax_does_not():
    mixing = qkv.inputs()["raw_mixing"]
    e, v, offset = mixing["scores"], mixing["values"], mixing["offset"]
    assert e @ v == 40 and (e + offset) @ v == 3040
    for scores in (e, e + offset):
        digits(qkv.softmax(scores), [0.731059, 0.268941])
        digits(qkv.softmax(scores) @ v, 12.689414)


def test_block_contains_the_running_example():
    block = qkv.inputs()["block"]
    X, W_Q, W_K, W_V, _ = running()
    np.testing.assert_array_equal(block["X"], np.concatenate([X, block["P"]], -1))
    Q, K, V = qkv.project(*(block[name] for name in ("X", "W_Q", "W_K", "W_V")))
    head = qkv.attention(Q[:, :2], K[:, :2], V[:, :2])
    np.testing.assert_allclose(head.output, qkv.read(X, W_Q, W_K, W_V).output, **EXACT)


# properties

rows = st.integers(1, 5)


@st.composite
def problems(draw):
    """Q, K, V with two leading axes, all sizes apart where hypothesis wants, and a legal mask."""
    n_q, n_kv, d_k, d_v, heads = draw(st.tuples(rows, rows, rows, rows, rows))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    Q, K, V = (
        rng.normal(size=(2, heads, *shape)) for shape in [(n_q, d_k), (n_kv, d_k), (n_kv, d_v)]
    )
    mask = rng.random((heads, n_q, n_kv)) < 0.5
    mask[..., 0] |= ~mask.any(-1)
    G = rng.normal(size=(2, heads, n_q, d_v))
    return Q, K, V, (mask if draw(st.booleans()) else None), G


@given(problems())
@settings(deadline=None)
def test_attention_equals_loops(problem):
    Q, K, V, mask, _ = problem
    read = qkv.attention(Q, K, V, mask=mask)
    mask = np.broadcast_to(True if mask is None else mask, read.scores.shape)
    for b, h, i in np.ndindex(Q.shape[:-1]):
        q, allowed = Q[b, h, i], mask[b, h, i]
        e = [sum(q * k) / len(q) ** 0.5 for k in K[b, h]]
        exp = [np.exp(x) if ok else 0.0 for x, ok in zip(e, allowed, strict=True)]
        a = np.array(exp) / sum(exp)
        o = sum(weight * v for weight, v in zip(a, V[b, h], strict=True))
        np.testing.assert_allclose(read.scores[b, h, i], np.where(allowed, e, -np.inf), **EXACT)
        np.testing.assert_allclose(read.weights[b, h, i], a, **EXACT)
        np.testing.assert_allclose(read.output[b, h, i], o, **EXACT)


@given(problems())
@settings(deadline=None)
def test_weights_are_a_softmax_and_outputs_stay_in_the_hull(problem):
    Q, K, V, mask, _ = problem
    read = qkv.attention(Q, K, V, mask=mask)
    np.testing.assert_allclose(read.weights.sum(-1), 1, **EXACT)
    np.testing.assert_allclose(qkv.softmax(read.scores), read.weights, **EXACT)
    assert (read.weights >= 0).all()
    assert ((read.weights > 0) == (read.scores > -np.inf)).all()
    assert (read.output <= V.max(-2, keepdims=True) + 1e-12).all()
    assert (read.output >= V.min(-2, keepdims=True) - 1e-12).all()


@given(problems(), st.integers(0, 2**32 - 1))
@settings(deadline=None)
def test_order_of_the_candidates_does_not_matter(problem, seed):
    Q, K, V, mask, _ = problem
    order = np.random.default_rng(seed).permutation(K.shape[-2])
    moved = None if mask is None else mask[..., order]
    a = qkv.attention(Q, K, V, mask=mask)
    b = qkv.attention(Q, K[..., order, :], V[..., order, :], mask=moved)
    np.testing.assert_allclose(b.output, a.output, **EXACT)
    np.testing.assert_allclose(b.weights, a.weights[..., order], **EXACT)


@given(problems())
@settings(deadline=None)
def test_gradients_by_central_differences(problem):
    Q, K, V, mask, G = problem
    grad = qkv.attention_backward(Q, K, V, G, mask=mask)
    given = {"Q": Q, "K": K, "V": V}
    for name, x in given.items():
        direction = np.cos(np.arange(x.size)).reshape(x.shape)

        def loss(step, name=name, x=x, direction=direction):
            moved = given | {name: x + step * direction}
            return (G * qkv.attention(*moved.values(), mask=mask).output).sum()

        slope = (loss(1e-5) - loss(-1e-5)) / 2e-5
        assert abs(slope - (getattr(grad, name) * direction).sum()) < 1e-6
    np.testing.assert_allclose(grad.scores.sum(-1), 0, atol=1e-12)
    if mask is not None:
        assert (grad.scores[np.broadcast_to(~mask, grad.scores.shape)] == 0).all()


@given(problems())
@settings(deadline=None)
def test_a_leading_axis_that_is_shared_gets_the_sum_of_the_gradients(problem):
    Q, K, V, mask, G = problem
    K, V = K[:1], V[0]  # one batch entry of keys, and values without the batch axis
    shared = qkv.attention_backward(Q, K, V, G, mask=mask)
    assert shared.K.shape == K.shape and shared.V.shape == V.shape
    full = qkv.attention_backward(
        Q, np.broadcast_to(K, (2, *K.shape[1:])), np.broadcast_to(V, (2, *V.shape)), G, mask=mask
    )
    np.testing.assert_allclose(shared.K, full.K.sum(0, keepdims=True), **EXACT)
    np.testing.assert_allclose(shared.V, full.V.sum(0), **EXACT)


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_read_gradients_by_central_differences(masked, seed):
    rng = np.random.default_rng(seed)
    X, W_Q, W_K, W_V = (rng.normal(size=s) for s in [(2, 4, 3), (3, 5), (3, 5), (3, 6)])
    G, mask = rng.normal(size=(2, 4, 6)), qkv.causal_mask(4) if masked else None
    given = {"X": X, "W_Q": W_Q, "W_K": W_K, "W_V": W_V}
    grad = qkv.read_backward(**given, grad_output=G, mask=mask)
    for name, x in given.items():
        estimate = np.zeros_like(x)
        for index in np.ndindex(x.shape):
            ends = []
            for step in (1e-5, -1e-5):
                moved = x.copy()
                moved[index] += step
                ends.append((G * qkv.read(**given | {name: moved}, mask=mask).output).sum())
            estimate[index] = (ends[0] - ends[1]) / 2e-5
        np.testing.assert_allclose(getattr(grad, name), estimate, rtol=0, atol=1e-6)


def test_scale_multiplies_and_its_default_is_one_over_the_root_of_d_k():
    rng = np.random.default_rng(0)
    Q, K, V = rng.normal(size=(2, 3)), rng.normal(size=(4, 3)), rng.normal(size=(4, 5))
    np.testing.assert_allclose(qkv.attention(Q, K, V, scale=0.3).scores, 0.3 * Q @ K.T, **EXACT)
    np.testing.assert_allclose(qkv.attention(Q, K, V).scores, Q @ K.T / 3**0.5, **EXACT)
    np.testing.assert_array_equal(qkv.attention(Q, K, V, scale=0).weights, np.full((2, 4), 0.25))


@pytest.mark.parametrize("mask", [
    [True, False, True, True],  # one row for all readers: padding
    [[True], [True]],
    True,
    np.array([[True, True, False, False], [False, True, False, True]]),
])  # fmt: skip
def test_masks_broadcast(mask):
    rng = np.random.default_rng(1)
    Q, K, V = rng.normal(size=(3, 2, 3)), rng.normal(size=(4, 3)), rng.normal(size=(4, 5))
    full = np.broadcast_to(mask, (3, 2, 4))
    a, b = qkv.attention(Q, K, V, mask=mask), qkv.attention(Q, K, V, mask=full)
    np.testing.assert_array_equal(a.output, b.output)
    assert (a.scores == -np.inf).sum() == (~full).sum()


def test_softmax_survives_large_scores_and_blocked_ones():
    np.testing.assert_allclose(qkv.softmax([1000, 1001]), qkv.softmax([0, 1]), **EXACT)
    np.testing.assert_array_equal(qkv.softmax([[3, -np.inf], [2, 2]]), [[1, 0], [0.5, 0.5]])
    np.testing.assert_allclose(qkv.softmax([[1, 5], [2, 3]], axis=0).sum(0), 1, **EXACT)


def test_causal_mask_allows_the_past_and_itself():
    mask = qkv.causal_mask(4)
    assert mask.dtype == bool and mask.tolist() == [[j <= i for j in range(4)] for i in range(4)]


def test_lists_integers_and_float32_are_computed_in_float64():
    Q, K, V = [[1, 0]], [[1, 1], [0, 1]], [[2], [0]]
    for kind in (list, np.int32, np.float32):
        given = [x if kind is list else np.array(x, dtype=kind) for x in (Q, K, V)]
        read = qkv.attention(*given)
        assert read.output.dtype == read.weights.dtype == np.float64
        np.testing.assert_allclose(read.output, qkv.attention(Q, K, V).output, **EXACT)


def test_inputs_are_never_altered_nor_shared():
    X, W_Q, W_K, W_V, G = running()
    kept = [x.copy() for x in (X, W_Q, W_K, W_V, G)]
    result = qkv.read_backward(X, W_Q, W_K, W_V, G, mask=qkv.causal_mask(3))
    qkv.read(X, W_Q, W_K, W_V).output[:] = 0
    for grad in result:
        grad[:] = 7
    for x, before in zip((X, W_Q, W_K, W_V, G), kept, strict=True):
        np.testing.assert_array_equal(x, before)
