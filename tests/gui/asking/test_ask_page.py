"""Asking the ward as a nurse would: a question, its parts, the answer, and where each cell comes from."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from app.asking.answer import Citation, Quoted
from app.services.asking.answering import Asking
from app.services.asking.jobs import Asked
from models.base.errors import ResourceError
from tests.gui.conftest import Ward, lay_out
from tests.kit.charted import DAY, Days
from tests.kit.fake_app import WEIGHED_BY, FakeEngine
from tests.kit.patience import PATIENCE_SECONDS
from ui.asking.answer_lines import NOT_CHARTED
from ui.asking.ask_page import AskPage
from ui.review.evidence.evidence_player import EvidencePlayer

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
NOW = datetime.fromisoformat(f"{DAY}T21:00")
WARM = "temperature above 37.5 in the last 24 hours"


@pytest.fixture
def asking(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, calibrated: None, out: Path, new_ward: Callable[..., Ward]
) -> Ward:
    """Four patients, of one of whom four rounds are charted; it is nine in the evening, and the page is open."""
    Days(monkeypatch.setattr, tmp_path).fill_ward()
    monkeypatch.setattr("app.services.asking.answering.clock", lambda: NOW)
    engine = FakeEngine()
    engine.weighed_by = WEIGHED_BY
    ward = new_ward(engine)
    ward.until_ready()
    ward.until_review()
    ward.window.resize(1366, 768)
    ward.key(Qt.Key.Key_F, CTRL | SHIFT)
    assert page(ward).isVisible()
    return ward


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, float, float]]:
    """What is played: the file, and from and to which second."""
    heard: list[tuple[str, float, float]] = []
    monkeypatch.setattr(EvidencePlayer, "reason", lambda _: "")
    monkeypatch.setattr(EvidencePlayer, "play", lambda _, path, start, end: heard.append((path.name, start, end)))
    return heard


def page(ward: Ward) -> AskPage:
    return ward.window.ask


def ask(ward: Ward, question: str) -> Asked:
    """Types a question, presses Enter and waits for what is answered."""
    before = page(ward).asked
    page(ward).field.setFocus()
    page(ward).field.clear()
    ward.type(question)
    ward.key(Qt.Key.Key_Return)
    return answered(ward, before)


def answered(ward: Ward, before: Asked | None) -> Asked:
    ward.until(lambda: page(ward).asked is not None and page(ward).asked is not before)
    ward.until_idle()
    asked = page(ward).asked
    assert asked
    return asked


def lines(ward: Ward) -> list[list[str]]:
    """The lines of the table as they are read."""
    return [[line.heading] if line.heading else [cell.text for cell in line.cells] for line in table(ward).lines]


def table(ward: Ward) -> Any:
    return page(ward).table.table


def chip(ward: Ward, text: str) -> QPushButton:
    return next(one for one in page(ward).chips.chips if isinstance(one, QPushButton) and one.text() == text)


def change(ward: Ward, text: str, choice: str) -> Asked:
    """Changes a part of the question to another choice of its menu."""
    before, menu = page(ward).asked, chip(ward, text).menu()
    next(action for action in menu.actions() if action.text() == choice).trigger()
    return answered(ward, before)


def offers(ward: Ward) -> dict[str, QPushButton]:
    return {one.text(): one for one in page(ward)._offered.findChildren(QPushButton) if one.isVisible()}


def test_an_answer_says_in_one_sentence_and_one_table_who_it_is_and_of_whom_nothing_is_charted(asking: Ward) -> None:
    ask(asking, WARM)
    assert page(asking).head.text() == "1 of 4 patients; 3 not charted."
    told = lines(asking)
    assert told[0][:2] == ["12", "Hawthorne, Ada"]
    assert told[1] == [f"{NOT_CHARTED} – 3 patients"]
    assert [line[1] for line in told[2:]] == ["Okafor, Ben", "Lindqvist, Maja", "Morales, Teo"]
    assert page(asking).table.current.note == "16:00 · 3 dictations"


def test_each_part_of_the_question_can_be_changed_and_the_answer_is_made_anew(asking: Ward) -> None:
    ask(asking, "heart rate")
    assert lines(asking)[0][2] == "104 /min"
    change(asking, "latest", "lowest")
    assert lines(asking)[0][2] == "84 /min"
    change(asking, "any time", "last 12 hours")
    assert lines(asking)[0][2] == "97 /min"
    asked = change(asking, "all patients", "bed 3 · Okafor, Ben")
    assert page(asking).head.text().startswith("0 of 1 patient")
    assert asked.understood.question == "heart rate"
    assert page(asking).chips.chips[-1].text() == "bed 3"  # one patient has no order


def test_the_number_of_a_condition_is_changed_in_a_dialog(asking: Ward) -> None:
    ask(asking, WARM)
    before = page(asking).asked

    def enter(dialog: Any) -> None:
        assert dialog.numbers[0].text() == "37.5"
        dialog.numbers[0].clear()
        dialog._take()
        assert dialog.error.text() == "Enter a number."
        dialog.numbers[0].setText("38,1")
        asking.click(dialog.take)

    asking.in_dialog(lambda: asking.click(chip(asking, "above 37.5")), enter)
    answered(asking, before)
    assert "38.2" in lines(asking)[0][2]
    assert chip(asking, "above 38.1")


def test_a_condition_can_be_taken_away(asking: Ward) -> None:
    ask(asking, WARM)
    before = page(asking).asked
    asking.in_dialog(lambda: asking.click(chip(asking, "above 37.5")), lambda dialog: asking.click(dialog.remove))
    answered(asking, before)
    assert not [one for one in page(asking).chips.chips if "37.5" in one.text()]  # type: ignore[attr-defined]


def test_any_row_of_the_flowsheet_can_be_asked_for_instead(asking: Ward) -> None:
    ask(asking, "heart rate")
    before = page(asking).asked

    def choose(dialog: Any) -> None:
        asking.type("blood")
        asking.key(Qt.Key.Key_Return)

    menu = chip(asking, "Heart rate").menu()
    asking.in_dialog(lambda: menu.actions()[-1].trigger(), choose)
    answered(asking, before)
    assert lines(asking)[0][2] == "140/72 mmHg"


def test_a_cell_shows_its_words_in_their_sentence_who_charted_it_and_opens_its_dictation(asking: Ward) -> None:
    ask(asking, "bed alarm of bed 3")
    source = page(asking).source
    asking.until(lambda: source.sentence.toPlainText().startswith("Fall precautions"))
    assert source.marked == "bed alarm is on"
    assert source.signed.text().startswith("Confirmed by T. Early, 20 Nov")
    assert source.dictation.text() == "Dictation: evening.txt"
    asking.key(Qt.Key.Key_Down)  # from the field into the answer
    assert page(asking).table.hasFocus()
    asking.key(Qt.Key.Key_Return)
    asking.until(lambda: asking.window.page.isVisible() and asking.window.page.current)
    asking.until_idle()
    sheet, current = asking.window.page.sheet, asking.window.page.current
    assert sheet
    assert sheet.patient.name == "Okafor, Ben"
    assert current
    assert current.row_id == "alarm"


def test_what_a_person_changed_is_told_as_edited(asking: Ward) -> None:
    ask(asking, "heart rate of bed 12")
    source = page(asking).source
    asking.until(lambda: source.signed.text().startswith("Edited by T. Early"))
    assert (source.title.text(), source.marked) == ("Heart rate: 104 /min", "112")


def test_an_answer_from_very_many_values_cites_those_of_the_cell_that_is_looked_at(
    asking: Ward, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.services.asking.citations.MOST", 0)
    asked = ask(asking, "bed alarm of bed 3")
    assert not asked.answer.citations
    asking.until(lambda: page(asking).source.title.text() == "Bed alarm on: Yes")
    asking.until(lambda: page(asking).source.marked == "bed alarm is on")


def test_a_flagged_value_is_flagged_in_its_cell_in_the_sentence_above_and_beside(asking: Ward) -> None:
    ask(asking, "when was the urinary catheter placed")
    assert "could change this" in page(asking).head.text()
    assert page(asking).table.current.flagged
    assert page(asking).source.flag.isVisible()
    assert "flagged" in page(asking).table.current.read_out


def test_a_value_of_a_recording_plays_its_words(review: Ward, played: list[tuple[str, float, float]]) -> None:
    review.key(Qt.Key.Key_A)
    review.until(lambda: review.value("hr").status == "confirmed")
    review.key(Qt.Key.Key_F, CTRL | SHIFT)
    asked = ask(review, "heart rate")
    cited = next(iter(asked.answer.citations.values()))
    review.key(Qt.Key.Key_Down)
    review.until(lambda: page(review).source.play.isEnabled())
    review.key(Qt.Key.Key_Space)
    assert [start for _, start, _ in played] == [cited.second]


def test_a_refusal_says_why_and_offers_what_can_be_asked_instead(asking: Ward) -> None:
    ask(asking, "tidal volume")
    assert "tidal volume" in page(asking).head.text()
    assert not page(asking).table.isVisible()
    assert not page(asking).copy_button.isVisible()
    before = page(asking).asked
    asking.click(offers(asking)["What was said about “tidal volume”"])
    asked = answered(asking, before)
    assert not asked.answer.quotes


@pytest.mark.parametrize("question", ["should I give paracetamol", "will she get worse tonight"])
def test_advice_and_forecasts_are_refused(asking: Ward, question: str) -> None:
    assert ask(asking, question).answer.refusal
    assert page(asking).head.text().startswith("Wardlight ")
    assert not page(asking).table.isVisible()


def test_sentences_are_marked_as_not_confirmed_and_open_at_their_place(asking: Ward) -> None:
    ask(asking, "what was said about the right hip")
    assert table(asking).titles[-1] == "Said, not confirmed"
    assert isinstance(page(asking).source.source, Quoted)
    assert page(asking).source.signed.text() == "Said, not confirmed by anybody"
    asking.key(Qt.Key.Key_Down)
    asking.key(Qt.Key.Key_Return)
    asking.until(lambda: asking.window.page.isVisible() and asking.window.page.evidence._pinned)


def test_up_and_down_bring_earlier_questions_back(asking: Ward) -> None:
    ask(asking, "heart rate")
    ask(asking, "pain score")
    asking.key(Qt.Key.Key_Up)
    assert page(asking).field.text() == "heart rate"
    asking.key(Qt.Key.Key_Down)
    assert page(asking).field.text() == "pain score"


def test_an_answer_is_copied_with_times_and_flags(asking: Ward) -> None:
    ask(asking, WARM)
    asking.key(Qt.Key.Key_Down)
    asking.key(Qt.Key.Key_C, CTRL)
    text = QApplication.clipboard().text().splitlines()
    assert text[0] == "1 of 4 patients; 3 not charted."
    assert text[1] == "Bed\tPatient\tTemperature (°C)"
    assert text[-1] == "9\tMorales, Teo\tnot charted, never charted"


@pytest.mark.parametrize("suffix", ["csv", "pdf"])
def test_an_answer_is_saved_with_its_sources(
    asking: Ward, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    ask(asking, "heart rate of bed 12")
    path = tmp_path / "answer"
    monkeypatch.setattr("ui.controllers.ask_controller.choose_new_file", lambda *_: path)
    asking.click(getattr(page(asking), suffix))
    saved = path.with_name(f"answer.{suffix}")
    asking.until(lambda: saved.exists() and asking.window.message.text)
    assert asking.window.message.text.startswith(f"Saved as answer.{suffix}.")
    if suffix == "csv":
        assert "104" in saved.read_text(encoding="utf-8-sig")


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Answers wait until it is set."""
    go, former = threading.Event(), Asking.ask

    def slowly(self: Asking, question: str, asked_by: str, now: datetime | None = None) -> Asked:
        assert go.wait(PATIENCE_SECONDS)
        return former(self, question, asked_by, now)

    monkeypatch.setattr(Asking, "ask", slowly)
    yield go
    go.set()


def test_an_answer_that_takes_long_is_announced_and_can_be_stopped(asking: Ward, held: threading.Event) -> None:
    page(asking).busy.late.setInterval(0)
    asking.type("heart rate")
    asking.key(Qt.Key.Key_Return)
    asking.until(page(asking).busy.isVisible)
    asking.key(Qt.Key.Key_Escape)
    assert not page(asking).busy.isVisible()
    assert page(asking).isVisible()
    held.set()
    asking.until_idle()
    assert page(asking).asked is None
    asking.key(Qt.Key.Key_Escape)
    asking.until(asking.window.page.isVisible)


def test_an_error_is_told_and_the_page_stays(asking: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ResourceError("The database cannot be read.", "Try again.")

    monkeypatch.setattr(Asking, "ask", fail)
    asking.type("heart rate")
    asking.key(Qt.Key.Key_Return)
    asking.until(lambda: "cannot be read" in page(asking).head.text())
    assert page(asking).isVisible()


def test_back_goes_to_the_dictation_that_was_open_and_no_reading_takes_the_page_away(asking: Ward) -> None:
    sheet = asking.window.page.sheet
    assert sheet
    asking.window.navigation.read_again(sheet.dictation.id)
    asking.until_idle()
    assert page(asking).isVisible()
    asking.click(page(asking).back)
    asking.until(asking.window.page.isVisible)
    asking.until_idle()
    assert asking.window.selection.dictation_id == sheet.dictation.id


def test_an_answer_is_kept_while_one_looks_at_a_dictation(asking: Ward) -> None:
    ask(asking, "heart rate")
    asking.key(Qt.Key.Key_Escape)
    asking.until(asking.window.page.isVisible)
    asking.until_idle()
    asking.key(Qt.Key.Key_F, CTRL | SHIFT)
    assert page(asking).isVisible()
    assert lines(asking)[0][2] == "104 /min"


def test_a_ward_of_which_nothing_is_charted_is_told_so(ward: Ward) -> None:
    ward.key(Qt.Key.Key_F, CTRL | SHIFT)
    lay_out()
    assert "Nothing is charted yet" in page(ward).note.text()
    assert not offers(ward)


def test_an_example_can_be_asked(asking: Ward) -> None:
    first, button = next(iter(offers(asking).items()))
    asking.click(button)
    answered(asking, None)
    assert page(asking).field.text() == first


def test_who_asks_must_be_known(asking: Ward) -> None:
    asking.workbench.signing.propose(None)
    asked: list[QWidget] = []

    def leave(dialog: QWidget) -> None:
        asked.append(dialog)

    asking.type("heart rate")
    asking.in_dialog(lambda: asking.key(Qt.Key.Key_Return), leave)
    asking.until_idle()
    assert asked
    assert page(asking).asked is None


def test_words_that_name_nobody_are_told(asking: Ward) -> None:
    ask(asking, "when was she last turned")
    assert page(asking).ignored.text() == "“she” names nobody: this is about all patients."


def test_another_reading_of_the_question_can_be_chosen(asking: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    from extraction.questions.query import Measure, Select, Value
    from extraction.questions.reading import read_question

    other = Select(values=(Value(Measure("Pain score", ("pain",))),))

    def two(*given: Any) -> Any:
        found = read_question(*given)
        return replace(found, rivals=(found.query, other))

    monkeypatch.setattr("app.services.asking.answering.read_question", two)
    ask(asking, "heart rate")
    before = page(asking).asked
    shown = [one for one in page(asking).rivals.findChildren(QPushButton) if one.isVisible()]
    assert [one.text() for one in shown] == ["Pain score · all patients"]
    asking.click(shown[0])
    answered(asking, before)
    assert isinstance(page(asking).source.source, Citation)
    assert page(asking).source.title.text() == "Pain score: 3"
