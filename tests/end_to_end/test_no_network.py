"""Nothing leaves the computer: each kind of work, in an empty home, dies at the first internet socket that it asks for.

A look-up of a name asks for one, too. Nothing may be written outside our own folders.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from app.adaptation.training import LEAST_CASES
from app.system import paths
from app.system.record_system import DeliverySettings
from app.system.settings import FILE_FORMATS, save_settings
from tests.end_to_end.conftest import DEMO_SCHEMA
from tests.kit import no_network
from tests.kit.fake_app import write_schema
from tests.kit.hospital import Hospital
from tests.kit.start_probe import STARTS

pytestmark = [
    pytest.mark.models,
    pytest.mark.skipif(not no_network.SUPPORTED, reason="the filter of system calls is Linux's"),
]
CLIP = Path(__file__).parents[1] / "data" / "audio" / "emesis-noon.ogg"
ROOT = Path(__file__).parents[2]
OURS = (".local/share/wardlight", ".cache/wardlight", ".config/wardlight")
SMALL = "qwen2.5-coder-0.5b-q4"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    return home


def alone(home: Path, *command: object) -> subprocess.CompletedProcess[str]:
    """Runs a command of Python without a network, in a home of its own, as no test and no continuous integration."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "WARDLIGHT_"))}
    kept.pop("CI", None)
    environment = kept | {
        "HOME": str(home),
        "WARDLIGHT_MODELS": str(paths.models_dir()),
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHONPATH": str(ROOT),
    }
    return subprocess.run(
        [sys.executable, "-m", "tests.kit.no_network", sys.executable, *map(str, command)],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def left_outside(home: Path) -> list[str]:
    files = (path.relative_to(home).as_posix() for path in home.rglob("*") if path.is_file())
    return sorted(file for file in files if not file.startswith(OURS))


def test_the_filter_ends_a_look_up(home: Path) -> None:
    assert alone(home, "-c", "import socket; socket.socket(socket.AF_UNIX)").returncode == 0
    looked_up = alone(home, "-c", "import socket; socket.getaddrinfo('wardlight.invalid', 443)")
    assert looked_up.returncode == no_network.DIED


@pytest.mark.parametrize(
    "arguments",
    [
        ["doctor"],
        ["transcribe", CLIP],
        pytest.param(["run", CLIP, "--schema", DEMO_SCHEMA], marks=pytest.mark.extensive),
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_command_asks_for_no_socket(home: Path, tmp_path: Path, arguments: list[object]) -> None:
    out = ["--out", tmp_path / "out"] if arguments[0] == "run" else []
    done = alone(home, "-m", "app.cli", *arguments, *out)
    assert done.returncode == 0, done.stderr
    assert left_outside(home) == []


@pytest.mark.extensive
def test_learning_asks_for_no_socket(home: Path, tmp_path: Path) -> None:
    schema, cases, out = write_schema(tmp_path), tmp_path / "cases.jsonl", tmp_path / "learned"
    lines = [
        json.dumps(
            {
                "id": str(rate),
                "transcript": f"Heart rate is {rate}. Pain is {rate % 10} out of 10. She slept well.",
                "observations": [{"id": "hr", "value": rate}, {"id": "pain", "value": rate % 10}],
            }
        )
        for rate in range(60, 60 + LEAST_CASES)
    ]
    cases.write_text("\n".join(lines), encoding="utf-8")
    done = alone(
        home, "-m", "app.cli", "learn", "--schema", schema, "--examples", cases, "--out", out, "--filler-model", SMALL
    )
    assert done.returncode == 0, done.stderr
    assert left_outside(home) == []


def test_filing_exporting_and_the_outbox_ask_for_no_socket_unless_the_hospital_names_an_address(home: Path) -> None:
    hospital = Hospital(home / OURS[0])
    number = hospital.dictation
    hospital.store.close()
    config = home / OURS[2] / "settings.toml"
    settings = replace(hospital.settings, reviewer="Kim", file_folder=str(home / OURS[0] / "out"))
    formats = [part for name in FILE_FORMATS for part in ("--format", name)]
    save_settings(replace(settings, file_format=" and ".join(FILE_FORMATS)), config)
    for command in (["export", number, "--out", home / OURS[0] / "out", *formats], ["file", number], ["outbox"]):
        done = alone(home, "-m", "app.cli", *command)
        assert done.returncode == 0, done.stderr
    assert left_outside(home) == []
    save_settings(replace(settings, delivery=DeliverySettings("mllp", address="127.0.0.1:9")), config)
    for command in (["reopen", number], ["file", number]):
        done = alone(home, "-m", "app.cli", *command)
        assert done.returncode == 0, done.stderr
    assert alone(home, "-m", "app.cli", "outbox", "check").returncode == no_network.DIED, "it calls that address"


def test_the_window_asks_for_no_socket(home: Path) -> None:
    done = alone(home, "-c", STARTS)
    assert done.returncode == 0, done.stderr
    assert left_outside(home) == []


def test_traces_of_an_earlier_version_are_removed(home: Path) -> None:
    traces = home / ".cache" / "Microsoft" / "DeveloperTools" / ".onnxruntime"
    traces.mkdir(parents=True)
    (traces / "device").write_text("1", encoding="ascii")
    assert alone(home, "-m", "app.cli", "transcribe", CLIP).returncode == 0
    assert not (home / ".cache" / "Microsoft").exists()
