"""A schema as a record system exports it: rows named by its own customs, with nothing stated about what they mean."""

from __future__ import annotations

from dataclasses import replace

from extraction.flowsheet.schema import Instance, Laterality, Option, Role, Row, Schema, ValueType

SELECT, NUMERIC, TEXT = ValueType.SINGLE_SELECT, ValueType.NUMERIC, ValueType.TEXT
LINES, WOUNDS, NEURO, VITALS, OTHERS = ("LDA",), ("Skin",), ("Neuro",), ("Vitals",), ("Other",)


def options(*names: str) -> tuple[Option, ...]:
    return tuple(map(Option, names))


EDEMA = options("None", "Trace", "3+")


def _line(number: int) -> tuple[Row, ...]:
    name = f"LDA PIV #{number} - "
    return (
        Row(
            f"piv{number}.loc", f"{name}Location (Anatomical)", SELECT, LINES, options("Forearm", "Hand", "Antecubital")
        ),
        Row(f"piv{number}.ori", f"{name}Orientation", SELECT, LINES, options("Left", "Right")),
        Row(f"piv{number}.gauge", f"{name}Gauge", SELECT, LINES, options("18 G", "20 G", "22 G")),
        Row(f"piv{number}.assess", f"{name}Site Assessment", SELECT, LINES, options("Clean", "Red", "Swollen")),
    )


def _wound(number: int) -> tuple[Row, ...]:
    name = f"[Wound {number}] "
    return (
        Row(f"w{number}.loc", f"{name}Location", TEXT, WOUNDS),
        Row(f"w{number}.kind", f"{name}Type", SELECT, WOUNDS, options("Pressure Injury", "Skin Tear", "Incision")),
        Row(f"w{number}.len", f"{name}Length (cm)", NUMERIC, WOUNDS, unit="cm"),
        Row(f"w{number}.drain", f"{name}Drainage Amount", SELECT, WOUNDS, options("Scant", "Moderate")),
    )


ROWS = (
    *_line(1),
    *_line(2),
    *_wound(1),
    *_wound(2),
    Row("pupil.r", "R Pupil size (mm)", NUMERIC, NEURO, unit="mm"),
    Row("pupil.l", "L Pupil size (mm)", NUMERIC, NEURO, unit="mm"),
    Row("react.r", "Pupil Reaction - Rt", SELECT, NEURO, options("Brisk", "Sluggish")),
    Row("react.l", "Pupil Reaction - Lt", SELECT, NEURO, options("Brisk", "Sluggish")),
    Row("edema.r", "R Leg Edema", SELECT, NEURO, EDEMA),
    Row("edema.l", "L Leg Edema", SELECT, NEURO, EDEMA),
    Row("lue", "LUE Strength", SELECT, NEURO, options("Weak", "Strong")),
    Row("temp", "Temp (F)", NUMERIC, VITALS, unit="degF", ucum="[degF]"),
    Row("temp.src", "Temp Source", SELECT, VITALS, options("Oral", "Axillary")),
    # numbers and letters that mean nothing of the kind
    Row("fio2", "Vent FiO2", NUMERIC, VITALS, unit="%"),
    Row("vol", "Volume (L)", NUMERIC, VITALS, unit="L"),
    Row("rt", "RT notified", ValueType.YES_NO, OTHERS),
    Row("pacer", "Temp pacemaker rate", NUMERIC, VITALS, unit="/min", ucum="/min"),
    Row("b12", "Vitamin B12", NUMERIC, OTHERS),
    Row("cn7", "Cranial nerve 7", SELECT, NEURO, options("Intact", "Impaired")),
    Row("hour1", "Hour 1 intake", NUMERIC, OTHERS, unit="mL"),
    Row("hour2", "Hour 2 intake", NUMERIC, OTHERS, unit="mL"),
    Row("q2", "Q2 turn", ValueType.YES_NO, OTHERS),
    Row("pain", "Pain (0-10)", NUMERIC, OTHERS),
)  # fmt: skip


def schema_of(*rows: Row) -> Schema:
    return Schema("stranger", "Stranger", "1", rows, "0" * 64, "stranger.json")


STRANGER = schema_of(*ROWS)


def _explicit(row: Row) -> Row:
    """The row under a name that says nothing of it, with all of it stated."""
    kind, _, what = row.id.partition(".")
    groups = {"piv": "Peripheral IV", "w": "Wound"}
    if kind.rstrip("12") in groups and kind[-1:] in ("1", "2") and what:
        roles = {"loc": Role.SITE, "ori": Role.SIDE, "kind": Role.TYPE}
        instance = Instance(groups[kind[:-1]], int(kind[-1]))
        name = row.name.split(f"{instance.number}", 1)[1].lstrip(" -]")
        return replace(row, name=name, instance=instance, role=roles.get(what))
    sides = {"pupil.r": "right", "pupil.l": "left", "react.r": "right", "react.l": "left"}
    sides |= {"edema.r": "right", "edema.l": "left", "lue": "left"}
    if row.id in sides:
        return replace(row, name=f"Row {row.id}", synonyms=(row.name,), laterality=Laterality(sides[row.id]))
    return replace(row, name="Thermometer", measured_with="temp") if row.id == "temp.src" else row


EXPLICIT = schema_of(*map(_explicit, ROWS))
