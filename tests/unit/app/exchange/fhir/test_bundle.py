"""A bundle changes nothing when it is sent again, and never mixes patients, stays or installations."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from app.exchange.fhir.bundle import fhir_bundle
from app.exchange.fhir.participants import Sender
from app.exchange.observations import ObservationState
from models.base.errors import InputError
from tests.kit.no_network import SUPPORTED
from tests.unit.app.exchange.fhir.messages import (
    DEMONSTRATION,
    NO_CODES,
    REVIEWED,
    SENDER,
    SENT,
    bundle_of,
    message,
    observation,
    of_values,
    record,
    resources_of,
    uuid,
)

HEART_RATE = DEMONSTRATION.row("vs.heart_rate")
NOTE = DEMONSTRATION.row("wound1.location")


def test_every_entry_is_stored_under_an_id_of_its_own() -> None:
    bundle = bundle_of(of_values(DEMONSTRATION, vs__heart_rate=88.0, vs__bp="142/74"))
    assert bundle["type"] == "transaction"
    kinds = [entry["resource"]["resourceType"] for entry in bundle["entry"]]
    assert kinds == ["Patient", "Encounter", "Device", "Observation", "Observation", "Provenance", "Provenance"]
    for entry in bundle["entry"]:
        resource = entry["resource"]
        assert entry["request"] == {"method": "PUT", "url": f"{resource['resourceType']}/{resource['id']}"}
        assert entry["fullUrl"] == f"urn:uuid:{resource['id']}"
    assert len({entry["fullUrl"] for entry in bundle["entry"]}) == len(bundle["entry"])


def test_the_same_message_makes_the_same_bytes() -> None:
    one = of_values(DEMONSTRATION, vs__heart_rate=88.0)
    assert fhir_bundle(one, NO_CODES, DEMONSTRATION, SENDER) == fhir_bundle(one, NO_CODES, DEMONSTRATION, SENDER)


def test_all_references_are_to_entries_of_the_bundle() -> None:
    bundle = bundle_of(of_values(DEMONSTRATION, vs__heart_rate=88.0, vs__bp="142/74"))
    urls = {entry["fullUrl"] for entry in bundle["entry"]}
    assert set(references(bundle)) <= urls
    assert len(list(references(bundle))) == 1 + 2 * 2 + 2 * 2


def references(content: Any) -> Iterator[str]:
    if isinstance(content, dict):
        yield from (inner for name, inner in content.items() if name == "reference")
        content = list(content.values())
    if isinstance(content, list):
        for inner in content:
            yield from references(inner)


def test_a_patient_has_number_name_and_birth_date_where_they_are_known() -> None:
    (known,) = resources_of(bundle_of(of_values(DEMONSTRATION, vs__heart_rate=88.0)), "Patient")
    mrn, own = known["identifier"]
    assert (mrn["value"], mrn["type"]["coding"][0]["code"], "system" in mrn) == ("00123", "MR", False)
    assert own == {"system": f"urn:uuid:{SENDER.installation}", "value": known["id"]}
    assert (known["name"], known["birthDate"]) == ([{"text": "Ann Lee"}], "1950-02-03")
    alias = record(HEART_RATE, 88.0, patient_name="Fall 12", patient_mrn="", patient_birth_date="")
    (unknown,) = resources_of(bundle_of(message(observation(1, alias))), "Patient")
    assert set(unknown) == {"resourceType", "id", "identifier", "name"}
    assert len(unknown["identifier"]) == 1


def test_a_patient_that_the_hospital_has_under_its_own_number_is_kept_as_it_is() -> None:
    sender = replace(SENDER, mrn_system="urn:oid:1.2.3")
    bundle = bundle_of(of_values(DEMONSTRATION, vs__heart_rate=88.0), sender=sender)
    patient = bundle["entry"][0]
    assert patient["resource"]["identifier"][0]["system"] == "urn:oid:1.2.3"
    assert patient["request"] == {
        "method": "POST",
        "url": "Patient",
        "ifNoneExist": "identifier=urn%3Aoid%3A1.2.3%7C00123",
    }
    assert all(entry["request"]["method"] == "PUT" for entry in bundle["entry"][1:])
    (observed,) = resources_of(bundle, "Observation")
    assert observed["subject"]["reference"] == patient["fullUrl"]


def test_ids_are_those_of_one_installation_and_of_one_stay() -> None:
    def patient_and_stay(sender: Sender = SENDER, mrn: str = "00123", stay: int = 3) -> tuple[str, str]:
        value = record(HEART_RATE, 88.0, patient_mrn=mrn)
        bundle = bundle_of(message(observation(1, value), encounter_id=stay), sender=sender)
        return bundle["entry"][0]["resource"]["id"], bundle["entry"][1]["resource"]["id"]

    elsewhere = Sender(UUID("11111111-3b0e-4d0f-9a55-0d3c3a3f7c11"))
    patient, stay = patient_and_stay()
    assert patient_and_stay() == (patient, stay)
    assert not {patient, stay} & set(patient_and_stay(elsewhere))
    assert patient_and_stay(stay=4)[0] == patient
    assert patient_and_stay(stay=4)[1] != stay
    assert patient_and_stay(mrn="", stay=3)[0] != patient_and_stay(mrn="", stay=4)[0]


def test_each_version_of_the_program_is_a_device_of_its_own() -> None:
    one = message(observation(1, record(HEART_RATE, 88.0)))
    (old,) = resources_of(bundle_of(one), "Device")
    (new,) = resources_of(bundle_of(replace(one, device="Wardlight 0.2.0")), "Device")
    assert (old["deviceName"][0]["name"], old["version"]) == ("Wardlight", [{"value": "0.1.0"}])
    assert old["id"] != new["id"]
    (unnamed,) = resources_of(bundle_of(replace(one, device="")), "Device")
    assert "version" not in unnamed


def test_an_observation_keeps_its_id_through_every_correction() -> None:
    first = bundle_of(message(observation(1, record(HEART_RATE, 88.0))))
    corrected = record(HEART_RATE, 98.0, status="edited", reviewer="Lou", reviewed_at="2026-01-02T05:00:00+00:00")
    second = bundle_of(message(observation(1, corrected, ObservationState.AMENDED, 2), id="M2"))
    withdrawn = observation(1, corrected, ObservationState.WITHDRAWN, 3)
    third = bundle_of(message(withdrawn, id="M3", created_at="2026-01-02T06:00:00+00:00"))
    versions = [resources_of(bundle, "Observation")[0] for bundle in (first, second, third)]
    assert {(one["id"], one["identifier"][0]["value"]) for one in versions} == {(uuid(1), f"urn:uuid:{uuid(1)}")}
    assert [(one["status"], one["valueQuantity"]["value"], one["issued"]) for one in versions] == [
        ("final", 88, "2026-01-02T03:30:00.000+00:00"),
        ("amended", 98, "2026-01-02T05:00:00.000+00:00"),
        ("entered-in-error", 98, "2026-01-02T06:00:00.000+00:00"),
    ]
    reasons = [resources_of(bundle, "Provenance")[0] for bundle in (first, second, third)]
    assert [one["activity"]["coding"][0]["code"] for one in reasons] == ["CREATE", "UPDATE", "NULLIFY"]
    assert len({one["id"] for one in reasons}) == 3
    assert "entity" not in reasons[0]
    assert [one["entity"][0]["what"] for one in reasons[1:]] == [
        {
            "identifier": {"system": f"urn:uuid:{SENDER.installation}", "value": before},
            "display": f"Version {version} of the observation, in message {before}",
        }
        for version, before in ((1, "M1"), (2, "M2"))
    ]
    assert {one["entity"][0]["role"] for one in reasons[1:]} == {"revision"}


def test_provenance_names_who_answers_for_a_value_and_since_when() -> None:
    said, added = record(HEART_RATE, 88.0), record(NOTE, "Left heel", status="added")
    bundle = bundle_of(message(observation(1, said), observation(2, added)))
    for provenance, role in zip(resources_of(bundle, "Provenance"), ("verifier", "author"), strict=True):
        person, program = provenance["agent"]
        assert (person["who"], person["type"]["coding"][0]["code"]) == ({"display": "Kim, RN"}, role)
        assert program["who"]["reference"] == bundle["entry"][2]["fullUrl"]
        assert provenance["recorded"] == REVIEWED.replace("+", ".000+")
    assert [one["target"] for one in resources_of(bundle, "Provenance")] == [
        [{"reference": f"urn:uuid:{uuid(number)}"}] for number in (1, 2)
    ]


def test_nobody_is_said_to_have_withdrawn_a_value() -> None:
    withdrawn = observation(1, record(HEART_RATE, 88.0), ObservationState.WITHDRAWN, 2)
    (provenance,) = resources_of(bundle_of(message(withdrawn)), "Provenance")
    assert [one["type"]["coding"][0]["code"] for one in provenance["agent"]] == ["assembler"]
    assert provenance["recorded"] == SENT.replace("+", ".000+")


def test_a_value_withdrawn_from_the_wrong_patient_is_not_put_into_the_stay_of_the_right_one() -> None:
    wrong = record(HEART_RATE, 88.0, patient_name="Bo Ray", patient_mrn="777")
    bundle = bundle_of(
        message(
            observation(1, wrong, ObservationState.WITHDRAWN, 2),
            observation(2, record(NOTE, "Left heel")),
        )
    )
    patients = {one["id"]: one["identifier"][0]["value"] for one in resources_of(bundle, "Patient")}
    (stay,) = resources_of(bundle, "Encounter")
    withdrawn, right = resources_of(bundle, "Observation")

    def number(resource: dict[str, Any]) -> str:
        return patients[resource["subject"]["reference"].removeprefix("urn:uuid:")]

    assert [number(one) for one in (stay, withdrawn, right)] == ["00123", "777", "00123"]
    assert "encounter" not in withdrawn
    assert "encounter" in right


def test_a_withdrawal_alone_changes_neither_patient_nor_stay() -> None:
    """Its record is the value as it was sent, perhaps under a former name, and its dictation may have been moved."""
    bundle = bundle_of(message(observation(1, record(HEART_RATE, 88.0), ObservationState.WITHDRAWN, 2)))
    assert resources_of(bundle, "Encounter") == []
    patient = bundle["entry"][0]
    number = f"urn%3Auuid%3A{SENDER.installation}%7C{patient['resource']['id']}"
    assert patient["request"] == {"method": "POST", "url": "Patient", "ifNoneExist": f"identifier={number}"}


def test_a_patient_without_number_never_gets_the_name_of_another() -> None:
    """A dictation is moved between two: what was told about the first is withdrawn in the stay of the second."""
    first, second = (
        record(HEART_RATE, 88.0, patient_name=name, patient_mrn="", patient_birth_date="") for name in ("A", "B")
    )
    withdrawn = message(observation(1, first, ObservationState.WITHDRAWN, 2), encounter_id=6)
    told = message(observation(2, second), encounter_id=6)
    one, other = (bundle_of(each)["entry"][0]["resource"] for each in (withdrawn, told))
    assert one["id"] != other["id"]


def test_values_of_several_patients_are_refused() -> None:
    with pytest.raises(InputError, match="several patients"):
        bundle_of(
            message(
                observation(1, record(HEART_RATE, 88.0)),
                observation(2, record(NOTE, "Left heel", patient_mrn="777")),
            )
        )


def test_two_observations_with_one_id_are_refused() -> None:
    with pytest.raises(InputError, match="own-id"):
        bundle_of(message(observation(1, record(HEART_RATE, 88.0)), observation(1, record(NOTE, "Left heel"))))


def test_an_empty_message_is_refused() -> None:
    with pytest.raises(InputError, match="nothing to send"):
        bundle_of(message())


def test_a_row_of_another_schema_is_refused() -> None:
    with pytest.raises(InputError, match=r"row\.of\.theirs"):
        bundle_of(message(observation(1, record(replace(HEART_RATE, id="row.of.theirs"), 88.0))))


def test_a_bundle_of_more_than_a_megabyte_is_checked_too() -> None:
    long = message(*(observation(number, record(NOTE, "heel " * 60_000)) for number in range(5)))
    assert len(fhir_bundle(long, NO_CODES, DEMONSTRATION, SENDER)) > 1_500_000


@pytest.mark.skipif(not SUPPORTED, reason="needs a filter of system calls")
def test_a_bundle_is_made_and_checked_without_the_network() -> None:
    code = (
        "from tests.unit.app.exchange.fhir.messages import *;"
        "bundle_of(of_values(DEMONSTRATION, vs__heart_rate=88.0, vs__bp='142/74'))"
    )
    subprocess.run([sys.executable, "-m", "tests.kit.no_network", sys.executable, "-c", code], check=True)
