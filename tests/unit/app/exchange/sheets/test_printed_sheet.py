"""The sheet to print: everything can be read on it, and whose it is on each page."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pypdf
import pytest

from app.exchange.records import ExportRecord, Former
from app.exchange.sheets.arrangement import clock_text
from app.exchange.sheets.printed_sheet import printed_sheet
from models.base.errors import InputError
from tests.kit.export_records import DICTATED, SCHEMA, record

EXPORTED = "2026-03-02T19:40:00+00:00"


def written(records: Sequence[ExportRecord], paper: str = "a4") -> bytes:
    return printed_sheet(records, SCHEMA, paper=paper, exported_at=EXPORTED, program="Wardlight 9.9")


def pages(*records: ExportRecord) -> list[str]:
    """The text of each page, with single spaces for all white space."""
    reader = pypdf.PdfReader(io.BytesIO(written(records)))
    return [" ".join(page.extract_text().split()) for page in reader.pages]


def hours(*ats: int) -> list[str]:
    return [f"2026-03-02T{at:02}:00:00+00:00" for at in ats]


def test_one_value_makes_one_page() -> None:
    (text,) = pages(record("hr", 80.0))
    for part in (
        "Ann Lee",
        "born 1951-03-09 · MRN 00123 · bed 4",
        "Page 1 of 1",
        "Dictation 7, dictated",
        f"signed by Kim, 1 value, {clock_text('2026-03-02T19:31:05+00:00')}",
        "Vital signs",
        "Heart rate 80 /min",
        "Flowsheet template ward 3",
        "by Wardlight 9.9",
    ):
        assert part in text
    assert "↑" not in text
    assert "Struck" not in text


def test_each_page_says_whose_it_is_and_how_many_there_are() -> None:
    found = pages(*(record("note", f"observation {number}, " * 8) for number in range(90)))
    assert len(found) > 1
    for number, text in enumerate(found, start=1):
        assert "Ann Lee born 1951-03-09 · MRN 00123 · bed 4" in text
        assert f"Page {number} of {len(found)}" in text
    every = " ".join(found)
    assert all(f"observation {number}," in every for number in range(90))


def test_several_times_become_columns() -> None:
    at = hours(6, 7, 8, 9, 10, 11)
    found = " ".join(pages(*(record("hr", 60.0 + place, observed_at=one) for place, one in enumerate(at))))
    first, _, second = found.partition(clock_text(at[4]))
    assert all(clock_text(one) in first for one in at[:4])
    assert "60 /min 61 /min 62 /min 63 /min" in first
    assert "64 /min 65 /min" in second


def test_values_outside_their_ranges_are_marked_in_words_and_signs() -> None:
    (text,) = pages(record("hr", 33.0), record("bp", "150/50"))
    assert "33 /min ↓↓ critically low" in text
    assert "150/50 mmHg ↑↓ systolic high, diastolic low" in text
    assert "↑ above, ↓ below the normal range" in text


def test_what_a_value_was_before_stands_beside_it() -> None:
    former = Former(70.0, "/min", 3, "Lou", DICTATED)
    (text,) = pages(record("hr", 90.0, status="edited", proposed=19.0, proposed_unit="/min", replaces=(former,)))
    assert "90 /min corrected from 19 /min" in text
    assert f"in place of 70 /min (Lou, {clock_text(DICTATED)})" in text
    assert "Struck through: before a person corrected or replaced it." in text


def test_the_origin_of_scores_periods_and_vague_times_is_said() -> None:
    (text,) = pages(
        record("hr", 90.0, status="computed", evidence="45 + 45 = 90"),
        record("temp", 99.0, observed_since="2026-03-02T12:00:00+00:00", observed_words="all day"),
    )
    assert "calculated: 45 + 45 = 90" in text
    assert f"since {clock_text('2026-03-02T12:00:00+00:00')}" in text
    assert "time as said: “all day”" in text


def test_with_several_reviewers_each_value_says_who_signed_it_and_when() -> None:
    (text,) = pages(record("hr", 90.0), record("temp", 99.0, reviewer="Lou"))
    at = clock_text("2026-03-02T19:31:05+00:00")
    assert f"signed by [1] Kim, 1 value, {at}; [2] Lou, 1 value, {at}" in text
    assert f"90 /min [1] {at}" in text
    assert f"99 °F [2] {at}" in text


@pytest.mark.parametrize("several", [False, True])
def test_a_long_text_is_printed_whole(several: bool) -> None:
    words = " ".join(f"word{number}" for number in range(3000))
    other = [record("hr", 80.0, observed_at=hours(6)[0])] if several else []
    every = " ".join(pages(*other, record("note", words), record("note", "a\n" * 200 + "end")))
    assert all(f"word{number} " in every for number in range(2999))
    assert every.count("see below") == 1
    assert every.split().count("a") >= 200


def test_long_names_keep_their_place() -> None:
    name = "Maria-Magdalena Wolfeschlegelsteinhausenbergerdorff-Oyelaran de la Concepción y Villanueva"
    (text,) = pages(record("hr", 80.0, patient_name=name, patient_mrn="", patient_birth_date="", patient_bed=""))
    assert f"{name} born unknown · MRN unknown" in text
    (text,) = pages(record("hr", 80.0, patient_name="x" * 500))
    assert "…" in text


def test_names_that_fill_a_page_are_refused() -> None:
    for changed in ({"patient_mrn": "1" * 5000}, {"category": ("y " * 3000,)}):
        with pytest.raises(InputError, match="fills a page"):
            written([record("hr", 80.0, **changed)])


def test_a_character_that_the_typeface_lacks_is_shown_by_its_number() -> None:
    (text,) = pages(record("note", "日 & <b>\0</b> Ελένη 😀", patient_name="Łukasz Žák"))
    assert "Łukasz Žák" in text
    assert "[U+65E5] & <b>[U+0000]</b> Ελένη [U+1F600]" in text
    assert "a character that the typeface of this sheet lacks" in text


def test_the_typeface_is_in_the_file() -> None:
    reader = pypdf.PdfReader(io.BytesIO(written([record("hr", 80.0)])))
    fonts = [one.get_object() for one in reader.pages[0]["/Resources"]["/Font"].values()]
    used = {str(font["/BaseFont"]) for font in fonts if "/FontFile2" in font.get("/FontDescriptor", {})}
    assert {name.partition("+")[2] for name in used} == {"IBMPlexSans-Regular", "IBMPlexSans-SemiBold"}
    assert {str(font["/BaseFont"]) for font in fonts} == used


@pytest.mark.parametrize(("paper", "size"), [("a4", (595, 842)), ("letter", (612, 792))])
def test_the_paper_is_chosen(paper: str, size: tuple[int, int]) -> None:
    box = pypdf.PdfReader(io.BytesIO(written([record("hr", 80.0)], paper))).pages[0].mediabox
    assert (round(box.width), round(box.height)) == size


def test_the_file_about_itself_names_no_patient() -> None:
    reader = pypdf.PdfReader(io.BytesIO(written([record("note", "fell in the bath")])))
    said = " ".join(map(str, (reader.metadata or {}).values()))
    assert "Flowsheet values of dictation 7" in said
    assert "D:20260302194000+00'00'" in said
    assert not any(word in said for word in ("Ann", "Lee", "00123", "1951", "bath", "Kim"))
    assert reader.trailer["/Root"]["/Lang"] == "en"


def test_the_same_export_has_the_same_bytes() -> None:
    assert written([record("hr", 80.0)]) == written([record("hr", 80.0)])
