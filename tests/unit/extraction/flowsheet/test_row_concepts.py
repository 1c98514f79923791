"""Which bedside concept a row records, and what it inherits."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from extraction.flowsheet.naming.row_concepts import PREFIX, as_spoken, concepts, row_concepts
from extraction.flowsheet.schema import Option, Row, Schema, ValueType
from extraction.language.vocabulary.loader import shipped_vocabulary, use_ward_folder, vocabulary_names
from models.base.errors import InputError
from tests.kit.language import add_words


def select(row_id: str, name: str, *options: str, category: str = "Assessment") -> Row:
    return Row(row_id, name, ValueType.SINGLE_SELECT, (category,), tuple(map(Option, options)))


def schema_of(*rows: Row) -> Schema:
    return Schema("t", "T", "1", rows, "0" * 64, "t")


def linked(*rows: Row) -> dict[str, str]:
    return {row_id: link.concept.id for row_id, link in row_concepts(schema_of(*rows)).items()}


def test_a_row_is_linked_by_its_name_and_options_in_any_vendors_words() -> None:
    american = select("1", "Sputum Color", "Clear", "White", "Yellow", "Green")
    british = select("2", "Colour of sputum", "Clear", "White", "Yellow", "Green")
    assert set(linked(american, british).values()) == {"sputum_color"}


def test_sides_and_sites_in_a_name_do_not_matter() -> None:
    row = select("1", "Left leg edema", "None", "1+", "2+", "3+", "4+")
    assert linked(row) == {"1": "edema_grade"}


def test_a_name_alone_links_no_row_with_other_options() -> None:
    assert linked(select("1", "Sputum color", "Requested", "Sent", "Reported")) == {}


def test_a_stated_concept_wins_over_the_name() -> None:
    cough = select("1", "Cough", "Productive", "Nonproductive")
    assert linked(cough) == {"1": "cough"}
    assert linked(replace(cough, concept="sputum_color")) == {"1": "sputum_color"}
    assert linked(replace(cough, stated_none=("concept",))) == {}
    strange = row_concepts(schema_of(select("2", "Zorb", "Productive", "Blue")))
    stated = row_concepts(schema_of(replace(select("2", "Zorb", "Productive", "Blue"), concept="cough")))
    assert (dict(strange), list(stated["2"].options)) == ({}, ["Productive"])


def test_a_row_inherits_names_cues_and_what_is_said_for_its_options() -> None:
    row = as_spoken(schema_of(select("1", "Cough", "Productive", "Nonproductive", "None"))).row("1")
    dry = next(option for option in row.options if option.name == "Nonproductive")
    assert "dry cough" in dry.spoken
    assert row.cues
    assert row.name not in row.spoken


def test_an_option_that_stands_for_several_is_said_for_each_of_them() -> None:
    several = select("1", "Orientation", "Person", "Place", "Time", "Situation")
    row = as_spoken(schema_of(several)).row("1")
    said = {option.name: "A&O x3" in option.spoken for option in row.options}
    assert said == {"Person": True, "Place": True, "Time": True, "Situation": False}
    single = as_spoken(schema_of(select("1", "Orientation", "Oriented x3", "Person", "Place"))).row("1")
    assert [option.name for option in single.options if "A&O x3" in option.forms] == ["Oriented x3"]


def test_words_of_another_option_are_not_inherited() -> None:
    row = as_spoken(schema_of(select("1", "Cough", "Nonproductive", "Dry cough", "None"))).row("1")
    assert all("dry cough" not in option.spoken for option in row.options)


def test_the_spoken_schema_is_computed_once_and_speaks_already() -> None:
    schema = schema_of(select("1", "Cough", "Productive", "Nonproductive"))
    spoken = as_spoken(schema)
    assert as_spoken(schema) is spoken is as_spoken(spoken)
    assert (spoken.sha256, schema.row("1").cues) == (schema.sha256, ())


def test_no_words_mean_two_options_of_a_concept() -> None:
    for concept in concepts().values():
        forms = Counter(form.casefold() for name, others in concept.options.items() for form in {name, *others})
        assert [form for form, count in forms.items() if count > 1] == [], concept.id


def test_every_concept_is_in_one_vocabulary() -> None:
    names = [name for name in vocabulary_names() if name.startswith(PREFIX)]
    assert len(concepts()) == sum(len(shipped_vocabulary(name)) for name in names)


def test_a_ward_adds_words_to_a_concept(tmp_path: Path) -> None:
    add_words(tmp_path, "concepts_cardioresp", '[cough.options]\nNonproductive = ["barks like a seal"]')
    use_ward_folder(tmp_path)
    try:
        row = as_spoken(schema_of(select("1", "Cough", "Productive", "Nonproductive"))).row("1")
        assert "barks like a seal" in row.options[1].spoken
    finally:
        use_ward_folder(None)


def test_a_concept_that_is_not_whole_is_refused(tmp_path: Path) -> None:
    add_words(tmp_path, "concepts_cardioresp", '[new_thing]\nrows = ["new thing"]')
    use_ward_folder(tmp_path)
    try:
        with pytest.raises(InputError, match="new_thing needs rows and said"):
            concepts()
    finally:
        use_ward_folder(None)


def test_a_terse_row_is_read_under_its_written_out_name() -> None:
    terse = replace(select("1", "Sput Col", "Clear", "Tan", "Green"), written_out="Sputum color", synonyms=("SC",))
    schema = schema_of(terse)
    row = as_spoken(schema).row("1")
    assert (row.name, row.synonyms) == ("Sputum color", ("Sput Col", "SC"))
    assert row_concepts(schema)["1"].concept.id == row_concepts(as_spoken(schema))["1"].concept.id == "sputum_color"
    assert schema.row("1").name == "Sput Col"
