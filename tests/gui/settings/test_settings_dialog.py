"""The settings explain themselves, and go back to their defaults page by page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QComboBox, QFileDialog, QLabel, QLineEdit, QPushButton, QSlider, QSpinBox

from app.chart.records import ReviewStatus
from app.contracts import build_from_folder, save_contract
from app.system import paths
from app.system.record_system import DeliverySettings, RecordSystemSettings
from app.system.settings import CHOICES, Settings, load_settings
from tests.gui.conftest import Ward
from tests.kit.exports import write_exports
from tests.kit.fake_keyring import Keyring

FIELDS = (QCheckBox, QComboBox, QLineEdit, QSlider, QSpinBox)
CHANGED = Settings(
    confirm_signer_minutes=5,
    theme="contrast",
    scale=150,
    collect_examples=True,
    alpha=0.1,
    conflict_weight=1.0,
    accept_threshold=0.5,
    device="cpu",
    threads=1,
    microphone="headset",
    record_key="F13",
    hold_to_talk=True,
    spoken_commands=True,
    while_recording="keep",
    keep_audio="days",
    keep_audio_days=7,
    setup_finished=True,
    file_folder="/srv/chart",
    file_format="json and pdf",
    paper="letter",
    last_look=False,
    shift_starts="06:30, 14:30, 22:30",
    delivery=DeliverySettings(format="fhir", address="engine.hospital:2575"),
    record_system=RecordSystemSettings(receiving_application="CHART^1.2.3", mrn_system="urn:oid:1.2.4", withdrawn="W"),
)
OF_PAGE = {
    "general": (
        "confirm_signer_minutes",
        "theme",
        "scale",
        "collect_examples",
        "schema",
        "shift_starts",
    ),
    "lighting": ("alpha", "conflict_weight", "accept_threshold"),
    "machine": ("device", "threads"),
    "recording": (
        "microphone",
        "record_key",
        "hold_to_talk",
        "spoken_commands",
        "while_recording",
        "keep_audio",
        "keep_audio_days",
    ),
    "files": (
        "file_folder",
        "file_format",
        "paper",
        "hospital_columns",
        "last_look",
        "contract",
        "delivery",
        "record_system",
    ),
}


def in_settings(ward: Ward, do: Callable[[Any], None]) -> None:
    ward.in_dialog(lambda: ward.key(Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier), do)


def save(ward: Ward, dialog: Any) -> None:
    QTest.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
    ward.until(lambda: not dialog.isVisible())


@pytest.fixture
def changed(ward: Ward, tmp_path: Path) -> Ward:
    columns = tmp_path / "columns.toml"
    columns.write_text('delimiter = ";"\n')
    schema = ward.workbench.settings.current.schema
    ward.window.settings.save(replace(CHANGED, schema=schema, hospital_columns=str(columns)))
    ward.until(lambda: ward.workbench.settings.current.device == CHANGED.device)
    return ward


@pytest.mark.parametrize("head", OF_PAGE)
def test_each_field_says_what_it_does(ward: Ward, head: str) -> None:
    def look(dialog: Any) -> None:
        ward.click(getattr(dialog, head))
        if head == "lighting":
            ward.click(dialog.lights.advanced)
        fields = [
            field
            for kind in FIELDS
            for field in dialog.findChildren(kind)
            if field.isVisible() and not isinstance(field.parent(), QComboBox | QSpinBox)
        ]
        assert len(fields) >= 3
        assert [field.accessibleName() for field in fields if not field.accessibleDescription()] == []
        written = " ".join(label.text() for label in dialog.findChildren(QLabel) if label.isVisible())
        unwritten = [field.accessibleName() for field in fields if field.accessibleDescription() not in written]
        assert [name for name in unwritten if not name.startswith(("Catch", "Days"))] in ([], [""])

    in_settings(ward, look)


@pytest.mark.parametrize("head", OF_PAGE)
def test_defaults_come_back_for_one_page_and_count_when_they_are_saved(changed: Ward, head: str) -> None:
    before = changed.workbench.settings.current

    def reset(dialog: Any) -> None:
        changed.click(getattr(dialog, head))
        changed.key(Qt.Key.Key_D, Qt.KeyboardModifier.AltModifier)
        assert dialog.defaults.isDown()
        changed.until(lambda: not dialog.defaults.isDown())  # a button that a key presses stays down for a moment
        assert changed.workbench.settings.current == before
        save(changed, dialog)

    in_settings(changed, reset)
    expected = replace(before, **{name: getattr(Settings(), name) for name in OF_PAGE[head]})
    assert load_settings(paths.config_file()) == expected


def test_settings_that_are_saved_as_they_are_stay_as_they_are(changed: Ward) -> None:
    before = changed.workbench.settings.current
    in_settings(changed, lambda dialog: save(changed, dialog))
    assert load_settings(paths.config_file()) == before


@pytest.mark.parametrize("choice", CHOICES["while_recording"])
def test_what_happens_while_somebody_speaks_is_chosen(ward: Ward, choice: str) -> None:
    def choose(dialog: Any) -> None:
        ward.click(dialog.recording)
        dialog.record.meanwhile.setFocus()
        ward.key(Qt.Key.Key_Home)
        for _ in range(CHOICES["while_recording"].index(choice)):
            ward.key(Qt.Key.Key_Down)
        save(ward, dialog)

    in_settings(ward, choose)
    assert load_settings(paths.config_file()).while_recording == choice
    ward.add_patient()
    ward.key(Qt.Key.Key_F9)
    ward.microphones.capture.give(bytes(6400))
    ward.until(lambda: ward.window.recorder.recording and ward.window.recorder.recording.folder)
    ward.until(lambda: ward.engine.followed == {"show": [False], "keep": [True], "nothing": []}[choice])


def test_shifts_begin_at_times_of_day(ward: Ward) -> None:
    def choose(dialog: Any) -> None:
        assert dialog.shifts.text() == "07:00, 19:00"
        for wrong in ("seven", "25:00", ""):
            dialog.shifts.setText(wrong)
            QTest.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
            assert "such as 07:00, 19:00" in dialog._error.text()
        dialog.shifts.setText("22:00, 06:00,14:00")
        save(ward, dialog)

    in_settings(ward, choose)
    assert [f"{start:%H}" for start in load_settings(paths.config_file()).shifts] == ["06", "14", "22"]


def test_the_filing_folder_is_chosen_and_used(ward: Ward, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "chart"))

    def choose(dialog: Any) -> None:
        ward.click(dialog.files)
        assert dialog.filing.folder.text() == ""
        dialog.filing.folder.setFocus()
        ward.type("chart")
        QTest.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
        assert "not a full path" in dialog._error.text()
        (browse,) = (one for one in dialog.findChildren(QPushButton) if one.toolTip() == "Choose the filing folder")
        ward.click(browse)
        save(ward, dialog)

    in_settings(ward, choose)
    ward.add_patient()
    ward.open_text()
    ward.until_review()
    for value in ward.values():
        ward.window.review.watch(ward.workbench.review.decide(ward.window.page.sheet, [value.id], "confirm"))
    ward.until(lambda: not ward.window.page.sheet.count(ReviewStatus.PROPOSED))
    ward.key(Qt.Key.Key_F)
    ward.until(lambda: ward.window.page.sheet.filing)
    assert sorted(path.suffix for path in (tmp_path / "chart").iterdir()) == [".csv", ".json"]


def test_the_way_to_the_record_system_is_chosen_and_counts_at_once(ward: Ward) -> None:
    assert not ward.workbench.delivery.on

    def choose(dialog: Any) -> None:
        ward.click(dialog.files)
        fields = dialog.filing.record_system
        assert not fields.address.isEnabled()
        fields.channel.setCurrentIndex(fields.channel.findData("mllp"))
        assert fields.address.isEnabled()
        assert not fields.folder.isEnabled()
        for address, says in (("", "“Address” cannot be ''"), ("engine.hospital", "engine.hospital:2575")):
            fields.address.setText(address)
            QTest.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
            assert says in dialog._error.text()
        fields.address.setText("engine.hospital:2575")
        fields.names["code_system"].setText("our codes")
        QTest.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
        assert "“URI of the codes” cannot be 'our codes'" in dialog._error.text()
        fields.names["code_system"].setText("urn:oid:1.2.5")
        save(ward, dialog)

    in_settings(ward, choose)
    kept = load_settings(paths.config_file())
    assert kept.delivery == DeliverySettings("mllp", address="engine.hospital:2575")
    assert kept.record_system == RecordSystemSettings(code_system="urn:oid:1.2.5")
    assert ward.workbench.delivery.on
    ward.until(lambda: "go to the record system" in ward.window.banner._offline.toolTip())


def test_a_password_goes_into_the_keyring_and_never_into_the_settings(ward: Ward, keyring: Keyring) -> None:
    def choose(dialog: Any) -> None:
        ward.click(dialog.files)
        fields = dialog.filing.record_system
        assert not fields.sign_in.kind.isEnabled()
        fields.channel.setCurrentIndex(fields.channel.findData("fhir"))
        fields.address.setText("https://chart.harbour/fhir")
        sign_in = fields.sign_in
        sign_in.kind.setCurrentIndex(sign_in.kind.findData("basic"))
        assert not sign_in.token_address.isEnabled()
        QTest.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
        assert "“User or client id” is missing" in dialog._error.text()
        sign_in.user.setText("ward 7")
        QTest.keyClicks(sign_in.secret, "s3cret")
        assert sign_in.secret.displayText() != "s3cret"
        save(ward, dialog)

    in_settings(ward, choose)
    kept = load_settings(paths.config_file()).delivery
    assert (kept.sign_in, kept.user) == ("basic", "ward 7")
    assert list(keyring.kept.values()) == [kept.sign_in_secret.read()] == ["s3cret"]
    assert "s3cret" not in paths.config_file().read_text()

    def again(dialog: Any) -> None:
        ward.click(dialog.files)
        sign_in = dialog.filing.record_system.sign_in
        assert sign_in.secret.text() == ""
        assert "leave empty to keep it" in sign_in.secret.placeholderText()
        save(ward, dialog)

    in_settings(ward, again)
    assert list(keyring.kept.values()) == ["s3cret"]


def test_without_a_keyring_the_page_says_how_long_a_password_is_kept(ward: Ward, keyring: Keyring) -> None:
    keyring.get_keyring().priority = 0

    def choose(dialog: Any) -> None:
        ward.click(dialog.files)
        fields = dialog.filing.record_system
        fields.channel.setCurrentIndex(fields.channel.findData("fhir"))
        fields.sign_in.kind.setCurrentIndex(fields.sign_in.kind.findData("bearer"))
        assert "kept until Wardlight closes" in fields.sign_in.secret.toolTip()
        assert "WARDLIGHT_SIGN_IN_SECRET" in fields.sign_in.secret.toolTip()
        dialog.reject()

    in_settings(ward, choose)


def test_a_contract_of_another_template_is_refused(ward: Ward, tmp_path: Path) -> None:
    save_contract(build_from_folder(write_exports(tmp_path / "exports")).contract, tmp_path / "contract.json")
    before = ward.workbench.settings.current

    def choose(dialog: Any) -> None:
        ward.click(dialog.files)
        dialog.filing.record_system.contract.setText(str(tmp_path / "contract.json"))
        QTest.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
        ward.until(lambda: "is not the contract from which" in dialog._error.text())

    in_settings(ward, choose)
    assert ward.workbench.settings.current == before


def test_the_formats_are_chosen_and_offered_at_the_next_export(ward: Ward, tmp_path: Path) -> None:
    (tmp_path / "wrong.toml").write_text('delimiter = "several"\n')

    def choose(dialog: Any) -> None:
        ward.click(dialog.files)
        boxes = dialog.filing.formats
        assert [name for name, box in boxes.items() if box.isChecked()] == ["json", "csv"]
        for name in ("json", "csv"):
            ward.click(boxes[name])
        QTest.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
        assert "No kind of file is chosen" in dialog._error.text()
        for name in ("xlsx", "pdf"):
            ward.click(boxes[name])
        dialog.filing.columns.setText(str(tmp_path / "wrong.toml"))
        QTest.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
        ward.until(lambda: "delimiter" in dialog._error.text())
        dialog.filing.columns.clear()
        save(ward, dialog)

    in_settings(ward, choose)
    assert load_settings(paths.config_file()).file_formats == ("xlsx", "pdf")
    ward.add_patient()
    ward.open_text()
    ward.until_review()
    value = next(one for one in ward.values() if one.id not in ward.window.page.sheet.conflicts)
    ward.window.review.watch(ward.workbench.review.decide(ward.window.page.sheet, [value.id], "confirm"))
    ward.until(lambda: ward.window.page.sheet.exportable)

    def write(dialog: Any) -> None:
        assert [name for name, box in dialog.formats.items() if box.isChecked()] == ["xlsx", "pdf"]
        dialog.folder.setText(str(tmp_path / "out"))
        QTest.mouseClick(dialog.export, Qt.MouseButton.LeftButton)
        ward.until(lambda: dialog.written.isVisible())
        dialog.reject()

    ward.in_dialog(ward.window.actions_["export"].trigger, write)
    assert sorted(path.suffix for path in (tmp_path / "out").iterdir()) == [".pdf", ".xlsx"]
