"""Prompts, read from resources/prompts; fixed, regardless of any template embedded in a model file."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files


@cache
def prompts(name: str) -> dict[str, str]:
    """The named prompt texts of one strategy: 'rowwise', 'json' or 'segment'."""
    texts = tomllib.loads((files("resources") / "prompts" / f"{name}.toml").read_text(encoding="utf-8"))
    texts["before"] = texts["before"].replace("{system}", texts["system"])
    return texts
