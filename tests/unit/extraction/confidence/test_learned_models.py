"""Learning from annotated cases: exemplars, trees, probes, and the folder that stores them."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from extraction.annotation.case_files import Case, Observation
from extraction.confidence import acceptance_features
from extraction.confidence.binding import Binding, rows_sha256
from extraction.confidence.learned_models import (
    _LAST_CODE,
    Learned,
    check_learned,
    load_calibration,
    load_learned,
    save_learned,
    shipped,
)
from extraction.estimators.boosted_trees import TreeModel, fit_trees, held_out
from extraction.estimators.calibration import Calibration, Sample
from extraction.estimators.layer_classifiers import LayerClassifiers
from extraction.estimators.linear_probes import DEPTHS, Probe, fit_probes, held_out_scores, load_probes, save_probes
from extraction.flowsheet.schema import Instance, Interval, Laterality, Option, Role, Row, Schema, ValueType
from extraction.language.sentences import segment
from extraction.retrieval import prior_features
from extraction.retrieval.exemplars import Exemplar, ExemplarBook, book_of, exemplars_of
from extraction.schema_files.native_format import load_schema
from models.base.errors import InputError
from models.library.manifest import load_manifest
from tests.end_to_end.conftest import DEMO_SCHEMA
from tests.kit.fake_models import FakeEmbedder
from tests.kit.learned import BINDING

SCHEMA = Schema(
    "test",
    "Test",
    "1",
    (
        Row("hr", "Heart rate", ValueType.NUMERIC, ("Vitals",)),
        Row("hr_unit", "Heart rate unit", ValueType.SINGLE_SELECT, ("Vitals",), (Option("bpm"),), unit_of="hr"),
        Row("nail", "Nailbed color", ValueType.SINGLE_SELECT, ("Skin",), (Option("pale"), Option("pink"))),
        Row("nausea", "Nausea", ValueType.YES_NO, ("GI",)),
    ),
    "0" * 64,
    "test",
)
CASES = (
    Case(
        "a",
        "She slept well. Her fingertips have gone pale. The heart rate is 110 now.",
        (Observation("nail", "pale"), Observation("hr", 110.0), Observation("hr_unit", "bpm")),
    ),
    Case("b", "Fingertips rosy and warm. No complaints of feeling sick.", (Observation("nausea", False),)),
)


def test_values_are_aligned_to_the_sentence_that_states_them() -> None:
    found = exemplars_of(CASES[0], SCHEMA, FakeEmbedder())
    assert [exemplar.values for exemplar in found] == [(), (("nail", "pale"),), (("hr", "110.0"),)]


def test_an_exemplar_retrieves_a_row_whose_words_were_not_said() -> None:
    """Neither 'nailbed' nor 'color' is said; only a sentence of another case reveals the row."""
    embedder = FakeEmbedder()
    book = book_of(CASES, SCHEMA, embedder)
    sentences = segment("Today the fingertips have gone pale again.")
    precedents = book.precedents(embedder.encode([sentences[0].text]), np.zeros((0, 256), np.float32), [])
    nail = precedents.with_values(precedents.at(0, "nail"), 0, "nail")
    other = precedents.at(0, "hr")
    assert nail.nearest > other.nearest
    assert nail.vote > other.vote
    assert nail.score > other.score
    assert nail.values[0][0] == "pale"
    assert precedents.at(0, "never annotated").weight == 0.0


def test_a_case_is_not_its_own_exemplar() -> None:
    book = book_of(CASES, SCHEMA, FakeEmbedder())
    rest = book.without({"a"})
    assert {exemplar.case_id for exemplar in rest.exemplars} == {"b"}
    assert rest.row_ids == ("nausea",)
    assert rest.frequency("nail") < rest.frequency("nausea")
    assert len(rest.vectors) == len(rest.exemplars) == 2


def test_exemplars_round_trip_through_their_file() -> None:
    exemplar = Exemplar("7", "Résumé \u2028 of the “night”\n", (("nail", "pale"),))
    assert Exemplar.from_json(exemplar.to_json()) == exemplar


def separable(count: int = 400) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    x = random.normal(size=(count, 4))
    x[::5, 3] = math.nan
    return x, x[:, 0] + 0.3 * random.normal(size=count) > 0.2, np.arange(count) % 5


def test_trees_learn_round_trip_and_are_deterministic() -> None:
    x, y, fold = separable()
    names = ("a", "b", "c", "d")
    model, again = fit_trees(names, x, y), fit_trees(names, x, y)
    read = TreeModel.from_json(model.to_json(), names)
    assert model.texts == again.texts
    assert np.array_equal(read.probabilities(x), model.probabilities(x))
    scores = held_out(names, x, y, fold)
    assert scores[y].mean() > scores[~y].mean() + 0.5
    assert model.probabilities([]).shape == (0,)


def test_trees_of_fewer_features_find_their_own_among_those_computed() -> None:
    x, y, _ = separable()
    model = fit_trees(("a", "b"), x[:, :2], y)
    read = TreeModel.from_json(model.to_json(), ("new", "b", "a"))
    given = np.column_stack([np.full(len(x), np.nan), x[:, 1], x[:, 0]])
    assert np.array_equal(read.probabilities(given), model.probabilities(x[:, :2]))
    assert read.to_json() == model.to_json()
    with pytest.raises(ValueError, match="other features"):
        TreeModel.from_json(model.to_json(), ("a", "c"))


def test_held_out_trees_see_no_case_of_their_fold() -> None:
    """Random labels cannot be predicted out of fold, whatever the trees memorise."""
    random = np.random.default_rng(1)
    x, y, fold = random.normal(size=(400, 4)), random.random(400) > 0.5, np.arange(400) % 5
    scores = held_out(("a", "b", "c", "d"), x, y, fold)
    assert abs(scores[y].mean() - scores[~y].mean()) < 0.1


@pytest.mark.parametrize(
    "damage", ["{}", "[]", '{"features": ["a"], "keep_from": 0.5, "trees": ["tree"], "about": {}}']
)
def test_a_damaged_tree_model_is_refused(damage: str) -> None:
    with pytest.raises((ValueError, KeyError, TypeError)):
        TreeModel.from_json(damage, ("a",))


def states_of(y: np.ndarray) -> np.ndarray:
    random = np.random.default_rng(2)
    states = random.normal(size=(len(y), 2, 16))
    states[:, :, 5] += 3.0 * y[:, None]
    return states.astype(np.float16)


def test_probes_find_the_direction_that_separates_right_from_wrong(tmp_path: Path) -> None:
    y = np.arange(300) % 3 == 0
    states = states_of(y)
    probe = fit_probes(states, {"row": y, "always": y | True}, (4, 8))["row"]
    save_probes(tmp_path / "probes.npz", {"row": probe})
    read = load_probes(tmp_path / "probes.npz", "row")["row"]
    one = {4: states[0, 0].astype(np.float32), 8: states[0, 1].astype(np.float32)}
    assert read.score(one) == pytest.approx(read.scores(states[:1])[0], abs=1e-3)
    scores = held_out_scores(states, {"row": y}, np.arange(300) % 5, (4, 8))["row"]
    assert scores.shape == (300, 2)
    assert (scores[y].min(axis=0) > np.median(scores[~y], axis=0)).all()


def test_states_of_another_model_score_nan() -> None:
    half = {"row": np.arange(40) % 2 == 0}
    probe = fit_probes(states_of(half["row"]), half, (4, 8))["row"]
    two_of_eight = {4: np.zeros(8, np.float32), 8: np.zeros(8, np.float32)}
    for states in ({}, {4: np.zeros(16, np.float32)}, two_of_eight):
        assert np.isnan(probe.score(states)).tolist() == [True, True]
    bare = fit_probes(np.zeros((40, 0, 0), np.float16), half, ())["row"]
    assert np.isnan(bare.score({})).tolist() == [True]


RIGHT_AND_WRONG = {"word-for-word": (2, 0), "laterality": (1, 1)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    random = np.random.default_rng(3)

    def trees(names: tuple[str, ...]) -> TreeModel:
        x = random.normal(size=(100, len(names)))
        return fit_trees(names, x, x[:, 0] > 0)

    probe = Probe((4,), np.zeros((1, 16), np.float32), np.zeros(1, np.float32))
    book = book_of(CASES, SCHEMA, FakeEmbedder())
    probes = dict.fromkeys(acceptance_features.PROBES, probe)
    models = (trees(prior_features.FEATURES), trees(acceptance_features.FEATURES), probes)
    layers = LayerClassifiers(np.array([[0.1, 0.9, 0.2, 0.3]]))
    wrong = np.arange(60) % 3 == 0
    errors = random.random((60, 1)) + wrong[:, None]
    calibration = Calibration.fit(Sample(errors / 2, wrong, errors[:, 0] < 1.9, np.arange(60) // 3))
    learned = Learned(book, *models, layers, calibration, BINDING, RIGHT_AND_WRONG, {"cases": 2})
    save_learned(tmp_path / "learned", learned, SCHEMA)
    return tmp_path / "learned"


def test_a_learned_folder_round_trips(folder: Path) -> None:
    learned = load_learned(folder, BINDING, SCHEMA)
    assert isinstance(learned.book, ExemplarBook)
    assert learned.book.exemplars == book_of(CASES, SCHEMA, FakeEmbedder()).exemplars
    assert {probe.layers for probe in learned.probes.values()} == {(4,)}
    assert learned.about["cases"] == 2
    assert learned.rules == RIGHT_AND_WRONG
    assert learned.precisions == {"word-for-word": 0.75, "laterality": 0.5}, "few values do not prove a precision"
    assert learned.layers.coefficients.tolist() == [[0.1, 0.9, 0.2, 0.3]]
    assert learned.calibration is not None
    assert learned.calibration.sample.wrong.sum() == 20
    assert 0 < learned.calibration.outlook(0.15, 0.0).lit < 1


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"filler": "other"}, "another language model"),
        ({"filler_sha256": "other"}, "another release of the language model"),
        ({"embedder": "other"}, "another embedder"),
        ({"embedder_sha256": "other"}, "another release of the embedder"),
        ({"prompt_sha256": "other"}, "other questions"),
        ({"reading_version": 99}, "which read dictations differently"),
        ({"feature_version": 99}, "which weighed values differently"),
    ],
)
def test_models_with_another_binding_are_refused(folder: Path, changed: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        load_learned(folder, replace(BINDING, **changed), SCHEMA)
    assert "wardlight learn" in caught.value.next_step


def test_another_number_of_rows_loses_the_guarantee(folder: Path) -> None:
    now = Binding.of("filler", "embedder", top_k=5)
    assert load_learned(folder, now, SCHEMA).binding != now


def changed_rows(**names: str) -> Schema:
    """The schema in another file, with these rows renamed."""
    rows = tuple(replace(row, name=names.get(row.id, row.name)) for row in SCHEMA.rows)
    return replace(SCHEMA, rows=rows, sha256="1" * 64)


def test_unchanged_rows_keep_their_exemplars(folder: Path) -> None:
    book = load_learned(folder, BINDING, changed_rows(nail="Nails")).book
    assert book is not None
    assert book.row_ids == ("hr", "nausea")
    assert len(book.exemplars) == len(book.vectors)
    ranged = tuple(replace(row, reference=(Interval(60, 100),), loinc="1-8") for row in SCHEMA.rows)
    whole = load_learned(folder, BINDING, replace(SCHEMA, rows=ranged, sha256="2" * 64)).book
    assert whole is not None
    assert whole.row_ids == ("hr", "nail", "nausea"), "these fields do not affect reading"


def test_a_later_version_keeps_the_few_rows_that_it_left_alone_and_promises_nothing(folder: Path) -> None:
    extended = changed_rows(nail="Nails", hr="Pulse", hr_unit="Pulse unit")
    book = load_learned(folder, BINDING, extended).book
    assert book is not None
    assert book.row_ids == ("nausea",)
    assert check_learned(folder, BINDING, SCHEMA).promised
    assert not check_learned(folder, BINDING, extended).promised
    with pytest.raises(InputError, match="another schema"):
        load_learned(folder, BINDING, replace(extended, id="another"))


def test_a_row_without_a_stated_meaning_counts_as_unchanged() -> None:
    rows = rows_sha256(load_schema(DEMO_SCHEMA))
    assert rows["piv1.site"] == "b482f07f73e349e7e88df88c4dafec56a80007ffb8974b3009c71129a068a15e"
    all_of_them = json.dumps(rows, sort_keys=True).encode()
    assert hashlib.sha256(all_of_them).hexdigest() == "67463f9fc7b47485c9db99af027ba6acbfaddfc85d5533316cdb4efc79ead2af"


@pytest.mark.parametrize(
    ("stated", "another"),
    [
        ({"instance": Instance("Nail", 1)}, True),
        ({"role": Role.SITE}, True),
        ({"also_in": (("Hands",),)}, True),
        ({"stated_none": ("instance",)}, True),
        ({"laterality": Laterality.LEFT}, False),
        ({"required": True}, False),
        ({"pinned": True}, False),
        ({"measured_with": "hr"}, False),
        ({"stated_none": ("laterality", "measured_with")}, False),
    ],
)
def test_a_stated_meaning_that_changes_the_questions_changes_the_row(stated: dict[str, Any], another: bool) -> None:
    nail = replace(SCHEMA.row("nail"), **stated)
    rows = tuple(nail if row.id == nail.id else row for row in SCHEMA.rows)
    now, before = rows_sha256(replace(SCHEMA, rows=rows)), rows_sha256(SCHEMA)
    assert {row_id for row_id in now if now[row_id] != before[row_id]} == ({"nail"} if another else set())


def test_a_schema_with_mostly_changed_rows_counts_as_another(folder: Path) -> None:
    with pytest.raises(InputError, match="another schema"):
        load_learned(folder, BINDING, replace(changed_rows(nail="Nails", hr="Pulse", nausea="Sick"), id="another"))


@pytest.mark.parametrize(
    ("code", "sha256", "said"),
    [
        (_LAST_CODE, SCHEMA.sha256, ""),
        (_LAST_CODE, "1" * 64, "another schema"),
        ("c" * 64, SCHEMA.sha256, "which read dictations differently"),
    ],
)
def test_folders_of_the_last_release_are_accepted(folder: Path, code: str, sha256: str, said: str) -> None:
    facts = json.loads((folder / "learned.json").read_text(encoding="utf-8"))
    facts["format"] = 2
    facts["bound_to"] = {"schema_sha256": sha256, "filler": "filler", "embedder": "embedder", "code_sha256": code}
    del facts["schema"], facts["rules"]
    (folder / "learned.json").write_text(json.dumps(facts), encoding="utf-8")
    if said:
        with pytest.raises(InputError, match=said):
            load_learned(folder, BINDING, SCHEMA)
    else:
        learned = load_learned(folder, BINDING, SCHEMA)
        assert (learned.binding, learned.precisions) == (BINDING, {}), "that release did not measure rules"
        assert load_calibration(folder, "filler").binding == BINDING


@pytest.mark.parametrize("name", ["prior.json", "confidence.json", "probes.npz", "exemplars.jsonl", "exemplars.npy"])
@pytest.mark.parametrize("harm", ["cut", "gone"])
def test_a_damaged_folder_is_refused_naming_the_file(folder: Path, name: str, harm: str) -> None:
    if harm == "gone":
        (folder / name).unlink()
    else:
        (folder / name).write_bytes((folder / name).read_bytes()[:-10])
    with pytest.raises(InputError, match=name):
        load_learned(folder, BINDING, SCHEMA)


def test_a_matching_folder_is_reported_as_valid(folder: Path) -> None:
    found = check_learned(folder, BINDING, SCHEMA)
    assert (found.differs, found.rows, found.promised) == ((), frozenset(SCHEMA.by_id), True)
    fewer = check_learned(folder, BINDING, changed_rows(nail="Nails"))
    assert (fewer.differs, SCHEMA.by_id.keys() - fewer.rows, fewer.promised) == ((), {"nail"}, True)
    otherwise = check_learned(folder, Binding.of("filler", "embedder", top_k=5), SCHEMA)
    assert (otherwise.differs, otherwise.promised) == ((), False)


def test_differences_are_listed_most_serious_first(folder: Path) -> None:
    other = replace(changed_rows(nail="Nails", hr="Pulse", nausea="Sick"), id="another")
    found = check_learned(folder, replace(BINDING, feature_version=99, filler_sha256="other"), other)
    assert found.differs == (
        "another release of the language model",
        "another version of Wardlight, which weighed values differently",
        "another schema",
    )
    assert not found.promised
    (folder / "probes.npz").write_bytes(b"PK half a file")
    with pytest.raises(InputError, match=r"probes\.npz is damaged"):
        check_learned(folder, BINDING, SCHEMA)


def test_the_features_identity_excludes_the_models_that_weigh_them(folder: Path, tmp_path: Path) -> None:
    known = load_learned(folder, BINDING, SCHEMA)
    assert load_calibration(folder, "").features_identity == known.features_identity
    x = np.random.default_rng(8).normal(size=(100, len(acceptance_features.FEATURES)))
    other_trees = fit_trees(acceptance_features.FEATURES, x, x[:, 1] > 0)
    other_prior = fit_trees(prior_features.FEATURES, x[:, : len(prior_features.FEATURES)], x[:, 1] > 0)
    other_layers = LayerClassifiers(np.array([[0.2, 0.8, 0.1, 0.1]]))
    other_probes = dict.fromkeys(
        acceptance_features.PROBES, Probe((4,), np.ones((1, 16), np.float32), np.zeros(1, np.float32))
    )

    def refitted(number: int, **changes: Any) -> Learned:
        again = tmp_path / str(number)
        save_learned(again, replace(known, about={}, **changes), SCHEMA)
        return load_learned(again, BINDING, SCHEMA)

    assert known.book is not None
    weighs = [refitted(0, acceptance=other_trees), refitted(1, layers=other_layers)]
    assert {one.features_identity for one in weighs} == {known.features_identity}
    assert len({known.identity, *(one.identity for one in weighs)}) == 3
    gives = [
        refitted(2, prior=other_prior),
        refitted(3, probes=other_probes),
        refitted(4, book=known.book.without({"b"})),
    ]
    assert len({known.features_identity, *(one.features_identity for one in gives)}) == 4


@pytest.mark.parametrize("content", ["", "[]", "{}", json.dumps({"format": 99, "bound_to": {}})])
def test_invalid_facts_are_refused(folder: Path, content: str) -> None:
    (folder / "learned.json").write_text(content)
    with pytest.raises(InputError, match=r"learned\.json is damaged"):
        load_learned(folder, BINDING, SCHEMA)


def test_a_folder_without_anything_learned_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds nothing learned"):
        load_learned(tmp_path, BINDING, SCHEMA)


def test_the_default_filler_has_its_own_models() -> None:
    (filler,) = (model.id for model in load_manifest().models if model.role == "filler" and model.default)
    known = shipped(filler)
    (embedder,) = (model.id for model in load_manifest().models if model.role == "embedder" and model.default)
    assert known.binding == Binding.of(filler, embedder), "fit them again"
    assert known.calibration is not None
    assert {len(probe.layers) for probe in known.probes.values()} == {len(DEPTHS)} == {len(known.layers.coefficients)}
    calibrated = load_calibration(None, filler)
    assert calibrated.calibration is not None
    assert (calibrated.identity, calibrated.binding) == (known.identity, known.binding)
    assert calibrated.features_identity == known.features_identity != known.identity


def test_a_filler_without_its_own_models_uses_the_defaults() -> None:
    (default,) = (model.id for model in load_manifest().models if model.role == "filler" and model.default)
    assert shipped("another").identity == shipped().identity == shipped(default).identity


@pytest.mark.parametrize("rules", ["none", {"a-rule": 3}, {"a-rule": [1, 2, 3]}, {"a-rule": ["1", "2"]}])
def test_invalid_rule_counts_count_as_damage(folder: Path, rules: object) -> None:
    facts = json.loads((folder / "learned.json").read_text(encoding="utf-8"))
    (folder / "learned.json").write_text(json.dumps(facts | {"rules": rules}), encoding="utf-8")
    with pytest.raises(InputError, match=r"learned\.json is damaged"):
        load_learned(folder, BINDING, SCHEMA)
