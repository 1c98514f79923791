"""`outbox`: what the record system is told of filed dictations, and what became of it."""

from __future__ import annotations

import argparse
from typing import Any

from app.cli.arguments import add_machine, add_signer
from app.cli.charting.patient_words import who_is
from app.cli.charting.signing import signature_of
from app.cli.command import Command, add_commands
from app.cli.console import Console, table
from app.services.delivery.jobs import OutboxLine, OutboxState
from app.services.delivery.service import courier_of, outbox_state
from app.services.delivery.service import retry as try_again
from app.store import Store
from app.system import paths
from app.system.settings import load_settings
from models.base.errors import InputError

ACTIONS = (
    Command("list", "the messages and what became of them", "charting.outbox"),
    Command("check", "take the answers that have come and send what can be sent", "charting.outbox"),
    Command("retry", "send a message again, under the same id", "charting.outbox"),
    Command("cancel", "take a message out of the outbox: the record system is not told", "charting.outbox"),
)
_OFF = "Nothing is sent: no channel is named in the table [delivery] of the settings."


def outbox_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds arguments and subcommands; without a subcommand, the messages are listed."""
    list_arguments(parser)
    add_commands(parser, ACTIONS, "[list | check | retry | cancel]", required=False)


def list_arguments(parser: argparse.ArgumentParser) -> None:
    add_machine(parser)
    parser.set_defaults(function=show)


def show(arguments: argparse.Namespace, console: Console) -> None:
    """Lists the messages, newest first."""
    settings = load_settings(paths.config_file())
    with Store(paths.database_file()) as store:
        state = outbox_state(store, settings)
    _tell(state, console)


def check_arguments(parser: argparse.ArgumentParser) -> None:
    add_machine(parser)
    parser.set_defaults(function=check)


def check(arguments: argparse.Namespace, console: Console) -> int:
    """Takes answers and hands messages over; the exit code is 1 if a refused message waits for a person."""
    settings = load_settings(paths.config_file())
    with Store(paths.database_file()) as store:
        courier = courier_of(store, settings)
        if courier is None:
            raise InputError(_OFF, "Turn it on there, or in the settings of the window.")
        courier.run()
        state = outbox_state(store, settings)
    _tell(state, console)
    return int(state.refused > 0)


def retry_arguments(parser: argparse.ArgumentParser) -> None:
    _add_number(parser)
    parser.set_defaults(function=retry)


def retry(arguments: argparse.Namespace, console: Console) -> None:
    """Sends a message again."""
    settings = load_settings(paths.config_file())
    with Store(paths.database_file()) as store:
        try_again(store, settings, arguments.number, signature_of(store, arguments))
        if courier := courier_of(store, settings):
            courier.run()
        state = outbox_state(store, settings)
    _tell(state, console, arguments.number)


def cancel_arguments(parser: argparse.ArgumentParser) -> None:
    _add_number(parser)
    parser.set_defaults(function=cancel)


def cancel(arguments: argparse.Namespace, console: Console) -> None:
    """Cancels a message; what waited behind it can be sent."""
    settings = load_settings(paths.config_file())
    with Store(paths.database_file()) as store:
        store.outbox.cancel(arguments.number, signature_of(store, arguments))
        state = outbox_state(store, settings)
    _tell(state, console, arguments.number)


def _add_number(parser: argparse.ArgumentParser) -> None:
    add_machine(parser)
    add_signer(parser)
    parser.add_argument("number", type=int, help="number of the message")


def _tell(state: OutboxState, console: Console, number: int | None = None) -> None:
    """Prints the messages, or the one with this number."""
    lines = [line for line in state.lines if number in (None, line.message.number)]
    heads = ["number", "dictation", "patient", "tells", "state", "why"]
    rows = [
        [str(one.message.number), str(one.message.dictation_id), who_is(one.patient), one.told_words, one.state_words,
         one.message.reason]
        for one in lines
    ]  # fmt: skip
    if not state.on:
        console.note(_OFF)
    console.answer(list(map(_facts, lines)), table(heads, rows) if rows else "The outbox is empty.")


def _facts(line: OutboxLine) -> dict[str, Any]:
    message = line.message
    return {
        "number": message.number,
        "id": message.id,
        "dictation": message.dictation_id,
        "patient": who_is(line.patient),
        "new": line.final,
        "corrected": line.amended,
        "withdrawn": line.withdrawn,
        "state": message.state.value,
        "since": message.since,
        "due": message.due,
        "reason": message.reason,
    }
