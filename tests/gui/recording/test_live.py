"""Words and values while a recording runs."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import Qt

from app.chart.records import ReviewStatus
from app.inference.live_events import LiveWords
from models.base.progress import CancelledCallback
from models.errors import WorkerDied
from models.process.messages import Channel
from tests.gui.conftest import Ward
from tests.kit.audio import voice
from tests.kit.fake_app import SENTENCES, TEXT, follow, next_of, transcript_of
from tests.kit.patience import PATIENCE_SECONDS

VOICE = voice(1.0)
BLOCK = VOICE[:3200]  # the fake microphone gives so much at once


@pytest.fixture
def bed(ward: Ward) -> Ward:
    """A ward with a patient, before anything was recorded."""
    ward.add_patient()
    return ward


def unsure(ward: Ward, words: str) -> bool:
    """Whether words of the live transcript are in italics."""
    document = ward.window.live.transcript.document()
    cursor = document.find(words)
    assert not cursor.isNull(), f"{words!r} is not shown"
    style = cursor.charFormat()
    return style.fontItalic()


def begin(ward: Ward, *seen: int, lost: bool = False) -> None:
    ward.engine.following = follow(*seen, lost=lost)
    ward.click(ward.window.side.record)
    ward.microphones.capture.give(BLOCK)


def test_words_and_values_come_while_somebody_speaks_and_the_dictation_takes_their_place(bed: Ward) -> None:
    begin(bed, 2, 5)
    live = bed.window.live
    bed.until(lambda: live.isVisible() and bed.live_words() == " ".join(SENTENCES[:2]))
    assert unsure(bed, "74."), "what may still change is in italics"
    assert not unsure(bed, "142 over")
    assert live.transcript.accessibleDescription() == "May still change: 74."
    assert "italics" in live.about.text()
    bed.until(lambda: bed.live_rows() == {"Heart rate": "112", "Heart rhythm": "Regular"})
    assert live.values.count.text().startswith("2 values so far")
    bed.microphones.capture.give(BLOCK)
    bed.until(lambda: bed.live_words() == " ".join(SENTENCES[:5]))
    assert not unsure(bed, "142 over 74."), "by now it is final"
    bed.until(lambda: len(bed.live_rows()) == 8)
    bed.click(bed.window.recorder.bar.finish)
    bed.until_review()
    assert bed.window.page.isVisible()
    assert bed.engine.given == [transcript_of()], "it is filled again, with all care, but not written down again"
    assert bed.window.page.words.transcript.toPlainText().replace("\n", " ") == TEXT
    assert not bed.window.strip.isVisible()
    bed.choose("hr")
    bed.key(Qt.Key.Key_Return)
    bed.until_status("hr", ReviewStatus.CONFIRMED)


def test_looking_at_another_dictation_and_back(review: Ward) -> None:
    before = review.window.page.sheet
    assert before
    begin(review, 2)
    review.until(review.window.live.isVisible)
    assert not review.window.recorder.bar.words.isVisible()
    review.window.navigation.show_dictation(before.dictation.id)
    review.until(review.window.page.isVisible)
    review.microphones.capture.give(BLOCK)
    assert review.window.page.isVisible(), "it does not come between"
    review.click(review.window.recorder.bar.words)
    assert review.window.live.isVisible()
    assert review.live_words() == " ".join(SENTENCES[:2])
    review.click(review.window.recorder.bar.finish)
    review.until(lambda: review.window.page.sheet and review.window.page.sheet.dictation.id != before.dictation.id)
    review.until_review()


def test_after_the_process_dies_the_recording_continues_and_is_filled_later(bed: Ward) -> None:
    begin(bed, 2, lost=True)
    bed.until(bed.window.live.isVisible)
    bed.microphones.capture.give(BLOCK)
    bed.until(lambda: "not transcribed while you speak" in bed.window.message.text)
    assert "when you finish" in bed.window.live.about.text()
    assert bed.window.recorder.running
    bed.microphones.capture.give(VOICE)
    bed.click(bed.window.recorder.bar.finish)
    bed.until_review()
    assert bed.engine.given == [None]
    assert bed.window.page.sheet
    assert bed.window.page.sheet.dictation.path.read_bytes()[44:] == BLOCK * 2 + VOICE


def test_when_the_process_dies_after_the_recording_the_filling_makes_up_for_it(bed: Ward) -> None:
    may_die = threading.Event()

    def dying(channel: Channel, cancelled: CancelledCallback) -> None:
        while next_of(channel, cancelled) is not None:
            pass
        may_die.wait(PATIENCE_SECONDS)
        raise WorkerDied("The inference process ended unexpectedly.", "Try again.", retryable=True)

    bed.engine.following = dying
    bed.click(bed.window.side.record)
    bed.microphones.capture.give(BLOCK)
    bed.click(bed.window.recorder.bar.finish)
    bed.until(lambda: bed.window.recorder.recording is None)
    bed.until(lambda: "Transcribing…" in "".join(bed.window.side.patients.texts()))
    may_die.set()
    bed.until_review()
    assert bed.engine.given == [None]
    assert not bed.window.message.isVisible()


def test_stopping_while_the_end_is_written_down_stops_that_too(bed: Ward) -> None:
    def hearing(channel: Channel, cancelled: CancelledCallback) -> None:
        channel.emit(LiveWords("", SENTENCES[0], 1.0))
        while True:
            next_of(channel, cancelled)

    bed.engine.following = hearing
    bed.click(bed.window.side.record)
    bed.microphones.capture.give(BLOCK)
    bed.until(bed.window.live.isVisible)
    bed.click(bed.window.recorder.bar.finish)
    bed.until(lambda: "Transcribing…" in "".join(bed.window.side.patients.texts()))
    bed.click(bed.window.strip.cancel)
    bed.until(bed.window.page.unfinished.go_on.isVisible)
    assert not bed.workbench.jobs
    assert bed.engine.interrupts == 0, "it listened"
    assert bed.window.message.text.startswith("Stopped. ")
    assert bed.window.message.text.endswith(" is kept. Resume to continue where it stopped.")
    bed.engine.following = None
    bed.click(bed.window.page.unfinished.go_on)
    bed.until_review()
    assert bed.engine.given == [None]


def test_another_patient_is_not_shown_over_what_is_still_heard_of_the_last(review: Ward) -> None:
    may_end = threading.Event()

    def hearing(channel: Channel, cancelled: CancelledCallback) -> None:
        channel.emit(LiveWords("", SENTENCES[0], 1.0))
        while next_of(channel, cancelled) is not None:
            pass
        may_end.wait(PATIENCE_SECONDS)

    window, before = review.window, review.window.page.sheet
    assert before
    review.add_patient("Bianchi", "7", "004712")
    review.until(lambda: window.selection.patient and window.selection.patient.name == "Bianchi")
    review.engine.following = hearing
    review.click(window.side.record)
    review.microphones.capture.give(BLOCK)
    review.until(window.live.isVisible)
    review.click(window.recorder.bar.finish)
    review.until(lambda: "Transcribing…" in "".join(window.side.patients.texts()))
    assert window.live.isVisible(), "her own dictation comes when its end is heard"
    window.navigation.choose_patient(before.patient)
    review.until(window.page.isVisible)
    assert window.page.sheet
    assert window.page.sheet.patient == window.selection.patient == before.patient
    may_end.set()
    review.until(lambda: not review.workbench.jobs)
    assert window.page.sheet.patient == before.patient


def test_values_cannot_be_decided_before_the_end(bed: Ward) -> None:
    begin(bed, 5)
    bed.until(lambda: len(bed.live_rows()) == 8)
    bed.window.live.values.flowsheet.setFocus()
    bed.window.live.values.flowsheet.choose(1)
    for key in (Qt.Key.Key_Return, Qt.Key.Key_R, Qt.Key.Key_E, Qt.Key.Key_Space):
        bed.key(key)
    assert len(bed.live_rows()) == 8
    bed.click(bed.window.recorder.bar.finish)
    bed.until_review()
    assert {value.status for value in bed.values()} == {ReviewStatus.PROPOSED}
