"""Files dragged over the window: it says for whom they would be opened, and asks about several."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from tests.gui.conftest import Ward, lay_out
from tests.kit.fake_app import TEXT
from ui.dialogs.patient import PatientDialog
from ui.kit.question import Question


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    found = [tmp_path / f"round {number}.txt" for number in range(6)]
    for path in found:
        path.write_text(TEXT, encoding="utf-8")
    return found


def mime(paths: Sequence[Path]) -> QMimeData:
    dragged = QMimeData()
    dragged.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return dragged


def drag(ward: Ward, paths: Sequence[Path]) -> str:
    """Drags files over the window; what is read there."""
    dragged = mime(paths)
    event = QDragEnterEvent(
        QPoint(400, 300),
        Qt.DropAction.CopyAction,
        dragged,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(ward.window, event)
    lay_out()
    notice = ward.window.drops.notice
    assert notice.isVisible() == event.isAccepted()
    return notice.words.text() if notice.isVisible() else ""


def drop(ward: Ward, paths: Sequence[Path]) -> None:
    drag(ward, paths)
    dragged = mime(paths)
    event = QDropEvent(
        QPointF(400, 300),
        Qt.DropAction.CopyAction,
        dragged,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
        QEvent.Type.Drop,
    )
    QApplication.sendEvent(ward.window, event)
    assert ward.window.drops.notice.isHidden()


def opened(ward: Ward) -> list[str]:
    ward.until_idle()
    return sorted(entry.dictation.original_name for entry in ward.window.selection.overview.entries)


def test_a_dragged_file_tells_for_whom_it_is_opened(ward: Ward, files: list[Path], tmp_path: Path) -> None:
    assert drag(ward, files[:1]) == "Drop to open, then choose the patient"
    ward.add_patient()
    assert drag(ward, files[:1]) == "Drop to open for Hawthorne, Ada · MRN 004711 · bed 12"
    assert drag(ward, files) == "Drop to open 6 files for Hawthorne, Ada · MRN 004711 · bed 12"
    assert drag(ward, [tmp_path / "ward.csv"]) == "Drop to import the ward list"
    QApplication.sendEvent(ward.window, QDragLeaveEvent())
    assert ward.window.drops.notice.isHidden()
    assert drag(ward, []) == ""


def test_a_dropped_file_is_opened(ward: Ward, files: list[Path]) -> None:
    ward.add_patient()
    drop(ward, files[:1])
    ward.until_review()
    assert opened(ward) == ["round 0.txt"]


@pytest.mark.parametrize("agreed", [False, True])
def test_several_files_are_opened_only_if_they_are_about_the_same_patient(
    ward: Ward, files: list[Path], *, agreed: bool
) -> None:
    ward.add_patient()
    asked: list[str] = []

    def answer(question: Question) -> None:
        asked.append(f"{question.question} {question.words}")
        if agreed:
            question.buttons["&Open 6 files"].click()
        else:
            ward.key(Qt.Key.Key_Return)

    def drop_and_wait() -> None:
        drop(ward, files)
        ward.until(lambda: asked)

    ward.in_dialog(drop_and_wait, answer)
    assert len(asked) == 1
    assert asked[0].startswith(
        "Open 6 files for Hawthorne, Ada · MRN 004711 · bed 12? Each becomes a dictation of this"
    )
    assert asked[0].endswith("patient: round 0.txt, round 1.txt, round 2.txt, round 3.txt and 2 more.")
    assert opened(ward) == ([path.name for path in files] if agreed else [])


def test_a_file_that_is_dropped_before_a_patient_is_there_is_opened_for_the_new_one(
    ward: Ward, files: list[Path]
) -> None:
    def enter(dialog: PatientDialog) -> None:
        dialog.name.setText("Hawthorne, Ada")
        dialog.mrn.setText("004711")
        dialog.add.click()

    def drop_and_wait() -> None:
        drop(ward, files[:1])
        ward.until(lambda: ward.window.selection.patient)

    ward.in_dialog(drop_and_wait, enter)
    ward.until_review()
    assert opened(ward) == ["round 0.txt"]
