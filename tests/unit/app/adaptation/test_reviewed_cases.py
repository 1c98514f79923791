"""Examples out of reviews: what becomes one, that nobody is named in it, and that learning can read the file."""

from __future__ import annotations

import hashlib
import io
import json
import re
import sqlite3
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlite_utils
from hypothesis import assume, given
from hypothesis import strategies as st

from app.adaptation.deidentification import Deidentifier
from app.adaptation.reviewed_cases import examples_of
from app.adaptation.training import LEAST_CASES
from app.chart.records import Dictation, Patient, ReviewedValue
from app.cli import main
from app.record.codec import encode_proposed
from app.record.run import NO_RUN
from app.record.values import ProposedValue
from app.store import Store
from app.store.sqlite import migrations as store_migrations
from app.store.sqlite.migrations import m0001_initial
from app.system import paths
from app.system.settings import Settings, save_settings
from extraction.annotation.case_files import Case, Observation, case_line, read_cases
from extraction.schema_files.native_format import parse_schema
from speech.transcript import Transcript
from tests.kit.store import SCHEMA, SCHEMA_BYTES, TRANSCRIPT, filled, recorded

TEXT = "Patient Ann Lee in bed 4, heart rate 110. Dr. Brand was told."
HIDDEN = "the patient in the bed, heart rate 110. the clinician was told."


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "wardlight.db") as opened:
        yield opened


@pytest.fixture
def bring(store: Store, tmp_path: Path) -> Callable[..., list[ReviewedValue]]:
    """A filled dictation of Ann Lee in bed 4, of which nobody has decided anything."""

    def made(text: str = TEXT, *proposals: ProposedValue) -> list[ReviewedValue]:
        dictation = recorded(store, tmp_path)
        store.transcripts.save(dictation.id, Transcript(text))
        store.runs.save(dictation.id, proposals or [filled("hr", 110.0, "/min")], NO_RUN)
        return store.values.of(dictation.id)

    return made


def confirmed(store: Store, values: list[ReviewedValue], *, collect: bool = True) -> int:
    store.reviews.decide_all([value.id for value in values], "confirm", "Kim", collect=collect)
    return values[0].dictation_id


Bring = Callable[..., list[ReviewedValue]]


def test_only_accepted_values_become_observations(store: Store, bring: Bring) -> None:
    values = bring(TEXT, filled("hr", 110.0, "/min"), filled("rass", -2.0), filled("note", "calm"))
    store.reviews.decide(values[0].id, "edit", "Kim", value=112.0, unit="/min", collect=True)
    store.reviews.decide(values[1].id, "reject", "Kim", collect=True)
    store.reviews.decide(values[2].id, "edit", "Kim", value="Ann is calm, Mrs. Lee too", collect=True)
    store.reviews.add(values[0].dictation_id, "edema", ("left leg",), None, "Kim", collect=True)
    store.reviews.add(values[0].dictation_id, "hr", 112.0, "/min", "Kim", collect=True)
    (case,) = examples_of(store, SCHEMA)
    assert case == Case(
        hashlib.sha256(HIDDEN.encode()).hexdigest()[:16],
        HIDDEN,
        (
            Observation("hr", 112.0),
            Observation("note", "the patient is calm, the patient too"),
            Observation("edema", ("left leg",)),
        ),
    )


def test_a_value_that_gave_way_to_another_of_its_dictation_is_no_observation(store: Store, bring: Bring) -> None:
    first, second = bring(TEXT, filled("hr", 110.0, "/min"), filled("hr", 98.0, "/min"))
    store.reviews.decide(first.id, "confirm", "Kim", collect=True)
    store.reviews.decide(second.id, "confirm", "Kim", collect=True, replacing=True)
    assert [case.observations for case in examples_of(store, SCHEMA)] == [(Observation("hr", 98.0),)]
    store.reviews.undo(first.dictation_id, "Kim")
    store.reviews.decide(second.id, "reject", "Kim", collect=True)
    assert [case.observations for case in examples_of(store, SCHEMA)] == [(Observation("hr", 110.0),)]


def test_a_value_that_gave_way_to_another_dictation_was_said_all_the_same(
    store: Store, bring: Bring, tmp_path: Path
) -> None:
    (value,) = bring()
    entered = {"unit": "/min", "observed_at": "2026-01-02T08:00", "collect": True}
    store.reviews.decide(value.id, "edit", "Kim", value=110.0, **entered)
    dictation = next(one for one in store.dictations.all() if one.id == value.dictation_id)
    source = tmp_path / "later.txt"
    source.write_text("At eight the heart rate was 98.", encoding="utf-8")
    later = store.dictations.add(dictation.encounter_id, source, "text", dictation.schema_version_id)
    store.runs.save(later.id, [filled("hr", 98.0, "/min")], NO_RUN)
    (other,) = store.values.of(later.id)
    store.reviews.decide(other.id, "edit", "Kim", value=98.0, **entered, replacing=True)
    assert not store.values.of(value.dictation_id)[0].stands
    assert [case.observations for case in examples_of(store, SCHEMA)] == [(Observation("hr", 110.0),)]


def test_a_dictation_of_which_all_was_rejected_teaches_as_well(store: Store, bring: Bring) -> None:
    store.reviews.decide(bring()[0].id, "reject", "Kim", collect=True)
    assert [case.observations for case in examples_of(store, SCHEMA)] == [()]


def test_an_unfinished_review_is_no_example(store: Store, bring: Bring) -> None:
    values = bring(TEXT, filled("hr", 110.0), filled("rass", -2.0))
    confirmed(store, values[:1])
    assert examples_of(store, SCHEMA) == []
    confirmed(store, values[1:])
    assert len(examples_of(store, SCHEMA)) == 1
    store.runs.save(values[0].dictation_id, [filled("note", "new")], NO_RUN)
    assert examples_of(store, SCHEMA) == [], "a later run proposed more"


def test_a_dictation_that_is_being_filled_again_is_no_example(store: Store, bring: Bring) -> None:
    number = confirmed(store, bring())
    store.dictations.fail(number, "The inference process ended.")
    assert examples_of(store, SCHEMA) == []


def test_every_current_decision_must_have_been_made_while_collecting(store: Store, bring: Bring) -> None:
    values = bring(TEXT, filled("hr", 110.0), filled("rass", -2.0))
    number = values[0].dictation_id
    assert not store.reviews.collected(number)
    confirmed(store, values[:1])
    assert store.reviews.collected(number)
    confirmed(store, values[1:], collect=False)
    assert not store.reviews.collected(number)
    assert examples_of(store, SCHEMA) == []
    store.reviews.undo(number, "Kim")
    confirmed(store, values[1:])
    assert store.reviews.collected(number)
    assert len(examples_of(store, SCHEMA)) == 1


def test_only_dictations_of_this_very_schema(store: Store, bring: Bring) -> None:
    confirmed(store, bring())
    assert examples_of(store, replace(SCHEMA, sha256="0" * 64)) == []


def test_case_order_reveals_nothing_and_equal_texts_count_once(store: Store, bring: Bring) -> None:
    for number in range(8):
        confirmed(store, bring(f"Heart rate {number}.", filled("hr", float(number))))
    store.reviews.decide(bring("Heart rate 3.", filled("hr", 3.0))[0].id, "edit", "Kim", value=33.0, collect=True)
    found = examples_of(store, SCHEMA)
    assert [case.id for case in found] == sorted(case.id for case in found)
    assert {case.text: case.observations[0].value for case in found} == {
        f"Heart rate {number}.": 33.0 if number == 3 else float(number) for number in range(8)
    }


# what names a person

ADA = Patient(1, "Hawthorne, Ada", "12", "004711")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Patient Ada Hawthorne. Hawthorne, ada; ADA's foot.", "the patient. the patient; the patient's foot."),
        ("Adamant about it.", "Adamant about it."),
        ("In bed 12, Room number 12, the bed twelve.", "In the bed, the bed, the bed."),
        ("Pain 12 of 20, head of bed 12 degrees, bed 120.", "Pain 12 of 20, head of bed 12 degrees, bed 120."),
        ("MRN 004711, medical record number is 00 47-11.", "the record number, the record number."),
        ("Mr. Smith, Mrs Jones and Ms. O'Neil-Brand's son", "the patient, the patient and the patient's son"),
        ("Seen by Dr. J. van Berg and nurse Kim Lowe.", "Seen by the clinician and the clinician."),
        ("The nurse Kim McArdle started IV fluids.", "the clinician started IV fluids."),
        ("Dr. Lee IV removed; doctor notified.", "the clinician IV removed; doctor notified."),
        ("MS Contin given, did not miss Lasix.", "MS Contin given, did not miss Lasix."),
        ("Told the nurse\nHeart rate 80.", "Told the nurse\nHeart rate 80."),
        ("Dr. Ada Hawthorne", "the clinician"),
    ],
)
def test_names_and_numbers_of_persons_are_replaced(text: str, left: str) -> None:
    assert Deidentifier(ADA)(text) == left


@pytest.mark.parametrize(
    ("patient", "text", "left"),
    [
        (
            Patient(1, "Al O'Neil B.", "Bed ICU-4", ""),
            "Al O'Neil; neil b; icu-4.",
            "the patient; the patient; the bed.",
        ),
        (Patient(1, "Patient 7", "window", "unknown"), "Patient unknown, at the window.", None),
        (Patient(1, "Zoe\u0308", "", ""), "Zo\u00eb slept, zoe\u0308 woke.", "the patient slept, the patient woke."),
    ],
)
def test_unusual_identities(patient: Patient, text: str, left: str | None) -> None:
    assert Deidentifier(patient)(text) == (text if left is None else left)


def test_a_long_text_of_initials_is_read_without_backtracking() -> None:
    """A pattern that tried each part of it anew would not come to its end before the timeout of the tests."""
    Deidentifier(Patient(1, "Ada B. O'Neil C", "", ""))("B. C. O " * 20_000)


NEUTRAL = {"the", "patient", "clinician", "bed", "record", "number"}
words = st.text("abcdefghijklmnopqrstuvwxyzéñøü", min_size=1, max_size=8)
long_words = words.filter(lambda word: len(word) >= 3 and word not in NEUTRAL)
marks = st.sampled_from([" ", ", ", ". ", "-", "'", "\n", " (", ") ", ": ", "'s "])
cases = st.sampled_from([str.lower, str.upper, str.title])
said_around = st.sampled_from(
    ["Dr.", "nurse", "Mr.", "Mrs", "the", "patient", "Kim", "McArdle", "pain", "4", "12", "of", "head of", "MRN", "bed"]
)


@given(st.data())
def test_no_word_of_the_name_nor_record_number_nor_bed_survives(data: st.DataObject) -> None:
    name = data.draw(st.lists(long_words | words, min_size=1, max_size=3).filter(lambda parts: len(parts[0]) >= 3))
    assume(name[0] not in NEUTRAL)
    record = data.draw(st.from_regex(r"[A-Z]{0,2}[0-9]{5,8}", fullmatch=True))
    bed = data.draw(st.from_regex(r"[A-Z][0-9]{1,2}|[0-9]{1,3}[A-D]|[0-9]{1,3}", fullmatch=True))
    mention = st.one_of(
        st.sampled_from(name),
        st.just(" ".join(name)),
        st.just(record),
        st.just(f"bed {bed}"),
        st.just(f"room number {bed}"),
        st.just(bed if not bed.isdecimal() else ""),
    )
    pieces = data.draw(
        st.lists(
            st.tuples(st.tuples(mention, cases).map(lambda it: it[1](it[0])) | said_around | words, marks), max_size=12
        )
    )
    left = Deidentifier(Patient(1, " ".join(name).title(), bed, record))("".join(map("".join, pieces)))
    tokens = set(re.findall(r"[^\W\d_]+", left.lower()))
    assert tokens.isdisjoint(part for part in name if len(part) >= 3 and part not in NEUTRAL)
    assert not re.search(rf"(?i)(?<!\w){record}(?!\w)", left)
    elsewhere = r"(?<!head of )\b(?:bed|room number) " if bed.isdecimal() else r"(?<!\w)"
    assert not re.search(rf"(?i){elsewhere}{bed}(?!\w)", left)


@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=9) | said_around, max_size=12))
def test_titles_in_lower_case_text_are_not_taken_for_names(pieces: list[str]) -> None:
    text = " ".join(pieces).lower()
    assert Deidentifier(Patient(1, "Li", "", ""))(text) == unicodedata.normalize("NFC", text)


# the database of before


def test_an_older_database_keeps_everything_and_has_collected_nothing(
    tmp_path: Path,
) -> None:
    path = tmp_path / "wardlight.db"
    connection = sqlite3.connect(path)
    former = store_migrations.Migrations("wardlight")
    former()(m0001_initial)
    former.apply(sqlite_utils.Database(connection))
    number, at = 1, "2026-01-01T00:00:00.000+00:00"
    for table, row in (
        ("patients", (1, "Ann Lee", "4", "123", at)),
        ("encounters", (1, 1, at, None)),
        ("schema_versions", (1, SCHEMA.id, SCHEMA.name, SCHEMA.version, SCHEMA.sha256, SCHEMA_BYTES, at)),
        ("dictations", (1, 1, 1, "audio", "a.wav", "Bed 4.WAV", "0" * 64, 1, "filled", "", "{}", at)),
        ("transcripts", (1, 1, json.dumps(TRANSCRIPT.to_json()), at)),
        ("row_values", (1, 1, 1, "hr", encode_proposed(filled("hr", 110.0, "/min")), 0, at)),
    ):
        connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
    connection.executescript(
        """INSERT INTO review_steps VALUES (1, 1, NULL, 'Kim', '2026-01-01T00:00:00.000+00:00');
        INSERT INTO reviews VALUES (1, 1, 1, 'edit', 'edited', '112.0', '/min');
        INSERT INTO review_steps VALUES (2, 1, NULL, 'Kim', '2026-01-01T00:00:01.000+00:00');
        INSERT INTO reviews VALUES (2, 2, 1, 'reject', 'rejected', '112.0', '/min');
        INSERT INTO review_steps VALUES (3, 1, 2, 'Lou', '2026-01-01T00:00:02.000+00:00');"""
    )
    rows = _content(connection)
    connection.close()
    with Store(path) as store:
        (value,) = store.values.of(number)
        assert (value.status, value.value, value.reviewer) == ("edited", 112.0, "Kim")
        assert not store.reviews.collected(number)
        assert examples_of(store, SCHEMA) == []
        store.reviews.undo(number, "Kim")
        confirmed(store, store.values.of(number))
        assert [case.text for case in examples_of(store, SCHEMA)] == [TRANSCRIPT.text]
    connection = sqlite3.connect(path)
    after = _content(connection)
    with pytest.raises(sqlite3.IntegrityError, match="can only be added to"):
        connection.execute("UPDATE review_steps SET collected = 1")
    connection.close()
    steps = [step[:5] for step in after.pop("review_steps")]
    assert steps[:3] == rows.pop("review_steps")
    assert [review[:7] for review in after.pop("reviews")][:2] == rows.pop("reviews")
    assert len(after.pop("installation")) == 1
    assert all(after.pop(table) == [] for table in after.keys() - rows.keys() - {"review_steps", "reviews"})
    # later versions only added columns
    first = {table: [row[: len(rows[table][0])] for row in found] for table, found in after.items()}
    assert first == rows


def _content(connection: sqlite3.Connection) -> dict[str, list[Any]]:
    names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    derived = {"charted_values", "dictation_counts", "schema_rows"}
    kept = [name for name in names if not name.startswith(("sqlite_", "_sqlite_")) and name not in derived]
    return {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in kept}


# the command

WARD = {
    "format": "wardlight-flowsheet/1",
    "id": "w",
    "name": "Ward",
    "version": "1",
    "categories": [
        {
            "name": "All",
            "rows": [
                {"id": "hr", "name": "Heart rate", "type": "numeric", "unit": "/min"},
                {"id": "skin", "name": "Skin", "type": "multi_select", "options": ["warm", "dry"]},
                {"id": "note", "name": "Note", "type": "text"},
                {"id": "alarm", "name": "Bed alarm", "type": "yes_no"},
            ],
        }
    ],
}


@pytest.fixture
def schema_file(tmp_path: Path) -> Path:
    path = tmp_path / "ward.json"
    path.write_text(json.dumps(WARD), encoding="utf-8")
    return path


def collecting(schema_file: Path, *, on: bool = True) -> None:
    save_settings(Settings(schema=str(schema_file), collect_examples=on, reviewer="Kim"), paths.config_file())


def dictated(schema_file: Path, count: int) -> list[Dictation]:
    """Dictations in the database of this computer, each with a proposal for every row."""
    data = schema_file.read_bytes()
    schema = parse_schema(data, schema_file.name)
    found = []
    with Store(paths.database_file()) as store:
        version = store.schemas.save(schema, data)
        for number in range(count):
            ada = store.patients.add("Ada Hawthorne", str(12 + number), f"004711{number}")
            encounter = store.encounters.open(ada.id)
            source = schema_file.with_name("case.txt")
            source.write_text("the text", encoding="utf-8")
            dictation = store.dictations.add(encounter.id, source, "text", version)
            store.transcripts.save(dictation.id, Transcript(f"Ada has a heart rate of {number}. Skin warm and dry."))
            proposals = [
                filled("hr", float(number), "/min"),
                filled("skin", ("warm", "dry")),
                filled("note", "Ada sleeps"),
                filled("alarm", True),
            ]
            store.runs.save(dictation.id, proposals, NO_RUN)
            found.append(dictation)
    return found


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize("count", [1, LEAST_CASES])
def test_reviews_become_a_file_that_learning_reads(
    schema_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    collecting(schema_file)
    for dictation in dictated(schema_file, count):
        monkeypatch.setattr("sys.stdin", io.StringIO("y\ny\ne\nquiet, Ada\nn\n"))
        assert run(capsys, "review", dictation.id)[0] == 0
    out = tmp_path / "examples.jsonl"
    code, printed, err = run(capsys, "examples", "--out", out, "--json")
    assert code == 0
    assert json.loads(printed) == {
        "file": str(out),
        "cases": count,
        "values": 3 * count,
        "missing": LEAST_CASES - count,
    }
    assert "look through" in err
    schema = parse_schema(schema_file.read_bytes(), schema_file.name)
    read = read_cases(out, schema)
    assert read.warnings == ()
    with Store(paths.database_file()) as store:
        assert list(read.cases) == examples_of(store, schema)
    assert {case.text for case in read.cases} == {
        f"the patient has a heart rate of {number}. Skin warm and dry." for number in range(count)
    }
    assert {it.row_id: it.value for it in read.cases[0].observations}["note"] == "quiet, the patient"
    assert out.read_text(encoding="utf-8") == "".join(
        case_line(case.id, case.text, case.observations, schema) + "\n" for case in read.cases
    )
    code, printed, _ = run(capsys, "examples", "--out", tmp_path / "again.jsonl")
    assert code == 0
    assert ("needs 19 more" in printed) == (count == 1)
    assert ("wardlight learn --examples" in printed) == (count == LEAST_CASES)


def test_mistakes_are_explained_in_words(schema_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "examples.jsonl"
    collecting(schema_file, on=False)
    code, _, err = run(capsys, "examples", "--out", out)
    assert code == 2
    assert "switched off" in err
    assert f"collect_examples = true in {paths.config_file()}" in err

    collecting(schema_file)
    (dictation,) = dictated(schema_file, 1)
    code, _, err = run(capsys, "examples", "--out", out)
    assert code == 2
    assert "No dictation of the schema Ward was reviewed to the end" in err
    assert not out.exists()

    with Store(paths.database_file()) as store:
        confirmed(store, store.values.of(dictation.id))
    code, _, err = run(capsys, "examples", "--out", tmp_path / "nowhere" / "examples.jsonl")
    assert code == 3
    assert "nowhere" in err

    out.write_text("looked through\n", encoding="utf-8")
    code, _, err = run(capsys, "examples", "--out", out)
    assert code == 2
    assert "already exists" in err
    assert out.read_text(encoding="utf-8") == "looked through\n"


def test_what_is_reviewed_while_collecting_is_off_stays_out(
    schema_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = dictated(schema_file, 2)
    for dictation, on in ((first, False), (second, True)):
        collecting(schema_file, on=on)
        monkeypatch.setattr("sys.stdin", io.StringIO("y\ny\ny\ny\n"))
        run(capsys, "review", dictation.id)
    out = tmp_path / "examples.jsonl"
    assert run(capsys, "examples", "--out", out, "--schema", schema_file)[0] == 0
    assert [json.loads(line)["transcript"] for line in out.read_text(encoding="utf-8").splitlines()] == [
        "the patient has a heart rate of 1. Skin warm and dry."
    ]
