"""What an undo took back, in words."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from app.chart.records import ReviewedValue
from extraction.flowsheet.schema import Schema
from ui.kit.words import status_words, value_words

_NAMED = 3


def undone_words(
    schema: Schema, before: Sequence[ReviewedValue], now: Sequence[ReviewedValue], undone: Collection[int]
) -> tuple[str, str]:
    """Two sentences: what was undone, and what the values are now.

    Args:
        before, now: the values of the dictation before and after the undo; an added value is gone afterwards.
        undone: ids of the values that the undo restored.
    """
    former, present = {value.id: value for value in before}, {value.id: value for value in now}
    touched = [value_id for value_id in former if value_id in undone or value_id not in present]
    if not touched:
        return "Undone.", ""
    first, is_now = former[touched[0]], present.get(touched[0])
    status = status_words(is_now).lower() if is_now else "not in the flowsheet"
    if len(touched) == 1:
        row = schema.row(first.row_id)
        became = f"{value_words(row, is_now)}, {status}" if is_now else status
        return f"Undone: {row.name} {value_words(row, first)}, {status_words(first).lower()}.", f"Now {became}."
    names = [schema.row(former[value_id].row_id).name for value_id in touched[:_NAMED]]
    more = ", …" if len(touched) > _NAMED else ""
    return f"Undone: {len(touched)} values, {status_words(first).lower()}.", f"Now {status}: {', '.join(names)}{more}."
