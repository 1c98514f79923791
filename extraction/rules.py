"""The rules after the models, in their order, and which of them wrote what.

Each rule makes other proposals of those before it. What it wrote, a value of a row that was not proposed before, is
noted under its id, whatever kind of rule it is; `extraction.rule_changes` says what that means for a value.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass

from extraction.assertion import asserted
from extraction.fill import Task
from extraction.instances import settled
from extraction.literal import literal
from extraction.named import by_name
from extraction.propose import Proposals
from extraction.rule_changes import Written, content, marked, with_guesses
from extraction.said import Said
from extraction.sides import on_its_side
from extraction.times import timed


@dataclass(frozen=True, slots=True)
class RuleContext:
    """What the rules look at beside the proposals: the transcript, what was asked of it, and the clock on the wall."""

    said: Said
    task: Task
    now: dt.datetime


@dataclass(frozen=True, slots=True)
class Rule:
    """`id` is stored with what the rule writes, and never changes its meaning."""

    id: str
    apply: Callable[[RuleContext, Proposals], Proposals]


RULES = (
    # an option that is said word for word is what was said
    Rule("word-for-word", lambda on, found: literal(on.task.text, on.task.schema, found)),
    # what was said of the other side
    Rule("laterality", lambda on, found: on_its_side(on.task.text, on.task.schema, found)),
    # what is said of the one line, drain or wound that a sentence names
    Rule("named-instance", lambda on, found: by_name(on.task.schema, on.task.plan, on.task.segments, found)),
    # when it was observed
    Rule("time", lambda on, found: timed(on.task.text, on.task.schema, found, on.task.moments)),
    # where a new line or wound is, and what is said of several
    Rule("instance", lambda on, found: settled(on.task.plan, on.task.segments, found)),
    # what is stated or denied outright
    Rule("stated-outright", lambda on, found: on.said.stated(found, on.task.schema)),
    # from the text that was read to the transcript that was heard, with what was taken back
    Rule("correction", lambda on, found: on.said.placed(found)),
    # what is no current finding of this patient
    Rule("assertion", lambda on, found: asserted(on.said.transcript, on.task.schema, found)),
    # what a category within its limits means
    Rule("within-limits", lambda on, found: on.said.within_limits(found, on.task.schema, on.now)),
)


def apply_rules(on: RuleContext, read: Proposals) -> Proposals:
    """What is put before the nurse of what the models `read`: what is not their own is marked, with its rule."""
    schema = on.task.schema
    read = found = with_guesses(schema, read)
    written: Written = {}
    for rule in RULES:
        before = {content(value) for value in found.values}
        found = rule.apply(on, found)
        written |= {content(value): rule.id for value in found.values if content(value) not in before}
    return marked(read, found, schema, written)
