"""A round as a nurse does it, by keys alone: spoken, seen as it is spoken, reviewed and filed."""

from __future__ import annotations

import json
import wave
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app.chart.records import ReviewStatus
from app.system import paths
from speech import recording_journal
from tests.gui.conftest import Ward, lay_out
from tests.gui.hands import CTRL, FIFTEEN, MOST_PRESSES, SHIFT, Hands, filed
from tests.kit.audio import voice
from tests.kit.fake_app import SENTENCES, WEIGHED_BY, FakeEngine, follow
from tests.kit.heartbeat import Heartbeat

BLOCK_MS = 100  # the fake microphone gives so much at once
SPOKEN = voice(3.0)
HEARD = FIFTEEN.replace(" for bed twelve", "")  # each round is at another bed
# what is to be in the file, by row: the value, its unit and how it was decided about; the rejected one is not
CHARTED: dict[str, tuple[Any, str | None, str]] = {
    "hr": (112.0, "/min", "confirmed"),
    "rhythm": ("Regular", None, "confirmed"),
    "bp": ("142/74", "mm[Hg]", "confirmed"),
    "temp": (37.0, "Cel", "edited"),
    "rr": (22.0, "/min", "confirmed"),
    "spo2": (94.0, "%", "confirmed"),
    "device": ("Simple mask", None, "edited"),
    "breath": (["Crackles", "Wheezes"], None, "confirmed"),
    "orientation": (["Person", "Place"], None, "confirmed"),
    "urine": (650.0, "mL", "confirmed"),
    "bm": ("2026-11-19", None, "confirmed"),
    "turned": ("06:15", None, "confirmed"),
    "alarm": (True, None, "confirmed"),
    "skin": ("red but intact", None, "confirmed"),
}


def opened(new_ward: Callable[..., Ward]) -> Ward:
    """A ward whose engine hears `HEARD` in each recording, three values of which are lit."""
    engine = FakeEngine()
    engine.weighed_by, engine.heard = WEIGHED_BY, HEARD
    ward = new_ward(engine)
    ward.until_ready()
    return ward


class Speaker:
    """Speaks into the microphone, block after block as fast as one speaks, and is heard by the window meanwhile."""

    def __init__(self, ward: Ward) -> None:
        self._ward, self.said = ward, b""

    def speak(self, blocks: int) -> None:
        size = BLOCK_MS * 32
        for _ in range(blocks):
            block = SPOKEN[len(self.said) : len(self.said) + size]
            self._ward.microphones.capture.give(block)
            self.said += block
            self._ward.qtbot.wait(BLOCK_MS)


class Rounds:
    """Goes from bed to bed; the heart beats from the new patient to the filed file."""

    def __init__(self, ward: Ward, out: Path, pictures: Path) -> None:
        self.ward, self.out, self.pictures = ward, out, pictures
        self.heart = Heartbeat()
        self._beds = count(1)

    def one(self) -> dict[str, float]:
        """A whole round; by step, the seconds for which it held the window at the longest."""
        bed = next(self._beds)
        self.heart.start()
        self.begin(bed)
        speaker = Speaker(self.ward)
        self.listen(speaker)
        presses = self.review_and_file()
        self.heart.stop()
        print(f"{presses} key presses")
        self.look_at_what_is_kept(bed, speaker.said)
        assert presses <= MOST_PRESSES
        return self.heart.held

    def begin(self, bed: int) -> None:
        """A new patient, and the key that records."""
        ward = self.ward
        self.heart.step("a new patient")

        def enter(dialog: Any) -> None:
            while QApplication.focusWidget() is not dialog.name:
                ward.key(Qt.Key.Key_Tab)
            for field, text in ((dialog.name, f"Patient {bed}"), (dialog.mrn, f"00471{bed}"), (dialog.bed, f"{bed}")):
                while QApplication.focusWidget() is not field:
                    ward.key(Qt.Key.Key_Tab)
                ward.type(text)
            dialog.name.setFocus()
            ward.key(Qt.Key.Key_Return)

        ward.in_dialog(lambda: ward.key(Qt.Key.Key_P, CTRL), enter)
        ward.until(lambda: ward.window.selection.patient and ward.window.selection.patient.bed == f"{bed}")
        self.heart.step("recording begins")
        ward.engine.following = follow(2, 5, heard=HEARD)
        ward.key(Qt.Key.Key_F9)
        assert ward.window.recorder.running

    def listen(self, speaker: Speaker) -> None:
        """Words and values come while somebody speaks, and change nothing in the chart."""
        ward, live = self.ward, self.ward.window.live
        self.heart.step("words come")
        speaker.speak(1)
        ward.until(lambda: live.isVisible() and ward.live_words() == " ".join(SENTENCES[:2]))
        ward.until(lambda: ward.live_rows() == {"Heart rate": "112", "Heart rhythm": "Regular"})
        speaker.speak(8)
        ward.until(lambda: ward.live_words() == " ".join(SENTENCES[:5]))
        ward.until(lambda: len(ward.live_rows()) == 8)
        self.picture("spoken")
        speaker.speak(6)
        ward.key(Qt.Key.Key_F9)
        self.heart.step("the sheet comes")
        speaker.speak(1)  # the last word comes through
        ward.until(lambda: ward.window.recorder.recording is None)
        ward.until_review(15)

    def review_and_file(self) -> int:
        """Reviews fifteen values and files them; how many keys were pressed."""
        ward, page = self.ward, self.ward.window.page
        self.heart.step("review")
        ward.until(page.flowsheet.hasFocus)
        assert page.flowsheet.lit == 3
        assert {value.status for value in ward.values()} == {ReviewStatus.PROPOSED}
        self.picture("to review")
        hands = Hands(ward)
        hands.press(Qt.Key.Key_1, Qt.Key.Key_Return)  # corrected by the number of another reading
        hands.press(Qt.Key.Key_R)  # rejected
        hands.press(Qt.Key.Key_E, Qt.Key.Key_3, Qt.Key.Key_7, Qt.Key.Key_Return)  # edited
        hands.press(Qt.Key.Key_A, modifiers=SHIFT)  # the rest
        self.heart.step("filing")
        hands.press(Qt.Key.Key_F)
        ward.until(lambda: filed(ward))
        self.picture("filed")
        return hands.pressed

    def look_at_what_is_kept(self, bed: int, said: bytes) -> None:
        """The file holds what was decided and nothing else; the recording is whole and nothing is left unfinished."""
        store, sheet = self.ward.workbench.workspace.store, self.ward.window.page.sheet
        assert sheet
        (path,) = self.out.glob(f"wardlight-*T????-{sheet.dictation.id}-*.json")
        records = json.loads(path.read_text(encoding="utf-8"))["records"]
        assert {one["row_id"]: (one["value"], one["unit"], one["status"]) for one in records} == CHARTED
        assert len(records) == len(CHARTED)
        assert {(one["patient_name"], one["patient_bed"], one["reviewer"]) for one in records} == {
            (f"Patient {bed}", f"{bed}", "R. Nurse")
        }
        assert all(one["evidence"] and one["evidence"] in HEARD for one in records)
        filing = store.filings.of(sheet.dictation.id)
        assert filing
        assert sorted(filing.files) == sorted(map(str, self.out.glob(f"wardlight-*T????-{sheet.dictation.id}-*")))
        decided = {value.row_id: value.status for value in store.values.of(sheet.dictation.id)}
        assert decided == {row: ReviewStatus(status) for row, (_, _, status) in CHARTED.items()} | {
            "foley": ReviewStatus.REJECTED
        }
        with wave.open(str(sheet.dictation.path), "rb") as kept:
            assert kept.readframes(kept.getnframes()) == said
        assert recording_journal.unfinished(paths.unfinished_dir()) == []

    def picture(self, name: str) -> None:
        with self.heart.left_out():
            lay_out()
            assert self.ward.window.grab().save(str(self.pictures / f"{name}.png"))
