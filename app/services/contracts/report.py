"""The checks of an import as a text that an informatics nurse can show to somebody."""

from __future__ import annotations

from app.services.contracts.jobs import ReadExport
from extraction.contract.records import Contract, Gate

_WIDE = 88
_COUNTS = frozenset({"rows", "duplicate ids", "people"})


def gate_state(gate: Gate) -> str:
    """What came of a check, in a word."""
    if not gate.required:
        return "for information"
    return "passed" if gate.passed else "failed"


def gate_value(gate: Gate) -> str:
    """The number of a check: a share as a percentage, a count as it is."""
    return f"{gate.value:g}" if gate.name in _COUNTS or gate.value > 1 else f"{100 * gate.value:.3g}%"


def why_not(read: ReadExport) -> str:
    """Why an export cannot be used, in words; empty if it can."""
    failed = [f"{gate.name}: {gate.says}" for gate in read.contract.gates if gate.required and not gate.passed]
    return ". ".join([*failed, *([read.refused] if read.refused else [])])


def checks_report(read: ReadExport, title: str) -> str:
    """Sources, checks, changes and who decided what, in plain text."""
    contract = read.contract
    verdict = "may be used" if read.usable else f"may NOT be used. {why_not(read)}"
    parts = [
        f"Import from the record system: {title or contract.id}",
        f"{contract.id}, version {contract.version}, read {contract.created_at}",
        f"Folder: {read.folder}",
        f"Result: {verdict}",
        _section("Checks", [f"{gate_state(gate):<16}{gate.name} = {gate_value(gate)}: {gate.says}" for gate in
                            contract.gates]),
        _section("Sources", [f"{one.name}: {one.kind.value}, {one.rows:,} records, SHA-256 {one.sha256}" for one in
                             read.found.sources]),
        _section("Left out", [f"{one.source}, {one.field}: {one.reason}" for one in contract.exclusions]),
        _section("Changes", [f"{one.kind}: {one.says}" for one in read.changes]),
        _section("Decided by persons", _decisions(contract)),
    ]  # fmt: skip
    return "\n".join(part for part in parts if part) + "\n"


def _decisions(contract: Contract) -> list[str]:
    return [f"{one.question} = {one.answer} ({one.by}, {one.at})" for one in contract.decisions]


def _section(title: str, lines: list[str]) -> str:
    return "\n".join(["", title, "-" * min(_WIDE, len(title)), *lines]) if lines else ""
