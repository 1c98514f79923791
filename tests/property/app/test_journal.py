"""However a recording is paused and cut off, its beginning is readable, and finishing keeps all of it."""

from __future__ import annotations

import tempfile
import wave
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from speech import recording_journal
from speech.recording_journal import Head, Journal

HEAD = Head("2026-03-04T05:06:07+00:00", 1, "", "ward", "")
STEPS = st.lists(st.binary(max_size=90) | st.sampled_from(["pause", "resume"]), max_size=12)


@settings(max_examples=150)
@given(STEPS, st.floats(0, 1), st.floats(0, 1))
def test_a_cut_at_any_byte_leaves_the_beginning_readable(
    steps: list[bytes | str], sound_left: float, marks_left: float
) -> None:
    with tempfile.TemporaryDirectory() as name, Journal(Path(name), HEAD) as opened:
        spoken, marks = b"", []
        for step in steps:
            if isinstance(step, bytes):
                opened.append(step)
                spoken += step
            else:
                opened.mark(step)  # type: ignore[arg-type]
                marks.append((step, len(spoken) // 2))
        for file, left in (("sound.pcm", sound_left), ("marks.jsonl", marks_left)):
            path = opened.folder / file
            size = path.stat().st_size
            with path.open("r+b") as stream:
                stream.truncate(round(size * left))
        kept = recording_journal.read(opened.folder)
        heard = b"".join(recording_journal.blocks(kept))
        assert heard == spoken[: len(heard)]
        assert len(heard) == round(len(spoken) * sound_left) // 2 * 2
        found = [(mark.kind, mark.sample) for mark in kept.marks]
        assert found == marks[: len(found)]
        assert all(place <= kept.samples for _, place in found)
        if sound_left == marks_left == 1.0:
            assert found == marks


@settings(max_examples=40)
@given(st.binary(min_size=3200, max_size=9000), st.binary(max_size=60))
def test_finishing_keeps_every_sample_whatever_the_marks_contain(pcm: bytes, garbage: bytes) -> None:
    with tempfile.TemporaryDirectory() as name:
        with Journal(Path(name), HEAD) as opened:
            opened.append(pcm)
            opened.mark("pause")
        with (opened.folder / "marks.jsonl").open("ab") as file:
            file.write(garbage)
        with wave.open(str(recording_journal.finish(opened.folder)), "rb") as out:
            assert out.readframes(out.getnframes()) == pcm[: len(pcm) // 2 * 2]
