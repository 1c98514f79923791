"""`contract build | check | show | codes | alike | diff | extend | decide | answers | try | promote | compile`."""

from __future__ import annotations

import argparse
import getpass
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from app.cli.arguments import add_common, add_machine
from app.cli.common import stoppable
from app.cli.console import Console, table
from app.cli.contract_decisions import alike, codes
from app.cli.contract_questions import ask, conflict_questions, signed
from app.cli.contract_words import (
    change_data,
    changes_text,
    gates_data,
    gates_text,
    row_data,
    summary,
    summary_text,
)
from app.contracts import (
    CONTRACT_FILE,
    SCHEMA_FILE,
    LaterExport,
    StoredContract,
    build_from_folder,
    extend_from_folder,
    for_one_use,
    left_out_of,
    load_contract,
    promoted,
    save_bytes,
    save_contract,
)
from app.services.contracts.answers import answers_bytes, forget_answers, kept_answers, read_answers
from extraction.contract.build import Built
from extraction.contract.codes.proposals import propose_codes
from extraction.contract.compile import contract_vocabulary, export_map, flowsheet_schema
from extraction.contract.document import contract_bytes
from extraction.contract.extension import decide, standing
from extraction.contract.gates import may_be_used
from extraction.contract.left_out.records import LeftOut
from extraction.contract.lineage import find_rows, lineage
from extraction.contract.questions import with_later, without_subject
from extraction.contract.records import Contract, Decision
from extraction.contract.row_extension import Change
from extraction.schema_files.native_format import parse_schema
from models.base.errors import InputError
from models.base.progress import ProgressMonitor

Result = TypeVar("Result")


def contract_arguments(parser: argparse.ArgumentParser) -> None:
    add_common(parser)
    actions = parser.add_subparsers(metavar="ACTION", required=True, parser_class=argparse.ArgumentParser)

    def action(name: str, about: str, function: Any, *, contract: bool = True) -> argparse.ArgumentParser:
        one: argparse.ArgumentParser = actions.add_parser(name, help=about, description=about)
        add_machine(one)
        one.set_defaults(function=function)
        if contract:
            one.add_argument("contract", type=Path, metavar="CONTRACT", help="the contract's JSON file")
        return one

    build = action("build", "build a contract from a folder of exports", _build, contract=False)
    build.add_argument("folder", type=Path, metavar="DIR", help="the folder with the exports")
    _add_out(build, "contract.json")
    build.add_argument("--name", default="", help="an id for the contract (default: made from the columns)")
    check = action("check", "check a contract, and say whether it may be used", _check)
    for one in (build, check):
        one.add_argument("--report", type=Path, metavar="FILE", help="also write the checks as a page: .pdf or .txt")
    show = action("show", "show where a row came from and what becomes of it", _show)
    show.add_argument("row", nargs="?", default="", help="id or words of the name (default: all rows)")
    show.add_argument("--conflicts", action="store_true", help="show what later exports said otherwise")
    coded = action("codes", "list the LOINC codes that rows may have; accept or reject them", codes)
    coded.add_argument("--accept-exact", action="store_true", help="accept all whose name and unit agree exactly")
    coded.add_argument(
        "--set", action="append", default=[], metavar="ROW=CODE", help="give a row a code; CODE 'none' rejects all"
    )
    same = action("alike", "list rows that chart the same in another way; confirm or refuse them", alike)
    for option, about in (("confirm", "they chart the same"), ("refuse", "they do not"), ("reopen", "undecided again")):
        same.add_argument(f"--{option}", action="append", default=[], metavar="ROWS", help=f"ids as listed: {about}")
    diff = action("diff", "what a later export would change; nothing is written", _diff)
    extend = action("extend", "extend a contract by a later export", _extend)
    trial = action("try", "extend a contract for one look; it stays as it is", _try)
    for one in (diff, extend, trial):
        one.add_argument("folder", type=Path, metavar="DIR", help="the folder with the later exports")
    for one in (build, diff, extend, trial):
        one.add_argument(
            "--answers", type=Path, metavar="FILE", help="answers of persons, as 'contract answers' writes"
        )
    for one in (build, extend):
        one.add_argument("--yes", action="store_true", help="ask nothing; take the likeliest answers")
    extend.add_argument("--out", type=Path, metavar="FILE", help="where to write it (default: the same file)")
    trial.add_argument("row", nargs="?", default="", help="id or words of the name of rows to show")
    trial.add_argument("--snapshot", type=Path, metavar="FILE", help="keep the extended contract, to be promoted later")
    promote = action("promote", "make a snapshot the next version of a contract, in your name", _promote)
    promote.add_argument("snapshot", type=Path, metavar="SNAPSHOT", help="as 'contract try' has written it")
    decided = action("decide", "decide about a conflict that an export left", _decide)
    decided.add_argument("question", help="the conflict, as 'show --conflicts' lists it")
    decided.add_argument("answer", choices=("new", "old"), help="take what the export said, or keep the row as it is")
    answers = action("answers", "write what persons have answered into a file, for another build", _answers)
    _add_out(answers, "answers.json")
    compiled = action("compile", "write the flowsheet schema of a contract", _compile)
    _add_out(compiled, "schema.json")
    compiled.add_argument("--title", default="", help="what a person calls the schema")
    compiled.add_argument("--vocabulary", type=Path, metavar="FILE", help="also write what questions can name")
    compiled.add_argument("--export-map", type=Path, metavar="FILE", help="also write ids and codes for exports")


def _add_out(parser: argparse.ArgumentParser, name: str) -> None:
    parser.add_argument("--out", type=Path, default=Path(name), metavar="FILE", help=f"where to write it ({name})")


# build


def _build(arguments: argparse.Namespace, console: Console) -> int:
    before = _refuse_to_begin_again(arguments.out)
    decisions = with_later(before, _answered(arguments))
    built = _watched(console, lambda monitor: build_from_folder(arguments.folder, decisions, monitor, arguments.name))
    if built.questions and _asks(arguments) and (given := ask(built.questions, arguments.folder)):
        decisions = with_later(decisions, given)
        built = _watched(
            console, lambda monitor: build_from_folder(arguments.folder, decisions, monitor, arguments.name)
        )
    save_contract(built.contract, arguments.out)
    forget_answers(arguments.folder)
    _write_report(arguments, arguments.folder, built.contract, left_out_of(built.contract, built), built.seconds)
    _note_unused(decisions, built.contract, console)
    console.answer(summary(built, arguments.out), summary_text(built, arguments.out))
    return 0 if may_be_used(built.contract) else 1


def _refuse_to_begin_again(out: Path) -> tuple[Decision, ...]:
    """What was decided for the contract that is replaced; raises InputError if it has been extended."""
    if not out.exists():
        return ()
    contract = load_contract(out).contract
    if contract.version > 1:
        raise InputError(
            f"{out} is version {contract.version} of a contract, and building would begin again at the first.",
            "Extend it ('wardlight contract extend'), or name another file with --out.",
        )
    return contract.decisions


def _answered(arguments: argparse.Namespace) -> tuple[Decision, ...]:
    """What was answered about a folder, in a file and in a build that was stopped."""
    return with_later(kept_answers(arguments.folder), read_answers(arguments.answers) if arguments.answers else ())


def _asks(arguments: argparse.Namespace) -> bool:
    return not arguments.yes and sys.stdin.isatty()


def _watched(console: Console, work: Callable[[ProgressMonitor], Result]) -> Result:
    """What a stoppable piece of work gives, with its progress shown."""
    with stoppable() as cancelled:
        result = work(ProgressMonitor(console.progress, cancelled))
    console.end_progress()
    return result


def _note_unused(decisions: tuple[Decision, ...], contract: Contract, console: Console) -> None:
    if unused := without_subject(decisions, contract):
        listed = ", ".join(one.question for one in unused)
        console.note(f"{len(unused)} answers are about rows or columns that are not in these exports: {listed}.")


# the other actions


def _check(arguments: argparse.Namespace, console: Console) -> int:
    contract = load_contract(arguments.contract).contract
    schema = parse_schema(flowsheet_schema(contract), "its schema")
    usable = may_be_used(contract)
    _write_report(arguments, arguments.contract.parent, contract, left_out_of(contract, Built(contract)))
    data = {"id": contract.id, "version": contract.version, "usable": usable, "rows": len(schema.rows)}
    console.answer(data | {"gates": gates_data(contract)}, f"{gates_text(contract)}\n\n{len(schema.rows)} rows in use")
    return 0 if usable else 1


def _write_report(
    arguments: argparse.Namespace,
    folder: Path,
    contract: Contract,
    left_out: tuple[LeftOut, ...],
    seconds: float = 0.0,
) -> None:
    """Writes the checks as a page, if one was asked for."""
    if not arguments.report:
        return
    from app.services.contracts.jobs import ReadExport
    from app.services.contracts.printed_report import report_bytes

    read = ReadExport(folder, contract, contract, None, changes=standing(contract), seconds=seconds, left_out=left_out)
    try:
        read = replace(read, schema=parse_schema(flowsheet_schema(contract), "its schema"))
    except InputError as error:
        read = replace(read, refused=error.what)
    save_bytes(report_bytes(read, "", arguments.report.suffix), arguments.report)


def _show(arguments: argparse.Namespace, console: Console) -> int:
    contract = load_contract(arguments.contract).contract
    if arguments.conflicts:
        conflicts = standing(contract)
        cells = [[one.question, one.says] for one in conflicts]
        text = table(["conflict", ""], cells, widest=90) if conflicts else "There are no conflicts."
        console.answer([change_data(one) for one in conflicts], text)
        return 0 if conflicts else 1
    return _show_rows(contract, arguments.row, console)


def _show_rows(contract: Contract, words: str, console: Console) -> int:
    found = find_rows(contract, words)
    if len(found) == 1:
        row = found[0]
        proposed = propose_codes([row]).get(row.id, ())
        console.answer(row_data(row, contract, proposed), lineage(row, contract, proposed))
    else:
        cells = [[row.id, row.name, row.value_type, row.unit, str(row.charted)] for row in found]
        text = table(["id", "row", "type", "unit", "charted"], cells, widest=48)
        console.answer([row_data(row, contract) for row in found], f"{text}\n{len(found)} of {len(contract.rows)} rows")
    return 0 if found else 1


def _diff(arguments: argparse.Namespace, console: Console) -> int:
    changes = _later(arguments, load_contract(arguments.contract), console).changes
    console.answer([change_data(change) for change in changes], changes_text(changes))
    return 0 if changes else 1


def _extend(arguments: argparse.Namespace, console: Console) -> int:
    stored = load_contract(arguments.contract)
    later = _later(arguments, stored, console)
    if _asks(arguments):
        asked = [*conflict_questions(later.changes), *later.built.questions]
        if asked and ask(asked, arguments.folder):
            later = _later(arguments, stored, console)
    if not later.changes:
        data = {"version": later.contract.version, "changes": []}
        console.answer(data, "The export has nothing new; nothing was written.")
        return 1
    out = arguments.out or arguments.contract
    save_contract(later.contract, out, arguments.contract)
    forget_answers(arguments.folder)
    _tell_written(out, later.contract, later.changes, console)
    return 0


def _later(arguments: argparse.Namespace, stored: StoredContract, console: Console) -> LaterExport:
    given = _answered(arguments)
    return _watched(console, lambda monitor: extend_from_folder(stored, arguments.folder, given, monitor))


def _tell_written(out: Path, contract: Contract, changes: tuple[Change, ...], console: Console) -> None:
    data = {"contract": str(out), "version": contract.version, "changes": [change_data(change) for change in changes]}
    console.answer(data, f"{changes_text(changes)}\n\n{out}: version {contract.version}")


def _try(arguments: argparse.Namespace, console: Console) -> int:
    later = _later(arguments, load_contract(arguments.contract), console)
    with for_one_use(later.contract) as folder:
        contract = load_contract(folder / CONTRACT_FILE).contract
        parse_schema((folder / SCHEMA_FILE).read_bytes(), "the schema of the extended contract")
        if arguments.snapshot and later.changes:
            save_bytes(contract_bytes(contract), arguments.snapshot)
            console.note(f"{arguments.snapshot} keeps version {contract.version}; {arguments.contract} is unchanged.")
        if arguments.row:
            return _show_rows(contract, arguments.row, console)
        data = {"version": contract.version, "usable": may_be_used(contract), "gates": gates_data(contract)}
        changes = [change_data(change) for change in later.changes]
        console.answer(data | {"changes": changes}, f"{changes_text(later.changes)}\n\n{gates_text(contract)}")
    return 0 if later.changes else 1


def _promote(arguments: argparse.Namespace, console: Console) -> int:
    contract = promoted(arguments.snapshot, arguments.contract, getpass.getuser())
    save_contract(contract, arguments.contract)
    data = {"contract": str(arguments.contract), "version": contract.version}
    console.answer(data, f"{arguments.contract}: version {contract.version}, {contract.log[-1].partition(': ')[2]}")
    return 0


def _decide(arguments: argparse.Namespace, console: Console) -> int:
    stored = load_contract(arguments.contract)
    decision = signed(arguments.question, arguments.answer)
    extension = decide(stored.contract, stored.sha256, [decision], decision.at)
    if not extension.changes:
        console.answer({"version": stored.contract.version, "changes": []}, "It was decided so before.")
        return 1
    save_contract(extension.contract, arguments.contract)
    _tell_written(arguments.contract, extension.contract, extension.changes, console)
    return 0


def _answers(arguments: argparse.Namespace, console: Console) -> int:
    contract = load_contract(arguments.contract).contract
    save_bytes(answers_bytes(contract.decisions, f"{contract.id}, version {contract.version}"), arguments.out)
    count = len(contract.decisions)
    console.answer({"answers": str(arguments.out), "count": count}, f"{arguments.out}: {count} answers")
    return 0


def _compile(arguments: argparse.Namespace, console: Console) -> int:
    contract = load_contract(arguments.contract).contract
    if not may_be_used(contract):
        failed = next(gate for gate in contract.gates if gate.required and not gate.passed)
        raise InputError(
            f"{arguments.contract} may not be used: {failed.name}, {failed.says}.",
            "Correct the exports, and build the contract again.",
        )
    data = flowsheet_schema(contract, arguments.title)
    schema = parse_schema(data, arguments.out.name)
    save_bytes(data, arguments.out)
    if arguments.export_map:
        rows = {
            row: {"id": one.id, "name": one.name, "unit": one.unit, "options": dict(one.options)}
            for row, one in export_map(contract).items()
        }
        content = {"format": "wardlight-export-map/1", "contract": contract.id, "version": contract.version}
        save_bytes(json.dumps(content | {"rows": rows}, ensure_ascii=False, indent=1).encode(), arguments.export_map)
    if arguments.vocabulary:
        save_bytes(contract_vocabulary(contract, arguments.title), arguments.vocabulary)
    console.answer(
        {"schema": str(arguments.out), "id": schema.id, "version": schema.version, "rows": len(schema.rows)},
        f"{arguments.out}: {len(schema.rows)} rows",
    )
    return 0
