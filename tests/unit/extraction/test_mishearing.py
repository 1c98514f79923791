"""A value is lit if similar-sounding words would give another value, or if its words were heard unclearly."""

from __future__ import annotations

from typing import Any

import pytest

from app.inference.live_events import Followed
from app.inference.usage import Outcome
from app.lighting import Lighting
from app.pipeline import follow
from extraction.extractor import Extraction
from extraction.flowsheet.findings import reason_texts
from extraction.flowsheet.schema import Definition, Option, Row, Schema, ValueType
from extraction.flowsheet.values import Proposals, Value
from extraction.language.vocabulary.confusable_words import Care, confusable, parsed
from extraction.preparation.prepared_transcript import PreparedTranscript
from models.base.phonetics import sounds_like
from models.base.progress import NOT_MONITORED
from tests.kit.steps import charted, heard, read

SELECT, MULTI, NUMBER, YES_NO = (
    ValueType.SINGLE_SELECT,
    ValueType.MULTI_SELECT,
    ValueType.NUMERIC,
    ValueType.YES_NO,
)


def row(row_id: str, name: str, kind: ValueType, *options: str, **more: Any) -> Row:
    return Row(row_id, name, kind, ("Test",), tuple(Option(one) for one in options), **more)


SCHEMA = Schema(
    "t",
    "T",
    "1",
    (
        row("bowel", "Bowel sounds", SELECT, "Hypoactive", "Normoactive", "Hyperactive", "Absent"),
        row("tone", "Muscle tone", SELECT, "Hypertonic", "Normal"),
        row("sides", "Edema", SELECT, "Left leg", "Right leg", "Both legs"),
        row("rhythm", "Heart rhythm", SELECT, "Regular", "Irregular"),
        row("breath", "Breath sounds", MULTI, "Clear", "Inspiratory wheeze", "Expiratory wheeze"),
        row("device", "Oxygen device", SELECT, "Nasal cannula", "Mask"),
        row("pain", "Chest pain", YES_NO),
        row("hypotension", "Hypotension", YES_NO),
        row("walk", "Bears weight", YES_NO),
        row("drain", "Drain output", NUMBER, unit="mL", minimum=0, maximum=2000),
        row("resp", "Respiratory rate", NUMBER, minimum=4, maximum=40),
        row("bp", "Blood pressure", ValueType.BLOOD_PRESSURE, minimum=20, maximum=260),
        row("weight", "Weight", ValueType.QUANTITY, unit="kg", minimum=20, maximum=300, dimension="weight"),
        row("turned", "Turned at", ValueType.TIME),
        row("loc", "Level of consciousness", SELECT, "Alert", "Drowsy"),
    ),
    "0" * 64,
    "t",
    (Definition(("Test",), ("neuro",), (("loc", "Alert"),)),),
)


def flags(text: str, row_id: str, value: Value, words: str, *, sure: float = 0.99, **probability: float) -> list[str]:
    """The flags of a value of which the model is sure, with these probabilities of words."""
    result = charted(heard(text, sure, **probability), SCHEMA, [(row_id, value, words)])
    return list(result.values[0].flags)


# similar words


def test_hypoactive_heard_as_hyperactive_is_lit_despite_high_confidence() -> None:
    text = "Bowel sounds are hyperactive in all quadrants."
    result = charted(heard(text, 0.999), SCHEMA, [("bowel", "Hyperactive", "hyperactive", 0.91)])
    nothing_else = Lighting(None, None, own=False, alpha=0.1, weight=0.5, threshold=0.0)
    lights = nothing_else.lights([(SCHEMA.row("bowel"), result.proposed[0])], "")
    assert [reason_texts(why) for why in lights] == [("heard “hyperactive” – could be “hypoactive”; listen",)]
    assert (result.values[0].confidence, result.values[0].errors) == (0.91, (0.02, 0.02)), "unchanged from the models"


@pytest.mark.parametrize(
    ("text", "value", "words"),
    [
        ("Bowel sounds are hypo active.", "Hypoactive", "hypo active"),  # in two pieces
        ("Bowel sounds are hypo-active.", "Hypoactive", "hypo-active"),
        ("Bowel sounds hyperactive.", "Hypoactive", "hyperactive"),  # the model read the similar word
        ("Hypoactive bowel sounds.", "Hypoactive", "bowel sounds"),  # outside the evidence
    ],
)
def test_a_similar_word_is_found_however_it_is_spelled(text: str, value: str, words: str) -> None:
    assert flags(text, "bowel", value, words) != []


def test_a_similar_word_that_is_no_option_lights_nothing() -> None:
    assert flags("Muscle tone is hypertonic.", "tone", "Hypertonic", "hypertonic") == []
    assert flags("Bowel sounds are absent.", "bowel", "Absent", "absent") == []


@pytest.mark.parametrize(("probability", "lit"), [(0.99, False), (0.91, False), (0.89, True)])
def test_a_number_with_a_similar_one_is_lit_unless_heard_clearly(probability: float, lit: bool) -> None:
    found = flags("Drain output was 15 milliliters.", "drain", 15.0, "15", **{"15": probability})
    assert found == (["heard “15” – could be “50”; listen"] if lit else [])


@pytest.mark.parametrize(
    ("text", "row_id", "value", "words", "twin"),
    [
        ("Drain output was fifteen milliliters.", "drain", 15.0, "fifteen", "50"),
        ("Drain output was 115.", "drain", 115.0, "115", "150"),
        ("Drain output was 80.", "drain", 80.0, "80", "18"),
        ("Drain output was 88.", "drain", 88.0, "88", None),
        ("Respiratory rate is 18.", "resp", 18.0, "18", None),  # 80 breaths per minute are impossible
        ("Respiratory rate is 14.", "resp", 14.0, "14", "40"),
        ("Blood pressure 118 over 64.", "bp", "118/64", "118 over 64", "180"),
        ("Blood pressure is 250 over 98.", "bp", "250/98", "250 over 98", "215"),
        ("Weight is 150 pounds.", "weight", 68.04, "150 pounds", "115"),  # in the row's own unit
        ("Weight is 19 kilos.", "weight", 19.0, "19 kilos", "90"),
        ("She was turned at 0615.", "turned", "06:15", "0615", "06:50"),
        ("She was turned at 0640.", "turned", "06:40", "0640", "06:14"),
        ("She was turned at 0620.", "turned", "06:20", "0620", None),
    ],
)
def test_a_similar_number_must_be_possible_for_the_row(
    text: str, row_id: str, value: Value, words: str, twin: str | None
) -> None:
    found = flags(text, row_id, value, words, sure=0.8)
    assert [one.split("could be ")[1] for one in found] == ([f"“{twin}”; listen"] if twin else [])


@pytest.mark.parametrize(("probability", "lit"), [(0.99, False), (0.6, False), (0.35, True)])
def test_left_and_right_are_doubted_only_if_heard_unclearly(probability: float, lit: bool) -> None:
    found = flags("Edema of the left leg.", "sides", "Left leg", "left leg", left=probability)
    assert found == (["heard “left” – could be “right”; listen"] if lit else [])


@pytest.mark.parametrize(
    ("text", "row_id", "value", "words", "word", "twin"),
    [
        ("Heart rhythm is regular.", "rhythm", "Regular", "regular", "regular", "irregular"),
        ("She has no chest pain.", "pain", False, "chest pain", "no", "now"),
        ("She has chest pain now.", "pain", True, "chest pain", "now", "no"),
        ("She can't bear weight.", "walk", False, "bear weight", "can't", "can"),
        ("She can bear weight.", "walk", True, "bear weight", "can", "can't"),
        # by sound alone
        ("An inspiratory wheeze.", "breath", ("Inspiratory wheeze",), "inspiratory", "inspiratory", "expiratory"),
    ],
)
def test_a_word_whose_similar_word_reverses_the_value_is_lit_unless_heard_clearly(
    text: str, row_id: str, value: Value, words: str, word: str, twin: str
) -> None:
    assert flags(text, row_id, value, words, **{word: 0.7}) == [f"heard “{word}” – could be “{twin}”; listen"]
    assert flags(text, row_id, value, words) == []


def test_a_possibly_lost_negation_is_doubted_if_heard_unclearly() -> None:
    found = flags("The chest pain is there.", "pain", True, "chest pain", **{"is": 0.3})
    assert found == ["heard “is” – could be “isn't”; listen"]
    assert flags("The chest pain is there.", "pain", True, "chest pain", **{"is": 0.6}) == []


def test_a_finding_whose_name_has_a_similar_word_is_lit() -> None:
    found = flags("She had hypotension overnight.", "hypotension", True, "hypotension")
    assert found == ["heard “hypotension” – could be “hypertension”; listen"]


# unclear words, and values without hearing doubts


def test_only_unclearly_heard_deciding_words_are_lit() -> None:
    text = "She is on a nasal cannula today."
    assert flags(text, "device", "Nasal cannula", "nasal cannula", nasal=0.3) == ["“nasal” was heard unclearly; listen"]
    assert flags(text, "device", "Nasal cannula", "nasal cannula", nasal=0.45) == []
    assert flags(text, "device", "Nasal cannula", "nasal cannula", today=0.1, she=0.1) == []
    assert flags("Drain output was 25.", "drain", 25.0, "25", **{"25": 0.3}) == ["“25” was heard unclearly; listen"]
    assert flags("Chest pain is gone.", "pain", True, "Chest pain", chest=0.2) == [
        "“chest” was heard unclearly; listen"
    ]


def test_a_typed_text_has_no_hearing_doubts() -> None:
    result = charted("Bowel sounds are hyperactive.", SCHEMA, [("bowel", "Hyperactive", "hyperactive")])
    assert result.values[0].flags == ()


def test_values_by_definition_have_no_hearing_doubts() -> None:
    result = charted(heard("Neuro WDL.", 0.1), SCHEMA, [])
    assert [(value.row_id, value.flags) for value in result.values] == [("loc", ())]


def test_similar_words_depend_on_the_language() -> None:
    assert confusable("de").between("hypoactive", "hyperactive") is None
    assert confusable("en-US") == confusable("en")


def test_a_live_dictation_gets_hearing_doubts_at_its_end() -> None:
    transcript = heard("Bowel sounds are hyperactive.")
    proposals = Proposals((read(transcript.text, "bowel", "Hyperactive", "hyperactive", 0.91),), ())

    class Following:
        models: dict[str, str] = {}  # noqa: RUF012

        def follow(self, *_: object) -> Outcome[Followed]:
            return Outcome(Followed(transcript, Extraction(proposals)))

    result = follow(SCHEMA, Following(), None, monitor=NOT_MONITORED)  # type: ignore[arg-type]
    assert result is not None
    assert result.values[0].flags == ("heard “hyperactive” – could be “hypoactive”; listen",)


def test_a_corrected_value_is_judged_by_its_final_words() -> None:
    text = "Drain output was 15, correction, 40."
    prepared = PreparedTranscript.of(text, SCHEMA)
    assert prepared.text.text == "Drain output was 40."
    result = charted(heard(text, **{"15": 0.2, "40": 0.8}), SCHEMA, [("drain", 40.0, "40")])
    assert result.values[0].flags == ("heard “40” – could be “14”; listen",)


# the data


def test_the_shipped_vocabulary_has_the_dangerous_pairs() -> None:
    known = confusable("en")
    assert known.between("hypoactive", "hyperactive") is Care.ALWAYS
    assert known.between("hyperglycemia", "hypoglycemia") is Care.ALWAYS
    assert known.between("dysphagia", "dysphasia") is Care.ALWAYS
    assert known.between("afebrile", "febrile") is Care.ALWAYS
    assert known.between("palpable", "non-palpable") is Care.UNLESS_CLEAR
    assert known.between("labored", "unlabored") is Care.UNLESS_CLEAR
    assert known.between("left", "right") is Care.IF_UNCLEAR
    assert known.between("bradycardia", "tachycardia") is None
    assert known.between("hypoactive", "hypertonic") is None
    assert known.between("tan", "an") is None
    assert [known.number_like(one) for one in (13, 90, 119, 15.5, 25, 110)] == [30, 19, 190, None, None, None]


@pytest.mark.parametrize(
    ("data", "what"),
    [
        ({"sometimes": {}}, "there is no group “sometimes”"),
        ({"always": {"pairs": []}}, "always has no list “pairs”"),
        ({"always": {"words": [["left"]]}}, "which is not a pair"),
        ({"always": {"words": [["left", "left"]]}}, "which is not a pair"),
        ({"always": {"words": [["left", 3]]}}, "which is not a pair"),
        ({"always": {"words": [["Left", "right"]]}}, "not single words in lower case"),
        ({"always": {"words": [["left side", "right"]]}}, "not single words in lower case"),
        ({"always": {"words": [["left", ""]]}}, "not single words in lower case"),
        ({"always": {"words": [["a", "b"]]}, "if_unclear": {"words": [["b", "a"]]}}, "is there twice"),
        ({"always": {"numbers": [[15, 50], [15, 51]]}}, "is there twice"),
        ({"always": {"numbers": [[115, 50]]}}, "more than two digits"),
    ],
)
def test_invalid_confusable_data_are_refused(data: dict[str, Any], what: str) -> None:
    with pytest.raises(ValueError, match=what):
        parsed(data)


def test_similar_sounding_words_are_recognised() -> None:
    assert sounds_like("inspiratory", "expiratory")
    assert sounds_like("ecchymosis", "akimosus")
    assert not sounds_like("left", "right")
    assert not sounds_like("alert", "drowsy")
