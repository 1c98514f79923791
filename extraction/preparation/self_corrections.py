"""Applies the speaker's self-corrections: the later statement stands, and the earlier one is remembered.

"130 over 90, correction, 140 over 90" is read as "140 over 90". A correction has three parts: the withdrawn words, a
cue, and the replacement. The cue decides how much may be concluded: "scratch that" always withdraws something, "no" or
"sorry" only if the words that follow can replace something just said. A replacement finds its target by kind: a
pressure replaces a pressure, a number replaces one with the same unit, an option replaces another option of the same
row, "right arm" replaces "left arm". If nothing fits, the text is unchanged and marked as doubtful.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from extraction.flowsheet.schema import SAID_TYPES, Schema
from extraction.language.clock_times import clocks
from extraction.language.edited_text import EditedText
from extraction.language.negation import negation_cues
from extraction.language.numbers import numbers
from extraction.language.spans import Span
from extraction.language.vocabulary.correction_cues import correction_cues
from extraction.language.vocabulary.words import stem, stems
from extraction.preparation.correctable_values import (
    CorrectableValue,
    correctable_values,
    dated_values,
    day_end,
    may_replace,
)

_BREAK = re.compile(r"[,;:.!?…–—]+(?=\s|$)|\n")
_STOP = re.compile(r"[.!?]+(?=\s|$)|\n")
_WORD = re.compile(r"[\w+'/-]+")
_OVER = re.compile(r"over\s+", re.IGNORECASE)
_SIDES = frozenset({"left", "right", "bilateral", "both", "upper", "lower", "middle", "front", "back"})
# A time of day in digits that needs no lead.
_FIGURES = re.compile(r"(?:[01]\d|2[0-3])[0-5]\d(?![\w.,/:]*\d)\b")
_LONGEST_REPAIR = 8
_AHEAD = 40  # how many characters behind a cue its pattern may look at
_MOST_CORRECTIONS = 60


@dataclass(frozen=True, slots=True)
class Correction:
    """The withdrawn and the replacing words (None if nothing replaces them), in characters of the transcript.

    Attributes:
        unsure: it is unclear which of several values was meant.
        is_read: no cue announced it, see `extraction.preparation.read_corrections`.
    """

    taken_back: Span
    instead: Span | None
    unsure: bool = False
    is_read: bool = False


@dataclass(frozen=True, slots=True)
class Corrected:
    """A text with its corrections applied.

    Attributes:
        corrections: in spoken order.
        unplaced: cues that fit nothing said before; the text around them is unchanged.
    """

    text: EditedText
    corrections: tuple[Correction, ...] = ()
    unplaced: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class _Found:
    """A correction in the current text.

    Attributes:
        cuts: spans to remove.
        move: a span to move and the span it replaces; used instead of `cuts`.
    """

    taken_back: Span
    instead: Span | None
    cuts: tuple[Span, ...] = ()
    move: tuple[Span, Span] | None = None
    unsure: bool = False


def corrected(transcript: str, schema: Schema) -> Corrected:
    """Applies all corrections in a transcript, first to last."""
    text = EditedText.of(transcript)
    corrections: list[Correction] = []
    unplaced: list[Span] = []
    position = 0
    while (cue := _next_cue(text.text, position)) and len(corrections) + len(unplaced) < _MOST_CORRECTIONS:
        reading = _Repair(text.text, cue, schema)
        if found := reading.correction():
            instead = None if found.instead is None else text.heard(*found.instead)
            corrections.append(Correction(text.heard(*found.taken_back), instead, found.unsure))
            behind = len(text.text) - cue.end()
            text = text.moved(*found.move, (cue.start(), found.move[0][0])) if found.move else text.without(*found.cuts)
            position = max(0, min(cue.start(), len(text.text) - behind) - 1)
            continue
        if reading.announced:
            unplaced.append(text.heard(*cue.span()))
        position = cue.end()
    return Corrected(text, tuple(corrections), tuple(unplaced))


def _next_cue(text: str, position: int) -> re.Match[str] | None:
    for cue in correction_cues().interregnum.finditer(text, position):
        if _may_correct(text, cue):
            return cue
    return None


def _may_correct(text: str, cue: re.Match[str]) -> bool:
    """Whether a cue is where a speaker breaks off rather than within a phrase."""
    before, after = text[: cue.start()], text[cue.end() :]
    if not _WORD.search(before):
        return False
    words, cues = cue.group(), correction_cues()
    if _says(cues.correct, cue) and cues.thing.search(before):
        return False
    if cues.continued.search(words) and cues.continuation.match(after):
        return False
    bare = before.rstrip()
    broken_off = bare[-1] in ",;:.!?…–—-\n"
    if cues.answers.fullmatch(words):
        if bare.endswith("?"):  # an answer
            return False
        number_follows = any(value.start <= 1 for value in correctable_values(after[:40]))
        pause = bool(re.match(r"[,;:…–—]|\s+[–—-]", after))  # after a full stop it was an answer
        return (broken_off and (pause or number_follows)) or (_ends_in_value(bare) and number_follows)
    if _is_explicit(cue):
        return True
    return broken_off or _ends_in_value(bare)


def _is_explicit(cue: re.Match[str]) -> bool:
    cues = correction_cues()
    return any(_says(kind, cue) for kind in (cues.strike, cues.correct, cues.change))


def _says(kind: re.Pattern[str], cue: re.Match[str]) -> bool:
    """Whether a cue holds one of a kind; some kinds look at what stands before or after it."""
    return any(found.end() <= cue.end() for found in kind.finditer(cue.string, cue.start(), cue.end() + _AHEAD))


def _ends_in_value(text: str) -> bool:
    near = text[-60:]
    return any(value.end == len(near) for value in (*correctable_values(near), *dated_values(near)))


class _Repair:
    """One cue with the text before and after it."""

    def __init__(self, text: str, cue: re.Match[str], schema: Schema) -> None:
        self.text = text
        self.cue = cue
        self.schema = schema
        self.cues = correction_cues()
        self.strong = _is_explicit(cue)
        self.strike = _says(self.cues.strike, cue)
        self.announced = self.strike or _says(self.cues.correct, cue)
        lead = self.cues.lead_in.match(text, cue.end())
        self.begin = lead.end() if lead else cue.end()
        self.behind = text[cue.end() : self.begin]
        self.stop = self._end(_STOP, self.begin)
        self.before = [value for value in correctable_values(text[: cue.start()]) if value.start >= self._reach()]
        self.dated = [value for value in dated_values(text[: cue.start()]) if value.start >= self._reach()]
        self.after = [value for value in correctable_values(text) if self.begin <= value.start < self.stop]

    def correction(self) -> _Found | None:
        """The withdrawn words and their replacement; None if nothing fits."""
        if _says(self.cues.backwards, self.cue):  # removes the whole statement
            return self._restated() or self._withdrawn()
        found = (
            self._time()
            or self._diastolic_number()
            or self._same_kind()
            or self._named_value()
            or self._parallel_words()
            or self._restated()
        )
        return found or (self._withdrawn() if self.strike else self._only_value())

    # positions

    def _end(self, pattern: re.Pattern[str], position: int) -> int:
        match = pattern.search(self.text, position)
        return match.start() if match else len(self.text)

    def _reach(self) -> int:
        """How far back a value may be withdrawn: the start of the third sentence before the cue."""
        ends = [match.end() for match in _STOP.finditer(self.text, 0, self.cue.start())]
        return ends[-4] if len(ends) > 3 else 0

    def _start_of(self, pattern: re.Pattern[str]) -> int:
        """The start of the clause or sentence before the cue, ignoring punctuation right before the cue."""
        bare = len(self.text[: self.cue.start()].rstrip(" \t\n,;:.!?…–—-"))
        return max((match.end() for match in pattern.finditer(self.text, 0, bare)), default=0)

    def _adjoins(self, end: int) -> bool:
        """Whether only punctuation and fillers lie between a position and the cue."""
        return not self.cues.filler.sub("", self.text[end : self.cue.start()]).strip(" \t\n,;:.!?…–—-")

    def _replaced(self, taken_back: Span, instead: Span, *, unsure: bool = False) -> _Found:
        """Replaces the withdrawn words with `instead`, which begins after the cue."""
        if self._adjoins(taken_back[1]):
            return _Found(taken_back, instead, cuts=((taken_back[0], instead[0]),), unsure=unsure)
        return _Found(taken_back, instead, move=(instead, taken_back), unsure=unsure)

    # values for values

    def _diastolic_number(self) -> _Found | None:
        """'150 over 90, I mean over 80'."""
        over = _OVER.match(self.text, self.begin)
        if not over or not self.before or self.before[-1].kind != "pressure":
            return None
        last = self.before[-1]
        number = next((value for value in self.after if value.start == over.end()), None)
        second = re.search(r"(?:/|\bover\s+)(?=[\w-]+(?:\s[\w-]+)?$)", self.text[last.start : last.end], re.IGNORECASE)
        if number is None or second is None:
            return None
        return self._replaced((last.start + second.start(), last.end), (self.begin, number.number_end))

    def _time(self) -> _Found | None:
        """A time of day right after the cue replaces one right before it, whatever other numbers were said."""
        said = (one for one in clocks(self.text) if one.end <= self.cue.start())
        before = next((one for one in said if self._adjoins(one.end)), None)
        if before is None:
            return None
        named = next((one.end for one in clocks(self.text) if one.start == self.begin), None)
        figures = _FIGURES.match(self.text, self.begin)
        if named is None and figures is None:
            return None
        return self._replaced((before.start, before.end), (self.begin, named or (figures.end() if figures else 0)))

    def _same_kind(self) -> _Found | None:
        """A value right after the cue replaces the last comparable value before it."""
        new = next((value for value in self.after if value.start == self.begin), None)
        if new is None:
            return None
        if not self.strong and not self.before and not self.dated:
            return None
        if found := self._time_or_day(new):
            return found
        for old in reversed(self.before):
            if may_replace(old, new):
                return self._replaced(*_matching_spans(old, new))
            if old.kind == "pressure" and new.unit is None and old is self.before[-1]:
                return self._half_of(old, new)
        return None

    def _time_or_day(self, new: CorrectableValue) -> _Found | None:
        """A number right after the cue replaces a time or day right before it: "at seven thirty, no, eight".

        Flagged for review if its sentence contains another number.
        """
        last = self.dated[-1] if self.dated else None
        if last is None or new.kind != "number" or new.unit is not None or not self._adjoins(last.end):
            return None
        military = 1000 <= new.amount < 2400 and new.amount % 100 < 60
        fits = 1 <= new.amount <= 31 if last.kind == "day" else 1 <= new.amount < 24 or military
        if not fits or not new.amount.is_integer():
            return None
        end = day_end(self.text, new.number_end) if last.kind == "day" else new.number_end
        unsure = any(value.kind == "number" and value.start >= self._start_of(_STOP) for value in self.before)
        return self._replaced((last.start, last.end), (new.start, end), unsure=unsure)

    def _only_value(self) -> _Found | None:
        """After an explicit cue: if exactly one value precedes and one follows, replace it and flag it for review."""
        said = [value for value in self.before if value.start >= self._start_of(_STOP)]
        if not self.strong or len(said) != 1 or len(self.after) != 1:
            return None
        old, new = said[0], self.after[0]
        if not may_replace(old, new):
            return None
        taken_back, instead = _matching_spans(old, new)
        return _Found(taken_back, instead, move=(instead, taken_back), unsure=True)

    def _half_of(self, old: CorrectableValue, new: CorrectableValue) -> _Found | None:
        """A single number after a pressure replaces the closer of its two numbers, flagged for review."""
        halves = numbers(self.text[old.start : old.end])
        if len(halves) != 2:
            return None
        half = min(halves, key=lambda half: abs(half.value - new.amount))
        place = (old.start + half.start, old.start + half.end)
        return self._replaced(place, (new.start, new.number_end), unsure=True)

    def _named_value(self) -> _Found | None:
        """A statement with a value replaces the last value of its kind with the same topic."""
        if not self.after or not (self.strong or _says(self.cues.restating, self.cue)):
            return None
        new = self.after[0]
        clause = self._end(_BREAK, self.begin)
        if new.start >= clause and not self.strike:
            return None
        name = self.text[self.begin : new.start]
        topic, rows = _topic(name), self._rows(name)
        for place in range(len(self.before) - 1, -1, -1):
            old = self.before[place]
            said_of = self.text[self._name_start(place) : old.start] + " " + self._name_behind(place)
            if not self.strong and _other_side(name, said_of):
                continue
            if old.kind == new.kind and (topic & _topic(said_of) or rows & self._rows(said_of)):
                if self._is_only_name_and_value(new, topic <= _topic(said_of) or bool(rows)):
                    taken_back, instead = _matching_spans(old, new)
                    return _Found(taken_back, instead, move=(instead, taken_back))
                return _Found(
                    (old.start, old.end if old.unit else old.number_end),
                    (self.begin, new.end),
                    cuts=(self._repeated_span(place), (self.cue.start(), self.begin)),
                )
        return None

    def _is_only_name_and_value(self, new: CorrectableValue, named_alike: bool) -> bool:
        """Whether the statement consists of just a name for the earlier value and the new value."""
        return named_alike and not self.text[new.end : self._end(_BREAK, new.end)].strip()

    def _repeated_span(self, place: int) -> Span:
        """The span to withdraw: the old value, with its whole clause if the new statement repeats that."""
        old, start = self.before[place], self._name_start(place)
        end = old.end + len(self._name_behind(place))
        rest = _topic(f"{self.text[start : old.start]} {self.text[old.end : end]}")
        return (start, end) if rest <= _topic(self.text[self.begin : self.stop]) else (old.start, old.end)

    def _name_start(self, place: int) -> int:
        """The start of the words that name a value: after the previous value or the last punctuation."""
        previous = self.before[place - 1].end if place else 0
        marks = [match.end() for match in _BREAK.finditer(self.text, previous, self.before[place].start)]
        return max([previous, *marks])

    def _name_behind(self, place: int) -> str:
        """The words after a value, up to the next punctuation."""
        end = self.before[place].end
        return self.text[end : min(self._end(_BREAK, end), self.cue.start())]

    def _rows(self, words: str) -> frozenset[str]:
        said = stems(words)
        return frozenset(
            row.id
            for row in self.schema.rows
            if row.value_type in SAID_TYPES
            and any(stems(name) and stems(name) <= said for name in (row.name, *row.synonyms))
        )

    # words for words

    def _parallel_words(self) -> _Found | None:
        """Words that replace others: a parallel phrase with the same first or last word, a side, or another option."""
        old = list(_WORD.finditer(self.text, self._start_of(_STOP), self.cue.start()))
        clause, new = (
            list(_WORD.finditer(self.text, self.begin, self._end(end, self.begin)))[:_LONGEST_REPAIR]
            for end in (_BREAK, self.cues.phrase_end)
        )
        if not new or not old:
            return None
        if not self._begins_statement(new):
            for words in (clause, new):
                if (first := self._parallel(old, words)) is not None:
                    return self._replaced((old[first].start(), old[-1].end()), (words[0].start(), words[-1].end()))
        return self._side(old, new) or self._option(old, new)

    def _begins_statement(self, new: Sequence[re.Match[str]]) -> bool:
        return new[0].group().lower() in self.cues.subjects

    def _parallel(self, old: Sequence[re.Match[str]], new: Sequence[re.Match[str]]) -> int | None:
        """Index of the first old word that the new words repeat as a parallel phrase; None if they do not."""
        olds, news = ([stem(word.group().lower()) for word in words] for words in (old, new))
        if news[-1] == olds[-1] and len(news) <= min(len(olds), 5) and news != olds[-len(news) :]:
            return len(olds) - len(news)
        clause = self._start_of(_BREAK)
        for place in range(len(olds) - 1, -1, -1):
            near = len(olds) - place <= (3 if news[0] in self.cues.functions else _LONGEST_REPAIR)
            if olds[place] == news[0] and near and old[place].start() >= clause:
                return place
        return None

    def _side(self, old: Sequence[re.Match[str]], new: Sequence[re.Match[str]]) -> _Found | None:
        """A side replaces another side: 'right' for 'left'."""
        side = new[0].group().lower()
        if side not in _SIDES:
            return None
        for place in range(len(old) - 1, -1, -1):
            if old[place].group().lower() in _SIDES - {side}:
                if len(new) == 1:
                    return self._replaced(old[place].span(), new[0].span())
                if len(old) - place <= 3:
                    return self._replaced((old[place].start(), old[-1].end()), (new[0].start(), new[-1].end()))
                return None
        return None

    def _option(self, old: Sequence[re.Match[str]], new: Sequence[re.Match[str]]) -> _Found | None:
        """An option replaces another option of the same row, the last one mentioned."""
        best: tuple[int, int, Span, Span] | None = None
        for row in self.schema.rows:
            names = {_plain(name): option.name for option in row.options for name in (option.name, *option.synonyms)}
            if not names:
                continue
            longest = next((k for k in range(min(4, len(new)), 0, -1) if _joined(new[:k]) in names), 0)
            if not longest:
                continue
            chosen = names[_joined(new[:longest])]
            for place, length in _runs_of_words(len(old)):
                name = _joined(old[place : place + length])
                if name in names and names[name] != chosen:
                    found = (
                        place + length,
                        longest,
                        (old[place].start(), old[place + length - 1].end()),
                        (new[0].start(), new[longest - 1].end()),
                    )
                    best = max(best, found) if best else found
                    break
        if best is None:
            return None
        _, _, taken_back, instead = best
        return self._replaced(taken_back, instead)

    # statements for statements

    def _restated(self) -> _Found | None:
        """A whole statement replaces the previous one if that has no other topic."""
        if not (self.strong or _says(self.cues.restating, self.cue)):
            return None
        new = _topic(self.text[self.begin : self.stop])
        for start in (self._start_of(_BREAK), self._start_of(_STOP)):
            old = _topic(self.text[start : self.cue.start()])
            if old and (old <= new or (self.strike and len(old & new) * 2 >= len(old))):
                return _Found((start, self._last_mark()), (self.begin, self.stop), cuts=((start, self.begin),))
        return None

    def _withdrawn(self) -> _Found | None:
        """Withdraws the last statement without a replacement."""
        start, end = self._start_of(_BREAK), self._last_mark()
        if not self.text[start:end].strip():
            return None
        lead = len(self.text[start:end]) - len(self.text[start:end].lstrip())
        return _Found((start + lead, end), None, cuts=((start, self.cue.end()),))

    def _last_mark(self) -> int:
        """The end of the words before the cue."""
        return len(self.text[: self.cue.start()].rstrip(" \t\n,;:.!?…–—-"))


def _matching_spans(old: CorrectableValue, new: CorrectableValue) -> tuple[Span, Span]:
    """The spans to exchange: including units if the new value has one, else the numbers alone."""
    if new.unit is None:
        return (old.start, old.number_end), (new.start, new.number_end)
    return (old.start, old.end), (new.start, new.end)


def _topic(text: str) -> frozenset[str]:
    """Stems of the topic words of a text, without numbers and words common to all statements."""
    cues = correction_cues()
    beside = cues.off_topic | cues.functions | negation_cues().topic
    return frozenset(word for word in stems(text) - beside if not word.isdigit())


def _other_side(one: str, other: str) -> bool:
    """Whether both texts name sides and have none in common."""
    sides = [_SIDES & {word.lower() for word in _WORD.findall(text)} for text in (one, other)]
    return all(sides) and not sides[0] & sides[1]


def _joined(words: Sequence[re.Match[str]]) -> str:
    return _plain(" ".join(word.group() for word in words))


def _plain(name: str) -> str:
    return " ".join(_WORD.findall(name.lower()))


def _runs_of_words(count: int) -> Iterator[tuple[int, int]]:
    """Index and length of every run of up to four words, last runs first, then longest first."""
    for end in range(count, 0, -1):
        for length in range(min(4, end), 0, -1):
            yield end - length, length
