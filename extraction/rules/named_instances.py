"""Rule: explicit statements about the only line, drain or wound that a sentence names.

Such sentences are short ("No blood return from the right hand IV"), and the models give short, bare statements a low
confidence. If a sentence names one kind of line, drain or wound and states an option or the name of one of its rows:

- a held-back value is proposed after all, lit by its low confidence;
- the number that identifies an instance ("wound one") is not a measurement;
- an option of a multi-select that only a sentence about another instance states is dropped;
- a proposal from the same words for a different, unnamed thing is held back: "the IV dressing is stained" is not about
  the arterial line's, and "the left forearm IV" is not about where the blood pressure was taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from extraction.filling.task import Task
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.naming.instance_families import Family
from extraction.flowsheet.naming.row_words import object_before
from extraction.flowsheet.schema import SAID_TYPES, SELECT_TYPES, Row, ValueType
from extraction.flowsheet.values import FilledValue, Proposals
from extraction.language.analysis import analyse
from extraction.language.body_sites import place_in
from extraction.language.clauses import nearby_words
from extraction.language.sentences import Segment
from extraction.language.spans import Span
from extraction.language.vocabulary.words import best_share, stems
from extraction.rules.changes import Change, hold_back, promoted, replaced

_NAMED = 0.5


@dataclass(frozen=True, slots=True)
class _About:
    """A sentence that names one family, and the instance it is about."""

    task: Task
    segment: Segment
    family: Family
    number: int

    @property
    def rows(self) -> dict[str, tuple[str, Row]]:
        """The rows of the instance by id, with what they record of it."""
        return {row.id: (rest, row) for rest, row in self.family.rows[self.number].items()}

    def span_of(self, value: FilledValue) -> Span | None:
        """The characters of the sentence that say a value; None for a value of another sentence."""
        start, end = self.task.read(value.evidence.start, value.evidence.end)
        shift = self.segment.start
        return (start - shift, end - shift) if shift <= start < self.segment.end else None


def named_instances(task: Task, proposals: Proposals) -> Iterator[Change]:
    schema, abouts = task.schema, list(_abouts(task))
    if not abouts:
        return
    changed: list[Change | FilledValue] = []
    for value in proposals.values:
        if about := _instance_number_of(schema.row(value.row_id), value, abouts):
            yield hold_back(value, Finding("number_of_instance", (value.evidence.text, about.family.name)))
        else:
            changed.append(_without_options_of_others(value, abouts) or value)
    free = []
    for value in proposals.held_back:
        about = None if value.held_back_by else _instance_number_of(schema.row(value.row_id), value, abouts)
        if about:  # so that no later rule proposes it
            yield hold_back(value, Finding("number_of_instance", (value.evidence.text, about.family.name)))
        else:
            free.append(value)
    raised = list(_promotions([_value_after(one) for one in changed], free, abouts))
    values = [*map(_value_after, changed), *(value for _, value in raised)]
    for one in changed:
        value = _value_after(one)
        if about := _is_rival(schema.row(value.row_id), value, values, abouts):
            was = one.of if isinstance(one, Change) and one.of else value
            name = f"{about.family.name} {about.number}"
            yield hold_back(was, Finding("of_this_instance", (was.evidence.text, name)))
        elif isinstance(one, Change):
            yield one
    for held_back, value in raised:
        if not _is_rival(schema.row(value.row_id), value, values, abouts):
            others = (one for one in free if one.row_id == value.row_id and one is not held_back)
            yield promoted(held_back, value, instead_of=others)


def _value_after(one: Change | FilledValue) -> FilledValue:
    """The value left by a change, or an unchanged value."""
    if isinstance(one, Change):
        assert one.value is not None
        return one.value
    return one


def _by_confidence(value: FilledValue) -> float:
    return -value.confidence


def _abouts(task: Task) -> Iterator[_About]:
    families = {family.name: family for family in task.plan.families}
    for segment in task.segments:
        of = [(name, one.number) for (index, name), one in task.plan.assigned.items() if index == segment.index]
        if len(of) == 1 and of[0][1] is not None:
            yield _About(task, segment, families[of[0][0]], of[0][1])


def _about(value: FilledValue, abouts: Iterable[_About]) -> _About | None:
    return next((one for one in abouts if one.span_of(value)), None)


# held-back values


def _promotions(
    values: Sequence[FilledValue], held_back: Sequence[FilledValue], abouts: Sequence[_About]
) -> Iterator[tuple[FilledValue, FilledValue]]:
    """Held-back values that are stated explicitly, each with the value to propose.

    Named rows come first: "removed" applies to the dressing if that is named, and else only to the likeliest row.
    """
    found: dict[str, FilledValue] = {value.row_id: value for value in values}
    meant = [(about, value) for value in held_back if (about := _about(value, abouts)) and value.row_id in about.rows]
    for about, value in sorted(meant, key=lambda one: (not _has_own_word(*one), _by_confidence(one[1]))):
        if value.row_id not in found and (raised := _explicit_value(about, value, list(found.values()), held_back)):
            found[value.row_id] = raised
            yield value, raised


def _explicit_value(
    about: _About, value: FilledValue, values: Sequence[FilledValue], held_back: Sequence[FilledValue]
) -> FilledValue | None:
    """The explicitly stated value; None if it is not stated or belongs to another row in `values`."""
    rest, row = about.rows[value.row_id]
    if row.value_type in SAID_TYPES:
        apart = not any(_same_words(value, one) for one in values)
        return value if apart and _is_named_in_phrase(about, rest, value) else None
    said = _stated_values(about.family, rest, row, about.segment.text)
    if (
        rest in about.family.places
        or said is None
        or not _value_parts(value) <= said
        or _is_claimed(about, value, values)
    ):
        return None
    if row.value_type is not ValueType.MULTI_SELECT:
        return value
    read = {name for one in held_back if one.row_id == row.id for name in _value_parts(one)}
    return replace(value, value=tuple(name for name in row.option_names if name in read & said))


def _has_own_word(about: _About, value: FilledValue) -> bool:
    """Whether the sentence has a word of the row's name that no other row of the family shares."""
    rest, _ = about.rows[value.row_id]
    others = frozenset[str]().union(*(stems(other) for other in about.family.first if other != rest))
    return bool((stems(rest) - others) & stems(about.segment.text))


def _is_named_in_phrase(about: _About, rest: str, value: FilledValue) -> bool:
    """Whether the row of a number is named in the number's phrase: 'two centimeters long'."""
    span = about.span_of(value)
    beside = nearby_words(about.segment.text, span) if span else frozenset()
    return any(words <= beside for words in about.family.named[rest])


def _is_claimed(about: _About, value: FilledValue, values: Sequence[FilledValue]) -> bool:
    """Whether the words for a value support another proposal instead.

    Its options occur only inside the words of a proposal ('intact' in 'clean, dry and intact'), or are exactly the
    words of one and the row is not named.
    """
    row = about.rows[value.row_id][1]
    ways = [words for name, words in _options(row, about.segment.text) if name in _value_parts(value)]
    near = [stems(one.evidence.text) for one in values if _about(one, [about])]
    same = not _has_own_word(about, value)
    return bool(ways) and all(any(words < other or (same and words == other) for other in near) for words in ways)


def _same_words(value: FilledValue, other: FilledValue) -> bool:
    return value.evidence.start < other.evidence.end and other.evidence.start < value.evidence.end


def _value_parts(value: FilledValue) -> set[object]:
    return set(value.value) if isinstance(value.value, tuple) else {value.value}


def _stated_values(family: Family, rest: str, row: Row, text: str) -> set[object] | None:
    """The explicitly stated values of a row; None if there are none, or several for a single value."""
    if row.value_type is ValueType.YES_NO:
        named = next((words for words in family.named[rest] if words <= stems(text)), None)
        return None if named is None else {not _is_denied(text, named)}
    if row.value_type not in SELECT_TYPES:
        return None
    said: set[object] = {name for name, words in _options(row, text) if not _is_denied(text, words)}
    return said if len(said) == 1 or (said and row.value_type is ValueType.MULTI_SELECT) else None


def _options(row: Row, text: str) -> Iterator[tuple[str, frozenset[str]]]:
    """Options all of whose words were said, with those words."""
    said = stems(text)
    for option in row.options:
        for name in (option.name, *option.synonyms):
            if (words := stems(name)) and words <= said:
                yield option.name, words


def _is_denied(text: str, words: frozenset[str]) -> bool:
    return any(words <= stems(text[slice(*scope)]) for scope in analyse(text).denials)


# values of another instance or object


def _instance_number_of(row: Row, value: FilledValue, abouts: Sequence[_About]) -> _About | None:
    """The sentence whose instance number was read as a value: 'wound one' measures nothing."""
    about = _about(value, abouts)
    span = about.span_of(value) if about else None
    if about is None or span is None or row.value_type not in SAID_TYPES:
        return None
    spans = about.family.number_spans(about.segment.text)
    return about if any(begin <= span[0] and span[1] <= stop for begin, stop in spans) else None


def _without_options_of_others(value: FilledValue, abouts: Sequence[_About]) -> Change | None:
    """A multi-select without options that are stated only for another instance."""
    about = _about(value, abouts)
    if about is None or not isinstance(value.value, tuple) or value.row_id not in about.rows:
        return None
    row = about.rows[value.row_id][1]
    elsewhere = " ".join(
        one.segment.text for one in abouts if one.family is about.family and one.number != about.number
    )
    own = {name for name, _ in _options(row, about.segment.text)}
    others = {name for name, _ in _options(row, elsewhere)} - own
    left = tuple(name for name in value.value if name not in others)
    if not left or not own or left == value.value:
        return None
    gone = ", ".join(name for name in value.value if name not in left)
    return replaced(value, replace(value, value=left), Finding("of_another_instance", (gone, about.family.name)))


def _is_rival(row: Row, value: FilledValue, values: Iterable[FilledValue], abouts: Sequence[_About]) -> _About | None:
    """The sentence about a named instance whose words were used for an unnamed object."""
    about = _about(value, abouts)
    if about is None or any(row.id == one.id for rows in about.family.rows.values() for one in rows.values()):
        return None
    said, proposed = stems(about.segment.text), {one.row_id for one in values}
    for row_id, (rest, _) in about.rows.items():
        if row_id in proposed and (thing := object_before(row, rest)) is not None:
            return None if thing & said else about
    # only the place was said
    where = place_in(value.evidence.text)
    within = where and not stems(value.evidence.text) - _words_of_place(value.evidence.text)
    return about if within and best_share((row.name, *row.synonyms), said) < _NAMED else None


def _words_of_place(text: str) -> frozenset[str]:
    return frozenset(stems(" ".join(word for word in text.split() if place_in(word))))
