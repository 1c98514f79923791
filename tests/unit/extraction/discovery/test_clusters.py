"""Clusters of phrases, made in one pass."""

from __future__ import annotations

import json

from extraction.discovery.clusters import Clusters, Mention
from extraction.discovery.phrases import phrases
from extraction.schema_files.native_format import parse_schema
from tests.kit.fake_app import SCHEMA as DOCUMENT
from tests.kit.fake_models import FakeEmbedder

SCHEMA = parse_schema(json.dumps(DOCUMENT).encode(), "test")
EMBEDDER = FakeEmbedder()


def mentions(*texts: str, patients: int = 9) -> list[Mention]:
    return [
        Mention(f"d{place}", f"p{place % patients}", f"Note {place}", one, text)
        for place, text in enumerate(texts)
        for one in phrases(text, SCHEMA)
    ]


def clustered(*given: Mention) -> Clusters:
    clusters = Clusters()
    for one in given:
        clusters.add(one, EMBEDDER.encode([one.phrase.words])[0])
    return clusters


def test_like_phrases_come_together_and_others_do_not() -> None:
    found = clustered(*mentions("Pedal bike 10 minutes.", "Hemoglobin 8.2.", "Pedal bike 12 minutes.")).all
    assert [[one.dictation for one in each.mentions] for each in found] == [["d0", "d2"], ["d1"]]
    assert (found[0].dictations, found[0].patients) == (2, 2)


def test_what_is_read_later_moves_nothing_that_was_read_before() -> None:
    given = mentions(
        "Pedal bike 10 minutes.", "Hemoglobin 8.2.", "Pedal bike 12 minutes.", "Hemoglobin 9.", "Air leak."
    )
    whole, part = clustered(*given), clustered(*given[:3])
    for one in given[3:]:
        part.add(one, EMBEDDER.encode([one.phrase.words])[0])
    assert [each.mentions for each in part.all] == [each.mentions for each in whole.all]


def test_the_name_has_no_number_and_no_word_of_one_patient() -> None:
    (cluster,) = clustered(
        *mentions("Pedal bike Karelia 10 minutes.", "Pedal bike 12 minutes.", "Pedal bike 9 minutes.")
    ).all
    assert cluster.name == "pedal bike minutes"


def test_phrases_of_one_patient_have_no_name() -> None:
    (cluster,) = clustered(*mentions("Pedal bike 10 minutes.", "Pedal bike 12 minutes.", patients=1)).all
    assert cluster.name == ""
