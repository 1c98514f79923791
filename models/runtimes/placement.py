"""Where a model runs: on the GPU if that is wanted and works, and otherwise on the processor, with the reason."""

from __future__ import annotations

import ctypes
import importlib.util
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from models.base.errors import ResourceError
from models.errors import ModelFileError
from models.gpu import find_gpu, free_gpu_memory

Runtime = TypeVar("Runtime")

# CUDA itself, the KV cache of a language model, and intermediate results.
WORKING_BYTES = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Placement:
    """Whether a model goes to the GPU.

    Attributes:
        gpu: whether it does.
        note: why it does not although that was wanted, as a sentence; empty otherwise.
    """

    gpu: bool
    note: str = ""


def place(title: str, device: str, needed_bytes: int, supports_gpu: Callable[[], bool]) -> Placement:
    """Decides where to load a model.

    Args:
        title: of the model in messages, such as 'Speech recognition'.
        device: the setting: 'auto', 'cpu' or 'cuda'.
        needed_bytes: memory that the model takes while it works.
        supports_gpu: whether the library that runs it can use the GPU; asked only if there is one.
    """
    if device == "cpu":
        return Placement(gpu=False)
    gpu = find_gpu()
    if gpu is None or not supports_gpu():
        why = "there is no NVIDIA graphics card" if gpu is None else f"its library was not built for the {gpu.name}"
        return Placement(gpu=False, note=_on_processor(title, why) if device == "cuda" else "")
    free = free_gpu_memory()
    if free < needed_bytes:
        why = f"the graphics card has {free / 1e9:.1f} GB of memory free, and {needed_bytes / 1e9:.1f} GB are needed"
        return Placement(gpu=False, note=_on_processor(title, why))
    return Placement(gpu=True)


def load_placed(title: str, placement: Placement, load: Callable[[bool], Runtime]) -> tuple[Runtime, str]:
    """Loads a model where it was placed, or on the processor if the GPU fails; returns it with the placement's note.

    Raises what `load` raises on the processor.
    """
    if placement.gpu:
        with suppress(ModelFileError, ResourceError):
            return load(True), ""  # noqa: FBT003 - on the GPU
        return load(False), _on_processor(title, "the graphics card could not load it")  # noqa: FBT003
    return load(False), placement.note  # noqa: FBT003


def memory_needed(path: Path) -> int:
    """About how many bytes a model file takes on the GPU while it works."""
    return path.stat().st_size + WORKING_BYTES


def llama_supports_gpu() -> bool:
    """Whether llama.cpp was compiled for the GPU."""
    import llama_cpp

    from models.runtimes.llm import start_silently

    start_silently()  # the question starts CUDA, which is talkative
    return bool(llama_cpp.llama_supports_gpu_offload())


def whisper_supports_gpu() -> bool:
    """Whether CTranslate2 finds the GPU and the CUDA library that it needs."""
    _load_cublas()
    import ctranslate2

    return bool(ctranslate2.get_cuda_device_count())


def torch_supports_gpu() -> bool:
    """Whether PyTorch was built for the GPU; the build that Wardlight installs is not."""
    import torch

    return bool(torch.cuda.is_available())


def _load_cublas() -> None:
    """Loads cuBLAS from its Python package, where CTranslate2 would not look; a system's own one also serves."""
    package = importlib.util.find_spec("nvidia")
    pattern = "cublas/bin/cublas*64_12.dll" if sys.platform == "win32" else "cublas/lib/libcublas*.so.12"
    for folder in (package.submodule_search_locations or ()) if package else ():
        # cublasLt before cublas, which needs it
        for library in sorted(Path(folder).glob(pattern), key=lambda path: "Lt" not in path.name):
            with suppress(OSError):
                ctypes.CDLL(str(library), mode=ctypes.RTLD_GLOBAL)


def _on_processor(title: str, why: str) -> str:
    return f"{title} runs on the processor: {why}."
