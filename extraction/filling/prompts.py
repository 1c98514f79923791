"""The prompts, fixed regardless of any template embedded in a model file."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable


@cache
def prompts() -> dict[str, str]:
    """The prompt texts by name."""
    return read_prompts(files("resources") / "prompts" / "rowwise.toml")


def read_prompts(file: Traversable) -> dict[str, str]:
    """The texts of a file, with its `system` put into its `before`."""
    texts = tomllib.loads(file.read_text(encoding="utf-8"))
    texts["before"] = texts["before"].replace("{system}", texts["system"])
    return texts
