"""Options whose opposite their sentence states, by a prefix: "unlabored" read as Labored, "regular" as Irregular.

If the opposite is another option of the row, that one is proposed; otherwise the value is flagged.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from extraction.filling.evidence import SaidIn, located
from extraction.filling.task import Task
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.naming.exclusive_options import denied_options
from extraction.flowsheet.naming.option_mentions import mentions, opposite_mentions, turns_round
from extraction.flowsheet.schema import Row
from extraction.flowsheet.values import FilledValue
from extraction.language.analysis import analyse
from extraction.language.spans import Span, overlap
from extraction.rules.changes import Change, flagged, replaced


@dataclass(frozen=True, slots=True)
class _Opposite:
    """The characters of a sentence that say the opposite of an option, and the option that means it, if any."""

    of: str
    said: Span
    option: str | None


def as_said(task: Task, value: FilledValue) -> Change | None:
    """A proposal with what its sentence states, where that is the opposite; None if it is not."""
    row = task.schema.row(value.row_id)
    if not row.options:
        return None
    said = SaidIn.of(task, value.evidence)
    chosen = tuple(map(str, value.value if isinstance(value.value, tuple) else (value.value,)))
    found = {one.of: one for one in _opposites(said.sentence, row, chosen)}
    if not found:
        return None
    evidence = said.evidence(*next(iter(found.values())).said)
    if any(one.option is None for one in found.values()):
        return flagged(value, Finding("opposite_said", (evidence.text,)))
    now = {found[name].option if name in found else name for name in chosen}
    options = tuple(name for name in row.option_names if name in now)
    meant = replace(value, value=options if isinstance(value.value, tuple) else options[0])
    return replaced(value, located(task, meant, evidence), Finding("option_not_stated", (", ".join(found),)))


def _opposites(sentence: str, row: Row, chosen: tuple[str, ...]) -> Iterator[_Opposite]:
    """The chosen options that are not said, while their opposite is and is not denied itself."""
    by_name = {option.name: option for option in row.options}
    for name in chosen:
        if name not in by_name or mentions(sentence, by_name[name]):
            continue
        turned = [span for span in opposite_mentions(sentence, by_name[name]) if not analyse(sentence).is_denied(span)]
        if turned:
            meant = {
                other.name
                for other in row.options
                for span in mentions(sentence, other)
                if any(overlap(span, one) for one in turned)
            }
            yield _Opposite(name, turned[0], meant.pop() if len(meant) == 1 else None)
        elif denied := denied_options(row).get(name):
            for span in mentions(sentence, by_name[denied]):
                if turns_round(by_name[name], sentence[slice(*span)]) and not analyse(sentence).is_denied(span):
                    yield _Opposite(name, span, denied)
