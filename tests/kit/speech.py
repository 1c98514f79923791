"""The rules that need not know what the models were asked."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

from extraction.flowsheet.schema import Schema
from extraction.flowsheet.values import Proposals
from extraction.preparation.prepared_transcript import PreparedTranscript
from extraction.rules.explicit_statements import explicit_statements
from extraction.rules.withdrawn_words import withdrawn_words
from extraction.rules.within_limits import within_limits
from tests.kit.rules import after, as_proposed, task_of


def after_the_last_rules(said: PreparedTranscript, read: Proposals, schema: Schema, now: dt.datetime) -> Proposals:
    """Values that were read of the text for the models, with what the last rules make of them."""
    task, stated = task_of(said.text, schema, now=now), task_of(said.stated, schema, now=now)
    task = replace(task, moments=stated.moments)
    read = as_proposed(task, read)
    read = after(explicit_statements(task, read), read, schema, rule="stated-outright")
    read = after(withdrawn_words(said, read), read, schema, rule="correction")
    return after(within_limits(task, said.limits, read), read, schema, rule="within-limits")
