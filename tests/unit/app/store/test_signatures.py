"""What is signed keeps the text of the signature, and whose it is."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from app.record.run import NO_RUN
from app.store import Store
from app.store.transactions.signatures import signer_named
from tests.kit.store import TRANSCRIPT, filled, recorded

SIGNED = ("review_steps", "filings", "identity_answers", "dictation_events", "dictation_times", "patient_events")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "wardlight.db") as opened:
        yield opened


def sign_everything(store: Store, folder: Path, reviewer: str) -> None:
    dictation = recorded(store, folder)
    patient = store.patients.one(store.encounters.one(dictation.encounter_id).patient_id)
    store.transcripts.save(dictation.id, TRANSCRIPT)
    store.runs.save(dictation.id, [filled("hr", 110.0, "/min")], NO_RUN)
    store.identity_answers.confirm(dictation.id, patient.id, (), reviewer)
    store.dictations.change_time(dictation.id, store.now() - timedelta(hours=1), reviewer)
    store.dictations.rename(dictation.id, "Morning", reviewer)
    store.reviews.decide(store.values.of(dictation.id)[0].id, "confirm", reviewer)
    store.filings.file(dictation.id, reviewer, [])
    store.patients.discharge(patient.id, reviewer)


def signers_in(store: Store, table: str, reviewer: str) -> set[int | None]:
    with store._database.read() as db:
        return {row["signer_id"] for row in db[table].rows_where("reviewer = ?", [reviewer])}


@pytest.mark.parametrize("table", SIGNED)
def test_the_signer_stands_beside_the_signature(store: Store, tmp_path: Path, table: str) -> None:
    vera, tom = store.signers.add("Vera Lind", "RN"), store.signers.add("Tom Ode")
    vera = store.signers.rename(vera.id, "Vera Holm", "RN")
    for reviewer, signer_id in (
        (vera.signature, vera.id),
        ("Vera Lind, RN", vera.id),
        ("Tom Ode", tom.id),
        ("R. Nurse", None),
    ):
        sign_everything(store, tmp_path, reviewer)
        assert signers_in(store, table, reviewer) == {signer_id}


def test_nobody_signs_a_purge(store: Store, tmp_path: Path) -> None:
    store.signers.add("Vera Lind")
    dictation = recorded(store, tmp_path)
    store.dictations.delete(dictation.id, "Vera Lind", "Duplicate")
    store.dictations.purge_deleted(store.now() + timedelta(days=1))
    assert signers_in(store, "dictation_events", "") == {None}


def test_a_signature_reads_what_happened_to_signers_only_if_nobody_has_that_name_now(store: Store) -> None:
    signer = store.signers.add("Anna Novak", "RN")
    store.signers.rename(signer.id, "Anna Lee", "RN")
    read: list[str] = []
    with store._database.read() as db:
        db.conn.set_trace_callback(read.append)
        assert signer_named(db, "anna lee, RN") == signer.id
        assert not [query for query in read if "signer_events" in query]
        assert signer_named(db, "Anna Novak") == signer.id
        assert [query for query in read if "signer_events" in query]
        assert signer_named(db, "Otto Brindle") is None
        db.conn.set_trace_callback(None)
