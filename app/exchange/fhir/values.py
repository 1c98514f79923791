"""The value of an observation by the type of its row: one `value[x]`, or components with a value each."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, time
from typing import TypeVar

from app.exchange.fhir import datatypes
from app.exchange.fhir.datatypes import LOINC, UCUM, Json, clean, coding, concept, filled
from app.exchange.fhir.hospital_codes import CodeBook
from app.exchange.fhir.vital_signs import BLOOD_PRESSURE, PRESSURE_PARTS
from app.exchange.records import ExportRecord, content_words
from extraction.flowsheet.schema import PRESSURES, Interval, Row, ValueType
from extraction.flowsheet.unit_conversion import ucum
from extraction.flowsheet.values import NotObtained, Value
from models.base.errors import InputError

Read = TypeVar("Read")

# by why a value was not obtained, the code of FHIR; for a patient who cannot be assessed there is none but this
_ABSENT = {
    NotObtained.REFUSED: "asked-declined",
    NotObtained.UNABLE: "unknown",
    NotObtained.NOT_DONE: "not-performed",
    NotObtained.NOT_APPLICABLE: "not-applicable",
}
_NOT_MEASURED = re.compile(r"[\s\-–—?]*")  # in the place of one number of a blood pressure


def value_elements(record: ExportRecord, row: Row, book: CodeBook) -> Json:
    """The elements that hold the value, with its reference range and interpretation; or why there is none.

    Raises InputError if the value is not of the row's type.
    """
    if isinstance(record.value, NotObtained):
        return _not_obtained(record.value, record, row)
    match row.value_type, record.value:
        case ((ValueType.NUMERIC | ValueType.QUANTITY), (int() | float()) as number) if not isinstance(number, bool):
            return {"valueQuantity": _quantity(number, record, row), **_judged(record, row, 0)}
        case ValueType.BLOOD_PRESSURE, str(pressure):
            return {"component": _pressures(pressure, record, row)}
        case ValueType.SINGLE_SELECT, str(option):
            return {"valueCodeableConcept": book.option(row, option)}
        case ValueType.MULTI_SELECT, tuple(options) if options:
            # Several codings of one concept would say the same thing in several systems. Guides for answers of which
            # several apply put each into a component under the code of the question, one answer like several.
            return {
                "component": [{"code": book.row(row), "valueCodeableConcept": book.option(row, one)} for one in options]
            }
        case ValueType.YES_NO, bool(answer):
            name = content_words(answer)
            coded = book.has_option(row, name)
            return {"valueCodeableConcept": book.option(row, name)} if coded else {"valueBoolean": answer}
        case ValueType.TEXT, str(text):
            return {"valueString": clean(text)}
        case ValueType.DATE, str(day):
            return {"valueDateTime": _read(date.fromisoformat, day, row).isoformat()}
        case ValueType.TIME, str(minute):
            return {"valueTime": _read(time.fromisoformat, minute, row).isoformat("seconds")}
        case ValueType.DATE_TIME, str(minute):
            return {"valueDateTime": _read(datatypes.local_date_time, minute, row)}
    raise _unreadable(record.value, row)


def _not_obtained(why: NotObtained, record: ExportRecord, row: Row) -> Json:
    """The reason, of a blood pressure for each of its parts, too: its profile has both in any case."""
    reason = {"dataAbsentReason": datatypes.absent(_ABSENT[why], why.value)}
    if row.value_type is not ValueType.BLOOD_PRESSURE:
        return reason
    parts = zip(PRESSURES, PRESSURE_PARTS, strict=True)
    return reason | {"component": [{"code": _part_code(name, loinc, record, row), **reason} for name, loinc in parts]}


def ucum_code(unit: str | None, row: Row) -> str:
    """The UCUM code of the unit that a value is charted in; empty if it is unknown.

    Without a code in the schema only known spellings count: many texts are UCUM by chance, such as `pt`, a picotonne.
    """
    if unit == row.unit and row.ucum:
        return row.ucum
    codes = [part and ucum(part) for part in (unit or "").split("/")]
    return ucum(unit or "") or ("" if None in codes else "/".join(map(str, codes)))


def _quantity(number: float, record: ExportRecord, row: Row) -> Json:
    code = ucum_code(record.unit, row)
    return filled(
        value=datatypes.number(number, f"Row {row.name!r} ({row.id})"),
        unit=clean(record.unit or code),
        system=UCUM if code else "",
        code=code,
    )


def _pressures(pressure: str, record: ExportRecord, row: Row) -> list[Json]:
    """Both numbers as components, or the reason why one is missing; LOINC only if the row is a systemic pressure."""
    parts = pressure.split("/")
    if len(parts) != len(PRESSURES) or all(_NOT_MEASURED.fullmatch(part) for part in parts):
        raise _unreadable(pressure, row)
    components = []
    for place, (name, loinc, part) in enumerate(zip(PRESSURES, PRESSURE_PARTS, parts, strict=True)):
        component = {"code": _part_code(name, loinc, record, row)}
        if _NOT_MEASURED.fullmatch(part):
            component["dataAbsentReason"] = datatypes.absent("unknown")
        else:
            component["valueQuantity"] = _quantity(_read(float, part, row), record, row)
            component |= _judged(record, row, place)
        components.append(component)
    return components


def _part_code(name: str, loinc: str, record: ExportRecord, row: Row) -> Json:
    of_part = [coding(LOINC, loinc)] if record.loinc == BLOOD_PRESSURE else []
    return concept(*of_part, text=f"{row.name}, {name}")


def _judged(record: ExportRecord, row: Row, place: int) -> Json:
    """Interpretation and reference range of one number: of a blood pressure, of the one in this place."""
    codes = record.interpretation.split("/")
    return filled(
        interpretation=datatypes.interpretation(codes[place] if place < len(codes) else ""),
        referenceRange=_reference_range(row.reference[place : place + 1], record, row),
    )


def _reference_range(intervals: Sequence[Interval], record: ExportRecord, row: Row) -> list[Json]:
    bounds = [
        filled(
            low=None if one.minimum is None else _quantity(one.minimum, record, row),
            high=None if one.maximum is None else _quantity(one.maximum, record, row),
        )
        for one in intervals
    ]
    return [one for one in bounds if one]


def _read(read: Callable[[str], Read], text: str, row: Row) -> Read:
    try:
        return read(text)
    except ValueError:
        raise _unreadable(text, row) from None


def _unreadable(value: Value, row: Row) -> InputError:
    return InputError(
        f"{value!r} is not a value of row {row.name!r} ({row.id}), so it cannot be sent.",
        "Correct the value and send it again.",
    )
