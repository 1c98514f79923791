"""The rules that need not know what the models were asked."""

from __future__ import annotations

import datetime as dt

from extraction.flowsheet.schema import Schema
from extraction.flowsheet.values import Proposals
from extraction.preparation.prepared_transcript import PreparedTranscript
from extraction.rules.explicit_statements import explicit_statements
from extraction.rules.transcript_positions import transcript_positions
from extraction.rules.within_limits import within_limits
from tests.kit.rules import after


def after_the_last_rules(said: PreparedTranscript, proposals: Proposals, schema: Schema, now: dt.datetime) -> Proposals:
    """The proposals with what the last rules make of them."""
    stated = after(explicit_statements(said.text.text, proposals, schema), proposals, schema, rule="stated-outright")
    placed = after(transcript_positions(said, stated), stated, schema, rule="correction")
    return after(within_limits(said, placed, schema, now), placed, schema, rule="within-limits")
