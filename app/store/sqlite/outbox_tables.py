"""The tables of the outbox: messages to a receiver, the observations in them, and what became of each message.

They can only be added to. What an observation says is in a table of its own, piece by piece, each piece with the
dictation whose words it holds: so that these can be removed with a deleted dictation, and the ids stay.
"""

from __future__ import annotations

import uuid
from typing import Any

from app.store.sqlite.append_only import only_added_to

_TABLES = (
    "CREATE TABLE installation (id INTEGER PRIMARY KEY CHECK (id = 1), uuid TEXT NOT NULL)",
    """CREATE TABLE outbox_messages (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        dictation_id INTEGER NOT NULL REFERENCES dictations(id),
        encounter_id INTEGER NOT NULL REFERENCES encounters(id),
        created_at TEXT NOT NULL
    )""",
    "CREATE INDEX outbox_messages_dictation ON outbox_messages(dictation_id)",
    # `source` is what the observation comes from: a value of the store, or the score of a dictation
    """CREATE TABLE outbox_observations (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        message INTEGER NOT NULL REFERENCES outbox_messages(number),
        id TEXT NOT NULL,
        version INTEGER NOT NULL,
        withdrawn INTEGER NOT NULL CHECK (withdrawn IN (0, 1)),
        source TEXT NOT NULL,
        value_id INTEGER,
        dictation_id INTEGER NOT NULL REFERENCES dictations(id),
        UNIQUE (id, version)
    )""",
    *(
        f"CREATE INDEX outbox_observations_{column} ON outbox_observations({column})"
        for column in ("message", "source", "dictation_id")
    ),
    # part 0 is the record, the others are the values that it replaced
    """CREATE TABLE outbox_contents (
        observation INTEGER NOT NULL REFERENCES outbox_observations(number),
        part INTEGER NOT NULL,
        dictation_id INTEGER NOT NULL REFERENCES dictations(id),
        content TEXT NOT NULL,
        PRIMARY KEY (observation, part)
    ) WITHOUT ROWID""",
    "CREATE INDEX outbox_contents_dictation ON outbox_contents(dictation_id)",
    """CREATE TABLE outbox_events (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        message INTEGER NOT NULL REFERENCES outbox_messages(number),
        event TEXT NOT NULL CHECK (event IN (
            'queued', 'sending', 'sent', 'accepted', 'refused', 'failed', 'unknown', 'retried', 'cancelled',
            'abandoned'
        )),
        happened_at TEXT NOT NULL,
        due TEXT,
        reason TEXT NOT NULL,
        reviewer TEXT NOT NULL,
        signer_id INTEGER REFERENCES signers(id)
    )""",
    "CREATE INDEX outbox_events_message ON outbox_events(message)",
    # the messages that are neither accepted, cancelled nor abandoned
    "CREATE TABLE outbox_open (message INTEGER PRIMARY KEY)",
    """CREATE TRIGGER outbox_events_open AFTER INSERT ON outbox_events WHEN NEW.event = 'queued'
        BEGIN INSERT INTO outbox_open VALUES (NEW.message); END""",
    """CREATE TRIGGER outbox_events_close AFTER INSERT ON outbox_events
        WHEN NEW.event IN ('accepted', 'cancelled', 'abandoned')
        BEGIN DELETE FROM outbox_open WHERE message = NEW.message; END""",
    # what counts: the observations of messages that were not cancelled
    """CREATE VIEW told_observations AS
        SELECT * FROM outbox_observations AS told WHERE NOT EXISTS (
            SELECT 1 FROM outbox_events WHERE message = told.message AND event = 'cancelled'
        )""",
)
_OF_DELETED = "EXISTS (SELECT 1 FROM dictations WHERE id = OLD.dictation_id AND deleted_at IS NOT NULL)"
_ONLY_FORGOTTEN = """(NEW.reason = '' AND NEW.number = OLD.number AND NEW.message = OLD.message
    AND NEW.event = OLD.event AND NEW.happened_at = OLD.happened_at AND NEW.due IS OLD.due
    AND NEW.reviewer = OLD.reviewer AND NEW.signer_id IS OLD.signer_id
    AND EXISTS (
        SELECT 1 FROM outbox_observations AS about JOIN dictations ON dictations.id = about.dictation_id
        WHERE about.message = OLD.message AND dictations.deleted_at IS NOT NULL
    ))"""


def create(db: Any) -> None:
    """Creates the tables, and the identity of this installation."""
    for statement in _TABLES:
        db.execute(statement)
    db.execute("INSERT INTO installation VALUES (1, ?)", [str(uuid.uuid4())])
    only_added_to(db, "installation", "outbox_messages", "outbox_observations")
    only_added_to(db, "outbox_contents", verbs=("UPDATE",))
    only_added_to(db, "outbox_contents", verbs=("DELETE",), unless=_OF_DELETED)
    only_added_to(db, "outbox_events", verbs=("DELETE",))
    only_added_to(db, "outbox_events", verbs=("UPDATE",), unless=_ONLY_FORGOTTEN)
