"""What the page about things without a row says."""

from __future__ import annotations

from html import escape

from app.services.discovery.decisions_file import Decisions
from app.services.discovery.jobs import Found
from extraction.discovery.discover import Unplaced
from extraction.flowsheet.schema import Schema
from ui.kit.words import plural

_ENOUGH = 20  # dictations from which on it is worth saying how much will be new


def summary_words(found: Found) -> str:
    """How much was found, and how complete the flowsheet is for the next dictation."""
    complete = found.discovery.completeness
    read = f"{plural(complete.dictations, 'dictation')} read: {plural(len(found.open), 'thing')} without a row"
    if not complete.mentions:
        return f"{read}."
    known = f"{found.discovery.with_row:.0%} of what they say has a row"
    if complete.dictations < _ENOUGH:
        return f"{read}. {known}."
    return f"{read}. {known}; about {complete.missing:.0%} of what the next one says will be new."


def about_words(one: Unplaced, schema: Schema) -> str:
    """Sentences in which it was said, and the rows nearest to it, as HTML."""
    number = f"{one.numbers:.0%} with a number" + (f", usually in {one.unit}" if one.unit else "")
    facts = [number] if one.numbers else []
    facts += [f"{one.denied:.0%} deny it"] if one.denied else []
    said = "".join(f"<p>“{escape(each.sentence)}”<br><small>{escape(each.title)}</small></p>" for each in one.examples)
    near = "".join(f"<li>{escape(schema.row(row_id).name)} ({similarity:.2f})</li>" for row_id, similarity in one.near)
    return (
        f"<h3>{escape(one.name)}</h3><p>{escape('; '.join(facts))}</p>{said}"
        f"<p>Nearest rows, with similarity:</p><ul>{near}</ul><p><small>Sentences are shown here only and are not "
        "saved with a row.</small></p>"
    )


def decision_words(decisions: Decisions) -> str:
    """How much was decided, and the last decision."""
    if not decisions.decided:
        return "Nothing decided yet."
    rows = sum(one.row is not None for one in decisions.decided)
    names = sum(bool(one.alias_of) for one in decisions.decided)
    last = decisions.decided[-1]
    did = f"row “{last.row.name}”" if last.row else f"a name of {last.alias_of}" if last.alias_of else "ignored"
    counts = f"{plural(rows, 'row')} and {plural(names, 'further name')} proposed, version {decisions.version}"
    return f"{counts}. Last: “{last.about}”, {did}. Nothing changes until the template is saved and chosen."
