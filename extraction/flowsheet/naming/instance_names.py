"""Groups rows by instance ('Peripheral IV 1', 'Wound 2'), as the schema states it or else by their names.

A schema numbers what exists more than once. A name with such a number is split into a group, the number, and what the
row records: "Peripheral IV 1 site", "[Wound 1] Length", "LDA PIV #1 - Location (Anatomical)". If the number is at the
beginning or the end ("PIV Site 1", "Location of wound 2"), the name can be split in several ways, and the split shared
by most names wins.

Names contain numbers for many reasons. They count instances only if all of these have three rows in common, one of
which gives the location, since nothing else tells instances apart. Each row belongs to at most one group.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from extraction.flowsheet.naming.row_names import (
    Counted,
    Key,
    NameWord,
    counted,
    key_of,
    text_of,
    unbracketed,
    words_of,
)
from extraction.flowsheet.schema import Laterality, Role, Row
from extraction.language.body_sites import place_in
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.tables import words_by_entry

_LEAST_SHARED = 3  # rows that two numbers must share to be instances of one group
PLACES = frozenset({Role.SITE, Role.SIDE})


@dataclass(frozen=True, slots=True)
class Group:
    """Rows that differ only in their instance.

    Attributes:
        rows: by number, then by what the row records: its name without the instance.
        roles: role of each recorded property that has one.
    """

    name: str
    rows: Mapping[int, Mapping[str, Row]]
    roles: Mapping[str, Role]


@dataclass(frozen=True, slots=True)
class Unclaimed:
    """Rows whose names resemble those of a group's instances, and why they do not belong to one."""

    group: str
    row_ids: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class _Reading:
    """One way to split the name of a row.

    Attributes:
        named: the words that name the group.
        rest: the words that say what is recorded.
    """

    row: Row
    named: tuple[NameWord, ...]
    number: int
    rest: tuple[NameWord, ...]
    glued: bool = False

    @property
    def group(self) -> Key:
        return key_of(self.named)

    @property
    def called(self) -> str:
        return self.row.instance.group if self.row.instance else text_of(self.row.name, self.named)

    @property
    def role(self) -> Role | None:
        return self.row.role or (None if "role" in self.row.stated_none else inferred_role(self.row, self.rest))


@dataclass
class _Draft:
    """A possible group: its rows by number and by the words for what they record.

    Attributes:
        twice: rows whose split duplicates that of another row.
        known: ids of the rows already added.
        stated: whether the schema states that some row belongs here.
    """

    called: str
    numbers: dict[int, dict[Key, _Reading]] = field(default_factory=dict)
    twice: list[Row] = field(default_factory=list)
    known: set[str] = field(default_factory=set)
    stated: bool = False

    def add(self, reading: _Reading) -> None:
        """Adds a row; only the first split of each row counts."""
        if reading.row.id in self.known:
            return
        self.known.add(reading.row.id)
        if self.numbers.setdefault(reading.number, {}).setdefault(key_of(reading.rest), reading) is not reading:
            self.twice.append(reading.row)

    @property
    def rows(self) -> list[Row]:
        return [one.row for readings in self.numbers.values() for one in readings.values()]

    def places(self) -> frozenset[Key]:
        readings = (pair for readings in self.numbers.values() for pair in readings.items())
        return frozenset(key for key, one in readings if one.role in PLACES)


@dataclass(frozen=True, slots=True)
class RoleWords:
    """Words of names that state a role, and words without meaning; see the data file."""

    roles: Mapping[str, Role]
    side_by_options: frozenset[str]
    empty: frozenset[str]
    fillers: frozenset[str]
    before: frozenset[str]


@of_vocabularies
def role_words() -> RoleWords:
    """Raises InputError if the ward's own file is invalid."""
    roles = words_by_entry("row_names", "roles", Role)
    of = words_by_entry("row_names", "role_words", ("side_by_options", "qualifiers", "fillers"))
    return RoleWords(
        roles={word: Role(role) for role, words in roles.items() for word in words},
        side_by_options=frozenset(of["side_by_options"]),
        empty=frozenset([*of["qualifiers"], *of["fillers"]]),
        fillers=frozenset(of["fillers"]),
        before=frozenset(words_by_entry("row_names", "number_words", ("before",))["before"]),
    )


def called_words() -> Mapping[str, tuple[str, ...]]:
    """Spoken names by the abbreviation used in charts.

    Raises InputError if the ward's own file is invalid.
    """
    return words_by_entry("row_names", "called")


def inferred_role(row: Row, rest: Sequence[NameWord]) -> Role | None:
    """The role of a row, inferred from the words of its name that do not name the instance."""
    words = role_words()
    keys = [word.key for word in unbracketed(rest) if word.key not in words.empty]
    if len(keys) != 1:
        return None
    if keys[0] in words.side_by_options:
        sides = {place_in(option, written=True).side for option in row.option_names}
        return Role.SIDE if sides >= {Laterality.LEFT, Laterality.RIGHT} else None
    return words.roles.get(keys[0])


def groups_of(rows: Sequence[Row]) -> tuple[tuple[Group, ...], tuple[Unclaimed, ...]]:
    """The groups of a schema in the order of their first rows, and the rows that only resemble one."""
    place = {row.id: number for number, row in enumerate(rows)}
    open_rows = [row for row in rows if row.instance is None and "instance" not in row.stated_none]
    drafts: dict[Key, _Draft] = {}
    for reading in map(_stated_instance, (row for row in rows if row.instance)):
        draft = _draft(drafts, reading)
        draft.stated = True
        draft.add(reading)
    numbers = [(row, one) for row in open_rows for one in counted(row.name)]
    for reading in (reading for row, one in numbers for reading in _number_in_middle(row, one)):
        _draft(drafts, reading).add(reading)
    claimed: dict[str, Group] = {}
    unclaimed = _claim(drafts, claimed)
    taken = {key for key, draft in drafts.items() if any(row.id in claimed for row in draft.rows)}
    loose: dict[Key, _Draft] = {}
    for row, one in numbers:
        for reading in _number_at_end(row, one) if row.id not in claimed else ():
            if reading.group not in taken:
                _draft(loose, reading).add(reading)
    _claim(loose, claimed)  # unclaimed rows are not reported here, because each of these names resembles several groups
    groups = {id(group): group for _, group in sorted(claimed.items(), key=lambda one: place[one[0]])}
    left = [
        Unclaimed(one.group, ids, one.why)
        for one in unclaimed
        if (ids := tuple(row_id for row_id in one.row_ids if row_id not in claimed))
    ]
    return tuple(groups.values()), tuple(sorted(left, key=lambda one: place[one.row_ids[0]]))


def _draft(drafts: dict[Key, _Draft], reading: _Reading) -> _Draft:
    group = reading.group
    if group not in drafts:
        drafts[group] = _Draft(reading.called)
    return drafts[group]


# splitting names


def _number_in_middle(row: Row, one: Counted) -> Iterator[_Reading]:
    """Splits a name whose number lies between the group and what the row records."""
    if one.behind and (group := _group(one.before)):
        yield _Reading(row, group, one.number, one.behind, one.glued)


def _number_at_end(row: Row, one: Counted) -> Iterator[_Reading]:
    """Splits a name whose number is first or last, ignoring brackets after it, in every possible way."""
    if not one.before:
        splits = [(one.behind[:cut], one.behind[cut:]) for cut in range(1, len(one.behind))]
    elif all(word.bracket > one.before[-1].end for word in one.behind):
        splits = [(one.before[:cut], one.before[cut:]) for cut in range(1, len(one.before))]
        splits += [(group, rest) for rest, group in splits]
    else:
        return
    for words, rest in splits:
        recorded = _without_fillers(rest)
        if recorded and (group := _group(words)):
            yield _Reading(row, group, one.number, recorded, one.glued)


def _group(words: tuple[NameWord, ...]) -> tuple[NameWord, ...]:
    """The words that name a group; empty if they cannot."""
    known = role_words()
    while words and words[-1].key in known.before:
        words = words[:-1]
    while words and words[0].key in known.fillers:
        words = words[1:]
    return words if words and words[-1].text[0].isalpha() else ()


def _without_fillers(words: tuple[NameWord, ...]) -> tuple[NameWord, ...]:
    while words and words[-1].key in role_words().fillers:
        words = words[:-1]
    return words


def _stated_instance(row: Row) -> _Reading:
    """Splits the name of a row whose instance is stated; what remains of the name is what it records."""
    assert row.instance
    group, number = words_of(row.instance.group), row.instance.number
    numbers = [one for one in counted(row.name) if one.number == number]
    ways = [reading for one in numbers for find in (_number_in_middle, _number_at_end) for reading in find(row, one)]
    own = [reading for reading in ways if reading.group == key_of(group)] or [
        reading for one in numbers for reading in _number_in_middle(row, one)
    ]
    words = words_of(row.name)
    if not own and key_of(words[: len(group)]) == key_of(group):
        words = words[len(group) :] or words
    rest = own[0].rest if own else words
    return _Reading(row, group, number, rest)


# choosing groups


def _claim(drafts: Mapping[Key, _Draft], claimed: dict[str, Group]) -> list[Unclaimed]:
    """Assigns rows to valid groups, stated and larger ones first.

    Adds the group of each row to `claimed` and returns the rows that could not be assigned.
    """
    unclaimed = []
    order = sorted(drafts.items(), key=lambda one: (not one[1].stated, -len(one[1].rows), -len(one[0])))
    for _, draft in order:
        left = {
            number: {key: one for key, one in readings.items() if one.row.id not in claimed}
            for number, readings in draft.numbers.items()
        }
        draft.numbers = {number: readings for number, readings in left.items() if readings}
        holding, why = _instance_numbers(draft)
        if holding:
            group = _group_of(draft, holding)
            claimed |= {row.id: group for rows in group.rows.values() for row in rows.values()}
        outside = [row.id for row in draft.rows if row.id not in claimed]
        if why and outside:
            unclaimed.append(Unclaimed(draft.called, tuple(outside), why))
        if holding and draft.twice:
            twice = tuple(row.id for row in draft.twice)
            unclaimed.append(Unclaimed(draft.called, twice, "another row is read in the same way"))
    return unclaimed


def _instance_numbers(draft: _Draft) -> tuple[frozenset[int], str]:
    """The numbers of a draft that are instances, and why others are not; the reason is empty if not worth reporting."""
    places, numbers = draft.places(), draft.numbers
    if draft.stated:
        placed = frozenset(number for number, readings in numbers.items() if readings.keys() & places)
        return placed, "" if len(placed) == len(numbers) else "no row says where it is"
    # a number with only one or two rows and no location cannot be an instance
    stray = {number for number, of in numbers.items() if len(of) < _LEAST_SHARED and not of.keys() & places}
    rests = [frozenset(of) for number, of in numbers.items() if number not in stray]
    if not rests:
        return frozenset(), ""
    glued = all(one.glued for readings in numbers.values() for one in readings.values())
    if glued and not {1, 2} <= numbers.keys() - stray:
        return frozenset(), ""
    shared = frozenset.intersection(*rests)
    if len(shared) >= _LEAST_SHARED and shared & places:
        return frozenset(numbers) - stray, "too few rows of this number" if stray else ""
    if len(shared) >= _LEAST_SHARED and len(rests) > 1:
        return frozenset(), "no row says where it is"
    if any(rest & places for rest in rests) and (len(rests) > 1 or len(rests[0]) > 1):
        return frozenset(), "too few rows in common" if len(rests) > 1 else "too few rows"
    return frozenset(), ""


def _group_of(draft: _Draft, holding: frozenset[int]) -> Group:
    texts: dict[Key, str] = {}
    roles: dict[str, Role] = {}
    rows: dict[int, dict[str, Row]] = {}
    for number in sorted(holding):
        for key, one in draft.numbers[number].items():
            rest = texts.setdefault(key, text_of(one.row.name, one.rest))
            rows.setdefault(number, {})[rest] = one.row
            if role := one.role:
                roles.setdefault(rest, role)
    return Group(draft.called, rows, roles)
