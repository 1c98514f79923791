"""Lights: calibration and its file, what a choice of alpha means, and the reasons given to the nurse."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.chart import lights
from app.chart.lights import LitBy
from app.chart.reviewer_tendencies import NO_TENDENCIES, ReviewerTendency
from app.lighting import Lighting, lighting
from app.record.values import Evidence, Neighbour, ProposedValue
from app.system.settings import Settings
from extraction.estimators.calibration import WEIGHTS, Calibration, Sample
from extraction.estimators.layer_classifiers import LayerClassifiers, fit_layers, held_out_errors
from extraction.flowsheet.findings import Finding, reason_texts
from extraction.flowsheet.schema import Row
from models.base.errors import InputError
from models.library.manifest import load_manifest
from tests.kit.conditions import SCHEMA

LAYERS = 5
IDENTITY = "a" * 64
SHIPPED_MODELS = {model.role: model.id for model in load_manifest().models if model.default}


def sample(seed: int = 0, cases: int = 60) -> Sample:
    """Wrong values in a third of all, told apart by every layer; what is surely wrong was never proposed."""
    rng = np.random.default_rng(seed)
    wrong = rng.random(cases * 10) < 0.35
    shared = rng.normal(np.where(wrong, 1.2, -1.2), 1.0)
    errors = 1 / (1 + np.exp(-(shared[:, None] + rng.normal(0, 0.4, (len(wrong), LAYERS)))))
    return Sample(errors, wrong, errors.mean(axis=1) < 0.7, np.repeat(np.arange(cases), 10))


def value(row_id: str = "nail", **changes: object) -> ProposedValue:
    said = Evidence(0, 4, "pale", 0, 20)
    plain = ProposedValue(
        row_id, "pale", None, said, -0.1, 0.05, 0.9, 0.8, Neighbour("row", "Nailbed color", 0), "rowwise",
        errors=(0.1,) * LAYERS,
    )  # fmt: skip
    return replace(plain, **changes)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def calibration() -> Calibration:
    return Calibration.fit(sample())


def lit(lighting: Lighting, *values: ProposedValue, weighed_by: str = IDENTITY) -> list[bool]:
    row = SCHEMA.row("nail")
    return [bool(why) for why in lighting.lights([(row, one) for one in values], weighed_by)]


def reasons(
    row: Row, proposal: ProposedValue, known: Mapping[str, ReviewerTendency] = NO_TENDENCIES
) -> tuple[str, ...]:
    """The reasons in words, as they are shown."""
    return reason_texts(lights.reasons(row, proposal, known))


# calibration


def test_a_smaller_alpha_lights_more_and_leaves_fewer_wrong(calibration: Calibration) -> None:
    for weight in WEIGHTS[:-1]:
        outlooks = [calibration.outlook(alpha, weight) for alpha in (0.3, 0.2, 0.1, 0.05)]
        assert [one.lit for one in outlooks] == sorted(one.lit for one in outlooks)
        assert [one.caught for one in outlooks] == sorted(one.caught for one in outlooks)
        assert outlooks[-1].wrong_unlit <= outlooks[0].wrong_unlit
        assert outlooks[-1].lit > 0


def test_the_outlook_matches_the_outcome(calibration: Calibration) -> None:
    """The outlook holds on dictations that the calibration has not seen, within what 60 of them can tell."""
    fresh = sample(seed=1)
    for alpha in (0.2, 0.1):
        expected, is_lit = calibration.outlook(alpha, 0.5), calibration.lit(fresh.errors, alpha, 0.5)
        assert is_lit[fresh.proposed].mean() == pytest.approx(expected.lit, abs=0.1)
        assert is_lit[fresh.proposed & fresh.wrong].mean() >= 1 - alpha - 0.08


def test_values_that_are_held_back_fill_no_share_of_the_promise() -> None:
    """However many wrong values are held back, as many wrong proposals are lit."""
    known = sample()
    held_back = Sample(*(array[~known.proposed] for array in vars(known).values()))
    many = Calibration.fit(known.joined(held_back).joined(held_back))
    assert many.outlook(0.2, 0.5).caught >= 0.8 - 0.08
    assert many.outlook(0.2, 0.5) == Calibration.fit(known.proposals).outlook(0.2, 0.5)


def test_too_few_wrong_values_keep_no_promise(calibration: Calibration) -> None:
    few = Calibration.fit(sample(cases=6))
    assert not few.outlook(0.02, 0.5).kept
    assert few.outlook(0.02, 0.5).lit == 1.0
    assert calibration.outlook(0.05, 0.5).kept


def test_a_calibration_survives_its_file(calibration: Calibration, tmp_path: Path) -> None:
    calibration.save(tmp_path / "calibration.npz")
    read = Calibration.load(tmp_path / "calibration.npz")
    for weight in WEIGHTS:
        assert read.outlook(0.1, weight) == calibration.outlook(0.1, weight)


def test_two_samples_keep_their_dictations_apart() -> None:
    both = sample(0, 6).joined(sample(1, 4))
    assert len(np.unique(both.case)) == 10
    assert both.wrong.tolist() == [*sample(0, 6).wrong, *sample(1, 4).wrong]
    with pytest.raises(InputError, match="do not go together"):
        both.joined(replace(sample(2, 4), errors=np.zeros((40, 3))))


# the classifiers of the layers


def test_a_layer_that_knows_more_than_the_acceptance_says_so() -> None:
    rng = np.random.default_rng(3)
    right = rng.random(600) < 0.6
    confidences = np.clip(0.6 + rng.normal(0, 0.1, 600), 0.01, 0.99)
    blind, telling = rng.normal(0, 1, 600), rng.normal(np.where(right, 2.0, -2.0), 1.0)
    scores = np.column_stack([blind, telling])
    errors = held_out_errors(confidences, scores, scores, right, np.arange(600) % 5)
    gaps = errors[~right].mean(axis=0) - errors[right].mean(axis=0)
    assert gaps[1] > 0.7 > 0.1 > abs(gaps[0])


def test_without_states_the_acceptance_decides_alone() -> None:
    confidences, unknown = np.array([0.9, 0.3]), np.full((2, 2), np.nan)
    classifiers = LayerClassifiers(np.array([[0.5, 1.0, 0.2, 0.2]] * 2))
    assert classifiers.errors(confidences, unknown, unknown) == pytest.approx(np.array([[0.1, 0.1], [0.7, 0.7]]))
    fitted = fit_layers(confidences, unknown, unknown, np.array([True, False]))
    assert fitted.errors(confidences, unknown, unknown) == pytest.approx(np.array([[0.1, 0.1], [0.7, 0.7]]))


# lights


def test_values_that_the_layers_find_wrong_are_lit(calibration: Calibration) -> None:
    chosen = Lighting(calibration, None, own=True, alpha=0.1, weight=0.5, threshold=0.9, weighed_by=IDENTITY)
    assert lit(chosen, value(errors=(0.02,) * LAYERS), value(errors=(0.69,) * LAYERS)) == [False, True]
    assert lit(chosen) == []
    assert chosen.decides(IDENTITY) is LitBy.OWN


def test_values_of_other_models_are_lit_by_their_confidence_alone(calibration: Calibration) -> None:
    chosen = Lighting(calibration, None, own=True, alpha=0.1, weight=0.5, threshold=0.9, weighed_by=IDENTITY)
    sure, doubtful = value(confidence=0.95, errors=(0.9,) * LAYERS), value(confidence=0.5, errors=(0.0,) * LAYERS)
    assert lit(chosen, sure, doubtful, weighed_by="b" * 64) == [False, True]
    assert chosen.decides("b" * 64) is LitBy.CONFIDENCE
    assert lit(replace(chosen, calibration=None), sure, doubtful) == [False, True]
    assert lit(chosen, replace(sure, errors=()), replace(doubtful, errors=())) == [False, True]


def test_a_value_that_no_layer_weighed_leaves_the_others_to_the_calibration(calibration: Calibration) -> None:
    chosen = Lighting(calibration, None, own=True, alpha=0.1, weight=0.5, threshold=0.9, weighed_by=IDENTITY)
    by_rule, sure = value(confidence=0.95, errors=()), value(confidence=0.1, errors=(0.02,) * LAYERS)
    assert lit(chosen, by_rule, sure, value(errors=(0.69,) * LAYERS)) == [False, False, True]


def test_a_value_of_a_rule_is_lit_by_the_rules_error_rate(calibration: Calibration) -> None:
    chosen = Lighting(calibration, None, own=True, alpha=0.1, weight=0.5, threshold=0.99, weighed_by=IDENTITY)
    by_good_rule, by_bad_rule = (value(confidence=right, errors=(), rule="r") for right in (0.98, 0.31))
    assert lit(chosen, by_good_rule, by_bad_rule) == [False, True]
    as_layers = [value(errors=(wrong,) * LAYERS) for wrong in (0.02, 0.69)]
    assert lit(chosen, *as_layers) == [False, True], "as a value that every layer sees so"
    assert lit(replace(chosen, threshold=0.2, calibration=None), by_good_rule, by_bad_rule) == [False, False]


def test_a_value_with_flags_is_lit_whatever_the_layers_and_its_confidence_say(calibration: Calibration) -> None:
    chosen = Lighting(calibration, None, own=True, alpha=0.1, weight=0.5, threshold=0.9, weighed_by=IDENTITY)
    surest = value(confidence=1.0, errors=(0.0,) * LAYERS)
    flagged = replace(surest, findings=(Finding("not_named", ("tracheostomy",)),))
    assert lit(chosen, surest, flagged) == [False, True]
    assert lit(chosen, replace(surest, errors=()), replace(flagged, errors=())) == [False, True]
    assert lit(replace(chosen, calibration=None, threshold=0.0), surest, flagged) == [False, True]


def test_flags_come_first_among_the_reasons() -> None:
    flagged = value(
        findings=(Finding("not_named", ("tracheostomy",)), Finding("noted_lit", ("listen again",))), relevance=0.1
    )
    assert reasons(SCHEMA.row("nail"), flagged) == (
        "“tracheostomy” was not said",
        "listen again",
        "may be about something else",
    )
    assert reasons(SCHEMA.row("nail"), replace(flagged, relevance=0.9)) == flagged.flags


@pytest.mark.parametrize(
    ("decisive", "others"),
    [
        (Finding("near_other_patient", ("bed seven",)), ("chosen_by_meaning", "heard_as", "contradicts_row")),
        (Finding("denied", ("no",)), ("chosen_by_meaning", "unit_guessed", "time_unclear")),
        (Finding("ended", ("stopped",)), ("by_words", "heard_unclearly")),
        (Finding("unit_contradicted", ("mL", "L")), ("by_words", "time_unclear")),
    ],
)
def test_the_most_decisive_reason_is_the_first_one(decisive: Finding, others: tuple[str, ...]) -> None:
    places = {"heard_as": 2, "contradicts_row": 2, "unit_guessed": 1}
    found = tuple(Finding(code, ("a",) * places.get(code, 1)) for code in others)
    doubtful = value(findings=(*found, decisive), relevance=0.1, not_mentioned=0.9)
    shown = reasons(SCHEMA.row("nail"), doubtful)
    assert shown[0] == decisive.text
    assert shown[-2:] == ("may not have been said", "may be about something else")


def test_a_value_that_a_rule_set_against_the_models_does_not_tie_with_theirs() -> None:
    flagged = value(
        confidence=0.02, alternatives=(("cyanotic", 0.98),), findings=(Finding("noted_lit", ("said as negative",)),)
    )
    assert reasons(SCHEMA.row("nail"), flagged) == ("said as negative",)


def test_a_value_that_is_not_lit_has_no_reasons(calibration: Calibration) -> None:
    chosen = Lighting(None, None, own=False, alpha=0.1, weight=0.5, threshold=0.9)
    row = SCHEMA.row("nail")
    found = [
        reason_texts(why) for why in chosen.lights([(row, value(confidence=0.95)), (row, value(confidence=0.2))], "")
    ]
    assert found == [(), ("heard “pale”; check that it belongs to this row",)]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"alternatives": (("cyanotic", 0.5),)}, "pale or cyanotic?"),
        ({"not_mentioned": 0.8}, "may not have been said"),
        ({"relevance": 0.1}, "may be about something else"),
        ({"errors": (0.1, 0.1, 0.1, 0.1, 0.9)}, "not certain what was meant"),
        ({}, "heard “pale”; check that it belongs to this row"),
    ],
)
def test_reasons_in_plain_words(changes: dict[str, object], said: str) -> None:
    assert reasons(SCHEMA.row("nail"), value(**changes)) == (said,)


def test_reviewer_tendencies_are_the_last_reason_and_light_nothing() -> None:
    chosen = Lighting(None, None, own=False, alpha=0.1, weight=0.5, threshold=0.9)
    row, tendencies = SCHEMA.row("nail"), {"nail": ReviewerTendency(accepted=1, rejected=3)}
    sure, doubtful = (row, value(confidence=0.95)), (row, value(confidence=0.2))
    unclear = (row, value(confidence=0.2, relevance=0.1))
    said = "reviewers rejected 3 of the last 4 values of this row"
    assert [reason_texts(why) for why in chosen.lights([sure, doubtful, unclear], "", tendencies)] == [
        (),
        (said,),
        ("may be about something else", said),
    ]
    assert reasons(row, value(), {"hr": ReviewerTendency(rejected=9)}) == (
        "heard “pale”; check that it belongs to this row",
    )


def test_the_shipped_calibration_says_that_it_is_not_the_hospitals() -> None:
    found = lighting(Settings(), SCHEMA, SHIPPED_MODELS)
    assert not found.own
    assert found.annotated is None
    assert found.decides(found.weighed_by) is LitBy.SHIPPED
    assert found.promises(found.weighed_by)
    outlook = found.outlook(found.alpha, found.weight)
    assert outlook is not None
    assert outlook.kept
    assert outlook.lit < 0.4
    assert outlook.wrong_unlit < 0.1


@pytest.mark.parametrize(
    ("settings", "models"),
    [
        (Settings(top_k=5), {}),
        (Settings(), {"filler": "another"}),
        (Settings(), {"embedder": "another"}),
    ],
)
def test_of_values_that_are_read_otherwise_nothing_is_promised(settings: Settings, models: dict[str, str]) -> None:
    found = lighting(settings, SCHEMA, SHIPPED_MODELS | models)
    usual = lighting(Settings(), SCHEMA, SHIPPED_MODELS)
    assert found.decides(found.weighed_by) is LitBy.CONFIDENCE
    assert found.decides(usual.weighed_by) is LitBy.CONFIDENCE
    assert usual.decides(found.weighed_by) is LitBy.CONFIDENCE, "also once the settings are as usual again"
    assert found.outlook(0.05, 0.5) is None


def test_values_of_another_version_of_the_schema_are_promised_as_before() -> None:
    later = replace(SCHEMA, version="4", sha256="1" * 64)
    usual = lighting(Settings(), SCHEMA, SHIPPED_MODELS)
    assert lighting(Settings(), later, SHIPPED_MODELS).decides(usual.weighed_by) is LitBy.SHIPPED
    other = replace(SCHEMA, id="other")
    assert lighting(Settings(), other, SHIPPED_MODELS).decides(usual.weighed_by) is LitBy.CONFIDENCE


def test_a_folder_without_anything_learned_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds nothing learned"):
        lighting(Settings(learned=str(tmp_path)), SCHEMA, {})


def test_a_doubt_without_a_name_says_what_was_heard() -> None:
    row = SCHEMA.row("nail")
    other = next(option.name for option in row.options if option.name != value().value)
    assert reasons(row, value()) == ("heard “pale”; check that it belongs to this row",)
    assert reasons(row, replace(value(), value=other)) == (f"heard “pale”; check that it means {other}",)
