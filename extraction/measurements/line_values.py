"""Values of peripheral lines that are told by their size and place (`extraction.language.described_lines`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from extraction.filling.task import MeasuredValue, Task
from extraction.flowsheet.naming.line_rows import LineRows, line_rows
from extraction.flowsheet.naming.row_measurements import numbered_options
from extraction.flowsheet.schema import Row, ValueType
from extraction.flowsheet.values import Value
from extraction.language.described_lines import REMOVED, DescribedLine, state_words
from extraction.language.spans import Span
from extraction.measurements.stated_values import stated_value


def line_values(task: Task) -> list[MeasuredValue]:
    """Side, site, size and state of each line, the first that is said of each row."""
    rows = line_rows(task.schema)
    if rows is None:
        return []
    found: dict[str, MeasuredValue] = {}
    for sentence in task.segments:
        for line, instance in task.plan.described.get(sentence.index, ()):
            if instance.number is None:
                continue
            for row, value, span in _of_line(rows, instance.number, line, sentence.text):
                place = (sentence.start + span[0], sentence.start + span[1])
                if one := stated_value(task, row, sentence, value, place, (line.start, line.end)):
                    found.setdefault(row.id, one)
    return list(found.values())


def _of_line(rows: LineRows, number: int, line: DescribedLine, text: str) -> Iterator[tuple[Row, Value, Span]]:
    site, side, size, state = (of.get(number) for of in (rows.site, rows.side, rows.size, rows.state))
    if site and (option := rows.option_of_site(text[slice(*line.site)])):
        yield site, _chosen(site, [option]), line.place
    if side and (fitting := [name for name in side.option_names if name.casefold() == line.side]):
        yield side, _chosen(side, fitting), line.place
    if size and (option := numbered_options(size).get(line.gauge)):
        yield size, option, line.size
    if state and (said := _states(state, line)):
        yield state, _chosen(state, [option for option, _ in said]), said[0][1]


def _states(row: Row, line: DescribedLine) -> list[tuple[str, Span]]:
    """The options that are said of a line, with their characters; only that it was removed, if it was."""
    ended = [one for one in line.states if one[0] == REMOVED]
    found = ((_option(row, name), span) for name, span in ended or line.states)
    return [(option, span) for option, span in found if option]


def _option(row: Row, state: str) -> str | None:
    """The option of a state: the one of its name, or else one that its words name."""
    said = state_words(state)
    named = [name for name in row.option_names if name.casefold() == state.casefold()]
    return next(iter(named or [name for name in row.option_names if said.fullmatch(name)]), None)


def _chosen(row: Row, options: Sequence[str]) -> Value:
    if row.value_type is ValueType.MULTI_SELECT:
        return tuple(name for name in row.option_names if name in options)
    return options[0]
