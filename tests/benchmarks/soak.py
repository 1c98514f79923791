"""A shift in an hour: `python -m tests.benchmarks.soak [--minutes 60] [--dictations 30] [--kill-every 300]`.

The real window (offscreen) with the real models gets one dictation after the other while its inference process is
killed again and again. Every dictation must be filled and keep its sound, the memory must not grow, no process may
outlive the window, and the window's thread is never held. Exits with 1 when a target is missed. Linux only.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from app.chart.patient_identity import Identity
from app.intake.jobs import FILL, IMPORT
from app.operations.patients import PATIENT
from app.system import paths
from app.system.job_lanes import JobEvent, JobFinished
from app.system.settings import Settings, save_settings
from app.workbench import Workbench
from app.workspace.engine import LocalEngine
from tests.benchmarks.memory import resident_bytes
from tests.benchmarks.run import RESOURCES, Figure, verdict
from tests.kit.heartbeat import LONGEST_GAP_SECONDS, Heartbeat
from ui.kit.theme import Theme
from ui.shell.bridge import Bridge
from ui.shell.garbage_collection import GarbageCollector
from ui.shell.window import MainWindow

_SAMPLE = RESOURCES / "dictation" / "sample.flac"
_LOOK_MS = 5000
_MIB = 2**20


@dataclass
class Memory:
    """Resident bytes of the program over time, and the most that each inference process had, by its id."""

    program: list[int] = field(default_factory=list)
    inference: dict[int, int] = field(default_factory=dict)

    def look(self, pid: int | None) -> None:
        self.program.append(resident_bytes(os.getpid()))
        if pid is not None:
            self.inference[pid] = max(self.inference.get(pid, 0), resident_bytes(pid))

    def program_growth(self) -> float:
        """The last tenth of the time against the second tenth, in percent."""
        tenth = max(len(self.program) // 10, 1)
        return 100 * (median(self.program[-tenth:]) / median(self.program[tenth : 2 * tenth]) - 1)

    def inference_growth(self) -> float:
        """The later half of the processes against the earlier half, in percent."""
        most = list(self.inference.values())
        half = (len(most) + 1) // 2
        return 100 * (max(most[half:]) / max(most[:half]) - 1) if len(most) > 1 else 0.0


class Shift:
    """Hands in dictations, each of another patient, and kills the inference process, until all is filled."""

    def __init__(self, bench: Workbench, engine: LocalEngine, dictations: int) -> None:
        self.memory = Memory()
        self.taken_in: list[int] = []
        self.killed = 0
        self._bench, self._engine, self._wanted = bench, engine, dictations
        self._given = 0
        self._to_kill = False

    def hear(self, event: JobEvent) -> None:
        if not isinstance(event, JobFinished):
            return
        if event.job.kind == PATIENT:
            self._bench.intake.import_file(_SAMPLE, event.result)
        elif event.job.kind == IMPORT:
            self.taken_in.append(event.result.id)
        elif event.job.kind == FILL and self.over:
            QApplication.exit(0)

    @property
    def over(self) -> bool:
        filling = [job for job in self._bench.jobs if not job.ended]
        return len(self.taken_in) == self._wanted and not filling

    def hand_in(self) -> None:
        if self._given < self._wanted:
            self._given += 1
            one = Identity(f"Patient {self._given}", str(self._given), f"{self._given:06}")
            self._bench.ward.add(one)

    def look(self) -> None:
        self.memory.look(self._pid)
        if self.over:
            QApplication.exit(0)
        if self._to_kill:
            self._kill()

    def kill(self) -> None:
        """Kills the inference process as soon as it fills something."""
        self._to_kill = True

    def _kill(self) -> None:
        if self._bench.jobs and (pid := self._pid):
            os.kill(pid, signal.SIGKILL)
            self._to_kill = False
            self.killed += 1
            print(f"killed {self.killed}: {len(self.taken_in)} taken in, {len(self._bench.jobs)} to fill", flush=True)

    @property
    def _pid(self) -> int | None:
        return self._engine.inference.pid if self._engine.inference else None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60, help="over which the dictations are spread")
    parser.add_argument("--dictations", type=int, default=30)
    parser.add_argument("--kill-every", type=float, default=300, help="seconds")
    arguments = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ["WARDLIGHT_MODELS"] = str(paths.models_dir())
    with tempfile.TemporaryDirectory() as folder:
        os.environ["WARDLIGHT_DATA"] = folder
        save_settings(Settings(setup_finished=True), paths.config_file())  # the assistant would stand in the way
        return verdict(soak(arguments.minutes * 60, arguments.dictations, arguments.kill_every))


def soak(seconds: float, dictations: int, kill_every: float) -> list[Figure]:
    """Runs until everything is filled; `seconds` are the time over which the dictations come."""
    app = QApplication([])
    bridge, engine = Bridge(), LocalEngine()
    bench = Workbench(bridge.listen, engine=engine)
    window = MainWindow(Theme(app, "light"), bench, bridge)
    GarbageCollector(window)
    window.show()
    opened = bench.open()
    while not opened.ended:
        app.processEvents()
    heart, shift = Heartbeat(), Shift(bench, engine, dictations)
    bridge.arrived.connect(shift.hear)
    timers = []
    for every, do in ((seconds / dictations, shift.hand_in), (kill_every, shift.kill), (_LOOK_MS / 1000, shift.look)):
        timer = QTimer(interval=round(every * 1000))
        timer.timeout.connect(do)
        timer.start()
        timers.append(timer)
    begun = time.monotonic()
    shift.hand_in()
    heart.start()
    app.exec()
    heart.stop()
    kept = [bench.workspace.store.dictations.one(dictation_id) for dictation_id in shift.taken_in]
    unfilled = dictations - sum(dictation.status == "filled" for dictation in kept)
    silent = sum(not dictation.path.exists() for dictation in kept)
    window.close()
    bench.close()
    memory = shift.memory
    print(f"{time.monotonic() - begun:.0f} s; {shift.killed} of {len(memory.inference)} inference processes killed")
    print(f"program {max(memory.program) / _MIB:.0f} MiB, inference {max(memory.inference.values()) / _MIB:.0f} MiB")
    return [
        Figure("dictations that were not filled", unfilled, 0.0, ""),
        Figure("recordings that were lost", silent, 0.0, ""),
        Figure("growth of the program's memory", memory.program_growth(), 10.0, "%"),
        Figure("growth of the inference processes' memory", memory.inference_growth(), 10.0, "%"),
        Figure("processes that outlived the window", sum(map(_lives, memory.inference)), 0.0, ""),
        Figure("the window's thread was held for at most", heart.longest, LONGEST_GAP_SECONDS, "s"),
    ]


def _lives(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


if __name__ == "__main__":
    sys.exit(main())
