"""Whose dictation, in the window: asked above the sheet and while somebody speaks, answered by key or click."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QApplication, QPushButton

from app.chart.records import Patient, ReviewStatus, Signer
from app.inference.live_events import LiveWords
from app.store import Store
from app.system import paths
from extraction.flowsheet.findings import texts
from models.base.progress import CancelledCallback
from models.process.messages import Channel
from tests.gui.conftest import NARROW, Ward, give_room, lay_out
from tests.gui.shell.view_checks import clipped
from tests.kit.audio import voice
from tests.kit.fake_app import FakeEngine, next_of

BLOCK = voice(1.0)[:3200]
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
NOVAK, ALVAREZ = ("Novak, Anna", "14B", "123456"), ("Alvarez, Luis", "12", "004455")


@pytest.fixture
def novak(ward: Ward) -> Ward:
    """A ward with Alvarez in bed 12 and Novak in bed 14B, who is open."""
    ward.add_patient(*ALVAREZ)
    ward.add_patient(*NOVAK)
    ward.until(lambda: len(ward.window.selection.overview.patients) == 2)
    return ward


@pytest.fixture
def asked(novak: Ward) -> Ward:
    """The dictation says “bed twelve”, and is of Novak in bed 14B."""
    novak.open_recording()
    novak.until_review()
    novak.until(novak.window.page.identity.isVisible)
    return novak


def bar_text(ward: Ward) -> str:
    return ward.window.page.identity.text


def answer_text(ward: Ward) -> str:
    return ward.window.page.words.answered.text


def on_record() -> list[str]:
    """Who has confirmed the identity of the first dictation, as the disk has it."""
    with Store(paths.database_file()) as store:
        answer = store.identity_answers.of(1)
    return [answer.reviewer] if answer else []


def shown(ward: Ward) -> Patient | None:
    return ward.window.page.sheet.patient if ward.window.page.sheet else None


def test_one_banner_names_both_patients_and_no_value_repeats_it(asked: Ward) -> None:
    page = asked.window.page
    assert bar_text(asked).startswith(
        "You said “bed twelve”. This sheet belongs to Novak, Anna · MRN 123456 · bed 14B."
    )
    assert "Nothing is accepted, filed or exported until you answer." in bar_text(asked)
    assert "“bed twelve” fits Alvarez, Luis · MRN 004455 · bed 12." in bar_text(asked)
    assert page.identity.move_.text() == "Move to Alvarez, Luis"
    assert page.identity.same.text() == "It is Novak"
    words = [words for value in asked.values() if value.filled for words in texts(value.filled.findings)]
    assert words
    assert not any("bed" in one for one in words)


@pytest.mark.parametrize("how", ["key", "click", "tab"])
def test_it_is_this_patient(asked: Ward, how: str) -> None:
    page = asked.window.page
    if how == "key":
        page.flowsheet.setFocus()
        asked.key(Qt.Key.Key_I)
    elif how == "click":
        asked.click(page.identity.same)
    else:
        page.identity.call()
        asked.key(Qt.Key.Key_Tab)
        asked.key(Qt.Key.Key_Tab)
        assert QApplication.focusWidget() is page.identity.same
        asked.key(Qt.Key.Key_Space)
    asked.until(lambda: "R. Nurse confirmed at" in answer_text(asked))
    assert "this is Novak, Anna · MRN 123456 · bed 14B" in answer_text(asked)
    assert QApplication.focusWidget() is page.flowsheet
    asked.choose("hr")
    asked.key(Qt.Key.Key_Return)
    asked.until_status("hr", ReviewStatus.CONFIRMED)


def test_accepting_filing_and_exporting_wait_for_the_answer(asked: Ward, tmp_path: Path) -> None:
    page = asked.window.page
    tries: list[tuple[Qt.Key, Qt.KeyboardModifier]] = [
        (Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_A, SHIFT),
        (Qt.Key.Key_F, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_E, CTRL),
    ]
    for key, modifiers in tries:
        asked.choose("hr")
        asked.key(key, modifiers)
        asked.until(lambda: not asked.workbench.workspace.sheets.jobs)
        if key != Qt.Key.Key_E:  # there is nothing to export yet
            assert QApplication.focusWidget() is page.identity.words, "the question has the keyboard"
    assert {value.status for value in asked.values()} == {ReviewStatus.PROPOSED}
    asked.choose("hr")
    asked.key(Qt.Key.Key_R)
    asked.until_status("hr", ReviewStatus.REJECTED)


def test_the_workbench_refuses_whatever_the_window_lets_through(asked: Ward) -> None:
    page = asked.window.page
    assert page.sheet
    asked.window.review.watch(asked.workbench.review.decide(page.sheet, [asked.value("hr").id], "confirm"))
    asked.until(lambda: "You said “bed twelve”" in asked.window.message.text)
    asked.window.review.watch(asked.workbench.review.accept_rest(page.sheet, [value.id for value in asked.values()]))
    asked.workbench.filing.file(page.sheet, asked.folder / "out", ("json",))
    asked.until(lambda: not asked.workbench.workspace.sheets.jobs)
    assert {value.status for value in asked.values()} == {ReviewStatus.PROPOSED}
    assert not (asked.folder / "out").exists()


def test_playing_shows_the_words_that_were_said(asked: Ward) -> None:
    page = asked.window.page
    asked.choose("hr")
    asked.key(Qt.Key.Key_W)
    assert page.words.transcript.lit_text() == "bed twelve"
    asked.choose("bp")
    assert page.words.transcript.lit_text() == "142 over 74"
    asked.click(page.identity.words)
    assert page.words.transcript.lit_text() == "bed twelve"


@pytest.mark.parametrize("how", ["key", "click"])
def test_moving_goes_to_the_patient_who_is_named(asked: Ward, how: str) -> None:
    page = asked.window.page
    if how == "key":
        page.flowsheet.setFocus()
        asked.key(Qt.Key.Key_M)
    else:
        asked.click(page.identity.move_)
    asked.until(lambda: (patient := shown(asked)) and patient.name == "Alvarez, Luis")
    asked.until_review()
    assert asked.window.selection.patient
    assert asked.window.selection.patient.name == "Alvarez, Luis"
    asked.until(lambda: not page.identity.isVisible())


def test_an_unknown_bed_asks_for_the_patient(novak: Ward) -> None:
    novak.open_text("night.txt", "This is bed 9. Heart rate is 112.")
    page = novak.window.page
    novak.until(page.identity.isVisible)
    assert "No patient matches “bed 9”." in bar_text(novak)
    assert page.identity.move_.text() == "Move to another patient…"

    def choose(dialog: Any) -> None:
        assert "Novak" not in " ".join(dialog.list.item(place).text() for place in range(dialog.list.count()))
        novak.type("alv")
        novak.key(Qt.Key.Key_Return)
        novak.key(Qt.Key.Key_Space)

    page.flowsheet.setFocus()
    novak.in_dialog(lambda: novak.key(Qt.Key.Key_M), choose)
    novak.until(lambda: (patient := shown(novak)) and patient.name == "Alvarez, Luis")
    novak.until(lambda: page.identity.isVisible() and not novak.workbench.jobs)
    assert "This sheet belongs to Alvarez, Luis" in bar_text(novak), "bed 9 is not his either"


def test_the_answer_survives_a_restart_and_can_be_taken_back(asked: Ward, new_ward: Callable[..., Ward]) -> None:
    page = asked.window.page
    page.flowsheet.setFocus()
    asked.key(Qt.Key.Key_I)
    asked.until(lambda: "confirmed at" in answer_text(asked))
    asked.close()
    assert on_record() == ["R. Nurse"]
    again = new_ward()
    again.until_ready()
    again.until_review()
    again.until(lambda: "confirmed at" in answer_text(again))
    again.choose("hr")
    again.key(Qt.Key.Key_Return)
    again.until_status("hr", ReviewStatus.CONFIRMED)
    again.click(again.window.page.words.answered.again)
    again.until(lambda: "You said “bed twelve”" in bar_text(again))
    assert again.value("hr").status is ReviewStatus.CONFIRMED


def test_undo_takes_the_answer_back_when_it_came_last(asked: Ward) -> None:
    page = asked.window.page
    page.flowsheet.setFocus()
    asked.key(Qt.Key.Key_I)
    asked.until(lambda: "confirmed at" in answer_text(asked))
    asked.choose("hr")
    asked.key(Qt.Key.Key_Return)
    asked.until_status("hr", ReviewStatus.CONFIRMED)
    asked.key(Qt.Key.Key_Z, CTRL)
    asked.until_status("hr", ReviewStatus.PROPOSED)
    assert "confirmed at" in answer_text(asked)
    asked.key(Qt.Key.Key_Z, CTRL)
    asked.until(lambda: "You said “bed twelve”" in bar_text(asked))


def test_filling_again_does_not_ask_again(asked: Ward) -> None:
    page = asked.window.page
    page.flowsheet.setFocus()
    asked.key(Qt.Key.Key_I)
    asked.until(lambda: "confirmed at" in answer_text(asked))
    asked.workbench.intake.fill(1)
    asked.until(lambda: len(asked.engine.given) == 2 and not asked.workbench.jobs)
    asked.until_review()
    assert "confirmed at" in answer_text(asked)


def test_what_is_left_out_can_be_added_to_the_other_patient(novak: Ward) -> None:
    novak.open_text("two.txt", "Bed 14B. Heart rate is 112. Moving on to bed 12. Temperature was 38.4 today.")
    page = novak.window.page
    novak.until(page.words.left_out.isVisible)
    assert page.words.left_out.text == (
        "Left out: what you said about bed 12. Bed 12 is Alvarez, Luis · MRN 004455 · bed 12."
    )
    lay_out()
    assert page.words.left_out.add.text() == "Add for Alvarez"
    for size in (QSize(1280, 720), QSize(1366, 768)):
        novak.window.resize(size)
        lay_out()
        assert clipped(novak.window) == []
    novak.click(page.words.left_out.words)
    assert page.words.transcript.lit_text().startswith("Moving on to bed 12.")
    novak.click(page.words.left_out.add)
    novak.until(lambda: not page.words.left_out.isVisible())
    novak.until(lambda: len(novak.window.selection.overview.entries) == 2 and not novak.workbench.jobs)
    alvarez = next(entry for entry in novak.window.selection.overview.entries if entry.patient.name == "Alvarez, Luis")
    assert alvarez.dictation.original_name == "two.txt"
    assert (patient := shown(novak))
    assert patient.name == "Novak, Anna", "the sheet shown stays"


OWN_BED = "Bed 14B. Heart rate is 112. Temperature 38.4, near bed 12. Sats 94."


def test_the_offer_that_agrees_with_the_words_comes_first_and_calmly(novak: Ward) -> None:
    novak.open_text("own.txt", OWN_BED)
    bar = novak.window.page.identity
    novak.until(bar.isVisible)
    assert bar.text.startswith(
        "You said “Bed 14B”, which is Novak, Anna · MRN 123456 · bed 14B. You also said “bed 12”."
    )
    assert bar.property("level") == "info"
    lay_out()
    in_order = sorted((bar.same, bar.words, bar.move_), key=lambda one: one.x())
    assert in_order == [bar.same, bar.words, bar.move_]
    bar.same.setFocus()
    novak.key(Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is bar.words, "Tab goes in the same order"


def test_a_question_about_another_patient_alone_warns_and_offers_the_move_before(asked: Ward) -> None:
    bar = asked.window.page.identity
    lay_out()
    assert bar.property("level") == "warning"
    assert bar.move_.x() < bar.same.x()
    assert bar.words.text() == "Play words"


def test_of_a_text_no_sound_is_offered(novak: Ward) -> None:
    novak.open_text("own.txt", OWN_BED)
    bar = novak.window.page.identity
    novak.until(bar.isVisible)
    assert bar.words.text() == "Show words"
    novak.click(bar.words)
    assert novak.window.page.words.transcript.lit_text() == "bed 12"


# while somebody speaks


def speak(ward: Ward, *words: tuple[str, str]) -> None:
    """A recording in which these words (final, draft) are heard, one after each block of sound."""

    def hearing(channel: Channel, cancelled: CancelledCallback) -> None:
        left = list(words)
        while next_of(channel, cancelled) is not None:
            if left:
                final, draft = left.pop(0)
                channel.emit(LiveWords(final, draft, 1.0))

    ward.engine.following = hearing
    ward.click(ward.window.side.record)


def hear(ward: Ward) -> None:
    ward.microphones.capture.give(BLOCK)


def test_the_recording_says_so_with_the_words_that_name_somebody_else(novak: Ward) -> None:
    spoken = novak.window.spoken
    speak(novak, ("", "This is the"), ("", "This is the assessment for bed twelve"))
    hear(novak)
    novak.until(novak.window.live.isVisible)
    assert not spoken.isVisible()
    hear(novak)
    novak.until(spoken.isVisible)
    assert spoken.text == (
        "You said “bed twelve”. This recording is for Novak, Anna · bed 14B. "
        "“bed twelve” fits Alvarez, Luis · MRN 004455 · bed 12."
    )
    assert spoken.move_.text() == "Move to Alvarez, Luis when finished"
    lay_out()
    for one in (spoken.move_, spoken.same):
        assert one.height() >= one.sizeHint().height()
        assert one.mapTo(spoken, one.rect().bottomLeft()).y() < spoken.contentsRect().bottom()


def test_a_draft_that_changes_does_not_make_it_flicker(novak: Ward) -> None:
    spoken = novak.window.spoken
    speak(novak, ("", "This is bed 12"), ("", "This is bad"), ("This is", "bet 12"), ("This is bed 14B. Calm.", ""))
    hear(novak)
    novak.until(spoken.isVisible)
    for final, draft in (("", "This is bad"), ("This is", "bet 12")):
        hear(novak)
        heard = f"{final} {draft}".strip()
        novak.until(lambda heard=heard: novak.live_words() == heard)
        assert spoken.isVisible()
    hear(novak)
    novak.until(lambda: not spoken.isVisible())


@pytest.mark.parametrize("how", ["key", "click"])
def test_the_answer_given_live_is_carried_over(novak: Ward, how: str) -> None:
    spoken = novak.window.spoken
    speak(novak, ("", "bed twelve"))
    hear(novak)
    novak.until(spoken.isVisible)
    if how == "key":
        novak.window.live.values.flowsheet.setFocus()
        novak.key(Qt.Key.Key_I)
    else:
        novak.click(spoken.same)
    assert not spoken.isVisible()
    novak.click(novak.window.recorder.bar.finish)
    novak.until_review()
    novak.until(lambda: "R. Nurse confirmed at" in answer_text(novak))


def test_a_recording_can_go_to_the_other_patient_when_it_is_finished(novak: Ward) -> None:
    window, spoken = novak.window, novak.window.spoken
    speak(novak, ("", "bed twelve"))
    hear(novak)
    novak.until(spoken.isVisible)
    novak.click(spoken.move_)
    assert spoken.text == "This recording moves to Alvarez, Luis · MRN 004455 · bed 12 when you finish it."
    novak.click(spoken.again)
    assert "You said" in spoken.text
    novak.click(spoken.move_)
    novak.click(window.recorder.bar.finish)
    novak.until(lambda: (patient := shown(novak)) and patient.name == "Alvarez, Luis")
    novak.until_review()
    assert not spoken.isVisible()
    assert not window.page.identity.isVisible()
    novak.close()
    with Store(paths.database_file()) as store:
        assert [event.action for event in store.dictations.events(1)] == ["move"]


def test_whose_a_recording_is_was_said_by_who_signed_then(novak: Ward) -> None:
    spoken = novak.window.spoken
    speak(novak, ("", "bed twelve"))
    hear(novak)
    novak.until(spoken.isVisible)
    novak.click(spoken.same)
    first = novak.workbench.signing.name
    novak.workbench.signing.take(Signer(2, "Lou Berg", "RN"))
    novak.click(novak.window.recorder.bar.finish)
    novak.until_review()
    novak.until(lambda: f"{first} confirmed at" in answer_text(novak))


def test_an_unsigned_answer_leaves_the_question_open(novak: Ward) -> None:
    spoken = novak.window.spoken
    speak(novak, ("", "bed twelve"))
    hear(novak)
    novak.until(spoken.isVisible)
    novak.workbench.signing.propose(None)
    novak.in_dialog(lambda: novak.click(spoken.same), lambda dialog: dialog.reject())
    assert spoken.asks
    novak.click(novak.window.recorder.bar.finish)
    novak.until_review()
    novak.until(novak.window.page.identity.isVisible)


def test_the_question_fits_a_small_screen(new_ward: Callable[..., Ward], monkeypatch: pytest.MonkeyPatch) -> None:
    give_room(monkeypatch, NARROW)
    ward = new_ward(FakeEngine())
    ward.until_ready()
    ward.window.resize(NARROW)
    for patient in (ALVAREZ, NOVAK):
        ward.add_patient(*patient)
    ward.open_text()
    ward.until(ward.window.page.identity.isVisible)
    lay_out()
    page = ward.window.page
    for one in page.identity.findChildren(QPushButton):
        if one.isVisible():
            assert one.width() >= one.minimumSizeHint().width()
            assert one.geometry().right() <= page.identity.width()
    assert page.identity.height() >= page.identity.minimumSizeHint().height() - 1
