"""A value that a person says to one row of a sheet, instead of typing it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from app.chart.sheet import Sheet
from app.services.context.workspace import Workspace
from app.services.engine.job_lanes import AnyJob, Job
from app.services.review.jobs import SPOKEN_VALUE, Command, SpokenValue
from app.system import paths
from extraction.flowsheet.schema import Row
from models.base.atomic_files import disk
from models.base.progress import ProgressMonitor, stop_if
from speech.audio import wave_writer
from speech.errors import AudioError


class SpokenValueService:
    """Hears values."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def hear(self, sheet: Sheet, row: Row, sound: bytes) -> Job[str, SpokenValue]:
        """Transcribes `sound` (int16 samples, mono, 16 kHz) and reads the value of a row from it, or a `Command`.

        Nothing is charted, and the sound is not kept. The job raises InputError if no value, or several, were said,
        AudioError if nothing was heard, and what transcribing raises.
        """
        settings = self._workspace.settings

        def work(job: AnyJob) -> SpokenValue:
            from extraction.filling.spoken_value import spoken_value

            monitor = ProgressMonitor(cancelled=job.is_cancelled)
            try:
                with _in_file(sound) as file:
                    said = self._workspace.engine.transcribe(file, sheet.schema, settings=settings, monitor=monitor)
            except AudioError as error:
                raise AudioError(
                    f"Nothing was heard for {row.name}.", "Hold V while you say the value, close to the microphone."
                ) from error
            stop_if(monitor.cancelled)
            command = _command(row, said.text) if settings.spoken_commands else None
            return SpokenValue(row, command or spoken_value(row, sheet.schema, said.text, sheet.day), said.text.strip())

        return self._workspace.filling.submit(SPOKEN_VALUE, row.id, work, first=True)


def _command(row: Row, words: str) -> Command | None:
    """The command that the words are; None if they are more, or an option of the row."""
    plain = words.strip(" .,!?").casefold()
    if any(plain == form.casefold() for option in row.options for form in option.forms):
        return None
    return next((command for command in Command if plain == command.value), None)


@contextmanager
def _in_file(sound: bytes) -> Iterator[Path]:
    """The sound as a file for the speech model, removed afterwards. Raises ResourceError if the disk fails."""
    folder = paths.scratch_dir()
    with ExitStack() as until_heard:
        with disk(folder):
            folder.mkdir(parents=True, exist_ok=True)
            scratch = until_heard.enter_context(TemporaryDirectory(dir=folder))
            file = Path(scratch, "value.wav")
            with wave_writer(file) as out:
                out.writeframes(sound)
        yield file
