"""In which order a handover tells what, as a ward can write it down in a TOML file (docs/handover.md)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Any

from app.chart.handover.entries import TYPED
from extraction.flowsheet.naming.row_concepts import concept_groups, row_concepts
from extraction.flowsheet.schema import Row, Schema
from models.base.errors import InputError

_LONGEST = 24 * 14  # hours


class SectionKind(StrEnum):
    """What a section holds."""

    SEVERITY = "severity"
    VALUES = "values"
    BALANCE = "balance"
    GAPS = "gaps"
    TYPED = "typed"


@dataclass(frozen=True, slots=True)
class HandoverSection:
    """A section of the page.

    Attributes:
        part: of a typed one, which of `TYPED` it is.
        categories: of one of values or the balance, words that begin a word of the categories of its rows.
        names: of one of values, words that begin a word of the names of its rows; they count before categories.
        concepts: of one of values, patterns of the bedside concepts of its rows.
        groups: of one of values, the body systems of its rows, see `concept_groups`.
        whole_stay: whether values of the whole stay are in it, however old.
        rest: whether rows that no section takes are in it.
    """

    title: str
    kind: SectionKind
    part: str = ""
    categories: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    whole_stay: bool = False
    rest: bool = False


@dataclass(frozen=True, slots=True)
class HandoverLayout:
    """A page.

    Attributes:
        name: such as I-PASS.
        hours: how old a value is at most, except in sections of the whole stay.
        gap_hours: after how many hours without a value a row that is usually charted is named as a gap.
    """

    name: str
    sections: tuple[HandoverSection, ...]
    hours: int = 24
    gap_hours: int = 12

    def places(self, schema: Schema) -> Mapping[str, int]:
        """By row id, the place of its section: by concept, name, category or body system, or as the rest."""
        links = row_concepts(schema)
        groups = concept_groups()
        found: dict[str, int] = {}
        for row in schema.rows:
            link = links.get(row.id)
            concept = link.concept.id if link else ""
            place = self._place(row, concept, groups.get(concept, ""))
            if place is not None:
                found[row.id] = place
        return found

    def _place(self, row: Row, concept: str, group: str) -> int | None:
        holding = (SectionKind.VALUES, SectionKind.BALANCE)
        values = [(place, one) for place, one in enumerate(self.sections) if one.kind in holding]
        if row.fluid:
            for place, one in values:
                if one.kind is SectionKind.BALANCE:
                    return place
        for place, one in values:
            if concept and any(fnmatchcase(concept, pattern) for pattern in one.concepts):
                return place
        named = [(row.name, [(place, one.names) for place, one in values])]
        named += [(part, [(place, one.categories) for place, one in values]) for part in reversed(row.category)]
        for part, words in named:  # the innermost one says most
            fitting = [(len(word), -place) for place, of in words for word in of if _begins(word, part)]
            if fitting:
                return -max(fitting)[1]
        for place, one in values:
            if group and group in one.groups:
                return place
        return next((place for place, one in values if one.rest), None)


def _begins(word: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(word)}", text, re.IGNORECASE) is not None


def parse_layout(text: str, source: str) -> HandoverLayout:
    """Reads a layout. Raises InputError, naming the file and the section, if it says anything else than it may."""
    fault = _refuse(source)
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{source} is not valid TOML: {error}.", "Correct the file, or remove it.") from error
    if unknown := [name for name in content if name not in _PAGE]:
        raise fault(f"has {unknown[0]!r}, which is no setting.", f"Settings are: {', '.join(_PAGE)}.")
    for name, value in content.items():
        if not _PAGE[name](value):
            raise fault(f"says {name} = {value!r}.", _MUST[name])
    if not content.get("section"):
        raise fault("has no sections.", "Write at least one [[section]].")
    sections = tuple(_section(one, number, fault) for number, one in enumerate(content["section"], start=1))
    titles = [one.title for one in sections]
    if several := [title for title in titles if titles.count(title) > 1]:
        raise fault(f"names two sections {several[0]!r}.")
    if sum(one.rest for one in sections) != 1:
        raise fault("needs exactly one section with rest = true.", "Else a value would be on no page, or on two.")
    return HandoverLayout(content.get("name", source), sections, content.get("hours", 24), content.get("gap_hours", 12))


def _section(content: object, number: int, fault: Callable[..., InputError]) -> HandoverSection:
    if not isinstance(content, dict) or not isinstance(content.get("title"), str) or not content["title"].strip():
        raise fault(f"gives section {number} no title.")
    called = f"section {number}, {content['title']!r},"
    if unknown := [name for name in content if name not in _SECTION]:
        raise fault(f"has {unknown[0]!r} in {called} which is no setting.", f"Settings are: {', '.join(_SECTION)}.")
    if content.get("kind") not in list(SectionKind):
        raise fault(f"gives {called} the kind {content.get('kind')!r}.", f"Choose from: {', '.join(SectionKind)}.")
    kind = SectionKind(content["kind"])
    if misplaced := [name for name in content if name not in ("title", "kind", *_OF_KIND.get(kind, ()))]:
        raise fault(f"gives {called} {misplaced[0]!r}, which only other kinds have.")
    for name, value in content.items():
        if name not in ("title", "kind") and not _SECTION[name](value):
            raise fault(f"says {name} = {value!r} in {called[:-1]}.", _MUST[name])
    if kind is SectionKind.TYPED and content.get("part") not in TYPED:
        raise fault(f"does not say which part {called} is.", f"Choose from: {', '.join(TYPED)}.")
    if stray := [one for one in content.get("groups", ()) if one not in set(concept_groups().values())]:
        known = ", ".join(sorted(set(concept_groups().values())))
        raise fault(f"names the body system {stray[0]!r} in {called[:-1]}.", f"Choose from: {known}.")
    given: dict[str, Any] = {name: tuple(it) if isinstance(it, list) else it for name, it in content.items()}
    return HandoverSection(**given | {"kind": kind})


def _refuse(source: str) -> Callable[..., InputError]:
    """What makes an error about the file of what is wrong there."""

    def fault(what: str, next_step: str = "Correct the file, or remove it.") -> InputError:
        return InputError(f"{source} {what}", next_step)

    return fault


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_hours(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= _LONGEST


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_bool(value: Any) -> bool:
    return isinstance(value, bool)


_PAGE: Mapping[str, Callable[[Any], bool]] = {
    "name": _is_text,
    "hours": _is_hours,
    "gap_hours": _is_hours,
    "section": lambda value: isinstance(value, list),
}
_SECTION: Mapping[str, Callable[[Any], bool]] = {
    "title": _is_text,
    "kind": _is_text,
    "part": _is_text,
    "categories": _is_texts,
    "names": _is_texts,
    "concepts": _is_texts,
    "groups": _is_texts,
    "whole_stay": _is_bool,
    "rest": _is_bool,
}
_OF_KIND = {
    SectionKind.VALUES: ("names", "categories", "concepts", "groups", "whole_stay", "rest"),
    SectionKind.BALANCE: ("categories",),
    SectionKind.TYPED: ("part",),
}
_MUST = {
    "name": "It must be text.",
    "part": f"Choose from: {', '.join(TYPED)}.",
    "hours": f"It must be a whole number from 1 to {_LONGEST}.",
    "gap_hours": f"It must be a whole number from 1 to {_LONGEST}.",
    "section": "Write sections as [[section]].",
    "categories": "It must be a list of words.",
    "names": "It must be a list of words.",
    "concepts": "It must be a list of words.",
    "groups": "It must be a list of words.",
    "whole_stay": "It must be true or false.",
    "rest": "It must be true or false.",
}
