"""Text files in place of a recording: every usual encoding, and every file that is not text."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.base.errors import InputError
from speech.text_file import MAXIMUM_CHARACTERS, TURNED_AROUND, read_text

SAID = "Temperature 38.4 °C.\nShe denies “pain” – no café."


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_usual_encodings_are_read(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "note.txt"
    path.write_bytes(SAID.encode(encoding))
    assert read_text(path).text == SAID


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_line_endings_become_newlines(tmp_path: Path, ending: str) -> None:
    path = tmp_path / "note.txt"
    path.write_bytes(ending.join(["", "one", "two", ""]).encode())
    assert read_text(path).text == "one\ntwo"


def test_a_text_file_has_no_times(tmp_path: Path) -> None:
    path = tmp_path / "note.txt"
    path.write_text("Pain 3.", encoding="utf-8")
    transcript = read_text(path)
    assert (transcript.duration, transcript.words, transcript.model) == (0.0, (), "")
    assert transcript.audio_span(0, 4) is None


@pytest.mark.parametrize("stray", ["\x07", "\x0b", "\x0c", "\x1b", "\x7f", "\x85"])
def test_a_stray_control_character_becomes_a_space(tmp_path: Path, stray: str) -> None:
    path = tmp_path / "note.txt"
    path.write_text(f"Pain 3 at rest.{stray}Pulse 88.", encoding="utf-8")
    transcript = read_text(path)
    assert (transcript.text, transcript.warnings) == ("Pain 3 at rest. Pulse 88.", ())


@pytest.mark.parametrize("invisible", ["\u200b", "\u200e", "\u2060", "\ufeff", "\u00ad", "\U000e0041"])
def test_characters_without_width_are_left_out(tmp_path: Path, invisible: str) -> None:
    path = tmp_path / "note.txt"
    path.write_text(f"Pulse 8{invisible}8.", encoding="utf-8")
    transcript = read_text(path)
    assert (transcript.text, transcript.warnings) == ("Pulse 88.", ())


@pytest.mark.parametrize("turning", ["\u202e", "\u202d", "\u2067"])
def test_a_text_that_would_be_shown_backwards_is_read_as_it_is_charted_with_a_warning(
    tmp_path: Path, turning: str
) -> None:
    path = tmp_path / "note.txt"
    path.write_text(f"Pulse {turning}211\u202c today.", encoding="utf-8")
    transcript = read_text(path)
    assert (transcript.text, transcript.warnings) == ("Pulse 211 today.", (TURNED_AROUND,))


def test_fifty_pages_are_read(tmp_path: Path) -> None:
    path = tmp_path / "note.txt"
    path.write_text("Heart rate 80. " * 10_000, encoding="utf-8")
    assert len(read_text(path).text) == 149_999


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "no text"),
        (b" \r\n\t ", "no text"),
        (b"\xef\xbb\xbf", "no text"),
        ("\u200b\u202e\x07".encode(), "no text"),
        (b"Pain \x01\x02\x03 3", "not a text file"),
        (b"Pain\x00 3", "not a text file"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "not a text file"),
        (b"\xff\xfeP\x00a", "damaged"),
        (b"a" * (MAXIMUM_CHARACTERS + 1), "longer than"),
        ("°".encode() * (3 * MAXIMUM_CHARACTERS), "longer than"),
    ],
)
def test_files_that_are_not_dictations_are_refused(tmp_path: Path, data: bytes, said: str) -> None:
    path = tmp_path / "note.txt"
    path.write_bytes(data)
    with pytest.raises(InputError, match=said) as caught:
        read_text(path)
    assert "note.txt" in caught.value.what
    assert caught.value.next_step


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no file"):
        read_text(tmp_path / "none.txt")
    with pytest.raises(InputError, match="is a folder"):
        read_text(tmp_path)
