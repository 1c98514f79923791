"""Crashes, full disks, strangers' files and second instances: a clear error, and nothing lost."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from app.record.errors import StorageError
from app.record.run import NO_RUN, RunRecord
from app.store import Store
from app.store.sqlite import migrations as store_migrations
from app.store.sqlite.append_only import only_added_to
from models.base.errors import InputError, ResourceError
from tests.kit.patience import PATIENCE_SECONDS
from tests.kit.store import TRANSCRIPT, filled, recorded

ROOT = Path(__file__).parents[4]


def files_below(folder: Path) -> set[str]:
    return {path.name for path in folder.rglob("*") if path.is_file()}


def test_a_second_instance_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "wardlight.db"
    with Store(path) as first:
        with pytest.raises(StorageError, match="already running"):
            Store(path)
        code = "import sys; from pathlib import Path; from app.store import Store; Store(Path(sys.argv[1]))"
        other = subprocess.run(
            [sys.executable, "-c", code, path], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_SECONDS
        )
        assert "StorageError" in other.stderr
        first.patients.add("Ann")
    with Store(path) as second:
        assert len(second.patients.all()) == 1


WRITER = """
import json, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from app.record.run import NO_RUN
from app.store import Store
from tests.kit.store import TRANSCRIPT, filled, recorded
folder = Path(sys.argv[1])
store = Store(folder / "wardlight.db")
while True:
    dictation = recorded(store, folder)
    store.runs.save(dictation.id, [filled("hr", 110.0)], NO_RUN)
    value = store.reviews.decide(store.values.of(dictation.id)[0].id, "edit", "Kim", value=float(dictation.id))
    print(json.dumps([dictation.id, value.id]), flush=True)
"""


def test_what_was_announced_survives_kill_9(tmp_path: Path) -> None:
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, tmp_path, ROOT],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    with writer:
        assert writer.stdout is not None
        lines = [writer.stdout.readline() for _ in range(12)]
        os.kill(writer.pid, signal.SIGKILL) if os.name == "posix" else writer.kill()
        lines += writer.stdout.read().splitlines(keepends=True)
    announced = [json.loads(line) for line in lines if line.endswith("\n")]
    assert len(announced) >= 12
    with Store(tmp_path / "wardlight.db") as store:
        for dictation_id, value_id in announced:
            dictation = store.dictations.one(dictation_id)
            assert dictation.status == "filled"
            (value,) = store.values.of(dictation_id)
            assert (value.id, value.status, value.value) == (value_id, "edited", float(dictation_id))
        kept = {dictation.path.name for dictation in store.dictations.all()}
        assert all(dictation.path.read_bytes() for dictation in store.dictations.all())
    assert files_below(tmp_path / "recordings") == kept


def test_leftovers_of_a_crash_are_settled_when_opening(tmp_path: Path) -> None:
    path, folder = tmp_path / "wardlight.db", tmp_path / "recordings"
    with Store(path) as store:
        kept = recorded(store, tmp_path).path
    kept.with_name(f"{kept.name}.pending").touch()  # killed between commit and the end of the copying
    (folder / "half.wav").write_bytes(b"half")  # killed while copying
    (folder / "half.wav.pending").touch()
    (folder / "unknown.wav").write_bytes(b"of a newer database, say")
    with Store(path):
        assert files_below(folder) == {kept.name, "unknown.wav"}


def test_a_full_disk_keeps_the_database_whole(tmp_path: Path) -> None:
    path = tmp_path / "wardlight.db"
    with Store(path) as store:
        dictation = recorded(store, tmp_path)
        store.runs.save(dictation.id, [filled("hr", 1.0)], RunRecord(candidates=1))
        store.reviews.decide(store.values.of(dictation.id)[0].id, "confirm", "Kim")
        before = store.values.of(dictation.id)
        with store._database.write() as db:
            (pages,) = db.execute("PRAGMA page_count").fetchone()
        db.execute(f"PRAGMA max_page_count={pages + 1}").fetchall()
        with pytest.raises(ResourceError, match="no space left") as caught:
            store.runs.save(dictation.id, [filled("note", "x" * 999) for _ in range(50)], RunRecord(candidates=2))
        assert caught.value.retryable
        assert store.values.of(dictation.id) == before
        db.execute("PRAGMA max_page_count=1000000").fetchall()
        store.runs.save(dictation.id, [filled("note", "later")], RunRecord(candidates=3))
    with Store(path) as store:
        assert [item.row_id for item in store.values.of(dictation.id)] == ["hr", "note"]


def test_a_disk_that_fills_while_copying_leaves_no_half_recording(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(tmp_path / "wardlight.db") as store:
        kept = recorded(store, tmp_path)

        def full(_: int) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            with pytest.raises(ResourceError, match="The original is untouched"):
                recorded(store, tmp_path, b"the original", "second.wav")
        assert (tmp_path / "second.wav").read_bytes() == b"the original"
        assert [item.id for item in store.dictations.all()] == [kept.id]
        assert files_below(tmp_path / "recordings") == {kept.path.name}


def test_a_database_that_fills_while_adding_leaves_no_copy(tmp_path: Path) -> None:
    with Store(tmp_path / "wardlight.db") as store:
        kept = recorded(store, tmp_path)
        with store._database.read() as db:
            db.execute("CREATE TRIGGER full BEFORE INSERT ON dictations BEGIN SELECT RAISE(ABORT, 'full'); END")
        with pytest.raises(sqlite3.IntegrityError, match="full"):
            store.dictations.add(kept.encounter_id, kept.path, "audio", kept.schema_version_id)
        assert files_below(tmp_path / "recordings") == {kept.path.name}


def test_a_source_that_cannot_be_read_is_the_users_to_mend(tmp_path: Path) -> None:
    with Store(tmp_path / "wardlight.db") as store:
        dictation = recorded(store, tmp_path)
        for source in (tmp_path / "gone.wav", tmp_path):
            with pytest.raises(InputError, match="There is no file"):
                store.dictations.add(dictation.encounter_id, source, "audio", dictation.schema_version_id)
        assert files_below(tmp_path / "recordings") == {dictation.path.name}


def test_names_that_are_not_text_are_kept_readable(tmp_path: Path) -> None:
    with Store(tmp_path / "wardlight.db") as store:
        name = "Bed \udcff 4.wav" if sys.platform == "linux" else "Bed ü 4.wav"
        dictation = recorded(store, tmp_path, name=name)
        assert dictation.original_name.startswith("Bed ")
        assert dictation.path.suffix == ".wav"
        assert store.patients.add("\udcff").name == "?"


@pytest.mark.parametrize("content", [b"no database at all " * 100, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "wardlight.db"
    path.write_bytes(content)
    for _ in range(2):  # and the lock is free again
        with pytest.raises(StorageError, match="damaged or is not a database"):
            Store(path)
    assert path.read_bytes() == content


def test_a_damaged_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "wardlight.db"
    with Store(path) as store:
        dictation = recorded(store, tmp_path)
        store.runs.save(dictation.id, [filled("note", "x" * 500) for _ in range(100)], NO_RUN)
    data = bytearray(path.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 8192] = b"\xa5" * 8192
    path.write_bytes(data)
    with pytest.raises(StorageError, match="damaged"):
        Store(path)
    assert path.read_bytes() == data


def test_a_newer_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "wardlight.db"
    Store(path).close()
    connection = sqlite3.connect(path)
    connection.execute("INSERT INTO _sqlite_migrations VALUES (99, 'wardlight', 'm0099_future', '2030-01-01')")
    connection.commit()
    connection.close()
    content = path.read_bytes()
    with pytest.raises(StorageError, match=r"newer version of Wardlight \(m0099_future\)"):
        Store(path)
    assert path.read_bytes() == content


def test_a_database_of_another_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "wardlight.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE bookmarks (url TEXT)")
    connection.close()
    content = path.read_bytes()
    with pytest.raises(StorageError, match="another program"):
        Store(path)
    assert path.read_bytes() == content


def test_a_migration_is_applied_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "wardlight.db"
    with Store(path) as store:
        store.patients.add("Ann")

    def m0002_wards(db: object) -> None:
        db.execute("ALTER TABLE patients ADD COLUMN ward TEXT NOT NULL DEFAULT 'A'")  # type: ignore[attr-defined]
        if failing:
            raise RuntimeError("stopped in the middle")

    failing = True
    migrations = store_migrations.Migrations("wardlight")
    steps = (*store_migrations.STEPS, m0002_wards)
    for step in steps:
        migrations()(step)
    monkeypatch.setattr("app.store.sqlite.database.MIGRATIONS", migrations)
    monkeypatch.setattr("app.store.sqlite.database.STEPS", steps)
    with pytest.raises(RuntimeError, match="in the middle"):
        Store(path)
    connection = sqlite3.connect(path)
    assert "ward" not in [row[1] for row in connection.execute("PRAGMA table_info(patients)")]
    connection.close()
    failing = False
    with Store(path) as store:
        assert [patient.name for patient in store.patients.all()] == ["Ann"]
        with store._database.read() as db:
            assert db.execute("SELECT ward FROM patients").fetchall() == [("A",)]


def test_a_crash_between_the_files_removal_and_the_commit_is_made_good_by_the_next_purge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = datetime.now(UTC) + timedelta(days=1)
    with Store(tmp_path / "wardlight.db") as store:
        dictation = recorded(store, tmp_path)
        store.transcripts.save(dictation.id, TRANSCRIPT)
        store.dictations.delete(dictation.id, "Kim", "Duplicate")

        def crash(*_: object) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr("app.store.transactions.dictation_changes.purge", crash)
            with pytest.raises(KeyboardInterrupt):
                store.dictations.purge_deleted(later)
        assert not dictation.path.exists()
    with Store(tmp_path / "wardlight.db") as store:
        assert [one.id for one in store.dictations.deleted()] == [dictation.id]
        assert store.dictations.purge_deleted(later) == [dictation.id]
        assert [event.action for event in store.dictations.events(dictation.id)] == ["delete", "purge"]


@pytest.mark.parametrize("table", ["dictation_events", "review_steps", "reviews"])
def test_a_move_that_cannot_be_written_down_changes_nothing(tmp_path: Path, table: str) -> None:
    with Store(tmp_path / "wardlight.db") as store:
        dictation = recorded(store, tmp_path)
        store.runs.save(dictation.id, [filled("hr", 1.0)], RunRecord(candidates=1))
        store.reviews.decide(store.values.of(dictation.id)[0].id, "confirm", "Kim")
        other = store.patients.add("Bo", "5")
        before = (store.dictations.one(dictation.id), store.values.of(dictation.id))
        with store._database.read() as db:
            db.execute(f"CREATE TRIGGER full BEFORE INSERT ON {table} BEGIN SELECT RAISE(ABORT, 'full'); END")
        for change in (
            lambda: store.dictations.move(dictation.id, other.id, "Lee", ""),
            *(
                [lambda: store.dictations.delete(dictation.id, "Lee", "Duplicate")]
                if table == "dictation_events"
                else []
            ),
        ):
            with pytest.raises(sqlite3.IntegrityError, match="full"):
                change()
        assert (store.dictations.one(dictation.id), store.values.of(dictation.id)) == before
        assert store.dictations.events(dictation.id) == []


def test_a_deleted_file_that_cannot_be_removed_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    later = datetime.now(UTC) + timedelta(days=1)
    with Store(tmp_path / "wardlight.db") as store:
        dictation = recorded(store, tmp_path)
        store.dictations.delete(dictation.id, "Kim", "Duplicate")

        def refuse(*_: object, **__: object) -> None:
            raise PermissionError(13, "Permission denied")

        with monkeypatch.context() as patch:
            patch.setattr(Path, "unlink", refuse)
            with pytest.raises(ResourceError, match="cannot be removed"):
                store.dictations.purge_deleted(later)
        assert store.dictations.purge_deleted(later) == [dictation.id]
        assert not dictation.path.exists()


def test_a_database_of_a_former_version_keeps_every_value(tmp_path: Path) -> None:
    path = tmp_path / "wardlight.db"
    with Store(path) as store:
        dictation = recorded(store, tmp_path)
        store.transcripts.save(dictation.id, TRANSCRIPT)
        store.runs.save(dictation.id, [filled(f"row {number}", float(number)) for number in range(4)], NO_RUN)
        confirmed, edited, undone, _ = (item.id for item in store.values.of(dictation.id))
        store.reviews.decide(confirmed, "confirm", "Kim")
        store.reviews.decide(edited, "edit", "Kim", value=9.0)
        store.reviews.add(dictation.id, "note", "by hand", None, "Kim")
        store.reviews.decide(undone, "reject", "Kim")
        store.reviews.undo(dictation.id, "Kim")
        store.reviews.add(dictation.id, "other note", "by hand and undone", None, "Kim")
        store.reviews.undo(dictation.id, "Kim")
        before = store.values.of(dictation.id)
    _back_to(path, store_migrations.m0002_collected)
    with Store(path) as store:
        assert store.values.of(dictation.id) == before
        taken = store.reviews.take(dictation.id, filled("hr", 110.0), "Kim")
        assert store.values.of(dictation.id) == [*before, taken]
    with Store(path) as store:
        store.reviews.undo(dictation.id, "Kim")
        assert store.values.of(dictation.id) == before


def _back_to(path: Path, last: Callable[[Any], None]) -> None:
    """Makes the database as it was after a step: later steps only added columns, tables, views and triggers."""
    later = [step.__name__ for step in store_migrations.STEPS[store_migrations.STEPS.index(last) + 1 :]]
    database = sqlite3.connect(path)
    for name in (
        "told_observations",
        "standing_filings",
        "standing_replacements",
        "current_values",
        "standing_steps",
    ):
        database.execute(f"DROP VIEW {name}")
    for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        database.execute(f"DROP TRIGGER {name}")
    added = (
        "gap_dismissals",
        "handover_entries",
        "question_words",
        "question_values",
        "questions",
        "outbox_open",
        "outbox_events",
        "outbox_contents",
        "outbox_observations",
        "outbox_messages",
        "installation",
        "filings",
        "replacements",
        "dictation_events",
        "identity_answers",
        "patient_events",
        "dictation_times",
        "signer_events",
        "signers",
        "runs",
        "schema_rows",
        "charted_values",
        "dictation_counts",
        "stale_dictations",
    )
    database.execute("UPDATE dictations SET run = coalesce((SELECT record FROM runs WHERE dictation_id = id), '{}')")
    for name in added:
        database.execute(f"DROP TABLE {name}")
    for name in ("patients_mrn_key", "patients_bed_key", "dictations_sha256", "review_steps_encounter"):
        database.execute(f"DROP INDEX {name}")
    for name in (
        "reviews.observed_at",
        "reviews.confirmed_outside",
        "row_values.encounter_id",
        "row_values.quote",
        "review_steps.encounter_id",
        "review_steps.signer_id",
        "dictations.title",
        "dictations.time_source",
        "patients.birth_date",
        "patients.temporary",
        "patients.discharged_at",
        "patients.mrn_key",
        "patients.bed_key",
    ):
        database.execute("ALTER TABLE {} DROP COLUMN {}".format(*name.split(".")))
    for column in ("deleted_at", "purged_at"):
        database.execute(f"ALTER TABLE dictations DROP COLUMN {column}")
    for statement in store_migrations._INITIAL:
        if "CREATE VIEW" in statement:
            database.execute(statement)
    only_added_to(database, *store_migrations._APPEND_ONLY)
    database.executemany("DELETE FROM _sqlite_migrations WHERE name = ?", [(name,) for name in later])
    database.commit()
    assert database.execute("SELECT count(*) FROM _sqlite_migrations").fetchone() == (2,)
    database.close()


def test_another_programs_lock_is_reported_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "wardlight.db"
    with Store(path) as store:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StorageError, match="Another program is using"):
            store.patients.add("Ann")
        other.execute("ROLLBACK")
        other.close()
        assert store.patients.add("Ann").name == "Ann"


def test_a_folder_that_cannot_be_made_is_a_resource_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(ResourceError, match="data folder"):
        Store(tmp_path / "file" / "wardlight.db")
    (tmp_path / "wardlight.db").mkdir()
    with pytest.raises(ResourceError, match="cannot be read or written"):
        Store(tmp_path / "wardlight.db")


@pytest.mark.skipif(os.name != "posix", reason="the permissions of POSIX")
def test_patients_data_are_for_their_user_alone(tmp_path: Path) -> None:
    with Store(tmp_path / "data" / "wardlight.db") as store:
        recording = recorded(store, tmp_path).path
        paths = (tmp_path / "data", tmp_path / "data" / "wardlight.db", recording.parent, recording)
        assert [path.stat().st_mode & 0o077 for path in paths] == [0, 0, 0, 0]


def test_the_folder_can_be_moved(tmp_path: Path) -> None:
    with Store(tmp_path / "old" / "wardlight.db") as store:
        dictation = recorded(store, tmp_path)
    shutil.move(tmp_path / "old", tmp_path / "new")
    with Store(tmp_path / "new" / "wardlight.db") as store:
        assert store.dictations.one(dictation.id).path.read_bytes() == b"RIFF of a recording"
