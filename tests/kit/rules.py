"""What comes of the changes of one rule, applied and signed as they are on a ward."""

from __future__ import annotations

from collections.abc import Iterable

from extraction.flowsheet.schema import Schema
from extraction.flowsheet.values import Proposals
from extraction.rules.changes import Change, applied
from extraction.rules.engine import RULES

_ASSUMED = {rule.id: rule.assumed for rule in RULES}


def after(changes: Iterable[Change], proposals: Proposals, schema: Schema, *, rule: str) -> Proposals:
    """The proposals after the changes of the rule of this id, which is as sure as where nobody has measured it."""
    return applied(schema, proposals, list(changes), rule, _ASSUMED[rule])
