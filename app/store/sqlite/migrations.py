"""The tables, as numbered steps. Never change a released step; add a new one at the end."""

from __future__ import annotations

from typing import Any

from sqlite_utils.migrations import Migrations

from app.store.sqlite import derived, handover_tables, outbox_tables, question_tables
from app.store.sqlite.append_only import only_added_to

_INITIAL = (
    """CREATE TABLE patients (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL,
        bed TEXT NOT NULL,
        mrn TEXT NOT NULL,
        created_at TEXT NOT NULL
    )""",
    """CREATE TABLE encounters (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        patient_id INTEGER NOT NULL REFERENCES patients(id),
        started_at TEXT NOT NULL,
        ended_at TEXT
    )""",
    "CREATE INDEX encounters_patient ON encounters(patient_id)",
    """CREATE TABLE schema_versions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        schema_id TEXT NOT NULL,
        name TEXT NOT NULL,
        version TEXT NOT NULL,
        sha256 TEXT NOT NULL UNIQUE,
        bytes BLOB NOT NULL,
        created_at TEXT NOT NULL
    )""",
    """CREATE TABLE dictations (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        encounter_id INTEGER NOT NULL REFERENCES encounters(id),
        schema_version_id INTEGER NOT NULL REFERENCES schema_versions(id),
        kind TEXT NOT NULL CHECK (kind IN ('audio', 'text')),
        file TEXT NOT NULL UNIQUE,
        original_name TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        size INTEGER NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('recorded', 'transcribed', 'filled', 'failed')),
        error TEXT NOT NULL,
        run TEXT NOT NULL,
        created_at TEXT NOT NULL
    )""",
    "CREATE INDEX dictations_encounter ON dictations(encounter_id)",
    """CREATE TABLE transcripts (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        dictation_id INTEGER NOT NULL REFERENCES dictations(id),
        content TEXT NOT NULL,
        created_at TEXT NOT NULL
    )""",
    "CREATE INDEX transcripts_dictation ON transcripts(dictation_id)",
    # `filled` is NULL for a value that was added by hand; `superseded` is 1 once a later run has replaced a proposal
    """CREATE TABLE row_values (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        dictation_id INTEGER NOT NULL REFERENCES dictations(id),
        transcript_id INTEGER REFERENCES transcripts(id),
        row_id TEXT NOT NULL,
        filled TEXT,
        superseded INTEGER NOT NULL DEFAULT 0 CHECK (superseded IN (0, 1)),
        created_at TEXT NOT NULL
    )""",
    "CREATE INDEX row_values_dictation ON row_values(dictation_id)",
    """CREATE TABLE review_steps (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        dictation_id INTEGER NOT NULL REFERENCES dictations(id),
        undoes INTEGER UNIQUE REFERENCES review_steps(id),
        reviewer TEXT NOT NULL,
        reviewed_at TEXT NOT NULL
    )""",
    "CREATE INDEX review_steps_dictation ON review_steps(dictation_id)",
    # each review holds the complete state of the value after it, so that only the last one not undone matters
    """CREATE TABLE reviews (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        step_id INTEGER NOT NULL REFERENCES review_steps(id),
        value_id INTEGER NOT NULL REFERENCES row_values(id),
        action TEXT NOT NULL CHECK (action IN ('add', 'confirm', 'edit', 'reject', 'reopen')),
        status TEXT NOT NULL CHECK (status IN ('proposed', 'confirmed', 'edited', 'rejected', 'added')),
        value TEXT NOT NULL,
        unit TEXT
    )""",
    "CREATE INDEX reviews_value ON reviews(value_id)",
    "CREATE INDEX reviews_step ON reviews(step_id)",
    """CREATE VIEW standing_steps AS
        SELECT * FROM review_steps AS step
        WHERE undoes IS NULL AND NOT EXISTS (SELECT 1 FROM review_steps WHERE undoes = step.id)""",
    """CREATE VIEW current_values AS
        SELECT v.id, v.dictation_id, v.transcript_id, v.row_id, v.filled, r.status, r.value, r.unit,
            s.reviewer, s.reviewed_at
        FROM row_values v
        LEFT JOIN reviews r ON r.id = (
            SELECT max(reviews.id) FROM reviews
            JOIN standing_steps ON standing_steps.id = reviews.step_id
            WHERE reviews.value_id = v.id
        )
        LEFT JOIN review_steps s ON s.id = r.step_id
        WHERE v.superseded = 0 AND (v.filled IS NOT NULL OR r.id IS NOT NULL)""",
)
_APPEND_ONLY = ("schema_versions", "transcripts", "review_steps", "reviews")


def m0001_initial(db: Any) -> None:
    for statement in _INITIAL:
        db.execute(statement)
    only_added_to(db, *_APPEND_ONLY)


def m0002_collected(db: Any) -> None:
    """Adds `collected`: whether examples were collected when a step was made; 0 for earlier steps."""
    db.execute("ALTER TABLE review_steps ADD COLUMN collected INTEGER NOT NULL DEFAULT 0 CHECK (collected IN (0, 1))")


def m0003_taken(db: Any) -> None:
    """Shows a value that a person added by hand, or took from those held back, only while a review of it is not undone.

    Proposals of a run need no review to be shown.
    """
    db.execute("DROP VIEW current_values")
    db.execute(
        """CREATE VIEW current_values AS
            SELECT v.id, v.dictation_id, v.transcript_id, v.row_id, v.filled, r.status, r.value, r.unit,
                s.reviewer, s.reviewed_at
            FROM row_values v
            LEFT JOIN reviews r ON r.id = (
                SELECT max(reviews.id) FROM reviews
                JOIN standing_steps ON standing_steps.id = reviews.step_id
                WHERE reviews.value_id = v.id
            )
            LEFT JOIN review_steps s ON s.id = r.step_id
            WHERE v.superseded = 0 AND (
                r.id IS NOT NULL OR NOT EXISTS (SELECT 1 FROM reviews WHERE value_id = v.id AND action = 'add')
            )"""
    )


def m0004_observed(db: Any) -> None:
    """Adds the time of observation after a review; NULL, as in all earlier ones, is the time of the dictation."""
    db.execute("ALTER TABLE reviews ADD COLUMN observed_at TEXT")
    db.execute("DROP VIEW current_values")
    db.execute(
        """CREATE VIEW current_values AS
            SELECT v.id, v.dictation_id, v.transcript_id, v.row_id, v.filled, r.status, r.value, r.unit, r.observed_at,
                s.reviewer, s.reviewed_at
            FROM row_values v
            LEFT JOIN reviews r ON r.id = (
                SELECT max(reviews.id) FROM reviews
                JOIN standing_steps ON standing_steps.id = reviews.step_id
                WHERE reviews.value_id = v.id
            )
            LEFT JOIN review_steps s ON s.id = r.step_id
            WHERE v.superseded = 0 AND (
                r.id IS NOT NULL OR NOT EXISTS (SELECT 1 FROM reviews WHERE value_id = v.id AND action = 'add')
            )"""
    )


def m0005_filed_and_replaced(db: Any) -> None:
    """Adds filings of dictations, and replacements of charted values by others.

    A replacement counts while its step is not undone and its value is accepted. The last one that concerns a value
    decides whether it is replaced.
    """
    db.execute(
        """CREATE TABLE filings (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            dictation_id INTEGER NOT NULL REFERENCES dictations(id),
            action TEXT NOT NULL CHECK (action IN ('file', 'reopen')),
            reviewer TEXT NOT NULL,
            filed_at TEXT NOT NULL,
            files TEXT NOT NULL
        )"""
    )
    db.execute("CREATE INDEX filings_dictation ON filings(dictation_id)")
    db.execute(
        """CREATE TABLE replacements (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            step_id INTEGER NOT NULL REFERENCES review_steps(id),
            value_id INTEGER NOT NULL REFERENCES row_values(id),
            replaced_id INTEGER NOT NULL REFERENCES row_values(id)
        )"""
    )
    for column in ("value_id", "replaced_id"):
        db.execute(f"CREATE INDEX replacements_{column} ON replacements({column})")
    only_added_to(db, "filings", "replacements")
    db.execute(
        """CREATE VIEW standing_filings AS
            SELECT * FROM filings AS filing WHERE action = 'file'
            AND id = (SELECT max(id) FROM filings WHERE dictation_id = filing.dictation_id)"""
    )
    db.execute(
        """CREATE VIEW standing_replacements AS
            SELECT replacements.* FROM replacements
            JOIN standing_steps ON standing_steps.id = replacements.step_id
            JOIN current_values ON current_values.id = replacements.value_id
            WHERE current_values.status IN ('confirmed', 'edited', 'added')"""
    )


def m0006_confirmed_outside(db: Any) -> None:
    """Adds the range that a person confirmed a value outside of; NULL in all earlier reviews."""
    db.execute(
        "ALTER TABLE reviews ADD COLUMN confirmed_outside TEXT CHECK (confirmed_outside IN ('critical', 'plausible'))"
    )
    db.execute("DROP VIEW current_values")
    db.execute(
        """CREATE VIEW current_values AS
            SELECT v.id, v.dictation_id, v.transcript_id, v.row_id, v.filled, r.status, r.value, r.unit, r.observed_at,
                r.confirmed_outside, s.reviewer, s.reviewed_at
            FROM row_values v
            LEFT JOIN reviews r ON r.id = (
                SELECT max(reviews.id) FROM reviews
                JOIN standing_steps ON standing_steps.id = reviews.step_id
                WHERE reviews.value_id = v.id
            )
            LEFT JOIN review_steps s ON s.id = r.step_id
            WHERE v.superseded = 0 AND (
                r.id IS NOT NULL OR NOT EXISTS (SELECT 1 FROM reviews WHERE value_id = v.id AND action = 'add')
            )"""
    )


def m0007_moved_renamed_deleted(db: Any) -> None:
    """Lets dictations be moved, renamed and deleted, and keeps every such event on record.

    Values and steps of review belong to the encounter in which they were made, and count only while their dictation
    belongs to it: what was read and decided for one patient never appears in the chart of another. Nothing of a deleted
    dictation counts; once it is purged, only its name, its hash and its events are left.
    """
    for column in ("title TEXT NOT NULL DEFAULT ''", "deleted_at TEXT", "purged_at TEXT"):
        db.execute(f"ALTER TABLE dictations ADD COLUMN {column}")
    db.execute("DROP TRIGGER review_steps_no_update")
    for table in ("row_values", "review_steps"):
        db.execute(f"ALTER TABLE {table} ADD COLUMN encounter_id INTEGER")
        db.execute(
            f"UPDATE {table} SET encounter_id = "  # noqa: S608 - a constant
            f"(SELECT encounter_id FROM dictations WHERE id = {table}.dictation_id)"
        )
    only_added_to(db, "review_steps", verbs=("UPDATE",))
    db.execute(
        """CREATE TABLE dictation_events (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            dictation_id INTEGER NOT NULL REFERENCES dictations(id),
            action TEXT NOT NULL CHECK (action IN ('move', 'rename', 'delete', 'restore', 'purge')),
            reviewer TEXT NOT NULL,
            happened_at TEXT NOT NULL,
            reason TEXT NOT NULL,
            name TEXT NOT NULL,
            sha256 TEXT NOT NULL,
            renamed_to TEXT,
            from_patient_id INTEGER REFERENCES patients(id),
            to_patient_id INTEGER REFERENCES patients(id),
            from_encounter_id INTEGER REFERENCES encounters(id),
            to_encounter_id INTEGER REFERENCES encounters(id),
            taken_back INTEGER NOT NULL DEFAULT 0,
            reopened_step INTEGER,
            carried_step INTEGER
        )"""
    )
    db.execute("CREATE INDEX dictation_events_dictation ON dictation_events(dictation_id)")
    only_added_to(db, "dictation_events")
    for table, dictations in (
        ("transcripts", "OLD.dictation_id"),
        ("review_steps", "OLD.dictation_id"),
        ("reviews", "SELECT dictation_id FROM review_steps WHERE id = OLD.step_id"),
        ("replacements", "SELECT dictation_id FROM row_values WHERE id IN (OLD.value_id, OLD.replaced_id)"),
    ):
        db.execute(f"DROP TRIGGER {table}_no_delete")
        deleted = f"SELECT 1 FROM dictations WHERE id IN ({dictations}) AND deleted_at IS NOT NULL"  # noqa: S608
        only_added_to(db, table, verbs=("DELETE",), unless=f"EXISTS ({deleted})")
    for view in ("standing_replacements", "current_values", "standing_steps"):
        db.execute(f"DROP VIEW {view}")
    db.execute(
        """CREATE VIEW standing_steps AS
            SELECT step.* FROM review_steps AS step
            JOIN dictations ON dictations.id = step.dictation_id AND dictations.encounter_id = step.encounter_id
            WHERE undoes IS NULL AND NOT EXISTS (SELECT 1 FROM review_steps WHERE undoes = step.id)"""
    )
    db.execute(
        """CREATE VIEW current_values AS
            SELECT v.id, v.dictation_id, v.transcript_id, v.row_id, v.filled, r.status, r.value, r.unit, r.observed_at,
                r.confirmed_outside, s.reviewer, s.reviewed_at
            FROM row_values v
            JOIN dictations d ON d.id = v.dictation_id AND d.encounter_id = v.encounter_id AND d.deleted_at IS NULL
            LEFT JOIN reviews r ON r.id = (
                SELECT max(reviews.id) FROM reviews
                JOIN standing_steps ON standing_steps.id = reviews.step_id
                WHERE reviews.value_id = v.id
            )
            LEFT JOIN review_steps s ON s.id = r.step_id
            WHERE v.superseded = 0 AND (
                r.id IS NOT NULL OR NOT EXISTS (SELECT 1 FROM reviews WHERE value_id = v.id AND action = 'add')
            )"""
    )
    db.execute(
        """CREATE VIEW standing_replacements AS
            SELECT replacements.* FROM replacements
            JOIN standing_steps ON standing_steps.id = replacements.step_id
            JOIN current_values ON current_values.id = replacements.value_id
            WHERE current_values.status IN ('confirmed', 'edited', 'added')"""
    )


def m0008_birth_date(db: Any) -> None:
    """Adds the second identifier of a patient, 'YYYY-MM-DD'; empty if not entered."""
    db.execute("ALTER TABLE patients ADD COLUMN birth_date TEXT NOT NULL DEFAULT ''")


def m0009_identity_answers(db: Any) -> None:
    """Records who said that a dictation is about its patient although it names others, and who withdrew that."""
    db.execute(
        """CREATE TABLE identity_answers (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            dictation_id INTEGER NOT NULL REFERENCES dictations(id),
            patient_id INTEGER NOT NULL REFERENCES patients(id),
            answer TEXT NOT NULL CHECK (answer IN ('same', 'withdrawn')),
            called TEXT NOT NULL,
            reviewer TEXT NOT NULL,
            answered_at TEXT NOT NULL
        )"""
    )
    db.execute("CREATE INDEX identity_answers_dictation ON identity_answers(dictation_id)")
    only_added_to(db, "identity_answers", verbs=("UPDATE",))
    deleted = "SELECT 1 FROM dictations WHERE id = OLD.dictation_id AND deleted_at IS NOT NULL"
    only_added_to(db, "identity_answers", verbs=("DELETE",), unless=f"EXISTS ({deleted})")


def m0010_identified_and_discharged(db: Any) -> None:
    """Lets patients be edited and discharged, keeps every change on record, and makes numbers and beds unique.

    The keys are the normalised forms that are compared, NULL if there is nothing to compare. An older database may hold
    patients who share a number or a bed: the later ones have no key until that is resolved (see
    `app.store.transactions.patient_changes.claim`).
    """
    for column in (
        "temporary INTEGER NOT NULL DEFAULT 0 CHECK (temporary IN (0, 1))",
        "discharged_at TEXT",
        "mrn_key TEXT",
        "bed_key TEXT",
    ):
        db.execute(f"ALTER TABLE patients ADD COLUMN {column}")
    for key in ("mrn_key", "bed_key"):
        db.execute(f"CREATE UNIQUE INDEX patients_{key} ON patients({key}) WHERE {key} IS NOT NULL")
    db.execute(
        """CREATE TABLE patient_events (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            patient_id INTEGER NOT NULL REFERENCES patients(id),
            action TEXT NOT NULL CHECK (action IN ('add', 'edit', 'transfer', 'discharge', 'readmit')),
            reviewer TEXT NOT NULL,
            happened_at TEXT NOT NULL,
            before TEXT NOT NULL,
            after TEXT NOT NULL
        )"""
    )
    db.execute("CREATE INDEX patient_events_patient ON patient_events(patient_id)")
    only_added_to(db, "patient_events")


def m0011_signers(db: Any) -> None:
    """Adds signers. A step keeps the name that it was signed with; `signer_events` says whose name that was and when.

    `identifier` is for the id in the hospital's directory. A login can refer to a signer's id from a table of its own,
    without any change to these.
    """
    db.execute(
        """CREATE TABLE signers (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL,
            role TEXT NOT NULL,
            identifier TEXT NOT NULL DEFAULT '',
            retired INTEGER NOT NULL DEFAULT 0 CHECK (retired IN (0, 1)),
            created_at TEXT NOT NULL
        )"""
    )
    db.execute(
        """CREATE TABLE signer_events (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            signer_id INTEGER NOT NULL REFERENCES signers(id),
            action TEXT NOT NULL CHECK (action IN ('add', 'rename', 'retire', 'restore', 'choose')),
            name TEXT NOT NULL,
            role TEXT NOT NULL,
            happened_at TEXT NOT NULL
        )"""
    )
    db.execute("CREATE INDEX signer_events_signer ON signer_events(signer_id)")
    only_added_to(db, "signer_events")


def m0012_dictation_times(db: Any) -> None:
    """Records where the time of a dictation comes from, and who changed it."""
    db.execute("ALTER TABLE dictations ADD COLUMN time_source TEXT NOT NULL DEFAULT ''")
    db.execute(
        """CREATE TABLE dictation_times (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            dictation_id INTEGER NOT NULL REFERENCES dictations(id),
            former TEXT NOT NULL,
            former_source TEXT NOT NULL,
            made_at TEXT NOT NULL,
            reviewer TEXT NOT NULL,
            changed_at TEXT NOT NULL
        )"""
    )
    db.execute("CREATE INDEX dictation_times_dictation ON dictation_times(dictation_id)")
    only_added_to(db, "dictation_times")


def m0013_features(db: Any) -> None:
    """No table changes: new values keep the features that they were weighed by, which an older program cannot read."""


def m0014_held_back(db: Any) -> None:
    """Renames `unlikely` to `held_back` in stored runs."""
    db.execute(
        """UPDATE dictations
        SET run = json_remove(json_set(run, '$.held_back', json_extract(run, '$.unlikely')), '$.unlikely')
        WHERE json_valid(run) AND json_type(run, '$.unlikely') IS NOT NULL"""
    )


def m0015_quotes(db: Any) -> None:
    """Adds `quote`: the words of the transcript that a person added a value for, as JSON; NULL without."""
    db.execute("ALTER TABLE row_values ADD COLUMN quote TEXT")


def m0016_runs(db: Any) -> None:
    """Moves the records of runs to a table of their own, so that lists of dictations read none of them.

    Their form has a version from now on (see `app.record.codec`), which an older program cannot read. The column
    `dictations.run` stays, empty, because SQLite before 3.35 cannot drop one.
    """
    db.execute("CREATE TABLE runs (dictation_id INTEGER PRIMARY KEY REFERENCES dictations(id), record TEXT NOT NULL)")
    db.execute("INSERT INTO runs SELECT id, run FROM dictations WHERE run <> '{}'")
    db.execute("UPDATE dictations SET run = '{}' WHERE run <> '{}'")


def m0017_signer_ids(db: Any) -> None:
    """Adds the signer beside the text of each signature; NULL in earlier ones, and for names of nobody known."""
    for table in (
        "review_steps",
        "filings",
        "identity_answers",
        "dictation_events",
        "dictation_times",
        "patient_events",
    ):
        db.execute(f"ALTER TABLE {table} ADD COLUMN signer_id INTEGER REFERENCES signers(id)")


def m0018_charted_values(db: Any) -> None:
    """Adds what stands charted, which is derived from the other tables.

    Dictations are found by their recording, and steps of review by their encounter.
    """
    derived.create(db)
    only_added_to(db, "schema_rows")
    db.execute("CREATE INDEX dictations_sha256 ON dictations(sha256)")
    db.execute("CREATE INDEX review_steps_encounter ON review_steps(encounter_id)")


def m0019_outbox(db: Any) -> None:
    """Adds what a receiver is told about filed values, and what became of each message; nothing so far."""
    outbox_tables.create(db)


def m0020_not_obtained(db: Any) -> None:
    """No table changes: a value may say that it was not obtained, which an older program cannot read."""


def m0021_handover(db: Any) -> None:
    """Adds rows that a person does not want to be reminded of, and what nurses write for a handover; none so far."""
    handover_tables.create(db)


def m0022_questions(db: Any) -> None:
    """Adds the log of questions about the ward; nothing was asked so far."""
    question_tables.create(db)


STEPS = (
    m0001_initial,
    m0002_collected,
    m0003_taken,
    m0004_observed,
    m0005_filed_and_replaced,
    m0006_confirmed_outside,
    m0007_moved_renamed_deleted,
    m0008_birth_date,
    m0009_identity_answers,
    m0010_identified_and_discharged,
    m0011_signers,
    m0012_dictation_times,
    m0013_features,
    m0014_held_back,
    m0015_quotes,
    m0016_runs,
    m0017_signer_ids,
    m0018_charted_values,
    m0019_outbox,
    m0020_not_obtained,
    m0021_handover,
    m0022_questions,
)
MIGRATIONS = Migrations("wardlight")
for step in STEPS:
    MIGRATIONS()(step)
