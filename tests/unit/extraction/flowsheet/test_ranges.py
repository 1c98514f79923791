"""How values are judged against their rows' ranges, and how that is worded."""

from __future__ import annotations

import pytest

import resources
from extraction.flowsheet.errors import OutOfRange
from extraction.flowsheet.ranges import (
    Caution,
    Outside,
    RangeLevel,
    absolute_of,
    accepted_text,
    caution,
    interpretation,
    judge_ranges,
    judged_words,
    level,
    normal_text,
    refuse,
)
from extraction.flowsheet.schema import Interval, Row, Schema, ValueType
from extraction.flowsheet.values import Value
from extraction.schema_files.native_format import load_schema
from models.base.errors import InputError

SPO2 = Row(
    "spo2", "SpO2", ValueType.NUMERIC, ("Vitals",), unit="%", ucum="%", minimum=30, maximum=100,
    critical=(Interval(88),), reference=(Interval(94, 100),),
)  # fmt: skip
HR = Row(
    "hr", "Heart rate", ValueType.NUMERIC, ("Vitals",), unit="/min", minimum=20, maximum=300,
    absolute=(Interval(0, 350),), critical=(Interval(40, 130),), reference=(Interval(60, 100),),
)  # fmt: skip
BP = Row(
    "bp", "Blood pressure", ValueType.BLOOD_PRESSURE, ("Vitals",), unit="mm[Hg]", minimum=20, maximum=300,
    absolute=(Interval(0, 400), Interval(0, 300)), critical=(Interval(80, 200), Interval(40, 120)),
    reference=(Interval(90, 140), Interval(60, 90)),
)  # fmt: skip
TEMP = Row(
    "temp", "Temperature", ValueType.QUANTITY, ("Vitals",), unit="Cel", ucum="Cel", dimension="temperature",
    minimum=25, maximum=45, critical=(Interval(35, 39.5),), reference=(Interval(36.1, 37.9),),
)  # fmt: skip


@pytest.fixture(scope="module")
def demonstration() -> Schema:
    return load_schema(resources.DEMONSTRATION_SCHEMA)


@pytest.mark.parametrize(
    ("row", "value", "judged", "code", "words"),
    [
        (SPO2, 400.0, RangeLevel.IMPOSSIBLE, "H", "not possible"),
        (SPO2, 20.0, RangeLevel.IMPLAUSIBLE, "LL", "implausibly low"),
        (SPO2, 59.0, RangeLevel.CRITICAL, "LL", "critically low"),
        (SPO2, 90.0, RangeLevel.ABNORMAL, "L", "low"),
        (SPO2, 94.0, RangeLevel.NORMAL, "N", ""),
        (HR, 130.0, RangeLevel.ABNORMAL, "H", "high"),
        (HR, 131.0, RangeLevel.CRITICAL, "HH", "critically high"),
        (HR, 301.0, RangeLevel.IMPLAUSIBLE, "HH", "implausibly high"),
        (HR, 351.0, RangeLevel.IMPOSSIBLE, "HH", "not possible"),
        (TEMP, 38.9, RangeLevel.ABNORMAL, "H", "high"),
        (BP, "120/80", RangeLevel.NORMAL, "N/N", ""),
        (BP, "88/46", RangeLevel.ABNORMAL, "L/L", "systolic low, diastolic low"),
        (BP, "190/39", RangeLevel.CRITICAL, "H/LL", "systolic high, diastolic critically low"),
        (BP, "142/78", RangeLevel.ABNORMAL, "H/N", "systolic high"),
    ],
)
def test_a_value_is_judged_by_its_rows_ranges(
    row: Row, value: Value, judged: RangeLevel, code: str, words: str
) -> None:
    assert (level(row, value), interpretation(row, value), judged_words(row, value)) == (judged, code, words)


def test_without_ranges_or_numbers_nothing_is_judged() -> None:
    plain = Row("x", "X", ValueType.NUMERIC, ("A",))
    assert [(one.level, one.code) for one in judge_ranges(plain, -7.0)] == [(RangeLevel.NOT_JUDGED, "")]
    assert (interpretation(plain, -7.0), caution(plain, -7.0), accepted_text(plain)) == ("", None, "")
    assert judge_ranges(Row("y", "Y", ValueType.YES_NO, ("A",)), True) == ()
    assert judge_ranges(HR, "sixty") == ()
    assert judge_ranges(BP, "120") == ()
    critical_alone = Row("z", "Z", ValueType.NUMERIC, ("A",), critical=(Interval(None, 5),))
    assert [(one.level, one.code) for one in judge_ranges(critical_alone, 3.0)] == [(RangeLevel.NOT_JUDGED, "")]


@pytest.mark.parametrize(
    ("unit", "low", "high", "absolute"),
    [
        ("%", None, 100.0, (Interval(0.0, 100.0),)),
        ("%", 21.0, 60.0, (Interval(0.0, 100.0),)),
        ("%", 0.0, 150.0, ()),  # a percentage of a predicted value may exceed 100
        ("%", None, None, ()),
        ("%", -50.0, 50.0, ()),
        ("/min", None, None, (Interval(0.0, None),)),
        ("{beats}/min", None, 200.0, (Interval(0.0, None),)),
        ("/min", -40.0, 40.0, ()),
        ("mL", 0.0, None, (Interval(0.0, None),)),
        ("kg", 1.0, 300.0, (Interval(0.0, None),)),
        ("mL/h", 0.0, 300.0, (Interval(0.0, None),)),
        ("mL", None, None, ()),  # a balance has the same unit
        ("mL", -20000.0, 20000.0, ()),
        ("Cel", 0.0, 45.0, ()),
        ("mm[Hg]", 0.0, 100.0, ()),
        ("{score}", 0.0, 10.0, ()),
        (None, 0.0, 10.0, ()),
    ],
)
def test_only_certainly_impossible_numbers_are_inferred(
    unit: str | None, low: float | None, high: float | None, absolute: tuple[Interval, ...]
) -> None:
    assert absolute_of(Row("x", "X", ValueType.NUMERIC, ("A",), unit=unit, minimum=low, maximum=high)) == absolute


def test_the_schemas_absolute_range_wins() -> None:
    row = Row("x", "X", ValueType.NUMERIC, ("A",), unit="%", maximum=100, absolute=(Interval(None, 120),))
    assert absolute_of(row) == (Interval(None, 120),)


def test_impossible_values_are_refused_even_if_confirmed() -> None:
    told = Caution("spo2", 400.0, Outside.PLAUSIBLE)
    with pytest.raises(InputError) as caught:
        refuse(SPO2, 400.0, told)
    assert not isinstance(caught.value, OutOfRange)
    assert str(caught.value) == "400 % is not possible: SpO2 accepts 0–100 %. Correct it, or leave it out."


@pytest.mark.parametrize(
    ("row", "value", "outside", "said"),
    [
        (SPO2, 59.0, Outside.CRITICAL, "SpO2 59 % is critically low."),
        (SPO2, 20.0, Outside.PLAUSIBLE, "SpO2 20 % is outside the plausible range (30–100 %)."),
        (BP, "88/39", Outside.CRITICAL, "Blood pressure 88/39 mmHg: diastolic 39 is critically low."),
        (HR, 12.0, Outside.PLAUSIBLE, "Heart rate 12 /min is outside the plausible range (20–300 /min)."),
        (
            BP,
            "310/90",
            Outside.PLAUSIBLE,
            "Blood pressure 310/90 mmHg: systolic 310 is outside the plausible range (20–300 mmHg).",
        ),
        (
            BP,
            "80/90",
            Outside.PLAUSIBLE,
            "Blood pressure 80/90 mmHg: the systolic pressure is not above the diastolic.",
        ),
    ],
)
def test_alarming_values_need_a_confirmation_of_that_exact_value(
    row: Row, value: Value, outside: Outside, said: str
) -> None:
    with pytest.raises(OutOfRange) as caught:
        refuse(row, value)
    assert caught.value.what == said
    needed = caution(row, value)
    assert needed == Caution(row.id, value, outside)
    assert refuse(row, value, needed) is outside
    for other in (Caution("other", value, outside), Caution(row.id, 1.0, outside)):
        with pytest.raises(OutOfRange):
            refuse(row, value, other)


def test_merely_abnormal_values_need_only_one_decision() -> None:
    for row, value in ((SPO2, 90.0), (BP, "88/46"), (TEMP, 38.9), (HR, 72.0)):
        assert refuse(row, value) is None


def test_accepted_and_normal_ranges_are_worded() -> None:
    assert (accepted_text(HR), normal_text(HR)) == ("0–350", "60–100")
    assert (accepted_text(BP), normal_text(BP)) == ("0–400 / 0–300", "90–140 / 60–90")
    systolic = Row("p", "P", ValueType.BLOOD_PRESSURE, ("A",), reference=(Interval(90, 140), Interval()))
    assert (accepted_text(systolic), normal_text(systolic)) == ("", "systolic 90–140")
    assert accepted_text(TEMP) == "25–45"
    assert normal_text(Row("g", "GCS", ValueType.NUMERIC, ("A",), reference=(Interval(15, 15),))) == "15"
    below = Row("x", "X", ValueType.NUMERIC, ("A",), minimum=-5, maximum=4, reference=(Interval(None, 2),))
    assert (accepted_text(below), normal_text(below)) == ("-5 to 4", "up to 2")


@pytest.mark.parametrize(
    ("row_id", "value", "judged"),
    [
        ("o2.spo2", 59.0, RangeLevel.CRITICAL),
        ("o2.spo2", 400.0, RangeLevel.IMPOSSIBLE),
        ("vs.bp", "88/46", RangeLevel.ABNORMAL),
        ("vs.bp", "120/76", RangeLevel.NORMAL),
        ("vs.temperature", 38.9, RangeLevel.ABNORMAL),
        ("vs.temperature", 37.0, RangeLevel.NORMAL),
        ("vs.heart_rate", 36.0, RangeLevel.CRITICAL),
        ("vs.heart_rate", 400.0, RangeLevel.IMPOSSIBLE),
        ("vs.resp_rate", 32.0, RangeLevel.CRITICAL),
        ("gcs.total", 7.0, RangeLevel.CRITICAL),
        ("gcs.total", 16.0, RangeLevel.IMPOSSIBLE),
        ("pain.score", 11.0, RangeLevel.IMPOSSIBLE),
        ("glu.poc", 48.0, RangeLevel.CRITICAL),
        ("o2.fio2", 140.0, RangeLevel.IMPOSSIBLE),
        ("out.urine", -20.0, RangeLevel.IMPOSSIBLE),
        ("out.net", -1200.0, RangeLevel.NOT_JUDGED),
        ("hemo.art_map", 58.0, RangeLevel.CRITICAL),
    ],
)
def test_the_demonstration_schema_has_alarming_ranges_for_adults(
    demonstration: Schema, row_id: str, value: Value, judged: RangeLevel
) -> None:
    assert level(demonstration.row(row_id), value) is judged


def test_the_demonstration_schemas_scales_have_the_right_ends(demonstration: Schema) -> None:
    scales = [row for row in demonstration.rows if row.ucum == "{score}"]
    assert len(scales) > 25
    assert [row.id for row in scales if row.absolute != (Interval(row.minimum, row.maximum),)] == []
