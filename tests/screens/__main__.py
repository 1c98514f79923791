"""Makes the pictures of every view: `make screens`, or `python -m tests.screens [NAME ...]` for some of them.

Each theme and scale has a process of its own, since Qt takes the scale at the start only.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

FOLDER = Path(__file__).parents[2] / "docs" / "screens"
SCREEN = (1366, 768)  # the smallest that wards still have, in pixels
THEMES = {"light": "light", "dark": "dark", "contrast": "high contrast"}
SCALES = (100, 200)
COLOURS = {("light", 100): 32}  # these stand in the documentation; the others are for looking things up
FEWER_COLOURS = 16
LARGEST_BYTES = 7_200_000


def main(names: list[str]) -> int:
    """Makes the pictures, and with all of them the index; 1 when they have become too large."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        platform = offscreen(Path(scratch))
        for scale in SCALES:
            for theme, words in THEMES.items():
                environment = os.environ | {
                    "QT_QPA_PLATFORM": platform,
                    "QT_SCALE_FACTOR": str(scale / 100),
                    "TZ": "UTC",  # pictures show times of day
                    "QT_LOGGING_RULES": "default.warning=false",  # there is neither sound nor a window manager
                }
                print(f"{words}, {scale} %", flush=True)
                command = [sys.executable, "-m", "tests.screens", "--one", theme, str(scale), *names]
                subprocess.run(command, env=environment, check=True)
    if names:
        return 0
    return write_index()


def offscreen(folder: Path) -> str:
    """Qt's platform with a screen of the size of `SCREEN`, which a file in the folder describes."""
    screen = folder / "screen.json"
    whole = {"name": "screen", "x": 0, "y": 0, "width": SCREEN[0], "height": SCREEN[1], "dpr": 1}
    screen.write_text(json.dumps({"screens": [whole | {"logicalDpi": 96, "logicalBaseDpi": 96}]}), encoding="ascii")
    return f"offscreen:configfile={screen}"


def make(theme: str, scale: int, names: list[str]) -> NoReturn:
    """Makes the pictures of one theme at one scale, in this process, and ends it."""
    from PySide6.QtWidgets import QApplication, QWidget

    from tests.screens.palette import save_small
    from tests.screens.views import VIEWS, Stage, bring
    from ui.shell.window import COMFORTABLE

    app = QApplication([])
    size = COMFORTABLE if scale == 100 else None
    colours = COLOURS.get((theme, scale), FEWER_COLOURS)
    for one in VIEWS:
        if names and one.name not in names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            os.environ |= {"WARDLIGHT_DATA": f"{folder}/data", "WARDLIGHT_CACHE": f"{folder}/cache"}

            def save(widget: QWidget, name: str = one.name) -> None:
                save_small(widget.grab().toImage(), FOLDER / file_name(name, theme, scale), colours)

            bring(one, Stage(Waiter(app.processEvents), Path(folder), theme, size), save)
    sys.stdout.flush()
    os._exit(0)  # all is written; what is left of closed windows must not meet the end of the application


class Waiter:
    """The part of pytest-qt that `Ward` needs."""

    def __init__(self, process_events: Callable[[], None]) -> None:
        self._process_events = process_events

    def waitUntil(self, condition: Callable[[], bool], timeout: int) -> None:  # noqa: N802 - as pytest-qt calls it
        until = time.monotonic() + timeout / 1000
        while not condition():
            if time.monotonic() > until:
                raise TimeoutError("the view did not come about")
            self.wait(5)

    def wait(self, milliseconds: int) -> None:
        until = time.monotonic() + milliseconds / 1000
        while time.monotonic() < until:
            self._process_events()
            time.sleep(0.002)


def file_name(view: str, theme: str, scale: int) -> str:
    """The picture of a view; those of the light theme at 100 % are called like the view alone."""
    return "-".join([view, *([theme] if theme != "light" else []), *([str(scale)] if scale != 100 else [])]) + ".png"


def write_index() -> int:
    """Writes the index of all pictures, removes those of views that are gone; 1 when all together are too large."""
    from tests.screens.views import VIEWS

    wanted = {file_name(one.name, theme, scale) for one in VIEWS for theme in THEMES for scale in SCALES}
    for path in FOLDER.glob("*.png"):
        if path.name not in wanted:
            path.unlink()
    kinds = [(theme, scale) for scale in SCALES for theme in THEMES]
    lines = [
        "# Every view",
        "",
        "Made with `make screens` from the window itself, on a made-up ward: a screen of 1366 x 768 pixels, at 100 %",
        "and at 200 %, where the window has half as much room: the list folds away, and what is left is scrolled.",
        "",
        "| view | " + " | ".join(f"{THEMES[theme]}, {scale} %" for theme, scale in kinds) + " |",
        "| --- |" + " --- |" * len(kinds),
        *(
            f"| {one.about} | " + " | ".join(f"[{one.name}]({file_name(one.name, *kind)})" for kind in kinds) + " |"
            for one in VIEWS
        ),
        "",
        *(line for one in VIEWS for line in (f"## {one.about}", "", f"![{one.about}]({one.name}.png)", "")),
    ]
    (FOLDER / "README.md").write_text("\n".join(lines), encoding="utf-8")
    total = sum(path.stat().st_size for path in FOLDER.glob("*.png"))
    print(f"{len(wanted)} pictures, {total / 1e6:.1f} MB, in {FOLDER}")
    return 1 if total > LARGEST_BYTES else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        make(sys.argv[2], int(sys.argv[3]), sys.argv[4:])
    else:
        sys.exit(main(sys.argv[1:]))
