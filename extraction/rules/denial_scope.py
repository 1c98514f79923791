"""Rule: what a denial says of the rows of a finding, and of how much of it.

What is not there has no place, stage or color: "no pressure injury on the sacrum" fills none of the rows that describe
one. Such a value is held back if it was read from the denial. A place that was read beside it is lit, where what its
row describes is named in denials alone.

What is denied of a part is not denied of the whole: after "no abdominal pain with movement" there may be pain. A row
that says that there is none is lit if what was denied is narrower than the row: by a place, by a word before it, or by
what it is denied of.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from extraction.filling.evidence import SaidIn
from extraction.filling.task import Task
from extraction.flowsheet.findings import Finding, quote
from extraction.flowsheet.naming.instance_families import family_of
from extraction.flowsheet.naming.row_meaning import meaning_of
from extraction.flowsheet.naming.row_words import asked_words
from extraction.flowsheet.schema import NUMBER_TYPES, TIME_TYPES, Row, Schema, ValueType, of_schema
from extraction.flowsheet.values import FilledValue, Proposals
from extraction.language.analysis import analyse
from extraction.language.body_sites import place_in, place_spans
from extraction.language.negation import negation_cues, parts_of_denial
from extraction.language.spans import Span, overlap
from extraction.language.vocabulary.words import stems
from extraction.preparation.exception_statements import STRATEGY as BY_DEFINITION
from extraction.rules.changes import Change, flagged, hold_back

_WORD = re.compile(r"[^\W\d_]+")
_SHORTEST = 2  # letters of a word that restricts a denial; those of "c/o" and "w/" do not


def denial_scope(task: Task, proposals: Proposals) -> Iterator[Change]:
    """Holds back and lights values by what their sentence denies."""
    for value in proposals.values:
        row = task.schema.row(value.row_id)
        if row.unit_of or value.strategy == BY_DEFINITION:
            continue
        said = SaidIn.of(task, value.evidence)
        if says_none(row, value):
            if part := _narrower_denial(task.schema, row, value, said):
                yield flagged(value, Finding("denied_in_part", (quote(part),)))
        elif row.value_type not in (ValueType.YES_NO, *NUMBER_TYPES, *TIME_TYPES):
            yield from _of_denied_thing(task.schema, row, value, said)


def says_none(row: Row, value: FilledValue) -> bool:
    """Whether a value says that there is nothing."""
    if row.value_type is ValueType.YES_NO:
        return value.value is False
    chosen = value.value if isinstance(value.value, tuple) else (value.value,)
    return bool(row.options) and all(str(name).casefold() in negation_cues().options for name in chosen)


# what is not there has no place and no stage


def _of_denied_thing(schema: Schema, row: Row, value: FilledValue, said: SaidIn) -> Iterator[Change]:
    absent = analyse(said.sentence).absences
    if not absent or negation_cues().finding.search(str(value.value)):
        return
    beside = stems(_without(said.sentence, absent))
    things = [one for one in _things(schema)[row.id] if not one & beside]
    for denial in absent:
        if negation_cues().course.search(said.sentence, *denial):
            continue
        parts = [_denied_itself(said.sentence, part) for part in parts_of_denial(said.sentence, denial)]
        is_thing = any(thing <= words and thing & last for words, last in parts for thing in things)
        is_inside = denial[0] <= said.start and said.end <= denial[1]
        if is_inside and (is_thing or _is_itself_denied(said, denial)):
            yield hold_back(value, Finding("denied_thing", (quote(said.sentence.strip()),)))
            return
        if is_thing and place_in(said.words):
            yield flagged(value, Finding("denied_beside", (quote(said.sentence.strip()),)))
            return


def _denied_itself(sentence: str, part: Span) -> tuple[frozenset[str], frozenset[str]]:
    """Stems of what a part of a denial says is not there, without what it is denied of, and of its last word."""
    of_part = negation_cues().of_part.search(sentence, *part)
    words = [
        found
        for match in _WORD.finditer(sentence, part[0], of_part.start() if of_part else part[1])
        if (found := stems(match.group()) - negation_cues().unrestricting)
    ]
    return frozenset[str]().union(*words), words[-1] if words else frozenset()


def _is_itself_denied(said: SaidIn, denial: Span) -> bool:
    """Whether the words of a value are what is denied, and not what it is denied of or a word before another one."""
    part = next(one for one in parts_of_denial(said.sentence, denial) if said.start < one[1])
    _, last = _denied_itself(said.sentence, part)
    is_before = negation_cues().of_part.search(said.sentence, part[0], said.start) is None
    return is_before and bool(last & stems(said.words))


@of_schema
def _things(schema: Schema) -> Mapping[str, tuple[frozenset[str], ...]]:
    """By row, sets of stems each of which names what the row describes, without what is asked about it.

    "Pressure injury" of "Pressure injury stage", if other names begin so, too; in one word or in several.
    """
    asked = asked_words(schema.rows)
    beginnings = Counter(" ".join(row.name.split()[:-1]) for row in schema.rows)
    found: dict[str, tuple[frozenset[str], ...]] = {}
    for row in schema.rows:
        names = [*row.names, *(name.replace(" ", "") for name in row.names)]
        if beginnings[beginning := " ".join(row.name.split()[:-1])] > 1:
            names.append(beginning)
        words = (frozenset(word for word in stems(name) - asked if not word.isdigit()) for name in names)
        found[row.id] = tuple({one for one in words if one})
    return found


def _without(sentence: str, spans: tuple[Span, ...]) -> str:
    return "".join(" " if any(a <= at < b for a, b in spans) else char for at, char in enumerate(sentence))


# a part that is denied is not all


def _narrower_denial(schema: Schema, row: Row, value: FilledValue, said: SaidIn) -> str | None:
    """What was denied of the row's finding in every denial of it, if that is less than all of it."""
    own = _own_words(row, value)
    named = stems(" ".join(row.names))
    narrower = []
    for denial in analyse(said.sentence).denials:
        for part in parts_of_denial(said.sentence, denial):
            words = stems(said.sentence[slice(*part)])
            if words & named or (overlap(part, (said.start, said.end)) and words & own):
                if not _restricts(schema, row, said.sentence, part, own):
                    return None
                narrower.append(said.sentence[slice(*part)].strip())
    return narrower[0] if narrower else None


def _restricts(schema: Schema, row: Row, sentence: str, part: Span, own: frozenset[str]) -> bool:
    """Whether a part of a denial is about less than its row."""
    words = [match.span() for match in _WORD.finditer(sentence, *part)]
    head = next((one for one in words if stems(sentence[slice(*one)]) & own), None)
    if head is None:
        return False
    of_part = negation_cues().of_part.search(sentence, head[1], part[1])
    end = of_part.start() if of_part else part[1]
    is_absent = any(overlap(part, span) for span in analyse(sentence).absences)  # else a verb: "has not fallen"
    unrestricting = own | negation_cues().unrestricting
    last = next(one for one in reversed(words) if stems(sentence[slice(*one)]) & own and one[1] <= end)
    behind = next((one for one in words if last[1] <= one[0] < end), None)  # "no dressing change"
    if behind and negation_cues().no_noun.search(sentence, *behind):
        behind = None
    return any(
        ((is_absent and (one[1] <= head[0] or one == behind)) or one[0] > end)
        and stems(sentence[slice(*one)]) - unrestricting
        and one[1] - one[0] >= _SHORTEST
        and not negation_cues().of_part.fullmatch(sentence, *one)
        and not _is_own_place(schema, row, sentence, one)
        for one in words
    )


def _own_words(row: Row, value: FilledValue) -> frozenset[str]:
    """Stems of all that is said for a row and the value; of a single select, of no other option: "productive cough"."""
    chosen = row.option_names if isinstance(value.value, tuple) else (value.value,)
    own = stems(" ".join((*row.names, *(form for one in row.options if one.name in chosen for form in one.forms))))
    others = stems(" ".join(form for one in row.options if one.name not in chosen for form in one.forms))
    return own | (stems(" ".join(row.cues)) - others)


def _is_own_place(schema: Schema, row: Row, sentence: str, word: Span) -> bool:
    """Whether a word says where something is, of a row that is about one place."""
    if not any(overlap(word, place) for place in place_spans(sentence)):
        return False
    of = meaning_of(schema).of(row.id)
    return bool(of.laterality or of.instance or family_of(schema, row.id) or place_in(row.name))
