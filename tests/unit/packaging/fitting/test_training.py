"""Fitting the shipped models to cases of several schemas and authors; the models are scripted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.adaptation.training import annotated
from app.system.settings import Settings
from extraction.annotation.case_files import Case, Cases, Observation, Trap, read_cases
from extraction.confidence import acceptance_features
from fitting.statement_files import StatedSentence
from fitting.training import (
    CaseSet,
    _each_case,
    _folds,
    _parts,
    learn_for_any_schema,
    pool_corpus,
)
from models.base.progress import NOT_MONITORED
from tests.kit.learning import SCHEMA, FakeWorker, Ward, inference_of, quick_fits, write_lines

COUNT = 24
SENTENCES = [StatedSentence("cough", "Productive", "Coughing up rusty stuff.", "Coughing up rusty stuff", "")]
OTHER = replace(SCHEMA, id="other", sha256="e" * 64)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for module in ("adapter", "matcher"):
        monkeypatch.setattr(f"fitting.{module}._EPOCHS", 1)
        monkeypatch.setattr(f"fitting.{module}._FROM_CONCEPTS", 100)
    with quick_fits():
        yield


@pytest.fixture(scope="module")
def ward() -> Ward:
    return Ward(COUNT)


@pytest.fixture
def cases(ward: Ward, tmp_path: Path) -> Cases:
    return read_cases(write_lines(tmp_path / "cases.jsonl", ward.lines), SCHEMA)


def some(cases: Cases, start: int, stop: int) -> Cases:
    return replace(cases, cases=cases.cases[start:stop], sha256=f"{start:064d}")


def test_authors_and_schemas_are_never_split(cases: Cases) -> None:
    sets = [
        CaseSet(some(cases, 0, 4), SCHEMA, "a"),
        CaseSet(some(cases, 4, 8), OTHER, "b"),
        CaseSet(some(cases, 8, 12), OTHER, "a"),
        CaseSet(some(cases, 12, 24), SCHEMA),
    ]
    assert _folds(sets[:3], by_schema=False) == [0, 1, 0]
    assert _folds(sets, by_schema=True) == [0, 1, 1, 0]


def test_cases_of_many_authors_are_spread_over_the_folds_of_adapters(cases: Cases) -> None:
    parts = list(_parts(CaseSet(cases, SCHEMA)))
    assert len(parts) == len(set(_folds(parts, by_schema=False))) == 4
    assert sorted(case.id for part in parts for case in part.cases.cases) == sorted(case.id for case in cases.cases)
    one = CaseSet(cases, SCHEMA, "a")
    assert list(_parts(one)) == [one]


def test_each_case_has_the_fold_of_its_part(cases: Cases) -> None:
    parts = [CaseSet(some(cases, 0, 4), SCHEMA, "a"), CaseSet(some(cases, 4, 9), OTHER, "b")]
    assert _each_case(parts, [7, 3]).tolist() == [7] * 4 + [3] * 5


@pytest.mark.parametrize("by_schema", [False, True])
def test_models_are_fitted_to_the_cases_of_all_sets(cases: Cases, ward: Ward, tmp_path: Path, by_schema: bool) -> None:
    sets = [
        CaseSet(some(cases, 0, 8), SCHEMA, "a"),
        CaseSet(some(cases, 8, 16), OTHER, "b"),
        CaseSet(some(cases, 16, 24), SCHEMA, "c"),
    ]
    settings = Settings()
    inference = inference_of(FakeWorker(ward), settings)
    work = tmp_path / "work"
    corpus = pool_corpus(sets, [], inference, settings, work, by_schema=by_schema, monitor=NOT_MONITORED)
    fitted = learn_for_any_schema(corpus, inference, settings, work, monitor=NOT_MONITORED)
    learned = fitted.learned
    assert fitted.adapter.digest
    assert fitted.matcher.digest
    assert learned.book is None
    names = [row.name for row in SCHEMA.rows if row.unit_of is None]
    assert not any(name in model.to_json() for name in names for model in (learned.prior, learned.acceptance))
    bare = np.full((1, len(acceptance_features.FEATURES)), np.nan)
    assert 0.0 < learned.acceptance.probabilities(bare)[0] < 1.0
    assert learned.about["cases"] == COUNT
    assert learned.about["held_out"]["f1"] > 0.7
    assert learned.about["cases_sha256"] not in {one.cases.sha256 for one in sets}


def test_a_run_that_was_stopped_fits_and_reads_nothing_again(cases: Cases, ward: Ward, tmp_path: Path) -> None:
    sets = [CaseSet(some(cases, 0, 12), SCHEMA, "a"), CaseSet(some(cases, 12, 24), OTHER, "b")]
    worker, settings = FakeWorker(ward), Settings()

    def run() -> str:
        inference = inference_of(worker, settings)
        corpus = pool_corpus(sets, SENTENCES, inference, settings, tmp_path, by_schema=False, monitor=NOT_MONITORED)
        fitted = learn_for_any_schema(corpus, inference, settings, tmp_path, most_of_each=10, monitor=NOT_MONITORED)
        assert fitted.learned.about["cases"] == 20
        return fitted.matcher.digest

    first = run()
    read, matchers = len(worker.read), sorted(tmp_path.glob("matcher-*"))
    assert (read, len(matchers), len(list(tmp_path.glob("adapter-*")))) == (20, 3, 3)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("fitting.tasks.fit_matcher", None)
        patched.setattr("fitting.adapter.fit_adapter", None)
        assert run() == first
    assert len(worker.read) == read


def test_what_a_graded_case_accepts_counts_as_right() -> None:
    row = SCHEMA.rows[0]
    case = Case("a", "Calm.", (), (Observation(row.id, 1.0),), (Trap(row.id, 2.0, "plan"),))
    assert {row_id for row_id, _ in annotated(case, SCHEMA).gold} == {row.id}
