"""`models list | install | verify | remove`."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.cli.arguments import add_machine
from app.cli.common import stoppable
from app.cli.console import Console, table
from app.system import paths
from models.errors import ModelFileError
from models.library.manifest import ModelEntry, load_manifest
from models.library.registry import Registry
from models.progress import Watch


def models_arguments(parser: argparse.ArgumentParser) -> None:
    add_machine(parser)
    parser.add_argument("action", choices=("list", "install", "verify", "remove"))
    parser.add_argument("ids", nargs="*", metavar="ID", help="which (default: the default of each role)")
    parser.add_argument(
        "--from", dest="source", type=Path, metavar="DIR", help="take the files from a folder or USB drive"
    )
    parser.add_argument("--all", action="store_true", help="every model of the manifest")
    parser.set_defaults(function=models)


def models(arguments: argparse.Namespace, console: Console) -> int:
    registry = Registry(load_manifest(), paths.models_dir())
    if arguments.action == "list":
        return _list(registry, console)
    chosen = _chosen(registry, arguments)
    done: dict[str, str] = {}
    code = 0
    with stoppable() as cancelled:
        for entry in chosen:
            if arguments.action == "install":
                registry.install(entry.id, source=arguments.source, watch=Watch(console.progress, cancelled))
            elif arguments.action == "remove":
                registry.remove(entry.id)
            else:
                try:
                    registry.verify(entry.id, Watch(console.progress, cancelled))
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
        from models.errors import InputError

        raise InputError("Which model is to be removed?", "Name it, or say --all; 'wardlight models list' shows them.")
    return [entry for entry in registry.manifest.models if entry.default]


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
