"""Makes the pictures of every view: `make screens`, or `python -m tests.screens [NAME ...]` for some of them.

All go into `build/screens`, with an index. Those that documents show are copied to `docs/screens`; only these are kept.
Each theme and scale has a process of its own, since Qt takes the scale at the start only.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "build" / "screens"
SHOWN = ROOT / "docs" / "screens"
DOCUMENTS = (ROOT / "README.md", ROOT / "resources" / "user-guide.md")
SCREEN = (1366, 768)  # the smallest that wards still have, in pixels
THEMES = {"light": "light", "dark": "dark", "contrast": "high contrast"}
SCALES = (100, 200)
COLOURS = 32


def main(names: list[str]) -> None:
    """Makes the pictures, copies those that documents show, and with all of them writes the index."""
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
    if not names:
        write_index()
    for name in shown():
        if (FOLDER / name).exists():
            shutil.copy(FOLDER / name, SHOWN / name)


def shown() -> list[str]:
    """The names of the pictures that documents show, within `docs/screens`."""
    found = (re.findall(r"screens/([\w/-]+\.png)", document.read_text(encoding="utf-8")) for document in DOCUMENTS)
    return sorted(set(chain.from_iterable(found)))


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
    for one in VIEWS:
        if names and one.name not in names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            os.environ |= {"WARDLIGHT_DATA": f"{folder}/data", "WARDLIGHT_CACHE": f"{folder}/cache"}

            def save(widget: QWidget, name: str = one.name) -> None:
                save_small(widget.grab().toImage(), FOLDER / file_name(name, theme, scale), COLOURS)

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


def write_index() -> None:
    """Writes the index of all pictures."""
    from tests.screens.views import VIEWS

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
    print(f"{len(VIEWS) * len(kinds)} pictures in {FOLDER}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        make(sys.argv[2], int(sys.argv[3]), sys.argv[4:])
    else:
        main(sys.argv[1:])
