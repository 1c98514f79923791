"""What a transcript means without the rules that need to know what the models were asked."""

from __future__ import annotations

import datetime as dt

from extraction.flowsheet.schema import Schema
from extraction.flowsheet.values import Proposals
from extraction.preparation.prepared_transcript import PreparedTranscript
from tests.kit.rules import after


def after_the_last_rules(said: PreparedTranscript, proposals: Proposals, schema: Schema, now: dt.datetime) -> Proposals:
    """The proposals with what the last rules make of them."""
    stated = after(said.stated(proposals, schema), proposals, schema, rule="stated-outright")
    placed = after(said.placed(stated), stated, schema, rule="correction")
    return after(said.within_limits(placed, schema, now), placed, schema, rule="within-limits")
