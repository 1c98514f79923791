"""Fields of HL7 v2.5.1 messages by their data types; all text in them is escaped."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from app.exchange.hl7.escaping import escape
from app.exchange.hl7.receiver import Designator

_DISPLAY = "D"  # table 0200: a name as it is shown


def segment(name: str, fields: Mapping[int, str]) -> str:
    """A segment with these fields by number; MSH-1 is not counted as one."""
    return "|".join([name, *(fields.get(number, "") for number in range(1, max(fields) + 1))]).rstrip("|")


def components(*texts: str, between: str = "^") -> str:
    """Texts as components of a field, or as subcomponents of a component, without empty ones at the end."""
    return between.join(map(escape, texts)).rstrip(between)


def designator(party: Designator, between: str = "^") -> str:
    """HD: name, and the OID as universal id."""
    return components(party.name, party.oid, "ISO" if party.oid else "", between=between)


def identifier(number: str, authority: Designator, kind: str) -> str:
    """CX: an identifier with who gave it out and its type by table 0203."""
    return f"{escape(number)}^^^{designator(authority, between='&')}^{kind}"


def person(name: str) -> tuple[str, str, str]:
    """Family name, given name, type by table 0200.

    One comma tells the family name from the given one. Any other name is not taken apart: it stands whole in the place
    of the family name, marked as a name for display.
    """
    family, comma, given = (part.strip() for part in name.partition(","))
    if comma and family and given and "," not in given:
        return family, given, ""
    return name, "", _DISPLAY if name else ""


def moment(utc: str) -> str:
    """TS: a moment (UTC in ISO 8601) by the clock of the ward, with the offset of its zone, to the second."""
    parsed = datetime.fromisoformat(utc)
    return f"{(parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).astimezone():%Y%m%d%H%M%S%z}"


def local_minute(local: str) -> str:
    """TS: a minute by the clock of the ward, with the offset of its zone where the system knows it."""
    parsed = datetime.fromisoformat(local)
    try:
        return f"{parsed.astimezone():%Y%m%d%H%M%z}"
    except (OSError, OverflowError, ValueError):  # long ago, on some systems
        return f"{parsed:%Y%m%d%H%M}"
