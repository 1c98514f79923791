"""Makes the rows of a flowsheet from the sources of an export."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass

from extraction.contract.catalogue import Table, ignore_count
from extraction.contract.left_out.records import LeftOut
from extraction.contract.records import ContractRow, FieldRole, Link, SourceKind
from extraction.contract.rows import dictionary
from extraction.contract.rows.charted import ChartedValues, count_charted
from extraction.contract.rows.entries import Entries
from extraction.contract.rows.groups import put_in_groups
from extraction.contract.rows.limits import add_limits
from extraction.contract.rows.loinc import take_codes
from extraction.contract.rows.options import read_option_lists
from extraction.contract.rows.row_types import is_guessed, row_of, with_types_of_groups, with_unit_rows
from extraction.contract.rows.unused_lines import keep_as_rows, lines_left_out


@dataclass(frozen=True)
class Reading:
    """The rows of a flowsheet.

    Attributes:
        orphans: ids in the dumps that no row explains, with how often they occur.
        guessed: ids of rows whose type neither the export nor their values show.
        charted, entries: the values of the dumps, by row and in the order of the dumps.
        left_out: lines of the dictionaries of which no row of their own was made.
    """

    rows: tuple[ContractRow, ...]
    orphans: Mapping[str, int]
    guessed: frozenset[str]
    charted: Mapping[str, ChartedValues]
    entries: Entries
    left_out: tuple[LeftOut, ...] = ()


def read_rows(
    tables: Sequence[Table],
    kinds: Mapping[str, SourceKind],
    roles: Mapping[tuple[str, str], FieldRole],
    meanings: Mapping[tuple[str, str], Mapping[str, str]],
    links: Sequence[Link],
    sparse: Set[tuple[str, str]],
    clocks: Set[tuple[str, str]],
    today: str,
    counted: Callable[[int], None] = ignore_count,
    taken_in: Set[str] = frozenset(),
) -> Reading:
    """Makes the rows of a flowsheet.

    Args:
        kinds: by the name of the source.
        roles: by source and field.
        meanings: by source and field, what its codes mean.
        links: of all sources.
        sparse: fields that many lines leave empty; clocks: fields that hold times of day.
        today: in ISO 8601; what was valid until a day before is retired.
        counted: is told now and then how many charted values were read.
        taken_in: ids of rows that a person uses although the exports retire them, or join them with another row.
    """
    by_kind = {kind: [table for table in tables if kinds[table.source.name] is kind] for kind in SourceKind}
    lines = dictionary.dictionary_lines(by_kind[SourceKind.DICTIONARY], roles, meanings, today)
    dictionary.name_all(lines)
    listed = set(lines)
    put_in_groups(tables, kinds, roles, meanings, links, sparse, lines)
    headings = listed - lines.keys()
    renamed = dictionary.renamed(by_kind[SourceKind.MAPPING], roles, lines)
    keep_as_rows(taken_in, lines, renamed)
    dictionary.join_retired(lines, renamed)
    left_out = tuple(lines_left_out(by_kind[SourceKind.DICTIONARY], roles, lines, headings, renamed))
    take_codes(tables, roles, lines, renamed)
    lists = read_option_lists(by_kind[SourceKind.OPTIONS], roles, meanings, today)
    add_limits(by_kind[SourceKind.LIMITS], roles, meanings, lines, today)
    entries = Entries()
    charted = count_charted(by_kind[SourceKind.VALUES], roles, renamed, meanings, entries, clocks, counted)
    for row_id, line in lines.items():
        if line.name == row_id and row_id in charted and charted[row_id].names:
            line.name = charted[row_id].names.most_common(1)[0][0]
    if not lines:
        lines = dictionary.lines_charted(charted)
    rows = [row_of(line, lists, charted.get(line.id, ChartedValues())) for line in lines.values()]
    orphans = {row: values.count for row, values in charted.items() if row not in lines}
    guessed = {line.id for line in lines.values() if is_guessed(line, lists, charted.get(line.id, ChartedValues()))}
    rows = with_types_of_groups(with_unit_rows(rows, charted), guessed)
    return Reading(tuple(rows), orphans, frozenset(guessed), charted, entries, left_out)
