"""Any text stands in a field as what it is, and only as that."""

from __future__ import annotations

import hl7
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.exchange.hl7.escaping import escape, unescape
from app.exchange.hl7.fields import components, segment
from app.exchange.observations import RowCodes
from tests.unit.app.exchange.hl7.samples import hospital_codes, observation, read, text, written

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1) | st.text(
    st.sampled_from('|^~\\&\r\n\x0b\x1c"EFSRTX0A.br é\u0085\u2028'), min_size=1
)


def up_to(length: int) -> st.SearchStrategy[str]:
    """Texts that say something and that the standard has room for."""
    return TEXTS.filter(lambda said: bool(said.strip()) and len(escape(said)) <= length)


@given(TEXTS)
def test_any_text_comes_back_as_it_was(said: str) -> None:
    assert unescape(escape(said)) == said


@given(TEXTS, TEXTS)
def test_a_second_library_reads_any_text_as_it_was(first: str, second: str) -> None:
    data = "\r".join(["MSH|^~\\&|A", segment("NTE", {3: components(first, second), 4: "end"}), ""])
    note = hl7.parse(data).segment("NTE")
    assert (text(note, 3), text(note, 3, 2), text(note, 4)) == (first, second, "end")
    assert len(hl7.parse(data)) == 2


@pytest.mark.parametrize(
    ("said", "as_written"),
    [
        ("a|b^c~d\\e&f", r"a\F\b\S\c\R\d\E\e\T\f"),
        ("one\r\ntwo", r"one\X0D\\X0A\two"),
        ("\x0bframe\x1c\r", r"\X0B\frame\X1C\\X0D" + "\\"),
        ("½ tablet – 37 °C", "½ tablet – 37 °C"),
        ('""', "\\X2222\\"),
        ('"quoted"', '"quoted"'),
    ],
)
def test_how_text_is_written(said: str, as_written: str) -> None:
    assert escape(said) == as_written


@pytest.mark.parametrize(
    ("as_written", "said"),
    [
        (r"first\.br\second", "first\nsecond"),
        (r"first\.sp2\second", "first\nsecond"),
        (r"\H\bold\N\ text", "bold text"),
        (r"\XC3A9\t\XC3A9\ ", "été "),
        (r"\Zlocal\ stays", r"\Zlocal\ stays"),
        ("half a \\ sequence", "half a \\ sequence"),
    ],
)
def test_what_others_write_is_read(as_written: str, said: str) -> None:
    assert unescape(as_written) == said


def test_other_delimiters_are_read() -> None:
    assert unescape("a$F$b$S$c$E$", "#@*$%") == "a#b@c$"


@settings(max_examples=60)
@given(*[up_to(20), *[up_to(199)] * 5])
def test_any_text_in_any_place_makes_a_valid_message(
    bed: str, mrn: str, reviewer: str, code: str, name: str, said: str
) -> None:
    reviewer = reviewer.replace(",", ";")  # one comma parts a name
    codes = hospital_codes(vs__heart_rate_source=RowCodes(code, name, {"Apical": code}))
    sent = observation(
        "vs.heart_rate_source", "Apical", patient_mrn=mrn, patient_bed=bed, reviewer=reviewer, sentence=said
    )
    heard = read(written(sent, codes=codes))
    result = heard.segment("OBX")
    assert text(heard.segment("PID"), 3) == mrn
    assert text(heard.segment("PV1"), 3, 3) == bed
    assert text(result, 16, 2) == reviewer
    assert (text(result, 3), text(result, 3, 2), text(result, 5)) == (code, name, code)
    assert text(heard.segment("NTE"), 3) == said
    assert [str(one[0]) for one in heard] == ["MSH", "PID", "PV1", "OBR", "OBX", "NTE"]


def test_text_that_looks_like_a_message_stays_text() -> None:
    said = "calm\rOBX|9|NM|vs.heart_rate^x^L||40||||||F\r"
    heard = read(written(observation("vent.ie", said, sentence=said)))
    assert len(heard.segments("OBX")) == 1
    assert text(heard.segment("OBX"), 5) == said
    assert text(heard.segment("NTE"), 3) == said
