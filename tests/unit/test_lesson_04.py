"""What lesson 04 tells the reader beyond its cells: derivation, exercises, predictions, quiz."""

import math

import numpy as np
import pytest
import torch

import qkv
from qkv import checks
from qkv.draws import normals
from qkv.questions import question

CURRICULUM = {"sqrt-d-model", "d-k", "sqrt-n", "sqrt-heads"}
SIGNS = [(1, 1), (1, -1), (-1, 1), (-1, -1)]


def raw_scores(q, k):
    return (q * k).sum(axis=-1)


# ---------------------------------------------------------------- the derivation, without chance


@pytest.mark.parametrize("d_k", [1, 2, 3, 5])
def test_variance_over_every_outcome(d_k):
    """All sign patterns of 2 d_k components, each once: independent, mean 0, variance 1."""
    signs = np.array(np.meshgrid(*[[-1, 1]] * (2 * d_k))).reshape(2 * d_k, -1).T
    raw = raw_scores(signs[:, :d_k], signs[:, d_k:])
    assert raw.mean() == 0 and raw.var() == d_k
    assert raw_scores(3 * signs[:, :d_k], signs[:, d_k:] / 2).var() == pytest.approx(2.25 * d_k)


@pytest.mark.parametrize(("d_k", "omega"), [(1, 0.5), (7, 0.0), (64, 0.3), (300, -0.9)])
def test_what_the_lab_derives(d_k, omega):
    """Var(q·k) = Σ over r, s of Cov(q_r, q_s) Cov(k_r, k_s), with the covariances as matrices."""
    lag = np.abs(np.subtract.outer(np.arange(d_k), np.arange(d_k)))
    variance = ((float(omega) ** lag) ** 2).sum()
    lab = qkv.widgets.ScaleLab(d_k=d_k, within=omega)
    assert lab.expected()[1] ** 2 == pytest.approx(variance)
    if d_k == 64:
        assert variance == pytest.approx(d_k * (1 + omega**2) / (1 - omega**2), rel=0.01)


def test_the_lab_breaks_as_the_lesson_says():
    lab = qkv.widgets.ScaleLab(divisor="sqrt")
    error = 4 * math.sqrt(2 / lab.draws)
    assert lab.variance == pytest.approx(1, rel=error)
    lab.sigma = 2.0
    assert lab.variance == pytest.approx(16, rel=error)
    lab.sigma, lab.rho = 1.0, 1.0
    assert lab.mean == pytest.approx(8, abs=4 * math.sqrt(1.9 / lab.draws))
    assert lab.variance == pytest.approx(1.9, rel=error)


def test_the_fourth_moment_of_the_draws():
    """A uniform has the fourth cumulant −1/120, and cumulants of independent terms add."""
    x = (np.arange(100_000) + 0.5) / 100_000 - 0.5
    cumulant = (x**4).mean() - 3 * (x**2).mean() ** 2
    assert cumulant == pytest.approx(-1 / 120, rel=1e-6)
    assert 3 + 12 * cumulant == pytest.approx(2.9)


# ---------------------------------------------------------------- exercises


def by_root(d_model, heads, n):
    return math.sqrt(d_model / heads)


def by_numpy(d_model, heads, n):
    return np.sqrt(np.float64(d_model) / heads)


def by_torch(d_model, heads, n):
    return torch.tensor(d_model / heads).sqrt()


def by_power(d_model, heads, n):
    return (d_model // heads) ** 0.5


def by_two_roots(d_model, heads, n):
    return d_model**0.5 / heads**0.5


def by_counting(d_model, heads, n):
    columns = np.array_split(np.arange(d_model), heads)
    return sum(1 for _ in columns[0]) ** 0.5


RIGHT = [by_root, by_numpy, by_torch, by_power, by_two_roots, by_counting]


@pytest.mark.parametrize("answer", RIGHT)
def test_right_divisors_in_any_form(answer):
    verdict = qkv.check("04.divisor", answer)
    assert verdict.ok, verdict.message


def test_every_mistake_of_the_curriculum_has_its_name():
    assert set(checks.mistakes("04.divisor")) >= CURRICULUM
    assert len(checks.mistakes("04.hand")) >= 3 and len(checks.mistakes("04.break")) >= 3


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda d_model, heads, n: round((d_model / heads) ** 0.5, 2), "rounded to 2 decimals"),
        (lambda d_model, heads, n: None, "None"),
        (lambda d_model, heads, n: [math.sqrt(d_model / heads)], "shape"),
        (lambda d_model, heads, n: float("nan"), "NaN"),
        (lambda d_model, heads, n: d_model / 0, "ZeroDivisionError"),
        (lambda d_model, heads, n: d_model / heads / n, "should be"),
        (lambda d_model, heads: math.sqrt(d_model / heads), "TypeError"),
        (8, "a function of"),
    ],
)
def test_other_wrong_divisors_get_a_sentence(answer, said):
    verdict = qkv.check("04.divisor", answer)
    assert not verdict.ok and verdict.mistake is None and said in verdict.message


def alike(width):
    """All components of a query are one sign, all of a key another."""
    return [[s] * width for s, _ in SIGNS], [[t] * width for _, t in SIGNS]


@pytest.mark.parametrize(
    "answer",
    [
        alike(2),
        alike(5),
        tuple(np.array(table, dtype=float) for table in alike(3)),
        tuple(torch.tensor(table).float() for table in alike(2)),
        {"Q": alike(2)[0], "K": alike(2)[1]},
        # one component is enough if q is large exactly when k is: uncorrelated, not independent
        ([[2**0.5], [2**0.5], [-(2**0.5)], [-(2**0.5)], [0], [0], [0], [0]],
         [[2**0.5], [-(2**0.5)], [2**0.5], [-(2**0.5)], [0], [0], [0], [0]]),
    ],
)  # fmt: skip
def test_components_that_move_together(answer):
    verdict = qkv.check("04.break", answer)
    assert verdict.ok, verdict.message


def test_a_large_sample_with_a_shared_part_is_accepted():
    z, u = normals(1, (2, 10_000, 8)), normals(2, (2, 10_000, 1))
    Q, K = math.sqrt(0.4) * z + math.sqrt(0.6) * u
    standard = [(M - M.mean(axis=0)) / M.std(axis=0) for M in (Q, K)]
    assert qkv.check("04.break", tuple(standard)).ok


def test_too_little_correlation_is_told():
    z, u = normals(1, (2, 10_000, 4)), normals(2, (2, 10_000, 1))
    Q, K = math.sqrt(0.7) * z + math.sqrt(0.3) * u
    standard = [(M - M.mean(axis=0)) / M.std(axis=0) for M in (Q, K)]
    verdict = qkv.check("04.break", tuple(standard))
    assert not verdict.ok and verdict.mistake is None and "below 2" in verdict.message


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (None, "Nothing handed in"),
        (([1, -1], [1, -1]), "shape"),
        ((alike(2)[0], alike(3)[1]), "one shape"),
        (([[float("nan")]], [[1.0]]), "NaN"),
    ],
)
def test_unusable_tables_get_a_sentence(answer, said):
    verdict = qkv.check("04.break", answer)
    assert not verdict.ok and verdict.mistake is None and said in verdict.message


def test_the_hand_exercise_is_what_its_text_says():
    threes = np.array(np.meshgrid([-3, 3], [-0.5, 0.5])).reshape(2, -1)
    product = (threes[0] * threes[1]).var()
    wanted = [product, 16 * product, np.sqrt(16 * product), 16 * product / 16]
    assert qkv.check("04.hand", wanted).ok
    assert not qkv.check("04.hand", [2.25, 36, 6, 2]).ok


# ---------------------------------------------------------------- predictions and quiz


def chosen(id):
    item = question(id)
    return item.choices[item.answer]


def test_predictions_are_true():
    q, k = normals(3, (2, 500, 256))
    growth = raw_scores(q, k).std() / raw_scores(q[:, :4], k[:, :4]).std()
    assert growth == pytest.approx(float(chosen("04.growth")), rel=0.15)
    assert raw_scores(q[:, :64], q[:, :64]).mean() / 8 == pytest.approx(
        float(chosen("04.same")), abs=0.3
    )
    narrow, wide = (qkv.widgets.ScaleLab(d_k=d, divisor="none") for d in (4, 1024))
    assert chosen("04.row") == "Hardly at all"
    assert wide.sensitivity < 0.05 < narrow.sensitivity


def test_quiz_is_true():
    q, k = normals(6, (2, 2000, 64))
    divided = raw_scores(q, k) / 64
    np.testing.assert_allclose(
        question("04.quiz.1").answer, [divided.var(), divided.std()], rtol=0.15
    )
    assert chosen("04.quiz.2") == "1/8"
    assert (raw_scores(q, k) / 512**0.5).var() == pytest.approx(1 / 8, rel=0.15)
    lag = np.where(np.eye(40), 1.0, 0.5)  # Cov of 40 components, all pairs 0.5
    assert (lag**2).sum() == 40 + 40 * 39 * 0.25
    assert "d_k²" in chosen("04.quiz.4")
    X, W_Q, W_K = normals(1, (5, 4)), normals(2, (4, 3)), normals(3, (4, 3))
    before, after = X @ W_Q @ (X @ W_K).T, X @ (2 * W_Q) @ (X @ (W_K / 2)).T
    np.testing.assert_allclose(after, before)
    assert chosen("04.quiz.5") == "It stays"


def test_the_divisor_can_be_absorbed_by_a_matrix():
    X, W_Q, W_K = normals(1, (5, 4)), normals(2, (4, 3)), normals(3, (4, 3))
    scores = qkv.attention(X @ W_Q, X @ W_K, X).scores
    absorbed = qkv.attention(X @ W_Q / 3**0.5, X @ W_K, X, scale=1).scores
    np.testing.assert_allclose(absorbed, scores, rtol=1e-12)
