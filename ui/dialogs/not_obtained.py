"""Asks why a value was not obtained."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from extraction.flowsheet.schema import Row
from extraction.flowsheet.values import NotObtained
from ui.kit.question import ask

_REASONS = {
    "&Refused": NotObtained.REFUSED,
    "&Unable to assess": NotObtained.UNABLE,
    "Not &done": NotObtained.NOT_DONE,
    "Not &applicable": NotObtained.NOT_APPLICABLE,
}


def ask_why_not(parent: QWidget, row: Row) -> NotObtained | None:
    """The reason that a person gives; None if they leave the question."""
    words = "It is charted without a value, with the reason, and the record system is told so."
    return ask(parent, f"Why was {row.name} not obtained?", words, _REASONS)
