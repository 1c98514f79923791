"""What is lit: looked at first, with its reasons, by keys and clicks; and how much is lit, chosen in the settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from app.chart.lights import LitBy
from app.chart.records import ReviewStatus
from app.services.settings.jobs import LightsPreview
from app.store import Store
from app.system import paths
from app.system.settings import load_settings, save_settings
from extraction.estimators.calibration import Outlook
from extraction.flowsheet.values import FilledValue
from models.base.errors import InputError
from tests.gui.conftest import Ward, lay_out
from tests.kit import fake_app
from tests.kit.fake_app import WEIGHED_BY, FakeEngine, bring_reviewed, calibrated_lighting, calibration
from ui.flowsheet.flowsheet_model import HEADINGS
from ui.kit.light_words import NOT_CALIBRATED, NOT_KEPT, often, outlook_words
from ui.kit.widgets import Chip
from ui.shell.window import COMFORTABLE

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
CONFIRMED, EDITED, PROPOSED, REJECTED = (
    ReviewStatus.CONFIRMED,
    ReviewStatus.EDITED,
    ReviewStatus.PROPOSED,
    ReviewStatus.REJECTED,
)
DEVICE, FOLEY, TEMPERATURE = "device", "foley", "temp"
DRIFTED = "None to check · too few errors were flagged recently; ask for recalibration"


@pytest.fixture
def review(new_ward: Callable[..., Ward], calibrated: None) -> Ward:
    """A recording waits for review of which the calibration lights three values."""
    engine = FakeEngine()
    engine.weighed_by = WEIGHED_BY
    ward = new_ward(engine)
    ward.until_ready()
    ward.add_patient()
    ward.open_recording()
    ward.until_review()
    return ward


def headings(ward: Ward) -> list[tuple[str, str]]:
    model = ward.window.page.flowsheet.model()
    places = [model.index(place, 0) for place in range(model.rowCount())]
    return [(place.data(), place.data(Qt.ItemDataRole.StatusTipRole)) for place in places]


def first_group(ward: Ward) -> list[str]:
    model = ward.window.page.flowsheet.model()
    heading = model.index(0, 0)
    return [model.index(place, 0, heading).data() for place in range(model.rowCount(heading))]


def current_row(ward: Ward) -> str:
    value = ward.window.page.current
    return value.row_id if value else ""


def spoken(ward: Ward, row_id: str) -> str:
    words: str = cell(ward, row_id).data(Qt.ItemDataRole.AccessibleTextRole)
    return words


def cell(ward: Ward, row_id: str) -> Any:
    return ward.window.page.flowsheet._model.index_of(ward.value(row_id).id)


def chips(ward: Ward) -> list[Chip]:
    return [chip for chip in ward.window.page.detail.findChildren(Chip) if chip.isVisible()]


# the flowsheet


def test_lit_values_come_first_most_doubtful_on_top(review: Ward) -> None:
    assert first_group(review) == ["Oxygen device", "Urinary catheter placed", "Temperature"]
    assert headings(review)[:2] == [("Check these first (3)", "3 left"), ("Vital signs", "6 to review")]
    assert current_row(review) == DEVICE
    assert review.window.page.lit_line.words.text() == "3 to check · based on your ward"


def test_a_flagged_value_is_lit_however_sure_the_models_are_and_accepting_the_rest_leaves_it(
    new_ward: Callable[..., Ward], calibrated: None
) -> None:
    engine = FakeEngine()
    engine.weighed_by, engine.flags = WEIGHED_BY, {"alarm": ("“bed alarm” was not said",)}
    ward = new_ward(engine)
    ward.until_ready()
    ward.add_patient()
    ward.open_recording()
    ward.until_review()
    assert first_group(ward) == ["Oxygen device", "Urinary catheter placed", "Temperature", "Bed alarm on"]
    assert "to check: “bed alarm” was not said" in spoken(ward, "alarm")
    ward.choose("alarm")
    assert ward.window.page.detail._reason_lines.text() == "“bed alarm” was not said"
    ward.key(Qt.Key.Key_A, SHIFT)
    ward.until_status("hr", CONFIRMED)
    left = {value.row_id for value in ward.values() if value.status is PROPOSED}
    assert left == {DEVICE, FOLEY, TEMPERATURE, "alarm"}


def test_a_value_keeps_its_place_until_the_sheet_is_read_again(review: Ward) -> None:
    for key, row_id, status in ((Qt.Key.Key_A, DEVICE, CONFIRMED), (Qt.Key.Key_R, FOLEY, REJECTED)):
        assert current_row(review) == row_id
        review.key(key)
        review.until_status(row_id, status)
    assert first_group(review) == ["Oxygen device", "Urinary catheter placed", "Temperature"]
    assert headings(review)[0] == ("Check these first (3)", "1 left")
    assert review.window.page.lit_line.words.text().startswith("1 to check · based")
    assert current_row(review) == TEMPERATURE
    review.key(Qt.Key.Key_A)
    review.until_status(TEMPERATURE, CONFIRMED)
    assert headings(review)[0] == ("Check these first (3)", "all checked")
    assert review.window.page.lit_line.words.text().startswith("None to check · based")
    review.key(Qt.Key.Key_Z, CTRL)
    review.until_status(TEMPERATURE, PROPOSED)
    review.window.navigation.show_dictation(review.values()[0].dictation_id)
    review.until(lambda: first_group(review) == ["Temperature"])
    assert headings(review)[0] == ("Check these first (1)", "1 left")


def test_the_first_reason_is_shown_and_all_are_accessible(review: Ward) -> None:
    said = spoken(review, DEVICE)
    assert said.startswith("Oxygen device, Nasal cannula, Proposed, to check: Nasal cannula or Simple ma")
    assert said.endswith(", Respiratory"), "its category is not seen above it any more"
    assert "1 problem: unit not said, taken as °C" in spoken(review, TEMPERATURE)
    assert spoken(review, TEMPERATURE).index("may not have been said") < spoken(review, TEMPERATURE).index("problem")
    tip = cell(review, FOLEY).data(Qt.ItemDataRole.ToolTipRole).split("\n")
    assert tip == [
        "Urinary catheter placed",
        "Elimination › Urinary",
        "may be about something else",
        "not certain what was meant",
    ]
    review.key(Qt.Key.Key_A)
    review.until_status(DEVICE, CONFIRMED)
    assert "checked: Nasal cannula or Simple mask?" in spoken(review, DEVICE)
    assert "check" not in spoken(review, "hr")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_light_is_an_icon_a_colour_and_words(review: Ward, theme: str) -> None:
    review.theme.choose(theme)
    review.window.resize(1280, 1000)
    view = review.window.page.flowsheet
    review.choose("rhythm")
    lay_out()
    view.scrollToTop()

    def colours(row_id: str, column: int) -> set[str]:
        image = view.viewport().grab(view.visualRect(cell(review, row_id).siblingAtColumn(column))).toImage()
        return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}

    ink, ground = (review.theme.colour(name).name() for name in ("lit", "lit_soft"))
    for column in range(len(HEADINGS)):
        assert ground in colours(FOLEY, column)
        assert ground not in colours("hr", column)
    assert ink in colours(FOLEY, 0)
    assert ink not in colours("hr", 0)


def test_l_goes_to_the_next_lit_value_and_round(review: Ward) -> None:
    review.choose("pain")
    seen = []
    for _ in range(4):
        review.key(Qt.Key.Key_L)
        seen.append(current_row(review))
    assert seen == [DEVICE, FOLEY, TEMPERATURE, DEVICE]
    review.key(Qt.Key.Key_A)
    review.until_status(DEVICE, CONFIRMED)
    review.choose(TEMPERATURE)
    review.window.actions_["next-lit"].trigger()
    assert current_row(review) == FOLEY, "the one that was accepted waits no more"
    for row_id in (FOLEY, TEMPERATURE):
        review.choose(row_id)
        review.key(Qt.Key.Key_A)
        review.until_status(row_id, CONFIRMED)
    assert not review.window.actions_["next-lit"].isEnabled()
    review.choose("pain")
    review.key(Qt.Key.Key_L)
    assert current_row(review) == "pain"


def test_a_decision_undone_later_lights_the_value_again(review: Ward) -> None:
    review.key(Qt.Key.Key_A)
    review.until_status(DEVICE, CONFIRMED)
    review.window.navigation.show_dictation(review.values()[0].dictation_id)
    review.until(lambda: DEVICE not in first_group(review) and len(first_group(review)) == 2)
    assert "check" not in spoken(review, DEVICE)
    review.key(Qt.Key.Key_Z, CTRL)
    review.until_status(DEVICE, PROPOSED)
    assert len(first_group(review)) == 2
    assert "to check: Nasal cannula or Simple mask?" in spoken(review, DEVICE)
    assert review.window.page.lit_line.words.text().startswith("3 to check")
    review.choose("hr")
    review.key(Qt.Key.Key_L)
    assert current_row(review) == DEVICE


def test_accept_all_leaves_lit_values(review: Ward) -> None:
    button = review.window.page.head.accept_all
    assert "15" in button.text()
    assert "without a flag or problem" in button.toolTip()
    assert "%" not in button.toolTip()
    review.key(Qt.Key.Key_A, CTRL | SHIFT)
    review.until(lambda: sum(value.status is CONFIRMED for value in review.values()) == 15)
    assert [row for row in (DEVICE, FOLEY, TEMPERATURE) if review.value(row).status is PROPOSED] == [
        DEVICE,
        FOLEY,
        TEMPERATURE,
    ]
    assert not button.isEnabled()
    assert "No unflagged proposals left" in button.toolTip()


def test_without_calibration_the_line_promises_nothing(new_ward: Callable[..., Ward]) -> None:
    ward = new_ward()
    ward.until_ready()
    ward.add_patient()
    ward.open_recording()
    ward.until_review()
    line = ward.window.page.lit_line.words
    assert line.isVisible()
    assert line.text() == "7 to check · reliability not measured"
    assert "how many errors this catches is not known" in line.accessibleDescription()
    assert headings(ward)[0][0] == "Check these first (7)"


def test_the_line_says_what_is_promised_and_its_basis(review: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    page = review.window.page
    assert "at least 70% are flagged" in page.lit_line.words.accessibleDescription()
    assert page.lit_line.words.accessibleDescription() in page.lit_line.toolTip()

    def shipped(*given: Any) -> Any:
        return replace(calibrated_lighting(*given), own=False, alpha=0.2)

    monkeypatch.setattr("app.lighting.lighting", shipped)
    review.window.navigation.show_dictation(review.values()[0].dictation_id)
    review.until(lambda: "not yet based on your ward" in page.lit_line.words.text())
    assert "at least 80%" in page.lit_line.words.accessibleDescription()
    assert "not yet confirmed for your ward" in page.lit_line.words.accessibleDescription()


def test_the_current_value_stays_visible_among_taller_lit_rows(review: Ward) -> None:
    view = review.window.page.flowsheet
    view.scrollToTop()
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
        for _ in range(17):
            review.key(key)
            lay_out()
            line = view.visualRect(view.currentIndex())
            assert line.top() >= 0
            assert line.bottom() <= view.viewport().height()


# the details


def test_all_reasons_stand_in_the_details(review: Ward) -> None:
    detail = review.window.page.detail
    assert detail._why.isVisible()
    assert detail._reason_lines.text() == "Nasal cannula or Simple mask?"
    review.choose(FOLEY)
    assert detail._reason_lines.text().split("\n") == [
        "May be about something else",
        "Not certain what was meant",
    ]
    review.choose("hr")
    assert not detail._why.isVisible()


def test_other_readings_show_their_number(review: Ward) -> None:
    lay_out()
    assert [chip.text() for chip in chips(review)] == ["Simple mask", "High flow", "Room air"]
    assert [cap.text() for chip in chips(review) for cap in chip.findChildren(QLabel)] == ["1", "2", "3"]
    assert chips(review)[1].toolTip() == "Enter “High flow” (2)"


def test_a_reading_with_little_room_is_shortened_and_keeps_its_number(review: Ward) -> None:
    chip = Chip(4, "Rest & comfort care only")
    review.qtbot.addWidget(chip)
    assert chip.text() == "Rest && comfort care only"
    chip.resize(chip.minimumSizeHint())
    chip.show()
    assert chip.text().startswith("R")
    assert chip.text().endswith("…")
    assert chip.minimumSizeHint().width() < chip.sizeHint().width() * 0.7
    chip.resize(chip.sizeHint())
    lay_out()
    assert chip.text() == "Rest && comfort care only"
    assert [cap.text() for cap in chip.findChildren(QLabel)] == ["4"]


@pytest.mark.parametrize(("key", "reading"), [(Qt.Key.Key_1, "Simple mask"), (Qt.Key.Key_3, "Room air")])
def test_a_number_and_enter_choose_another_reading(review: Ward, key: Qt.Key, reading: str) -> None:
    detail = review.window.page.detail
    review.key(key)
    assert detail.unsaved
    assert detail.editor
    assert detail.editor.value() == reading
    assert review.value(DEVICE).status is PROPOSED, "it is saved only when the person says so"
    review.key(Qt.Key.Key_Return)
    review.until_status(DEVICE, EDITED)
    assert review.value(DEVICE).value == reading
    assert current_row(review) == FOLEY
    assert review.window.page.flowsheet.hasFocus()


def test_another_number_after_all_and_escape(review: Ward) -> None:
    page = review.window.page
    for key, reading in ((Qt.Key.Key_1, "Simple mask"), (Qt.Key.Key_2, "High flow")):
        review.key(key)
        assert page.detail.editor
        assert page.detail.editor.value() == reading
    review.key(Qt.Key.Key_Escape)
    assert not page.detail.unsaved
    assert page.flowsheet.hasFocus()
    assert (editor := page.detail.editor)
    assert editor.value() == "Nasal cannula"


def test_a_number_without_a_reading_does_nothing(review: Ward) -> None:
    review.key(Qt.Key.Key_4)
    assert not review.window.page.detail.unsaved
    review.choose("pain")
    review.key(Qt.Key.Key_1)
    assert not review.window.page.detail.unsaved
    assert review.window.page.flowsheet.hasFocus()


def test_the_flagged_value_at_which_a_sheet_opens_is_not_skipped(review: Ward) -> None:
    page = review.window.page
    review.choose("hr")
    assert page.sheet
    page.flowsheet.show_sheet(None)
    page.flowsheet.show_sheet(page.sheet)
    page.flowsheet.choose_first()
    first = page.current
    assert first
    review.key(Qt.Key.Key_L)
    assert page.current == first
    review.key(Qt.Key.Key_L)
    assert page.current != first


def test_a_click_on_a_heading_leaves_the_current_value(review: Ward) -> None:
    view = review.window.page.flowsheet
    current = review.window.page.current
    heading = view.visualRect(view.model().index(0, 0)).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=heading)
    assert review.window.page.current == current
    assert view.selectedIndexes()
    assert view.hasFocus()


def test_accepting_the_rest_says_how_many_and_goes_on(review: Ward) -> None:
    review.choose("hr")
    review.key(Qt.Key.Key_A, SHIFT)
    review.until(lambda: "15 values accepted. 3 values left to review." in review.window.message.text)
    assert review.window.page.current
    assert review.window.page.current.status is ReviewStatus.PROPOSED


def test_a_digit_typed_into_an_editor_stays_a_digit(review: Ward) -> None:
    review.choose("hr")
    review.key(Qt.Key.Key_E)
    QApplication.focusWidget().selectAll()  # type: ignore[union-attr]
    review.type("1")
    editor = review.window.page.detail.editor
    assert editor
    assert editor.value() == 1.0


def test_the_keys_stand_in_the_help(review: Ward) -> None:
    listed = {key for _, _, keys in review.window.keys.rows() for key in keys}
    assert {"L", "1 to 9", "Ctrl+M", "Ctrl+N"} <= listed
    assert review.window.actions_["next-lit"].text().endswith("\tL")


def test_at_its_smallest_the_window_shows_reasons_and_some_values(review: Ward) -> None:
    page = review.window.page
    review.window.resize(COMFORTABLE)
    for row_id in (DEVICE, FOLEY, TEMPERATURE):
        review.choose(row_id)
        lay_out()
        assert review.window.size() == COMFORTABLE
        assert page.flowsheet.viewport().height() >= 3 * 34
        assert page.detail._why.isVisible()
        assert page.detail.accept.visibleRegion().boundingRect().height() == page.detail.accept.height()


# what the latest reviews say


@pytest.fixture
def collecting(new_ward: Callable[..., Ward], calibrated: None) -> Ward:
    """A recording waits for review where reviews are collected; in three others, another oxygen device was put."""
    chosen = replace(load_settings(paths.config_file()), collect_examples=True, alpha=0.05)
    save_settings(chosen, paths.config_file())
    folder = paths.database_file().parent / "earlier"
    folder.mkdir(parents=True)
    with Store(paths.database_file()) as store:
        for _ in range(3):
            bring_reviewed(store, folder, edits={DEVICE: "Simple mask"})
    engine = FakeEngine()
    engine.weighed_by = WEIGHED_BY
    ward = new_ward(engine)
    ward.until_ready()
    ward.add_patient()
    ward.open_recording()
    ward.until_filled("morning.wav")
    return ward


def review_to_the_end(ward: Ward, wrong: tuple[str, ...]) -> None:
    """Puts another oxygen device, rejects what is wrong, and accepts the rest."""
    ward.choose(DEVICE)
    ward.key(Qt.Key.Key_1)
    ward.key(Qt.Key.Key_Return)
    ward.until_status(DEVICE, EDITED)
    for row_id in wrong:
        ward.choose(row_id)
        ward.key(Qt.Key.Key_R)
        ward.until_status(row_id, REJECTED)
    ward.key(Qt.Key.Key_A, CTRL | SHIFT)
    for row_id in (FOLEY, TEMPERATURE, "skin"):
        if ward.value(row_id).status is PROPOSED:
            ward.choose(row_id)
            ward.key(Qt.Key.Key_A)
            ward.until_status(row_id, CONFIRMED)
    ward.until(lambda: not any(value.status is PROPOSED for value in ward.values()))


def test_reviews_that_contradict_the_promise_are_said_as_soon_as_they_do(collecting: Ward) -> None:
    page = collecting.window.page

    def inks() -> set[str]:
        lay_out()
        pictures = [part.grab().toImage() for part in (page.lit_line.icon, page.lit_line.words)]
        return set.intersection(
            *(
                {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
                for image in pictures
            )
        )

    warning = collecting.theme.colour("warning").name()
    assert warning not in inks()
    review_to_the_end(collecting, ("hr", "rr", "spo2"))  # wrong, and not lit
    collecting.until(lambda: page.lit_line.words.text() == DRIFTED)
    assert warning in inks()
    assert "wardlight calibrate" in page.lit_line.words.accessibleDescription()
    assert "at least 95%" in page.lit_line.words.accessibleDescription(), "what was promised can still be read"
    assert page.lit_line.words.accessibleDescription() in page.lit_line.toolTip()
    collecting.window.settings.save(replace(collecting.workbench.settings.current, collect_examples=False))
    collecting.until(lambda: page.lit_line.words.text() == "None to check · based on your ward")
    assert warning not in inks()


def test_at_its_smallest_the_window_says_it_in_full_and_shows_some_values(collecting: Ward) -> None:
    page = collecting.window.page
    review_to_the_end(collecting, ("hr", "rr", "spo2"))
    collecting.until(lambda: page.lit_line.words.text() == DRIFTED)
    collecting.window.resize(COMFORTABLE)
    collecting.choose("hr")
    collecting.until_idle()
    assert collecting.window.size() == COMFORTABLE
    assert page.lit_line.words.height() >= page.lit_line.words.heightForWidth(page.lit_line.words.width())
    assert page.flowsheet.viewport().height() >= 3 * 34


def test_what_reviewers_usually_do_is_a_reason_from_the_fourth_review_on(collecting: Ward) -> None:
    said = "Reviewers usually enter Simple mask here (4 of 4)"
    detail = collecting.window.page.detail
    collecting.choose(DEVICE)
    assert "Reviewers" not in detail._reason_lines.text()
    lit = first_group(collecting)
    review_to_the_end(collecting, ())
    collecting.open_recording("evening.wav")
    collecting.until_filled("evening.wav")
    assert first_group(collecting) == lit
    assert collecting.window.page.lit_line.words.text().startswith("3 to check · based"), (
        "nothing contradicts the promise"
    )
    assert current_row(collecting) == DEVICE
    assert detail._reason_lines.text().split("\n") == ["Nasal cannula or Simple mask?", said]
    tip = cell(collecting, DEVICE).data(Qt.ItemDataRole.ToolTipRole).split("\n")
    assert tip[-1] == said[:1].lower() + said[1:]
    collecting.choose(FOLEY)
    assert "eviewers" not in detail._reason_lines.text()


def test_the_first_sheet_that_is_seen_knows_the_reviews(new_ward: Callable[..., Ward], collecting: Ward) -> None:
    review_to_the_end(collecting, ("hr", "rr", "spo2"))
    collecting.close()
    again = new_ward()
    again.until_filled("morning.wav")
    assert again.window.page.lit_line.words.text() == DRIFTED
    again.choose(DEVICE)
    assert "Reviewers usually enter Simple mask here (4 of 4)" in again.window.page.detail._reason_lines.text()


# how much is lit


def open_settings(ward: Ward, do: Callable[[Any], None]) -> None:
    def known(dialog: Any) -> None:
        ward.click(dialog.lighting)
        ward.until(lambda: "Calculating" not in dialog.lights.outlook.text())
        lay_out()  # the dialog takes the height that these words need
        do(dialog)

    ward.in_dialog(ward.window.actions_["settings"].trigger, known)


def test_the_slider_says_at_once_what_to_expect(review: Ward) -> None:
    def move(dialog: Any) -> None:
        lights = dialog.lights
        assert lights._caught.text() == "Catch at least 70% of errors"
        assert "proposals will be flagged.\nOf the others, " in lights.outlook.text()
        assert lights._source.text() == "Based on your ward's dictations."
        lights.slider.setFocus()
        seen, jobs = {lights.outlook.text()}, list[object]()
        review.bridge.arrived.connect(jobs.append)
        QTest.keyClick(lights.slider, Qt.Key.Key_Home)
        assert lights._caught.text() == lights.slider.accessibleName() == "Catch at least 50% of errors"
        while lights.slider.value() < lights.slider.maximum():
            QTest.keyClick(lights.slider, Qt.Key.Key_Right)
            seen.add(lights.outlook.text())
        assert len(seen) > 4
        lay_out()
        assert jobs == [], "it was all worked out before"
        review.bridge.arrived.disconnect(jobs.append)
        QTest.keyClick(lights.slider, Qt.Key.Key_End)
        assert lights._caught.text() == "Catch at least 99% of errors"
        assert lights.outlook.text() == NOT_KEPT
        assert not lights.threshold.isVisible(), "the rest is folded away"
        review.click(lights.advanced)
        review.until(lambda: not lights.threshold.visibleRegion().isEmpty())
        review.click(lights.advanced)
        assert not lights.threshold.isVisible()

    open_settings(review, move)
    assert review.workbench.settings.current.alpha == 0.3, "nothing was saved"


def test_settings_that_were_applied_light_the_open_sheet_anew(review: Ward) -> None:
    review.choose("pain")

    def fewer(dialog: Any) -> None:
        QTest.keyClick(dialog.lights.slider, Qt.Key.Key_Home)
        QTest.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
        review.until(lambda: not dialog.isVisible())

    open_settings(review, fewer)
    review.until(lambda: first_group(review) == ["Urinary catheter placed"])
    assert current_row(review) == "pain"
    assert "at least 50%" in review.window.page.lit_line.words.accessibleDescription()
    assert load_settings(paths.config_file()).alpha == 0.5

    def more(dialog: Any) -> None:
        review.click(dialog.lights.advanced)
        assert dialog.lights.threshold.isVisible()
        QTest.keyClick(dialog.lights.slider, Qt.Key.Key_End)
        dialog.lights.weight.setCurrentIndex(0)
        dialog.lights.threshold.setCurrentIndex(0)
        QTest.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
        review.until(lambda: not dialog.isVisible())

    open_settings(review, more)
    review.until(lambda: len(first_group(review)) == 18)
    saved = load_settings(paths.config_file())
    assert (saved.alpha, saved.conflict_weight, saved.accept_threshold) == (0.01, 0.0, 0.5)
    assert current_row(review) == "pain"
    assert not review.window.page.head.accept_all.isEnabled()


def test_unrelated_settings_leave_the_sheet_unchanged(review: Ward) -> None:
    review.key(Qt.Key.Key_A)
    review.until_status(DEVICE, CONFIRMED)
    review.window.settings.choose_theme("dark")
    review.until(lambda: load_settings(paths.config_file()).theme == "dark")
    review.until_idle()
    assert headings(review)[0] == ("Check these first (3)", "2 left")


def test_what_the_file_holds_is_kept_though_the_slider_does_not_know_it(review: Ward) -> None:
    odd = replace(review.workbench.settings.current, alpha=0.165, conflict_weight=0.4, accept_threshold=0.87)
    review.window.settings.save(odd)
    review.until(lambda: review.workbench.settings.current == odd)

    def save(dialog: Any) -> None:
        assert dialog.lights._caught.text() == "Catch at least 83.5% of errors"
        assert "proposals will be flagged" in dialog.lights.outlook.text()
        QTest.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
        review.until(lambda: not dialog.isVisible())

    open_settings(review, save)
    assert load_settings(paths.config_file()) == odd


def test_without_calibration_the_settings_say_so(review: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "app.services.settings.service.lighting", lambda *given: replace(calibrated_lighting(*given), calibration=None)
    )
    found: list[str] = []
    open_settings(review, lambda dialog: found.append(dialog.lights.outlook.text()))
    assert found == [NOT_CALIBRATED]


def test_a_damaged_calibration_is_named_in_the_settings(review: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged(*given: Any) -> Any:
        raise InputError("calibration.npz is damaged.", "Calibrate again.")

    monkeypatch.setattr("app.services.settings.service.lighting", damaged)
    found: list[str] = []
    open_settings(review, lambda dialog: found.append(dialog.lights.outlook.text()))
    assert found == ["What to expect could not be calculated. calibration.npz is damaged. Calibrate again."]


def test_settings_without_a_schema_expect_nothing(review: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review.workbench.workspace, "_schema", None)
    found: list[str] = []
    open_settings(review, lambda dialog: found.append(dialog.lights.outlook.text()))
    assert found == ["What to expect could not be calculated. The chart could not be opened yet."]


def test_the_outlook_of_the_workbench_is_that_of_the_calibration(review: Ward) -> None:
    prospects: list[LightsPreview] = []
    review.window.jobs.watch(review.workbench.settings.preview_lights((0.1, 0.05), (0.0, 0.5)), done=prospects.append)
    review.until(lambda: prospects)
    assert prospects[0].by is LitBy.OWN
    assert prospects[0].outlooks == {
        (alpha, weight): calibration().outlook(alpha, weight) for alpha in (0.1, 0.05) for weight in (0.0, 0.5)
    }


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (0.0, "hardly any"), (0.012, "about 1 of 100"), (0.024, "about 2 of 100"), (0.05, "about 1 of 20"),
        (0.148, "about 3 of 20"), (0.5, "about 10 of 20"), (0.96, "about 19 of 20"), (1.0, "nearly all"),
    ],
)  # fmt: skip
def test_shares_are_said_as_counts(share: float, words: str) -> None:
    assert often(share) == words


def test_what_to_expect_is_said_in_two_sentences() -> None:
    outlook = Outlook(lit=0.15, wrong_unlit=0.09, right_lit=0.1, caught=0.96, kept=True)
    assert outlook_words(outlook).split("\n") == [
        "About 3 of 20 proposals will be flagged.",
        "Of the others, about 2 of 20 will be wrong.",
    ]
    assert outlook_words(replace(outlook, lit=0.001)).startswith("Hardly any proposals will be flagged")


# values of one sentence


def test_a_key_accepts_what_was_read_from_one_sentence_and_undo_takes_it_back(review: Ward) -> None:
    review.choose("spo2")
    together = review.window.page.detail.together
    assert together.isVisible()
    assert together.accept.text() == "Accept all 3"
    review.key(Qt.Key.Key_S)
    for row_id in ("spo2", "rr", "device"):
        review.until_status(row_id, ReviewStatus.CONFIRMED)
    assert sum(value.status is ReviewStatus.CONFIRMED for value in review.values()) == 3
    assert review.window.page.current
    assert review.window.page.current.row_id not in ("spo2", "rr", "device")
    review.key(Qt.Key.Key_U)
    review.until_status("spo2", ReviewStatus.PROPOSED)
    assert sum(value.status is ReviewStatus.CONFIRMED for value in review.values()) == 0


def test_a_sentence_that_is_not_in_sight_is_not_accepted(review: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    review.choose("spo2")
    detail = review.window.page.detail
    monkeypatch.setattr(type(detail), "sentence_on_screen", False)
    before = review.values()
    review.key(Qt.Key.Key_S)
    assert "not visible" in detail._error.text()
    lay_out()
    assert review.values() == before
    monkeypatch.undo()
    detail.together.accept.setFocus(Qt.FocusReason.TabFocusReason)
    review.key(Qt.Key.Key_Return)
    review.until_status("device", ReviewStatus.CONFIRMED)


def test_one_value_of_a_sentence_has_nothing_beside_it(review: Ward) -> None:
    review.choose("weight")
    assert not review.window.page.detail.together.isVisible()
    before = review.values()
    review.key(Qt.Key.Key_S)
    lay_out()
    assert review.values() == before


def test_an_unsaved_change_is_not_accepted_with_the_sentence(review: Ward) -> None:
    review.choose("spo2")
    detail = review.window.page.detail
    detail.enter(96.0)
    before = review.values()
    review.window.page.act("sentence")
    lay_out()
    assert review.values() == before
    assert detail.unsaved
    assert "unsaved change" in detail._error.text()


def test_a_correction_leads_to_what_was_accepted_from_the_same_words(
    new_ward: Callable[..., Ward], monkeypatch: pytest.MonkeyPatch
) -> None:
    read = fake_app.values_of

    def from_same_words(text: str) -> tuple[FilledValue, ...]:
        values = {value.row_id: value for value in read(text)}
        pain = replace(values["pain"], value=9.0, evidence=values["spo2"].evidence)
        return tuple((values | {"pain": pain}).values())

    monkeypatch.setattr(fake_app, "values_of", from_same_words)
    ward = new_ward()
    ward.until_ready()
    ward.add_patient()
    ward.open_recording()
    ward.until_review()
    page, message = ward.window.page, ward.window.message
    ward.choose("pain")
    ward.key(Qt.Key.Key_A)
    ward.until_status("pain", CONFIRMED)
    assert not message.isVisible()
    ward.choose("spo2")
    ward.key(Qt.Key.Key_R)
    ward.until_status("spo2", REJECTED)
    ward.until(message.isVisible)
    assert message.text.startswith("Pain score 9 was read from the same words as Oxygen saturation.")
    ward.click(message.act)
    assert page.current
    assert page.current.row_id == "pain"
    assert page.detail._reasons == ("same words as Oxygen saturation, which was rejected",)
