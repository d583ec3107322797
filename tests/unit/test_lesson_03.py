"""What lesson 03 tells the reader beyond its cells: predictions, quiz, and right answers."""

import numpy as np
import pytest
import torch

import qkv
from qkv import checks
from qkv.questions import question

CURRICULUM = {"w-transposed", "k-with-w-q", "v-from-k"}
running = qkv.inputs()["running"]
X, W_Q, W_K = (running[name] for name in ("X", "W_Q", "W_K"))


def by_products(X, W_Q, W_K, W_V):
    return X @ W_Q, X @ W_K, X @ W_V


def by_positions(X, W_Q, W_K, W_V):
    return tuple([[sum(x * w for x, w in zip(row, column, strict=True))
                   for column in zip(*W, strict=True)] for row in X]
                 for W in (W_Q, W_K, W_V))  # fmt: skip


def by_columns(X, W_Q, W_K, W_V):
    return [np.stack([W.T @ x for x in X]) for W in (W_Q, W_K, W_V)]


def by_einsum(X, W_Q, W_K, W_V):
    return {name: np.einsum("is,sr->ir", X, W)
            for name, W in zip("QKV", (W_Q, W_K, W_V), strict=True)}  # fmt: skip


def by_one_product(X, W_Q, W_K, W_V):
    widths = np.cumsum([W_Q.shape[1], W_K.shape[1]])
    return np.split(X @ np.hstack([W_Q, W_K, W_V]), widths, axis=1)


def by_torch(X, W_Q, W_K, W_V):
    X, *matrices = (torch.as_tensor(M, dtype=torch.float32) for M in (X, W_Q, W_K, W_V))
    return tuple(torch.nn.functional.linear(X, W.T) for W in matrices)


RIGHT = [by_products, by_positions, by_columns, by_einsum, by_one_product, by_torch, qkv.project]


@pytest.mark.parametrize("answer", RIGHT, ids=lambda f: f"{f.__module__}.{f.__name__}")
def test_right_answers_in_any_form(answer):
    verdict = qkv.check("03.project", answer)
    assert verdict.ok, verdict.message


def test_every_mistake_of_the_curriculum_has_its_name():
    assert set(checks.mistakes("03.project")) >= CURRICULUM


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda *given: None, "None"),
        (lambda X, W_Q, W_K, W_V: (X @ W_Q, X @ W_K), "2 things"),
        (lambda X, W_Q, W_K, W_V: X @ W_Q, "4 things: give (Q, K, V)"),
        (lambda X, W_Q, W_K, W_V: (X @ W_Q, X @ W_K, X @ W_V * np.nan), "NaN"),
        (lambda X, W_Q, W_K, W_V: (X @ W_Q, X @ W_K, (X @ W_V)[:-1]), "V should have shape"),
        (lambda X, W_Q, W_K, W_V: (X @ W_Q, X @ W_K, 2 * X @ W_V), "Not yet"),
        (lambda X, W_Q, W_K, W_V: 1 / 0, "ZeroDivisionError"),
    ],
)
def test_other_wrong_answers_get_a_sentence(answer, said):
    verdict = qkv.check("03.project", answer)
    assert not verdict.ok and verdict.mistake is None and said in verdict.message, verdict.message


S = np.array([[2.0, 1], [1, -3]])
A = np.array([[1.0, 2], [0, 1], [3, -1]])


@pytest.mark.parametrize(
    "answer",
    [
        (np.eye(2), [[1, 2], [2, 0]]),
        ([[2, 0], [0, 1]], [[1, 0], [0, 5]]),  # diagonal matrices commute
        (A, A @ S),  # d_model 3, d_k 2
        ([[1, 0, 0], [0, 1, 0]], [[1, 3, 7], [3, 0, -2]]),  # d_k 3: a column that nobody asks for
        {"W_Q": [[1, 2], [2, 1]], "W_K": [[3, 1], [1, 3]]},
        (torch.eye(3), torch.tensor([[0.0, 1, 2], [1, 0, 3], [2, 3, 0]])),
    ],
)
def test_different_matrices_with_symmetric_raw_scores(answer):
    verdict = qkv.check("03.break", answer)
    assert verdict.ok, verdict.message


def test_asymmetric_forms_are_refused():
    verdict = qkv.check("03.break", (W_Q, W_K))
    assert not verdict.ok and verdict.mistake is None and "not symmetric" in verdict.message
    assert "shape" in qkv.check("03.break", ([1, 2], [2, 1])).message
    assert not qkv.check("03.break", (A, A @ [[2, 1], [0, -3]])).ok


def test_on_the_running_example_symmetric_scores_and_a_symmetric_form_are_the_same():
    # so a pair that passes is symmetric on the widget's own positions, and the other way round
    assert np.linalg.matrix_rank(X) == X.shape[1]
    for pair, symmetric in [((np.eye(2), S), True), ((W_Q, W_K), False)]:
        raw = (X @ pair[0]) @ (X @ pair[1]).T
        assert np.array_equal(raw, raw.T) == symmetric


def test_the_hand_exercise_has_no_symmetry_to_hide_behind():
    numbers = checks.exercise("03.hand").answer
    assert qkv.check("03.hand", numbers).ok
    assert numbers[4] != numbers[5]
    assert not qkv.check("03.hand", numbers + [0, 0, 0, 0, 0, 1]).ok


def test_predictions_are_true():
    made = [np.zeros(shape) for shape in ((512, 64), (512, 64), (512, 64))]
    count = question("03.count")
    assert count.choices[count.answer].startswith(f"{sum(W.size for W in made):,} ")
    assert not np.allclose(qkv.softmax(X @ X.T), qkv.softmax(X @ X.T).T)
    scaled = qkv.softmax(X @ X.T / np.sqrt(2))
    assert not np.allclose(scaled, scaled.T)
    assert np.argmax(np.array([[1, 1], [2, 2], [5, 0]]) @ [1, 1]) == question("03.copy").answer


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (lambda R: R, False),
        (np.linalg.inv, False),
        (lambda R: np.linalg.inv(R).T, True),
    ],
)
def test_only_the_transposed_inverse_keeps_the_raw_scores(other, same):
    for k in range(5):  # R of the lesson is symmetric, so take others as well
        R, Z = qkv.draws.normals(k, (2, 2)), qkv.draws.normals(k + 50, (6, 2))
        old, new = Z @ W_Q @ W_K.T @ Z.T, (Z @ W_Q @ R) @ (Z @ W_K @ other(R)).T
        assert np.allclose(old, new) == same


def test_quiz_is_true():
    matrices = [qkv.draws.normals(k, shape) for k, shape in enumerate([(12, 4), (12, 4), (12, 5)])]
    assert question("03.quiz.1").answer == [sum(W.size for W in matrices)]
    Z = qkv.draws.normals(9, (5, 12))
    Z[4] = Z[1]
    for roles in qkv.project(Z, *matrices):
        np.testing.assert_allclose(roles[4], roles[1], rtol=1e-12)
    B = matrices[0] @ matrices[1].T
    assert B.shape == (12, 12) and np.linalg.matrix_rank(B) == 4
    moved = qkv.project(Z, *matrices[:2], matrices[2] + 1)
    assert np.array_equal(moved.K, qkv.project(Z, *matrices).K)


def test_what_a_narrow_query_does_not_carry():
    W = qkv.draws.normals(3, (5, 2))
    unseen = np.linalg.svd(W.T)[2][2:]  # (3, 5): three directions that two columns leave out
    np.testing.assert_allclose(unseen @ W, 0, atol=1e-12)


def test_a_copy_scores_highest_or_lowest_among_vectors_of_its_length():
    Z = qkv.draws.normals(4, (200, 3))
    Z /= np.linalg.norm(Z, axis=1, keepdims=True)
    assert (np.argmax(Z @ Z.T, axis=1) == np.arange(200)).all()
    assert (np.argmin(Z @ (-Z).T, axis=1) == np.arange(200)).all()
