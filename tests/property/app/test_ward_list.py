"""Any ward list is read without a crash, every line is accounted for, and written lists read back."""

from __future__ import annotations

import csv
import io
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from app.chart.patient_identity import Identity, tidy
from app.services.patients.ward_list import parse_ward_list
from app.services.patients.ward_list_import import plan_of
from extraction.language.birth_dates import birth_dates
from models.base.errors import InputError

letters = st.text(st.characters(categories=["Lu", "Ll"], max_codepoint=0x24F), min_size=1, max_size=12)
numbers = st.from_regex(r"[0-9]{1,8}", fullmatch=True)
days = st.dates(date(1900, 1, 1), date(2020, 1, 1))
people = st.builds(
    Identity,
    name=st.builds("{}, {}".format, letters, letters),
    bed=st.from_regex(r"[1-9][0-9]{0,2}[A-D]?", fullmatch=True),
    mrn=numbers,
    birth_date=days.map(str),
)
wards = st.lists(people, max_size=8, unique_by=(lambda who: who.mrn, lambda who: who.bed, lambda who: who.birth_date))


def written(ward: list[Identity], delimiter: str) -> str:
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, delimiter=delimiter)
    writer.writerow(["Name", "MRN", "Date of birth", "Bed"])
    writer.writerows([who.name, who.mrn, who.birth_date, who.bed] for who in ward)
    return stream.getvalue()


@given(wards, st.sampled_from(",;\t|"), st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))
def test_a_written_list_reads_back(ward: list[Identity], delimiter: str, encoding: str) -> None:
    found = parse_ward_list(written(ward, delimiter).encode(encoding))
    assert [one.identity for one in found.patients] == [tidy(who) for who in ward]
    assert found.refused == ()


@given(st.binary(max_size=400) | st.text(max_size=200).map(lambda text: f"Name,MRN,DOB,Bed\n{text}".encode()))
def test_any_list_is_accepted_and_every_line_is_accounted_for(data: bytes) -> None:
    try:
        found = parse_ward_list(data)
    except InputError:
        return
    lines = [one.line for one in found.patients] + [one.line for one in found.refused]
    assert len(lines) == len(set(lines))
    for one in found.patients:
        assert one.identity.name
        assert one.identity.mrn or one.identity.birth_date
        assert not any(text[:1] in ("=", "+", "@") for text in (one.identity.name, one.identity.mrn))
    plan = plan_of(found, [])
    assert len(plan.new) + len(plan.conflicts) == len(found.patients)


@given(days)
def test_a_day_is_among_its_interpretations_however_it_is_typed(day: date) -> None:
    months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
    for typed in (
        str(day),
        f"{day.day}/{day.month}/{day.year}",
        f"{day.month}-{day.day}-{day.year}",
        f"{day.day} {months[day.month - 1]} {day.year}",
        f"{day:%Y%m%d}",
    ):
        found = birth_dates(typed)
        assert str(day) in found
        assert len(found) == 1 or (day.day <= 12 and typed[0].isdigit())
