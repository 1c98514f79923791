"""Rule: lights a number of which only a part may be meant, and a share that may be one of something else.

"240 of juice, drank half of it" names the whole: a volume is lit if a part of it was said behind it, or before it ("two
thirds of his 300"). A share of something ("half of it") is lit in a percentage if nothing was said that the row is
about: it may be half of a glass, and no meal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from extraction.filling.evidence import SaidIn
from extraction.filling.task import Task
from extraction.flowsheet.findings import Finding, quote
from extraction.flowsheet.schema import NUMBER_TYPES, Row, Schema, of_schema
from extraction.flowsheet.unit_conversion import is_volume
from extraction.flowsheet.validation import chart_unit
from extraction.flowsheet.values import FilledValue, Proposals
from extraction.language.analysis import analyse
from extraction.language.numbers import numbers, shares
from extraction.language.spans import overlap
from extraction.language.vocabulary.measurements import measurement_cues
from extraction.language.vocabulary.words import stems
from extraction.rules.changes import Change, flagged


def partial_amounts(task: Task, proposals: Proposals) -> Iterator[Change]:
    """Flags such numbers."""
    for value in proposals.values:
        row = task.schema.row(value.row_id)
        if row.value_type not in NUMBER_TYPES:
            continue
        said = SaidIn.of(task, value.evidence)
        if is_volume(chart_unit(row)) and (part := _part_of(said)):
            yield flagged(value, Finding("part_said", (quote(part),)))
        elif chart_unit(row) == "%" and _is_share_of_another(task, row, value, said):
            yield flagged(value, Finding("chosen_by_meaning", (quote(said.sentence.strip()),)))


def _part_of(said: SaidIn) -> str | None:
    """The words that say that a number is the whole of which a part is meant."""
    cues = measurement_cues()
    before = cues.part_of_next.search(said.sentence, 0, said.start)
    if before:
        return said.sentence[before.start() : said.end]
    behind = cues.part_of_named.search(said.sentence, said.end)
    if behind and not numbers(said.sentence[said.end : behind.start()]):
        return behind.group()
    return None


def _is_share_of_another(task: Task, row: Row, value: FilledValue, said: SaidIn) -> bool:
    """Whether a share was said, and neither its sentence nor the one before names what the row records."""
    share = next((one for one in shares(said.sentence) if overlap((one.start, one.end), (said.start, said.end))), None)
    if share is None or not measurement_cues().part_joint.match(said.sentence, share.end):
        return False
    before = [one.text for one in analyse(task.text).sentences if one.end <= said.shift]
    return not _words_of_row(task.schema)[row.id] & stems(" ".join((*before[-1:], said.sentence)))


@of_schema
def _words_of_row(schema: Schema) -> Mapping[str, frozenset[str]]:
    """By row in percent, stems of its names and of the options of rows about the same: breakfast, of a meal."""
    found = {}
    for row in schema.rows:
        if chart_unit(row) == "%":
            own = stems(" ".join((*row.names, *row.cues)))
            alike = (other for other in schema.rows if other.category == row.category and stems(other.name) & own)
            forms = (form for other in alike for option in other.options for form in option.forms)
            found[row.id] = own | stems(" ".join(forms))
    return found
