"""Whatever people decide, undo, move, delete and file: what is derived equals the record."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.chart.records import ReviewStatus
from app.record.run import NO_RUN
from app.store import Store
from models.base.errors import InputError
from tests.kit.derived_chart import derived, stored
from tests.kit.store import SCHEMA, SCHEMA_BYTES, TRANSCRIPT, filled

_AT = datetime(2026, 10, 25, 0, 15, tzinfo=UTC)  # an hour that occurs twice where summer time ends
_ROWS = ("hr", "rass", "note")
_ACTIONS = (
    *("confirm", "confirm", "replace", "replace", "all", "edit", "observed", "reject", "reopen", "add", "take"),
    *("undo", "undo", "run", "move", "delete", "restore", "purge", "file", "unfile", "time", "leave", "return"),
)
steps = st.lists(st.tuples(st.sampled_from(_ACTIONS), st.integers(0, 2), st.integers(0, 5)), max_size=25)


@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(steps)
def test_what_stands_charted_always_equals_the_record(
    tmp_path_factory: pytest.TempPathFactory, sequence: list[tuple[str, int, int]]
) -> None:
    folder = tmp_path_factory.mktemp("store")
    path = folder / "wardlight.db"
    with Store(path) as store:
        dictations = _dictations(store, folder)
        for action, which, choice in sequence:
            with suppress(InputError):  # not everything can be done at any time
                _act(store, dictations[which], action, choice)
            assert stored(path) == derived(path), (action, which, choice)
        assert store.values.derive_again() == 0


def _dictations(store: Store, folder: Path) -> list[int]:
    """Three dictations about one patient in the same minute; another patient is on the ward."""
    source = folder / "said.wav"
    source.write_bytes(b"RIFF of a recording")
    version = store.schemas.save(SCHEMA, SCHEMA_BYTES)
    encounter = store.encounters.open(store.patients.add("Ann Lee", "4").id)
    store.patients.add("Bo Dahl", "5")
    found = []
    for number in range(3):
        found.append(store.dictations.add(encounter.id, source, "audio", version, _AT).id)
        store.transcripts.save(found[-1], TRANSCRIPT)
        store.runs.save(found[-1], [filled(row, float(number)) for row in _ROWS], NO_RUN)
    return found


def _act(store: Store, number: int, action: str, choice: int) -> None:
    if action == "restore":
        store.dictations.restore(number, "Kim")
        return
    if action == "purge":
        store.dictations.purge_deleted(datetime.now(UTC) + timedelta(days=1))
        return
    dictation = store.dictations.one(number)
    here = store.encounters.one(dictation.encounter_id).patient_id
    values = store.values.of(number)
    ids = [value.id for value in values]
    match action:
        case "all":
            store.reviews.decide_all(ids[choice:], "confirm", "Kim")
        case "add":
            store.reviews.add(number, "note", f"by hand {choice}", None, "Kim")
        case "take":
            store.reviews.take(number, filled("edema", ("left leg",) * (1 + choice % 2)), "Kim")
        case "undo":
            store.reviews.undo(number, "Kim")
        case "run":
            store.runs.save(number, [filled(row, float(choice)) for row in _ROWS], NO_RUN)
        case "move":
            store.dictations.move(number, 3 - here, "Kim", "")
        case "delete":
            store.dictations.delete(number, "Kim", "Duplicate")
        case "file":
            left = [value.id for value in values if value.status is ReviewStatus.PROPOSED]
            store.reviews.decide_all(left, "reject", "Lee")
            store.filings.file(number, "Lee", [])
        case "unfile":
            store.filings.reopen(number, "Lee")
        case "time":
            store.dictations.change_time(number, _AT + timedelta(minutes=choice * 30), "Kim")
        case "leave":
            store.patients.discharge(here, "Kim", anyway=True)
        case "return":
            store.patients.readmit(here, "", "Kim")
        case "replace" | "edit" | "observed" | _ if ids:
            chosen, edits = ids[choice % len(ids)], action in ("edit", "observed")
            store.reviews.decide(
                chosen,
                "confirm" if action == "replace" else "edit" if edits else action,  # type: ignore[arg-type]
                "Kim",
                value=float(choice) if edits else None,
                **({"observed_at": f"2026-10-25T0{choice % 3 + 1}:15"} if action == "observed" else {}),  # type: ignore[arg-type]
                replacing=action == "replace",
            )
