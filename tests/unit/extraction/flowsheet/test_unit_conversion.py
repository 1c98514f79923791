"""Units: spoken forms, UCUM codes and conversion."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pint
import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.flowsheet.schema import Row, ValueType
from extraction.flowsheet.ucum import is_ucum
from extraction.flowsheet.unit_conversion import check_spoken_units, contradict, convert, meant, ucum, unit_words
from extraction.language.numbers import numbers
from extraction.language.quantities import Amount, amounts, said_unit
from extraction.language.vocabulary.loader import use_ward_folder
from extraction.language.vocabulary.spoken_units import spoken_units
from extraction.schema_files.checks import doubtful_units
from extraction.schema_files.native_format import load_schema
from extraction.ward_vocabulary import check_vocabularies
from models.base.errors import InputError
from tests.kit.language import add_words

DEMONSTRATION = Path(__file__).parents[4] / "resources" / "schemas" / "medsurg_icu.json"

# pint's names for the common units, from before every UCUM code could be converted.
COMMON = {
    "[degF]": "degF", "Cel": "degC", "kg": "kilogram", "[lb_av]": "pound", "g": "gram", "mg": "milligram",
    "ug": "microgram", "[oz_av]": "ounce", "[cup_us]": "cup",
    "[foz_us]": "fluid_ounce", "cm": "centimeter", "mm": "millimeter",
    "m": "meter", "[in_i]": "inch", "[ft_i]": "foot", "mL": "milliliter", "L": "liter", "L/min": "liter/minute",
    "mL/min": "milliliter/minute", "mL/h": "milliliter/hour", "mm[Hg]": "mmHg", "kPa": "kilopascal",
    "cm[H2O]": "cmH2O", "min": "minute", "s": "second", "h": "hour", "d": "day", "kcal": "kilocalorie",
    "cal": "calorie",
}  # fmt: skip
REGISTRY = pint.UnitRegistry()
UNITS_SAID_ALONE = ("%", "1", "/min", "Hz", "[IU]", "m[IU]", "mg/dL")
common = st.sampled_from(sorted(COMMON))


@pytest.fixture
def ward(tmp_path: Path) -> Iterator[Path]:
    """A folder for ward vocabularies."""
    yield tmp_path
    use_ward_folder(None)


# converting


@given(st.floats(-1e6, 1e6), common, common)
def test_common_units_are_converted_as_pint_converts_them(value: float, source: str, target: str) -> None:
    try:
        known = float(REGISTRY.Quantity(value, COMMON[source]).to(COMMON[target]).magnitude)
    except pint.DimensionalityError:
        assert contradict(source, target)
        with pytest.raises(ValueError, match="cannot be converted into"):
            convert(value, source, target)
    else:
        found = convert(value, source, target)
        close = 0.005 if abs(known) >= 1 else 0.0005 * abs(known)  # two decimals, or four digits below one
        assert found == (value if source == target else pytest.approx(known, rel=1e-9, abs=1.001 * close))
        assert not contradict(source, target)


@pytest.mark.parametrize(
    ("value", "source", "target", "result"),
    [
        (98.6, "[degF]", "Cel", 37.0), (37.0, "Cel", "[degF]", 98.6), (-40.0, "Cel", "[degF]", -40.0),
        (37.0, "Cel", "K", 310.15), (98.6, "[degF]", "K", 310.15), (310.15, "K", "Cel", 37.0),
        (0.0, "K", "[degF]", -459.67),
        (5.0, "mmol/L", "umol/L", 5000.0), (2.0, "ug/kg/min", "mg/kg/h", 0.12), (7.5, "10*3/uL", "10*9/L", 7.5),
        (12.0, "[IU]/h", "k[IU]/h", 0.012), (0.9, "mg/dL", "mg/L", 9.0), (5.0, "ng/mL", "mg/L", 0.005),
        (72.0, "/min", "{beats}/min", 72.0), (42.0, "%", "L/L", 0.42), (0.42, "L/L", "%", 42.0),
        (1.0, "[stone_av]", "kg", 6.35), (1.0, "[cup_us]", "mL", 236.59), (1.0, "wk", "d", 7.0),
        (1.0, "l", "mL", 1000.0), (4.0, "ug", "mg", 0.004), (25.0, "ug", "mg", 0.025),
        (3.0, "100/{cells}", "1", 300.0), (1.2, "[wood'U]", "dyn.s/cm5", 95.99), (1.2, "U/mL", "U/L", 1200.0),
        (7.0, "{score}", "{score}", 7.0), (7.0, "no unit", "no unit", 7.0),
    ],
)  # fmt: skip
def test_every_ucum_code_can_be_converted(value: float, source: str, target: str, result: float) -> None:
    assert convert(value, source, target) == pytest.approx(result, rel=1e-9)


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("mmol/L", "meq/L"), ("mmol/L", "mg/dL"), ("kg", "mL"), ("kg", "no unit"), ("bpm", "/min"), ("kg", "{score}"),
        ("{score}", "{count}"), ("[drp]/min", "mL/h"), ("[Cal]", "kcal"), ("dB", "%"), ("ft", "kg"),
        ("Cel/min", "K/min"),
        ("F", "uF"), ("", "kg"),
    ],
)  # fmt: skip
def test_units_that_cannot_be_converted_are_refused(source: str, target: str) -> None:
    with pytest.raises(ValueError, match="cannot be converted into"):
        convert(1.0, source, target)


@given(st.floats(0.001, 1e5), st.sampled_from(("mmol/L", "ug/kg/min", "[IU]/h", "10*3/uL", "kPa.s/L")))
def test_conversion_round_trips(value: float, unit: str) -> None:
    prefixed = {
        "mmol/L": "umol/L",
        "ug/kg/min": "ng/kg/min",
        "[IU]/h": "m[IU]/h",
        "10*3/uL": "/uL",
        "kPa.s/L": "Pa.s/L",
    }
    there = convert(value, unit, prefixed[unit])
    assert convert(there, prefixed[unit], unit) == pytest.approx(value, rel=0.006)


# contradictions


@pytest.mark.parametrize(
    ("said", "unit", "contradicts"),
    [
        ("kg", "kg", False), ("kg", "{score}", True), ("[IU]", "{count}", True), ("[lb_av]", "kg", False),
        ("mL", "kg", True),
        ("%", "kg", True), ("mL", "mg/dL", True), ("mg", "mg/dL", True), ("/min", "Hz", True), ("[IU]", "mL", True),
        ("mL", "mL/h", True), ("kg", "no unit", False), ("two words", "kg", False), ("[ft_i]", "ft", False),
        ("[degF]", "F", False), ("ug", "ug/kg/min", False), ("mL", "ug/kg/min", False), ("/min", "/min/L", False),
        ("L/min", "L/min/m2", False), ("s", "ms", False), ("mL", "ms", False), ("[IU]", "[USP'U]/min", False),
        ("kg", "mmol/L", False),
    ],
)  # fmt: skip
def test_a_unit_contradicts_a_row_that_measures_something_else(said: str, unit: str, contradicts: bool) -> None:
    assert contradict(said, unit) is contradicts


# spoken units


def test_the_shipped_units_are_ucum_codes() -> None:
    spoken = spoken_units()
    assert [unit for unit in spoken.units if not is_ucum(unit)] == []
    assert set(spoken.said.values()) == {*COMMON, *UNITS_SAID_ALONE}
    assert len(spoken.said) == 127
    assert {large: convert(1.0, large, one.unit) for large, one in spoken.smaller.items()} == {
        large: one.count for large, one in spoken.smaller.items()
    }


@pytest.mark.parametrize(
    ("text", "unit", "rest"),
    [
        ("5 mL", "mL", ""), ("5 liters per minute now", "L/min", " now"), ("5 liters", "L", ""), ("5-CC", "mL", ""),
        ("5 degrees", None, ""), ("5 °F", "[degF]", ""), ("5 mg/dl", "mg/dL", ""), ("5 mg/kg", None, " mg/kg"),
        ("5 of them", None, " of them"), ("5 mlx", None, " mlx"), ("5", None, ""), ("5 degrees Celsius", "Cel", ""),
    ],
)  # fmt: skip
def test_a_unit_is_found_after_its_number(text: str, unit: str | None, rest: str) -> None:
    assert said_unit(text, 1) == (unit, len(text) - len(rest))


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("3 in the left hip", None),
        ("3 in his bag", None),
        ("3 in", "[in_i]"),
        ("3 in by 2 in", "[in_i]"),
        ("3 inches the other day", "[in_i]"),
    ],
)
def test_before_an_article_in_is_no_unit(text: str, unit: str | None) -> None:
    assert said_unit(text, 1)[0] == unit


def test_so_many_cups_are_the_size_of_one() -> None:
    assert said_unit("240 cups", 3)[0] == "mL"
    assert said_unit("2 cups", 1)[0] == "[cup_us]"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("half a liter", [Amount(0.5, "L", 0, 12)]), ("point six of a liter", [Amount(0.6, "L", 0, 20)]),
        ("a quarter of a pound", [Amount(0.25, "[lb_av]", 0, 20)]),
        ("three quarters of a liter", [Amount(0.75, "L", 0, 25)]), ("quarter a liter", [Amount(0.25, "L", 0, 15)]),
        ("a liter and a half", [Amount(1.5, "L", 0, 18)]), ("a litre", [Amount(1.0, "L", 0, 7)]),
        ("a liter a minute", []), ("five foot six", [Amount(66.0, "[in_i]", 0, 13)]),
        ("7 pounds 8 ounces", [Amount(120.0, "[oz_av]", 0, 17)]), ("7 pounds 8", []), ("5 feet 13", []),
        ("5 feet and 2 inches", [Amount(62.0, "[in_i]", 0, 19)]),
    ],
)  # fmt: skip
def test_amounts_are_found_in_other_words(text: str, found: list[Amount]) -> None:
    assert amounts(text, numbers(text)) == tuple(found)


def test_a_spoken_unit_depends_on_the_rows_unit() -> None:
    rows = ("mL", "L", "[foz_us]", "kg", "cm[H2O]", "L/min", None)
    assert [meant("[oz_av]", row) for row in rows] == ["[foz_us]"] * 3 + ["[oz_av]"] * 4
    assert [meant("cm", row) for row in rows] == ["cm"] * 4 + ["cm[H2O]"] + ["cm"] * 2
    assert [meant("L", row) for row in rows] == ["L"] * 5 + ["L/min", "L"]


def test_units_are_displayed_in_their_usual_form() -> None:
    assert [unit_words(unit) for unit in ("[degF]", "{score}", "mL", None, "ug")] == ["°F", "", "mL", "", "mcg"]
    assert [ucum(words) for words in (" MLS ", "kg", "mm[Hg]", "[degF]", "points")] == [
        "mL",
        "kg",
        "mm[Hg]",
        "[degF]",
        None,
    ]


def test_pint_and_ucumvert_load_on_first_conversion() -> None:
    script = """
import sys
from extraction.ward_vocabulary import check_vocabularies
from extraction.flowsheet.unit_conversion import contradict, convert
from extraction.language.quantities import said_unit
check_vocabularies(), said_unit("5 mL", 1), contradict("mL", "{score}"), convert(1.0, "kg", "kg")
assert not {"pint", "lark", "ucumvert"} & set(sys.modules), "loaded at once"
assert convert(1.0, "kg", "g") == 1000.0
assert "pint" in sys.modules and not {"lark", "ucumvert"} & set(sys.modules), "loaded for common units"
assert convert(1.0, "mmol/L", "umol/L") == 1000.0
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


# ward additions


def test_a_ward_unit_is_recognised_converted_and_displayed(ward: Path) -> None:
    assert said_unit("5 millimoles per liter", 1) == (None, 1)
    add_words(
        ward,
        "units",
        '[said]\n"mmol/L" = ["millimoles per liter"]\n"umol/L" = ["micromoles per liter"]\nmL = ["emels"]\n'
        '[short.L]\n"mL/min" = "L/min"\n[parts]\n"one third" = 0.3333\n[written]\n"umol/L" = "µmol/L"\n'
        '[smaller."[stone_av]"]\nunit = "[lb_av]"\ncount = 14.0\nbare = true\n'
        '[alike]\n"mmol/L" = ["meq/L"]\n[whole]\npint = "[pt_us]"\n',
    )
    use_ward_folder(ward)
    check_vocabularies()
    assert said_unit("5 millimoles per liter", 1) == ("mmol/L", 22)
    assert said_unit("5 emels", 1) == ("mL", 7)
    assert meant("L", "mL/min") == "L/min"
    assert amounts("one third of a liter and a pint", []) == (
        Amount(0.3333, "L", 0, 20),
        Amount(1.0, "[pt_us]", 25, 31),
    )
    assert unit_words("umol/L") == "µmol/L"
    assert not contradict("mmol/L", "umol/L")
    assert not contradict("mmol/L", "meq/L")
    assert contradict("mmol/L", "mL")
    use_ward_folder(None)
    assert said_unit("5 emels", 1) == (None, 1)


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ('[said]\nmmHg = ["torr"]', "“mmHg” is not a UCUM code"),
        ('[short.mL]\n"ml per hour" = "mL/h"', "“ml per hour” is not a UCUM code"),
        ('[written]\nbpm = "a minute"', "“bpm” is not a UCUM code"),
        ('[said]\n"mmol/L" = ["ml"]', "“ml” is said of mL, too"),
        ('[said]\n"mmol/L" = ["Milli"]', "said.mmol/L: “Milli” must be in lower case"),
        ('[said]\n"mmol/L" = [" m"]', "said.mmol/L: “ m” must be a text of single words"),
        ('[said]\n"mmol/L" = [""]', "said.mmol/L: “” must be a text"),
        ('[said]\n"mmol/L" = [3]', "said.mmol/L: “3” must be a text"),
        ('[said]\n"mmol/L" = "milli"', "said.mmol/L is not known, or is of another kind"),
        ('[short.mL]\n"mL/h" = 3', "short.mL.mL/h: “3” must be a unit"),
        ('[smaller."[stone_av]"]\nunit = "[lb_av]"\ncount = 16.0\nbare = true', "there are 14 [lb_av] in one"),
        ('[smaller."[stone_av]"]\nunit = "mL"\ncount = 16.0\nbare = true', "[stone_av] cannot be converted into mL"),
        ('[smaller."[stone_av]"]\nunit = "[lb_av]"', "smaller.[stone_av]: it must have unit"),
        ("[parts]\nmany = 2.5", "parts.many: 2.5 must lie between 0 and 1"),
        ('[whole]\nGallon = "[gal_us]"', "whole: “Gallon” must be in lower case"),
        ('[after_number]\nother = ["x"]', "after_number.other is not known"),
        ("[after_number.word_before]\nin = 5", "after_number.word_before.in is not known, or is of another kind"),
        ("[longer]\nx = 1", "longer"),
        ("[parts]\nhalf = 0.4", "parts.half is not known, or is of another kind"),
    ],
)
def test_invalid_ward_units_are_refused_with_their_location(ward: Path, content: str, place: str) -> None:
    path = add_words(ward, "units", content)
    use_ward_folder(ward)
    with pytest.raises(InputError) as caught:
        check_spoken_units()
    assert str(path) in caught.value.what
    assert place in caught.value.what


# schemas


def test_schema_units_that_are_not_ucum_codes_are_reported() -> None:
    rows = [
        Row(str(place), "Row", ValueType.NUMERIC, ("A",), unit=unit, ucum=code)
        for place, (unit, code) in enumerate(
            [("mmHg", None), ("mm[Hg]", None), ("points", "{score}"), ("torr", None), ("°F", "degF"), ("ft", None),
             (None, None), ("ft", "[ft_i]"), ("l", None), ("ft", "ft")]
        )
    ]  # fmt: skip
    assert [(one.row, one.what, one.fix) for one in doubtful_units(rows)] == [
        (0, 'Row "0" (Row): its unit "mmHg" is not a UCUM code.', 'Give it the code "ucum" "mm[Hg]".'),
        (3, 'Row "3" (Row): its unit "torr" is not a UCUM code.', 'Give it a code "ucum"; see ucum.org.'),
        (4, 'Row "4" (Row): its code "degF" is not a UCUM code.', 'Give it a code "ucum"; see ucum.org.'),
        (5, 'Row "5" (Row): its unit "ft" is another unit in UCUM.', 'Give it the code "ucum" "[ft_i]".'),
    ]


def test_the_demonstration_schema_uses_ucum() -> None:
    assert list(doubtful_units(load_schema(DEMONSTRATION).rows)) == []
