"""A ward's own words in a test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from extraction.language.vocabulary.loader import use_ward_folder


@contextmanager
def shipped_words_afterwards() -> Iterator[None]:
    """Takes the words back that were put into force meanwhile."""
    try:
        yield
    finally:
        use_ward_folder(None)


def add_words(folder: Path, name: str, content: str) -> Path:
    """Writes a ward's file with additions to the vocabulary of a name into its folder."""
    path = folder / "en" / f"{name}.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")
    return path
