"""`kill -9` of the whole program while it records takes nothing that had reached the disk, and changes nothing else."""

from __future__ import annotations

import random
import sys
import time
import wave
from collections.abc import Callable
from pathlib import Path

import pytest

from speech import recording_journal
from speech.audio import SAMPLE_RATE
from speech.recording_journal import Kept
from tests.gui.conftest import Ward
from tests.gui.killing import Started, patient_with_a_review, record_until, under_way, what_is_kept
from tests.kit.audio import counted


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_kill_9_at_random_moments(use_schema: None, tmp_path: Path, new_ward: Callable[..., Ward]) -> None:
    """A moment is so much sound on the disk: all that is heard gets there, while nothing else happens."""
    patient = patient_with_a_review(tmp_path)
    dice = random.Random(11)
    before, known = what_is_kept(), dict[str, Kept]()
    for seconds in (0.0, *(dice.uniform(0.2, 3.0) for _ in range(3))):
        samples = round(seconds * SAMPLE_RATE)

        def enough(_: Started, known: dict[str, Kept] = known, samples: int = samples) -> bool:
            time.sleep(0.005)
            return any(kept.samples >= samples for name, kept in under_way().items() if name not in known)

        offered = record_until(enough).offered
        assert set(offered) == {name for name, kept in known.items() if not kept.too_short}
        now = under_way()
        assert {name: now[name].samples for name in offered} == {name: known[name].samples for name in offered}
        (new,) = (kept for name, kept in now.items() if name not in known)
        assert new.samples >= samples
        assert b"".join(recording_journal.blocks(new)) == counted(0, new.samples), "what is kept is not what was said"
        assert new.head.patient_id == patient
        assert what_is_kept() == before, "something else changed"
        known = now

    ward = new_ward()
    ward.until(ward.window.recovery.isVisible)
    kept = ward.window.recovery._recordings[0].kept
    assert "was not finished" in ward.window.recovery.text
    ward.click(ward.window.recovery.keep)
    ward.until_filled(kept.wave.name)
    sheet = ward.window.page.sheet
    assert sheet
    assert sheet.patient.id == patient
    with wave.open(str(sheet.dictation.path), "rb") as taken_in:
        assert taken_in.readframes(taken_in.getnframes()) == counted(0, kept.samples)
    assert kept.folder.name not in under_way()
