"""The arguments of `wardlight patients`."""

from __future__ import annotations

import argparse
from pathlib import Path


def patients_arguments(parser: argparse.ArgumentParser, machine: argparse.ArgumentParser) -> None:
    """Gives the command its options and what can be done; without a word, it lists."""
    parser.add_argument("--discharged", action="store_true", help="list discharged patients, too")
    actions = parser.add_subparsers(metavar="[add | edit | discharge | readmit | import]")

    def action(name: str, text: str, function: str) -> argparse.ArgumentParser:
        made = actions.add_parser(name, parents=[machine], help=text, description=text)
        made.set_defaults(module="charting.patients", function=function)
        made.add_argument("--signed-by", "--reviewer", metavar="NAME", help="who signs (default: from the settings)")
        return made

    add = action("add", "add a patient", "add")
    add.add_argument("name", help="name or alias")
    edit = action("edit", "change what is known of a patient", "edit")
    edit.add_argument("--name", help="name or alias")
    for one in (add, edit):
        one.add_argument("--born", metavar="DATE", help="date of birth, such as 1950-02-03")
        one.add_argument("--mrn", help="record number")
        one.add_argument("--another-person", action="store_true", help="two of this name and birth date are two people")
    add.add_argument("--temporary", action="store_true", help="the record number is a temporary one")
    discharge = action("discharge", "end the stay of a patient", "discharge")
    discharge.add_argument("--anyway", action="store_true", help="also while dictations are not filed")
    readmit = action("readmit", "begin another stay of a discharged patient", "readmit")
    for one in (add, edit, readmit):
        one.add_argument("--bed", help="bed")
    for one in (edit, discharge, readmit):
        one.add_argument("patient", type=int, help="number of the patient")
    bring = action("import", "show what a ward's list (CSV) would change, and import it", "import_list")
    bring.add_argument("file", type=Path, help="the list")
    bring.add_argument("--yes", action="store_true", help="import it, after what is shown without")
    bring.add_argument("--dates", choices=("day-first", "month-first"), help="what 03/02/1950 means in the list")
    bring.add_argument("--discharge", type=int, action="append", metavar="NUMBER", help="of one not in the list")
