"""Which packages are installed."""

from __future__ import annotations

import tomllib
from pathlib import Path

from setuptools import find_namespace_packages

ROOT = Path(__file__).parents[3]


def test_what_is_no_product_is_not_installed() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    found = find_namespace_packages(str(ROOT), **settings["packages"]["find"])
    assert {"app.evaluation", "app.cli", "extraction.learning", "ui.shell"} <= set(found)
    assert not [one for one in found if one.startswith(("app.evaluation.papers", "tests", "packaging", "docs"))]
