"""Single views: colours, transcript, search, player."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QListWidget
from pytestqt.qtbot import QtBot

from app.chart.records import Dictation, Patient, ReviewedValue, ReviewStatus
from app.chart.sheet import Sheet
from app.record.values import Evidence, Neighbour, ProposedValue
from extraction.flowsheet.schema import Option, Row, Schema, ValueType
from extraction.schema_files.native_format import parse_schema
from speech.text_file import is_invisible
from speech.transcript import Transcript
from tests.gui.conftest import Ward
from tests.kit.fake_app import SCHEMA
from ui.dialogs.add_row import search_rows
from ui.flowsheet.editors import make_editor
from ui.kit.theme import ICONS, SCHEMES, STYLES, Theme, load_colours
from ui.kit.words import unit_text
from ui.review.evidence.transcript_view import PARAGRAPH_CHARACTERS, TranscriptView, paragraphs


def test_all_schemes_and_the_style_sheet_know_the_same_colours() -> None:
    light = load_colours("light")
    assert all(load_colours(scheme).keys() == light.keys() for scheme in SCHEMES)
    used = set(re.findall(r"\$\{(\w+)\}", (STYLES / "wardlight.qss").read_text(encoding="utf-8")))
    assert used - light.keys() == {"font_px", "small_px", "large_px", "display_px", "assets", "scheme"} & used


def test_every_icon_can_be_drawn_and_every_icon_named_exists(qapp: QApplication) -> None:
    for path in [*ICONS.glob("*.svg"), *STYLES.glob("*.svg")]:
        assert QSvgRenderer(str(path)).isValid(), path.name
    named = set()
    for module in (Path(__file__).parents[3] / "ui").rglob("*.py"):
        named |= set(re.findall(r'icon\(\s*"([a-z-]+)"', module.read_text(encoding="utf-8")))
    assert named
    assert not {name for name in named if not (ICONS / f"{name}.svg").exists()}


@pytest.fixture
def theme(qapp: QApplication) -> Theme:
    return Theme(qapp, "light")


def test_the_theme_follows_the_system(qapp: QApplication, theme: Theme, monkeypatch: pytest.MonkeyPatch) -> None:
    theme.choose("system")
    for dark, scheme in ((True, "dark"), (False, "light")):
        monkeypatch.setattr(theme, "system_is_dark", lambda dark=dark: dark)  # the offscreen platform has no scheme
        qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark if dark else Qt.ColorScheme.Light)
        assert theme.scheme == scheme
    monkeypatch.setattr(theme, "system_wants_contrast", lambda: True)
    theme._hints.accessibility().contrastPreferenceChanged.emit(Qt.ContrastPreference.HighContrast)
    assert theme.scheme == "contrast"
    theme.choose("dark")
    qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Light)
    assert theme.scheme == "dark"


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(max_size=120), max_size=12).map(". ".join))
def test_paragraphs_keep_every_place_of_the_text(text: str) -> None:
    shown = paragraphs(text)
    assert len(shown) == len(text)
    changed = {(a, b) for a, b in zip(text, shown, strict=True) if a != b}
    assert all((a, b) in ((" ", "\n"), ("\r", " ")) or (is_invisible(a) and b == "·") for a, b in changed)


@pytest.mark.parametrize("invisible", ["\u202e", "\u2066", "\u200f", "\u200b"])
def test_what_would_turn_the_text_around_is_shown_as_a_dot(theme: Theme, invisible: str) -> None:
    view = TranscriptView(theme)
    view.show_text(f"Pulse {invisible}211 today.")
    assert view.toPlainText() == "Pulse ·211 today."


def test_long_texts_are_cut_into_paragraphs_between_sentences() -> None:
    shown = paragraphs("One sentence of some length. " * 60)
    lines = shown.split("\n")
    assert len(lines) > 3
    assert all(line.endswith(".") for line in lines[:-1])
    assert all(len(line) < PARAGRAPH_CHARACTERS + 60 for line in lines)


def sheet_of(text: str, spans: list[str], schema: Schema) -> Sheet:
    values = []
    for number, span in enumerate(spans, 1):
        start = text.index(span)
        evidence = Evidence(start, start + len(span), span, 0, len(text))
        filled = ProposedValue("skin", span, None, evidence, 0.0, 0.0, 0.9, 0.9, Neighbour("row", "", 0), "rowwise")
        values.append(ReviewedValue(number, 1, "skin", filled, span, None, ReviewStatus.PROPOSED, "", ""))
    dictation = Dictation(1, 1, "text", Path("x"), "x", "", 1, "filled", "", "2026-01-01T00:00:00+00:00")
    return Sheet(dictation, Patient(1, "A", "", ""), schema, Transcript(text), tuple(values), can_undo=False)


@pytest.fixture
def schema() -> Schema:
    return parse_schema(json.dumps(SCHEMA).encode(), "test")


def test_evidence_is_marked_correctly_after_two_unit_characters(qtbot: QtBot, theme: Theme, schema: Schema) -> None:
    text = "She was 😀 and 😀 today.\r\nThe skin is intact 😀 there."
    view = TranscriptView(theme)
    qtbot.addWidget(view)
    sheet = sheet_of(text, ["skin is intact", "there"], schema)
    view.show_text(text)
    view.show_values(sheet)
    assert sheet.values[0].filled
    view.light(sheet.values[0].filled.evidence)
    lit = [selection.cursor.selectedText() for selection in view.extraSelections()]  # type: ignore[attr-defined]
    assert lit[:2] == ["skin is intact", "there"]
    assert lit[-1] == "skin is intact"
    assert view.value_at(text.index("intact")) == 1
    assert view.value_at(text.index("there")) == 2
    assert view.value_at(0) is None
    assert view._character_of(view._qt_position(text.index("there"))) == text.index("there")


def test_of_two_values_at_one_place_the_closer_one_is_chosen(qtbot: QtBot, theme: Theme, schema: Schema) -> None:
    text = "Skin over the sacrum is red but intact."
    view = TranscriptView(theme)
    qtbot.addWidget(view)
    view.show_text(text)
    view.show_values(sheet_of(text, ["red but intact", "red"], schema))
    assert view.value_at(text.index("red") + 1) == 2
    assert view.value_at(text.index("intact")) == 1


def test_evidence_of_a_former_transcript_is_never_marked(schema: Schema) -> None:
    sheet = sheet_of("Skin is red.", ["red"], schema)
    assert sheet.evidence_of(sheet.values[0])
    again = replace(sheet, transcript=Transcript("The skin is very red now."))
    assert again.evidence_of(again.values[0]) is None


def test_rows_are_found_by_name_other_names_and_category(schema: Schema) -> None:
    assert [row.id for row in search_rows(schema, "pulse")] == ["hr"]
    assert search_rows(schema, "heart")[0].id == "hr"
    assert search_rows(schema, "HR")[0].id == "hr"
    assert {row.id for row in search_rows(schema, "urinary")} == {"foley", "urine"}
    assert search_rows(schema, "urinary")[0].id == "foley"  # it has the word in its name
    assert len(search_rows(schema, "")) == len(schema.rows)
    assert search_rows(schema, "heart zebra") == []
    assert [row.id for row in search_rows(schema, "non-rebreather")] == ["device"]
    assert [row.id for row in search_rows(schema, "diet npo")] == ["diet"], "a word of its name and one of an option"
    assert [row.id for row in search_rows(schema, "clear")] == ["breath", "diet"]


def test_units_are_written_as_nurses_write_them() -> None:
    assert [unit_text(unit) for unit in ("[degF]", "mm[Hg]", "{count}", "mL/cm[H2O]", None)] == [
        "°F", "mmHg", "", "mL/cmH2O", "",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("row_id", "value"),
    [
        ("hr", 72.0), ("hr", -2.5), ("rhythm", "Paced"), ("breath", ("Clear", "Absent")), ("bp", "120/80"),
        ("temp", 36.6), ("painsite", "left\nknee"), ("alarm", False), ("foley", "2026-02-28T00:00"),
        ("bm", "1999-12-31"), ("turned", "23:59"),
    ],
)  # fmt: skip
def test_an_editor_gives_back_what_it_was_given(
    qtbot: QtBot, theme: Theme, schema: Schema, row_id: str, value: object
) -> None:
    editor = make_editor(schema.row(row_id))
    qtbot.addWidget(editor)
    assert editor.value() is None
    editor.show_value(value)  # type: ignore[arg-type]
    assert editor.value() == value
    editor.show_value(None)
    assert editor.value() is None


def test_a_ticked_option_unticks_those_that_it_excludes(qtbot: QtBot, theme: Theme) -> None:
    options = (Option("None", exclusive=True), Option("Guarding"), Option("Moaning"))
    editor = make_editor(Row("x", "Signs", ValueType.MULTI_SELECT, ("C",), options))
    qtbot.addWidget(editor)
    (ticks,) = editor.findChildren(QListWidget)

    def tick(number: int) -> None:
        ticks.item(number).setCheckState(Qt.CheckState.Checked)

    tick(1)
    tick(2)
    assert editor.value() == ("Guarding", "Moaning")
    tick(0)
    assert editor.value() == ("None",)
    tick(2)
    assert editor.value() == ("Moaning",)
    editor.show_value(("None", "Guarding"))
    assert editor.value() == ("None", "Guarding"), "what was charted earlier is shown as it is"


def test_every_value_type_has_an_editor(qtbot: QtBot, theme: Theme) -> None:
    for value_type in ValueType:
        editor = make_editor(Row("x", "X", value_type, ("C",)))
        qtbot.addWidget(editor)
        assert editor.fields


class FakePlayer:
    """Stands in for the sound hardware that a test machine has not."""

    def __init__(self) -> None:
        self.played: list[tuple[float, float]] = []

    def install(self, ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
        player = ward.window.page.evidence.player
        monkeypatch.setattr(player, "reason", lambda: "")
        monkeypatch.setattr(player, "play", lambda _, start, end: self.played.append((start, end)))


@pytest.fixture
def sound(review: Ward, monkeypatch: pytest.MonkeyPatch) -> FakePlayer:
    player = FakePlayer()
    player.install(review, monkeypatch)
    return player


def test_space_plays_where_the_value_was_said(review: Ward, sound: FakePlayer) -> None:
    review.choose("spo2")
    assert review.window.page.detail.quote.play.isEnabled()
    review.key(Qt.Key.Key_Space)
    sheet = review.window.page.sheet
    assert sheet
    assert sheet.transcript
    evidence = sheet.evidence_of(review.value("spo2"))
    assert evidence
    assert sound.played == [sheet.transcript.audio_span(evidence.start, evidence.end)]


def test_a_machine_without_sound_says_so_at_the_button(review: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review.window.page.evidence.player, "reason", lambda: "no speaker or headphones")
    review.choose("bp")
    play = review.window.page.detail.quote.play
    assert not play.isEnabled()
    assert "no speaker" in play.toolTip()
