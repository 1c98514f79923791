"""What it costs to show the values of an opened dictation while it is read.

    python -m tests.benchmarks.opened [FILE...]

Each file is filled twice as a whole and twice with values shown, in turns; the second pair has everything loaded.
"""

from __future__ import annotations

import argparse
import time
from importlib.resources import files
from pathlib import Path

from app import pipeline
from app.inference.client import Inference
from app.inference.live_events import LiveValues
from app.services.intake.file_kinds import kind_of
from app.system import paths
from app.system.settings import Settings
from extraction.schema_files.native_format import load_schema
from models.base.progress import NOT_MONITORED
from models.library.manifest import load_manifest
from models.library.registry import Registry
from speech.transcript import Transcript

_RESOURCES = Path(str(files("resources")))


def main() -> None:
    sample = _RESOURCES / "dictation" / "sample.flac"
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, default=[sample, sample.with_name("dictation.txt")])
    schema = load_schema(_RESOURCES / "schemas" / "medsurg_icu.json")
    with Inference(Settings(), Registry(load_manifest(), paths.models_dir())) as inference:
        inference.preload_models(schema, NOT_MONITORED)
        for path in parser.parse_args().files:
            for attempt in (1, 2):
                start = time.monotonic()
                whole = pipeline.run(path, kind_of(path), schema, inference, monitor=NOT_MONITORED)
                middle = time.monotonic()
                news: list[tuple[float, Transcript | LiveValues]] = []

                def note(one: Transcript | LiveValues, middle: float = middle) -> None:
                    news.append((time.monotonic() - middle, one))  # noqa: B023 - called before the next round

                shown = pipeline.run(
                    path, kind_of(path), schema, inference, on_transcript=note, on_values=note, monitor=NOT_MONITORED
                )
                took, took_whole = time.monotonic() - middle, middle - start
                text_at = next(at for at, one in news if isinstance(one, Transcript))
                steps = [(at, len(one.values)) for at, one in news if isinstance(one, LiveValues)]
                first = next(at for at, count in steps if count)
                print(
                    f"{path.name}, {attempt}: whole {took_whole:.1f} s, shown {took:.1f} s "
                    f"(ratio {took / took_whole:.2f}), first values after {first:.1f} s, text after {text_at:.1f} s, "
                    f"values by then {', '.join(f'{count} at {at:.0f} s' for at, count in steps)}; "
                    f"{'the same' if _told(shown) == _told(whole) else 'other'} values"
                )


def _told(result: pipeline.PipelineResult) -> list[tuple[object, ...]]:
    return sorted((one.row_id, str(one.value), round(one.confidence, 6)) for one in result.values)


if __name__ == "__main__":
    main()
