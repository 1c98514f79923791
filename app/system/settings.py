"""The user's settings and their TOML file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from datetime import datetime, time
from pathlib import Path
from typing import Any

import tomli_w

from app.system.record_system import DeliverySettings, RecordSystemSettings
from models.base.atomic_files import replace_file
from models.base.errors import InputError, ResourceError

CHOICES = {
    "device": ("auto", "cpu", "cuda"),
    "theme": ("system", "light", "dark", "contrast"),
    # keys that nothing else uses; dictation handsets and pedals send those above F12
    "record_key": tuple(f"F{number}" for number in (*range(3, 10), *range(11, 25))),
    "keep_audio": ("never", "review", "days"),
    "while_recording": ("show", "keep", "nothing"),
    "paper": ("auto", "a4", "letter"),
}
# `app.exchange.file_formats` describes them
FILE_FORMATS = ("json", "csv", "xlsx", "pdf", "hospital-csv", "fhir", "hl7")
_TABLES: dict[str, type[Any]] = {"delivery": DeliverySettings, "record_system": RecordSystemSettings}
_SWITCHES = ("collect_examples", "hold_to_talk", "keep_questions", "last_look", "setup_finished", "spoken_commands")
_RANGES = {
    "top_k": (1, 100),
    "threads": (1, 1024),
    "alpha": (0.01, 0.5),
    "conflict_weight": (0.0, 1.0),
    "accept_threshold": (0.0, 1.0),
    "keep_audio_days": (1, 3650),
    "confirm_signer_minutes": (0, 480),
    "scale": (100, 200),
}
# Settings that files of earlier versions may contain, which must not keep the window from opening.
_FORMER = ("strategy", "segmentation")


@dataclass(frozen=True, slots=True)
class Settings:
    """What a user can choose; the defaults suit an unconfigured machine.

    Attributes:
        speech_model, filler_model, embedder_model: ids of models; empty for the default of the role.
        top_k: rows kept for each segment.
        threads: processor threads for inference; None for one per core.
        device: `auto`, `cpu` or `cuda`.
        theme: `system`, `light`, `dark` or `contrast` (high contrast).
        scale: size of text and controls, 100 to 200 percent of the computer's default.
        reviewer: who signs on the command line without `--signed-by`; empty for nobody. If there are no signers yet,
            it becomes the first one.
        confirm_signer_minutes: minutes without a signature after which the window asks again who signs; 0 for never.
        schema: path of the flowsheet schema; empty for the demonstration schema.
        contract: path of the contract from which that schema was made, for the hospital's own codes; empty for the file
            `contract.json` beside the schema, if there is one.
        learned: folder that `wardlight learn` made for this schema; empty for the shipped models.
        alpha: share of the wrong proposals that may stay unlit, 0.01 to 0.5 (ReDD, section 4.1).
        conflict_weight: weight of the disagreement of layers in lighting a value, 0 to 1 (lambda, section 4.2).
        accept_threshold: without a calibration, proposals below this confidence, 0 to 1, are lit.
        collect_examples: whether reviews from now on may become examples to learn from.
        microphone: the sound system's name of the microphone; empty for the computer's default.
        record_key: the key for recording, `F3` to `F9` or `F11` to `F24`.
        hold_to_talk: whether the key records while it is held, instead of starting and finishing with one press each.
        spoken_commands: whether “accept”, “next” and “play”, said to a value instead of another one, do what they say.
        while_recording: `show` words and values while they are spoken, and fill the dictation carefully afterwards;
            `keep` the values read while it was spoken, which is faster and slightly less accurate; or `nothing`.
        keep_audio: how long the audio of a dictation is kept once it is filled: `never`, until its `review` is filed,
            or a number of `days`.
        keep_audio_days: that number of days, counted from the time of the dictation.
        setup_finished: whether the first-run assistant was completed.
        last_look: whether filing first shows what is charted, for whom and signed by whom.
        keep_questions: whether the log of questions about the ward keeps their words, which may name patients.
        shift_starts: the times of day at which shifts begin, separated by commas; fluid balances are of a shift.
        file_folder: folder for filed dictations; empty until it is chosen at the first filing.
        file_format: the files written there: one of `FILE_FORMATS` or several, with ` and ` between them.
        paper: of sheets to print: `a4`, `letter`, or `auto` by the region of the computer.
        hospital_columns: path of the file that describes the columns of the hospital's own CSV; empty for the default
            ones.
        delivery: how filed values reach the record system; by default they do not.
        record_system: how the record system names itself, its codes and its patients.

    Raises InputError, naming the setting, for an invalid value.
    """

    speech_model: str = ""
    filler_model: str = ""
    embedder_model: str = ""
    top_k: int = 20
    threads: int | None = None
    device: str = "auto"
    theme: str = "system"
    scale: int = 100
    reviewer: str = ""
    confirm_signer_minutes: int = 15
    schema: str = ""
    contract: str = ""
    learned: str = ""
    alpha: float = 0.3
    conflict_weight: float = 0.5
    accept_threshold: float = 0.9
    collect_examples: bool = False
    microphone: str = ""
    record_key: str = "F9"
    hold_to_talk: bool = False
    spoken_commands: bool = False
    while_recording: str = "show"
    keep_audio: str = "review"
    keep_audio_days: int = 30
    setup_finished: bool = False
    last_look: bool = True
    keep_questions: bool = False
    shift_starts: str = "07:00, 19:00"
    file_folder: str = ""
    file_format: str = "json and csv"
    paper: str = "auto"
    hospital_columns: str = ""
    delivery: DeliverySettings = field(default_factory=DeliverySettings)
    record_system: RecordSystemSettings = field(default_factory=RecordSystemSettings)

    def __post_init__(self) -> None:
        for setting in fields(self):
            value = getattr(self, setting.name)
            if fault := _fault(setting.name, value):
                raise InputError(f"The setting {setting.name} cannot be {value!r}.", fault)

    @property
    def learned_folder(self) -> Path | None:
        """The folder named by `learned`; None for the shipped models."""
        return Path(self.learned).expanduser().absolute() if self.learned else None

    @property
    def shifts(self) -> tuple[time, ...]:
        """The times of day in `shift_starts`, earliest first."""
        return _times_of_day(self.shift_starts)

    @property
    def file_formats(self) -> tuple[str, ...]:
        """The names of the formats in `file_format`."""
        return _formats_in(self.file_format)


def _fault(name: str, value: object) -> str:
    """What the setting must be instead; empty if the value is valid."""
    if name in _TABLES:
        return "" if isinstance(value, _TABLES[name]) else "It must be a table."
    if name in CHOICES:
        return "" if value in CHOICES[name] else f"It must be one of: {', '.join(CHOICES[name])}."
    if name == "file_format":
        known = isinstance(value, str) and set(_formats_in(value)) <= set(FILE_FORMATS)
        return "" if known else f"It must be of {', '.join(FILE_FORMATS)}, with ' and ' between several."
    if name in _SWITCHES:
        return "" if isinstance(value, bool) else "It must be true or false."
    if name == "shift_starts":
        return (
            ""
            if isinstance(value, str) and is_shift_starts(value)
            else "It must be times of day, such as 07:00, 19:00."
        )
    if name not in _RANGES:
        return "" if isinstance(value, str) else "It must be text."
    if name == "threads" and value is None:
        return ""
    low, high = _RANGES[name]
    kind: type | tuple[type, ...] = int if isinstance(low, int) else (int, float)
    if isinstance(value, kind) and not isinstance(value, bool) and low <= value <= high:  # type: ignore[operator]
        return ""
    return f"It must be a {'whole ' if kind is int else ''}number from {low} to {high}."


def _formats_in(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text.split(" and ")))


def _times_of_day(text: str) -> tuple[time, ...]:
    """Times of day as 'HH:MM', separated by commas, earliest first. Raises ValueError."""
    return tuple(sorted({datetime.strptime(part.strip(), "%H:%M").time() for part in text.split(",")}))  # noqa: DTZ007


def is_shift_starts(text: str) -> bool:
    """Whether a text is a valid setting of the times at which shifts begin."""
    try:
        return bool(_times_of_day(text))
    except ValueError:
        return False


def load_settings(path: Path) -> Settings:
    """Reads the settings from a file, with defaults for everything it omits and for a missing file.

    Raises InputError, naming file and setting, if it contains anything else.
    """
    repair = f"Correct {path}, or delete it to go back to the defaults."
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Settings()
    except OSError as error:
        raise InputError(f"The settings cannot be read: {error.strerror}.", f"Check the file {path}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"The settings are not valid TOML: {error}.", repair) from error
    for name in _FORMER:
        data.pop(name, None)
    try:
        _refuse_unknown(Settings, data)
        for name, table in _TABLES.items():
            if isinstance(content := data.get(name), dict):
                _refuse_unknown(table, content, f"{name}.")
                data[name] = table(**content)
        return Settings(**data)
    except InputError as error:
        raise InputError(error.what, f"{error.next_step} {repair}".strip()) from error


def _refuse_unknown(settings: type[Any], data: Mapping[str, Any], where: str = "") -> None:
    known = {setting.name for setting in fields(settings)}
    if unknown := [name for name in data if name not in known]:
        raise InputError(f"There is no setting called {where + unknown[0]!r}.")


def save_settings(settings: Settings, path: Path) -> None:
    """Writes the settings; on failure the previous file stays unchanged. Raises ResourceError."""
    data = {name: value for name, value in asdict(settings).items() if value is not None}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, tomli_w.dumps(data).encode())
    except OSError as error:
        raise ResourceError(
            f"The settings cannot be saved to {path}: {error.strerror}.",
            "Check the free space and the permissions of the folder.",
        ) from error
