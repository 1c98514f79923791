"""When the inference process goes on with its models, and when another one is started."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from app.inference import client
from app.inference.client import Inference
from app.system import paths
from app.system.settings import Settings
from models.base.errors import InputError
from models.base.progress import NOT_MONITORED
from models.errors import ModelFileError, WorkerDied
from models.gpu import Gpu
from models.runtimes.loaded import Loaded, RuntimeConfig
from tests.kit.fake_models import add, die_on_gpu, fail_on_gpu, sentences_of
from tests.kit.language import add_words


class Child:
    """A process that is none, and knows what it was started with."""

    def __init__(self, config: RuntimeConfig, prepare: Callable[[], None]) -> None:
        self.config = config
        self.closed = False
        self.loaded: dict[str, Loaded] = {}

    def run(self, *_: Any, **__: Any) -> Child:
        assert not self.closed
        return self

    def close(self) -> None:
        self.closed = True


class Installed:
    """A registry with folders for some of the models."""

    def __init__(self, folder: Path, *ids: str) -> None:
        self.folder = folder
        for model_id in ids:
            self.install(model_id)

    def install(self, model_id: str) -> None:
        (self.folder / model_id).mkdir()
        (self.folder / model_id / "model.gguf").touch()

    def resolve(self, role: str, model_id: str) -> SimpleNamespace:
        if model_id == "unknown":
            raise ModelFileError("There is no such model.", "Choose another one.")
        return SimpleNamespace(id=model_id or role)

    def path(self, model_id: str) -> Path:
        return self.folder / model_id

    def status(self, model_id: str) -> str:
        return "installed" if self.path(model_id).is_dir() else "missing"


def child_of(door: Inference) -> Child:
    found = door.call("speech", add, NOT_MONITORED)  # type: ignore[arg-type]
    assert isinstance(found, Child)
    return found


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Installed:
    monkeypatch.setattr(client, "WorkerProcess", Child)
    return Installed(tmp_path, "speech", "embedder", "filler")


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Inference]:
    """A real process, in which no model is loaded."""
    with Inference(Settings(), Installed(tmp_path, "speech", "embedder", "filler")) as door:  # type: ignore[arg-type]
        yield door


def sentences(door: Inference, text: str) -> list[str]:
    return door.call("filler", sentences_of, NOT_MONITORED, text=text)


def test_settings_that_do_not_concern_the_models_leave_them_loaded(registry: Installed) -> None:
    door = Inference(Settings(), registry)  # type: ignore[arg-type]
    first = child_of(door)
    door.use(Settings(theme="dark", microphone="desk", alpha=0.1, top_k=5, reviewer="N. N."))
    assert child_of(door) is first
    assert not first.closed


@pytest.mark.parametrize("changed", [{"threads": 7}, {"device": "cpu"}, {"filler_model": "other"}])
def test_others_start_another_child(registry: Installed, changed: dict[str, Any]) -> None:
    registry.install("other")
    door = Inference(Settings(threads=2), registry)  # type: ignore[arg-type]
    first = child_of(door)
    door.use(replace(Settings(threads=2), **changed))
    assert not first.closed, "what runs is not ended"
    second = child_of(door)
    assert second.config != first.config
    assert first.closed


def test_a_model_that_was_installed_meanwhile_is_found(registry: Installed) -> None:
    door = Inference(Settings(filler_model="late"), registry)  # type: ignore[arg-type]
    assert child_of(door).config.filler is None
    registry.install("late")
    assert child_of(door).config.filler == registry.folder / "late" / "model.gguf"


def test_settings_with_an_unknown_model_change_nothing(registry: Installed) -> None:
    door = Inference(Settings(), registry)  # type: ignore[arg-type]
    first = child_of(door)
    with pytest.raises(ModelFileError):
        door.use(Settings(filler_model="unknown", theme="dark"))
    assert child_of(door) is first


def test_the_words_of_the_ward_reach_the_process(door: Inference) -> None:
    add_words(paths.language_dir(), "sentences", 'abbreviations = ["adm"]')
    assert sentences(door, "On adm. she was pale. Pain is 4.") == ["On adm. she was pale.", "Pain is 4."]


def test_words_that_cannot_be_used_are_refused_by_the_process_until_they_are_corrected(door: Inference) -> None:
    path = add_words(paths.language_dir(), "sentences", 'abbreviations = ["("]')
    with pytest.raises(InputError) as caught:
        sentences(door, "On adm. she was pale.")
    assert caught.value.what.startswith(f"{path}: abbreviations: “(” is not a valid regular expression")
    running = door.pid
    add_words(paths.language_dir(), "sentences", 'abbreviations = ["adm"]')
    assert sentences(door, "On adm. she was pale.") == ["On adm. she was pale."]
    assert door.pid == running is not None


# the graphics card


@pytest.mark.parametrize("task", [fail_on_gpu, die_on_gpu])
def test_after_a_failure_of_the_graphics_card_the_processor_is_used(
    door: Inference, task: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The retry that every dictation gets goes to the processor, so that nothing is lost."""
    monkeypatch.setattr(client, "find_gpu", lambda: Gpu("NVIDIA Test", 8_000_000_000, "8.6"))
    with pytest.raises(WorkerDied, match="perhaps because of the graphics card"):
        door.call("speech", task, NOT_MONITORED)
    assert "run on the processor" in door.device_note
    assert door.call("speech", task, NOT_MONITORED) in {None, "-1"}
    door.use(Settings(theme="dark"))
    assert "run on the processor" in door.device_note
    door.use(Settings(device="cuda"))
    assert door.device_note == ""
    with pytest.raises(WorkerDied, match="perhaps because of the graphics card"):
        door.call("speech", task, NOT_MONITORED)


def test_a_death_without_a_graphics_card_changes_no_device(
    registry: Installed, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: Any, **__: Any) -> None:
        raise WorkerDied("The inference process ended unexpectedly.")

    door = Inference(Settings(), registry)  # type: ignore[arg-type]
    child = child_of(door)
    monkeypatch.setattr(child, "run", die)
    monkeypatch.setattr(client, "find_gpu", lambda: None)
    child.loaded["speech"] = Loaded("speech", "cpu", "Speech recognition runs on the processor: the card is full.")
    with pytest.raises(WorkerDied, match="unexpectedly"):
        child_of(door)
    assert door.device_note == "Speech recognition runs on the processor: the card is full."
    assert door.devices == {"speech": "cpu"}
    assert door._config().device == "auto"
