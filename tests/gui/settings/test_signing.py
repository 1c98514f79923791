"""Who signs is asked before anything is decided, shown at all times and switched with one key."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest

from app.chart.records import ReviewStatus
from app.services.engine.job_lanes import JobKind
from app.system import paths
from app.system.settings import load_settings, save_settings
from tests.gui.conftest import NARROW, Ward
from tests.kit.fake_app import FakeEngine

CTRL = Qt.KeyboardModifier.ControlModifier
Key = Qt.Key


@pytest.fixture
def unsigned(new_ward: Callable[..., Ward], use_schema: None) -> Ward:
    """A review that waits, and nobody has ever signed."""
    save_settings(replace(load_settings(paths.config_file()), reviewer=""), paths.config_file())
    ward = new_ward(FakeEngine())
    ward.until_ready()
    ward.add_patient()
    ward.open_text()
    ward.until_review()
    ward.choose("hr")
    return ward


def sign_as(name: str, role: str = "") -> Callable[[Any], None]:
    def enter(dialog: Any) -> None:
        QTest.keyClicks(dialog.name, name)
        QTest.keyClicks(dialog.role, role)
        QTest.keyClick(dialog.role, Key.Key_Return)

    return enter


def test_the_first_decision_asks_who_signs_and_is_then_made(unsigned: Ward) -> None:
    assert unsigned.window.banner.signer.accessibleName() == "No signer"
    unsigned.in_dialog(lambda: unsigned.key(Key.Key_A), sign_as("Anna Novak", "RN"))
    unsigned.until_status("hr", ReviewStatus.CONFIRMED)
    assert unsigned.value("hr").reviewer == "Anna Novak, RN"
    assert unsigned.window.banner.signer.accessibleName() == "Signing: Anna Novak, RN"


def test_without_a_signer_nothing_is_decided(unsigned: Ward) -> None:
    for act in (
        lambda: unsigned.key(Key.Key_A),
        lambda: unsigned.key(Key.Key_R),
        lambda: unsigned.key(Key.Key_A, Qt.KeyboardModifier.ShiftModifier),
        lambda: unsigned.key(Key.Key_F),
    ):
        unsigned.in_dialog(act, lambda dialog: dialog.reject())
    unsigned.until_idle()
    assert {value.status for value in unsigned.values()} == {ReviewStatus.PROPOSED}
    assert unsigned.workbench.workspace.store.signers.all() == ()


def test_one_key_and_a_few_letters_switch_who_signs(unsigned: Ward) -> None:
    unsigned.in_dialog(lambda: unsigned.key(Key.Key_G, CTRL), sign_as("Anna Novak", "RN"))
    unsigned.until(lambda: unsigned.workbench.signing.known)
    unsigned.in_dialog(lambda: unsigned.key(Key.Key_G, CTRL), sign_as("Ben Lee"))
    unsigned.until(lambda: len(unsigned.workbench.signing.known) == 2)

    def choose(dialog: Any) -> None:
        assert dialog.list.item(0).text() == "Ben Lee", "the most recent is first"
        QTest.keyClicks(dialog.search, "nov")
        QTest.keyClick(dialog.search, Key.Key_Return)

    unsigned.in_dialog(lambda: unsigned.key(Key.Key_G, CTRL), choose)
    unsigned.key(Key.Key_A)
    unsigned.until_status("hr", ReviewStatus.CONFIRMED)
    assert unsigned.value("hr").reviewer == "Anna Novak, RN"


def test_a_decision_that_waits_keeps_the_name_of_who_made_it(review: Ward) -> None:
    review.workbench.workspace.sheets.submit(
        JobKind("wait"), None, lambda _: review.qtbot and __import__("time").sleep(0.3)
    )
    review.key(Key.Key_A)
    review.in_dialog(lambda: review.key(Key.Key_G, CTRL), sign_as("Ben Lee"))
    review.until_status("hr", ReviewStatus.CONFIRMED)
    assert review.value("hr").reviewer == "R. Nurse"


def test_at_the_start_of_the_program_one_press_says_that_it_is_still_the_same_person(review: Ward) -> None:
    review.workbench.signing.propose(review.workbench.signing.signer)

    def confirm(dialog: Any) -> None:
        assert dialog.marked.signature == "R. Nurse"
        QTest.keyClick(dialog.search, Key.Key_Return)

    review.in_dialog(lambda: review.key(Key.Key_A), confirm)
    review.until_status("hr", ReviewStatus.CONFIRMED)
    assert review.value("hr").reviewer == "R. Nurse"


def test_after_a_while_without_a_signature_it_is_asked_again(review: Ward) -> None:
    signing = review.workbench.signing
    signing.minutes = 15
    now = signing.clock()
    signing.clock = lambda: now + 14 * 60
    assert signing.sure
    signing.clock = lambda: now + 16 * 60
    assert not signing.sure
    signing.minutes = 0
    assert signing.sure


@pytest.mark.parametrize("size", [QSize(1280, 800), NARROW])
def test_who_signs_is_seen_at_every_width(review: Ward, size: QSize) -> None:
    review.window.resize(size)
    review.until_idle()
    signer = review.window.banner.signer
    assert signer.isVisible()
    assert signer.visibleRegion().boundingRect().size() == signer.size()
    assert signer.text() not in ("", "…")


def test_a_filed_sheet_has_no_editor_and_says_how_to_change_it(review: Ward, out: object) -> None:
    page, store = review.window.page, review.workbench.workspace.store
    assert page.sheet
    number = page.sheet.dictation.id
    store.reviews.decide_all([value.id for value in review.values()], "confirm", "Anna Novak, RN")
    store.filings.file(number, "R. Nurse", [])
    review.window.navigation.show_dictation(number)
    review.until(lambda: page.sheet and page.sheet.filing)
    assert page.detail.editor is not None
    for control in (page.detail.editor, page.detail.accept, page.detail.reject, page.detail.observed):
        assert not control.isVisible()
    assert page.detail.locked.isVisible()
    assert page.filed.words.text().startswith("Filed by R. Nurse")
    assert "reviewed by Anna Novak, RN (18)" in page.filed._files.text()
    review.key(Key.Key_A)
    assert review.window.message.text.startswith("This sheet is filed.")


def test_where_there_is_room_the_whole_name_of_who_signs_is_shown(unsigned: Ward) -> None:
    name = "Anastasia Nowakowski-Hernandez"
    unsigned.window.resize(1366, 768)
    unsigned.in_dialog(lambda: unsigned.key(Key.Key_G, CTRL), sign_as(name, "RN"))
    unsigned.until(lambda: unsigned.window.banner.signer.text() == f"{name}, RN")
    unsigned.in_dialog(lambda: unsigned.key(Key.Key_G, CTRL), sign_as("Al"))
    unsigned.until(lambda: unsigned.window.banner.signer.text() == "Al")
