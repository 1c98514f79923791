"""The same ward as different record systems export it: every row, type, unit, bound, option and group comes back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from openpyxl import Workbook

from extraction.contract.build import build_contract
from extraction.contract.records import Contract
from extraction.contract.sources.discovery import find_sources
from tests.kit.exports import write_table
from tests.kit.ward_rows import ROWS, Act, WardRow, acts, faults, names_of

_GROUPS = list(dict.fromkeys(row.group for row in ROWS))
_CHARTS = list(dict.fromkeys(row.group[0] for row in ROWS))


def contract_of(folder: Path) -> Contract:
    return build_contract(find_sources(folder), "2026-03-01T10:00:00Z").contract


def wrong_in(folder: Path, *, codes: bool = True, groups: bool = True, options: bool = True) -> list[str]:
    rows = {row.id: row for row in contract_of(folder).rows}
    return faults(rows, codes=codes, groups=groups, options=options)


def kinds(**named: str) -> dict[str, str]:
    return {
        "numeric": named.get("numeric", "Numeric"),
        "single_select": named.get("single", "Pick list"),
        "multi_select": named.get("multi", "Multi pick list"),
        "yes_no": named.get("yes_no", "Yes/No"),
        "blood_pressure": named.get("pressure", "Blood pressure"),
        "date": named.get("date", "Date"),
        "text": named.get("text", "Free text"),
    }


def clock(act: Act) -> str:
    return f"{act.minute // 60:02}:{act.minute % 60:02}"


def day(act: Act, form: str = "{y}-{m:02}-{d:02}") -> str:
    return form.format(y=2026, m=2, d=act.day)


def values(head: Sequence[str], line: Iterable[Sequence[str]]) -> list[Sequence[str]]:
    return [head, *line]


def members(group: tuple[str, ...]) -> list[WardRow]:
    return [row for row in ROWS if row.group == group]


def test_a_meditech_like_system(tmp_path: Path) -> None:
    """Queries with group responses, an indented screen, date and time apart, responses joined by a comma."""
    named = kinds(single="GROUP RESPONSE", multi="GROUP RESPONSE", numeric="NUMBER", text="COMMENT", yes_no="YES/NO")
    queries = [["Query Mnemonic", "Query Text", "Type", "Group Response", "Mult", "Units", "Min", "Max", "Active"]]
    responses = [["Group Response", "Seq", "Code", "Response", "Active"]]
    for row in ROWS:
        group = f"GR.{row.id[-3:]}" if row.options else ""
        several = "Y" if row.kind == "multi_select" else ""
        queries.append(
            [f"NUR.{row.id}", row.name, named[row.kind], group, several, row.unit, row.low, row.high,
             "N" if row.retired else "Y"]
        )  # fmt: skip
        responses += [[group, str(n), code, name, "Y"] for n, (code, name) in enumerate(row.options, 1)]
    screen = [["Screen", "Query"]]
    for chart in _CHARTS:
        screen.append([chart, ""])
        for group in _GROUPS:
            if group[0] == chart:
                screen.append([f"  {group[1]}", ""])
                screen += [[f"    {row.name}", f"NUR.{row.id}"] for row in members(group) if not row.retired]
    results = values(
        ("Account", "Date", "Time", "Query Mnemonic", "Result", "Recorded By"),
        ((f"V{act.patient:05}", day(act, "{m:02}/{d:02}/{y}"), clock(act).replace(":", ""), f"NUR.{act.row.id}",
          ", ".join(names_of(act)), "NURJ") for act in acts()),
    )  # fmt: skip
    write_table(tmp_path / "queries.csv", queries, delimiter="|")
    write_table(tmp_path / "responses.csv", responses, delimiter="|")
    write_table(tmp_path / "screens.csv", screen)
    write_table(tmp_path / "results.csv", results)
    rows = [replace(row, id=row.id.removeprefix("NUR.")) for row in contract_of(tmp_path).rows]
    assert faults({row.id: row for row in rows}) == []


def test_a_german_system(tmp_path: Path) -> None:
    """German headers and types, decimal commas, valid from and until, several choices as several lines."""
    named = kinds(single="Auswahl", multi="Mehrfachauswahl", numeric="Zahl", text="Freitext", yes_no="Ja/Nein",
                  pressure="Blutdruck", date="Datum")  # fmt: skip
    head = ["Parameter-Nr", "Bezeichnung", "Werttyp", "Einheit", "Untergrenze", "Obergrenze", "Auswahlliste", "Bogen",
            "Abschnitt", "gültig ab", "gültig bis", "Bearbeiter"]  # fmt: skip
    catalogue = [head]
    for row in ROWS:
        choices = "; ".join(f"{code}={name}" for code, name in row.options)
        until = "31.12.2024" if row.retired else "31.12.9999"
        low, high = (bound and f"{float(bound):.1f}".replace(".", ",") for bound in (row.low, row.high))
        catalogue.append(
            [row.id, row.name, named[row.kind], row.unit, low, high, choices, *row.group, "01.01.2019", until, "mue"]
        )
    charted = values(
        ("Fallnummer", "Patientennr", "Parameter-Nr", "Messdatum", "Uhrzeit", "Wert", "Handzeichen"),
        ((f"{880000 + act.patient}", f"{70000 + act.patient}", act.row.id, day(act, "{d:02}.{m:02}.{y}"), clock(act),
          one.replace(".", ","), "ABC") for act in acts() for one in act.said),
    )  # fmt: skip
    write_table(tmp_path / "Parameterkatalog.csv", catalogue, "cp1252", ";")
    write_table(tmp_path / "Messwerte.csv", charted, "cp1252", ";")
    assert wrong_in(tmp_path) == []


def test_a_british_system(tmp_path: Path) -> None:
    """One tree of charts, sections and observations told apart by a type; milliseconds; a number and an episode."""
    tree = [["NodeId", "ParentId", "NodeType", "Name", "DataType", "Unit", "Options", "MinValue", "MaxValue", "Status"]]
    ids = {(chart,): str(4000 + n) for n, chart in enumerate(_CHARTS)}
    tree += [[node, "", "Chart", chart, "", "", "", "", "", "Live"] for (chart,), node in ids.items()]
    for number, group in enumerate(_GROUPS):
        ids[group] = str(5000 + 7 * number)
        tree.append([ids[group], ids[group[:1]], "Section", group[1], "", "", "", "", "", "Live"])
    named = kinds(single="Single choice", multi="Multiple choice")
    for row in ROWS:
        options = ", ".join(f"{code}={name}" for code, name in row.options)
        tree.append([row.id, ids[row.group], "Observation", row.name, named[row.kind], row.unit, options, row.low,
                     row.high, "Withdrawn" if row.retired else "Live"])  # fmt: skip
    tree[1:] = sorted(tree[1:], key=lambda line: line[3])
    charted = values(
        ("HospitalNumber", "EpisodeNo", "ObservationNodeId", "RecordedAt", "Value", "UserName"),
        ((f"RX{300 + act.patient}", str(act.visit), act.row.id,
          str(1_770_000_000_000 + 86_400_000 * act.day + 60_000 * act.minute), ";".join(act.said), "jsmith")
         for act in acts()),
    )  # fmt: skip
    write_table(tmp_path / "chart_nodes.csv", tree)
    write_table(tmp_path / "observations.csv", charted)
    assert wrong_in(tmp_path) == []


def test_a_home_grown_database(tmp_path: Path) -> None:
    """Tables of a database as text: numbered types, one option in each column, true is -1."""
    numbers = {kind: str(number) for number, kind in enumerate(kinds(), 1)}
    types = [["TypeNo", "TypeName"], *([numbers[kind], name] for kind, name in kinds().items())]
    most = max(len(row.options) for row in ROWS)
    head = ["ItemNo", "ItemName", "TypeNo", "Unit", "Low", "High", "GroupNo", "InUse"]
    items = [[*head, *(f"Opt{n}" for n in range(1, most + 1))]]
    for row in ROWS:
        texts = [name for _, name in row.options]
        items.append(
            [row.id, row.name, numbers[row.kind], row.unit, row.low, row.high, str(1 + _GROUPS.index(row.group)),
             "0" if row.retired else "-1", *texts, *[""] * (most - len(texts))]
        )  # fmt: skip
    charts = [["ChartNo", "ChartTitle"], *([f"C{n}", chart] for n, chart in enumerate(_CHARTS, 1))]
    groups = [["GroupNo", "GroupTitle", "ChartNo"]]
    groups += [[str(n), group[1], f"C{1 + _CHARTS.index(group[0])}"] for n, group in enumerate(_GROUPS, 1)]
    charted = values(
        ("EntryNo", "PatNo", "ItemNo", "EntryTime", "EntryText", "Initials"),
        ((str(n), str(act.patient), act.row.id, f"{day(act, 'Feb {d} {y}')} {clock(act)}",
          "; ".join(names_of(act)), "AB") for n, act in enumerate(acts(), 1)),
    )  # fmt: skip
    for name, lines in (("Types", types), ("Items", items), ("Charts", charts), ("Groups", groups)):
        write_table(tmp_path / f"tbl{name}.csv", lines)
    write_table(tmp_path / "tblCharting.csv", charted)
    assert wrong_in(tmp_path, codes=False) == []


def test_a_french_workbook(tmp_path: Path) -> None:
    """Group names on lines of their own, lists of choices on a sheet for each."""
    named = kinds(single="Liste", multi="Choix multiple", numeric="Numérique", text="Texte libre", yes_no="Oui/Non",
                  pressure="Tension artérielle", date="Date")  # fmt: skip
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Paramètres"
    sheet.append(["Identifiant", "Libellé", "Type", "Unité", "Mini", "Maxi", "Liste de choix", "Actif"])
    for group in _GROUPS:
        sheet.append([" / ".join(group)])
        for row in members(group):
            listed = f"L_{row.id}" if row.options else None
            bounds = [float(bound) if bound else None for bound in (row.low, row.high)]
            sheet.append([int(row.id), row.name, named[row.kind], row.unit or None, *bounds, listed,
                          "non" if row.retired else "oui"])  # fmt: skip
    for row in ROWS:
        if row.options:
            page = book.create_sheet(f"L_{row.id}")
            page.append(["Code", "Libellé"])
            for code, name in row.options:
                page.append([code, name])
    page = book.create_sheet("Saisies")
    page.append(["N° patient", "N° séjour", "Paramètre", "Date de saisie", "Valeur", "Soignant"])
    for act in acts():
        page.append([f"P{act.patient}", f"S{act.patient}{act.visit}", int(act.row.id), f"{day(act)} {clock(act)}",
                     "|".join(act.said), "DUP"])  # fmt: skip
    book.save(tmp_path / "parametres.xlsx")
    assert wrong_in(tmp_path, groups=False) == []
    contract = contract_of(tmp_path)
    assert {row.categories for row in contract.rows} == {((" / ".join(group),),) for group in _GROUPS}


def test_one_wide_join_of_everything(tmp_path: Path) -> None:
    """A query that joins items with their options and groups: several lines for each row."""
    lines = [["chart", "section", "item_id", "item", "datatype", "units", "low", "high", "option_code", "option_text"]]
    for row in ROWS:
        for code, name in row.options or (("", ""),):
            lines.append([*row.group, row.id, row.name, kinds()[row.kind], row.unit, row.low, row.high, code, name])
    charted = values(
        ("mrn", "item_id", "charted", "value"),
        ((f"M{act.patient}", act.row.id, f"{day(act)}T{clock(act)}:00Z", "^".join(names_of(act))) for act in acts()),
    )
    write_table(tmp_path / "flowsheet_items.tsv", lines, delimiter="\t")
    write_table(tmp_path / "flowsheet_values.tsv", charted, delimiter="\t")
    wrong = [one for one in wrong_in(tmp_path) if "Gastric residue" not in one]
    assert wrong == []


def test_templates_groups_and_rows_in_tables_of_their_own(tmp_path: Path) -> None:
    """A template has groups and a group has rows, each in the order of its lines."""
    templates = [["TEMPLATE_ID", "TEMPLATE_NAME"], *([f"T{70 + n}", chart] for n, chart in enumerate(_CHARTS))]
    groups = [["GROUP_ID", "GROUP_NAME"], *([f"G{500 + n}", group[1]] for n, group in enumerate(_GROUPS))]
    lines = [["TEMPLATE_ID", "LINE", "GROUP_ID"]]
    rows = [["GROUP_ID", "LINE", "MEAS_ID"]]
    for number, group in enumerate(_GROUPS):
        lines.append([f"T{70 + _CHARTS.index(group[0])}", str(number + 1), f"G{500 + number}"])
        rows += [[f"G{500 + number}", str(line), row.id] for line, row in enumerate(members(group), 1)]
    meas = [["MEAS_ID", "MEAS_NAME", "VALUE_TYPE", "UNITS", "LIST_ID", "MIN_VALUE", "MAX_VALUE", "RECORD_STATE"]]
    lists = [["LIST_ID", "LINE", "CODE", "TITLE"]]
    for row in ROWS:
        listed = f"LST{row.id[1:]}" if row.options else ""
        meas.append([row.id, row.name, kinds()[row.kind], row.unit, listed, row.low, row.high,
                     "Retired" if row.retired else "Active"])  # fmt: skip
        lists += [[listed, str(n), code, name] for n, (code, name) in enumerate(row.options, 1)]
    charted = values(
        ("FSD_ID", "LINE", "PAT_ID", "MEAS_ID", "RECORDED_TIME", "ENTRY_TIME", "MEAS_VALUE"),
        ((str(9000 + n), "1", f"Z{act.patient}", act.row.id, f"{day(act)} {clock(act)}", f"{day(act)} {clock(act)}",
          ";".join(names_of(act))) for n, act in enumerate(acts())),
    )  # fmt: skip
    tables = {"template": templates, "groups": groups, "template_groups": lines, "group_rows": rows, "meas": meas,
              "lists": lists, "flowsheet": charted}  # fmt: skip
    for name, table in tables.items():
        write_table(tmp_path / f"{name}.csv", table)
    assert wrong_in(tmp_path) == []


def test_levels_in_a_list_and_names_of_lists_as_headers(tmp_path: Path) -> None:
    """A numbered level for charts, groups and rows; one column of choices for each list; more than one patient key."""
    outline = [["Level", "Label", "Code", "Format", "UoM", "Normal low", "Normal high", "Pick list", "Retired"]]
    lists = {row.name: [name for _, name in row.options] for row in ROWS if row.options}
    for chart in _CHARTS:
        outline.append(["1", chart, *[""] * 7])
        for group in _GROUPS:
            if group[0] != chart:
                continue
            outline.append(["2", group[1], *[""] * 7])
            outline += [["3", row.name, row.id, kinds()[row.kind], row.unit, row.low, row.high,
                         row.name if row.options else "", "x" if row.retired else ""]
                        for row in members(group)]  # fmt: skip
    longest = max(map(len, lists.values()))
    columns = [list(lists), *([names[n] if n < len(names) else "" for names in lists.values()] for n in range(longest))]
    charted = values(
        ("Facility", "Chart No", "Code", "When", "Finding"),
        (("HBR", str(act.patient), act.row.id, f"{day(act, '{d:02}-Feb-{y}')} {clock(act)}", "|".join(names_of(act)))
         for act in acts()),
    )  # fmt: skip
    write_table(tmp_path / "outline.csv", outline)
    write_table(tmp_path / "picklists.csv", columns)
    write_table(tmp_path / "findings.csv", charted)
    assert wrong_in(tmp_path, codes=False) == []


def test_nested_json(tmp_path: Path) -> None:
    """Charts that hold sections that hold items that hold choices; values one object for each time."""
    charts = []
    for chart in _CHARTS:
        sections = [
            {"title": group[1], "items": [_item(row) for row in members(group)]}
            for group in _GROUPS
            if group[0] == chart
        ]
        charts.append({"title": chart, "sections": sections})
    (tmp_path / "charts.json").write_text(json.dumps(charts), encoding="utf-8")
    with (tmp_path / "observations.jsonl").open("w", encoding="utf-8") as stream:
        for act in acts():
            said = list(act.said) if act.row.kind == "multi_select" else act.said[0]
            one = {"subject": f"S-{act.patient}", "itemId": act.row.id, "effective": f"{day(act)}T{clock(act)}:00",
                   "value": said}  # fmt: skip
            stream.write(json.dumps(one) + "\n")
    assert wrong_in(tmp_path) == []


def test_names_of_people_do_not_become_names_of_groups(tmp_path: Path) -> None:
    patients = [
        {"id": f"P{n}", "name": f"Person{n} Invented", "visits": [{"ward": "East", "bed": str(n)}]} for n in range(9)
    ]
    (tmp_path / "people.json").write_text(json.dumps(patients), encoding="utf-8")
    tables = {table.source.name: table for table in find_sources(tmp_path)}
    inner = tables["people.json#visits"]
    assert not any("Invented" in value for record in inner.records() for value in record.values)


def _item(row: WardRow) -> dict[str, object]:
    item: dict[str, object] = {"id": row.id, "name": row.name, "type": kinds()[row.kind], "active": not row.retired}
    if row.unit:
        item["unit"] = row.unit
    if row.low or row.high:
        item["range"] = {"low": float(row.low), "high": float(row.high)}
    if row.options:
        item["choices"] = [{"code": code, "label": name} for code, name in row.options]
    return item
