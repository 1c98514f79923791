"""What was maybe said and what was not charted: found, heard, taken and undone with keys and clicks."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel

from app.chart.records import ReviewStatus
from app.system import paths
from app.system.settings import load_settings, save_settings
from extraction.retrieval.likely_rows import LikelyRows
from speech.audio import SAMPLE_RATE
from tests.gui.conftest import Ward, lay_out
from tests.gui.shell.test_views import FakePlayer
from tests.kit.audio import counted
from tests.kit.charted import DAY, Days
from tests.kit.fake_app import MORE, TEXT, FakeEngine, write_schema
from tests.kit.patience import PATIENCE_SECONDS
from ui.dialogs.add_row import AddRowDialog
from ui.flowsheet.leftovers import Section
from ui.shell.window import COMFORTABLE

CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier


@pytest.fixture
def review(new_ward: Callable[..., Ward]) -> Ward:
    """A recording waits for review of which more was said than was filled in."""
    engine = FakeEngine()
    engine.heard = TEXT + MORE
    ward = new_ward(engine)
    ward.until_ready()
    ward.add_patient()
    ward.open_recording()
    ward.until_review()
    ward.choose("hr")
    return ward


def titles(ward: Ward) -> list[str]:
    leftovers = ward.window.page.leftovers
    return [section.heading.text().replace("&", "") for section in (leftovers.maybe, leftovers.uncharted)]


def names(section: Section) -> list[str]:
    return [line.name or line.spoken for line in map(section.list.line_of, section.list.things)]


def lit(ward: Ward) -> str:
    return ward.window.page.words.transcript.lit_text()


def test_both_are_closed_at_first_and_share_one_line(review: Ward) -> None:
    page = review.window.page
    assert titles(review) == ["Possible mentions (2)", "Said but not charted (5)"]
    assert not page.leftovers.maybe.list.isVisible()
    assert not page.leftovers.uncharted.list.isVisible()
    assert page.leftovers.height() == page.leftovers.maybe.heading.height() < 30
    assert page.detail.isVisible()
    assert page.flowsheet.hasFocus()


def test_a_value_is_taken_with_the_keyboard_and_undone(review: Ward) -> None:
    page, section = review.window.page, review.window.page.leftovers.maybe
    review.key(Qt.Key.Key_M, CTRL)
    assert section.list.hasFocus()
    assert names(section) == ["Visitors present", "Diet"]
    assert lit(review) == "Her daughter"
    review.key(Qt.Key.Key_Down)
    assert lit(review) == "regular"
    review.key(Qt.Key.Key_Up)
    review.key(Qt.Key.Key_Return)
    assert names(section) == ["Diet"], "the next key means the next line, however slow the disk is"
    review.until(lambda: len(review.values()) == 19)
    visitors = review.value("visitors")
    assert (visitors.status, visitors.value, visitors.reviewer) == (ReviewStatus.CONFIRMED, True, "R. Nurse")
    assert page.sheet
    assert page.sheet.evidence_of(visitors)
    assert section.list.hasFocus()
    assert lit(review) == "regular"
    assert page.flowsheet.current() == visitors
    assert titles(review) == ["Possible mentions (1)", "Said but not charted (4)"]
    review.key(Qt.Key.Key_Z, CTRL)
    review.until(lambda: len(review.values()) == 18)
    assert names(section) == ["Visitors present", "Diet"]
    assert section.list.hasFocus()


def test_r_rejects_a_possible_mention_and_undo_brings_it_back(review: Ward) -> None:
    page, section = review.window.page, review.window.page.leftovers.maybe
    review.key(Qt.Key.Key_M, CTRL)
    review.key(Qt.Key.Key_R)
    assert names(section) == ["Diet"]
    review.until(lambda: len(review.values()) == 19)
    visitors = review.value("visitors")
    assert (visitors.status, visitors.reviewer) == (ReviewStatus.REJECTED, "R. Nurse")
    assert titles(review)[0] == "Possible mentions (1)"
    assert section.list.hasFocus()
    review.key(Qt.Key.Key_Z, CTRL)
    review.until(lambda: len(review.values()) == 18)
    assert names(section) == ["Visitors present", "Diet"]
    review.click(section.acts[-1])
    review.until(lambda: len(review.values()) == 19)
    assert review.value("diet").status is ReviewStatus.REJECTED, "its line stayed the current one"
    assert page.sheet
    assert page.sheet.exportable == 0


def test_another_reading_of_a_rejected_one_remains(review: Ward) -> None:
    page, section = review.window.page, review.window.page.leftovers.maybe
    assert page.sheet
    diet = next(one for one in page.sheet.maybe if one.row_id == "diet")
    other = replace(diet, value="Soft", confidence=diet.confidence / 2)
    run = replace(page.sheet.run, held_back=(*page.sheet.run.held_back, other))
    sheet = replace(page.sheet, run=run)
    assert [one.value for one in sheet.maybe if one.row_id == "diet"] == [diet.value, "Soft"]
    review.key(Qt.Key.Key_M, CTRL)
    review.key(Qt.Key.Key_Down)
    review.key(Qt.Key.Key_R)
    review.until(lambda: len(review.values()) == 19)
    after = replace(sheet, values=tuple(review.values()))
    assert [one.value for one in after.maybe if one.row_id == "diet"] == ["Soft"]
    assert names(section) == ["Visitors present"]


def test_in_a_small_window_an_opened_section_comes_into_sight(review: Ward) -> None:
    review.window.resize(683, 384)  # of 1366x768 at 200 %
    section = review.window.page.leftovers.maybe
    review.key(Qt.Key.Key_M, CTRL)
    review.until(lambda: not section.acts[-1].visibleRegion().isEmpty())
    review.until(lambda: not section.list.visibleRegion().isEmpty())


def test_taking_the_last_one_closes_the_section_and_goes_to_the_flowsheet(review: Ward) -> None:
    page, section = review.window.page, review.window.page.leftovers.maybe
    review.click(section.heading)
    for _ in range(2):
        review.click(section.act)
    review.until(lambda: len(review.values()) == 20)
    assert titles(review)[0] == "Possible mentions (0)"
    assert not section.heading.isEnabled()
    assert not review.window.actions_["maybe"].isEnabled()
    assert not page.leftovers.opened
    assert page.flowsheet.hasFocus()
    assert page.current == review.value("diet")
    assert page.detail.isVisible()


def test_a_taken_value_is_exported_with_its_words(review: Ward, tmp_path: Path) -> None:
    review.key(Qt.Key.Key_M, ALT)
    review.until(lambda: review.window.page.leftovers.maybe.list.hasFocus())
    review.key(Qt.Key.Key_Return)
    review.until(lambda: len(review.values()) == 19)
    assert review.window.page.sheet
    assert review.workbench.filing.export(review.window.page.sheet, tmp_path / "out", ["json"]).wait(PATIENCE_SECONDS)
    (path,) = (tmp_path / "out").iterdir()
    (record,) = json.loads(path.read_text(encoding="utf-8"))["records"]
    assert (record["row_id"], record["status"], record["evidence"]) == ("visitors", "confirmed", "Her daughter")
    assert record["audio_end"] > record["audio_start"] > 0


def test_sentences_without_a_value_are_lit_and_charted_by_hand(review: Ward) -> None:
    page, section = review.window.page, review.window.page.leftovers.uncharted
    review.key(Qt.Key.Key_N, CTRL)
    assert section.list.hasFocus()
    assert lit(review) == "Respirations 22 on two liters by nasal cannula", "two is in no value"
    assert "Thank you." not in names(section)
    review.key(Qt.Key.Key_Down)
    assert lit(review) == "This is the morning assessment for bed twelve."
    review.key(Qt.Key.Key_Down)
    assert lit(review) == "Her daughter was here until noon and brought her reading glasses."

    def add(dialog: Any) -> None:
        QTest.keyClicks(dialog.search, "visitors")
        QTest.keyClick(dialog.search, Qt.Key.Key_Return)
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Y)  # type: ignore[arg-type]
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)  # type: ignore[arg-type]

    review.in_dialog(lambda: review.key(Qt.Key.Key_Return), add)
    review.until(lambda: len(review.values()) == 19)
    assert review.value("visitors").status is ReviewStatus.ADDED
    assert titles(review)[0] == "Possible mentions (1)", "the row has a value now"
    assert page.flowsheet.current() == review.value("visitors")
    assert section.list.hasFocus()


def test_a_line_offers_its_rows_and_what_it_says_of_them(
    new_ward: Callable[..., Ward], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Days(monkeypatch.setattr, tmp_path).at(f"{DAY}T20:15")
    engine, said = FakeEngine(), "At 0630 she was made NPO for the scan."
    engine.heard = f"{TEXT} {said}"
    start = engine.heard.index(said)
    engine.likely = (LikelyRows(start, start + len(said), ("rr", "diet", "visitors")),)
    ward = new_ward(engine)
    ward.until_ready()
    ward.add_patient()
    ward.open_recording()
    ward.until_review()
    page, section = ward.window.page, ward.window.page.leftovers.uncharted
    ward.key(Qt.Key.Key_N, CTRL)
    while lit(ward) != said:
        ward.key(Qt.Key.Key_Down)

    def add(dialog: AddRowDialog) -> None:
        rows = [dialog.results.item(place).text().split("   ·")[0] for place in range(dialog.results.count())]
        assert rows[:3] == ["Diet", "Visitors present", "Respiratory rate"], "one that has a value comes last"
        assert len(rows) == len(set(rows)) == 20, "the others follow"
        assert dialog.editor
        assert dialog.editor.value() == "NPO"
        assert "Observed at 06:30" in " ".join(one.text() for one in dialog.findChildren(QLabel))
        dialog.grab().save(str(tmp_path / "line.png"))
        QTest.keyClick(dialog.search, Qt.Key.Key_Return)
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)  # type: ignore[arg-type]

    lines = len(section.list.things)
    ward.in_dialog(lambda: ward.key(Qt.Key.Key_Return), add)
    ward.until(lambda: len(ward.values()) == 19)
    added = ward.value("diet")
    assert (added.status, added.value) == (ReviewStatus.ADDED, "NPO")
    assert added.observed_at
    assert added.observed_at.endswith("T06:30")
    ward.until(lambda: len(section.list.things) == lines - 1)
    assert said not in names(section)
    page.leftovers.fold()
    ward.choose("diet")
    assert lit(ward) == said
    assert page.detail.quote.play.isVisible()
    assert page.sheet
    assert ward.workbench.filing.export(page.sheet, tmp_path / "out", ["json"]).wait(PATIENCE_SECONDS)
    (path,) = (tmp_path / "out").iterdir()
    (record,) = json.loads(path.read_text(encoding="utf-8"))["records"]
    assert (record["row_id"], record["status"], record["evidence"]) == ("diet", "added", said)
    assert record["audio_end"] > record["audio_start"] > 0


def test_a_second_reading_of_a_row_is_added_beside_the_first(new_ward: Callable[..., Ward], out: Path) -> None:
    engine, said = FakeEngine(), "Standing, the heart rate is 124."
    engine.heard = f"{TEXT} {said}"
    ward = new_ward(engine)
    ward.until_ready()
    ward.add_patient()
    ward.open_recording()
    ward.until_review()
    ward.key(Qt.Key.Key_N, CTRL)
    while lit(ward) != said:
        ward.key(Qt.Key.Key_Down)

    def add(dialog: AddRowDialog) -> None:
        QTest.keyClicks(dialog.search, "heart rate")
        told = " ".join(one.text() for one in dialog.findChildren(QLabel))
        assert "Already in the flowsheet: 112" in told
        assert "; this one is added beside it." in told
        QTest.keyClick(dialog.search, Qt.Key.Key_Return)
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)  # type: ignore[arg-type]

    ward.in_dialog(lambda: ward.key(Qt.Key.Key_Return), add)
    ward.until(lambda: len(ward.values()) == 19)
    page = ward.window.page
    assert page.sheet
    assert not page.sheet.conflicts
    first, second = (value for value in ward.values() if value.row_id == "hr")
    assert second.value == 124.0
    assert page.sheet.reasons[first.id][0].startswith("also said: 124")
    page.leftovers.fold()
    page.choose(first.id)
    lay_out()
    ward.window.resize(1366, 768)
    lay_out()
    ward.key(Qt.Key.Key_A)
    ward.until(lambda: sum(value.stands for value in ward.values() if value.row_id == "hr") == 2)
    page.show_last_look("R. Nurse")
    shown = [page.looks.last_look.values.item(place).text() for place in range(2)]
    assert [line.split("“")[1].split("”")[0] for line in shown] == [
        "Standing, the heart rate is 124.",
        "Heart rate is 112 and regular, blood…",
    ]


def test_the_button_opens_the_same_dialog(review: Ward) -> None:
    section = review.window.page.leftovers.uncharted
    review.click(section.heading)
    seen: list[str] = []
    review.in_dialog(lambda: review.click(section.act), lambda dialog: seen.append(dialog.windowTitle()))
    assert seen == ["Add a row"]


def test_a_rejected_value_leaves_its_sentence_uncharted(review: Ward) -> None:
    review.choose("bm")
    review.key(Qt.Key.Key_R)
    review.until_status("bm", ReviewStatus.REJECTED)
    assert titles(review) == ["Possible mentions (2)", "Said but not charted (6)"]
    assert "Last bowel movement was on November nineteenth." in names(review.window.page.leftovers.uncharted)


def test_one_list_is_open_at_a_time_and_the_flowsheet_restores_the_details(review: Ward) -> None:
    page, leftovers = review.window.page, review.window.page.leftovers
    review.key(Qt.Key.Key_M, CTRL)
    assert not page.detail.isVisible()
    assert page.current is None
    assert not review.window.actions_["accept"].isEnabled()
    review.key(Qt.Key.Key_N, CTRL)
    assert leftovers.uncharted.opened
    assert not leftovers.maybe.opened
    assert not leftovers.maybe.list.isVisible()
    place = page.flowsheet.visualRect(page.flowsheet.currentIndex()).center()
    QTest.mouseClick(page.flowsheet.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert not leftovers.opened
    assert page.detail.isVisible()
    assert lit(review) == "112"
    review.key(Qt.Key.Key_A)
    review.until_status("hr", ReviewStatus.CONFIRMED)


def test_the_same_key_and_escape_close_it_again(review: Ward) -> None:
    page = review.window.page
    for closing in ((Qt.Key.Key_M, CTRL), (Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier)):
        review.key(Qt.Key.Key_M, CTRL)
        assert lit(review) == "Her daughter"
        review.key(*closing)
        assert not page.leftovers.opened
        assert page.flowsheet.hasFocus()
        assert page.detail.isVisible()
        assert lit(review) == "112"


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space])
def test_tab_reaches_the_headings_and_keys_open_them(review: Ward, key: Qt.Key) -> None:
    leftovers = review.window.page.leftovers
    review.key(Qt.Key.Key_Tab)
    assert leftovers.maybe.heading.hasFocus()
    review.key(Qt.Key.Key_Tab)
    assert leftovers.uncharted.heading.hasFocus()
    review.key(key)
    assert leftovers.uncharted.list.hasFocus()
    review.key(Qt.Key.Key_Tab)
    assert leftovers.uncharted.act.hasFocus()


def test_space_plays_the_words_and_the_sentence(review: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    player = FakePlayer()
    player.install(review, monkeypatch)
    page = review.window.page
    assert page.sheet
    assert page.sheet.transcript
    expected = []
    for key, words in (
        (Qt.Key.Key_M, "Her daughter"),
        (Qt.Key.Key_N, "Respirations 22 on two liters by nasal cannula"),
    ):
        review.key(key, CTRL)
        review.key(Qt.Key.Key_Space)
        start = page.sheet.transcript.text.index(words)
        expected.append(page.sheet.transcript.audio_span(start, start + len(words)))
    assert player.played == expected


def test_another_dictation_begins_with_both_closed(review: Ward) -> None:
    page = review.window.page
    review.key(Qt.Key.Key_M, CTRL)
    review.open_text("other.txt", "Heart rate is 112 today. She was calm all day.")
    review.until_filled("other.txt")
    assert not page.leftovers.opened
    assert titles(review) == ["Possible mentions (0)", "Said but not charted (1)"]
    review.key(Qt.Key.Key_N, CTRL)
    play = page.leftovers.uncharted.play
    assert not play.isEnabled()
    assert "is a text; there is no audio" in play.toolTip()


def test_a_change_left_in_the_editor_is_not_lost(review: Ward) -> None:
    review.choose("hr")
    review.key(Qt.Key.Key_E)
    review.type("9")
    review.key(Qt.Key.Key_M, CTRL)
    review.key(Qt.Key.Key_Return)
    review.until(lambda: len(review.values()) == 19)
    review.until(lambda: "Your change to Heart rate is not saved" in review.window.message.text)
    review.click(review.window.message.act)
    assert not review.window.page.leftovers.opened
    assert review.window.page.detail.unsaved
    assert review.value("hr").status is ReviewStatus.PROPOSED


def test_a_screen_reader_hears_the_headings_and_whole_lines(review: Ward) -> None:
    leftovers = review.window.page.leftovers
    review.key(Qt.Key.Key_M, CTRL)
    heading = QAccessible.queryAccessibleInterface(leftovers.maybe.heading)
    assert heading.text(QAccessible.Text.Name) == "Possible mentions (2)"
    assert "low confidence" in heading.text(QAccessible.Text.Description)
    assert heading.state().checked  # type: ignore[attr-defined]
    for section, name in ((leftovers.maybe, "Possible mentions"), (leftovers.uncharted, "Said but not charted")):
        assert section.list.accessibleName() == name
    line = leftovers.maybe.list.currentIndex().data(Qt.ItemDataRole.AccessibleTextRole)
    assert line.startswith("Visitors present, Yes, read from: Her daughter, in: Her daughter was here")


def test_buttons_have_tips_and_keys_of_their_own(review: Ward) -> None:
    buttons: list[QAbstractButton] = []
    for key in (Qt.Key.Key_M, Qt.Key.Key_N, Qt.Key.Key_Escape):  # with each section open, and with none
        review.key(key, CTRL if key is not Qt.Key.Key_Escape else Qt.KeyboardModifier.NoModifier)
        shown = [b for b in review.window.findChildren(QAbstractButton) if b.isVisible() and b.text()]
        assert all(b.toolTip() for b in shown)
        buttons += [b for b in shown if b not in buttons]
    entries = [b.text() for b in buttons] + [a.text() for a in review.window.menuBar().actions()]
    letters = [text[text.index("&") + 1].lower() for text in entries if "&" in text]
    assert {"m", "c", "t"} <= set(letters)
    assert len(letters) == len(set(letters)), letters


def test_the_window_stays_usable_at_its_smallest(review: Ward) -> None:
    window, page = review.window, review.window.page
    review.choose("temp")  # the pane with the most in it
    window.resize(COMFORTABLE)
    lay_out()
    assert (window.width(), window.height()) == (1100, 680)
    closed = page.flowsheet.viewport().height()
    for key in (Qt.Key.Key_M, Qt.Key.Key_N):
        review.key(key, CTRL)
        lay_out()
        assert page.flowsheet.viewport().height() >= min(closed, 4 * 34)
        assert page.leftovers.geometry().bottom() <= page.leftovers.parentWidget().height()
    assert closed >= 3 * 34


def test_many_sentences_scroll_within_a_bounded_height(review: Ward) -> None:
    page = review.window.page
    review.open_text("long.txt", "Heart rate is 112 today. " + "She was calm all day. " * 300)
    review.until_filled("long.txt")
    assert titles(review)[1] == "Said but not charted (300)"
    review.key(Qt.Key.Key_N, CTRL)
    view = page.leftovers.uncharted.list
    assert view.height() < 200
    review.key(Qt.Key.Key_End)
    assert view.verticalScrollBar().value() > 0
    assert lit(review) == "She was calm all day."


# missing rows


@pytest.fixture
def lacking(new_ward: Callable[..., Ward], tmp_path: Path) -> Ward:
    """The template requires the heart rate, which was said, and two rows that were not."""
    path = write_schema(tmp_path, required=("hr", "visitors", "diet"))
    save_settings(replace(load_settings(paths.config_file()), schema=str(path)), paths.config_file())
    ward = new_ward()
    ward.until_ready()
    ward.add_patient()
    ward.open_recording()
    ward.until_review()
    ward.choose("hr")
    return ward


def test_a_template_without_required_rows_has_no_such_tab(review: Ward) -> None:
    assert not review.window.page.leftovers.missing.heading.isVisible()
    assert not review.window.actions_["missing"].isEnabled()


def test_required_rows_without_a_value_are_listed_and_entered_from_there(lacking: Ward) -> None:
    section = lacking.window.page.leftovers.missing
    assert section.heading.text().replace("&", "") == "Missing (2)"
    lacking.key(Qt.Key.Key_J, CTRL)
    assert section.list.hasFocus()
    assert [row.id for row in section.list.things] == ["diet", "visitors"]
    lacking.key(Qt.Key.Key_Down)

    def enter(dialog: Any) -> None:
        assert dialog._title.text() == "Visitors present"
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Y)  # type: ignore[arg-type]
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)  # type: ignore[arg-type]

    lacking.in_dialog(lambda: lacking.key(Qt.Key.Key_Return), enter)
    lacking.until(lambda: section.heading.text().replace("&", "") == "Missing (1)")
    assert lacking.value("visitors").value is True


def test_a_missing_row_is_said(lacking: Ward) -> None:
    lacking.key(Qt.Key.Key_J, CTRL)
    lacking.key(Qt.Key.Key_Down)
    lacking.engine.says = "Yes, her daughter."
    seen: list[bool | None] = []

    def save(dialog: Any) -> None:
        seen.append(dialog.editor.value())
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)  # type: ignore[arg-type]

    def speak() -> None:
        QTest.keyPress(QApplication.focusWidget(), Qt.Key.Key_V)
        lacking.microphones.capture.give(counted(0, 2 * SAMPLE_RATE))
        QTest.keyRelease(QApplication.focusWidget(), Qt.Key.Key_V)
        lacking.until(lambda: seen)

    lacking.in_dialog(speak, save)
    lacking.until(lambda: any(value.row_id == "visitors" for value in lacking.values()))
    assert seen == [True]


def test_a_rejected_value_is_missing_again(lacking: Ward) -> None:
    lacking.key(Qt.Key.Key_R)
    lacking.until_status("hr", ReviewStatus.REJECTED)
    heading = lacking.window.page.leftovers.missing.heading
    lacking.until(lambda: heading.text().replace("&", "") == "Missing (3)")
