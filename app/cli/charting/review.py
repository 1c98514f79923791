"""`review` in the terminal, `export` of confirmed values, and `file` and `reopen` of reviewed dictations."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

from app.adaptation.review_monitor import analyse_recent_reviews
from app.chart.computed_rows import arithmetic, differences, scores_of, state
from app.chart.lights import LitBy
from app.chart.records import ChartEntry, ReviewedValue, ReviewStatus
from app.cli.arguments import add_common, add_machine, add_signer
from app.cli.charting.extract import kept
from app.cli.charting.identity import ask, settle
from app.cli.charting.signing import signature_of
from app.cli.console import Console
from app.exchange.export import export
from app.exchange.file_formats import EXPORTERS, options_in
from app.lighting import lighting_of
from app.record.errors import Conflict, NothingToChart
from app.services.review.cautions import clock_words, entry_to_come, refuse_unconfirmed
from app.services.review.filing import file_dictation
from app.services.review.sheet_loader import lit, read_sheet
from app.store import Store
from app.system import paths
from app.system.settings import load_settings
from extraction.flowsheet.findings import Finding, reason_texts, texts
from extraction.flowsheet.ranges import OutOfRangeValue, Outside, judged_words
from extraction.flowsheet.schema import Row, Schema
from extraction.flowsheet.unit_conversion import unit_words
from extraction.flowsheet.validation import display, normalise
from extraction.flowsheet.values import Value
from models.base.errors import InputError

LIT_WORDS = {
    LitBy.OWN: "Values marked with “look” come first: they may be wrong (calibrated on this hospital's dictations).",
    LitBy.SHIPPED: "Values marked with “look” come first: they may be wrong (not calibrated for this hospital).",
    LitBy.CONFIDENCE: "Values marked with “look” come first: their score is low (no guarantee).",
}
DRIFTED = (
    "Recent reviews: fewer errors were flagged than promised, and chance does not explain it. "
    "Calibrate again with: wardlight calibrate."
)
_HELP = "y confirm   n reject   e edit   r replace the charted value   s skip   u undo   q stop"


def review_arguments(parser: argparse.ArgumentParser) -> None:
    add_common(parser)
    _add_dictation(parser)
    add_signer(parser)
    _add_same_patient(parser)
    parser.set_defaults(function=review)


def review(arguments: argparse.Namespace, console: Console) -> None:
    """Asks about one proposal at a time; every decision is committed before the next question."""
    settings = load_settings(paths.config_file())
    with Store(paths.database_file()) as store:
        if entry := entry_to_come(store):
            console.note(" ".join(clock_words(entry, store.now())))
        dictation, schema = kept(store, arguments.dictation)
        reviewer = signature_of(store, arguments)
        if arguments.same_patient:
            settle(store, dictation.id, lambda: reviewer, same_patient=True)
        else:
            ask(store, dictation.id, reviewer)
        print(f"Dictation {dictation.id}, {dictation.name}, reviewed by {reviewer}. {_HELP}")
        sheet = read_sheet(store, dictation.id, lambda _: schema)
        chosen = lighting_of(settings, schema, sheet.run.models)
        known = settings.collect_examples and chosen.weighed_by == sheet.run.weighed_by
        recent_reviews = analyse_recent_reviews(store, schema, chosen) if known else None
        lights = lit(sheet, settings, recent_reviews).lights
        print(LIT_WORDS[chosen.decides(sheet.run.weighed_by)])
        if recent_reviews and recent_reviews.drifted:
            console.note(DRIFTED)
        _walk(store, dictation.id, schema, reviewer, lights, collect=settings.collect_examples)
        for score in scores_of(store.values.of(dictation.id), schema):
            print(f"{score.row.name}: {arithmetic(score)}  {score.steps}  ({state(score)})")
        counts = store.values.summary(dictation.id)
        print(", ".join(f"{status.value} {counts.get(status, 0)}" for status in ReviewStatus if counts.get(status)))


def _walk(
    store: Store,
    dictation_id: int,
    schema: Schema,
    reviewer: str,
    lights: Mapping[int, tuple[Finding, ...]],
    *,
    collect: bool,
) -> None:
    skipped: set[int] = set()
    while True:
        open_values = [
            value
            for value in store.values.of(dictation_id)
            if value.status is ReviewStatus.PROPOSED and value.id not in skipped
        ]
        if not open_values:
            return
        differing = differences(scores_of(store.values.of(dictation_id), schema))
        value = min(open_values, key=lambda value: value.id not in lights.keys() | differing.keys())  # lit ones first
        row = schema.row(value.row_id)
        reasons = reason_texts((*filter(None, [differing.get(value.id)]), *lights.get(value.id, ())))
        against = store.values.conflicts(dictation_id).get(value.id, ())
        _show(row, value, len(open_values), reasons, against)
        try:
            answer = input("> ").strip().lower()
        except EOFError:
            return
        if answer == "q":
            return
        if answer == "s":
            skipped.add(value.id)
        elif answer in ("y", "r"):
            _confirm(store, row, value, reviewer, replacing=answer == "r", collect=collect)
        elif answer == "n":
            store.reviews.decide(value.id, "reject", reviewer, collect=collect)
        elif answer == "e":
            _edit(store, row, value, reviewer, collect=collect)
        elif answer == "u":
            undone = store.reviews.undo(dictation_id, reviewer) if store.reviews.can_undo(dictation_id) else []
            skipped -= {value.id for value in undone}
            print(f"undone: {len(undone)}")
        else:
            print(_HELP)


def _confirm(store: Store, row: Row, value: ReviewedValue, reviewer: str, *, replacing: bool, collect: bool) -> None:
    accepted, outside = _accepted(store, row, value.value, value)
    if not accepted:
        return
    try:
        store.reviews.decide(value.id, "confirm", reviewer, collect=collect, replacing=replacing, outside=outside)
    except Conflict as error:
        print(f"  {error.what} r replaces it, n keeps it.")


def _accepted(store: Store, row: Row, value: Value, former: ReviewedValue) -> tuple[bool, Outside | None]:
    """Whether a value can be charted at its former time, and the range that it lies outside of, if any.

    Asks for a second confirmation if one is needed.
    """
    place = (store.dictations.one(former.dictation_id), former.observed_at, store.now())
    try:
        return True, refuse_unconfirmed(row, value, *place)
    except OutOfRangeValue as error:
        asked = error.caution
        print(f"  {error.what} Type y again to confirm it.")
        try:
            again = input("  confirm: ").strip().lower() == "y"
        except EOFError:
            again = False
        if again:
            return True, refuse_unconfirmed(row, value, *place, asked)
        print("  Not confirmed.")
    except InputError as error:
        print(f"  {error}")
    return False, None


def _show(row: Row, value: ReviewedValue, left: int, reasons: tuple[str, ...], against: tuple[ChartEntry, ...]) -> None:
    print(f"\n[{left} left] {' / '.join(row.category)}")
    unit = f" {unit_words(value.unit)}" if value.unit else ""
    judged = judged_words(row, value.value)
    print(f"  {row.name}: {display(row, value.value)}{unit}{f'   ({judged})' if judged else ''}")
    if value.filled:
        if timing := value.filled.timing:
            at = value.observed_at.replace("T", " ") if value.observed_at else "the time of the dictation"
            print(f'  observed: {at}   said: "{timing.text}"')
        print(f'  said: "{value.filled.evidence.text}"   score {value.filled.confidence:.2f}')
        for reason in reasons:
            print(f"  look: {reason}")
        for problem in value.filled.notes:
            print(f"  (!) {problem}")
    for other in against:
        there = f"{display(row, other.value.value)} is charted there already"
        print(f"  conflict: {there}, decided by {other.value.reviewer} ({other.source})")


def _edit(store: Store, row: Row, value: ReviewedValue, reviewer: str, *, collect: bool) -> None:
    """Asks for a new value; options of a multi select are separated by commas."""
    if row.options:
        print("  options: " + ", ".join(row.option_names))
    try:
        typed = input("  new value: ").strip()
    except EOFError:
        return
    several = [part.strip() for part in typed.split(",")] if row.value_type.value == "multi_select" else typed
    try:
        kept, unit, found = normalise(row, several)
    except InputError as error:
        print(f"  {error}")
        return
    accepted, outside = _accepted(store, row, kept, value)
    if not accepted:
        return
    try:
        store.reviews.decide(value.id, "edit", reviewer, value=kept, unit=unit, collect=collect, outside=outside)
    except Conflict as error:
        print(f"  {error.what} n keeps what stands.")
        return
    for problem in texts(found):
        print(f"  (!) {problem}")


def export_arguments(parser: argparse.ArgumentParser) -> None:
    add_machine(parser)
    _add_dictation(parser)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for the files")
    parser.add_argument(
        "--format",
        action="append",
        metavar="NAME",
        help=f"one of {', '.join(EXPORTERS)} (default: json and csv); may be repeated",
    )
    add_signer(parser, "who signs --same-patient")
    _add_same_patient(parser)
    parser.set_defaults(function=export_dictation)


def export_dictation(arguments: argparse.Namespace, console: Console) -> None:
    settings = load_settings(paths.config_file())
    with Store(paths.database_file()) as store:
        dictation, schema = kept(store, arguments.dictation)
        settle(store, dictation.id, lambda: signature_of(store, arguments), same_patient=arguments.same_patient)
        formats = arguments.format or ("json", "csv")
        options = options_in(settings, schema, formats)
        files = export(store, dictation.id, schema, arguments.out, formats, options)
        unreviewed = store.values.summary(dictation.id).get(ReviewStatus.PROPOSED, 0)
    if unreviewed:
        console.note(f"{unreviewed} proposals are not reviewed and were left out.")
    written = [str(path) for path in files]
    console.answer({"dictation": dictation.id, "files": written, "unreviewed": unreviewed}, "\n".join(written))


def file_arguments(parser: argparse.ArgumentParser) -> None:
    add_machine(parser)
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder for the files (default: from the settings)")
    parser.add_argument("--no-values", action="store_true", help="sign a dictation in which no values were found")
    _add_dictation(parser)
    add_signer(parser)
    _add_same_patient(parser)
    parser.set_defaults(function=file)


def file(arguments: argparse.Namespace, console: Console) -> None:
    """Files a fully reviewed dictation into the folder given by `--out`, else by the settings."""
    settings = load_settings(paths.config_file())
    folder = arguments.out or (Path(settings.file_folder).expanduser() if settings.file_folder else None)
    if folder is None:
        raise InputError("No folder for filed dictations is chosen.", "Name one with --out.")
    with Store(paths.database_file()) as store:
        dictation, schema = kept(store, arguments.dictation)
        settle(store, dictation.id, lambda: signature_of(store, arguments), same_patient=arguments.same_patient)
        sheet = read_sheet(store, dictation.id, lambda _: schema)
        if left := [value for value in sheet.values if value.status is ReviewStatus.PROPOSED]:
            raise InputError(
                f"Not filed: {len(left)} {'value is' if len(left) == 1 else 'values are'} not reviewed.",
                f"Decide about each one with: wardlight review {dictation.id}.",
            )
        signed = signature_of(store, arguments)
        try:
            filing = file_dictation(
                store,
                sheet,
                signed,
                folder,
                settings.file_formats,
                options_in(settings, schema, settings.file_formats),
                without_values=arguments.no_values,
                deliver=settings.delivery.on,
            )
        except NothingToChart as error:
            raise NothingToChart(
                f"Not filed: no values were found in dictation {dictation.id}.",
                "Read its transcript; if there is nothing to chart, sign it with --no-values.",
            ) from error
    for words in sheet.contradiction_words:
        console.note(f"These do not fit together: {words}.")
    written = list(filing.files)
    told = (
        f"Dictation {dictation.id} is filed by {filing.reviewer}; until it is reopened, nothing of it can be changed."
    )
    console.answer(
        {"dictation": dictation.id, "reviewer": filing.reviewer, "files": written}, "\n".join([*written, told])
    )


def reopen_arguments(parser: argparse.ArgumentParser) -> None:
    add_machine(parser)
    _add_dictation(parser)
    add_signer(parser)
    parser.set_defaults(function=reopen)


def reopen(arguments: argparse.Namespace, console: Console) -> None:
    """Reopens a filed dictation for review; its files stay."""
    with Store(paths.database_file()) as store:
        dictation, _ = kept(store, arguments.dictation)
        store.filings.reopen(dictation.id, signature_of(store, arguments))
    console.answer({"dictation": dictation.id}, f"Dictation {dictation.id} can be reviewed again; its files stay.")


def _add_dictation(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("dictation", type=int, nargs="?", help="number of the dictation (default: the newest)")


def _add_same_patient(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--same-patient",
        action="store_true",
        help="it is about its patient, though another bed or name is said in it; this is kept on record",
    )
