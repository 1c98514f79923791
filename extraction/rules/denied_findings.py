"""What a sentence denies.

A finding that is denied by its row's name is not charted as there: "no chest pain" read as Yes becomes No, and both are
named; held back, the No is proposed after all. An option leaves a multi select that its sentence only denies ("clear,
no wheezes"), or of which it says no word but such as say another one ("crackles", where that is an option and "fine
crackles" another).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from extraction.flowsheet.findings import Finding
from extraction.flowsheet.naming.option_mentions import mentions
from extraction.flowsheet.schema import Option, Row, Schema, ValueType
from extraction.flowsheet.values import Evidence, FilledValue
from extraction.language.analysis import analyse
from extraction.language.negation import negation_cues
from extraction.language.spans import Span
from extraction.language.vocabulary.words import is_part, share, stems
from extraction.rules.changes import Change, replaced

_FOUND = 0.75  # how much of a row's name must be said
_PRESENT = stems("present")  # says in a row's name that it asks for something, and is rarely spoken


def as_denied(text: str, value: FilledValue, row: Row) -> Change | None:
    """A proposal without what its sentence denies; None where it denies nothing of it, or nothing would be left."""
    if row.value_type is ValueType.YES_NO and value.value is True:
        return _denied_after_all(text, value, row)
    if row.value_type is ValueType.MULTI_SELECT and isinstance(value.value, tuple) and len(value.value) > 1:
        return _without_denied(text, value, value.value, row)
    return None


def denied_by_name(text: str, unlikely: Iterable[FilledValue], rows: set[str], schema: Schema) -> Iterator[FilledValue]:
    """Held back values of other rows that deny what the sentence denies of the row by its name."""
    found: set[str] = set()
    for value in sorted(unlikely, key=lambda value: -value.confidence):
        row = schema.row(value.row_id)
        if row.id in rows or row.id in found or row.unit_of or not _denies(row, value):
            continue
        sentence = _sentence(text, value)
        if _is_named(row, value, stems(sentence), stems(_denied_in(sentence))):
            found.add(row.id)
            yield value


def _sentence(text: str, value: FilledValue) -> str:
    return text[value.evidence.sentence_start : value.evidence.sentence_end]


def _denied_in(sentence: str) -> str:
    """The words of a sentence that stand in what it denies."""
    return " ".join(sentence[slice(*scope)] for scope in analyse(sentence).denials)


def _without(sentence: str, spans: Sequence[Span]) -> str:
    """A sentence with blanks in the place of these characters."""
    return "".join(" " if any(a <= at < b for a, b in spans) else char for at, char in enumerate(sentence))


def _denies(row: Row, value: FilledValue) -> bool:
    if row.value_type is ValueType.YES_NO:
        return value.value is False
    chosen = value.value if isinstance(value.value, tuple) else (value.value,)
    return bool(row.options) and all(str(name).casefold() in negation_cues().options for name in chosen)


def _is_named(row: Row, value: FilledValue, said: frozenset[str], denied: frozenset[str]) -> bool:
    """Whether the finding stands in what is denied: by the row's name or synonyms; or a synonym of the option says it
    whole ("denies nausea")."""
    if _speaks_of(map(stems, (row.name, *row.synonyms)), said, denied):
        return True
    chosen = value.value if isinstance(value.value, tuple) else (value.value,)
    return any(
        stems(synonym) <= said and stems(synonym) & denied
        for option in row.options
        if option.name in chosen
        for synonym in option.synonyms
    )


def _speaks_of(names: Iterable[frozenset[str]], said: frozenset[str], denied: frozenset[str]) -> bool:
    """Whether most words of a name are in the sentence, and one in what it denies."""
    return any(words & denied and share(words, said) >= _FOUND for words in names)


def _denied_after_all(text: str, value: FilledValue, row: Row) -> Change | None:
    """No instead of Yes where the sentence speaks of the finding in what it denies, and nowhere else."""
    names = (row.name, *row.synonyms)
    sentence = _sentence(text, value)
    denied, beside = _denied_in(sentence), stems(_without(sentence, analyse(sentence).denials))
    spoken = [words for name in names if (words := stems(name) - _PRESENT)]
    if (
        not _speaks_of(spoken, stems(sentence), stems(denied))
        or any(words <= beside for words in spoken)
        or any(negation_cues().finding.search(name) for name in names)
        or negation_cues().course.search(denied)
    ):
        return None
    return replaced(value, replace(value, value=False), Finding("denied", (sentence.strip(),)))


def _without_denied(text: str, value: FilledValue, chosen: tuple[str, ...], row: Row) -> Change | None:
    """A multi select without the options that its sentence only denies, only names within a compound that denies them
    ("non-tender"), or of which it says no word but such as say another one; None where nothing would be left."""
    sentence = _sentence(text, value)
    left = tuple(
        option.name
        for option in row.options
        if option.name in chosen
        and not _only_denied(sentence, option, row, chosen)
        and not _is_word_of_another(sentence, option, row, chosen)
    )
    if not left or left == chosen:
        return None
    place = next((span for name in left for span in mentions(sentence, _option(row, name))), None)
    evidence = value.evidence
    if place:
        start, end = evidence.sentence_start, evidence.sentence_end
        begin, stop = start + place[0], start + place[1]
        evidence = Evidence(begin, stop, text[begin:stop], start, end)
    gone = ", ".join(name for name in chosen if name not in left)
    return replaced(value, replace(value, value=left, evidence=evidence), Finding("option_not_stated", (gone,)))


def _option(row: Row, name: str) -> Option:
    return next(option for option in row.options if option.name == name)


def _only_denied(sentence: str, option: Option, row: Row, chosen: tuple[str, ...]) -> bool:
    said = mentions(sentence, option)
    if option.name.casefold() in negation_cues().options or not said:
        return False
    others = [span for name in chosen if name != option.name for span in mentions(sentence, _option(row, name))]
    return all(analyse(sentence).is_denied(span) or any(is_part(span, other) for other in others) for span in said)


def _is_word_of_another(sentence: str, option: Option, row: Row, chosen: tuple[str, ...]) -> bool:
    """Whether of an option nothing is said but words of another that is: 'Fine crackles' of 'crackles'."""
    if mentions(sentence, option):
        return False
    shared = stems(option.name) & stems(sentence)
    others = [span for name in chosen if name != option.name for span in mentions(sentence, _option(row, name))]
    return bool(shared) and not shared & stems(_without(sentence, others))
