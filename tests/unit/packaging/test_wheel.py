"""Which packages are installed."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[3]
# in a process of its own, because setuptools replaces the standard library's distutils in the one that imports it
FIND = "import json, sys, setuptools; print(json.dumps(setuptools.find_namespace_packages(**json.loads(sys.argv[1]))))"


def test_what_is_no_product_is_not_installed() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    where = json.dumps({"where": str(ROOT), **settings["packages"]["find"]})
    found = json.loads(subprocess.check_output([sys.executable, "-c", FIND, where]))
    assert {"app.evaluation", "app.cli", "extraction.learning", "ui.shell"} <= set(found)
    assert not [one for one in found if one.startswith(("app.evaluation.papers", "tests", "packaging", "docs"))]
