"""What questions about the ward read of the chart, on a connection that cannot write, and the log of what was asked."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from app.chart.dictation_titles import name_of
from app.record.codec import decode_proposed
from app.record.values import Evidence, ProposedValue
from app.store.sqlite import clock, codec
from app.store.sqlite.codec import plain
from app.store.sqlite.database import Database
from extraction.flowsheet.values import Value
from speech.transcript import Transcript


class Fact(NamedTuple):
    """A charted value, as questions need it; see `app.chart.history.charted_values.ChartedValue`.

    Attributes:
        said: whether the time of the observation was said.
        flagged: whether it was flagged when it was confirmed, see `app.asking`; the store does not know.
        others: what it could be instead, as far as the models considered it; empty unless it is flagged.
    """

    value_id: int
    patient_id: int
    encounter_id: int
    dictation_id: int
    row_id: str
    at: str
    value: Value
    number: float | None
    second: float | None
    unit: str | None
    signer: str
    signed_at: str
    said: bool
    flagged: bool = False
    others: tuple[Value, ...] = ()


class RunOf(NamedTuple):
    """The run that read a dictation: the version of its schema, the signature that weighed, and models by role."""

    schema_version_id: int
    weighed_by: str
    models: Mapping[str, str]


class Proposal(NamedTuple):
    """What a charted value was confirmed from."""

    value_id: int
    dictation_id: int
    proposed: ProposedValue


class SaidAt(NamedTuple):
    """The dictation of a charted value, and where it was said; None for a value without words."""

    dictation: str
    evidence: Evidence | None
    transcript_id: int | None


class Dictated(NamedTuple):
    """A dictation of a patient with its text. `words` are first characters of words with their seconds."""

    dictation_id: int
    patient_id: int
    name: str
    at: str
    text: str
    words: tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """An entry of the log.

    Attributes:
        question: the words, if the settings keep them; else empty.
        tree: the query tree as JSON, without words; empty if it was refused.
        value_ids: the values of the answer that are still in the database.
        refusal: why it was not answered; empty if it was.
    """

    number: int
    asked_at: str
    asked_by: str
    question: str
    tree: str
    refusal: str
    value_ids: tuple[int, ...]


_COLUMNS = """value_id, patient_id, encounter_id, dictation_id, row_id, at, value, number, second_number, unit, signer,
    signed_at, observed_at IS NOT NULL"""
_AMONG = "IN (SELECT value FROM json_each(?))"


class Questions:
    """Reads for questions, and their log. A read holds the database for as long as it takes, so keep it short."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def facts(
        self,
        patient_ids: Sequence[int],
        row_ids: Sequence[str] | None,
        since: str | None = None,
        until: str | None = None,
        last: int | None = None,
    ) -> list[Fact]:
        """The charted values of patients, in order of time.

        Args:
            row_ids: None for all rows.
            since, until: minutes in UTC, as in `charted_values.at`; that of `until` is left out.
            last: only so many values of each patient and row, the latest ones.
        """
        limits: dict[str, Any] = {"row_id = ?": None, "at >= ?": since, "at < ?": until}
        found: list[Fact] = []
        with self._database.read_only() as connection:
            for row_id in (None,) if row_ids is None else row_ids:
                given = {text: value for text, value in (limits | {"row_id = ?": row_id}).items() if value is not None}
                query = f"SELECT {_COLUMNS} FROM charted_values WHERE patient_id = ?" + "".join(  # noqa: S608 - constants
                    f" AND {text}" for text in given
                )
                if last is not None:
                    query += f" ORDER BY at DESC, value_id DESC LIMIT {int(last)}"
                for patient_id in patient_ids:
                    found += map(_fact, connection.execute(query, (patient_id, *given.values())))
        found.sort(key=_by_time)
        return found

    def by_ids(self, value_ids: Iterable[int]) -> list[Fact]:
        """Charted values by id, in order of time; those that no longer stand are left out."""
        query = f"SELECT {_COLUMNS} FROM charted_values WHERE value_id {_AMONG}"  # noqa: S608 - constants
        with self._database.read_only() as connection:
            found = [_fact(row) for row in connection.execute(query, [json.dumps(list(value_ids))])]
        return sorted(found, key=_by_time)

    def runs_of(self, value_ids: Iterable[int]) -> dict[int, RunOf]:
        """By dictation of charted values, by what its values were read and weighed."""
        query = f"""SELECT d.id, d.schema_version_id, coalesce(json_extract(r.record, '$.weighed_by'), ''),
                coalesce(json_extract(r.record, '$.models'), '{{}}')
            FROM dictations AS d LEFT JOIN runs AS r ON r.dictation_id = d.id
            WHERE d.id IN (SELECT dictation_id FROM charted_values WHERE value_id {_AMONG})"""  # noqa: S608 - constants
        with self._database.read_only() as connection:
            found = connection.execute(query, [json.dumps(list(value_ids))]).fetchall()
        runs = {kind: RunOf(kind[0], kind[1], json.loads(kind[2])) for kind in {row[1:] for row in found}}
        return {row[0]: runs[row[1:]] for row in found}

    def proposals(self, value_ids: Iterable[int], below: float | None) -> Iterator[Proposal]:
        """What values were confirmed from; those added by hand and those that a person changed are left out.

        `below` leaves out those of at least this confidence about which nothing was found.
        """
        query = """SELECT c.value_id, c.dictation_id, v.filled, c.value, c.unit
            FROM charted_values AS c JOIN row_values AS v ON v.id = c.value_id
            WHERE c.value_id IN (SELECT value FROM json_each(?1)) AND v.filled IS NOT NULL
                AND json_extract(v.filled, '$.value') IS json_extract(c.value, '$')
                AND (?2 IS NULL OR json_extract(v.filled, '$.confidence') < ?2
                    OR json_extract(v.filled, '$.version') IS NULL
                    OR json_array_length(v.filled, '$.findings') > 0)"""
        with self._database.read_only() as connection:
            rows = connection.execute(query, [json.dumps(list(value_ids)), below]).fetchall()
        for value_id, dictation_id, filled, value, unit in rows:
            proposed = decode_proposed(filled)
            if (proposed.value, proposed.unit) == (codec.decode_value(value), unit):
                yield Proposal(value_id, dictation_id, proposed)

    def sources(self, value_ids: Iterable[int]) -> dict[int, SaidAt]:
        """Where charted values were said, by id."""
        query = f"""SELECT v.id, coalesce(json_extract(v.filled, '$.evidence'), v.quote), v.transcript_id,
                d.title, d.original_name, d.created_at
            FROM row_values AS v JOIN dictations AS d ON d.id = v.dictation_id
            WHERE v.id {_AMONG}"""  # noqa: S608 - constants
        with self._database.read_only() as connection:
            rows = connection.execute(query, [json.dumps(list(value_ids))]).fetchall()
        return {
            value_id: SaidAt(name_of(title, original, created), _evidence(said), transcript_id)
            for value_id, said, transcript_id, title, original, created in rows
        }

    def transcripts(self, transcript_ids: Iterable[int]) -> Iterator[tuple[int, Transcript]]:
        """Transcripts by id."""
        query = f"SELECT id, content FROM transcripts WHERE id {_AMONG}"  # noqa: S608 - constants
        with self._database.read_only() as connection:
            found = connection.execute(query, [json.dumps(sorted(set(transcript_ids)))]).fetchall()
        for transcript_id, content in found:
            yield transcript_id, Transcript.from_json(json.loads(content))

    def dictated(
        self, patient_ids: Sequence[int], since: str | None = None, until: str | None = None
    ) -> Iterator[Dictated]:
        """The dictations of patients that have a transcript, latest first; `since` and `until` as in `facts`."""
        query = f"""SELECT d.id, e.patient_id, d.title, d.original_name, d.created_at, t.content
            FROM dictations AS d JOIN encounters AS e ON e.id = d.encounter_id
            JOIN transcripts AS t ON t.id = (SELECT max(id) FROM transcripts WHERE dictation_id = d.id)
            WHERE e.patient_id {_AMONG} AND d.deleted_at IS NULL
                AND substr(d.created_at, 1, 16) >= ? AND substr(d.created_at, 1, 16) < ?
            ORDER BY d.created_at DESC, d.id DESC"""  # noqa: S608 - constants
        with self._database.read_only() as connection:
            found = connection.execute(query, [json.dumps(list(patient_ids)), since or "", until or "a"]).fetchall()
        for dictation_id, patient_id, title, original, created, content in found:
            transcript = json.loads(content)
            words = tuple((word["char_start"], word["start"]) for word in transcript["words"])
            name = name_of(title, original, created)
            yield Dictated(dictation_id, patient_id, name, created[:16], transcript["text"], words)

    def first_charted(self) -> str | None:
        """The minute of the first charted value, UTC; None if nothing is charted."""
        with self._database.read_only() as connection:
            (first,) = connection.execute(
                """SELECT min(first) FROM (SELECT (
                    SELECT min(at) FROM charted_values WHERE patient_id = patients.id) AS first FROM patients)"""
            ).fetchone()
        return str(first) if first else None

    def record(
        self, asked_by: str, tree: str, value_ids: Sequence[int], *, question: str = "", refusal: str = ""
    ) -> int:
        """Adds a question to the log; returns its number. `question` only if its words may be kept."""
        entry = {"asked_at": clock.now(), "asked_by": plain(asked_by), "tree": tree, "refusal": refusal}
        with self._database.write() as db:
            number = int(db["questions"].insert(entry).last_pk)
            if question:
                db["question_words"].insert({"question": number, "words": plain(question)})
            db.execute(
                f"""INSERT INTO question_values
                    SELECT ?, value_id, dictation_id FROM charted_values WHERE value_id {_AMONG}""",  # noqa: S608
                [number, json.dumps(list(value_ids))],
            )
        return number

    def asked(self) -> list[AskedQuestion]:
        """The log, earliest first."""
        query = """SELECT q.*, coalesce(w.words, '') AS words,
                (SELECT json_group_array(value_id) FROM question_values WHERE question = q.number) AS ids
            FROM questions AS q LEFT JOIN question_words AS w ON w.question = q.number ORDER BY q.number"""
        with self._database.read() as db:
            return [
                AskedQuestion(
                    row["number"],
                    row["asked_at"],
                    row["asked_by"],
                    row["words"],
                    row["tree"],
                    row["refusal"],
                    tuple(sorted(json.loads(row["ids"]))),
                )
                for row in db.query(query)
            ]


def _evidence(said: str | None) -> Evidence | None:
    return Evidence(**{name: value for name, value in json.loads(said).items() if name != "version"}) if said else None


def _by_time(fact: Fact) -> tuple[str, int]:
    return fact.at, fact.value_id


def _fact(row: tuple[Any, ...]) -> Fact:
    number, second = row[7], row[8]
    value = number if number is not None and second is None else codec.decode_value(row[6])
    return Fact._make((*row[:6], value, *row[7:12], bool(row[12]), False, ()))
