"""Which files can be taken in: recordings and texts."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from app.services.engine.engine import Engine
from models.base.errors import InputError
from speech.transcript import Transcript

TEXT_SUFFIXES = (".txt", ".text", ".md")
AUDIO_SUFFIXES = (".wav", ".flac", ".mp3", ".m4a", ".ogg", ".oga", ".opus", ".webm", ".aac", ".mp4", ".wma", ".amr")


def refuse_unusable(path: Path, engine: Engine) -> datetime | None:
    """Raises InputError for a file from which nothing can be read, before anything is stored.

    Returns when it was recorded; None if the file does not say so.
    """
    if kind_of(path) == "audio":
        return engine.check_recording(path)
    text_of(path)
    return None


def text_of(path: Path) -> Transcript:
    from speech.text_file import read_text

    return read_text(path)


def kind_of(path: Path) -> str:
    """`audio` or `text`, by the file's name. Raises InputError for anything else and for a missing file."""
    try:
        if path.is_dir():
            raise InputError(f"{path.name} is a folder.", "Choose a recording or text inside it.")
        if not path.is_file():
            raise InputError(f"{path.name} no longer exists.", "Choose the recording again.")
    except OSError as error:
        raise InputError(f"{path.name} cannot be read: {error.strerror}.", "Check its permissions.") from error
    suffix = path.suffix.lower()
    if suffix in TEXT_SUFFIXES:
        return "text"
    if suffix in AUDIO_SUFFIXES:
        return "audio"
    raise InputError(
        f"{path.name} is not a recording or text that Wardlight can read.",
        "Choose an audio file (for example .wav, .mp3 or .m4a) or a text file (.txt).",
    )
