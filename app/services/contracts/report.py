"""The checks of an import as a report that an informatics nurse or an engineer can show to somebody."""

from __future__ import annotations

from dataclasses import dataclass

from app.services.contracts.jobs import ReadExport
from extraction.contract.gates import figures
from extraction.contract.left_out.finding import counted
from extraction.contract.left_out.records import REASON_WORDS, LeftOut
from extraction.contract.records import Gate, SourceKind

_WIDE = 88
_MOST_NAMED = 1000
_COUNTS = frozenset({"rows", "duplicate ids", "people"})


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report.

    Attributes:
        heads: the names of the columns; `lines` have a text for each.
        form: how a line is written as plain text.
    """

    title: str
    heads: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    form: str


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


def verdict(read: ReadExport) -> str:
    """Whether an import may be used, in words."""
    return "may be used" if read.usable else f"may NOT be used. {why_not(read)}"


def in_and_out(read: ReadExport) -> str:
    """How many lines the exports list as rows, how many rows are in use, and how many are left out, in a sentence."""
    lines = f"The lists of rows have {_listed(read):,} lines; " if _listed(read) else ""
    return f"{lines}{_used(read):,} rows are in use, {len(read.left_out):,} left out."


def _listed(read: ReadExport) -> int:
    return sum(one.rows for one in read.found.sources if one.kind is SourceKind.DICTIONARY)


def _used(read: ReadExport) -> int:
    return sum(not row.retired for row in read.contract.rows)


def _in_and_out(read: ReadExport) -> tuple[tuple[str, str], ...]:
    listed = [(f"{_listed(read):,}", "lines in the lists of rows")] if _listed(read) else []
    left_out = [(f"{count:,}", f"left out: {REASON_WORDS[reason]}") for reason, count in counted(read.left_out).items()]
    return (*listed, (f"{_used(read):,}", "rows in use"), *left_out)


def place_words(one: LeftOut) -> str:
    """Where something that was left out stands."""
    return f"{one.source}, line {one.line:,}" if one.line else one.source


def reason_words(one: LeftOut) -> str:
    """Why something was left out."""
    return f"{REASON_WORDS[one.reason]}{f': {one.says}' if one.says else ''}"


def report_title(read: ReadExport, title: str) -> str:
    return f"Import from the record system: {title or read.contract.id}"


def report_origin(read: ReadExport) -> tuple[str, str]:
    """Which contract it is, and where its exports lie."""
    contract = read.contract
    return f"{contract.id}, version {contract.version}, read {contract.created_at}", f"Folder: {read.folder}"


def report_sections(read: ReadExport) -> tuple[Section, ...]:
    """Checks, figures, conflicts, changes, decisions, sources and what is left out; without those that are empty."""
    contract = read.contract
    sections = (
        Section(
            "Checks",
            ("Check", "Result", "Value", "What was found"),
            tuple((gate.name, gate_state(gate), gate_value(gate), gate.says) for gate in contract.gates),
            "{1:<16}{0} = {2}: {3}",
        ),
        Section("Figures", ("Measure", "Value", "What it says"), _figures(read), "{0:<10}{1:>8}  {2}"),
        Section(
            "Open conflicts and changes",
            ("Change", "What differs"),
            tuple((one.kind, one.says) for one in sorted(read.changes, key=lambda one: not one.is_conflict)),
            "{0}: {1}",
        ),
        Section(
            "Decided by persons",
            ("Question", "Answer", "By", "At"),
            tuple((one.question, one.answer, one.by, one.at) for one in contract.decisions),
            "{0} = {1} ({2}, {3})",
        ),
        Section(
            "Sources",
            ("Table", "Holds", "Records", "SHA-256"),
            tuple((one.name, one.kind.value, f"{one.rows:,}", one.sha256) for one in read.found.sources),
            "{0}: {1}, {2} records, SHA-256 {3}",
        ),
        Section(
            "Rows in use and left out",
            ("Number", "What"),
            _in_and_out(read),
            "{0:>7}  {1}",
        ),
        Section(
            "Which rows were left out", ("Row", "Id", "Where", "Why"), _named(read.left_out), "{0} ({1}), {2}: {3}"
        ),
        Section(
            "Columns left out",
            ("Table", "Column", "Why"),
            tuple((one.source, one.field, one.reason) for one in contract.exclusions),
            "{0}, {1}: {2}",
        ),
    )
    return tuple(section for section in sections if section.lines)


def checks_report(read: ReadExport, title: str) -> str:
    """The report in plain text."""
    parts = [report_title(read, title), *report_origin(read), f"Result: {verdict(read)}"]
    for section in report_sections(read):
        parts += ["", section.title, "-" * min(_WIDE, len(section.title))]
        parts += [section.form.format(*line) for line in section.lines]
    return "\n".join(parts) + "\n"


def _named(left_out: tuple[LeftOut, ...]) -> tuple[tuple[str, ...], ...]:
    """The first of what was left out, with how many more there are."""
    lines = [(one.name or "-", one.row or "-", place_words(one), reason_words(one)) for one in left_out[:_MOST_NAMED]]
    more = len(left_out) - len(lines)
    return (*lines, *([("…", "", "", f"and {more:,} more")] if more else []))


def _figures(read: ReadExport) -> tuple[tuple[str, ...], ...]:
    """The measures of the contract, and of reading if that was measured."""
    lines = [
        (one.name, "none" if one.value is None else f"{one.value:.1%}", one.says) for one in figures(read.contract)
    ]
    if read.seconds:
        lines.append(("SchTime", f"{read.seconds:.1f} s", "from the files to the rows"))
    return tuple(lines)
