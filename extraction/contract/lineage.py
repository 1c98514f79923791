"""Where the rows of a contract come from, and how their values go back, in words."""

from __future__ import annotations

from extraction.contract.compile import row_export
from extraction.contract.history.words import history_lines
from extraction.contract.records import Contract, ContractRow


def find_rows(contract: Contract, text: str) -> list[ContractRow]:
    """The row with this id, present or former; otherwise those in whose id and names all its words occur."""
    known = [row for row in contract.rows if text in (row.id, *row.former_ids)]
    words = text.casefold().split()
    return known or [row for row in contract.rows if all(word in _searched(row) for word in words)]


def lineage(row: ContractRow, contract: Contract) -> str:
    """The chain of a row in lines: cells, what was made of them, and how a filed value goes back."""
    back = row_export(row)
    hashes = {source.name: source.sha256[:12] for source in contract.sources}
    fields: dict[tuple[str, int], list[str]] = {}
    for cell in row.cells:
        fields.setdefault((cell.source, cell.line), []).append(cell.field or "charted values")
    lines = [f"{row.id}  {row.name}", "", "from"]
    lines += [
        f"  {source} ({hashes.get(source, '?')})  line {line}  {', '.join(names)}"
        for (source, line), names in fields.items()
    ]
    lines += ["", "is"]
    lines.append(f"  {row.value_type}{f' in {row.unit}' if row.unit else ''}{' (retired)' if row.retired else ''}")
    codes = (("LOINC", row.loinc), ("UCUM", row.ucum if row.ucum != row.unit else ""))
    lines += [f"  {system} {code}" for system, code in codes if code]
    lines += [f"  also called {alias.text} ({alias.origin})" for alias in row.aliases]
    lines += [f"  formerly {former}" for former in row.former_ids]
    lines += [f"  in {' / '.join(path)}" for path in row.categories]
    lines += [
        f"  {option.code or '-':<6} {option.name}{' (retired)' if option.retired else ''}" for option in row.options
    ]
    names = {other.id: other.name for other in contract.rows}
    lines += ["", "charted"]
    lines += [f"  {line}" for line in history_lines(row.charted, row.history, names)]
    lines += ["", "goes back as", f"  {back.id}{f' in {back.unit}' if back.unit else ''}"]
    lines += [f"  {name} -> {code}" for name, code in back.options.items()]
    return "\n".join(lines)


def _searched(row: ContractRow) -> str:
    return " ".join((row.id, row.name, *(alias.text for alias in row.aliases))).casefold()
