"""Rows of an invented ward and values charted in them; tests write them in the layouts of different systems."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from extraction.contract.records import ContractRow

Choices = tuple[tuple[str, str], ...]  # code and name
_PAIN: Choices = (("1", "Aching"), ("2", "Burning"), ("3", "Cramping"), ("4", "Stabbing, sharp"))
_CONSCIOUS: Choices = (("A", "Alert"), ("D", "Drowsy"), ("U", "Unresponsive"))
_SOUNDS: Choices = (("11", "Clear"), ("12", "Wheezes"), ("13", "Crackles"), ("14", "Diminished"))
_SKIN: Choices = (("P", "Pink"), ("W", "Pale"), ("F", "Flushed"), ("J", "Jaundiced"))
_GAIT: Choices = (("G1", "Steady"), ("G2", "Unsteady"), ("G3", "Unable"))
_SOURCE: Choices = (("1", "Oral"), ("2", "Axillary"), ("3", "Tympanic"))


@dataclass(frozen=True)
class WardRow:
    """A row as it must come back; `kind` is a value type of the flowsheet."""

    id: str
    name: str
    kind: str
    group: tuple[str, ...] = ()
    unit: str = ""
    low: str = ""
    high: str = ""
    options: Choices = field(default=(), hash=False)
    retired: bool = False


ROWS = (
    WardRow("30511", "Pulse rate", "numeric", ("Adult chart", "Vital signs"), "bpm", "20", "250"),
    WardRow("30523", "Body temperature", "numeric", ("Adult chart", "Vital signs"), "°C", "30", "43"),
    WardRow("30537", "Temperature source", "single_select", ("Adult chart", "Vital signs"), options=_SOURCE),
    WardRow("30541", "Arterial pressure", "blood_pressure", ("Adult chart", "Vital signs"), "mmHg"),
    WardRow("30558", "Oxygen saturation", "numeric", ("Adult chart", "Breathing"), "%", "50", "100"),
    WardRow("30564", "Sounds of the lungs", "multi_select", ("Adult chart", "Breathing"), options=_SOUNDS),
    WardRow("30572", "Spirometer volume", "numeric", ("Adult chart", "Breathing"), "mL", "0", "3000"),
    WardRow("30586", "Colour of the skin", "single_select", ("Adult chart", "Skin"), options=_SKIN),
    WardRow("30593", "Wound length", "numeric", ("Adult chart", "Skin"), "cm", "0", "40"),
    WardRow("30607", "Dressing changed", "yes_no", ("Adult chart", "Skin")),
    WardRow("30612", "Level of consciousness", "single_select", ("Neuro chart", "Awareness"), options=_CONSCIOUS),
    WardRow("30629", "Pain intensity", "numeric", ("Neuro chart", "Pain"), "", "0", "10"),
    WardRow("30633", "Quality of the pain", "multi_select", ("Neuro chart", "Pain"), options=_PAIN),
    WardRow("30648", "Gait", "single_select", ("Neuro chart", "Mobility"), options=_GAIT),
    WardRow("30655", "Last fall on", "date", ("Neuro chart", "Mobility")),
    WardRow("30661", "Remarks of the shift", "text", ("Neuro chart", "Mobility")),
    WardRow("30674", "Gastric residue", "numeric", ("Neuro chart", "Mobility"), "mL", "0", "1500", retired=True),
)
IN_USE = tuple(row for row in ROWS if not row.retired)


@dataclass(frozen=True)
class Act:
    """What was charted at one time in one row: the codes of options, or one text."""

    patient: int
    visit: int
    day: int
    minute: int
    row: WardRow
    said: tuple[str, ...]


def acts(rounds: int = 40) -> Iterator[Act]:
    """What was charted, round by round; always the same."""
    chance = random.Random(7)
    for number in range(rounds):
        patient = 1 + number % 12
        for row in IN_USE:
            if chance.random() < 0.75:
                minute = (number * 61 + chance.randrange(3)) % 1440
                yield Act(patient, 1 + number // 24, 1 + number // 3, minute, row, _said(row, chance, number))


def _said(row: WardRow, chance: random.Random, number: int) -> tuple[str, ...]:
    if row.kind == "multi_select":
        several = chance.sample(row.options, 2 if chance.random() < 0.4 else 1)
        return tuple(code for code, _ in several)
    if row.options:
        return (chance.choice(row.options)[0],)
    if row.kind == "blood_pressure":
        return (f"{chance.randrange(95, 165)}/{chance.randrange(50, 95)}",)
    if row.kind == "yes_no":
        return (chance.choice(("Y", "N")),)
    if row.kind == "date":
        return (f"2025-{chance.randrange(1, 13):02}-{chance.randrange(1, 28):02}",)
    if row.kind == "text":
        return (f"slept {number} hours, asked for visit {chance.randrange(999)} of the family",)
    low, high = float(row.low or 0), float(row.high or 10)
    value = chance.uniform(low + 0.3 * (high - low), low + 0.6 * (high - low))
    return (f"{value:.1f}" if row.unit == "°C" else f"{value:.0f}",)


def names_of(act: Act) -> tuple[str, ...]:
    """What was charted, options by their names."""
    names = dict(act.row.options)
    return tuple(names.get(code, code) for code in act.said)


def faults(
    rows: Mapping[str, ContractRow], *, codes: bool = True, groups: bool = True, options: bool = True
) -> list[str]:
    """What did not come back as it was, in words; empty if all did.

    Args:
        codes: whether the layout has the codes of options, `groups` the groups, `options` the options themselves.
    """
    found = []
    for one in ROWS:
        row = rows.get(one.id)
        if row is None:
            found += [f"{one.name}: missing"] if not one.retired else []
            continue
        if row.retired != one.retired:
            found.append(f"{one.name}: retired {row.retired}")
        if one.retired:
            continue
        bounds = tuple("" if bound is None else f"{bound:g}" for bound in (row.minimum, row.maximum))
        named = [(option.code if codes else "", option.name) for option in row.options]
        meant = [(code if codes else "", name) for code, name in one.options]
        for what, is_so, want in (
            ("name", row.name, one.name),
            ("type", row.value_type, one.kind),
            ("unit", row.unit, one.unit),
            ("bounds", bounds, (one.low, one.high)),
            ("options", sorted(named), sorted(meant) if options else sorted(named)),
            ("groups", row.categories, (one.group,) if groups and one.group else row.categories),
        ):
            if is_so != want:
                found.append(f"{one.name}: {what} {is_so} instead of {want}")
    known = {one.id for one in ROWS}
    return found + [f"{row.name}: should not be there" for row in rows.values() if row.id not in known]
