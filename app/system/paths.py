"""Where Wardlight keeps its files.

WARDLIGHT_DATA moves everything into one folder (an encrypted volume, a USB stick, a test folder); WARDLIGHT_MODELS and
WARDLIGHT_CACHE move only the weights and the cache. The variables are read at each call, and nothing is created here.
"""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

_NAME = "wardlight"


def _chosen(variable: str) -> Path | None:
    value = os.environ.get(variable, "").strip()
    return Path(value).expanduser().absolute() if value else None


def data_dir() -> Path:
    """The folder of patient data: database and recordings."""
    return _chosen("WARDLIGHT_DATA") or platformdirs.user_data_path(_NAME, appauthor=False)


def models_dir() -> Path:
    """The folder of model weights."""
    return _chosen("WARDLIGHT_MODELS") or data_dir() / "models"


def cache_dir() -> Path:
    """The folder of data that can be recomputed, such as the index of a schema."""
    if moved := _chosen("WARDLIGHT_CACHE"):
        return moved
    data = _chosen("WARDLIGHT_DATA")
    return data / "cache" if data else platformdirs.user_cache_path(_NAME, appauthor=False)


def config_dir() -> Path:
    """The folder of a ward's configuration: settings and its own words."""
    return _chosen("WARDLIGHT_DATA") or platformdirs.user_config_path(_NAME, appauthor=False)


def config_file() -> Path:
    """The settings file (TOML)."""
    return config_dir() / "settings.toml"


def language_dir() -> Path:
    """The folder of a ward's additions to the vocabularies, see docs/vocabulary.md."""
    return config_dir() / "language"


def calibrations_dir() -> Path:
    """The folder of calibrations on reviews."""
    return data_dir() / "calibrations"


def contracts_dir() -> Path:
    """The folder of what was imported from record systems: for each, a folder with its contract and its schema."""
    return data_dir() / "contracts"


def unfinished_dir() -> Path:
    """The folder of recordings in progress, or interrupted by the end of the program."""
    return data_dir() / "unfinished"


def scratch_dir() -> Path:
    """The folder of sound that is kept only while it is transcribed; what an interrupted program left is deleted."""
    return data_dir() / "scratch"


def database_file() -> Path:
    """The SQLite database."""
    return data_dir() / "wardlight.db"
