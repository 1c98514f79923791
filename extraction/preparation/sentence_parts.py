"""Splits sentences about several lines or wounds, so that each part is about one.

"The left forearm IV is saline locked and the right hand IV is infusing" makes two statements about two lines. It is
split at the clause with a different number or place, provided that both parts say more than the place: "the wounds on
the left and right heel are clean" is not split. All other sentences are unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from extraction.flowsheet.naming.instance_families import Family, families_of, mentioned
from extraction.flowsheet.schema import Schema
from extraction.language.body_sites import place_in, sides_in, without_places
from extraction.language.sentences import Segment
from extraction.language.vocabulary.words import stems

_CUT = re.compile(r"[,;]\s+(?:(?:and|but|while)\s+)?|\s(?:and|but|while)\s+", re.IGNORECASE)
_OPEN = re.compile(r"(?:[,;]|\b(?:and|but|while))$", re.IGNORECASE)
_ANOTHER = re.compile(r"\b(?:one|another|other|second|third)\b", re.IGNORECASE)
_EMPTY = stems("and but while are were both there these those two three four new old also too her one another other")


def split_by_instance(schema: Schema, segments: Sequence[Segment]) -> tuple[Segment, ...]:
    """Splits segments that mention several instances in turn, and renumbers all segments."""
    cut = [part for segment in segments for part in _parts(families_of(schema), segment)]
    return tuple(replace(part, index=index) for index, part in enumerate(cut))


def goes_on(family: Family, before: Segment, part: Segment) -> bool:
    """Whether a part that does not name the family continues with another instance of it.

    'and an 18 gauge in the left wrist' after the part `before` of the same sentence.
    """
    return bool(_OPEN.search(before.text)) and _is_of_another(family, before.text, part.text)


def _is_of_another(family: Family, before: str, text: str) -> bool:
    return bool(sides_in(text)) and bool(
        family.several(before) or _ANOTHER.search(text) or any(True for _ in family.spoken_of(text))
    )


def _parts(families: Sequence[Family], segment: Segment) -> Iterator[Segment]:
    of = mentioned(families, segment.text)
    starts = _part_starts(of[0], segment.text) if len(of) == 1 else [0]
    for start, end in zip(starts, [*starts[1:], len(segment.text)], strict=True):
        text = segment.text[start:end].rstrip()
        yield replace(segment, start=segment.start + start, end=segment.start + start + len(text), text=text)


def _part_starts(family: Family, text: str) -> list[int]:
    starts = [0]
    for cut in _CUT.finditer(text):
        end = next((later.start() for later in _CUT.finditer(text, cut.end())), len(text))
        before, clause = text[starts[-1] : cut.start()], text[cut.end() : end]
        if (
            _differ(family, before, clause)
            and (family.mention(clause) or _is_of_another(family, before, clause))
            and _says_more(family, before)
            and _says_more(family, text[cut.end() :])
        ):
            starts.append(cut.end())
    return starts


def _differ(family: Family, one: str, other: str) -> bool:
    numbers, others = set(family.numbers_said(one)), set(family.numbers_said(other))
    if numbers or others:
        return bool(numbers and others) and not numbers & others
    return place_in(one).contradicts(place_in(other))


def _says_more(family: Family, text: str) -> bool:
    """Whether a text says more than which instance is meant."""
    return bool(stems(without_places(text)) - family.own_stems - _EMPTY)
