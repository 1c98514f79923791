"""Text files in the encoding that their bytes prove, plain or packed by gzip, line by line."""

from __future__ import annotations

import codecs
import gzip
import io
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from extraction.contract.errors import SourceError
from models.base.progress import CancelledCallback, never_cancelled, stop_if

CHUNK = 1 << 20
LONGEST_LINE = 1 << 24  # characters
MOST_UNPACKED = 64 * 1024**3  # bytes of a packed file
MOST_TIMES = 300  # as large as when packed; tables reach about 50
HARMLESS = 64 * 1024**2  # bytes that may be packed however small
SAMPLE = 1 << 16  # characters

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_UNDEFINED = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")  # in windows-1252
# What is a character in UTF-8 and would be two or three unlikely ones in windows-1252, such as "Â°" for a degree sign.
_SURELY_UTF_8 = re.compile(
    rb"[\xc2\xc3\xce\xcf][\x80-\xbf]|[\xe1-\xef][\x80-\xbf]{2}|\xe0[\xa0-\xbf][\x80-\xbf]|[\xf1-\xf3][\x80-\xbf]{3}"
    rb"|\xf0[\x90-\xbf][\x80-\xbf]{2}"
)
_AGAIN = "Export the file again."


@dataclass(frozen=True, slots=True)
class TextFile:
    """A text file and its encoding.

    Attributes:
        name: for messages.
        problem: why it cannot be read in any encoding.
    """

    path: Path
    name: str
    encoding: str
    problem: SourceError | None = None

    def sample(self) -> tuple[str, bool]:
        """Its beginning, whole lines as far as it has them, and whether more follows."""
        with opened(self.path, self.name) as file:
            text = io.TextIOWrapper(file, self.encoding, errors="replace", newline="")
            sample = text.read(SAMPLE)
            cut = bool(text.read(1))
        if cut:
            end = max(sample.rfind("\n"), sample[:-1].rfind("\r"))  # a last \r may be half of a line's end
            sample = sample[: end + 1] or sample
        return sample, cut

    def chunks(self) -> Iterator[str]:
        """Its text in parts of any length."""
        with opened(self.path, self.name) as file:
            text = io.TextIOWrapper(file, self.encoding, newline="")
            while chunk := text.read(CHUNK):
                yield chunk

    def lines(self) -> Iterator[str]:
        """Its lines with their ends: \\n, \\r\\n or \\r."""
        number = 0
        with opened(self.path, self.name) as file:
            text = io.TextIOWrapper(file, self.encoding, newline="")
            while line := text.readline(LONGEST_LINE):
                number += 1
                if len(line) == LONGEST_LINE:
                    raise SourceError(
                        f"{self.name}, line {number}, is longer than {LONGEST_LINE:,} characters.", _AGAIN
                    )
                yield line


class _Unpacked(io.RawIOBase):
    """The content of a gzip file, refused as soon as it becomes too large for what it is."""

    def __init__(self, file: gzip.GzipFile, packed: int, name: str) -> None:
        self._file, self._name, self._size = file, name, 0
        self._most = min(MOST_UNPACKED, max(HARMLESS, MOST_TIMES * packed))

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        data = self._file.read(len(buffer))
        self._size += len(data)
        if self._size > self._most:
            raise SourceError(
                f"{self._name} unpacks to more than {self._most // 1024**2:,} MB, far too much for its size.",
                "Unpack it yourself if you trust it, and remove the packed file.",
            )
        buffer[: len(data)] = data
        return len(data)


@contextmanager
def opened(path: Path, name: str) -> Iterator[BinaryIO]:
    """The bytes of a file, unpacked if it ends in .gz.

    Raises:
        SourceError: it cannot be read, is damaged, or unpacks to far too much.
    """
    try:
        if path.suffix.lower() != ".gz":
            with path.open("rb") as file:
                yield file
        else:
            with (
                gzip.open(path) as packed,
                io.BufferedReader(_Unpacked(packed, path.stat().st_size, name), CHUNK) as file,
            ):
                yield cast(BinaryIO, file)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise SourceError(f"{name} is damaged: it cannot be unpacked.", "Copy or export the file again.") from error
    except OSError as error:
        raise unreadable(name, error) from error


def unreadable(name: str, error: OSError) -> SourceError:
    return SourceError(f"{name} cannot be read: {error.strerror or type(error).__name__}.", "Check its permissions.")


def text_file(path: Path, name: str, cancelled: CancelledCallback = never_cancelled) -> TextFile:
    """Reads a file through once and proves its encoding: UTF-8, UTF-16 by its mark, or windows-1252."""
    with opened(path, name) as file:
        start = file.read(4)
    with opened(path, name) as file:
        if start[:2] in _UTF_16:
            return TextFile(path, name, "utf-16", _marked_problem(file, name, "UTF-16", cancelled))
        if start.startswith(codecs.BOM_UTF8):
            return TextFile(path, name, "utf-8-sig", _marked_problem(file, name, "UTF-8", cancelled))
        return TextFile(path, name, *_unmarked(file, name, cancelled))


def _chunks(file: BinaryIO, cancelled: CancelledCallback) -> Iterator[bytes]:
    while chunk := file.read(CHUNK):
        stop_if(cancelled)
        yield chunk + file.readline(CHUNK)  # so that no character is cut


def _marked_problem(file: BinaryIO, name: str, encoding: str, cancelled: CancelledCallback) -> SourceError | None:
    decoder = codecs.getincrementaldecoder(encoding)()
    line = 1
    for data in _with_end(file, cancelled):
        try:
            text = decoder.decode(data, not data)
        except UnicodeDecodeError as error:
            before = error.object[: error.start].decode(encoding, "ignore")
            return SourceError(
                f"{name}, line {line + _breaks(before)}, is not valid {encoding}, as its mark says.", _AGAIN
            )
        if "\0" in text:
            return _nul(name, line + _breaks(text[: text.index("\0")]))
        line += _breaks(text)
    return None


def _with_end(file: BinaryIO, cancelled: CancelledCallback) -> Iterator[bytes]:
    yield from _chunks(file, cancelled)
    yield b""


def _unmarked(file: BinaryIO, name: str, cancelled: CancelledCallback) -> tuple[str, SourceError | None]:
    utf_8 = codecs.getincrementaldecoder("utf-8")()
    found: dict[str, tuple[int, int]] = {}  # first line and byte of each kind
    line = 1
    for data in _with_end(file, cancelled):
        places = {"nul": data.find(b"\0")}
        if "not utf-8" not in found:
            try:
                utf_8.decode(data, not data)
            except UnicodeDecodeError as error:
                found["not utf-8"] = line + _breaks(error.object[: error.start]), error.object[error.start]
        if not data.isascii():
            for kind, pattern in (("utf-8", _SURELY_UTF_8), ("undefined", _UNDEFINED)):
                match = pattern.search(data)
                places[kind] = match.start() if match else -1
        for kind, place in places.items():
            if place >= 0 and kind not in found:
                found[kind] = line + _breaks(data[:place]), data[place]
        line += _breaks(data)
    if "nul" in found:
        return "utf-8", _nul(name, found["nul"][0])
    if "not utf-8" not in found:
        return "utf-8", None
    other = found["not utf-8"][0]
    if "utf-8" in found:
        what = f"{name} mixes two encodings: line {found['utf-8'][0]} is UTF-8, and line {other} is not."
        return "cp1252", SourceError(what, "Export the file again in one encoding, best UTF-8.")
    if "undefined" in found:
        at, byte = found["undefined"]
        what = f"{name}, line {at}: the byte 0x{byte:02X} is neither UTF-8 nor windows-1252."
        return "cp1252", SourceError(what, "Export the file again as UTF-8.")
    return "cp1252", None


def _nul(name: str, line: int) -> SourceError:
    what = f"{name}, line {line}, holds a NUL character: it is no text, or UTF-16 without its mark."
    return SourceError(what, "Export the file again as UTF-8.")


def _breaks(text: str | bytes) -> int:
    if isinstance(text, str):
        return text.count("\n") or text.count("\r")
    return text.count(b"\n") or text.count(b"\r")
