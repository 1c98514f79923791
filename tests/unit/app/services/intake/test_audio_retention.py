"""How long sound is kept, and that nothing else goes with it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.chart.records import Dictation
from app.record.run import NO_RUN
from app.services.intake.audio_retention import delete_expired
from app.store import Store
from app.system.settings import Settings
from models.base.errors import ResourceError
from tests.kit.store import TRANSCRIPT, filled, recorded

NOW = datetime.now(UTC)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "wardlight.db") as store:
        yield store


def dictation(store: Store, folder: Path, *, decide: bool = False, values: bool = True) -> Dictation:
    new = recorded(store, folder)
    store.transcripts.save(new.id, TRANSCRIPT)
    store.runs.save(new.id, [filled("hr", 110.0)] if values else [], NO_RUN)
    if decide:
        store.reviews.decide_all([value.id for value in store.values.of(new.id)], "confirm", "Kim")
    return store.dictations.one(new.id)


def test_kept_until_filed(store: Store, tmp_path: Path) -> None:
    waits, done, reviewed, empty = (
        dictation(store, tmp_path),
        dictation(store, tmp_path, decide=True),
        dictation(store, tmp_path, decide=True),
        dictation(store, tmp_path, values=False),
    )
    store.filings.file(done.id, "Kim", [])
    assert delete_expired(store, Settings(), NOW, shown=done.id) == []
    assert delete_expired(store, Settings(), NOW) == [done.id]
    assert not done.path.exists()
    assert waits.path.exists()
    assert reviewed.path.exists(), "it is not signed yet"
    assert empty.path.exists()  # nobody has looked at it
    assert delete_expired(store, Settings(), NOW) == []


def test_a_reopened_dictation_keeps_its_sound(store: Store, tmp_path: Path) -> None:
    done = dictation(store, tmp_path, decide=True)
    store.filings.file(done.id, "Kim", [])
    store.filings.reopen(done.id, "Kim")
    assert delete_expired(store, Settings(), NOW) == []
    assert done.path.exists()


def test_transcript_values_and_reviews_stay(store: Store, tmp_path: Path) -> None:
    done = dictation(store, tmp_path, decide=True)
    store.filings.file(done.id, "Kim", [])
    before = (store.transcripts.of(done.id), store.values.of(done.id), store.dictations.one(done.id))
    assert delete_expired(store, Settings(), NOW) == [done.id]
    assert (store.transcripts.of(done.id), store.values.of(done.id), store.dictations.one(done.id)) == before


@pytest.mark.parametrize("keep", ["never", "review", "days"])
def test_what_is_not_filled_keeps_its_sound(store: Store, tmp_path: Path, keep: str) -> None:
    fresh, heard, failed = (recorded(store, tmp_path) for _ in range(3))
    store.transcripts.save(heard.id, TRANSCRIPT)
    store.dictations.fail(failed.id, "the worker died")
    assert delete_expired(store, Settings(keep_audio=keep), NOW + timedelta(days=9999)) == []
    assert fresh.path.exists()


def test_never_kept(store: Store, tmp_path: Path) -> None:
    waits = dictation(store, tmp_path)
    assert delete_expired(store, Settings(keep_audio="never"), NOW, shown=waits.id) == [waits.id]


def test_kept_for_days(store: Store, tmp_path: Path) -> None:
    done = dictation(store, tmp_path, decide=True)
    settings, made = Settings(keep_audio="days", keep_audio_days=3), datetime.fromisoformat(done.created_at)
    assert delete_expired(store, settings, made + timedelta(days=2, hours=23)) == []
    assert delete_expired(store, settings, made + timedelta(days=3, minutes=1)) == [done.id]


def test_a_text_is_no_sound(store: Store, tmp_path: Path) -> None:
    source = tmp_path / "a.txt"
    source.write_text("Pulse 110.")
    first = recorded(store, tmp_path)
    text = store.dictations.add(first.encounter_id, source, "text", first.schema_version_id)
    store.runs.save(text.id, [], NO_RUN)
    assert delete_expired(store, Settings(keep_audio="never"), NOW) == []
    assert text.path.exists()


def test_audio_that_cannot_be_deleted_is_reported(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = dictation(store, tmp_path, decide=True)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.raises(ResourceError, match=r"cannot be removed: Permission denied.*next start"):
        store.dictations.remove_audio(done.id)
