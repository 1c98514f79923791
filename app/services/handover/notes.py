"""The nurse's note of a dictation, as a job."""

from __future__ import annotations

from pathlib import Path

from app.chart.note.note import Note, note_of
from app.services.context.workspace import Workspace
from app.services.engine.job_lanes import Job
from app.services.handover.jobs import NOTE, NOTE_FILE
from app.services.handover.prepare import chosen_layout
from app.services.review.sheets import SheetService
from models.base.atomic_files import disk, replace_file


class NoteService:
    """Makes notes and saves them."""

    def __init__(self, workspace: Workspace, sheets: SheetService) -> None:
        self._workspace, self._sheets = workspace, sheets

    def make(self, dictation_id: int) -> Job[int, Note]:
        """The note of a dictation's confirmed values, as they are now."""
        return self._workspace.sheets.submit(
            NOTE, dictation_id, lambda _: note_of(self._sheets.read(dictation_id), chosen_layout())
        )

    def save(self, note: Note, path: Path) -> Job[int, Path]:
        """Writes a note into a text file, replacing one of this name."""
        return self._workspace.files.submit(NOTE_FILE, note.dictation_id, lambda _: save_note(note, path))


def save_note(note: Note, path: Path) -> Path:
    """Writes a note into a text file and returns its path."""
    with disk(path):
        replace_file(path, f"{note.text}\n".encode())
    return path
