"""What a question asks of rows: which tags belong together, as a row with an option, a number and a denial."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from extraction.flowsheet.schema import NUMBER_TYPES, SELECT_TYPES, Row, ValueType
from extraction.flowsheet.validation import chart_unit
from extraction.language.vocabulary.words import stems
from extraction.questions.query import Measure, Part
from extraction.questions.words.names import NamedRow, Names, Rank
from extraction.questions.words.tags import Mention, Tag, Tagged
from extraction.questions.words.thresholds import Threshold
from extraction.questions.words.vocabulary import question_words

_BESIDE = 4  # characters between words that belong together
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")
_PAST = re.compile(r"\b(?:history|past|previous|symptoms|usual)\b")


@dataclass
class Asked:
    """What is asked of rows: nothing (their value), that they hold one of some options, or how they compare.

    Attributes:
        rows: that may be meant, likeliest first.
        options: by row id, the options that are named.
        jointly: whether all of them must hold, as of "A&O times 3".
        denied: whether it is denied.
        lacking: whether patients without a charted value are asked for.
        oxygen: whether being given oxygen is asked for.
        total: the rows of a whole intake or output.
        span: the characters that say it.
    """

    rows: list[NamedRow]
    span: tuple[int, int]
    words: str
    options: dict[str, list[str]] = field(default_factory=dict)
    jointly: bool = False
    threshold: Threshold | None = None
    part: Part | None = None
    denied: bool = False
    lacking: bool = False
    oxygen: bool = False
    total: Measure | None = None

    @property
    def compares(self) -> bool:
        return bool(self.options) or self.threshold is not None or self.oxygen


def asked_of(question: Tagged, names: Names, used: set[Tag]) -> list[Asked]:
    """What a question asks, in its order; the tags that it is made of are added to `used`."""
    mentions = [tag for tag in question.tags if tag.kind == "name"]
    roles = {tag: _as_row(tag.value) for tag in mentions}
    asked: dict[Tag, Asked] = {
        tag: Asked(list(tag.value.rows), (tag.start, tag.end), tag.words) for tag in mentions if roles[tag]
    }
    for tag in mentions:
        if tag.value.options and tag not in used:
            _attach_option(question, tag, asked, roles, used)
    for tag, one in asked.items():
        _attach_short_option(question, tag, one)
    _take_sides(question, asked, used)
    _take_parts_of_names(question, asked, used)
    for tag in question.of("oxygen"):
        if rows := names.named(question_words().oxygen_rows):
            asked[tag] = Asked([NamedRow(rows[0], Rank.NAME)], (tag.start, tag.end), tag.words, oxygen=True)
    for tag in question.of("part"):
        _attach_part(tag, asked, names, used)
    for tag in question.of("threshold", "number"):
        _attach_number(question, tag, asked, names, used)
    for tag in question.of("set"):
        for row in tag.value:
            asked[replace(tag, value=row.id)] = Asked([NamedRow(row, Rank.NAME)], (tag.start, tag.end), row.name)
        used.add(tag)
    used.update(tag for tag in asked)
    found = sorted(asked.values(), key=lambda one: one.span)
    _deny(question, found, used)
    return found


def _as_row(mention: Mention) -> bool:
    """Whether words name a row rather than an option of another one."""
    if not mention.rows:
        return False
    if not mention.options or not mention.options_alone:
        return True
    return mention.rows[0].rank <= max(mention.options[0].rank, Rank.SYNONYM)


def _attach_option(question: Tagged, tag: Tag, asked: dict[Tag, Asked], roles: dict[Tag, bool], used: set[Tag]) -> None:
    """Gives an option to the nearest row that has it, or makes it a question of its own."""
    mention: Mention = tag.value
    of_row: dict[str, list[str]] = {}
    for one in mention.options:
        of_row.setdefault(one.row.id, []).append(one.option)
    homes = [
        (_distance(tag, home), home)
        for home in asked
        if home is not tag and any(named.row.id in of_row for named in asked[home].rows)
    ]
    if homes:
        _, home = min(homes, key=lambda pair: pair[0])
        if roles[tag]:
            del asked[tag]
            roles[tag] = False
        one_asked = asked[home]
        rows = [named for named in one_asked.rows if named.row.id in of_row]
        if one_asked.options and any(
            one_asked.span[1] <= joint.start < tag.start for joint in question.of("and", "or", "not")
        ):
            own = {named.row.id: of_row[named.row.id] for named in rows}
            asked[tag] = Asked(rows, (tag.start, tag.end), tag.words, own)
            return
        one_asked.rows = rows
        for row_id, options in of_row.items():
            known = one_asked.options.setdefault(row_id, [])
            known += [option for option in options if option not in known]
        one_asked.span = (min(one_asked.span[0], tag.start), max(one_asked.span[1], tag.end))
        used.add(tag)
        return
    beside = None if roles[tag] else _qualifier(question, tag, [one.row for one in mention.options])
    if beside or (mention.options_alone and not roles[tag]):
        best = max(mention.options[0].rank, Rank.SYNONYM)
        words = question_words()
        contextual = words.contextual | (words.symptoms if len(stems(tag.words)) == 1 else frozenset())
        alone = [one for one in mention.options if not stems(one.row.name) & contextual]
        unique = {one.row.id: NamedRow(one.row, Rank.NAME) for one in alone if one.rank <= best}
        start, end = tag.start, tag.end
        if beside:
            other, of_it = beside
            fewest = min(len(stems(row.name)) for row in of_it)
            unique = {row.id: NamedRow(row, Rank.NAME) for row in of_it if len(stems(row.name)) == fewest}
            used.add(other)
            asked.pop(other, None)
            roles[other] = False
            start, end = min(start, other.start), max(end, other.end)
        if not unique:
            if mention.rows and not beside:
                asked[tag] = Asked(list(mention.rows), (tag.start, tag.end), tag.words)
            return
        # what one has is charted where its kind is: a Foley in the type of catheter
        rows = sorted(unique.values(), key=lambda named: _likelihood(named.row))
        own = {named.row.id: of_row[named.row.id] for named in rows}
        asked[tag] = Asked(rows, (start, end), tag.words, own, jointly=_stands_for_several(mention, rows[0].row))


def _stands_for_several(mention: Mention, row: Row) -> bool:
    """Whether words are said for several options of a row at once, as "A&O times 3" is."""
    ranks = [one.rank for one in mention.options if one.row.id == row.id]
    return row.value_type is ValueType.MULTI_SELECT and len(ranks) > 1 and set(ranks) == {Rank.SPOKEN}


def _likelihood(row: Row) -> tuple[bool, bool]:
    """Rows of kinds come first, and rows of what was come last."""
    name = row.name.casefold()
    return bool(_PAST.search(name)), not name.endswith(" type")


def _take_sides(question: Tagged, asked: Mapping[Tag, Asked], used: set[Tag]) -> None:
    """Leaves of rows that differ in their side those of a side that is named apart: "right" before "lower lobe"."""
    for tag in (*question.tags, *question.left):
        side = tag.words.casefold()
        if tag in used or tag in asked or side not in ("left", "right"):
            continue
        for one in asked.values():
            if max(one.span[0] - tag.end, tag.start - one.span[1]) <= _BESIDE and (
                of_side := [named for named in one.rows if side in named.row.name.casefold().split()]
            ):
                one.rows = of_side
                used.add(tag)


def _take_parts_of_names(question: Tagged, asked: Mapping[Tag, Asked], used: set[Tag]) -> None:
    """Words that nothing else knows say which rows are meant, where they are in their names: "gauge of the IVs"."""
    for tag in question.left:
        said = stems(tag.words) | stems(tag.words.lower().removesuffix("s"))
        for one in asked.values():
            fitting = [named for named in one.rows if said & stems(" ".join((named.row.name, *named.row.synonyms)))]
            if fitting and tag not in used and not one.threshold:
                one.rows = fitting
                one.options = {key: of for key, of in one.options.items() if any(key == r.row.id for r in fitting)}
                one.span = (min(one.span[0], tag.start), max(one.span[1], tag.end)) if _near(tag, one) else one.span
                used.add(tag)


def _near(tag: Tag, one: Asked) -> bool:
    return max(one.span[0] - tag.end, tag.start - one.span[1]) <= _BESIDE


def _qualifier(question: Tagged, tag: Tag, rows: Sequence[Row]) -> tuple[Tag, list[Row]] | None:
    """Words beside an option that are in the names of some of its rows: "amber urine"."""
    for other in (*question.tags, *question.left):
        if other is tag or other.kind not in ("name", "left") or _distance(tag, other) > _BESIDE:
            continue
        mention = other.value if isinstance(other.value, Mention) else Mention()
        names = (other.words, *(one.row.name for one in mention.rows), *(one.option for one in mention.options))
        for said in filter(None, map(stems, names)):
            if fitting := {row.id: row for row in rows if said <= stems(row.name)}:
                return other, list(fitting.values())
    return None


def _attach_short_option(question: Tagged, tag: Tag, one: Asked) -> None:
    """Takes "on" and "off" behind a row for its options of that name."""
    if one.options:
        return
    behind = question.text[tag.end :]
    for named in one.rows:
        for option in named.row.options:
            if option.name.casefold() not in ("on", "off", "up", "down", "in", "out"):
                continue
            at = re.match(
                rf"(?:\s+(?:is|are|was|not|isn't|aren't|still|turned|switched))*\s+{option.name}(?=\s*[?.,]|\s*$|\s+and\b)",
                behind,
                re.IGNORECASE,
            )
            if at:
                one.options.setdefault(named.row.id, []).append(option.name)
                one.span = (one.span[0], max(one.span[1], tag.end + at.end()))


def _distance(one: Tag, other: Tag) -> int:
    return max(other.start - one.end, one.start - other.end, 0)


def _attach_part(tag: Tag, asked: dict[Tag, Asked], names: Names, used: set[Tag]) -> None:
    pressures = [
        home
        for home, one in asked.items()
        if home.kind == "name" and one.part is None and any(_is_pressure(named.row) for named in one.rows)
    ]
    if pressures:
        home = min(pressures, key=lambda one: _distance(tag, one))
        asked[home].part = tag.value
        asked[home].span = (min(asked[home].span[0], tag.start), max(asked[home].span[1], tag.end))
        used.add(tag)
    elif rows := names.named(["blood pressure"]):
        named = [NamedRow(rows[0], Rank.NAME)]
        asked[tag] = Asked(named, (tag.start, tag.end), tag.words, part=tag.value)


def _is_pressure(row: Row) -> bool:
    return row.value_type is ValueType.BLOOD_PRESSURE or row.name.casefold() == "blood pressure"


def _attach_number(question: Tagged, tag: Tag, asked: dict[Tag, Asked], names: Names, used: set[Tag]) -> None:
    """Gives a number to the nearest row of numbers, one before it rather than one behind it."""
    threshold: Threshold = tag.value
    if threshold.length is not None and not any(_measures_time(one) for one in asked.values()):
        return
    homes = [
        home
        for home, one in asked.items()
        if one.threshold is None and not one.options and any(_compares(named.row) for named in one.rows)
    ]
    if not homes and (word := _measured(tag, question)):
        used.add(word)
        asked.pop(word, None)
        rows = names.named(question_words().measured[word.words.lower()])
        homes = [word] if rows else []
        asked |= (
            {word: Asked([NamedRow(row, Rank.NAME) for row in rows[:1]], (word.start, word.end), word.words)}
            if rows
            else {}
        )
    if tag.kind == "number":  # "pain 7", but not "7 pain"
        homes = [home for home in homes if 0 <= tag.start - home.end <= 12]
    if homes:
        home = min(homes, key=lambda one: (one.start > tag.start and _distance(tag, one) > 4, _distance(tag, one)))
        one = asked[home]
    elif row := _row_of_unit(threshold.unit, names):  # "on more than 4 liters", "over 100 kg"
        one = asked[tag] = Asked([NamedRow(row, Rank.NAME)], (tag.start, tag.end), tag.words)
    else:
        done = [one for one in asked.values() if one.threshold is not None and tag.kind != "number"]
        if not done:
            return
        last = max(done, key=lambda one: one.span)
        one = Asked(list(last.rows), (tag.start, tag.end), last.words, part=last.part)
        asked[tag] = one
    one.threshold = threshold
    one.rows = [named for named in one.rows if _compares(named.row)]
    one.span = (min(one.span[0], tag.start), max(one.span[1], tag.end))
    used.add(tag)


def _measured(tag: Tag, question: Tagged) -> Tag | None:
    """The word before a number that names a row only with it: "fever over 38"."""
    return next(
        (
            one
            for one in (*question.tags, *question.left)
            if one.words.lower() in question_words().measured and 0 <= tag.start - one.end <= _BESIDE
        ),
        None,
    )


def _row_of_unit(unit: str | None, names: Names) -> Row | None:
    """The row that a number without one is of, by its unit alone."""
    rows = names.named(question_words().units.get(unit or "", ()))
    return rows[0] if rows else None


def _measures_time(one: Asked) -> bool:
    return any((chart_unit(named.row) or "") in ("h", "min", "s", "d") for named in one.rows)


def _compares(row: Row) -> bool:
    """Whether values of a row can be compared with a number."""
    if row.value_type in NUMBER_TYPES:
        return True
    if row.value_type in SELECT_TYPES:
        return len(numbered_options(row)) > 1
    return row.value_type is ValueType.TEXT and row.name.casefold().endswith(("intake", "output", "volume"))


def numbered_options(row: Row) -> dict[str, float]:
    """The number that each option of a select begins with, as in "4 out of 10", "2 Very limited" and "Stage 2"."""
    found = {}
    for option in row.options:
        said = _NUMBER.findall(option.name)
        if said and (len(said) == 1 or option.name.startswith(said[0])):
            found[option.name] = float(said[0])
    return found if len(found) * 2 > len(row.options) else {}


def _deny(question: Tagged, asked: Sequence[Asked], used: set[Tag]) -> None:
    """Marks what each denying word denies: what it stands within, or the next thing after it."""
    for tag in question.of("not"):
        within = next((one for one in asked if one.span[0] <= tag.start < one.span[1]), None)
        after = next((one for one in asked if one.span[0] >= tag.end), None)
        before = [one for one in asked if one.span[1] <= tag.start]
        target = within or after or (before[-1] if before else None)
        if target is not None:
            target.denied = not target.denied
            used.add(tag)
