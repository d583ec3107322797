"""Every kind of bad input: a ValueError whose one sentence names what was wanted and given.

Each case runs on the NumPy function and on its PyTorch twin, and the sentences are the same.
"""

import warnings

import numpy as np
import pytest
import torch

import qkv
import qkv.torch

X = np.ones
NAN, INF = float("nan"), float("inf")


def holding(value, shape=(3, 2)):
    x = np.ones(shape)
    x[1, 0] = value
    return x


def hole(row, shape=(3, 3)):
    mask = np.ones(shape, bool)
    mask[row] = False
    return mask


CASES = [
    # softmax
    ("softmax", [[]], {}, "scores with at least 1 entry along every axis, got shape (0,)"),
    ("softmax", [3.0], {}, "scores with at least one axis, got a single number"),
    ("softmax", [X((3, 2))], {"axis": 2}, "an axis from -2 to 1, got 2"),
    ("softmax", [X((3, 2))], {"axis": None}, "an axis from -2 to 1, got None"),
    ("softmax", [X((3, 2))], {"axis": True}, "an axis from -2 to 1, got True"),
    ("softmax", [np.ma.array([1, 2], mask=[0, 1])], {},
     "scores as an array of real numbers, got an array with masked entries"),
    ("softmax", [torch.eye(3).to_sparse()], {},
     "scores as an array of real numbers, got a tensor of layout sparse_coo"),
    ("softmax", [torch.ones(3, device="meta")], {},
     "scores as an array of real numbers, got a tensor without values (meta)"),
    ("softmax", [holding(NAN)], {},
     "finite scores (or -inf where blocked), got nan at index (1, 0)"),
    ("softmax", [holding(INF)], {},
     "finite scores (or -inf where blocked), got inf at index (1, 0)"),
    ("softmax", [[[1, 2], [-INF, -INF]]], {},
     "at least one score above -inf in every row, got a row that is all -inf"),
    ("softmax", [["a", "b"]], {}, "scores as an array of real numbers, got dtype <U1"),
    ("softmax", [None], {}, "scores as an array of real numbers, got dtype object"),
    ("softmax", [[[1, 2], [3]]], {},
     "scores as an array of real numbers, got rows of different lengths"),
    ("softmax", [[1j, 2]], {}, "scores as an array of real numbers, got dtype complex128"),
    # causal_mask
    ("causal_mask", [0], {}, "n as a whole number of at least 1, got 0"),
    ("causal_mask", [-2], {}, "n as a whole number of at least 1, got -2"),
    ("causal_mask", [2.5], {}, "n as a whole number of at least 1, got 2.5"),
    ("causal_mask", [True], {}, "n as a whole number of at least 1, got True"),
    ("causal_mask", ["3"], {}, "n as a whole number of at least 1, got '3'"),
    # attention: shapes
    ("attention", [X(2), X((3, 2)), X((3, 2))], {}, "Q of shape (..., n_q, d_k), got shape (2,)"),
    ("attention", [X((3, 2)), X(2), X((3, 2))], {}, "K of shape (..., n_kv, d_k), got shape (2,)"),
    ("attention", [X((3, 2)), X((3, 2)), X(3)], {}, "V of shape (..., n_kv, d_v), got shape (3,)"),
    ("attention", [X((3, 2)), X((3, 4)), X((3, 2))], {},
     "Q and K of one width d_k, got Q (3, 2) and K (3, 4)"),
    ("attention", [X((3, 2)), X((4, 2)), X((5, 2))], {},
     "as many rows in K as in V (n_kv), got K (4, 2) and V (5, 2)"),
    ("attention", [X((2, 3, 2)), X((4, 3, 2)), X((3, 2))], {},
     "leading axes of Q, K and V that fit together, got Q (2, 3, 2), K (4, 3, 2) and V (3, 2)"),
    # attention: empty sequences
    ("attention", [X((0, 2)), X((3, 2)), X((3, 2))], {},
     "Q with at least 1 entry along every axis, got shape (0, 2)"),
    ("attention", [X((3, 2)), X((0, 2)), X((0, 2))], {},
     "K with at least 1 entry along every axis, got shape (0, 2)"),
    ("attention", [X((3, 0)), X((3, 0)), X((3, 2))], {},
     "Q with at least 1 entry along every axis, got shape (3, 0)"),
    # attention: values
    ("attention", [holding(NAN), X((3, 2)), X((3, 2))], {},
     "finite numbers in Q, got nan at index (1, 0)"),
    ("attention", [X((3, 2)), holding(INF), X((3, 2))], {},
     "finite numbers in K, got inf at index (1, 0)"),
    ("attention", [X((3, 2)), X((3, 2)), holding(-INF)], {},
     "finite numbers in V, got -inf at index (1, 0)"),
    ("attention", [np.full((3, 2), 1e200), np.full((3, 2), 1e200), X((3, 2))], {},
     "scores within the range of float64, got an overflow"),
    # attention: masks
    ("attention", [X((3, 2))] * 3, {"mask": X((3, 3))},
     "a boolean mask (True = may read), got dtype float64"),
    ("attention", [X((3, 2))] * 3, {"mask": np.ones((3, 3), np.int64)},
     "a boolean mask (True = may read), got dtype int64"),
    ("attention", [X((3, 2))] * 3, {"mask": np.ones((2, 3), bool)},
     "a mask that broadcasts to (3, 3), got shape (2, 3)"),
    ("attention", [X((3, 2))] * 3, {"mask": np.ones((4, 3, 3), bool)},
     "a mask that broadcasts to (3, 3), got shape (4, 3, 3)"),
    ("attention", [X((3, 2))] * 3, {"mask": hole(1)},
     "at least one True in every row of the mask, got none in row 1, counted from 0"),
    ("attention", [X((2, 3, 2))] * 3, {"mask": hole((1, 2), (2, 3, 3))},
     "at least one True in every row of the mask, got none in row (1, 2), counted from 0"),
    ("attention", [X((3, 2))] * 3, {"mask": [False, False, False]},
     "at least one True in every row of the mask, got none"),
    ("attention", [X((3, 2))] * 3, {"mask": False},
     "at least one True in every row of the mask, got none"),
    # attention: scale
    ("attention", [X((3, 2))] * 3, {"scale": NAN}, "scale as one finite number, got nan"),
    ("attention", [X((3, 2))] * 3, {"scale": [1, 2]}, "scale as one finite number, got [1, 2]"),
    ("attention", [X((3, 2))] * 3, {"scale": "big"}, "scale as one finite number, got big"),
    ("attention", [X((3, 2))] * 3, {"mask": torch.eye(3).bool().to_sparse()},
     "a boolean mask (True = may read), got a tensor of layout sparse_coo"),
    ("attention", [X((3, 2))] * 3, {"scale": "2"}, "scale as one finite number, got 2"),
    ("attention", [X((3, 2))] * 3, {"scale": b"2"}, "scale as one finite number, got b'2'"),
    ("attention", [X((3, 2))] * 3, {"scale": True}, "scale as one finite number, got True"),
    ("attention", [X((3, 2))] * 3, {"scale": 10**400},
     f"scale as one finite number, got 1{'0' * 56}..."),
    ("attention", [X((3, 2))] * 3, {"scale": np.complex128(1)},
     "scale as one finite number, got (1+0j)"),
    # results beyond the range of floats, though the inputs are finite
    ("attention_backward", [X((3, 2)), X((3, 2)), np.full((3, 2), 1e308), X((3, 2))], {},
     "gradients within the range of float64, got an overflow"),
    ("project", [np.full((3, 2), 1e200)] + [np.full((2, 2), 1e200)] * 3, {},
     "projections within the range of float64, got an overflow"),
    ("read", [np.full((3, 2), 1e200)] + [np.full((2, 2), 1e200)] * 3, {},
     "projections within the range of float64, got an overflow"),
    ("read_backward", [X((3, 2))] + [X((2, 2))] * 3 + [np.full((3, 2), 1e308)], {},
     "gradients within the range of float64, got an overflow"),
    ("match", [np.full(2, 1e200), np.full((3, 2), 1e200)], {},
     "matches within the range of float64, got an overflow"),
    ("retrieve", [np.full(2, 1e200), np.full((3, 2), -1e200), X((3, 2))], {},
     "matches within the range of float64, got an overflow"),
    ("soft_retrieve", [np.full(2, 1e200), np.full((3, 2), 1e200), X((3, 2))], {},
     "matches within the range of float64, got an overflow"),
    ("additive_scores", [np.full((3, 2), 1e200), np.full((3, 2), -1e200)]
     + [np.full((2, 2), 1e200)] * 2 + [X(2)], {},
     "scores within the range of float64, got an overflow"),
    ("objective", [[0.5, 0.5], [1.7e308, 1.7e308], 1e308], {},
     "a result within the range of float64, got an overflow"),
    # gradients
    ("attention_backward", [X((3, 2)), X((3, 2)), X((3, 4)), X((3, 2))], {},
     "grad_output of shape (3, 4), got shape (3, 2)"),
    ("attention_backward", [X((3, 2)), X((3, 2)), X((3, 2)), holding(NAN)], {},
     "finite numbers in grad_output, got nan at index (1, 0)"),
    ("attention_backward", [X((3, 2)), X((3, 5)), X((3, 2)), X((3, 2))], {},
     "Q and K of one width d_k, got Q (3, 2) and K (3, 5)"),
    ("read_backward", [X((3, 2))] + [X((2, 2))] * 3 + [X((3, 5))], {},
     "grad_output of shape (3, 2), got shape (3, 5)"),
    ("read_backward", [X((3, 2))] + [X((2, 2))] * 3 + [X((3, 2))], {"mask": hole(0)},
     "at least one True in every row of the mask, got none in row 0, counted from 0"),
    # projections
    ("project", [X(2)] + [X((2, 2))] * 3, {}, "X of shape (..., n, d_model), got shape (2,)"),
    ("project", [X((3, 2)), X((2, 2)), X(2), X((2, 2))], {},
     "W_K of shape (d_model, d_k), got shape (2,)"),
    ("project", [X((3, 2)), X((4, 2)), X((2, 2)), X((2, 2))], {},
     "as many rows in W_Q as columns in X (d_model), got X (3, 2) and W_Q (4, 2)"),
    ("project", [X((3, 2)), X((2, 3)), X((2, 4)), X((2, 2))], {},
     "W_Q and W_K of one width d_k, got W_Q (2, 3) and W_K (2, 4)"),
    ("read", [X((0, 2))] + [X((2, 2))] * 3, {},
     "X with at least 1 entry along every axis, got shape (0, 2)"),
    ("read", [holding(NAN)] + [X((2, 2))] * 3, {}, "finite numbers in X, got nan at index (1, 0)"),
    # retrieval
    ("match", [1.0, X((3, 2))], {}, "a request of shape (d_k,), got shape ()"),
    ("match", [X(4), X((3, 2))], {},
     "a request and keys of one width d_k, got request (4,) and keys (3, 2)"),
    ("retrieve", [X(2), X(2), X((3, 2))], {}, "keys of shape (n_kv, d_k), got shape (2,)"),
    ("retrieve", [X(2), X((3, 2)), X(3)], {}, "values of shape (n_kv, d_v), got shape (3,)"),
    ("retrieve", [X(2), X((3, 2)), X((4, 2))], {},
     "as many keys as values (n_kv), got keys (3, 2) and values (4, 2)"),
    ("retrieve", [X(2), X((0, 2)), X((0, 2))], {},
     "keys with at least 1 entry along every axis, got shape (0, 2)"),
    ("retrieve", [X(2), X((3, 2)), None], {},
     "values as an array of real numbers, got dtype object"),
    ("soft_retrieve", [X(2), X((3, 2)), None], {},
     "values as an array of real numbers, got dtype object"),
    ("soft_retrieve", [X(2), X((3, 2)), X((3, 1)), "1"], {},
     "temperature as one finite number above 0, got 1"),
    ("soft_retrieve", [X(2), X((3, 2)), X((3, 1)), 0], {},
     "temperature as one finite number above 0, got 0"),
    ("soft_retrieve", [X(2), X((3, 2)), holding(INF)], {},
     "finite numbers in values, got inf at index (1, 0)"),
    # scoring
    ("additive_scores", [X((3, 2)), X((4, 5)), X((2, 6)), X((4, 6)), X(6)], {},
     "as many columns in K as rows in W_k (d_key), got K (4, 5) and W_k (4, 6)"),
    ("additive_scores", [X((3, 2)), X((4, 5)), X((3, 6)), X((5, 6)), X(6)], {},
     "as many columns in Q as rows in W_q (d_q), got Q (3, 2) and W_q (3, 6)"),
    ("additive_scores", [X((3, 2)), X((4, 5)), X((2, 6)), X((5, 6)), X(7)], {},
     "W_q, W_k and w of one width d, got W_q (2, 6), W_k (5, 6) and w (7,)"),
    ("additive_scores", [X((3, 2)), X((4, 5)), X((2, 6)), X((5, 6)), X((6, 1))], {},
     "w of shape (d,), got shape (6, 1)"),
    ("additive_scores", [X((2, 3, 2)), X((3, 4, 5)), X((2, 6)), X((5, 6)), X(6)], {},
     "leading axes of Q and K that fit together, got Q (2, 3, 2) and K (3, 4, 5)"),
    ("additive_scores", [X(2), X((4, 5)), X((2, 6)), X((5, 6)), X(6)], {},
     "Q of shape (..., n_q, d_q), got shape (2,)"),
    ("entropy", [[0.5, 0.6]], {}, "weights with sum 1 along the axis, got a sum off by 0.1"),
    ("entropy", [[1.5, -0.5]], {}, "weights with no negative entry, got -0.5"),
    ("entropy", [1.0], {}, "weights with at least one axis, got a single number"),
    ("entropy", [[1.0]], {"axis": 1}, "an axis from -1 to 0, got 1"),
    ("kl", [[0.5, 0.5], [0.2, 0.2, 0.6]], {}, "shapes that fit together, got a (2,) and b (3,)"),
    ("kl", [[0.5, 0.5], [0.2, 0.2]], {}, "b with sum 1 along the axis, got a sum off by 0.6"),
    ("objective", [[0.5, 0.5], [1, NAN]], {}, "finite numbers in scores, got nan at index (1,)"),
    ("objective", [[0.5, 0.5], [1, 2], True], {},
     "temperature as one finite number above 0, got True"),
    ("objective", [[0.5, 0.5], [1, 2], -1], {}, "temperature as one finite number above 0, got -1"),
]  # fmt: skip


def as_tensor(x):
    """Arrays become float64 or boolean tensors; everything else is handed over as it is."""
    plain = isinstance(x, np.ndarray) and not isinstance(x, np.ma.MaskedArray)
    return torch.as_tensor(x) if plain else x


@pytest.mark.parametrize(
    "name, args, kwargs, sentence", CASES, ids=[f"{c[0]}-{i}" for i, c in enumerate(CASES)]
)
def test_bad_input(name, args, kwargs, sentence):
    with pytest.raises(ValueError) as error:
        getattr(qkv, name)(*args, **kwargs)
    assert str(error.value) == f"{name}: expected {sentence}"
    twin_args = [as_tensor(x) for x in args]
    twin_kwargs = {key: as_tensor(x) for key, x in kwargs.items()}
    with pytest.raises(ValueError) as error:
        getattr(qkv.torch, name)(*twin_args, **twin_kwargs)
    assert str(error.value) == f"{name}: expected {sentence}"


def test_every_public_function_has_a_case():
    functions = {n for n in vars(qkv.torch) if callable(getattr(qkv, n, None)) and n[0] != "_"}
    assert functions == {case[0] for case in CASES}


def test_torch_refuses_mixed_dtypes():
    Q, K = torch.ones(3, 2), torch.ones(3, 2, dtype=torch.float64)
    with pytest.raises(ValueError, match="one dtype for Q, K, V, got float32 and float64"):
        qkv.torch.attention(Q, K, K)
    with pytest.raises(ValueError, match="real numbers, got dtype complex64"):
        qkv.torch.softmax(torch.ones(2, dtype=torch.complex64))


def test_a_number_may_come_as_a_tensor_with_axes_and_adds_none():
    Q, one = torch.ones(3, 2), torch.tensor([[[2.0]]], requires_grad=True)
    read = qkv.torch.attention(Q, Q, Q, scale=one)
    assert read.output.shape == (3, 2)
    read.scores.sum().backward()
    assert one.grad.shape == (1, 1, 1) and float(one.grad) == 18  # nine raw scores of 2
    assert qkv.torch.soft_retrieve(torch.ones(2), Q, Q, torch.ones(1, 1)).shape == (2,)
    assert qkv.torch.objective([0.5, 0.5], [1, 2], torch.ones(1)).shape == ()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert qkv.attention(Q, Q, Q, scale=one).output.shape == (3, 2)


def test_far_apart_scores_are_no_fault_and_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert qkv.softmax([1e308, -1e308]).tolist() == [1, 0]
        assert qkv.soft_retrieve([1e154], [[1e154], [-1e154]], [[1], [2]], 1e-9).tolist() == [1]


# Half precision and below. GOOD holds one call of each public function, as float64 arrays.

P, M = np.full((3, 2), 0.5), np.eye(2)
GOOD = {
    "softmax": [P], "attention": [P, P, P], "attention_backward": [P, P, P, P],
    "project": [P, M, M, M], "read": [P, M, M, M], "read_backward": [P, M, M, M, P],
    "match": [P[0], P], "retrieve": [P[0], P, P], "soft_retrieve": [P[0], P, P],
    "additive_scores": [P, P, M, M, P[0]], "entropy": [P], "kl": [P, P], "objective": [P, P],
}  # fmt: skip
HALVES = [torch.bfloat16, torch.float16]
EIGHTHS = [torch.float8_e4m3fn, torch.float8_e5m2]


def arrays_of(result):
    return result if isinstance(result, tuple) else (result,)


def called_with(function, name, dtype):
    return function(*[torch.tensor(x, dtype=dtype) for x in GOOD[name]])


def test_every_public_function_has_a_good_call():
    assert set(GOOD) == {case[0] for case in CASES} - {"causal_mask"}


@pytest.mark.parametrize("name", GOOD)
def test_a_dtype_that_numpy_lacks_is_told_with_a_way_out(name):
    with pytest.raises(ValueError) as error:
        called_with(getattr(qkv, name), name, torch.bfloat16)
    assert str(error.value).endswith(
        "as an array of real numbers, got dtype bfloat16, which NumPy lacks: "
        f"convert it with .float(), or use qkv.torch.{name}"
    )
    called_with(getattr(qkv, name), name, torch.float16)


@pytest.mark.parametrize("dtype", EIGHTHS, ids=str)
@pytest.mark.parametrize("name", GOOD)
def test_a_dtype_in_which_nothing_is_computed_is_told_with_a_way_out(name, dtype):
    ending = f"real numbers, got dtype {str(dtype)[6:]}: convert it with .float()"
    for module in (qkv, qkv.torch):
        with pytest.raises(ValueError) as error:
            called_with(getattr(module, name), name, dtype)
        assert str(error.value).startswith(f"{name}: expected ")
        assert str(error.value).endswith(ending)


@pytest.mark.parametrize("dtype", HALVES, ids=str)
@pytest.mark.parametrize("name", GOOD)
def test_twins_take_half_precision_and_answer_in_it(name, dtype):
    found = arrays_of(called_with(getattr(qkv.torch, name), name, dtype))
    wanted = arrays_of(getattr(qkv, name)(*GOOD[name]))
    for x, y in zip(found, wanted, strict=True):
        assert x.dtype == dtype
        np.testing.assert_allclose(x.double().numpy(), y, atol=0.02)


def test_twins_take_a_mask_and_a_scale_in_half_precision():
    Q, scale = torch.ones(3, 2, dtype=torch.bfloat16), torch.tensor(0.5, dtype=torch.bfloat16)
    weights = qkv.torch.attention(Q, Q, Q, mask=qkv.torch.causal_mask(3), scale=scale).weights
    assert weights.dtype == torch.bfloat16 and weights[0].tolist() == [1, 0, 0]


@pytest.mark.parametrize("dtype", [*HALVES, *EIGHTHS], ids=str)
def test_a_mask_of_a_small_float_is_told_as_any_mask_that_is_not_boolean(dtype):
    mask, ending = torch.ones(3, 3).to(dtype), f"may read\\), got dtype {str(dtype)[6:]}$"
    with pytest.raises(ValueError, match=ending):
        qkv.attention(X((3, 2)), X((3, 2)), X((3, 2)), mask=mask)
    with pytest.raises(ValueError, match=ending):
        qkv.torch.attention(X((3, 2)), X((3, 2)), X((3, 2)), mask=mask)


def test_a_probe_has_no_twin_to_send_to():
    ending = "got dtype bfloat16, which NumPy lacks: convert it with .float\\(\\)$"
    with pytest.raises(ValueError, match=ending):
        qkv.has_leak(lambda x: x, torch.ones(3, 2, dtype=torch.bfloat16))


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32], ids=str)
def test_a_list_of_tensors_is_read_as_its_numbers(dtype):
    """A list has no dtype of its own: its numbers are computed in float64, whoever holds them."""
    rows = [torch.ones(2).to(dtype), torch.ones(2).to(dtype)]
    assert qkv.softmax(rows).tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert qkv.torch.softmax(rows).tolist() == [[0.5, 0.5], [0.5, 0.5]]


def test_tensors_in_a_list_may_want_a_gradient():
    one = torch.tensor(1.0, requires_grad=True)
    assert qkv.softmax([one, one]).tolist() == [0.5, 0.5]
    with pytest.raises(ValueError, match="rows of different lengths"):
        qkv.softmax([torch.ones(2), torch.ones(3)])
