"""Values that contradict a denial in their sentence.

A finding denied by its row's name becomes No: "no chest pain" read as Yes is corrected, with both values named; a
held-back No is proposed after all. A multi-select loses options that its sentence only denies ("clear, no wheezes"),
and options for which it has only words of another ("crackles", which is itself an option next to "fine crackles").
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from extraction.filling.evidence import SaidIn, located
from extraction.filling.task import Task
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.naming.option_mentions import mentions
from extraction.flowsheet.schema import Option, Row, ValueType
from extraction.flowsheet.values import FilledValue
from extraction.language.analysis import analyse
from extraction.language.negation import negation_cues
from extraction.language.spans import Span
from extraction.language.vocabulary.words import is_part, share, stems
from extraction.rules.changes import Change, replaced

_FOUND = 0.75  # share of a row's name that must be said
_PRESENT = stems("present")  # marks a question in a row's name, and is rarely spoken


def as_denied(task: Task, value: FilledValue) -> Change | None:
    """A proposal without what its sentence denies; None if nothing is denied or nothing would remain."""
    row = task.schema.row(value.row_id)
    if row.value_type is ValueType.YES_NO and value.value is True:
        return _no_instead_of_yes(SaidIn.of(task, value.evidence).sentence, value, row)
    if row.value_type is ValueType.MULTI_SELECT and isinstance(value.value, tuple) and len(value.value) > 1:
        return _without_unsupported_options(SaidIn.of(task, value.evidence), value, value.value, row)
    return None


def denied_by_name(task: Task, held_back: Iterable[FilledValue], rows: set[str]) -> Iterator[FilledValue]:
    """Held-back values of other rows that agree with a denial of the row's name in their sentence."""
    found: set[str] = set()
    for value in sorted(held_back, key=lambda value: -value.confidence):
        row = task.schema.row(value.row_id)
        if row.id in rows or row.id in found or row.unit_of or not _denies(row, value):
            continue
        sentence = SaidIn.of(task, value.evidence).sentence
        if _denial_covers(row, value, stems(sentence), stems(_denied_in(sentence))):
            found.add(row.id)
            yield value


def _denied_in(sentence: str) -> str:
    """The words of a sentence that lie within its denials."""
    return " ".join(sentence[slice(*scope)] for scope in analyse(sentence).denials)


def _with_blanks(sentence: str, spans: Sequence[Span]) -> str:
    """A sentence with these spans blanked out."""
    return "".join(" " if any(a <= at < b for a, b in spans) else char for at, char in enumerate(sentence))


def _denies(row: Row, value: FilledValue) -> bool:
    if row.value_type is ValueType.YES_NO:
        return value.value is False
    chosen = value.value if isinstance(value.value, tuple) else (value.value,)
    return bool(row.options) and all(str(name).casefold() in negation_cues().options for name in chosen)


def _denial_covers(row: Row, value: FilledValue, said: frozenset[str], denied: frozenset[str]) -> bool:
    """Whether the denial covers the finding, by the row's name or synonyms.

    Or a synonym of the option is said completely and partly denied ("denies nausea").
    """
    if _mostly_said_and_denied(map(stems, (row.name, *row.synonyms)), said, denied):
        return True
    chosen = value.value if isinstance(value.value, tuple) else (value.value,)
    return any(
        stems(synonym) <= said and stems(synonym) & denied
        for option in row.options
        if option.name in chosen
        for synonym in option.synonyms
    )


def _mostly_said_and_denied(names: Iterable[frozenset[str]], said: frozenset[str], denied: frozenset[str]) -> bool:
    """Whether most words of a name are in the sentence, and at least one in the denial."""
    return any(words & denied and share(words, said) >= _FOUND for words in names)


def _no_instead_of_yes(sentence: str, value: FilledValue, row: Row) -> Change | None:
    """No instead of Yes if the sentence mentions the finding in its denials and nowhere else."""
    names = (row.name, *row.synonyms)
    denied, beside = _denied_in(sentence), stems(_with_blanks(sentence, analyse(sentence).denials))
    spoken = [words for name in names if (words := stems(name) - _PRESENT)]
    if (
        not _mostly_said_and_denied(spoken, stems(sentence), stems(denied))
        or any(words <= beside for words in spoken)
        or any(negation_cues().finding.search(name) for name in names)
        or negation_cues().course.search(denied)
    ):
        return None
    return replaced(value, replace(value, value=False), Finding("denied", (sentence.strip(),)))


def _without_unsupported_options(said: SaidIn, value: FilledValue, chosen: tuple[str, ...], row: Row) -> Change | None:
    """A multi-select without unsupported options; None if nothing changes or nothing would remain.

    Unsupported are options that the sentence only denies, names only within a compound that denies them ("non-tender"),
    or for which it has only words of another option.
    """
    sentence = said.sentence
    left = tuple(
        option.name
        for option in row.options
        if option.name in chosen
        and not _only_denied(sentence, option, row, chosen)
        and not _shares_words_of_another(sentence, option, row, chosen)
    )
    if not left or left == chosen:
        return None
    place = next((span for name in left for span in mentions(sentence, _option(row, name))), None)
    kept = replace(value, value=left)
    if place:
        kept = located(said.task, kept, said.evidence(*place))
    gone = ", ".join(name for name in chosen if name not in left)
    return replaced(value, kept, Finding("option_not_stated", (gone,)))


def _option(row: Row, name: str) -> Option:
    return next(option for option in row.options if option.name == name)


def _only_denied(sentence: str, option: Option, row: Row, chosen: tuple[str, ...]) -> bool:
    said = mentions(sentence, option)
    if option.name.casefold() in negation_cues().options or not said:
        return False
    others = [span for name in chosen if name != option.name for span in mentions(sentence, _option(row, name))]
    return all(analyse(sentence).is_denied(span) or any(is_part(span, other) for other in others) for span in said)


def _shares_words_of_another(sentence: str, option: Option, row: Row, chosen: tuple[str, ...]) -> bool:
    """Whether the only words said for an option belong to another chosen one: 'Fine crackles' for 'crackles'."""
    if mentions(sentence, option):
        return False
    shared = stems(option.name) & stems(sentence)
    others = [span for name in chosen if name != option.name for span in mentions(sentence, _option(row, name))]
    return bool(shared) and not shared & stems(_with_blanks(sentence, others))
