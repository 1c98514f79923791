"""Output of commands: answers, and errors as JSON, on standard output; everything else on standard error."""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections.abc import Sequence
from typing import Any

from models.base.errors import Bug, Cancelled, InputError, WardlightError
from models.base.progress import Progress

_BAR = 24
_SPARSE_SECONDS = 5.0


def exit_code(error: WardlightError | KeyboardInterrupt) -> int:
    """The exit code for an error: 2 for bad input, 130 for a stop, 70 for a defect, else 3 (the machine lacks
    something).

    A command that succeeds returns 0, or 1 if its answer is no.
    """
    if isinstance(error, InputError):
        return 2
    if isinstance(error, Cancelled | KeyboardInterrupt):
        return 130
    return 70 if isinstance(error, Bug) else 3


class Console:
    """Prints a command's output. Standard output holds only the answer: text or, with `as_json`, one JSON value."""

    def __init__(self, *, as_json: bool = False, verbose: bool = False) -> None:
        self.as_json = as_json
        self.verbose = verbose
        self._live = sys.stderr.isatty()
        self._drawn = False
        self._said: tuple[str, float] = ("", 0.0)

    def answer(self, data: Any, text: str) -> None:
        """Prints the answer: `data` with `as_json`, otherwise `text`."""
        print(json.dumps(data, ensure_ascii=False, indent=1) if self.as_json else text)

    def error(self, error: WardlightError) -> None:
        """Prints what happened and what to do next."""
        self.end_progress()
        if self.as_json:
            content = {"error": error.code, "what": error.what, "next_step": error.next_step}
            print(json.dumps(content | {"retryable": error.retryable}, ensure_ascii=False))
        else:
            print(f"wardlight: {error.what}", file=sys.stderr)
            if error.next_step:
                print(f"  {error.next_step}", file=sys.stderr)

    def note(self, text: str) -> None:
        """Prints a remark on standard error."""
        self.end_progress()
        print(text, file=sys.stderr)

    def progress(self, report: Progress) -> None:
        """Shows progress: a bar on a terminal, otherwise a line at each new stage and every few seconds."""
        if self._live:
            filled = "" if report.fraction is None else "#" * round(report.fraction * _BAR)
            bar = f"[{filled:<{_BAR}}] " if report.fraction is not None else ""
            width = shutil.get_terminal_size().columns - 1
            line = f"{report.stage:<10} {bar}{report.message}"[:width]
            print(f"\r{line:<{width}}", end="", file=sys.stderr, flush=True)
            self._drawn = True
            return
        stage, when = self._said
        now = time.monotonic()
        if report.stage != stage or now - when >= _SPARSE_SECONDS:
            share = "" if report.fraction is None else f" {report.fraction:.0%}"
            print(f"{report.stage}{share} {report.message}".rstrip(), file=sys.stderr, flush=True)
            self._said = (report.stage, now)

    def end_progress(self) -> None:
        """Ends the progress line, so that further output starts on a new line."""
        if self._drawn:
            print(file=sys.stderr)
            self._drawn = False


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], *, widest: int = 60) -> str:
    """Aligned columns of text; cells longer than `widest` are cut."""
    cells = [[_short(cell, widest) for cell in row] for row in (headings, *rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(headings))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]
    return "\n".join([lines[0], "  ".join("-" * width for width in widths), *lines[1:]])


def _short(text: str, widest: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= widest else text[: widest - 1] + "…"
