"""The reductions of the ablation and their examples, with bag-of-words vectors."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.evaluation.papers.ablation import baselines
from app.evaluation.papers.ablation.baselines import RANKINGS, Reduction, reduced
from app.evaluation.papers.ablation.conditions import joined
from app.evaluation.papers.ablation.few_shot import barred_for, most_alike, sentences_of
from app.evaluation.papers.ablation.library import EXAMPLE, ROW, Library
from extraction.annotation.case_files import Case, Observation
from extraction.flowsheet.schema import Schema
from extraction.language.sentences import segment
from tests.kit.conditions import CASES, EXAMPLES, SCHEMA, case
from tests.kit.fake_models import FakeEmbedder


def library(examples: tuple[Case, ...] = EXAMPLES.cases, own: tuple[Case, ...] = ()) -> Library:
    return Library(SCHEMA, FakeEmbedder(), examples, barred_for(own, examples))


def rows_of(library: Library, reduction: Reduction, text: str, own: tuple[Case, ...] = ()) -> list[str]:
    found = reduced(library, reduction, text, segment(text), own)
    return [candidate.row_id for candidate in found.candidates]


def test_observations_are_linked_to_the_sentence_that_states_them() -> None:
    found = sentences_of(EXAMPLES.cases, SCHEMA, FakeEmbedder())
    stated = {(s.id, s.text): [it.row_id for it in s.observations] for s in found}
    assert stated == {
        ("e1", "She ate the soft tray."): ["diet"],
        ("e1", "Step count was 80."): ["hr"],
        ("e2", "Skin condition is warm."): ["skin"],
        ("e2", "Some nausea this morning."): ["nausea"],
        ("e3", "Nailbed color is pink."): ["nail"],
        ("e3", "Step count is 95."): ["hr"],
    }


def test_choices_stay_with_the_sentence_that_states_each() -> None:
    several = case("x", "Skin is red. Slept well. Also dry skin.", skin=("red", "dry"), hr_unit="bpm")
    found = sentences_of((several,), SCHEMA, FakeEmbedder())
    assert [(s.text, s.observations) for s in found] == [
        ("Skin is red.", (Observation("skin", ("red",)),)),
        ("Also dry skin.", (Observation("skin", ("dry",)),)),
    ]


def test_nearest_rows_come_with_the_segment_that_retrieved_them() -> None:
    text = "Nailbed color is pale. Step count is 110."
    found = reduced(library(), Reduction("nearest", ROW, k=1), text, segment(text), ())
    assert {it.row_id: it.segment for it in found.candidates} == {"nail": 0, "hr": 1}
    assert [it.relevance for it in found.candidates] == sorted((it.relevance for it in found.candidates), reverse=True)
    assert all(it.prior == 0.5 for it in found.candidates)


def test_row_names_alone_do_not_find_options() -> None:
    text = "soft regular"
    assert rows_of(library(), Reduction("nearest", ROW, k=1), text) == ["diet"]
    names = reduced(library(), Reduction("nearest", ROW, names_only=True, k=7), text, segment(text), ())
    assert max(it.relevance for it in names.candidates) < 0.2


def test_examples_retrieve_the_rows_charted_for_them() -> None:
    text = "She ate the usual tray."
    assert rows_of(library(), Reduction("nearest", EXAMPLE, k=1), text) == ["diet"]
    both = Reduction("nearest", ROW + EXAMPLE, k=1)
    found = reduced(library(), both, text, segment(text), ())
    assert found.candidates[0].hits[0].neighbour.kind == "example"
    assert rows_of(library(()), Reduction("nearest", EXAMPLE, k=3), text) == []


@pytest.mark.parametrize("own", [case("e1", "Another text."), case("other", EXAMPLES.cases[0].text)])
def test_a_case_never_is_its_own_example(own: Case) -> None:
    text = EXAMPLES.cases[0].text
    ground = library(own=(own,))
    found = ground.nearest([text], EXAMPLE)[0]
    assert {entry.text for entry, _ in found} == {s.text for s in ground.sentences if s.id != "e1"}
    assert [it.id for it in ground.alike(text, 9)] == ["e3", "e2"]
    # Nor by a sentence that another example shares with it.
    twin = (*EXAMPLES.cases, case("e4", "Step count was 80.", hr=80.0))
    shared = library(twin, (own,)).nearest([text], EXAMPLE)[0]
    assert "Step count was 80." not in {entry.text for entry, _ in shared}


def test_the_most_similar_case_shares_words_and_row_names() -> None:
    embedder = FakeEmbedder()
    found = most_alike("Skin condition is dry.", EXAMPLES.cases, frozenset(), SCHEMA, embedder, 2)
    assert found[0].id == "e2"
    assert len(found) == 2
    assert most_alike("Skin condition is dry.", EXAMPLES.cases, frozenset({"e2"}), SCHEMA, embedder, 1)[0].id != "e2"
    assert most_alike("Skin", (), frozenset(), SCHEMA, embedder, 3) == ()
    asked = len(embedder.encoded)
    most_alike("Skin condition is red.", EXAMPLES.cases, frozenset(), SCHEMA, embedder, 0)
    assert len(embedder.encoded) == asked


def test_rows_are_ranked_by_the_whole_transcript() -> None:
    found = rows_of(library(), Reduction("all"), "Nailbed color is pale. Nailbed color is pink.")
    assert found[0] == "nail"
    assert sorted(found) == sorted(row.id for row in SCHEMA.rows if row.unit_of is None)


def test_the_annotated_reduction_has_the_charted_rows() -> None:
    first = CASES.cases[0]
    assert set(rows_of(library(), Reduction("annotated"), first.text, (first,))) == {"hr", "nail"}
    unit_alone = (case("u", "The rate is in Hz.", hr_unit="Hz"),)
    assert rows_of(library(), Reduction("annotated"), unit_alone[0].text, unit_alone) == ["hr"]
    assert rows_of(library(), Reduction("annotated"), "...", (first,)) == []


def test_a_pruned_schema_has_spoken_similar_and_common_rows(monkeypatch) -> None:
    monkeypatch.setattr(baselines, "_FEWEST", 0)
    monkeypatch.setattr(baselines, "_NEAR", 2.0)
    monkeypatch.setattr(baselines, "_EXPANDED_BY", 1)
    text = "Skin condition is red."
    assert rows_of(library(()), Reduction("pruned"), text) == ["skin"]
    monkeypatch.setattr(baselines, "_COMMON_SHARE", 0.6)
    expanded = rows_of(library(), Reduction("pruned"), text)
    assert expanded[0] == "skin"
    assert set(expanded) == {"skin", "nausea", "hr"}  # nausea from the similar case, step count from two of three cases
    monkeypatch.setattr(baselines, "_MOST", 2)
    assert set(rows_of(library(), Reduction("pruned"), text)) == {"skin", "hr"}  # common rows are not trimmed
    monkeypatch.setattr(baselines, "_FEWEST", 2)
    assert len(rows_of(library(()), Reduction("pruned"), text)) == 2  # filled up to the minimum size


def test_rankings_name_every_row_once_and_no_unit_row() -> None:
    segments = segment(CASES.cases[0].text)
    for name, rank in RANKINGS.items():
        for ranked in rank(library(), segments):
            assert sorted(ranked) == sorted(row.id for row in SCHEMA.rows if row.unit_of is None), name
    assert [ranked[0] for ranked in RANKINGS["row"](library(), segments)][:2] == ["hr", "nail"]


def test_without_segments_there_are_no_rows() -> None:
    for method in ("nearest", "all", "pruned", "annotated"):
        assert rows_of(library(), Reduction(method, k=3), "...", CASES.cases[:1]) == []


SENTENCES = st.sampled_from(["Step count is 80.", "Slept well.", "Skin is dry and warm.", "[RN] Ate half."])


@given(st.lists(st.lists(SENTENCES, min_size=1), min_size=1, max_size=5))
def test_joining_keeps_every_sentence_in_its_paragraph(paragraphs: list[list[str]]) -> None:
    text = "\n\n".join(" ".join(sentences) for sentences in paragraphs)
    sentences = segment(text)
    parts = joined(text, sentences, paragraphs=True)
    assert len(parts) == len(paragraphs)
    assert [part.index for part in parts] == list(range(len(parts)))
    assert all(part.text == text[part.start : part.end] and "\n\n" not in part.text for part in parts)
    assert all(sum(part.start <= it.start and it.end <= part.end for part in parts) == 1 for it in sentences)
    (whole,) = joined(text, sentences, paragraphs=False)
    assert (whole.start, whole.end) == (sentences[0].start, sentences[-1].end)


def test_joining_no_sentences_gives_no_paragraphs() -> None:
    assert joined("", (), paragraphs=True) == joined("", (), paragraphs=False) == ()


@given(st.text(max_size=60), st.integers(0, 5))
def test_similarity_accepts_any_text(text: str, count: int) -> None:
    found = most_alike(text, EXAMPLES.cases, frozenset(), SCHEMA, FakeEmbedder(), count)
    assert len(set(found)) == len(found) == min(count, len(EXAMPLES.cases))


def test_another_schema_has_other_rows() -> None:
    other: Schema = replace(SCHEMA, rows=SCHEMA.rows[:1], sha256="9" * 64)
    ground = library(())
    assert len(ground.nearest(["Step count"])[0]) == len(SCHEMA.rows)
    assert len(replace(ground, schema=other).nearest(["Step count"])[0]) == 1
