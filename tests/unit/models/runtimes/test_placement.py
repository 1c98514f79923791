"""Where a model runs, and what is said when the graphics card cannot take it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from models.base.errors import ResourceError
from models.errors import GpuError, ModelFileError
from models.gpu import Gpu
from models.runtimes import loaded, placement
from models.runtimes.loaded import Loaded, RuntimeConfig, Runtimes
from models.runtimes.placement import Placement, load_placed, memory_needed, place
from tests.kit.fake_models import FakeEmbedder

CARD = Gpu("NVIDIA Test", 8_000_000_000, "8.6")
PATHS = "speech", "filler", "embedder"


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Puts a graphics card with so many free bytes into this computer."""

    def put(free: int) -> None:
        monkeypatch.setattr(placement, "find_gpu", lambda: CARD)
        monkeypatch.setattr(placement, "free_gpu_memory", lambda: free)

    return put


def placed(device: str, *, built: bool = True) -> Placement:
    return place("Speech recognition", device, 2_000_000_000, lambda: built)


@pytest.mark.parametrize("device", ["auto", "cuda"])
def test_a_card_with_room_takes_the_model(card: Callable[[int], None], device: str) -> None:
    card(2_000_000_000)
    assert placed(device) == Placement(gpu=True)


@pytest.mark.parametrize("device", ["auto", "cuda"])
def test_a_card_that_is_small_or_busy_does_not(card: Callable[[int], None], device: str) -> None:
    card(1_200_000_000)
    assert placed(device) == Placement(
        gpu=False,
        note="Speech recognition runs on the processor: the graphics card has 1.2 GB of memory free, and 2.0 GB are "
        "needed.",
    )


def test_the_processor_is_used_without_a_word_where_it_is_chosen(card: Callable[[int], None]) -> None:
    card(8_000_000_000)
    assert placed("cpu") == Placement(gpu=False)


def test_a_computer_without_a_card_says_so_only_when_one_was_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(placement, "find_gpu", lambda: None)
    assert placed("auto") == Placement(gpu=False)
    assert "there is no NVIDIA graphics card" in placed("cuda").note


def test_a_library_that_was_built_without_cuda_is_named_only_when_the_card_was_chosen(
    card: Callable[[int], None],
) -> None:
    card(8_000_000_000)
    assert placed("auto", built=False) == Placement(gpu=False)
    assert "not built for the NVIDIA Test" in placed("cuda", built=False).note


@pytest.mark.parametrize("error", [GpuError("CUDA failed with error out of memory."), ResourceError("No memory.")])
def test_a_card_that_cannot_load_the_model_leaves_it_to_the_processor(error: Exception) -> None:
    tried = []

    def load(gpu: bool) -> str:
        tried.append(gpu)
        if gpu:
            raise error
        return "runtime"

    assert load_placed("Speech recognition", Placement(gpu=True), load) == (
        "runtime",
        "Speech recognition runs on the processor: the graphics card could not load it.",
    )
    assert tried == [True, False]


def test_a_damaged_file_is_an_error_on_either() -> None:
    def load(gpu: bool) -> str:
        raise ModelFileError("It is damaged.")

    with pytest.raises(ModelFileError, match="damaged"):
        load_placed("Speech recognition", Placement(gpu=True), load)


# the runtimes


class Whisper:
    def __init__(self, folder: Path, device: str, *, threads: int, at_once: int) -> None:
        self.device = device


def runtimes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Runtimes:
    """Runtimes of stand-ins; each model takes almost no memory, and only speech recognition can use the GPU."""
    for name in PATHS:
        (folder / name).mkdir()
    (folder / "speech" / "model.bin").touch()
    (folder / "embedder" / "model.safetensors").touch()
    monkeypatch.setattr("models.runtimes.whisper.WhisperRuntime", Whisper)
    monkeypatch.setattr("models.runtimes.embedder.EmbedderRuntime", lambda *_, **__: FakeEmbedder())
    monkeypatch.setattr(loaded, "whisper_supports_gpu", lambda: True)
    monkeypatch.setattr(loaded, "torch_supports_gpu", lambda: False)
    return Runtimes(RuntimeConfig(folder / "speech", None, folder / "embedder", *PATHS, threads=4))


def test_each_model_says_where_it_was_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, card: Callable[[int], None]
) -> None:
    card(8_000_000_000)
    found = runtimes(tmp_path, monkeypatch)
    said: list[Loaded] = []
    found.placed = said.append
    _ = found.whisper, found.embedder
    assert said == [Loaded("speech", "cuda", ""), Loaded("embedder", "cpu", "")]
    assert found.devices() == {"speech": "cuda", "embedder": "cpu"}


def test_speech_on_the_card_leaves_all_threads_to_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, card: Callable[[int], None]
) -> None:
    card(0)
    found = runtimes(tmp_path, monkeypatch)
    assert found.threads_beside_speech == 2
    assert found.whisper.device == "cpu"
    assert found.threads_beside_speech == 2
    card(8_000_000_000)
    del found.whisper
    assert found.whisper.device == "cuda"
    assert found.threads_beside_speech == 4


def test_what_a_model_needs_is_its_file_and_room_to_work(tmp_path: Path) -> None:
    (tmp_path / "model.gguf").write_bytes(bytes(500))
    assert memory_needed(tmp_path / "model.gguf") == placement.WORKING_BYTES + 500


def test_speech_recognition_loads_cublas_from_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The light library first, which the other one needs."""
    folder = tmp_path / "cublas" / "lib"
    folder.mkdir(parents=True)
    for name in ("libcublas.so.12", "libcublasLt.so.12", "libnvblas.so.12"):
        (folder / name).touch()
    opened: list[str] = []
    monkeypatch.setattr(placement.sys, "platform", "linux")
    monkeypatch.setattr(
        placement.importlib.util, "find_spec", lambda _: SimpleNamespace(submodule_search_locations=[str(tmp_path)])
    )
    monkeypatch.setattr(placement.ctypes, "CDLL", lambda path, mode: opened.append(Path(path).name))
    placement._load_cublas()
    assert opened == ["libcublasLt.so.12", "libcublas.so.12"]
