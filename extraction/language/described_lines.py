"""Peripheral lines that are told by their size and place: "a 20 in the left AC", "R FA 18g, SL".

resources/language/<language>/lines.toml. A place counts where a size or a word for a line stands beside it, or where
something runs into it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from extraction.language.body_sites import WrittenSide, no_other_thing, written_sides
from extraction.language.clauses import clause_of
from extraction.language.numbers import numbers
from extraction.language.quantities import is_measured
from extraction.language.spans import Span
from extraction.language.vocabulary.cues import cues
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.number_words import either, number_words
from extraction.language.vocabulary.phrases import any_of, compiled, whole_words

REMOVED = "Removed"  # the state that ends all others
_SIZES = frozenset(range(14, 27, 2))
_GAP = 40  # characters between a place and its size or line
_JOINTS = ",;:+&"
_JOINED = re.compile(r"\b(?:and|both)\b")
_NO_SIZE_BEHIND = re.compile(r"\s*(?:[/:%]|[-–]\d|\.\d)")
_NO_SIZE_BEFORE = re.compile(r"[/:.]$")


@dataclass(frozen=True, slots=True)
class DescribedLine:
    """A line in the characters [start, end) of a sentence.

    Attributes:
        side: `left`, `right` or empty.
        site, place: characters of the word for the site, and of site and side.
        gauge, size: the size and its characters; 0 if it is not said.
        number: which line it is called, the second one; 0 if it is not said.
        states: what is said of its state, with the characters, in order.
    """

    side: str
    site: Span
    place: Span
    gauge: int = 0
    size: Span = (0, 0)
    number: int = 0
    states: tuple[tuple[str, Span], ...] = ()

    @property
    def start(self) -> int:
        return min(self.place[0], self.size[0]) if self.gauge else self.place[0]

    @property
    def end(self) -> int:
        return max(self.place[1], self.size[1])


@dataclass(frozen=True, slots=True)
class LinePatterns:
    """Patterns of the words of lines.toml; `states` and `several` by state and size."""

    line: re.Pattern[str]
    gauge: re.Pattern[str]
    link: re.Pattern[str]
    between: re.Pattern[str]
    side_behind: re.Pattern[str]
    other_line: re.Pattern[str]
    behind_size: re.Pattern[str]
    through: re.Pattern[str]
    runs: re.Pattern[str]
    fluid: re.Pattern[str]
    numbered: re.Pattern[str]
    all_sites: re.Pattern[str]
    all_lines: re.Pattern[str]
    limb: str
    is_limb: re.Pattern[str]
    several: tuple[tuple[int, re.Pattern[str]], ...]
    states: Mapping[str, re.Pattern[str]]


@of_vocabularies
def line_patterns() -> LinePatterns:
    """Raises InputError if the ward's own file is invalid."""
    of = cues("lines")
    words = {key: any_of(said) for key, said in of["words"].items()}
    link = any_of((*of["words"]["link"], *of["words"]["line"]))
    the = r"(?:(?:the|his|her|a|an|pt's)\s+)?"
    ordinal = rf"(?:([1-9])(?:st|nd|rd|th)|({either(number_words().ordinals)}))"
    return LinePatterns(
        line=compiled(rf"(?<![\w-]){words['line']}(?![\w-]){no_other_thing()}"),
        gauge=compiled(rf"[\s-]*{words['gauge']}(?!\w)"),
        link=compiled(rf"[\s,:;()+&@-]*(?:(?<!\w){link}(?!\w)[\s,:;()+&@-]*)*"),
        between=compiled(rf"[\s-]+(?:{words['between']}[\s-]+)?"),
        side_behind=compiled(rf"[\s,(]+(?:{words['side_behind']}\s+)*"),
        other_line=compiled(rf"(?<!\w){words['other_lines']}[\s-]+$"),
        behind_size=compiled(rf"\s*(?:$|[.,;:)+&\n-]|{words['behind_size']}(?!\w))"),
        through=compiled(rf"(?<!\w){words['through']}\s+{the}(?:\w+\s+)?$"),
        runs=compiled(rf"(?<!\w){words['runs']}(?:\s[^.,;:]{{0,25}}?)?\s{words['into']}\s+{the}$"),
        fluid=compiled(rf"(?:(?<!\w)|(?=/)){words['fluids']}(?!\w)"),
        numbered=compiled(rf"(?<!\w){ordinal}\s+(?:\w+\s+)?{words['one']}(?:['’]s)?(?!\w)"),
        all_sites=compiled(rf"(?<!\w){words['all']}\s+{the}$"),
        all_lines=compiled(rf"(?<!\w){words['all']}\b[^.;]{{0,12}}$"),
        limb=words["limb"],
        is_limb=compiled(words["limb"]),
        several=tuple((int(size), whole_words(said)) for size, said in of["several"].items()),
        states={name: compiled(rf"(?:(?<!\w)|(?=/)){any_of(said)}(?!\w)") for name, said in of["states"].items()},
    )


def state_words(state: str) -> re.Pattern[str]:
    """What is said of a state."""
    return line_patterns().states[state]


@of_vocabularies
def described_lines(text: str, sites: re.Pattern[str]) -> tuple[DescribedLine, ...]:
    """The lines in a sentence, in order; `sites` are the words for their places."""
    places = list(_places(text, sites))
    sized = _with_several(text, _with_sizes(text, places))
    lines = [one for one in sized if one.gauge or (one.side and _is_of_line(text, one))]
    return tuple(_with_number(text, lines, _with_states(text, lines)))


# places


def _places(text: str, sites: re.Pattern[str]) -> Iterator[DescribedLine]:
    """Every site with its side; a site on both sides is two places."""
    sides, taken = written_sides(text), set[int]()
    for match in sites.finditer(text):
        side = _side_of(text, sides, match.span(), sites)
        if side and side.start not in taken:
            taken.add(side.start)
            place = min(match.start(), side.start), max(match.end(), side.end)
            yield DescribedLine(side.side, match.span(), place)
        elif line_patterns().all_sites.search(text, 0, match.start()):
            yield from (DescribedLine(one, match.span(), match.span()) for one in ("left", "right"))
        else:
            yield DescribedLine("", match.span(), match.span())


def _side_of(text: str, sides: Sequence[WrittenSide], site: Span, sites: re.Pattern[str]) -> WrittenSide | None:
    """The side right before a site, or else right behind it unless it belongs to the next one."""
    before = [one for one in sides if one.end <= site[0]]
    if before and line_patterns().between.fullmatch(text, before[-1].end, site[0]):
        return before[-1]
    behind = [one for one in sides if one.start >= site[1]]
    if behind and line_patterns().side_behind.fullmatch(text, site[1], behind[0].start):
        gap = line_patterns().between.match(text, behind[0].end)
        return None if sites.match(text, gap.end() if gap else behind[0].end) else behind[0]
    return None


# sizes


def _with_sizes(text: str, places: Sequence[DescribedLine]) -> list[DescribedLine]:
    """The places with the size that stands nearest beside each; one size, one place."""
    sizes = list(_sizes(text)) if places else []
    pairs = sorted(
        (any(mark in gap for mark in _JOINTS), len(gap), number, size)
        for number, place in enumerate(places)
        for size in sizes
        if (size[2] or (place.side and _may_be_bare(text, place.place, size[1])))
        and (gap := _gap(text, place.place, size[1])) is not None
    )
    found, used = list(places), set[Span]()
    for _, _, number, (gauge, span, _) in pairs:
        if not found[number].gauge and span not in used:
            used.add(span)
            found[number] = replace(found[number], gauge=gauge, size=span)
    return found


def _sizes(text: str) -> Iterator[tuple[int, Span, bool]]:
    """The numbers that may be sizes, with their characters and whether they are called so."""
    for one in numbers(text):
        if one.value not in _SIZES:
            continue
        if called := line_patterns().gauge.match(text, one.end):
            yield int(one.value), (one.start, called.end()), True
        elif not (
            is_measured(text, one.end)
            or _NO_SIZE_BEHIND.match(text, one.end)
            or _NO_SIZE_BEFORE.search(text, 0, one.start)
        ):
            yield int(one.value), (one.start, one.end), False


def _may_be_bare(text: str, place: Span, size: Span) -> bool:
    return size[0] < place[0] or line_patterns().behind_size.match(text, size[1]) is not None


def _with_several(text: str, places: Sequence[DescribedLine]) -> list[DescribedLine]:
    """The places with the size said once for several: "two 20s, left AC and right forearm"."""
    found = list(places)
    for gauge, several in line_patterns().several:
        for match in several.finditer(text):
            end = match.end()
            for number, place in enumerate(found):
                between = text[end : place.place[0]]
                is_next = place.place[0] >= end and _is_linked(_JOINED.sub("", between))
                if is_next or place.place[1] == end:
                    end = place.place[1]
                    found[number] = place if place.gauge else replace(place, gauge=gauge, size=match.span())
    return found


def _is_linked(gap: str) -> bool:
    return len(gap) <= _GAP and line_patterns().link.fullmatch(gap) is not None


def _gap(text: str, one: Span, other: Span) -> str | None:
    """What stands between two stretches if it links them."""
    first, second = sorted((one, other))
    gap = text[first[1] : second[0]]
    return gap if first[1] <= second[0] and _is_linked(gap) else None


def _is_of_line(text: str, one: DescribedLine) -> bool:
    """Whether a word for a line stands beside a place, or a fluid runs into it."""
    patterns = line_patterns()
    for match in patterns.line.finditer(text):
        if not patterns.other_line.search(text, 0, match.start()) and _gap(text, one.place, match.span()) is not None:
            return True
    if patterns.is_limb.fullmatch(text, *one.site):
        return False
    start = clause_of(text, one.place[0])[0]
    runs = patterns.runs.search(text, start, one.place[0]) and patterns.fluid.search(text, start, one.place[0])
    return bool(runs or patterns.through.search(text, 0, one.place[0]))


# what else is said of a line


def _with_number(text: str, lines: Sequence[DescribedLine], found: Iterator[DescribedLine]) -> Iterator[DescribedLine]:
    """The lines with the number that stands between each and the one before it."""
    known, end = number_words().ordinals, 0
    for line, one in zip(lines, found, strict=True):
        called = line_patterns().numbered.search(text, end, line.end)
        end = line.end
        yield replace(one, number=int(called[1]) if called[1] else known[called[2].lower()]) if called else one


def _with_states(text: str, lines: Sequence[DescribedLine]) -> Iterator[DescribedLine]:
    """The lines with the states said behind each, or right before it, or of all."""
    patterns = line_patterns()
    said = sorted((match.span(), name) for name, of in patterns.states.items() for match in of.finditer(text))
    for number, line in enumerate(lines):
        start = lines[number - 1].end if number else 0
        end = lines[number + 1].start if number + 1 < len(lines) else len(text)
        yield replace(
            line,
            states=tuple(
                (name, span)
                for span, name in said
                if line.end <= span[0] < end
                or (start <= span[0] and span[1] <= line.start and not re.search(r"[.;,]", text[span[1] : line.start]))
                or patterns.all_lines.search(text, 0, span[0])
            ),
        )
