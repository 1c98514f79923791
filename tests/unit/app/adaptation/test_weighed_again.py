"""Values keep their features: dictations that were reviewed under former models count again with those of today."""

from __future__ import annotations

import datetime as dt
import json
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.adaptation.recalibration import ReviewedSamples, calibrate, reviewed_samples
from app.chart.lights import LitBy
from app.cli import main
from app.cli.common import open_inference
from app.extraction_records import proposed
from app.lighting import Lighting, lighting
from app.record.run import RunRecord
from app.store import Store
from app.system import paths
from app.system.settings import Settings, save_settings
from extraction.confidence import acceptance_features, learned_models
from extraction.confidence.binding import FEATURE_VERSION, Binding
from extraction.confidence.learned_models import Learned, shipped, signature
from extraction.confidence.packed_numbers import packed, unpacked
from extraction.estimators.boosted_trees import TreeModel, fit_trees
from extraction.estimators.calibration import Sample
from extraction.estimators.layer_classifiers import LayerClassifiers
from extraction.estimators.linear_probes import Probe
from extraction.extractor import weigh_and_propose
from extraction.filling.proposals import rounded
from extraction.filling.task import Reading, Task
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.values import Neighbour, Proposals, Value
from extraction.language.sentences import segment
from extraction.retrieval import prior_features
from extraction.retrieval.candidates import Candidate, Hit, ReducedSchema
from extraction.rules.changes import Change, Kind
from models.base.errors import InputError
from speech.transcript import Transcript
from tests.kit.learned import BINDING
from tests.kit.records import kept
from tests.kit.rules import applied
from tests.kit.store import SCHEMA, SCHEMA_BYTES, filled

TEXT = "Heart rate is 110. RASS is minus 2. There is edema of the left leg and of the right leg. She is calm."
LAYERS = (4, 8, 12)
SIZE = 16
WIDTH = len(acceptance_features.FEATURES) + 2 * len(LAYERS)


def trees(seed: int, names: Sequence[str] = acceptance_features.FEATURES) -> TreeModel:
    """Trees over every feature, of which some are unknown."""
    random = np.random.default_rng(seed)
    x = random.normal(size=(200, len(names)))
    x[random.random(x.shape) < 0.2] = np.nan
    return fit_trees(names, x, np.nansum(x * random.normal(size=len(names)), axis=1) > 0, keep_from=0.1)


def probe(seed: int) -> Probe:
    random = np.random.default_rng(seed)
    return Probe(LAYERS, random.normal(size=(3, SIZE)).astype(np.float32), random.normal(size=3).astype(np.float32))


@pytest.fixture(scope="module")
def before() -> Learned:
    """The models that dictations were filled and reviewed with."""
    probes = {"row": probe(1), "value": probe(2)}
    layers = LayerClassifiers(np.array([[0.1, 0.9, 0.2, 0.3], [0.0, 0.8, 0.1, 0.4], [0.2, 1.0, 0.3, 0.1]]))
    prior = trees(3, prior_features.FEATURES)
    rules = {"assertion": (8, 2)}
    known = Learned(None, prior, trees(4), probes, layers, None, BINDING, rules)
    return replace(known, identity="before", features_identity="features")


@pytest.fixture(scope="module")
def today(before: Learned) -> Learned:
    """The same, refitted: other trees, other layers, another precision of the rule; prior and probes as they were."""
    layers = LayerClassifiers(np.array([[0.3, 0.7, 0.1, 0.2], [0.1, 0.9, 0.3, 0.2], [0.0, 1.1, 0.2, 0.2]]))
    rules = {"assertion": (3, 1)}
    return replace(before, acceptance=trees(5), layers=layers, rules=rules, identity="today")


def readings_of(seed: int) -> list[Reading]:
    """What was read of TEXT, with hidden states for all but the last reading."""
    random = np.random.default_rng(seed)
    heart, rass, edema, calm = segment(TEXT)
    said: list[tuple[str, Value, str]] = [
        ("hr", 110.0, "110"),
        ("rass", -2.0, "minus 2"),
        ("edema", ("left leg",), "left leg"),
        ("edema", ("right leg",), "right leg"),
        ("note", "calm", "calm"),
    ]
    places = dict(zip(("hr", "rass", "edema", "note"), (heart, rass, edema, calm), strict=True))
    found = []
    for row_id, value, words in said:
        place, start = places[row_id], TEXT.index(words)
        hit = Hit(place.index, float(random.random()), 0.5, 0.0, 0, 0, 1.0, 0.0, Neighbour("row", row_id, place.index))
        found.append(
            Reading(
                SCHEMA.row(row_id),
                Candidate(row_id, (hit,), float(random.random())),
                value,
                place,
                (start, start + len(words)),
                float(random.uniform(0.3, 1)),
                float(random.uniform(0.5, 1)),
                states={layer: random.normal(size=SIZE).astype(np.float32) for layer in LAYERS},
            )
        )
    return [*found[:-1], replace(found[-1], states={})]


TASK = Task(TEXT, tuple(segment(TEXT)), SCHEMA, ReducedSchema(()), dt.date(2026, 1, 2))


def proposals_of(readings: Sequence[Reading], models: Learned) -> Proposals:
    return weigh_and_propose(TASK, readings, models, "rowwise")


def errors_by_value(readings: Sequence[Reading], models: Learned) -> dict[tuple[str, Value], tuple[float, ...]]:
    """What models that read a dictation today would say of each reading."""
    weighing = models.weigh(TASK, readings)
    return {
        (one.row.id, one.value): rounded(errors) for one, errors in zip(readings, weighing.errors.tolist(), strict=True)
    }


def signatures(models: Learned, binding: Binding = BINDING) -> dict[str, str]:
    return {
        "weighed_by": signature(models.identity, binding, SCHEMA),
        "features_signature": signature(models.features_identity, binding, SCHEMA),
    }


def lighting_of(models: Learned, **changes: object) -> Lighting:
    plain = Lighting(None, None, own=False, alpha=0.2, weight=0.5, threshold=0.9, **signatures(models))
    return replace(plain, **changes)  # type: ignore[arg-type]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "wardlight.db") as opened:
        yield opened


def reviewed(store: Store, found: Proposals, signed: dict[str, str], *, wrong: Sequence[str] = ()) -> int:
    """A dictation that was filled so and of which every value was decided."""
    version = store.schemas.save(SCHEMA, SCHEMA_BYTES)
    source = store._recordings.folder.parent / "bed 4.txt"
    source.write_text(TEXT, encoding="utf-8")
    encounter = store.encounters.open(store.patients.add("Ann Lee").id)
    dictation = store.dictations.add(encounter.id, source, "text", version)
    store.transcripts.save(dictation.id, Transcript(TEXT))
    store.runs.save(dictation.id, proposed(found.values), RunRecord(held_back=proposed(found.held_back), **signed))
    for value in store.values.of(dictation.id):
        store.reviews.decide_all([value.id], "reject" if value.row_id in wrong else "confirm", "Kim", collect=True)
    return dictation.id


def samples(store: Store, models: Learned) -> ReviewedSamples:
    return reviewed_samples(store, SCHEMA, lighting_of(models), lambda: models)


def not_needed() -> Learned:
    raise AssertionError("models are loaded for nothing")


# what is kept


def test_a_value_keeps_what_it_was_weighed_by(before: Learned) -> None:
    readings = readings_of(1)
    found = proposals_of(readings, before)
    (hr,) = (value for value in (*found.values, *found.held_back) if value.row_id == "hr")
    numbers = unpacked(hr.features)
    assert len(numbers) == WIDTH
    row, value = (before.probes[name].score(readings[0].states) for name in acceptance_features.PROBES)
    np.testing.assert_allclose(numbers[-6:], np.concatenate([row, value]), rtol=1e-6)
    np.testing.assert_allclose(numbers[[-8, -7]], [row.mean(), value.mean()], rtol=1e-6)
    assert np.isnan(numbers[acceptance_features.FEATURES.index("exemplar_vote")]), "there are no exemplars"
    assert kept(hr).features == hr.features


def test_what_was_kept_gives_the_same_again(before: Learned) -> None:
    for seed in range(20):
        weighing = before.weigh(TASK, readings_of(seed))
        again = before.reweigh(weighing.features)
        assert [one[0] for one in again if one] == weighing.confidences.tolist()
        np.testing.assert_allclose([one[1] for one in again if one], weighing.errors, rtol=1e-12)


def test_shipped_models_weigh_again_what_they_weighed() -> None:
    known = shipped()
    weighing = known.weigh(TASK, readings_of(3))  # of states of other layers: the probes say nothing
    assert np.isnan(unpacked(weighing.features[0])[-10:]).all()
    assert [one[0] for one in known.reweigh(weighing.features) if one] == weighing.confidences.tolist()
    assert known.weigh(TASK, []).features == []
    assert known.reweigh([]) == []


def test_what_was_not_kept_or_is_of_other_layers_is_not_weighed_again(before: Learned) -> None:
    some = packed(np.zeros(WIDTH))
    first, none, other, last = before.reweigh([some, "", packed(np.zeros(WIDTH + 2)), some])
    assert first is not None
    assert first == last
    assert none is other is None


def test_of_the_options_of_a_multi_select_the_least_sure_one_counts(before: Learned) -> None:
    readings = readings_of(2)[2:4]
    weighing = before.weigh(TASK, readings)
    sure = replace(before, acceptance=replace(before.acceptance, keep_from=0.0))
    (value,) = proposals_of(readings, sure).values
    assert value.value == ("left leg", "right leg")
    assert value.features == weighing.features[int(weighing.confidences.argmin())]


def test_what_a_rule_wrote_keeps_none_and_what_it_only_flagged_does(before: Learned) -> None:
    found = proposals_of(readings_of(1), replace(before, acceptance=replace(before.acceptance, keep_from=0.0)))
    hr, other = (next(one for one in found.values if one.row_id == row) for row in ("hr", "rass"))
    doubt = (Finding("noted", ("look",)),)
    changes = [
        Change(Kind.REPLACE, hr, replace(hr, value=98.0), doubt),
        Change(Kind.FLAG, other, None, doubt),
    ]
    now = applied(SCHEMA, found, changes, "assertion", 0.8)
    by_row = {one.row_id: one for one in now.values}
    assert (by_row["hr"].rule, by_row["hr"].features) == ("assertion", "")
    assert by_row["rass"].features == other.features != ""


# what counts again


def test_a_dictation_reviewed_under_other_trees_counts_with_todays_errors(
    store: Store, before: Learned, today: Learned
) -> None:
    read = [[one for one in readings_of(seed) if one.row.id != "edema"] for seed in range(5)]
    for readings in read:
        reviewed(store, proposals_of(readings, before), signatures(before), wrong=["rass"])
    found = samples(store, today)
    assert (len(found.samples), found.shown) == (5, [])
    for readings, sample in zip(read, found.samples, strict=True):
        shown = proposals_of(readings, before)
        values = [*shown.values, *shown.held_back]
        now, then = errors_by_value(readings, today), errors_by_value(readings, before)
        assert [tuple(row) for row in sample.errors.tolist()] == [now[one.row_id, one.value] for one in values]
        assert now != then
        assert sample.proposed.tolist() == [one in shown.values for one in values], "as it was shown"
        assert sample.wrong.tolist() == [one.row_id == "rass" or one in shown.held_back for one in values]


def test_what_today_s_models_weighed_is_taken_as_it_was_shown(store: Store, today: Learned) -> None:
    readings = readings_of(1)
    found = proposals_of(readings, today)
    reviewed(store, found, signatures(today))
    both = reviewed_samples(store, SCHEMA, lighting_of(today), not_needed)
    assert both.samples == both.shown
    values = [*found.values, *found.held_back]
    assert [tuple(row) for row in both.samples[0].errors.tolist()] == [one.errors for one in values]


@pytest.mark.parametrize(
    "changed",
    [
        {"feature_version": FEATURE_VERSION + 1},
        {"reading_version": 99},
        {"filler": "another"},
        {"filler_sha256": "another"},
        {"embedder_sha256": "another"},
        {"prompt_sha256": "another"},
        {"top_k": 5},
    ],
)
def test_what_was_read_otherwise_does_not_count(
    store: Store, before: Learned, today: Learned, changed: dict[str, object]
) -> None:
    former = replace(BINDING, **changed)  # type: ignore[arg-type]
    reviewed(store, proposals_of(readings_of(1), before), signatures(before, former))
    assert samples(store, today).samples == []


def test_what_other_probes_scored_or_nothing_signed_does_not_count(
    store: Store, before: Learned, today: Learned
) -> None:
    found = proposals_of(readings_of(1), before)
    reviewed(store, found, signatures(replace(before, features_identity="other probes")))
    reviewed(store, found, {"weighed_by": signature(before.identity, BINDING, SCHEMA)})  # of a former release
    assert samples(store, today).samples == []
    unsigned = lighting_of(today, features_signature="")
    assert reviewed_samples(store, SCHEMA, unsigned, not_needed).samples == []


def test_what_a_rule_wrote_is_as_sure_as_the_rule_is_today(store: Store, before: Learned, today: Learned) -> None:
    assert (before.precisions["assertion"], today.precisions["assertion"]) == (0.75, 4 / 6)
    hr = packed(np.zeros(WIDTH))
    read = replace(filled("hr", 110.0), errors=(0.1,) * 3, features=hr)
    by_rule = replace(filled("rass", -2.0, confidence=0.75), rule="assertion")
    unknown = replace(filled("note", "calm", confidence=0.5), rule="of no release")
    reviewed(store, Proposals((read, by_rule, unknown), ()), signatures(before))
    (sample,) = samples(store, today).samples
    (weight,) = today.reweigh([hr])
    assert weight is not None
    assert sample.errors.tolist() == [list(rounded(weight[1])), [1 - 4 / 6] * 3, [0.5] * 3]


def test_what_has_no_features_is_left_out(store: Store, before: Learned, today: Learned) -> None:
    """Such as a value that was decided in a former release, before the dictation was filled again."""
    kept = replace(filled("hr", 110.0), errors=(0.1,) * 3, features=packed(np.zeros(WIDTH)))
    former = replace(filled("rass", -2.0), errors=(0.1,) * 3)
    guessed = filled("note", "calm")  # no layer has weighed it
    unit = replace(filled("edema", ("left leg",)), errors=(0.1,) * 3, neighbour=Neighbour("unit", "Heart rate", 0))
    reviewed(store, Proposals((kept, former, guessed, unit), ()), signatures(before))
    reviewed(store, Proposals((former,), ()), signatures(before))
    (sample,) = samples(store, today).samples
    assert len(sample.wrong) == 1


# calibrate


def ward(store: Store, models: Learned, signed: dict[str, str], dictations: int, seed: int = 0) -> None:
    """Dictations with three values each, of which the doubtful ones are mostly wrong."""
    rng = np.random.default_rng(seed)
    values: dict[str, Value] = {"hr": 110.0, "rass": -2.0, "note": "calm"}
    width = len(acceptance_features.FEATURES) + 2 * len(models.layers.coefficients)
    for _ in range(dictations):
        features = [packed(one) for one in rng.normal(size=(3, width)) * 2]
        weighed = [one for one in models.reweigh(features) if one]
        proposals = tuple(
            replace(filled(row_id, value, confidence=sure), errors=rounded(errors), features=text)
            for (row_id, value), (sure, errors), text in zip(values.items(), weighed, features, strict=True)
        )
        wrong = [one.row_id for one in proposals if rng.random() < np.mean(one.errors) ** 2]
        reviewed(store, Proposals(proposals, ()), signed, wrong=wrong)


def test_calibrate_says_how_many_dictations_it_weighed_again(
    store: Store, before: Learned, today: Learned, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("WARDLIGHT_DATA", str(tmp_path / "data"))
    ward(store, before, signatures(before), 50)
    ward(store, today, signatures(today), 10, seed=1)
    found = calibrate(store, SCHEMA, lighting_of(today), lambda: today)
    assert (found.dictations, found.values, found.weighed_again) == (60, 180, 50)


def test_drift_is_judged_by_what_was_shown(
    store: Store, before: Learned, today: Learned, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("WARDLIGHT_DATA", str(tmp_path / "data"))
    ward(store, before, signatures(before), 50)
    ward(store, today, signatures(today), 2, seed=1)
    judged: list[list[Sample]] = []
    monkeypatch.setattr("app.adaptation.recalibration.drifted", lambda shown, _: judged.append(shown) or True)
    assert calibrate(store, SCHEMA, lighting_of(today), lambda: today).drifted
    assert [len(shown) for shown in judged] == [2]


@contextmanager
def refitted(monkeypatch: pytest.MonkeyPatch, folder: Path, filler: str) -> Iterator[None]:
    """The next release, whose shipped models have other layers and the same probes."""
    with learned_models._shipped_folder(filler) as known:
        shutil.copytree(known, folder)
    coefficients = np.load(folder / "layers.npy")
    np.save(folder / "layers.npy", coefficients * 0.9)

    @contextmanager
    def shipped_folder(_: str) -> Iterator[Path]:
        yield folder

    def forget() -> None:
        learned_models.shipped.cache_clear()
        learned_models._shipped_calibration.cache_clear()

    with monkeypatch.context() as release:
        release.setattr(learned_models, "_shipped_folder", shipped_folder)
        forget()
        yield
    forget()


def test_a_release_that_refits_costs_one_command(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WARDLIGHT_DATA", str(tmp_path / "data"))
    monkeypatch.setattr("app.cli.measuring.calibrate.schema_of", lambda *_: (SCHEMA, SCHEMA_BYTES))
    save_settings(Settings(schema=str(tmp_path / "ward.json"), alpha=0.2), paths.config_file())
    models = open_inference(Settings()).models
    former = lighting(Settings(), SCHEMA, models)
    signed = {"weighed_by": former.weighed_by, "features_signature": former.features_signature}
    with Store(paths.database_file()) as store:
        ward(store, shipped(models["filler"]), signed, 60)
    assert main(["calibrate"]) == 0
    assert "weighed again" not in capsys.readouterr().out
    assert lighting(Settings(), SCHEMA, models).decides(former.weighed_by) is LitBy.OWN
    with refitted(monkeypatch, tmp_path / "release", models["filler"]):
        after = lighting(Settings(), SCHEMA, models)
        assert after.decides(former.weighed_by) is LitBy.CONFIDENCE
        assert after.decides(after.weighed_by) is LitBy.SHIPPED
        assert main(["calibrate"]) == 0
        assert "60 of these dictations were weighed again by the current models." in capsys.readouterr().out
        again = lighting(Settings(), SCHEMA, models)
        assert again.decides(again.weighed_by) is LitBy.OWN
        assert main(["calibrate", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["weighed_again"] == 60


def test_a_learned_folder_that_belongs_elsewhere_is_named(store: Store, before: Learned, tmp_path: Path) -> None:
    reviewed(store, proposals_of(readings_of(1), before), signatures(before))

    def missing() -> Learned:
        raise InputError("What was learned belongs to another embedder.")

    with pytest.raises(InputError, match="another embedder"):
        calibrate(store, SCHEMA, replace(lighting_of(before), weighed_by="e" * 64), missing)


# the store


def test_values_of_the_former_release_have_no_features(tmp_path: Path, before: Learned) -> None:
    path = tmp_path / "wardlight.db"
    with Store(path) as store:
        found = proposals_of(readings_of(1), before)
        found = replace(found, values=found.values[:-1], held_back=found.values[-1:])
        number = reviewed(store, found, signatures(before))
        kept, held_back = store.values.of(number), store.runs.of(number).held_back
    assert any(value.filled and value.filled.features for value in kept)
    assert held_back
    _former(path, number)
    with Store(path) as store:
        now = store.values.of(number)
        assert now == [replace(one, filled=replace(one.filled, features="")) for one in kept if one.filled]
        assert store.runs.of(number).held_back == tuple(replace(one, features="") for one in held_back)
        assert samples(store, before).samples == []
    database = sqlite3.connect(path)
    assert database.execute("SELECT 1 FROM _sqlite_migrations WHERE name = 'm0013_features'").fetchone() == (1,)
    database.close()


def _former(path: Path, dictation: int) -> None:
    """Makes the database as the former release would have left it."""
    database = sqlite3.connect(path)

    triggers = database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        database.execute(f"DROP TRIGGER {name}")
    for value_id, text in database.execute("SELECT id, filled FROM row_values").fetchall():
        stored = json.loads(text)
        del stored["features"], stored["version"]
        database.execute("UPDATE row_values SET filled = ? WHERE id = ?", [json.dumps(stored), value_id])
    (run,) = database.execute("SELECT record FROM runs WHERE dictation_id = ?", [dictation]).fetchone()
    database.execute("DROP TABLE runs")
    former = json.loads(run)
    del former["features_signature"], former["version"]
    former["weighed_by"] = "d" * 64
    former["unlikely"] = former.pop("held_back")
    for value in former["unlikely"]:
        del value["features"]
    database.execute("UPDATE dictations SET run = ? WHERE id = ?", [json.dumps(former), dictation])
    for _, sql in triggers:
        database.execute(sql)
    database.execute("DELETE FROM _sqlite_migrations WHERE name IN ('m0013_features', 'm0014_held_back', 'm0016_runs')")
    database.commit()
    database.close()
