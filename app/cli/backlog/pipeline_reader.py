"""What a worker of a backlog does: it reads texts, one after the other, with an inference process of its own."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from app import pipeline
from app.cli.charting.extract import result_json
from app.cli.common import open_inference
from app.inference.client import Inference
from app.system.settings import Settings
from extraction.flowsheet.schema import Schema
from models.base.progress import ProgressMonitor
from speech.transcript import Transcript

_ONE_AT_A_TIME = threading.Lock()  # a worker has one inference process


@dataclass(frozen=True)
class PipelineReader:
    """Reads as every dictation is read, with the models that are installed where it runs."""

    schema: Schema = field(hash=False)
    settings: Settings = field(hash=False)

    def __call__(self, text: str, threads: int) -> dict[str, Any]:
        """The proposals as `wardlight extract` writes them. Raises what `app.pipeline.run` raises."""
        with _ONE_AT_A_TIME:
            inference = _inference(self.settings, threads)
            monitor = ProgressMonitor()
            result = pipeline.run(
                Path("dictation.txt"), "text", self.schema, inference, transcript=Transcript(text), monitor=monitor
            )
            inference.forget_texts()
        return result_json(result, self.schema)


@lru_cache(maxsize=1)
def _inference(settings: Settings, threads: int) -> Inference:
    return open_inference(replace(settings, threads=threads))
