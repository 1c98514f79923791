"""Reads a question into a query tree, or says why it cannot be answered."""

from __future__ import annotations

from extraction.flowsheet.schema import Schema
from extraction.questions.query import Reason, Refusal, Understood
from extraction.questions.ward import WardFacts


def read_question(question: str, schema: Schema, ward: WardFacts) -> Understood:
    """What a question asks; a refusal if it cannot be answered from charted values."""
    return Understood(question, None, Refusal(Reason.NOT_UNDERSTOOD))
