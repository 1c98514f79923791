"""A database that an earlier release wrote opens, and shows what that release showed."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from app.store import Store
from tests.kit.outbox import file

# Written by the last release without versions in its JSON: a filed dictation with every kind of decision, open and
# early proposals, a moved, a deleted and a failed one. Beside it is what that release read of it.
FOLDER = Path(__file__).parents[3] / "data" / "databases"


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    path = tmp_path / "wardlight.db"
    connection = sqlite3.connect(path)
    connection.executescript((FOLDER / "march_2026.sql").read_text(encoding="utf-8"))
    connection.close()
    return path


def shown(store: Store) -> dict[str, Any]:
    found = {}
    for one in store.dictations.all():
        answer, filing = store.identity_answers.of(one.id), store.filings.of(one.id)
        found[str(one.id)] = {
            "name": one.name,
            "status": one.status,
            "error": one.error,
            "created_at": one.created_at,
            "values": [asdict(value) for value in store.values.of(one.id)],
            "run": asdict(store.runs.of(one.id)),
            "filing": asdict(filing) if filing else None,
            "identity_answer": (sorted(answer.called), answer.reviewer) if answer else None,
            "can_undo": store.reviews.can_undo(one.id),
        }
    return found


def test_what_it_shows_is_the_same(earlier: Path) -> None:
    for _ in range(2):  # as it is migrated, and opened once more
        with Store(earlier) as store:
            read = json.loads(json.dumps(shown(store)))
        # as texts, since a number of one run is NaN
        assert json.dumps(read, sort_keys=True) == json.dumps(
            json.loads((FOLDER / "march_2026.json").read_text(encoding="utf-8")), sort_keys=True
        )


def test_work_in_it_goes_on(earlier: Path) -> None:
    with Store(earlier) as store:
        pulse, sedation = store.values.of(2)
        store.reviews.decide(sedation.id, "edit", "Vera Lind, RN", -1.0)
        store.reviews.decide(pulse.id, "confirm", "Vera Lind, RN", replacing=True)
        store.filings.file(2, "Vera Lind, RN", [])
        store.reviews.take(6, store.runs.of(2).held_back[0], "Tom Ode, LPN")
        assert store.filings.filed() == {2}, "a value of the other one was replaced"
        store.reviews.undo(1, "Tom Ode, LPN")
        assert [(one.id, one.name) for one in store.dictations.deleted()] == [(4, "gone.WAV")]
        assert store.dictations.restore(4, "Tom Ode, LPN").status == "filled"


def test_a_database_without_an_outbox_gets_one_and_what_was_filed_before_is_told_once_filed_again(
    tmp_path: Path,
) -> None:
    path = tmp_path / "wardlight.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((FOLDER / "m0018_charted_values.sql").read_text(encoding="utf-8"))
    with Store(path) as store:
        installation = store.outbox.installation
        assert store.outbox.newest(9) == []
        assert store.filings.filed() == {2}
        store.filings.reopen(2, "Kim")
        (queued,) = file(store, 2)
        assert [(one.entry.source, one.state) for one in store.outbox.observations(queued.number)] == [
            ("value 3", "final"),
            ("value 4", "final"),
        ]
    with Store(path) as store:
        assert store.outbox.installation == installation
        assert [one.id for one in store.outbox.open()] == [queued.id]
