"""What a sentence states outright goes before the nurse, however little the models trust it.

The models weigh short, bare statements low: "CVP is twelve", "no JVD". A value that they read, but held back, is
proposed after all, lit by its low confidence, when the words leave no doubt about the row:

- a number in words, or said as a correction, beside the name of its row, that no proposal has taken; or one with its
  unit, beside all of the name ("voided 150 milliliters");
- a finding that is denied;
- an option that is said word for word in the clause of a number, where its row's name goes on from that of the number's
  ("temp 38.4 oral": Temperature, Temperature site);
- a number of a sentence that goes on about the number before it ("Heart rate was 118 at 0630. It is 92 now").

An option leaves a multi select that was only denied ("clear, no wheezes"), or of which nothing was said but a word that
is all of another one ("crackles", where that is an option and "fine crackles" another).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from extraction.families import family_of
from extraction.lexical import is_part, share, stems
from extraction.propose import Proposals, unit_said
from extraction.reduce import SAID_TYPES
from extraction.reworded import Span
from extraction.schema import Option, Row, Schema, ValueType
from extraction.segment import segment
from extraction.values import Evidence, FilledValue

_DENIAL = re.compile(
    r"\b(?:no|not|denie[sd]|denying|deny|without|negative\s+for|never|free\s+of|absent)\b|\b\w+n't\b", re.IGNORECASE
)
_DENIED_AFTER = re.compile(r"\b(?:is|are|was|were)\s+(?:denied|absent|negative)\b", re.IGNORECASE)
# Where what is denied ends; a comma ends it, too, unless a list with "or" goes on.
_LIST = re.compile(r"\b(?:or|nor)\b", re.IGNORECASE)
_SCOPE_END = re.compile(
    r"[.;:!?\n]|,\s*(?:and,?\s*)?(?:uh|um|so|she|he|they|which|who|it|because|there)\b|\b(?:but|however|although|though|except|reports?|states?|now|does|has|is|are)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[;!?\n]|\.(?!\d)|,(?=\s)|\b(?:and|but|with|on)\b", re.IGNORECASE)
_GOES_ON = re.compile(
    r"(?:(?:and|but|now|then|currently)\s+)*(?:it|that)(?:['’]s|\s+(?:is|was|has|went|came))\b", re.IGNORECASE
)
# How much of a row's name must be said for a number, and for a denied finding.
_NAMED = 1 / 3
_FOUND = 0.75
# Words of row names that do not say what the row is about.
_COMMON = stems("patient score level total amount volume left right rate of and to or for 0 10")
_NEGATIVE = frozenset({"none", "absent", "negative", "no"})


def stated_outright(text: str, proposals: Proposals, schema: Schema, corrected: Sequence[Span]) -> Proposals:
    """The proposals with what the text states outright; `corrected` are stretches that were said as corrections."""
    unlikely = [value for value in proposals.unlikely if _may_be_meant(text, value, schema)]
    values = [_without_denied(text, value, schema.row(value.row_id)) for value in proposals.values]
    kept = [value for value in values if value is not None]
    rows = {value.row_id for value in kept}
    raised = [
        *_numbers(text, unlikely, kept, schema, corrected),
        *_denied(text, unlikely, rows, schema),
        *_options(text, unlikely, kept, schema),
        *_of_the_same(text, unlikely, kept, schema),
    ]
    if not raised and kept == list(proposals.values):
        return proposals
    taken = {(value.row_id, value.observed_at) for value in raised}
    return replace(
        proposals,
        values=tuple(sorted([*kept, *raised], key=lambda value: -value.confidence)),
        unlikely=tuple(value for value in proposals.unlikely if (value.row_id, value.observed_at) not in taken),
    )


def _may_be_meant(text: str, value: FilledValue, schema: Schema) -> bool:
    """Whether a row can be meant by the words for what it records: a wound's is not where no wound is named."""
    sentence = text[value.evidence.sentence_start : value.evidence.sentence_end]
    family = family_of(schema, value.row_id)
    return family is None or family.mention(sentence) is not None


# numbers


def _numbers(
    text: str, unlikely: Sequence[FilledValue], kept: Sequence[FilledValue], schema: Schema, corrected: Sequence[Span]
) -> Iterator[FilledValue]:
    """For each number that no proposal has taken the reading whose row is named best beside it."""
    rows = {value.row_id for value in kept}
    taken = [_span(value) for value in kept if schema.row(value.row_id).value_type in SAID_TYPES]
    best: dict[Span, tuple[float, float, FilledValue]] = {}
    for value in unlikely:
        row, span = schema.row(value.row_id), _span(value)
        if row.value_type not in SAID_TYPES or row.unit_of or row.id in rows:
            continue
        if any(_overlap(span, other) for other in taken):
            continue
        said = said_beside(text, span)
        if not _said_apart(value, row, span, corrected) and not _said_whole(text, row, span, said):
            continue
        named = _share(row, said)
        if named >= _NAMED:
            best[span] = max(
                best.get(span, (0.0, 0.0, value)), (named, value.confidence, value), key=lambda one: one[:2]
            )
    chosen: dict[str, FilledValue] = {}
    for _, _, value in best.values():
        chosen.setdefault(value.row_id, value)
    yield from chosen.values()


def _share(row: Row, said: frozenset[str]) -> float:
    """Which share of the row's best name was said, with a word that says what it is about; else 0."""
    names = [words for name in (row.name, *row.synonyms) if (words := stems(name)) and (words - _COMMON) & said]
    return max((share(words, said) for words in names), default=0.0)


def _said_apart(value: FilledValue, row: Row, span: Span, corrected: Sequence[Span]) -> bool:
    """Whether the number was said in words, or as a correction."""
    if row.value_type is ValueType.BLOOD_PRESSURE or isinstance(value.value, float):
        digits = re.search(r"\d", value.evidence.text)
        return not digits or any(_overlap(span, other) for other in corrected)
    return False


def _said_whole(text: str, row: Row, span: Span, said: frozenset[str]) -> bool:
    """Whether the number has its unit, and a name of its row is said but for words that any row may have."""
    names = [stems(name) - _COMMON for name in (row.name, *row.synonyms)]
    return unit_said(text, span) is not None and any(words and words <= said for words in names)


def said_beside(text: str, span: Span) -> frozenset[str]:
    """What is said around a number up to the next mark or joint on each side, in stems, and the unit that it has."""
    start = max((match.end() for match in _CLAUSE.finditer(text, 0, span[0])), default=0)
    end = next((match.start() for match in _CLAUSE.finditer(text, span[1])), len(text))
    unit = frozenset(word for word in stems(text[slice(*span)]) if not word.isdigit())
    return stems(f"{text[start : span[0]]} {text[span[1] : end]}") | unit


def _of_the_same(
    text: str, unlikely: Sequence[FilledValue], kept: Sequence[FilledValue], schema: Schema
) -> Iterator[FilledValue]:
    """Numbers of the row that the last number of the sentence before was charted in, at another time, where nothing is
    charted from a sentence but that it goes on about it."""
    sentences = segment(text)
    for value in unlikely:
        # a number that was read for the sentence before has none of its own
        around = next((one for one in sentences if one.start <= value.evidence.start < one.end), None)
        start, end = (around.start, around.end) if around else _span(value)
        if schema.row(value.row_id).value_type not in SAID_TYPES or not _GOES_ON.match(text, start, end):
            continue
        before = [one for one in kept if schema.row(one.row_id).value_type in SAID_TYPES and one.evidence.end <= start]
        last = max(before, key=_span, default=None)
        if (
            last is not None
            and last.row_id == value.row_id
            and last.observed_at != value.observed_at
            and not text[last.evidence.sentence_end : start].strip()
            and not any(start <= one.evidence.start < end for one in kept)
        ):
            yield value


# options


def _options(
    text: str, unlikely: Sequence[FilledValue], kept: Sequence[FilledValue], schema: Schema
) -> Iterator[FilledValue]:
    """Held back options of single selects that are said word for word beside a number of their kind."""
    rows = {value.row_id for value in kept}
    found: set[str] = set()
    for value in unlikely:
        row = schema.row(value.row_id)
        if row.value_type is not ValueType.SINGLE_SELECT or row.unit_of or row.id in rows | found:
            continue
        start, end = value.evidence.sentence_start, value.evidence.sentence_end
        sentence = text[start:end]
        said = said_options(row, sentence)
        if {name for name, _ in said} != {value.value} or any(_is_denied(sentence, span) for _, span in said):
            continue
        if _goes_with_number(text, start + said[0][1][0], row, kept, schema):
            found.add(row.id)
            yield value


def said_options(row: Row, sentence: str) -> list[tuple[str, Span]]:
    """The options that a sentence says, with their places; of words within others, the longer count."""
    found = [(option.name, span) for option in row.options for span in _mentions(sentence, option)]
    return [one for one in found if not any(is_part(one[1], other) for _, other in found)]


def _is_denied(sentence: str, span: Span) -> bool:
    return any(scope[0] <= span[0] and span[1] <= scope[1] for scope in denials(sentence))


def _goes_with_number(text: str, place: int, row: Row, kept: Sequence[FilledValue], schema: Schema) -> bool:
    """Whether the clause of an option has a number whose row's name the option's row goes on from."""
    start = max((match.end() for match in _CLAUSE.finditer(text, 0, place)), default=0)
    end = next((match.start() for match in _CLAUSE.finditer(text, place)), len(text))
    numbers = [schema.row(one.row_id) for one in kept if start <= one.evidence.start < end]
    return any(one.value_type in SAID_TYPES and row.name.startswith(f"{one.name} ") for one in numbers)


# what is denied


def denials(text: str) -> list[Span]:
    """The stretches of a text in which what is named is denied, in their order."""
    found = []
    for cue in _DENIAL.finditer(text):
        mark = _SCOPE_END.search(text, cue.end())
        end = mark.start() if mark else len(text)
        comma = text.find(",", cue.end(), end)
        if comma >= 0 and not _LIST.search(text, comma, end):
            end = comma
        found.append((cue.end(), end))
    for after in _DENIED_AFTER.finditer(text):
        start = max((match.end() for match in _CLAUSE.finditer(text, 0, after.start())), default=0)
        found.append((start, after.start()))
    return sorted(span for span in found if span[0] < span[1])


def _denied(text: str, unlikely: Iterable[FilledValue], rows: set[str], schema: Schema) -> Iterator[FilledValue]:
    """Held back values that deny what the sentence denies of the row by its name."""
    found: set[str] = set()
    for value in sorted(unlikely, key=lambda value: -value.confidence):
        row = schema.row(value.row_id)
        if row.id in rows or row.id in found or row.unit_of or not _denies(row, value):
            continue
        start, end = value.evidence.sentence_start, value.evidence.sentence_end
        sentence = text[start:end]
        scopes = denials(sentence)
        denied = " ".join(sentence[slice(*scope)] for scope in scopes)
        if scopes and _is_named(row, value, sentence, denied):
            found.add(row.id)
            yield value


def _denies(row: Row, value: FilledValue) -> bool:
    if row.value_type is ValueType.YES_NO:
        return value.value is False
    chosen = value.value if isinstance(value.value, tuple) else (value.value,)
    return bool(row.options) and all(str(name).casefold() in _NEGATIVE for name in chosen)


def _is_named(row: Row, value: FilledValue, sentence: str, denied: str) -> bool:
    """Whether the finding stands in what is denied: by the row's name or synonyms, most of whose words are in the
    sentence and one in the denied part; or a synonym of the option says it whole ("denies nausea")."""
    inside, said = stems(denied), stems(sentence)
    for name in (row.name, *row.synonyms):
        words = stems(name)
        if words and words & inside and len(words & said) >= _FOUND * len(words):
            return True
    chosen = value.value if isinstance(value.value, tuple) else (value.value,)
    return any(
        stems(synonym) <= said and stems(synonym) & inside
        for option in row.options
        if option.name in chosen
        for synonym in option.synonyms
    )


def _without_denied(text: str, value: FilledValue, row: Row) -> FilledValue | None:
    """A multi select without the options that its sentence only denies, only names within a compound that denies them
    ("non-tender"), or of which it says no word but such as say another one; unchanged where nothing would be left."""
    if row.value_type is not ValueType.MULTI_SELECT or not isinstance(value.value, tuple) or len(value.value) < 2:
        return value
    start, end = value.evidence.sentence_start, value.evidence.sentence_end
    sentence = text[start:end]
    left = tuple(
        option.name
        for option in row.options
        if option.name in value.value
        and not _only_denied(sentence, option, row, value.value)
        and not _is_word_of_another(sentence, option, row, value.value)
    )
    if not left or left == value.value:
        return value
    place = next((span for name in left for span in _mentions(sentence, _option(row, name))), None)
    evidence = value.evidence
    if place:
        begin, stop = start + place[0], start + place[1]
        evidence = Evidence(begin, stop, text[begin:stop], start, end)
    return replace(value, value=left, evidence=evidence)


def _option(row: Row, name: str) -> Option:
    return next(option for option in row.options if option.name == name)


def _only_denied(sentence: str, option: Option, row: Row, chosen: tuple[str, ...]) -> bool:
    mentions = _mentions(sentence, option)
    if option.name.casefold() in _NEGATIVE or not mentions:
        return False
    others = [span for name in chosen if name != option.name for span in _mentions(sentence, _option(row, name))]
    scopes = denials(sentence)
    return all(
        any(scope[0] <= start and end <= scope[1] for scope in scopes)
        or any(other[0] <= start and end <= other[1] and other != (start, end) for other in others)
        for start, end in mentions
    )


def _is_word_of_another(sentence: str, option: Option, row: Row, chosen: tuple[str, ...]) -> bool:
    """Whether of an option nothing is said but words of another that is: 'Fine crackles' of 'crackles'."""
    if _mentions(sentence, option):
        return False
    shared = stems(option.name) & stems(sentence)
    others = [span for name in chosen if name != option.name for span in _mentions(sentence, _option(row, name))]
    rest = "".join(" " if any(s <= at < e for s, e in others) else char for at, char in enumerate(sentence))
    return bool(shared) and not shared & stems(rest)


def _mentions(sentence: str, option: Option) -> list[Span]:
    """Where an option or a synonym of it is said, whole words each."""
    return [
        match.span()
        for name in (option.name, *option.synonyms)
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", sentence, re.IGNORECASE)
    ]


def _span(value: FilledValue) -> Span:
    return value.evidence.start, value.evidence.end


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]
