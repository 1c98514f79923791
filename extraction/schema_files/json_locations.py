"""Line numbers of the values in a JSON file, for error messages."""

from __future__ import annotations

import json
import re

Path = tuple[str | int, ...]
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}:,]|[^\s\[\]{}:,"]+')


def lines_of(text: str) -> dict[Path, int]:
    """The line, counted from 1, on which each value of a valid JSON text begins; for a field, the line of its name.

    Keys are paths from the outermost value: field names and list indices.
    """
    lines: dict[Path, int] = {(): 1}
    place: list[str | int] = []  # path of the next value
    inside: list[str] = []  # open brackets
    line, seen, naming = 1, 0, False
    for token in _TOKEN.finditer(text):
        line, seen = line + text.count("\n", seen, token.start()), token.start()
        match token.group():
            case "{" | "[" as bracket:
                lines.setdefault(tuple(place), line)
                inside.append(bracket)
                naming = bracket == "{"
                place.append("" if naming else 0)
            case "}" | "]":
                inside.pop()
                place.pop()
                naming = False
            case ",":
                naming = inside[-1] == "{"
                if isinstance(last := place[-1], int):
                    place[-1] = last + 1
            case ":":
                naming = False
            case word if naming:
                place[-1] = json.loads(word)
                lines.setdefault(tuple(place), line)
            case _:
                lines.setdefault(tuple(place), line)
    return lines
