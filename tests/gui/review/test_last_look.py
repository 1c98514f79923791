"""The last look before filing: what is charted, for whom and by whom; it files only when told so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from app.chart.records import ReviewStatus
from app.system import paths
from app.system.settings import load_settings, save_settings
from extraction.flowsheet.schema import Contradiction
from tests.gui.conftest import Ward
from tests.gui.hands import CTRL, NONE, SHIFT, filed
from tests.kit.fake_app import FakeEngine

ELSEWHERE = (Qt.Key.Key_Return, CTRL | SHIFT)
EDITED, REJECTED, PROPOSED = ReviewStatus.EDITED, ReviewStatus.REJECTED, ReviewStatus.PROPOSED


@pytest.fixture
def looking(new_ward: Callable[..., Ward], out: Path) -> Ward:
    """A recording waits for review, and filing shows a last look."""
    save_settings(replace(load_settings(paths.config_file()), last_look=True), paths.config_file())
    engine = FakeEngine()
    ward = new_ward(engine)
    ward.until_ready()
    ward.add_patient()
    ward.open_recording()
    ward.until_review()
    return ward


def decide(ward: Ward) -> None:
    """Edits the weight, rejects the rhythm, and accepts the others."""
    ward.choose("weight")
    ward.key(Qt.Key.Key_E)
    QApplication.focusWidget().selectAll()  # type: ignore[union-attr]
    ward.type("82")
    ward.key(Qt.Key.Key_Return)
    ward.until_status("weight", EDITED)
    ward.choose("rhythm")
    ward.key(Qt.Key.Key_R)
    ward.until_status("rhythm", REJECTED)
    for value in ward.values():
        if value.status is PROPOSED:
            ward.choose(value.row_id)
            ward.key(Qt.Key.Key_A)
            ward.until(lambda row_id=value.row_id: ward.value(row_id).status is not PROPOSED)


def lines(ward: Ward) -> list[str]:
    values = ward.window.page.looks.last_look.values
    return [values.item(place).text() for place in range(values.count())]


def test_what_is_filed_for_whom_and_by_whom_is_seen_first(looking: Ward, out: Path) -> None:
    decide(looking)
    look = looking.window.page.looks.last_look
    looking.key(Qt.Key.Key_F)
    assert looking.window.page.looks.shown is look
    assert not filed(looking)
    assert look.whose.text() == "Hawthorne, Ada · MRN 004711 · bed 12"
    assert look.counts.text().startswith("Will be signed by R. Nurse · for ")
    assert look.counts.text().endswith(" · 16 accepted · 1 edited · 1 rejected")
    assert look.unresolved.text().startswith("Said but not charted: “Respirations 22 on two liters")
    assert len(lines(looking)) == 17
    assert lines(looking)[0] == "Weight: 82 kg", "what a person entered is first"
    assert not any(line.startswith("Heart rhythm") for line in lines(looking)), "it was rejected"
    assert not looking.window.page.detail.isVisible()
    looking.key(Qt.Key.Key_Return)
    assert looking.window.page.looks.shown is look, "the key that accepts values files nothing"
    looking.key(Qt.Key.Key_F)
    looking.until(lambda: filed(looking))
    assert looking.window.page.looks.shown is None
    assert list(out.iterdir())


def test_a_value_that_was_flagged_says_so_until_it_is_signed(looking: Ward) -> None:
    assert looking.window.page.sheet
    flagged = {value.row_id for value in looking.values() if looking.window.page.sheet.reasons.get(value.id)}
    assert flagged - {"weight", "rhythm"}
    decide(looking)
    looking.key(Qt.Key.Key_F)
    looking.until(lambda: lines(looking))
    names = {looking.window.page.sheet.schema.row(row_id).name for row_id in flagged - {"weight", "rhythm"}}
    assert {line.partition(":")[0] for line in lines(looking) if "was flagged: " in line} == names
    first = [("was flagged" in line) for line in lines(looking)[1:]]  # the edited one is before them
    assert first == sorted(first, reverse=True)
    assert "on two liters" in looking.window.page.looks.last_look.unresolved.text()


def test_the_last_message_goes_when_the_last_look_comes(looking: Ward) -> None:
    decide(looking)
    looking.window.message.show_message("done", "Something was moved.", action="&Undo", do=lambda: None)
    still_true = [True]
    looking.window.message.show_message("warning", "The disk is full.", holds=lambda: bool(still_true))
    looking.key(Qt.Key.Key_F)
    assert looking.window.message.text == "The disk is full."
    still_true.clear()
    looking.window.message.check()
    assert looking.window.message.text == ""


def test_values_that_contradict_each_other_are_named_even_if_no_last_look_is_wanted(
    looking: Ward, monkeypatch: pytest.MonkeyPatch
) -> None:
    looking.workbench.workspace.settings = replace(looking.workbench.settings.current, last_look=False)
    decide(looking)
    page = looking.window.page
    assert page.sheet
    no_flow = Contradiction("Nasal cannula", ("hr",), above=0)
    rows = tuple(replace(row, contradicts=(no_flow,)) if row.id == "device" else row for row in page.sheet.schema.rows)
    page.show_sheet(replace(page.sheet, schema=replace(page.sheet.schema, rows=rows)))
    looking.key(Qt.Key.Key_F)
    assert not filed(looking)
    first = page.looks.last_look.unresolved.text().splitlines()[0]
    assert first == "These do not fit together: Oxygen device: Nasal cannula and Heart rate: 112"


def test_escape_goes_back_and_files_nothing(looking: Ward, out: Path) -> None:
    decide(looking)
    looking.key(Qt.Key.Key_F)
    looking.key(Qt.Key.Key_Escape)
    assert looking.window.page.flowsheet.hasFocus()
    assert not filed(looking)
    looking.key(Qt.Key.Key_F)
    looking.key(Qt.Key.Key_F)
    looking.until(lambda: filed(looking))


def test_a_key_that_is_held_files_nothing(looking: Ward) -> None:
    decide(looking)
    looking.hold(Qt.Key.Key_F, text="f", seconds=0.5)
    assert looking.window.page.looks.shown
    assert not filed(looking)


def test_what_is_not_reviewed_yet_is_said_instead(looking: Ward) -> None:
    looking.key(Qt.Key.Key_A, SHIFT)
    looking.key(Qt.Key.Key_F)
    looking.until(lambda: looking.window.message.text)
    assert looking.window.page.looks.shown is None
    assert not filed(looking)


def choose(ward: Ward, folder: Path) -> str:
    """Files after the last look into a folder that is asked for; what the question says of it."""
    said: list[str] = []

    def answer(dialog: Any) -> None:
        said.extend(one.text() for one in dialog.findChildren(QLabel))
        dialog.folder.setText(str(folder))
        QTest.keyClick(dialog.folder, Qt.Key.Key_Return)

    def file() -> None:
        ward.key(Qt.Key.Key_F)
        ward.until(lambda: filed(ward))

    ward.in_dialog(file, answer)
    assert list(folder.iterdir())
    return " ".join(said)


@pytest.mark.parametrize("key", [(Qt.Key.Key_F, NONE), ELSEWHERE], ids=["first filing", "elsewhere"])
def test_a_folder_is_asked_for_after_the_last_look_only(
    looking: Ward, tmp_path: Path, key: tuple[Qt.Key, Qt.KeyboardModifier]
) -> None:
    looking.workbench.workspace.settings = replace(looking.workbench.settings.current, file_folder="")
    decide(looking)
    looking.key(*key)
    assert looking.window.page.looks.shown is looking.window.page.looks.last_look
    assert not filed(looking)
    choose(looking, tmp_path / "asked for")


def test_the_first_folder_is_the_usual_one_from_then_on(looking: Ward, tmp_path: Path) -> None:
    looking.workbench.workspace.settings = replace(looking.workbench.settings.current, file_folder="")
    decide(looking)
    looking.key(Qt.Key.Key_F)
    assert "From now on, F files here" in choose(looking, tmp_path / "usual")
    looking.until(lambda: looking.workbench.settings.current.file_folder == str(tmp_path / "usual"))


def test_the_folder_of_one_dictation_is_not_that_of_the_next(looking: Ward, out: Path, tmp_path: Path) -> None:
    decide(looking)
    looking.key(*ELSEWHERE)
    assert "For this dictation only" in choose(looking, tmp_path / "for once")
    assert looking.workbench.settings.current.file_folder == str(out)
    looking.key(Qt.Key.Key_U)
    looking.until(lambda: not filed(looking))
    looking.key(Qt.Key.Key_F)
    looking.key(Qt.Key.Key_F)
    looking.until(lambda: filed(looking))
    assert list(out.iterdir()), "nothing was asked"


def test_after_going_back_file_files_in_the_usual_folder(looking: Ward, out: Path) -> None:
    decide(looking)
    looking.key(*ELSEWHERE)
    looking.key(Qt.Key.Key_Escape)
    looking.key(Qt.Key.Key_F)
    looking.key(Qt.Key.Key_F)
    looking.until(lambda: filed(looking))
    assert list(out.iterdir())
