"""A folder from which the receiver takes messages, and in which it leaves its answers.

`ID.json.partial` is a message that is being written, `ID.json` one that the receiver may take. It answers with a file
beside it: `ID.json.ack` or `ID.ack` once it has the message, `ID.json.err` or `ID.err` with the reason if it does not
take it. What the file contains decides where it is an answer in the format of the message. The first answer counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from app.exchange.message_formats import Answer, MessageFormat
from app.services.delivery.channel import NotAccepted, OutcomeUnknown
from models.base.atomic_files import sync_folder, write_and_sync
from models.base.errors import ResourceError

_REFUSED, _ACCEPTED = ".err", ".ack"


class DropFolder:
    """The channel. The folder is never created: an empty one in the place of a missing drive would swallow messages."""

    def __init__(self, folder: Path, message_format: MessageFormat) -> None:
        self._folder, self._format = folder, message_format

    def send(self, message_id: str, data: bytes, leaving: Callable[[], None]) -> Answer | None:
        target, partial = self._paths(message_id)
        self._require()
        try:
            for path, _ in self._answers(message_id):  # to an earlier try
                path.unlink(missing_ok=True)
            write_and_sync(partial, data)
            sync_folder(self._folder)
        except OSError as error:
            raise self._not_written(error) from error
        leaving()
        try:
            partial.replace(target)
        except OSError as error:
            if self._may_have_left(message_id):
                raise OutcomeUnknown(
                    f"Whether the message was written to {self._folder} is not known: {error.strerror}.",
                    "It is tried again by itself.",
                ) from error
            raise self._not_written(error) from error
        with suppress(OSError):  # if the name is lost with the power, the partial file says so
            sync_folder(self._folder)
        return None

    def _may_have_left(self, message_id: str) -> bool:
        """Whether renaming failed in its answer alone; a folder that is out of reach does not say."""
        try:
            return self.left(message_id)
        except NotAccepted:
            return True

    def left(self, message_id: str) -> bool:
        self._require()
        # a message leaves by this file's being renamed
        return not self._paths(message_id)[1].exists()

    def answer(self, message_id: str) -> Answer | None:
        self._require()
        for path, accepted in self._answers(message_id):
            try:
                data = path.read_bytes()
            except OSError:  # not there, or still being written
                continue
            try:
                written = self._format.read_answer(data, message_id)
            except ResourceError as error:
                raise OutcomeUnknown(error.what, error.next_step) from error
            reason = data.decode("utf-8", "replace").strip() or "No reason was given."
            return written or Answer(accepted, "" if accepted else reason)
        return None

    def _paths(self, message_id: str) -> tuple[Path, Path]:
        target = self._folder / f"{message_id}{self._format.suffix}"
        return target, target.with_name(f"{target.name}.partial")

    def _answers(self, message_id: str) -> Iterator[tuple[Path, bool]]:
        """The files that can be an answer, and what each means by its name, refusals first."""
        for ending, accepted in ((_REFUSED, False), (_ACCEPTED, True)):
            for name in (f"{message_id}{self._format.suffix}", message_id):
                yield self._folder / f"{name}{ending}", accepted

    def _require(self) -> None:
        if not self._folder.is_dir():
            raise NotAccepted(
                f"The drop folder {self._folder} is not there.", "Connect it, or name another in the settings."
            )

    def _not_written(self, error: OSError) -> NotAccepted:
        return NotAccepted(
            f"The message cannot be written to the drop folder {self._folder}: {error.strerror}.",
            "Check the free space and the permissions of the folder.",
        )
