"""Commands and their parsers. A command's module is imported only when that command is used."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any, NamedTuple


class Command(NamedTuple):
    """A command and its one-line help.

    Its module, named relative to `app.cli`, has a function `NAME_arguments` that adds the command's arguments to a
    parser and sets `function` to the function that runs the command.
    """

    name: str
    about: str
    module: str


def add_commands(parser: argparse.ArgumentParser, commands: Sequence[Command], metavar: str, *, required: bool) -> None:
    """Adds the commands as subcommands of the parser."""
    choices = parser.add_subparsers(metavar=metavar, required=required, parser_class=_CommandParser)
    for command in commands:
        choices.add_parser(command.name, help=command.about, description=command.about, command=command)


class _CommandParser(argparse.ArgumentParser):
    """Parser of one command, which gets its arguments only when it parses."""

    def __init__(self, *, command: Command, **options: Any) -> None:
        super().__init__(**options)
        self._command = command

    def parse_known_args(self, args: Iterable[str] | None = None, namespace: Any = None) -> tuple[Any, list[str]]:
        module = import_module(f"app.cli.{self._command.module}")
        getattr(module, f"{self._command.name}_arguments")(self)
        return super().parse_known_args(args, namespace)
