"""One observation as results: what stands in OBX-2 to OBX-8 and in OBX-11, by the row's value type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from app.exchange.hl7.escaping import escape
from app.exchange.hl7.fields import components, local_minute
from app.exchange.hl7.receiver import Receiver, SeveralOptions
from app.exchange.observations import HospitalCodes, Observation, ObservationState
from app.exchange.records import ExportRecord
from extraction.flowsheet.schema import PRESSURES, Row, ValueType
from extraction.flowsheet.ucum import is_ucum
from extraction.flowsheet.values import NotObtained

_BLOOD_PRESSURE_PANEL = "85354-9"
_PRESSURE_LOINC = ("8480-6", "8462-4")
_LOCAL = "L"  # table 0396: a code of the sender's own
_CORRECTED = "C"
_FINAL = "F"
NO_RESULT = "X"  # table 0085: results cannot be obtained


@dataclass(frozen=True, slots=True)
class Result:
    """One OBX: its fields as they are written, without position, times and people."""

    value_type: str
    code: str
    sub_id: str
    value: str
    unit: str
    flag: str
    status: str


def results(observation: Observation, row: Row, codes: HospitalCodes, receiver: Receiver) -> list[Result]:
    """The results of an observation, at least one."""
    record = observation.record
    if isinstance(record.value, NotObtained):
        return _not_obtained(record.value, observation, row, codes, receiver)
    status = status_of(observation.state, receiver)
    unit = _unit(record, row)
    if row.value_type is ValueType.BLOOD_PRESSURE:
        numbers, flags = str(record.value).partition("/")[::2], record.interpretation.partition("/")[::2]
        loincs = _PRESSURE_LOINC if record.loinc == _BLOOD_PRESSURE_PANEL else ("", "")
        return [
            Result("NM", _code(row, codes, loinc, part), part, escape(number), unit, escape(flag), status)
            for part, loinc, number, flag in zip(PRESSURES, loincs, numbers, flags, strict=True)
        ]
    code = row_code(row, codes, record.loinc)
    if isinstance(record.value, tuple) and receiver.several_options is SeveralOptions.SEPARATE:
        return _separate_options(observation, row, codes, receiver, record.value)
    value_type, value = _value(record, row, codes, receiver)
    return [Result(value_type, code, "", value, unit, escape(record.interpretation), status)]


def _not_obtained(
    why: NotObtained, observation: Observation, row: Row, codes: HospitalCodes, receiver: Receiver
) -> list[Result]:
    """No result, without a value and its type; NTE says why. Where it is withdrawn, the words stand for the value."""
    loinc = observation.record.loinc or ""
    parts: Sequence[tuple[str, str]] = [("", loinc)]
    if row.value_type is ValueType.BLOOD_PRESSURE:
        parts = list(zip(PRESSURES, _PRESSURE_LOINC if loinc == _BLOOD_PRESSURE_PANEL else ("", ""), strict=True))
    withdrawn = observation.state is ObservationState.WITHDRAWN
    kind, said, status = ("TX", escape(why.value), receiver.withdrawn) if withdrawn else ("", "", NO_RESULT)
    found = [Result(kind, _code(row, codes, code, part), part, said, "", "", status) for part, code in parts]
    if row.value_type is ValueType.MULTI_SELECT and receiver.several_options is SeveralOptions.SEPARATE:
        found += _separate_options(observation, row, codes, receiver, ())  # those that were chosen before
    return found


def row_code(row: Row, codes: HospitalCodes, loinc: str | None) -> str:
    """The row as CE: the hospital's code first, LOINC as the alternate one."""
    return _code(row, codes, loinc or "", "")


def status_of(state: ObservationState, receiver: Receiver) -> str:
    """OBX-11."""
    match state:
        case ObservationState.FINAL:
            return _FINAL
        case ObservationState.AMENDED:
            return _CORRECTED
        case ObservationState.WITHDRAWN:
            return receiver.withdrawn


def _code(row: Row, codes: HospitalCodes, loinc: str, part: str) -> str:
    known = codes.rows.get(row.id)
    own = (known.id, known.name, codes.name) if known else (row.id, row.name, _LOCAL)
    alternate = (loinc, f"{part.capitalize()} blood pressure" if part else "", "LN") if loinc else ()
    return components(*own, *alternate)


def _separate_options(
    observation: Observation, row: Row, codes: HospitalCodes, receiver: Receiver, chosen: Sequence[str]
) -> list[Result]:
    """One result for each chosen option.

    A correction withdraws all other options of the row: otherwise one that was chosen before would stand on.
    """
    status = status_of(observation.state, receiver)
    code = row_code(row, codes, observation.record.loinc)
    corrected = observation.state is ObservationState.AMENDED
    return [
        Result(receiver.coded_type, code, str(place), _option(name, row, codes), "", "", state)
        for place, name in enumerate(dict.fromkeys((*row.option_names, *chosen)), start=1)
        if (state := status if name in chosen else receiver.withdrawn if corrected else "")
    ]


def _value(record: ExportRecord, row: Row, codes: HospitalCodes, receiver: Receiver) -> tuple[str, str]:
    """OBX-2 and OBX-5."""
    value = record.value
    match row.value_type:
        case ValueType.NUMERIC | ValueType.QUANTITY:
            return "NM", _number(float(value)) if isinstance(value, int | float) else escape(str(value))
        case ValueType.SINGLE_SELECT:
            return receiver.coded_type, _option(str(value), row, codes)
        case ValueType.MULTI_SELECT:
            names = value if isinstance(value, tuple) else (str(value),)
            return receiver.coded_type, "~".join(_option(name, row, codes) for name in names)
        case ValueType.YES_NO:
            return receiver.coded_type, _answer(bool(value), row, codes)
        case ValueType.DATE:
            return "DT", escape(str(value).replace("-", ""))
        case ValueType.TIME:
            return "TM", escape(str(value).replace(":", ""))
        case ValueType.DATE_TIME:
            return "TS", local_minute(str(value))
    return "TX", escape(str(value))


def _number(number: float) -> str:
    """NM knows no exponent."""
    return str(int(number)) if number.is_integer() else format(Decimal(repr(number)), "f")


def _option(name: str, row: Row, codes: HospitalCodes) -> str:
    """An option as CE; one without a code of the hospital's is known by its name."""
    known = codes.rows.get(row.id)
    code = known.options.get(name) if known else None
    return components(code, name, codes.name) if code else components(name, name, _LOCAL)


def _answer(yes: bool, row: Row, codes: HospitalCodes) -> str:
    """Yes or No by the hospital's code, else by table 0136."""
    name = "Yes" if yes else "No"
    known = codes.rows.get(row.id)
    return _option(name, row, codes) if known and name in known.options else components(name[0], name, "HL70136")


def _unit(record: ExportRecord, row: Row) -> str:
    """The unit as CE: in UCUM, or as it is written where there is no such code."""
    if not record.unit:
        return ""
    code = row.ucum if row.ucum and record.unit in (row.unit, row.ucum) else record.unit
    return components(code, record.unit, "UCUM" if code == row.ucum or is_ucum(code) else _LOCAL)
