"""The outbox in the window: what is waiting, sent, accepted and refused, and what a person does about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest

from app.system import paths
from app.system.record_system import DeliverySettings
from app.system.settings import load_settings, save_settings
from tests.gui.conftest import Ward, lay_out
from tests.gui.hands import CTRL, SHIFT
from tests.gui.hands import filed as is_filed


@pytest.fixture
def drop(tmp_path: Path, out: Path) -> Path:
    folder = tmp_path / "interface"
    folder.mkdir()
    delivery = DeliverySettings("folder", str(folder))
    save_settings(replace(load_settings(paths.config_file()), delivery=delivery), paths.config_file())
    return folder


def file_all(ward: Ward) -> None:
    page = ward.window.page
    assert page.sheet
    ward.window.review.watch(ward.workbench.review.decide(page.sheet, [value.id for value in ward.values()], "confirm"))
    ward.until(lambda: all(value.stands for value in ward.values()))
    ward.key(Qt.Key.Key_F)
    ward.until(lambda: is_filed(ward))
    ward.until_idle()


@pytest.fixture
def sent(drop: Path, new_ward: Callable[..., Ward]) -> Ward:
    """A filed dictation of which the message lies in the folder."""
    ward = new_ward()
    ward.until_ready()
    ward.add_patient()
    ward.open_recording()
    ward.until_review()
    file_all(ward)
    return ward


def answered(ward: Ward, drop: Path, ending: str, words: str = "") -> Path:
    """The receiver takes the message and answers; returns where the message lay."""
    (message,) = drop.glob("*.json")
    message.unlink()
    (drop / f"{message.name}{ending}").write_text(words, encoding="utf-8")
    ward.window.outbox.deliver()
    ward.until_idle()
    return message


def told(ward: Ward) -> str:
    return ward.window.page.filed._files.text()


def test_the_window_does_not_say_that_nothing_is_sent(sent: Ward) -> None:
    assert sent.window.banner._offline.text() == "Sends filed values"
    assert "go to the record system" in sent.window.banner._offline.toolTip()


def test_filing_sends_and_the_bar_says_what_became_of_it(sent: Ward, drop: Path) -> None:
    assert "sent to the record system, no answer yet" in told(sent)
    assert not sent.window.page.filed.refused.isVisible()
    answered(sent, drop, ".ack")
    assert "accepted by the record system" in told(sent)


def test_a_refusal_is_counted_quietly_and_leads_to_the_outbox(sent: Ward, drop: Path) -> None:
    message = answered(sent, drop, ".err", "no open encounter")
    bar = sent.window.page.filed
    assert "refused by the record system" in told(sent)
    assert bar.refused.text() == "1 message refused…"
    assert not sent.window.message.text, "it does not interrupt"

    def look(dialog: Any) -> None:
        sent.until(lambda: dialog.chosen)
        assert "no open encounter" in dialog.about.text()
        assert dialog.summary.text() == "1 message refused"
        QTest.keyClick(dialog.tree, Qt.Key.Key_R)
        sent.until(message.exists)
        sent.until(lambda: not dialog.chosen.message.reason)
        assert dialog.chosen.state_words == "sent, no answer yet"

    sent.in_dialog(lambda: sent.click(bar.refused), look)
    assert not bar.refused.isVisible()


def test_a_message_is_taken_out_by_key_after_a_question(sent: Ward, drop: Path) -> None:
    answered(sent, drop, ".err", "no open encounter")
    shown: list[Any] = []

    def look(dialog: Any) -> None:
        shown.append(dialog)
        sent.until(lambda: dialog.chosen)
        asked: list[str] = []

        def agree(question: Any) -> None:
            asked.append(question.question)
            QTest.mouseClick(question.buttons["Do &not send"], Qt.MouseButton.LeftButton)

        sent.in_dialog(lambda: QTest.keyClick(dialog.tree, Qt.Key.Key_Delete), agree)
        assert asked == ["Take message 1 out of the outbox?"]
        sent.until(lambda: dialog.chosen.state_words == "taken out")
        assert not dialog.cancel.isEnabled()
        assert not dialog.retry.isEnabled()

    sent.in_dialog(lambda: sent.key(Qt.Key.Key_O, CTRL | SHIFT), look)
    assert "not sent to the record system" in told(sent)


def test_a_folder_that_is_gone_says_when_it_is_tried_again(sent: Ward, drop: Path) -> None:
    answered(sent, drop, ".ack")
    for path in drop.iterdir():
        path.unlink()
    drop.rmdir()
    sent.key(Qt.Key.Key_R, CTRL)
    sent.until(lambda: not is_filed(sent))
    sent.until_idle()
    page = sent.window.page
    assert page.sheet
    sent.window.review.watch(sent.workbench.review.decide(page.sheet, [sent.value("hr").id], "reject"))
    sent.until(lambda: not sent.value("hr").stands)
    sent.key(Qt.Key.Key_F)
    sent.until(lambda: is_filed(sent))
    sent.until_idle()
    assert "waits to be sent to the record system" in told(sent)

    def look(dialog: Any) -> None:
        sent.until(lambda: dialog.chosen)
        assert dialog.chosen.told_words == "1 withdrawn"
        assert "is not there" in dialog.about.text()
        assert "Tried again at" in dialog.about.text()

    sent.in_dialog(lambda: sent.key(Qt.Key.Key_O, CTRL | SHIFT), look)


def test_without_delivery_filing_is_as_ever_and_the_outbox_says_how_it_is_turned_on(out: Path, review: Ward) -> None:
    file_all(review)
    assert review.window.banner._offline.text() == "Works offline"
    assert "Nothing is sent anywhere" in review.window.banner._offline.toolTip()
    assert "not sent to the record system" in told(review)

    def look(dialog: Any) -> None:
        review.until(lambda: "in the settings, under Filing" in dialog.summary.text())
        assert not dialog.check.isEnabled()
        assert dialog.tree.topLevelItemCount() == 0

    review.in_dialog(lambda: review.key(Qt.Key.Key_O, CTRL | SHIFT), look)


def test_a_dialog_that_is_read_again_stays_at_its_message(sent: Ward, drop: Path) -> None:
    def look(dialog: Any) -> None:
        sent.until(lambda: dialog.chosen)
        answered(sent, drop, ".ack")
        assert dialog.chosen.message.number == 1
        assert dialog.chosen.state_words == "accepted"
        dialog.resize(QSize(1366, 768))
        lay_out()

    sent.in_dialog(lambda: sent.key(Qt.Key.Key_O, CTRL | SHIFT), look)
