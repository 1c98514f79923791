"""How a very large export is read: `python -m tests.benchmarks.large_export [--gigabytes 2] [--build]`.

Writes a dump of charted values of that size into a temporary folder, reads every record of it as an import does, and
prints seconds and the highest memory of the process. With `--build` a whole contract is built of it, beside a small
dictionary of its rows. Exits with 1 if the memory was above its target.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from extraction.contract.sources.discovery import find_sources
from tests.benchmarks.memory import peak_bytes

MOST_MEGABYTES = 400
_ROWS = 200
_HEADER = "MEAS_ID,PATIENT_KEY,ROW_ID,TAKEN_AT,VALUE\n"


def lines() -> Iterator[str]:
    """The lines of a dump without an end."""
    yield _HEADER
    for number in count(1):
        minute, row = number % 1440, number % _ROWS
        taken = f"2026-{1 + number // 90_000 % 12:02}-{1 + number // 3000 % 28:02} {minute // 60:02}:{minute % 60:02}"
        yield f'{number},{10_000_000 + number % 50_000},{70_000 + row},{taken},"{60 + number % 90}, as charted"\n'


def write_dump(path: Path, size: int) -> int:
    """Writes a dump of at least this many bytes; returns the number of its records."""
    written, records = 0, -1
    with path.open("w", encoding="utf-8", newline="") as file:
        for line in lines():
            written += file.write(line)
            records += 1
            if written >= size:
                return records
    raise AssertionError("lines do not end")


def read_all(folder: Path) -> int:
    """Reads every record of every table in a folder; returns how many there are."""
    return sum(1 for table in find_sources(folder) for _ in table.records())


def main() -> int:
    parser = argparse.ArgumentParser(prog="large_export")
    parser.add_argument("--gigabytes", type=float, default=2.0)
    parser.add_argument("--build", action="store_true", help="build a contract of it")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home)
        records = write_dump(folder / "values.csv", int(arguments.gigabytes * 1024**3))
        begun = time.perf_counter()
        if arguments.build:
            from app.contracts import build_from_folder

            names = "".join(f"{70_000 + row},Row number {row},number\n" for row in range(_ROWS))
            (folder / "rows.csv").write_text(f"ROW_ID,ROW_NAME,VALUE_TYPE\n{names}", encoding="utf-8")
            build_from_folder(folder)
        else:
            assert read_all(folder) == records
        seconds = time.perf_counter() - begun
    megabytes = peak_bytes() / 1024**2
    print(f"{arguments.gigabytes:g} GB, {records:,} records: {seconds:.0f} s, at most {megabytes:.0f} MB")
    return int(megabytes > MOST_MEGABYTES)


if __name__ == "__main__":
    sys.exit(main())
