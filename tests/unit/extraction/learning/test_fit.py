"""Fitting on readings with known truth: honest figures, the best threshold, unusual inputs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score
from threadpoolctl import threadpool_limits

from extraction.confidence import acceptance_features
from extraction.learning import fit
from extraction.learning.fit import CaseReadings, fit_acceptance, fit_prior, folds_of
from extraction.retrieval import prior_features
from extraction.retrieval.exemplars import Exemplar, ExemplarBook
from models.base.errors import InputError
from tests.kit.fake_models import FakeEmbedder

ROWS, LAYERS, EMBEDDING = 10, (8, 16), 64
CASES = 40
PLAIN = acceptance_features.FEATURES.index("log_probability")


@pytest.fixture(autouse=True)
def few_trees(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Enough to memorise noise if that were possible; single-threaded, because small matrices do not need more."""
    monkeypatch.setattr("extraction.estimators.boosted_trees._ROUNDS", 40)
    with threadpool_limits(1):
        yield


def readings(right: NDArray[np.bool_], random: np.random.Generator, *, told: float = 0.0) -> CaseReadings:
    """A case with one reading per row; `told` is how far log-probability separates the right ones."""
    rows = len(right)
    features = random.normal(size=(rows, len(acceptance_features.FEATURES)))
    features[:, PLAIN] += told * right
    features[:, fit.PROBE_COLUMNS] = np.nan
    return CaseReadings(
        features=features,
        row=np.arange(rows),
        group=np.arange(rows),
        place=np.full(rows, -1),
        shown=np.ones(rows, dtype=np.int64),
        found=right.astype(np.int64),
        right=right.copy(),
        states=random.normal(size=(rows, len(LAYERS), EMBEDDING)).astype(np.float16),
        layers=np.array(LAYERS),
        filled=right.copy(),
        best_right=right.copy(),
    )


def unread() -> CaseReadings:
    """A case without readings."""
    none = np.zeros(0, dtype=np.int64)
    nobody = none.astype(bool)
    empty = np.zeros((0, len(acceptance_features.FEATURES)))
    return CaseReadings(empty, none, none, none, none, none, nobody, np.zeros(0, np.float16), none, nobody, nobody)


def ward(told: float = 0.0, seed: int = 0) -> tuple[list[CaseReadings], int]:
    """Cases with their number of gold items, one in ten of which was never read."""
    random = np.random.default_rng(seed)
    cases = [readings(random.random(ROWS) < 0.4, random, told=told) for _ in range(CASES)]
    return cases, round(sum(int(case.found.sum()) for case in cases) / 0.9)


def accepted(cases: list[CaseReadings], gold: int, **changed: Any) -> Any:
    return fit_acceptance(
        cases,
        folds_of([str(number) for number in range(len(cases))]),
        gold,
        **({"for_any_schema": False} | changed),
    )


def test_noise_predicts_nothing_out_of_fold() -> None:
    fitted = accepted(*ward())
    assert 0.4 < fitted.figures["roc_auc"] < 0.6
    assert set(fitted.probes) == set(acceptance_features.PROBES)
    assert fitted.acceptance.features == acceptance_features.FEATURES


def test_features_shared_within_a_case_predict_nothing_out_of_fold() -> None:
    """The label of a case, all right or all wrong, can only be learned from readings of that case itself."""
    random = np.random.default_rng(4)
    cases = []
    for _ in range(300):
        case = readings(np.full(3, random.random() < 0.5), random)
        same = {name: np.repeat(getattr(case, name)[:1], 3, axis=0) for name in ("features", "states")}
        cases.append(replace(case, **same))
    figures = accepted(cases, 900).figures
    assert figures["roc_auc"] < 0.6


def test_an_informative_feature_is_used() -> None:
    figures = accepted(*ward(told=5.0)).figures
    assert figures["roc_auc"] > 0.9
    assert figures["f1"] > 0.8
    assert figures["recall"] <= figures["recall_of_all_readings"] == pytest.approx(0.9, abs=0.01)


def test_informative_states_reach_the_model_through_the_probes() -> None:
    cases, gold = ward()
    for case in cases:
        case.states[:, :, 2] += 4.0 * case.filled[:, None]
    fitted = accepted(cases, gold)
    probes, figures = fitted.probes, fitted.figures
    assert figures["roc_auc"] > 0.9 > 0.6 > figures["roc_auc_of_log_probability"]
    yes, no = (np.eye(EMBEDDING, dtype=np.float32)[2] * 4.0 * sign for sign in (1, -1))
    assert (probes["row"].score(dict.fromkeys(LAYERS, yes)) > 0).all()
    assert (probes["row"].score(dict.fromkeys(LAYERS, no)) < 0).all()
    assert roc_auc_score(fitted.sample.wrong, fitted.sample.errors.mean(axis=1)) > 0.9


def test_a_model_for_any_schema_works_without_states() -> None:
    cases, gold = ward(told=5.0)
    for case in cases:
        case.states[:, :, 2] += 4.0 * case.filled[:, None]
    model = accepted(cases, gold, for_any_schema=True).acceptance
    x = np.concatenate([case.features for case in cases])  # the probes' columns are NaN here
    right = np.concatenate([case.right for case in cases])
    assert roc_auc_score(right, model.probabilities(x)) > 0.95


def test_the_threshold_reproduces_the_reported_figures() -> None:
    """Without ties no other threshold has a better F1."""
    random = np.random.default_rng(5)
    scores = random.permutation(150) / 150
    right = (random.random(150) < scores).astype(np.int64)
    shown, gold = np.full(150, 2), 120
    keep_from, figures = fit._operating_point(scores, right, shown, gold)

    def f1(threshold: float) -> float:
        kept = scores >= threshold
        return float(2 * right[kept].sum() / (shown[kept].sum() + gold))

    best = max(map(f1, scores))
    assert figures["f1"] == pytest.approx(best, abs=1e-4)
    kept = scores >= keep_from
    assert f1(keep_from) == pytest.approx(figures["f1"], abs=1e-4)
    assert all(f1(score) < best for score in scores if score > keep_from + 0.01)  # the highest of equal thresholds
    assert figures["precision"] == pytest.approx(right[kept].sum() / shown[kept].sum(), abs=1e-4)
    assert figures["recall"] == pytest.approx(right[kept].sum() / gold, abs=1e-4)
    assert figures["recall_of_all_readings"] == pytest.approx(right.sum() / gold, abs=1e-4)


def test_a_given_threshold_has_the_figures_of_what_is_at_least_as_likely() -> None:
    random = np.random.default_rng(6)
    scores = random.permutation(400) / 400
    right = (random.random(400) < scores).astype(np.int64)
    ones = np.ones(400, int)
    best, best_figures = fit._operating_point(scores, right, ones, 250)
    at, figures = fit._operating_point(scores, right, ones, 250, at=0.5)
    kept = scores >= 0.5
    assert at == 0.5
    assert figures["precision"] == pytest.approx(right[kept].sum() / kept.sum(), abs=1e-4)
    assert figures["recall"] == pytest.approx(right[kept].sum() / 250, abs=1e-4)
    assert figures["f1"] <= best_figures["f1"]
    assert figures["recall_of_all_readings"] == best_figures["recall_of_all_readings"]
    assert fit._operating_point(scores, right, ones, 250, at=best)[1] == best_figures
    nothing = fit._operating_point(scores, right, ones, 250, at=2.0)[1]
    assert (nothing["precision"], nothing["recall"]) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("scores", "right"),
    [((0.9, 0.5, 0.5, 0.5, 0.1), (1, 1, 0, 0, 0)), ((0.12346, 0.1), (1, 0))],
    ids=["ties", "rounded"],
)
def test_the_threshold_reproduces_the_figures_with_ties(scores: tuple[float, ...], right: tuple[int, ...]) -> None:
    keep_from, figures = fit._operating_point(np.array(scores), np.array(right), np.ones(len(right), int), sum(right))
    kept = np.array(scores) >= keep_from
    assert figures["recall"] == pytest.approx(np.array(right)[kept].sum() / sum(right))
    assert figures["precision"] == pytest.approx(np.array(right)[kept].mean(), abs=1e-4)


def test_only_the_best_of_exclusive_readings_counts() -> None:
    chosen = fit._best_of_each(np.array([0.2, 0.9, 0.5, 0.4, 0.8]), np.array([0, 0, 1, 2, 3]))
    assert chosen.tolist() == [False, True, True, True, True]


def test_cases_without_readings_change_nothing() -> None:
    cases, gold = ward(told=5.0)
    folds = folds_of([str(number) for number in range(len(cases))])
    with_others = fit_acceptance([*cases, unread()], np.append(folds, 0), gold, for_any_schema=False)
    without = fit_acceptance(cases, folds, gold, for_any_schema=False)
    assert with_others.acceptance == without.acceptance
    assert with_others.figures == without.figures


@pytest.mark.parametrize("right", [True, False])
def test_identical_readings_are_accepted(right: bool) -> None:
    random = np.random.default_rng(6)
    cases = [readings(np.full(ROWS, right), random) for _ in range(CASES)]
    accepted(cases, CASES * ROWS)


def test_fitting_without_readings_is_refused() -> None:
    with pytest.raises(InputError, match="Nothing was read of any case"):
        accepted([unread()] * CASES, CASES)


def test_a_filler_without_hidden_states_can_be_fitted() -> None:
    cases, gold = ward(told=5.0)
    bare = [replace(case, states=np.zeros((ROWS, 0), np.float16), layers=np.zeros(0, np.int64)) for case in cases]
    accepted(bare, gold)


# the classifier of sentences


@pytest.mark.parametrize(
    "rows",
    [
        ("nail",),
        ("nail", "hr"),
    ],
)
def test_exemplars_of_few_rows_are_supported(rows: tuple[str, ...]) -> None:
    embedder = FakeEmbedder()
    texts = [f"Sentence {number} about {row}." for row in rows for number in range(4)]
    exemplars = tuple(Exemplar(str(number), text, ((text[17:-1], "x"),)) for number, text in enumerate(texts))
    book = ExemplarBook(exemplars, embedder.encode(texts))
    new = embedder.encode([f"Sentence 9 about {rows[0]}.", "Nothing of that kind.", "She slept."])
    precedents = book.precedents(new, np.zeros((0, new.shape[1]), np.float32), [])
    assert precedents.score.shape == precedents.vote.shape == (3, len(rows))


# the prior of the reduction


def pooled(told: float, candidates: int = 12) -> list[list[tuple[tuple[float, ...], bool]]]:
    random = np.random.default_rng(7)
    cases = []
    for _ in range(CASES):
        filled = random.random(candidates) < 0.3
        x = random.normal(size=(candidates, len(prior_features.FEATURES)))
        x[:, 0] += told * filled
        cases.append([(tuple(row), bool(is_filled)) for row, is_filled in zip(x, filled, strict=True)])
    return cases


@pytest.mark.parametrize(("told", "low", "high"), [(0.0, 0.4, 0.6), (5.0, 0.9, 1.0)])
def test_priors_are_held_out(told: float, low: float, high: float) -> None:
    cases = pooled(told)
    model, priors = fit_prior(cases, folds_of([str(number) for number in range(CASES)]))
    filled = np.array([is_filled for case in cases for _, is_filled in case])
    assert low < roc_auc_score(filled, np.concatenate(priors)) <= high
    assert [len(prior) for prior in priors] == [len(case) for case in cases]
    assert model.keep_from == fit.ASK_FROM


def test_cases_without_candidates_get_no_priors() -> None:
    cases = pooled(5.0)
    cases[3], cases[-1] = [], []
    _, priors = fit_prior(cases, folds_of([str(number) for number in range(CASES)]))
    assert [len(prior) for prior in priors] == [len(case) for case in cases]


def test_identical_candidates_get_priors() -> None:
    every = [[(features, True) for features, _ in case] for case in pooled(0.0)]
    folds = folds_of([str(number) for number in range(CASES)])
    model, priors = fit_prior(every, folds)
    assert (np.concatenate(priors) > 0.5).all()
    assert model.keep_from == fit.ASK_FROM
    with pytest.raises(InputError, match="No row that the cases fill was found"):
        fit_prior([[(features, False) for features, _ in case] for case in every], folds)


@pytest.mark.parametrize("cases", [20, 24, 195])
def test_folds_have_equal_sizes_and_are_deterministic(cases: int) -> None:
    folds = folds_of([str(number) for number in range(cases)])
    sizes = np.bincount(folds, minlength=fit.FOLDS)
    assert (len(folds), len(sizes), sizes.max() - sizes.min() <= 1) == (cases, fit.FOLDS, True)
    np.testing.assert_array_equal(folds, folds_of([str(number) for number in range(cases)]))


def test_a_number_is_proposed_only_for_its_most_confident_row() -> None:
    """Each pair of rows is read from the same words; every value counts as filled."""
    cases, gold = ward(told=5.0)
    alone = accepted(cases, gold)
    pairs = [replace(case, place=np.arange(ROWS) // 2) for case in cases]
    fitted = accepted(pairs, gold)
    assert len(fitted.sample.wrong) == len(alone.sample.wrong) == CASES * ROWS
    a_pair = fitted.sample.proposed.reshape(-1, 2).sum(axis=1)
    assert set(a_pair) == {0, 1}
    assert (alone.sample.proposed.reshape(-1, 2).sum(axis=1) == 2).any()
    surest = fitted.confidence.reshape(-1, 2)
    assert (surest[fitted.sample.proposed.reshape(-1, 2)] == surest.max(axis=1)[a_pair == 1]).all()
