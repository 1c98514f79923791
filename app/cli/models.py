"""`models list | install | verify | remove | add`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from app.cli.arguments import add_machine, add_schema
from app.cli.common import schema_of, stoppable
from app.cli.console import Console, table
from app.system import paths
from app.system.settings import Settings, load_settings
from extraction.annotation.case_files import Cases
from extraction.flowsheet.schema import Schema
from models.base.errors import InputError
from models.base.progress import ProgressMonitor
from models.errors import ModelFileError
from models.library.added_models import (
    added_models,
    gguf_entry,
    gguf_in,
    is_whisper,
    list_model,
    open_registry,
    unlist_model,
    whisper_entry,
)
from models.library.manifest import ModelEntry
from models.library.registry import Registry, check_source

_UNITS = {"filler": "tokens read per second", "speech": "seconds of speech written down per second"}


def models_arguments(parser: argparse.ArgumentParser) -> None:
    add_machine(parser)
    parser.add_argument("action", choices=("list", "install", "verify", "remove", "add"))
    parser.add_argument("ids", nargs="*", metavar="ID", help="which (default: the default of each role)")
    parser.add_argument(
        "--from", dest="source", type=Path, metavar="DIR", help="take the files from a folder or USB drive"
    )
    parser.add_argument("--all", action="store_true", help="every known model")
    parser.add_argument("--title", default="", help="of an added model (default: what its files say)")
    parser.add_argument("--licence", default="", help="of an added model (default: what its files say)")
    parser.add_argument("--examples", type=Path, metavar="FILE", help="annotated cases to fit an added model to")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder for what is learned from them")
    add_schema(parser, "that the cases were annotated with")
    parser.set_defaults(function=models)


def models(arguments: argparse.Namespace, console: Console) -> int:
    registry = open_registry(paths.models_dir())
    if arguments.action == "list":
        return _list(registry, console)
    if arguments.action == "add":
        return _add(arguments, console)
    chosen = _chosen(registry, arguments)
    if arguments.action == "remove":
        _refuse_chosen(registry.root, chosen)
    done: dict[str, str] = {}
    code = 0
    with stoppable() as cancelled:
        for entry in chosen:
            if arguments.action == "install":
                registry.install(
                    entry.id, source=arguments.source, monitor=ProgressMonitor(console.progress, cancelled)
                )
            elif arguments.action == "remove":
                registry.remove(entry.id)
                if unlist_model(registry.root, entry.id):
                    done[entry.id] = "removed"
                    continue
            else:
                try:
                    registry.verify(entry.id, ProgressMonitor(console.progress, cancelled))
                except ModelFileError as error:
                    console.note(str(error))
                    code = 3
            done[entry.id] = registry.status(entry.id)
    console.end_progress()
    console.answer(done, "\n".join(f"{model}: {status}" for model, status in done.items()))
    return code


def _chosen(registry: Registry, arguments: argparse.Namespace) -> list[ModelEntry]:
    """The named models, all models, or the default of each role. Raises InputError if `remove` names none."""
    if arguments.ids:
        return [registry.entry(model) for model in arguments.ids]
    if arguments.all:
        return list(registry.manifest.models)
    if arguments.action == "remove":
        raise InputError("No model ID was given.", "Give one or --all; 'wardlight models list' shows them.")
    return [entry for entry in registry.manifest.models if entry.default]


def _add(arguments: argparse.Namespace, console: Console) -> int:
    """Copies a model of the hospital's, runs it once and lists it; one that does not work is removed again.

    With examples, it is then fitted to them.
    """
    from app.cli.measuring.learn import learn_cases
    from app.inference.model_check import check_model, refuse_useless

    if arguments.source is None or arguments.ids:
        raise InputError("No source was given.", "Give the folder or file of the model: models add --from FOLDER.")
    source: Path = arguments.source.expanduser()
    check_source(source)
    settings = load_settings(paths.config_file())
    lessons = _lessons(arguments, source, settings, console)
    root = paths.models_dir()
    with stoppable() as cancelled:
        monitor = ProgressMonitor(console.progress, cancelled)
        entry = _entry_of(source, arguments, monitor)
        known = any(one.id == entry.id for one in open_registry(root).manifest.models)
        list_model(root, entry)
        registry = open_registry(root)
        try:
            registry.install(entry.id, source=source, monitor=monitor)
            found = check_model(entry, registry, settings, monitor)
            refuse_useless(entry, found)
        except BaseException:
            if not known:
                registry.remove(entry.id)
                unlist_model(root, entry.id)
            raise
        checked = {entry.id: found}
        usual = registry.resolve(entry.role).id
        if registry.status(usual) == "installed":
            checked[usual] = check_model(registry.entry(usual), registry, settings, monitor)
    console.end_progress()
    rows = [[model, f"{one.right:.0%}", f"{one.speed:.1f}"] for model, one in checked.items()]
    lines = [
        f"{entry.id} is installed and works. In a short test:",
        table(["model", "right", _UNITS[entry.role]], rows),
        f"Choose it in the settings, or for one run with --{entry.role}-model {entry.id}.",
    ]
    answer = {"id": entry.id, "role": entry.role, "checked": {model: asdict(one) for model, one in checked.items()}}
    if lessons:
        schema, cases = lessons
        console.note(f"{entry.id} is installed and works. Now it is fitted to {len(cases.cases)} cases.")
        chosen = replace(settings, filler_model=entry.id)
        answer["learned"], told = learn_cases(arguments.out, cases, schema, chosen, console)
        lines.append(told)
    elif entry.role == "filler":
        lines.append(
            "What weighs its answers was fitted to another language model. Fit it to your own annotated dictations: "
            f"wardlight learn --filler-model {entry.id} --examples FILE --out FOLDER. Until then nothing is promised."
        )
    console.answer(answer, "\n".join(lines))
    return 0


def _lessons(
    arguments: argparse.Namespace, source: Path, settings: Settings, console: Console
) -> tuple[Schema, Cases] | None:
    """The cases that the model is to be fitted to, with their schema; None if to none.

    Raises InputError if something about them is missing or cannot be used.
    """
    from app.cli.measuring.learn import cases_to_learn

    if arguments.examples is None and arguments.out is None:
        return None
    if is_whisper(source):
        raise InputError("A speech model is not fitted to annotated cases.", "Leave out --examples and --out.")
    if arguments.examples is None or arguments.out is None:
        raise InputError(
            "Fitting a model needs annotated cases and an output folder.",
            "Give both: --examples FILE --out DIR.",
        )
    schema, _ = schema_of(arguments, settings)
    return schema, cases_to_learn(arguments.examples, arguments.out, schema, console)


def _entry_of(source: Path, arguments: argparse.Namespace, monitor: ProgressMonitor) -> ModelEntry:
    from app.inference.model_check import facts_of_gguf

    if is_whisper(source):
        return whisper_entry(source, arguments.title, arguments.licence, monitor)
    file = gguf_in(source)
    facts = facts_of_gguf(file, monitor)
    title, licence = arguments.title or facts.name, arguments.licence or facts.licence
    return gguf_entry(file, title, licence, facts.context_tokens, monitor)


def _refuse_chosen(root: Path, chosen: Sequence[ModelEntry]) -> None:
    """Raises InputError if the settings name an added model among these, which would then be unknown."""
    settings = load_settings(paths.config_file())
    added = {entry.id for entry in added_models(root)}
    for entry in chosen:
        if entry.id in added and getattr(settings, f"{entry.role}_model") == entry.id:
            raise InputError(f"{entry.id} is the model chosen in the settings.", "Choose another one there first.")


def _list(registry: Registry, console: Console) -> int:
    found = [
        {
            "id": entry.id,
            "role": entry.role,
            "default": entry.default,
            "status": registry.status(entry.id),
            "bytes": entry.size,
            "licence": entry.licence,
        }
        for entry in registry.manifest.models
    ]
    rows = [
        [
            entry.id,
            entry.role,
            "default" if entry.default else "",
            str(model["status"]),
            f"{entry.size / 1e6:.0f} MB",
            entry.licence,
        ]
        for model, entry in zip(found, registry.manifest.models, strict=True)
    ]
    text = table(["model", "role", "", "status", "size", "licence"], rows)
    console.answer({"folder": str(registry.root), "models": found}, f"{text}\nin {registry.root}")
    return 0
