"""Reads what a FHIR server says about a transaction: a Bundle with its responses, or an OperationOutcome."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from app.exchange.fhir.datatypes import Json

_ERRORS = frozenset({"fatal", "error"})


@dataclass(frozen=True, slots=True)
class TransactionAnswer:
    """What a server says about one transaction: whether it applied it, and why not, one text each."""

    accepted: bool
    problems: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "; ".join(self.problems) or ("" if self.accepted else "No reason was given.")


def read_transaction_answer(data: bytes) -> TransactionAnswer | None:
    """The answer to a transaction; None if the bytes are no such answer.

    A transaction is applied whole or not at all, so that one response of an error refuses it.
    """
    try:
        resource = json.loads(data)
    except (ValueError, RecursionError):
        return None
    match resource:
        case {"resourceType": "OperationOutcome", "issue": list(issues)}:
            problems = tuple(_problems(issues))
            return TransactionAnswer(not problems, problems)
        case {"resourceType": "Bundle", "type": "transaction-response", "entry": list(entries)} if entries:
            return _of_responses(entries)
    return None


def _of_responses(entries: list[Json]) -> TransactionAnswer | None:
    responses = [entry.get("response") if isinstance(entry, dict) else None for entry in entries]
    if not all(isinstance(one, dict) and isinstance(one.get("status"), str) for one in responses):
        return None
    refused = [one for one in responses if one and not one["status"].startswith("2")]
    problems = []
    for one in refused:
        outcome = one.get("outcome")
        issues = outcome.get("issue") if isinstance(outcome, dict) else None
        said = "; ".join(_problems(issues)) if isinstance(issues, list) else ""
        problems.append(f"{one['status']}: {said}" if said else one["status"])
    return TransactionAnswer(not problems, tuple(problems))


def _problems(issues: list[Json]) -> Iterator[str]:
    """The errors of an OperationOutcome in words, each with its place if it has one."""
    for issue in issues:
        if not isinstance(issue, dict) or issue.get("severity") not in _ERRORS:
            continue
        details = issue.get("details")
        named = details.get("text") if isinstance(details, dict) else None
        says = next((one for one in (named, issue.get("diagnostics"), issue.get("code")) if one), "an error")
        places = issue.get("expression")
        yield f"{says} ({', '.join(map(str, places))})" if isinstance(places, list) and places else str(says)
