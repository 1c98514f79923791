"""What the prior of a candidate row is estimated from."""

from __future__ import annotations

import math
from pathlib import Path

from extraction.flowsheet.schema import Laterality, Option, Row, Schema, ValueType
from extraction.language.sentences import segment
from extraction.retrieval.candidates import pool
from extraction.retrieval.index import open_index
from extraction.retrieval.prior_features import FEATURES, prior_features
from models.base.progress import NOT_MONITORED
from tests.kit.fake_models import FakeEmbedder

SCHEMA = Schema(
    "t",
    "T",
    "1",
    (
        Row("hr", "Heart rate", ValueType.NUMERIC, ("Vitals",), unit="/min", ucum="/min", minimum=20, maximum=250),
        Row("out", "Urine output", ValueType.QUANTITY, ("Output",), unit="mL", ucum="mL", dimension="volume"),
        Row(
            "left",
            "Left arm strength",
            ValueType.SINGLE_SELECT,
            ("Neuro",),
            (Option("Strong"), Option("Weak")),
            laterality=Laterality.LEFT,
        ),
        Row("mood", "Mood", ValueType.SINGLE_SELECT, ("Mind",), (Option("Murky"), Option("Weak"))),
    ),
    "0" * 64,
    "t",
)


def features(text: str, tmp_path: Path) -> dict[str, dict[str, float]]:
    segments, embedder = segment(text), FakeEmbedder()
    index = open_index(SCHEMA, embedder, "fake", tmp_path, monitor=NOT_MONITORED)
    candidates = pool(SCHEMA, segments, index, embedder, 4)
    numbers = prior_features(SCHEMA, segments, candidates)
    return {one.row_id: dict(zip(FEATURES, row, strict=True)) for one, row in zip(candidates, numbers, strict=True)}


def test_a_number_with_the_name_of_its_measurement_is_measured(tmp_path: Path) -> None:
    found = features("Heart rate 88.", tmp_path)
    assert (found["hr"]["measured"], found["hr"]["within_range"]) == (1.0, 1.0)
    assert math.isnan(found["mood"]["measured"])
    assert features("Heart rate monitor on, room 8.", tmp_path)["hr"]["measured"] == 0.0


def test_units_decide_between_rows_of_numbers(tmp_path: Path) -> None:
    found = features("Put out 350 milliliters.", tmp_path)
    assert (found["out"]["unit_fits"], found["hr"]["unit_fits"]) == (1.0, 0.0)


def test_the_side_that_was_said_tells_rows_of_sides(tmp_path: Path) -> None:
    assert features("The left arm is weak.", tmp_path)["left"]["side_said"] == 1.0
    assert features("The right arm is weak.", tmp_path)["left"]["side_said"] == 0.0
    assert features("The arm is weak.", tmp_path)["left"]["side_said"] == 0.5
    assert math.isnan(features("The arm is weak.", tmp_path)["mood"]["side_said"])


def test_an_option_of_one_row_alone_is_rare(tmp_path: Path) -> None:
    murky, weak = features("It is murky.", tmp_path)["mood"], features("It is weak.", tmp_path)["mood"]
    assert (murky["option_owners"], weak["option_owners"] > 0) == (0.0, True)
    assert murky["option_weight"] > weak["option_weight"] > 0


def test_the_best_row_of_a_sentence_is_behind_none(tmp_path: Path) -> None:
    found = features("Heart rate 88.", tmp_path)
    assert (found["hr"]["fit_rank"], found["hr"]["fit_behind_best"]) == (0.0, 0.0)
    assert all(other["fit_behind_best"] < 0 for row_id, other in found.items() if row_id != "hr")
    assert {one["candidates"] for one in found.values()} == {float(len(found))}
