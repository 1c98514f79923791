"""Proposes explicitly stated values, however little confidence the models have in them.

The models give short, bare statements a low confidence: "CVP is twelve", "no JVD". A held-back value is proposed after
all, lit because the models held it back, if the words leave no doubt about the row:

- a finding that is denied;
- an option said word for word in the clause of the number that its row qualifies ("temp 38.4 oral": Temperature,
  Temperature site), or together with more of its row's name than of any other's ("the bed alarm is on": Bed exit
  alarm).

Numbers are left to `extraction.rules.spoken_measurements`. Denials are handled in `extraction.rules.denied_findings`,
and opposites in `extraction.rules.opposite_options`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from extraction.filling.evidence import SaidIn
from extraction.filling.task import Task
from extraction.flowsheet.naming.instance_families import family_of
from extraction.flowsheet.naming.option_mentions import said_options
from extraction.flowsheet.naming.row_meaning import meaning_of
from extraction.flowsheet.schema import Row, ValueType
from extraction.flowsheet.values import FilledValue, Proposals, Value
from extraction.language.analysis import analyse
from extraction.language.clauses import nearby_words, phrase_around
from extraction.language.spans import Span
from extraction.language.vocabulary.words import best_share, share, stems
from extraction.rules.changes import Change, promoted
from extraction.rules.denied_findings import as_denied, denied_by_name
from extraction.rules.opposite_options import as_said

# The share of a row's name that must be said for an option, with at least two words.
_MOSTLY = 0.6
# Words of row names that do not identify the topic of the row.
_COMMON = stems("patient score level total amount volume left right rate of and to or for 0 10")


def explicit_statements(task: Task, proposals: Proposals) -> Iterator[Change]:
    """The explicit statements of the text."""
    free = (value for value in proposals.held_back if not value.held_back_by)
    held_back = [value for value in free if _mentions_instance(task, value)]
    kept = []
    for value in proposals.values:
        if change := as_said(task, value) or as_denied(task, value):
            yield change
        kept.append((change and change.value) or value)
    rows = {value.row_id for value in kept}
    raised = [
        *denied_by_name(task, held_back, rows),
        *_options(task, held_back, kept),
    ]
    left = [value for value in proposals.held_back if all(value is not one for one in raised)]
    for value in {id(one): one for one in raised}.values():
        others = [one for one in left if (one.row_id, one.observed_at) == (value.row_id, value.observed_at)]
        left = [one for one in left if all(one is not other for other in others)]
        yield promoted(value, instead_of=others)


def _mentions_instance(task: Task, value: FilledValue) -> bool:
    """Whether the sentence can mean the value's row; a row of a wound requires that a wound is mentioned."""
    family = family_of(task.schema, value.row_id)
    return family is None or family.mention(SaidIn.of(task, value.evidence).sentence) is not None


# options


def _options(task: Task, held_back: Sequence[FilledValue], kept: Sequence[FilledValue]) -> Iterator[FilledValue]:
    """Held-back options of single selects, said word for word with the number they qualify or with their row."""
    rows = {value.row_id for value in kept}
    found: set[str] = set()
    for value in held_back:
        row = task.schema.row(value.row_id)
        if row.value_type is not ValueType.SINGLE_SELECT or row.unit_of or row.id in rows | found:
            continue
        where = SaidIn.of(task, value.evidence)
        said = said_options(row, where.sentence)
        denied = analyse(where.sentence).is_denied
        if {name for name, _ in said} != {value.value} or any(denied(span) for _, span in said):
            continue
        place = where.shift + said[0][1][0], where.shift + said[0][1][1]
        if _is_in_clause_of_number(task, place[0], row, kept) or _names_row_best(task, place, value.value, row):
            found.add(row.id)
            yield value


def _is_in_clause_of_number(task: Task, place: int, row: Row, kept: Sequence[FilledValue]) -> bool:
    """Whether the option's clause contains a number that its row qualifies."""
    start, end = phrase_around(task.text, (place, place))
    numbers = meaning_of(task.schema).of(row.id).measured_with
    said = (one.evidence for one in kept if one.row_id in numbers)
    return any(start <= task.read(one.start, one.end)[0] < end for one in said)


def _names_row_best(task: Task, place: Span, option: Value, row: Row) -> bool:
    """Whether the option's phrase names its row better than any other row with that option.

    At least two topic words of the row must be said: a statement about the left leg does not mean the right one.
    """
    said = nearby_words(task.text, place)
    names = [stems(name) for name in (row.name, *row.synonyms)]
    named = max((share(words, said) for words in names if len((words - _COMMON) & said) > 1), default=0.0)
    return named >= _MOSTLY and not any(
        best_share((other.name, *other.synonyms), said) >= named
        for other in task.schema.rows
        if other is not row and any(one.name == option for one in other.options)
    )
