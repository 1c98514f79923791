"""What an observation says beside its value: state, time, category, site, words."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from app.exchange.records import Former
from models.base.errors import InputError
from tests.unit.app.exchange.fhir.messages import (
    DEMONSTRATION,
    TIME,
    bundle_of,
    message,
    observation,
    observations_of,
    of_values,
    record,
    resources_of,
)

HEART_RATE = DEMONSTRATION.row("vs.heart_rate")


def sent(**changes: Any) -> dict[str, Any]:
    (found,) = observations_of(message(observation(1, record(HEART_RATE, 88.0, **changes))))
    return found


@pytest.fixture
def paris(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if not hasattr(time, "tzset"):
        pytest.skip("the zone of a process cannot be set here")
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Europe/Paris")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("paris")
def test_times_of_observation_are_by_the_wards_clock_with_its_offset() -> None:
    assert sent()["effectiveDateTime"] == "2026-01-02T04:04:05+01:00"
    summer = sent(observed_at="2026-07-02T03:04:00+00:00")
    assert summer["effectiveDateTime"] == "2026-07-02T05:04:00+02:00"
    assert summer["issued"] == "2026-01-02T03:30:00.000+00:00"
    (inserted,) = observations_of(of_values(DEMONSTRATION, piv1__inserted="2026-07-02T05:04"))
    assert inserted["valueDateTime"] == "2026-07-02T05:04:00+02:00"


@pytest.mark.usefixtures("paris")
def test_a_value_observed_over_a_time_has_a_period_that_ends_at_its_moment() -> None:
    since = "2026-01-01T22:00:00+00:00"
    assert sent(observed_since=since)["effectivePeriod"] == {
        "start": "2026-01-01T23:00:00+01:00",
        "end": "2026-01-02T04:04:05+01:00",
    }
    found = sent(observed_since=since, observed_at="2026-01-02T02:00:00+00:00")
    assert found["effectivePeriod"]["end"] == "2026-01-02T03:00:00+01:00"
    assert "effectiveDateTime" not in found


def test_a_period_that_ends_before_it_starts_is_refused() -> None:
    with pytest.raises(InputError, match=r"'Heart rate' \(vs.heart_rate\) breaks the FHIR rule per-1"):
        sent(observed_since="2027-01-01T00:00:00+00:00")


@pytest.mark.parametrize(
    ("row_id", "value", "category"),
    [
        ("vs.heart_rate", 88.0, "vital-signs"),
        ("vs.bp", "120/80", "vital-signs"),
        ("vs.map_cuff", 90.0, "vital-signs"),
        ("o2.spo2", 95.0, "vital-signs"),
        ("braden.total", 12.0, "survey"),
        ("gcs.eye", "Spontaneous", "survey"),
        ("wound1.location", "Left heel", "exam"),
        ("in.oral", 200.0, "exam"),
    ],
)
def test_vital_signs_scales_and_findings_are_told_apart(row_id: str, value: Any, category: str) -> None:
    (found,) = observations_of(message(observation(1, record(DEMONSTRATION.row(row_id), value))))
    assert [one["coding"][0]["code"] for one in found["category"]] == [category]
    assert ("profile" in found.get("meta", {})) == (category == "vital-signs")


def test_an_interpretation_is_hl7s_code() -> None:
    (concept,) = sent(interpretation="HH")["interpretation"]
    system = "http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation"
    assert concept["coding"] == [{"system": system, "code": "HH"}]
    assert "interpretation" not in sent()


def test_the_normal_range_of_the_row_goes_with_the_number() -> None:
    (range_of_row,) = sent()["referenceRange"]
    assert (range_of_row["low"]["value"], range_of_row["high"]["value"]) == (60, 100)
    (found,) = observations_of(of_values(DEMONSTRATION, tube__residual=10.0))
    assert list(found["referenceRange"][0]) == ["high"]
    (without,) = observations_of(of_values(DEMONSTRATION, meas__weight=80.0))
    assert "referenceRange" not in without


def test_a_note_has_the_words_that_were_said() -> None:
    assert sent(sentence="Pulse is 88.")["note"] == [{"text": "Pulse is 88."}]
    assert sent(sentence="", evidence="3 + 4 = 7")["note"] == [{"text": "3 + 4 = 7"}]
    assert "note" not in sent(sentence="", evidence="")
    assert sent(sentence="Pulse is 310.", confirmed_outside="plausible")["note"][1] == {
        "text": "Outside the plausible range; confirmed a second time by Kim, RN."
    }


def test_the_side_that_a_row_is_about_is_its_body_site() -> None:
    pulse, size = observations_of(of_values(DEMONSTRATION, vs__heart_rate=88.0, neuro__pupil_size_l=3.0))
    assert "bodySite" not in pulse
    assert size["bodySite"] == {"text": "left"}


def test_a_site_that_is_a_value_of_its_own_is_not_repeated_where_its_correction_would_not_reach_it() -> None:
    values = {"vs__temperature": 38.0, "vs__temp_site": DEMONSTRATION.row("vs.temp_site").option_names[0]}
    temperature, site = observations_of(of_values(DEMONSTRATION, **values))
    assert "bodySite" not in temperature
    assert site["valueCodeableConcept"]["text"] == values["vs__temp_site"]


def test_former_values_of_its_place_in_the_chart_are_named() -> None:
    former = Former(99.0, "/min", 3, "Lou", TIME)
    bundle = bundle_of(message(observation(1, record(HEART_RATE, 88.0, replaces=(former,)))))
    (entity,) = resources_of(bundle, "Provenance")[0]["entity"]
    assert entity["role"] == "revision"
    assert "99 /min (dictation 3, Lou" in entity["what"]["display"]
