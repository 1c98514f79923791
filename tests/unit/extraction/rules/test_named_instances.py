"""Sentences about lines, drains and wounds: splitting them, and explicit statements about one."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.flowsheet.findings import Finding
from extraction.flowsheet.naming.instance_families import families_of, instance_rows_named, mentioned
from extraction.flowsheet.schema import Option, Row, Schema, ValueType
from extraction.flowsheet.values import Evidence, FilledValue, Neighbour, Proposals, Value
from extraction.language.sentences import segment
from extraction.preparation.instance_assignment import assign_instances
from extraction.preparation.sentence_parts import split_by_instance
from extraction.rules.instance_places import instance_places
from extraction.rules.named_instances import named_instances
from tests.kit.rules import after, task_of

WARD = ("Ward",)
SINGLE, MULTI, YES_NO = ValueType.SINGLE_SELECT, ValueType.MULTI_SELECT, ValueType.YES_NO


def options(*names: str) -> tuple[Option, ...]:
    return tuple(Option(*name.split("=", 1)[:1], tuple(name.split("=")[1:])) for name in names)


def rows_of(number: int) -> tuple[Row, ...]:
    iv, wound = f"Peripheral IV {number}", f"Wound {number}"
    return (
        Row(f"iv{number}.site", f"{iv} site", SINGLE, WARD,
            options=options("hand", "forearm", "wrist", "antecubital=AC")),
        Row(f"iv{number}.side", f"{iv} side", SINGLE, WARD, options=options("left", "right")),
        Row(f"iv{number}.gauge", f"{iv} gauge", SINGLE, WARD, options=options("18 gauge", "22 gauge")),
        Row(f"iv{number}.status", f"{iv} line status", SINGLE, WARD,
            options=options("infusing=running", "saline locked", "occluded=won't flush", "removed")),
        Row(f"iv{number}.return", f"{iv} blood return", YES_NO, WARD, synonyms=(f"IV {number} draws back",)),
        Row(f"iv{number}.look", f"{iv} site condition", MULTI, WARD,
            options=options("redness=red", "swelling=puffy", "leaking")),
        Row(f"iv{number}.dressing", f"{iv} dressing status", SINGLE, WARD,
            options=options("stained", "removed", "changed", "red and stained")),
        Row(f"wound{number}.location", f"{wound} location", ValueType.TEXT, WARD),
        Row(f"wound{number}.type", f"{wound} type", SINGLE, WARD,
            options=options("surgical incision=incision", "skin tear")),
        Row(f"wound{number}.length", f"{wound} length", ValueType.NUMERIC, WARD, unit="cm",
            synonyms=(f"how long wound {number} is",)),
        Row(f"wound{number}.bed", f"{wound} bed", MULTI, WARD, options=options("slough", "granulation")),
    )  # fmt: skip


OTHERS = (
    Row("art.dressing", "Arterial line dressing status", SINGLE, WARD, options=options("stained", "loose", "changed")),
    Row("bp.site", "Blood pressure site", SINGLE, WARD, options=options("left forearm", "right forearm")),
    Row("drain1.type", "Surgical drain 1 type", SINGLE, WARD, options=options("Jackson-Pratt=JP")),
    Row("drain1.location", "Surgical drain 1 location", ValueType.TEXT, WARD),
    Row("drain1.output", "Surgical drain 1 output volume", ValueType.QUANTITY, WARD, unit="mL"),
)
SCHEMA = Schema("t", "Test", "1", (*rows_of(1), *rows_of(2), *OTHERS), "0" * 64, "test.json")
IVS: dict[str, Value] = {"iv1.site": "forearm", "iv1.side": "left", "iv2.site": "hand", "iv2.side": "right"}
WOUNDS: dict[str, Value] = {"wound1.location": "left heel", "wound2.location": "sacrum"}


def cut(text: str) -> list[str]:
    return [part.text for part in split_by_instance(SCHEMA, segment(text))]


@pytest.mark.parametrize(
    ("text", "second"),
    [
        ("The left hand IV is 22 gauge, the right wrist IV is 18 gauge.", "the right wrist IV is 18 gauge."),
        (
            "The IV in the left hand is 22 gauge and the one in the right wrist leaks.",
            "the one in the right wrist leaks.",
        ),
        ("A 22 gauge IV in the left hand, and an 18 gauge in the right arm.", "an 18 gauge in the right arm."),
        ("Two IVs: left hand, running, and right wrist, locked.", "right wrist, locked."),
        ("Wound 1 is 3 cm long and wound 2 is 2 cm long.", "wound 2 is 2 cm long."),
        ("Sacral wound is clean; left heel wound has slough.", "left heel wound has slough."),
    ],
)
def test_a_sentence_about_two_instances_is_split_between_them(text: str, second: str) -> None:
    assert len(cut(text)) == 2
    assert cut(text)[1] == second


@pytest.mark.parametrize(
    "text",
    [
        "The wounds on the left and right heel are clean.",
        "The left heel wound is 3 cm long and 2 cm wide.",
        "The left forearm IV flushes easily, the right hand is swollen.",
        "The left hand IV is 22 gauge, and flushes easily.",
        "Pain in the left knee, and none in the right hip.",
        "Left hand and right wrist IVs are saline locked.",
        "Skin tear on the left arm, JP drain on the right is patent.",
    ],
)
def test_other_sentences_are_not_split(text: str) -> None:
    assert cut(text) == [text]


@given(st.text(alphabet="left right IV wound, and 12 hand.\n", max_size=80))
def test_parts_are_in_order_and_cover_every_word(text: str) -> None:
    whole = segment(text)
    pieces = split_by_instance(SCHEMA, whole)
    assert [piece.index for piece in pieces] == list(range(len(pieces)))
    assert all(piece.text == text[piece.start : piece.end] for piece in pieces)
    assert " ".join(piece.text for piece in pieces).split() == " ".join(one.text for one in whole).split()


def given_to(text: str, known: Mapping[str, Value]) -> list[int | None]:
    plan = assign_instances(SCHEMA, split_by_instance(SCHEMA, segment(text)), known)
    return [one.number for (_, name), one in sorted(plan.assigned.items()) if name != "Surgical drain"]


@pytest.mark.parametrize(
    ("text", "known", "numbers"),
    [
        ("A 22 gauge IV in the left hand and an 18 gauge in the right arm.", {}, [1, 2]),
        ("The right hand IV leaks, the left forearm IV is running.", IVS, [2, 1]),
        ("The left forearm IV is running and the right wrist IV is locked.", {"iv1.side": "left"}, [1, 2]),
        ("The second IV is in the left wrist.", {"iv1.side": "right"}, [2]),
        ("The surgical incision on the left heel is 4 cm long.", WOUNDS, [1]),
        ("Skin tear on the left arm.", {}, [1]),
        ("He cut down on smoking.", WOUNDS, []),
        ("The left forearm IV is running, and her lungs are clear on the right.", IVS, [None]),
        ("The IV draws back.", {"iv1.side": "right"}, [1]),
    ],
)
def test_each_part_is_assigned_its_instance(text: str, known: Mapping[str, Value], numbers: list[int | None]) -> None:
    assert given_to(text, known) == numbers


def test_a_single_drain_is_a_family_and_a_second_one_is_doubtful() -> None:
    assert [family.name for family in mentioned(families_of(SCHEMA), "JP put out 20 mL.")] == ["Surgical drain"]
    assert [one.number for one in assign_instances(SCHEMA, segment("JP put out 20 mL."), {}).assigned.values()] == [1]
    plan = assign_instances(SCHEMA, segment("Left JP put out 20 mL. Right JP put out 30 mL."), {})
    assert [(one.number, one.doubt) for one in plan.assigned.values()] == [
        (1, None),
        (None, Finding("unknown_place", ("Surgical drain 1",))),
    ]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("The IV dressing status is unclear.", {"iv1.dressing"}),
        ("IV is running.", {"iv1.status"}),
        ("The IV draws back fine.", {"iv1.return"}),
        ("The wound is 3 cm long with slough.", {"wound1.length", "wound1.bed"}),
        ("The incision is 3 cm long.", {"wound1.type", "wound1.length"}),
        ("The wound and the IV have slough.", set()),
        ("Running in the hall.", set()),
    ],
)
def test_rows_named_with_their_instance_are_found(text: str, rows: set[str]) -> None:
    assert instance_rows_named(SCHEMA, text) == rows


# explicit statements


def read(text: str, row_id: str, value: Value, words: str, confidence: float) -> FilledValue:
    start = text.index(words)
    around = next(one for one in split_by_instance(SCHEMA, segment(text)) if one.start <= start < one.end)
    evidence = Evidence(start, start + len(words), words, around.start, around.end)
    return FilledValue(row_id, value, None, evidence, -1.0, 0.5, confidence, 0.5, Neighbour("row", "", 0), "rowwise")


def ruled(text: str, known: Mapping[str, Value], *found: tuple[str, Value, str, float]) -> Proposals:
    """The result of these readings (row, value, words and confidence), proposed from 0.5."""
    segments = split_by_instance(SCHEMA, segment(text))
    plan = assign_instances(SCHEMA, segments, known)
    values = [read(text, *one) for one in found]
    proposals = Proposals(
        tuple(one for one in values if one.confidence >= 0.5), tuple(one for one in values if one.confidence < 0.5)
    )
    task = task_of(text, SCHEMA, segments=segments, plan=plan)
    named = after(named_instances(task, proposals), proposals, SCHEMA, rule="named-instance")
    left = after(instance_places(task, named), named, SCHEMA, rule="instance")
    assert len(left.values) == len({value.row_id for value in left.values})
    for value in left.values:
        assert (value.confidence == 0.5) == bool(value.rule), "has the confidence of its rule, or of the models"
    return left


def charted_from(
    text: str, known: Mapping[str, Value], *found: tuple[str, Value, str, float]
) -> dict[str, tuple[Value, str]]:
    """By proposed row, its value and the rule that wrote it."""
    return {value.row_id: (value.value, value.rule) for value in ruled(text, known, *found).values}


BY_NAME = "named-instance"


@pytest.mark.parametrize(
    ("text", "row", "value", "words", "is_raised"),
    [
        ("The right hand IV won't flush.", "iv2.status", "occluded", "won't flush", True),
        ("Right hand IV is removed.", "iv2.status", "removed", "removed", True),
        ("The right hand IV is running well.", "iv2.status", "removed", "running", False),
        ("The right hand IV is not running.", "iv2.status", "infusing", "running", False),
        ("The right hand IV was locked.", "iv2.status", "saline locked", "locked", False),
        ("The right hand IV is removed, it was running before.", "iv2.status", "removed", "removed", False),
        ("No blood return from the right hand IV.", "iv2.return", False, "blood return", True),
        ("No blood return from the right hand IV.", "iv2.return", True, "blood return", False),
        ("The right hand IV draws back well.", "iv2.return", True, "draws back", True),
        ("The right hand IV draws back well.", "iv2.return", False, "draws back", False),
        ("The right hand IV is fine, blood was sent.", "iv2.return", True, "blood", False),
        ("The right hand IV site is puffy.", "iv2.look", ("swelling",), "puffy", True),
        ("The right hand IV is puffy.", "iv2.side", "right", "right", False),
        ("The wound by the right hand IV is puffy.", "iv2.look", ("swelling",), "puffy", False),
    ],
)
def test_explicitly_stated_values_are_promoted(
    text: str, row: str, value: Value, words: str, *, is_raised: bool
) -> None:
    assert charted_from(text, IVS, (row, value, words, 0.1)) == ({row: (value, BY_NAME)} if is_raised else {})


@pytest.mark.parametrize(
    ("text", "words", "is_raised"),
    [
        ("The sacral wound is red, 3 cm long.", "3 cm", True),
        ("Sacral wound length of 3 cm and some slough.", "3 cm", True),
        ("The sacral wound was seen for 3 cm of slough.", "3 cm", False),
        ("The sacral wound is 2 cm deep, 3 cm long.", "2 cm", False),
    ],
)
def test_a_number_next_to_its_rows_name_is_promoted(text: str, words: str, *, is_raised: bool) -> None:
    value = float(words.split(maxsplit=1)[0])
    found = charted_from(text, WOUNDS, ("wound2.length", value, words, 0.2))
    assert found == ({"wound2.length": (value, BY_NAME)} if is_raised else {})
    taken = ("bp.site", "left forearm", words, 0.9)
    assert "wound2.length" not in charted_from(text, WOUNDS, ("wound2.length", value, words, 0.2), taken)


def test_words_inside_another_rows_evidence_are_not_promoted() -> None:
    dressing = ("iv2.dressing", "red and stained", "red and stained", 0.9)
    red = ("iv2.look", ("redness",), "red", 0.1)
    assert set(charted_from("The right hand IV dressing is red and stained.", IVS, dressing, red)) == {"iv2.dressing"}
    assert set(charted_from("The right hand IV dressing is red and stained.", IVS, red)) == {"iv2.look"}


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("The right hand IV was removed.", {"iv2.status"}),
        ("The right hand IV dressing was removed.", {"iv2.dressing"}),
        ("The right hand IV line and dressing were removed.", {"iv2.status", "iv2.dressing"}),
    ],
)
def test_the_named_or_likeliest_row_gets_a_shared_option(text: str, rows: set[str]) -> None:
    line, dressing = ("iv2.status", "removed", "removed", 0.2), ("iv2.dressing", "removed", "removed", 0.1)
    assert set(charted_from(text, IVS, dressing, line)) == rows


@pytest.mark.parametrize(("words", "count"), [("one", 0), ("three cm", 1)])
def test_the_number_of_an_instance_is_not_a_measurement(words: str, count: int) -> None:
    text = "Wound one is three cm long."
    assert len(charted_from(text, {}, ("wound1.length", 1.0 if words == "one" else 3.0, words, 0.6))) == count
    found = ruled(text, {}, ("wound1.length", 3.0, "three cm", 0.6), ("wound2.length", 1.0, "one", 0.6))
    assert [one.row_id for one in found.values] == ["wound1.length"]
    (held_back,) = found.held_back
    assert (held_back.row_id, held_back.confidence) == ("wound2.length", 0.6)
    assert held_back.findings == (Finding("number_of_instance", ("one", "Wound"), BY_NAME),)


def test_the_number_of_an_instance_is_not_proposed_by_a_later_rule() -> None:
    found = ruled("Wound one is three cm long.", {}, ("wound1.length", 1.0, "one", 0.2))
    assert not found.values
    (held_back,) = found.held_back
    assert held_back.held_back_by == BY_NAME
    assert held_back.notes == ("“one” is the number of the Wound, not a measurement",)


def test_options_said_together_are_proposed_together() -> None:
    found = charted_from(
        "The left forearm IV is red and puffy, not leaking.",
        IVS,
        ("iv1.look", ("redness",), "red", 0.3),
        ("iv1.look", ("swelling",), "puffy", 0.2),
        ("iv1.look", ("leaking",), "leaking", 0.1),
    )
    assert found == {"iv1.look": (("redness", "swelling"), BY_NAME)}


def test_an_option_stated_for_another_instance_is_removed() -> None:
    text = "The sacral wound has slough. The left heel wound shows granulation."
    read_of_both = ("slough", "granulation")
    (value,) = ruled(text, WOUNDS, ("wound2.bed", read_of_both, "slough", 0.6)).values
    assert (value.row_id, value.value, value.rule) == ("wound2.bed", ("slough",), BY_NAME)
    assert value.findings == (Finding("of_another_instance", ("granulation", "Wound"), BY_NAME),)
    assert value.flags == ("could also be granulation, which was said of another Wound",)
    assert value.alternatives == (("slough, granulation", 0.6),)
    text = "The sacral wound has slough. It shows granulation, too."
    assert charted_from(text, WOUNDS, ("wound2.bed", read_of_both, "slough", 0.6)) == {"wound2.bed": (read_of_both, "")}


def test_an_unnamed_object_yields_to_the_named_one() -> None:
    dressing = ("art.dressing", "stained", "stained", 0.6)
    own = ("iv2.dressing", "stained", "stained", 0.2)
    found = ruled("The right hand IV dressing is stained.", IVS, dressing, own)
    assert [(one.row_id, one.findings) for one in found.values] == [
        ("iv2.dressing", (Finding("by_words", ("stained",), BY_NAME),))
    ]
    (held_back,) = found.held_back
    assert (held_back.row_id, held_back.rule, held_back.confidence) == ("art.dressing", "", 0.6)
    assert held_back.findings == (Finding("of_this_instance", ("stained", "Peripheral IV 2"), BY_NAME),)
    assert held_back.notes == ("“stained” was said of Peripheral IV 2",)
    text = "The right hand IV dressing and the arterial line's are stained."
    assert set(charted_from(text, IVS, dressing, own)) == {"iv2.dressing", "art.dressing"}
    assert charted_from("The right hand IV is stained.", IVS, dressing) == {"art.dressing": ("stained", "")}


def test_the_place_of_a_line_is_not_another_finding() -> None:
    text = "The left forearm IV draws back blood."
    assert charted_from(text, IVS, ("bp.site", "left forearm", "left forearm", 0.7)) == {}
    text = "With the left forearm IV, blood pressure site is the right forearm."
    assert charted_from(text, IVS, ("bp.site", "right forearm", "right forearm", 0.7)) != {}


def test_a_statement_about_both_is_charted_for_both() -> None:
    said = ("iv1.status", "infusing", "running", 0.6)
    found = ruled("Both IVs are running.", IVS, said).values
    assert [(one.row_id, one.value, one.rule, one.findings) for one in found] == [
        ("iv1.status", "infusing", "", ()),
        ("iv2.status", "infusing", "instance", (Finding("said_of_several", (), "instance"),)),
    ]
    assert found[1].flags == ("said of several at once",)
    one = {"iv1.site": "forearm", "iv1.side": "left"}
    assert charted_from("Both IVs are running.", one, said) == {"iv1.status": ("infusing", "")}
    assert charted_from("The IV is running, both pumps are on.", one, said) == {"iv1.status": ("infusing", "")}
