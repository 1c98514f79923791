"""Handovers: prepared, written to, and put on paper. Each call is a job."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

from app.chart.handover.page import Handover
from app.chart.records import Patient
from app.services.context.workspace import Workspace
from app.services.engine.job_lanes import Job
from app.services.handover.jobs import HANDOVER, PDF, WARD, WRITE
from app.services.handover.prepare import chosen_layout, prepare, prepare_ward
from app.system.paper import usual_paper
from app.system.settings import Settings
from models.base.atomic_files import disk, replace_file


class HandoverService:
    """Submits what the window asks about handovers."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def prepare(self, patient: Patient) -> Job[int, Handover]:
        """The handover of a patient's last stay. The job fails if the ward's layout is invalid."""
        workspace = self._workspace
        return workspace.sheets.submit(
            HANDOVER,
            patient.id,
            lambda _: prepare(
                workspace.store, patient, workspace.schema_of, workspace.schema, workspace.settings, chosen_layout()
            ),
        )

    def prepare_ward(self) -> Job[None, tuple[Handover, ...]]:
        """The handovers of all patients on the ward, by bed."""
        workspace = self._workspace
        return workspace.sheets.submit(
            WARD,
            None,
            lambda _: prepare_ward(
                workspace.store, workspace.schema_of, workspace.schema, workspace.settings, chosen_layout()
            ),
        )

    def write(self, page: Handover, written: Mapping[str, str]) -> Job[int, None]:
        """Keeps what a person wrote, by part, where it differs from what stands. Raises NotSigned."""
        store, signed = self._workspace.store, self._workspace.sign()

        def work(_: object) -> None:
            stay = page.encounter_id or store.encounters.open(page.patient.id).id
            with store.transaction():
                for part, content in written.items():
                    store.handover_entries.write(stay, part, content, signed)

        return self._workspace.sheets.submit(WRITE, page.patient.id, work)

    def save_pdf(self, pages: Sequence[Handover], path: Path, *, ward: bool) -> Job[None, Path]:
        """Writes handovers into a PDF, replacing a file of this name."""
        settings = self._workspace.settings
        return self._workspace.files.submit(PDF, None, lambda _: write_pdf(pages, path, settings, ward=ward))


def write_pdf(pages: Sequence[Handover], path: Path, settings: Settings, *, ward: bool) -> Path:
    """Writes handovers into a PDF and returns its path."""
    from app.exchange.sheets.printed_handover import printed_handovers

    paper = usual_paper() if settings.paper == "auto" else settings.paper
    data = printed_handovers(pages, paper=paper, program=f"Wardlight {version('wardlight')}", ward=ward)
    with disk(path):
        replace_file(path, data)
    return path
