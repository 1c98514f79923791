"""Reviews as labels: what is calibrated on them, what is said when they are too few, and drift."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.adaptation.recalibration import calibrate, drifted, reviewed_samples
from app.chart.lights import LitBy
from app.cli import main
from app.lighting import Lighting, lighting, load_reviewed, reviewed_file
from app.record.run import RunRecord
from app.record.values import Neighbour, ProposedValue
from app.store import Store
from app.system import paths
from app.system.settings import Settings, save_settings
from extraction.confidence.learned_models import Learned
from extraction.estimators.calibration import Calibration, Sample
from models.base.errors import InputError
from speech.transcript import Transcript
from tests.kit.store import SCHEMA, SCHEMA_BYTES, filled

SIGNATURE = "c" * 64
LAYERS = 5


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "wardlight.db") as opened:
        yield opened


def nothing_known(**changes: object) -> Lighting:
    plain = Lighting(None, None, own=False, alpha=0.2, weight=0.5, threshold=0.9, weighed_by=SIGNATURE)
    return replace(plain, **changes)  # type: ignore[arg-type]


def read(row_id: str, value: object, error: float, **changes: object) -> ProposedValue:
    known = filled(row_id, value)  # type: ignore[arg-type]
    return replace(known, errors=(error,) * LAYERS, **changes)  # type: ignore[arg-type]


def bring(
    store: Store, *proposals: ProposedValue, held_back: tuple[ProposedValue, ...] = (), weighed_by: str = SIGNATURE
) -> int:
    """A filled dictation of which nobody has decided anything."""
    version = store.schemas.save(SCHEMA, SCHEMA_BYTES)
    source = Path(store._recordings.folder).parent / "bed 4.txt"
    source.write_text("Heart rate 110.", encoding="utf-8")
    encounter = store.encounters.open(store.patients.add("Ann Lee").id)
    dictation = store.dictations.add(encounter.id, source, "text", version)
    store.transcripts.save(dictation.id, Transcript("Heart rate 110."))
    store.runs.save(dictation.id, proposals, RunRecord(weighed_by=weighed_by, held_back=held_back))
    return dictation.id


def review(store: Store, dictation_id: int, *, wrong: tuple[str, ...] = (), collect: bool = True) -> None:
    for value in store.values.of(dictation_id):
        store.reviews.decide_all([value.id], "reject" if value.row_id in wrong else "confirm", "Kim", collect=collect)


def no_models() -> Learned:
    raise AssertionError("nothing is to be weighed again")


def samples_of(store: Store) -> list[Sample]:
    found = reviewed_samples(store, SCHEMA, nothing_known(), no_models)
    assert found.samples == found.shown
    return found.samples


def test_what_was_accepted_is_right_and_all_else_that_was_read_is_wrong(store: Store) -> None:
    dictation = bring(
        store,
        read("hr", 110.0, 0.1),
        read("rass", -2.0, 0.6),
        read("note", "calm", 0.3),
        held_back=(read("edema", ("left leg",), 0.8), read("hr", 100.0, 0.9)),
    )
    hr, rass, note = store.values.of(dictation)
    store.reviews.decide(hr.id, "confirm", "Kim", collect=True)
    store.reviews.decide(rass.id, "reject", "Kim", collect=True)
    store.reviews.decide(note.id, "edit", "Kim", value="very calm", collect=True)
    store.reviews.add(dictation, "edema", ("left leg",), None, "Kim", collect=True)
    (sample,) = samples_of(store)
    assert sample.errors[:, 0].tolist() == [0.1, 0.6, 0.3, 0.8, 0.9]
    assert sample.wrong.tolist() == [False, True, True, False, True]
    assert sample.proposed.tolist() == [True, True, True, False, False]


def test_a_value_that_was_confirmed_and_then_gave_way_to_another_was_wrong(store: Store) -> None:
    dictation = bring(store, read("hr", 110.0, 0.4), read("hr", 98.0, 0.2))
    first, second = store.values.of(dictation)
    store.reviews.decide(first.id, "confirm", "Kim", collect=True)
    store.reviews.decide(second.id, "confirm", "Kim", collect=True, replacing=True)
    (sample,) = samples_of(store)
    assert list(zip(sample.errors[:, 0].tolist(), sample.wrong.tolist(), strict=True)) == [(0.4, True), (0.2, False)]


def test_an_accepted_held_back_value_counts_once(store: Store) -> None:
    held_back = read("hr", 110.0, 0.7)
    dictation = bring(store, read("rass", -2.0, 0.1), held_back=(held_back,))
    review(store, dictation)
    store.reviews.take(dictation, held_back, "Kim", collect=True)
    (sample,) = samples_of(store)
    assert list(zip(sample.wrong.tolist(), sample.proposed.tolist(), strict=True)) == [(False, True), (False, False)]


def test_what_a_rule_wrote_counts_as_wrong_as_its_rule_was(store: Store) -> None:
    by_rule = replace(filled("rass", -2.0), rule="stated-outright", confidence=0.75)
    dictation = bring(store, read("hr", 110.0, 0.1), by_rule, filled("note", "calm"))
    review(store, dictation, wrong=("rass",))
    (sample,) = samples_of(store)
    assert sample.errors.tolist() == [[0.1] * LAYERS, [0.25] * LAYERS], "nothing has weighed the note"
    assert sample.wrong.tolist() == [False, True]
    review(store, bring(store, by_rule))
    assert len(samples_of(store)) == 1, "no layer has seen anything of it"


def test_what_does_not_count(store: Store) -> None:
    review(store, bring(store, read("hr", 110.0, 0.1), weighed_by="d" * 64))  # weighed by others
    review(store, bring(store, read("hr", 110.0, 0.1)), collect=False)  # not collected
    bring(store, read("hr", 110.0, 0.1))  # not reviewed
    review(store, bring(store, filled("hr", 110.0)))  # without layers
    follows = read("hr", 110.0, 0.1, neighbour=Neighbour("unit", "Heart rate", 0))
    review(store, bring(store, follows))  # a unit follows its number
    assert samples_of(store) == []
    with pytest.raises(InputError, match="No usable dictation"):
        calibrate(store, SCHEMA, nothing_known(), no_models)


def ward(store: Store, dictations: int, seed: int = 0) -> None:
    """Dictations with four values each, of which the doubtful ones are mostly wrong."""
    rng = np.random.default_rng(seed)
    for _ in range(dictations):
        errors = rng.uniform(0.02, 0.98, 3).round(3).tolist()
        rows = dict(zip(("hr", "rass", "note"), errors, strict=True))
        values = {"hr": 110.0, "rass": -2.0, "note": "calm"}
        dictation = bring(store, *(read(row, values[row], error) for row, error in rows.items()))
        review(store, dictation, wrong=tuple(row for row, error in rows.items() if rng.random() < error**2))


def test_reviews_decide_from_then_on(store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WARDLIGHT_DATA", str(tmp_path / "data"))
    ward(store, 60)
    found = calibrate(store, SCHEMA, nothing_known(), no_models)
    assert (found.dictations, found.values) == (60, 180)
    assert found.file == reviewed_file(SIGNATURE)
    assert not found.drifted
    assert 0 < found.outlook.lit < 1
    known = load_reviewed(SIGNATURE)
    assert known is not None
    assert known.outlook(0.2, 0.5) == found.outlook
    errors = np.array([[0.05] * LAYERS, [0.9] * LAYERS])
    assert known.lit(errors, 0.2, 0.5).tolist() == [False, True]


def test_annotated_dictations_count_in_addition_to_reviews(
    store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("WARDLIGHT_DATA", str(tmp_path / "data"))
    ward(store, 2)
    with pytest.raises(InputError):
        calibrate(store, SCHEMA, nothing_known(), no_models)
    rng = np.random.default_rng(4)
    wrong = rng.random(200) < 0.4
    annotated = Sample(
        np.clip(np.where(wrong, 0.7, 0.3)[:, None] + rng.normal(0, 0.1, (200, LAYERS)), 0, 1),
        wrong,
        np.ones(200, dtype=bool),
        np.arange(200) // 5,
    )
    assert calibrate(store, SCHEMA, nothing_known(annotated=annotated), no_models).dictations == 2


def test_too_few_reviews_say_how_many_more_are_needed(
    store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("WARDLIGHT_DATA", str(tmp_path / "data"))
    ward(store, 20)
    with pytest.raises(InputError, match=r"too few to catch 99% of them: \d+ more are needed, which is about \d+"):
        calibrate(store, SCHEMA, nothing_known(alpha=0.01), no_models)
    assert load_reviewed(SIGNATURE) is None


def test_five_labels_are_no_crash(store: Store) -> None:
    ward(store, 1)
    with pytest.raises(InputError, match="Calibrate again when"):
        calibrate(store, SCHEMA, nothing_known(), no_models)


def test_reviews_that_contradict_the_promise_are_drift() -> None:
    rng = np.random.default_rng(5)
    wrong = rng.random(600) < 0.4
    errors = np.clip(np.where(wrong, 0.7, 0.3)[:, None] + rng.normal(0, 0.1, (600, LAYERS)), 0, 1)
    promised = Calibration.fit(Sample(errors, wrong, np.ones(600, dtype=bool), np.arange(600) // 10))
    chosen = nothing_known(calibration=promised)

    def of_dictation(error: float) -> Sample:
        return Sample(np.full((2, LAYERS), error), np.array([True, False]), np.ones(2, bool), np.zeros(2, np.int64))

    assert not drifted([of_dictation(0.7)] * 30, chosen)
    assert drifted([of_dictation(0.1)] * 30, chosen)  # wrong values that no layer doubts
    assert not drifted([of_dictation(0.1)], chosen)  # one may happen
    assert not drifted([], chosen)


def test_a_damaged_file_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WARDLIGHT_DATA", str(tmp_path))
    file = reviewed_file(SIGNATURE)
    file.parent.mkdir()
    file.write_bytes(b"PK half a file")
    with pytest.raises(InputError, match="is damaged"):
        load_reviewed(SIGNATURE)


def test_the_command_recalibrates_the_lights_of_the_window(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WARDLIGHT_DATA", str(tmp_path / "data"))
    schema_file = tmp_path / "ward.json"
    monkeypatch.setattr("app.cli.measuring.calibrate.schema_of", lambda *_: (SCHEMA, SCHEMA_BYTES))
    save_settings(Settings(schema=str(schema_file), alpha=0.2), paths.config_file())
    assert main(["calibrate"]) != 0
    assert "No usable dictation" in capsys.readouterr().err
    from app.cli.common import open_inference

    models = open_inference(Settings()).models
    weighed_by = lighting(Settings(), SCHEMA, models).weighed_by
    monkeypatch.setattr("tests.unit.app.adaptation.test_recalibration.SIGNATURE", weighed_by)
    monkeypatch.setattr(bring, "__kwdefaults__", {"held_back": (), "weighed_by": weighed_by})
    with Store(paths.database_file()) as store:
        ward(store, 60)
    assert main(["calibrate", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["dictations"], found["values"]) == (60, 180)
    after = lighting(Settings(), SCHEMA, models)
    assert after.decides(weighed_by) is LitBy.OWN
    assert main(["calibrate"]) == 0
    assert "to flag 80% of the wrong ones" in capsys.readouterr().out
