"""Checks a bundle before it is handed on: by a validator of FHIR R4, and by rules of our own that it does not have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from app.exchange.fhir.datatypes import Json
from app.exchange.fhir.resource_checks import STATUSES, entry_violations, resource_violations
from app.exchange.fhir.violations import Violation
from app.exchange.fhir.vital_signs import vital_sign_violations
from app.exchange.records import ExportRecord
from models.base.errors import InputError

# bindings whose codes the validator knows only in part; `resource_checks` has all of them
_CUT_SHORT = {("terminology.required", f"{kind}.status") for kind in STATUSES}


def refuse_invalid(bundle: Json, records: Mapping[str, ExportRecord]) -> None:
    """Raises InputError with resource, row and rule if a bundle breaks a rule.

    Args:
        records: what its Observations were made of, by their ids.
    """
    for resource, violation in _violations(bundle):
        record = records.get(resource.get("id", ""))
        row = f" of row {record.name!r} ({record.row_id})" if record else ""
        raise InputError(
            f"Nothing was sent: {resource['resourceType']} {resource.get('id', '')}{row} breaks the FHIR rule "
            f"{violation.rule}: {violation.what}.",
            "Correct the value, or the row's unit and codes in the schema, and send it again.",
        )


def _violations(bundle: Json) -> Iterator[tuple[Json, Violation]]:
    """What a bundle breaks, one entry after the other: the validator takes no document of more than a megabyte."""
    entries = bundle["entry"]
    yield from (
        (bundle, one) for one in validator_violations({name: bundle[name] for name in bundle if name != "entry"})
    )
    for entry in entries:
        resource = entry["resource"]
        yield from ((resource, one) for one in resource_violations(resource))
        if resource["resourceType"] == "Observation":
            yield from ((resource, one) for one in vital_sign_violations(resource))
        yield from ((resource, one) for one in validator_violations({**bundle, "entry": [entry]}))
    yield from entry_violations(entries)


def validator_violations(bundle: Json) -> Iterator[Violation]:
    """What the validator finds in a document of at most a megabyte."""
    for issue in _validator().validate_resource(bundle).errors:
        if (issue.code, issue.path) in _CUT_SHORT:
            continue
        yield Violation(issue.code, f"{issue.message.rstrip('.')} ({issue.path})")


@cache
def _validator() -> Any:
    """The validator with its own definitions of R4. Without packages and a terminology server it reads no network."""
    from pyrofile_validator.config import ValidatorConfig
    from pyrofile_validator.core.engine import Validator

    # the profiles are not among its definitions: what they demand is in `vital_signs`; its own rule about encounters is
    # none of FHIR and would have to see the whole bundle
    rules = {"encounterRequiresPatient": False}
    return Validator(ValidatorConfig(error_on_unknown_profile=False, custom_rules=rules))
