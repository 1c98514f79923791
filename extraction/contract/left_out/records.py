"""Why a row of the exports is not among the rows in use."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Reason(StrEnum):
    """Why nothing can be charted in it."""

    RETIRED = "retired"
    GONE = "gone"
    DOUBLE = "double"
    HEADING = "heading"
    SAME_ROW = "same row"
    NO_ID = "no id"
    NO_RECORD = "no record"
    UNLISTED = "unlisted"


REASON_WORDS = {
    Reason.RETIRED: "no longer in use, as the exports say",
    Reason.GONE: "no longer in the exports",
    Reason.DOUBLE: "another id of a row in use",
    Reason.HEADING: "a heading or a group of rows",
    Reason.SAME_ROW: "a further line of a row that is in use",
    Reason.NO_ID: "a line without an id of its own",
    Reason.NO_RECORD: "a line that is no record",
    Reason.UNLISTED: "charted under an id that no list of rows has",
}
_CAN_BE_USED = frozenset((Reason.RETIRED, Reason.GONE, Reason.DOUBLE))


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A row or line that is left out.

    Attributes:
        row: the id of the row; empty for a line without one.
        says: what else is known, such as the row that is used instead.
        source, line: where it stands; 0 where it stands on no line of its own.
    """

    reason: Reason
    row: str = ""
    name: str = ""
    says: str = ""
    source: str = ""
    line: int = 0

    @property
    def can_be_used(self) -> bool:
        """Whether a person can take it in as a row."""
        return self.reason in _CAN_BE_USED
