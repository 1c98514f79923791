"""Sources and their columns in words and colours."""

from __future__ import annotations

from app.services.contracts.jobs import ReadExport
from extraction.contract.records import Contract, DecidedBy, Field, FieldRole, FieldRoleOf, Source, SourceKind
from ui.kit.words import plural

KINDS = {
    SourceKind.DICTIONARY: "rows of the flowsheet",
    SourceKind.VALUES: "charted values",
    SourceKind.GROUPS: "groups of rows",
    SourceKind.OPTIONS: "options of rows",
    SourceKind.LIMITS: "limits of rows",
    SourceKind.MAPPING: "former ids",
    SourceKind.OTHER: "not used",
}
_ABOUT_PEOPLE = (FieldRole.PATIENT, FieldRole.ENCOUNTER, FieldRole.PERSON)
_COLOURS = {
    FieldRole.ROW_ID: "proposed",
    FieldRole.ROW_NAME: "proposed",
    FieldRole.ROW_ALIAS: "proposed",
    FieldRole.CATEGORY: "added",
    FieldRole.TEMPLATE: "added",
    FieldRole.ORDER: "added",
    FieldRole.ACTIVE: "added",
    FieldRole.OTHER: "muted",
    FieldRole.PATIENT: "rejected",
    FieldRole.ENCOUNTER: "rejected",
    FieldRole.PERSON: "rejected",
    FieldRole.VALUE: "confirmed",
    FieldRole.OBSERVED_AT: "confirmed",
    FieldRole.RECORDED_AT: "confirmed",
}
_EXAMPLES = 3


def role_words() -> dict[FieldRole, str]:
    """What a column of each role holds."""
    from extraction.contract.questions import ROLE_WORDS  # it loads what the window does not need to start

    return ROLE_WORDS


def role_colour(role: FieldRole) -> str:
    """The theme's colour of a role; types, units and options share one."""
    return _COLOURS.get(role, "edited")


def header_words(source: Source) -> str:
    """Where the names of the columns stand."""
    if source.header_line is None:
        return "no table"
    return f"line {source.header_line}" if source.header_line else "none"


def example_words(field: Field, role: FieldRole) -> str:
    """Three values; none of a column about people."""
    if field.excluded or role in _ABOUT_PEOPLE:
        return "not shown: identifies people"
    if not field.examples:
        return f"{plural(field.count, 'value')}, not kept" if field.count else "empty"
    return "  |  ".join(field.examples[:_EXAMPLES])


def sure_words(role: FieldRoleOf) -> str:
    """Who decided about a role, and how sure that is."""
    if role.decided_by is DecidedBy.PERSON:
        return "decided by a person"
    return "sure" if role.confidence >= 0.9 else f"{role.confidence:.0%} sure"


def structure_words(contract: Contract, source: Source) -> str:
    """Keys and links of a source in sentences."""
    lines = []
    for key in contract.keys:
        if key.source == source.name:
            fields = " with ".join(key.fields)
            lines.append(f"{fields} is the key; {plural(source.rows, 'record')}.")
    for link in contract.links:
        if link.child[0] == source.name:
            lost = f"; {plural(link.orphans, 'value')} {'leads' if link.orphans == 1 else 'lead'} nowhere"
            lines.append(
                f"{link.child[1]} leads to {link.parent[1]} of {link.parent[0]}{lost if link.orphans else ''}."
            )
        if link.parent[0] == source.name:
            lines.append(f"{link.child[1]} of {link.child[0]} leads here, to {link.parent[1]}.")
    return "\n".join(lines) or "No column of it leads to another table."


def roles_of(read: ReadExport) -> dict[tuple[str, str], FieldRoleOf]:
    """The roles by source and field."""
    return {(role.source, role.field): role for role in read.found.roles}
