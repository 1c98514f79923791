"""Terse names of rows are written out by what the export and the vocabularies say, and left as they are otherwise."""

from __future__ import annotations

import pytest

from extraction.contract.names.expansion import expand_names
from extraction.contract.names.records import Evidence, Expansion, NamedRow, NameToken


def row(name: str, group: str = "", options: tuple[str, ...] = (), label: str = "", unit: str = "") -> NamedRow:
    return NamedRow(name, name, (label,) if label else (), (group,) if group else (), options, unit)


def expanded(*rows: NamedRow, texts: tuple[str, ...] = ()) -> list[Expansion]:
    return expand_names(rows, texts)


def name_of(one: NamedRow, *others: NamedRow) -> str:
    return expanded(one, *others)[0].name


def token(one: NamedRow, text: str, *others: NamedRow) -> NameToken:
    return next(token for token in expanded(one, *others)[0].tokens if token.text == text)


@pytest.mark.parametrize(
    ("terse", "written"),
    [
        (row("LUE Str"), "Left upper extremity strength"),
        (row("Urine Str"), "Urine Strain"),
        (row("R Lung Ausc", "Respiratory"), "Right Lung Auscultation"),
        (row("Resp Pat"), "Respiratory pattern"),
        (row("Pt Pos", options=("Supine", "Prone")), "Patient position"),
        (row("BP Loc"), "Blood pressure location"),
        (row("Loc", "Neuro", ("Alert", "Lethargic")), "Level of consciousness"),
        (row("Cap Refill"), "Capillary Refill"),
        (row("Vital Cap"), "Vital Capacity"),
        (row("Joint ROM"), "Joint Range of Motion"),
        (row("Amniotic Fluid ROM"), "Amniotic Fluid Rupture of Membranes"),
        (row("PIV1 Dsg Chg"), "Peripheral IV 1 dressing change"),
        (row("Temp. Source"), "Temperature Source"),
        (row("B/P Method"), "Blood Pressure Method"),
        (row("TEMP SOURCE SITE"), "TEMPERATURE SOURCE SITE"),
    ],
)
def test_an_abbreviation_means_what_the_words_around_it_show(terse: NamedRow, written: str) -> None:
    assert name_of(terse) == written


@pytest.mark.parametrize("name", ["Resp Rt", "Pos", "Str", "L Zork"])
def test_an_abbreviation_with_several_meanings_is_asked_about_where_nothing_decides(name: str) -> None:
    one = expanded(row(name))[0]
    assert one.name == name
    assert [len(token.possible) > 1 for token in one.open] == [True] * len(one.open)
    assert one.open


@pytest.mark.parametrize(
    "name",
    [
        "Propofol (mcg/kg/min)", "Insulin (units/hr)", "Apgar 5 min", "Pupil Size (mm)", "Post-Fall Injury",
        "I:E Ratio", "SAT Screen", "JUGULAR VENOUS DISTENTION (JVD)", "Patient is calm", "Newborn Weight (g)", "pO2",
    ],
)  # fmt: skip
def test_units_prefixes_and_initials_of_something_else_stay(name: str) -> None:
    assert name_of(row(name)) == name


def test_a_label_says_what_the_words_of_a_name_stand_for() -> None:
    zork = token(row("Zrk Lvl", label="Zorkelian level"), "Zrk")
    assert (zork.meaning and zork.meaning.text, zork.meaning and zork.meaning.evidence) == (
        "zorkelian",
        Evidence.LABEL,
    )
    assert name_of(row("SOQ", label="Sense of quiet")) == "Sense of quiet"
    assert name_of(row("Prphl IV Flush", label="Flush of peripheral IV")) == "Peripheral IV Flush"
    assert name_of(row("Pain", label="Painful zork")) == "Pain"


def test_a_terse_label_keeps_no_name_terse() -> None:
    assert name_of(row("BM", label="BM freq")) == "Bowel movement"


def test_what_one_row_shows_holds_for_other_rows() -> None:
    shown = token(row("Zrk Site"), "Zrk", row("Zrk Lvl", label="Zorkelian level"))
    assert shown.meaning is not None
    assert (shown.meaning.text, shown.meaning.evidence) == ("zorkelian", Evidence.ROW)


def test_rows_that_show_different_things_show_nothing() -> None:
    rows = (row("Zrk Lvl", label="Zorkelian level"), row("Zrk Amt", label="Zarkonian amount"))
    assert token(row("Zrk Site"), "Zrk", *rows).meaning is None


def test_a_text_explains_an_abbreviation() -> None:
    for text in ("Charted is the sense of quiet (SOQ) of a shift", "SOQ = sense of quiet"):
        assert expanded(row("SOQ"), texts=(text,))[0].name == "Sense of quiet"


def test_a_side_is_recognised_by_the_row_of_the_other_side() -> None:
    assert [one.name for one in expanded(row("L Zork"), row("R Zork"))] == ["Left Zork", "Right Zork"]
    assert name_of(row("Zork (L)"), row("Zork (right)")) == "Zork (Left)"


def test_a_letter_that_counts_things_is_no_word() -> None:
    names = ("Newborn A Breath Sounds", "Newborn B Breath Sounds")
    assert [one.name for one in expanded(*map(row, names))] == list(names)


def test_a_letter_with_which_many_names_begin_marks_rows() -> None:
    marked = [row(f"R LUNG ZORK {number}") for number in range(20)]
    assert [one.name for one in expanded(*marked)] == [one.name for one in marked]
    assert name_of(row("R LUNG SOUNDS")) == "RIGHT LUNG SOUNDS"


def test_a_word_of_no_list_is_found_in_its_group_and_its_options() -> None:
    grouped = token(row("Zorkel Lvl", "Zorkelianism"), "Zorkel")
    assert grouped.meaning is not None
    assert (grouped.meaning.text, grouped.meaning.evidence) == ("zorkelianism", Evidence.GROUP)
    chosen = token(row("Flurb", options=("Flurbescent", "Clear")), "Flurb")
    assert chosen.meaning is not None
    assert chosen.meaning.evidence is Evidence.OPTION


def test_a_shortened_word_is_the_one_word_with_which_the_name_is_that_of_a_concept() -> None:
    short = token(row("Sputum Consis"), "Consis")
    assert short.meaning is not None
    assert (short.meaning.text, short.meaning.evidence) == ("consistency", Evidence.WORD)


def test_a_shortened_word_that_no_concept_confirms_is_asked_about() -> None:
    assert token(row("Zrkln"), "Zrkln", row("Zorkelian fields")) == NameToken("Zrkln", None, ("zorkelian",))
    assert token(row("Zork"), "Zork", row("Zorkelian fields"), row("Zorkbluntness")) == NameToken("Zork")


def test_a_meaning_that_is_the_word_itself_leaves_it_as_it_is() -> None:
    assert expanded(row("PR Interval"))[0].tokens == (NameToken("PR"), NameToken("Interval"))


def test_a_word_that_concepts_have_is_not_taken_for_a_shortened_one() -> None:
    assert name_of(row("Pain"), row("Painlessness")) == "Pain"


def test_the_least_sure_word_says_how_sure_a_name_is() -> None:
    one = expanded(row("Temp Zork"))[0]
    assert one.confidence == min(token.meaning.confidence for token in one.tokens if token.meaning) < 0.9
    assert expanded(row("Pain"))[0].confidence == 1


STOOL = ("Formed", "Loose", "Liquid", "Hard")
EDEMA = ("None", "Trace", "1+", "2+", "3+", "4+")


@pytest.mark.parametrize(
    ("terse", "written"),
    [
        (row("Stl Cnsst", "GI", STOOL), "Stool consistency"),  # letters left out
        (row("RLE Edm", "Vascular", EDEMA), "Right lower extremity edema"),
        (row("R Pttrn", "Resp", ("Regular", "Irregular", "Tachypneic")), "Respiratory pattern"),  # an initial
        (row("L Pup Sz", "Neuro", unit="mm"), "Left pupil size"),
        (row("Sz Precs"), "Seizure precautions"),
        (row("PI 2 Stg", "Skin", ("Stage 1", "Stage 2", "Unstageable")), "Pressure injury 2 stage"),
    ],
)
def test_the_concept_that_the_whole_name_abbreviates_says_what_its_words_are(terse: NamedRow, written: str) -> None:
    assert name_of(terse).casefold() == written.casefold()


@pytest.mark.parametrize(
    "terse",
    [
        row("Newborn A Cord", "Newborn A Assessment"),
        row("I.V.", "Intake", unit="mL"),
        row("Restraint D/C Criteria Met", "Restraints", ("Yes", "No")),
        row("R Eye", "HEENT", ("Clear", "Red", "Swollen")),
    ],
)
def test_no_concept_is_forced_upon_a_name(terse: NamedRow) -> None:
    assert all(token.meaning is None or token.meaning.evidence is not Evidence.CONCEPT
               for token in expanded(terse)[0].tokens)  # fmt: skip


def test_the_group_completes_the_name_of_a_concept() -> None:
    quality = row("Qual", "Pain", ("Aching", "Sharp", "Dull", "Burning"))
    assert expanded(quality)[0].grouped == "Pain quality"
    other = NamedRow("other", "Qual", (), ("Pain",), quality.options)
    assert [one.grouped for one in expanded(quality, other)] == ["", ""]  # never two rows the same
