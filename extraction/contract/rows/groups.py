"""Groups in which rows stand: named beside them, in tables of their own, or among the lines of the dictionary.

What stands in what is a graph: a template has groups, a group has groups and rows. An edge comes from a field that
names the group above, or from a table of members. The categories of a row are all ways from the top down to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field

from extraction.contract.catalogue import Table
from extraction.contract.records import Cell, FieldRole, Link, SourceKind
from extraction.contract.rows.dictionary import DictionaryLine
from extraction.contract.rows.role_places import places_of, without_doubles
from extraction.contract.value_shapes import folded, is_nothing, tidied, words_in

Place = tuple[str, str]  # source and field
Node = tuple[Place, str]  # the key of a group or row, and its id

_WITH_GROUPS = (SourceKind.DICTIONARY, SourceKind.GROUPS, SourceKind.OTHER)
# roles of fields that lead to something else than a group
_NO_GROUPS = frozenset((FieldRole.OPTION_LIST, FieldRole.VALUE_TYPE, FieldRole.UNIT, FieldRole.PERSON,
                        FieldRole.PATIENT, FieldRole.ENCOUNTER, FieldRole.ROW_ALIAS))  # fmt: skip
_FORMER = frozenset("superseded replaced successor merged".split())
_ABOVE = frozenset(
    "parent upper part belongs super group grp section template chart sheet form page category panel folder flowsheet"
    " screen chapter heading".split()
)
_MEMBER = frozenset("member child item row element meas lower".split())
# what a column of kinds calls a line that is no row
_GROUP_KINDS = frozenset(
    "group groups grp section sections template flowsheet heading header head folder chapter panel form page screen"
    " sheet chart subgroup sub-group subsection sub-section title container tab branch node block view battery g"
    " gruppe abschnitt bogen uberschrift groupe rubrique".split()
)
_MOST_KINDS = 8
_LEAST_TYPED = 0.5
_MOST_PATHS = 12
_MOST_OWN = 0.9
_ROWS: Place = ("", "")


def are_kinds(values: Iterable[str]) -> bool:
    """Whether the values of a field tell the lines of groups from those of rows."""
    different = {folded(value) for value in values if not is_nothing(value)}
    groups = different & _GROUP_KINDS
    return bool(groups - {"g"}) and 2 <= len(different) <= _MOST_KINDS and groups != different


def is_group_kind(value: str) -> bool:
    return folded(value) in _GROUP_KINDS


@dataclass
class _Graph:
    """What stands in what.

    Attributes:
        names: of groups, by the place of their key.
        above: the groups in which a group or row stands.
        direct: names above it that stand in its line.
        cells: where that stands.
    """

    names: dict[Place, Mapping[str, str]] = field(default_factory=dict)
    above: dict[Node, list[Node]] = field(default_factory=dict)
    direct: dict[Node, list[tuple[str, ...]]] = field(default_factory=dict)
    cells: dict[Node, list[Cell]] = field(default_factory=dict)

    def put(self, inner: Node, outer: Node, cell: Cell) -> None:
        known = self.above.setdefault(inner, [])
        if outer != inner and outer not in known:
            known.append(outer)
            self.cells.setdefault(inner, []).append(cell)

    def paths(self, node: Node, hidden: Set[Node], seen: tuple[Node, ...] = ()) -> Iterator[tuple[str, ...]]:
        """The ways from the top to a group or row, without its own name; groups that contain each other end the way."""
        yield from self.direct.get(node, ())
        for outer in self.above.get(node, ()):
            if outer in seen or outer == node:
                continue
            name = self.names.get(outer[0], {}).get(outer[1], "")
            own = (name,) if name and outer not in hidden else ()
            ways = list(self.paths(outer, hidden, (*seen, node)))
            for way in ways or [()]:
                if path := (*way, *own):
                    yield path


def put_in_groups(
    tables: Sequence[Table],
    kinds: Mapping[str, SourceKind],
    roles: Mapping[Place, FieldRole],
    meanings: Mapping[Place, Mapping[str, str]],
    links: Sequence[Link],
    sparse: Set[Place],
    lines: dict[str, DictionaryLine],
) -> None:
    """Gives rows their groups, and takes lines of groups out of the dictionary.

    Args:
        kinds: by the name of the source.
        roles: by source and field.
        meanings: by source and field, what its codes mean.
        sparse: fields whose names hold for the lines below, too.
        lines: of the dictionary, by id.
    """
    tables = [table for table in tables if kinds[table.source.name] in _WITH_GROUPS]
    keys = {
        (table.source.name, path)
        for table in tables
        for path in table.fields
        if kinds[table.source.name] is SourceKind.DICTIONARY
        and roles.get((table.source.name, path)) is FieldRole.ROW_ID
    }
    graph = _Graph({link.parent: meanings[link.child] for link in links if link.child in meanings})
    graph.names |= {_ROWS: {line.id: line.name for line in lines.values()}}
    for table in tables:
        _add_edges(graph, table, links, keys, roles, kinds[table.source.name])
        _add_names(graph, table, links, keys, roles, kinds[table.source.name], sparse)
    groups = _lines_of_groups(tables, kinds, roles, graph, lines)
    outer = {node for nodes in graph.above.values() for node in nodes if node[0] == _ROWS}
    hidden = {node for node in outer if node[1] not in groups}  # rows above other rows are no groups
    for line in lines.values():
        node = (_ROWS, line.id)
        found = dict.fromkeys([*line.categories, *graph.paths(node, hidden)])
        longer = {path[at:] for path in found for at in range(1, len(path))} | {path[:-1] for path in found}
        line.categories = [path for path in found if path not in longer][:_MOST_PATHS]
        line.cells += graph.cells.get(node, [])
    for row_id in groups:
        del lines[row_id]


def _add_edges(
    graph: _Graph,
    table: Table,
    links: Iterable[Link],
    keys: Set[Place],
    roles: Mapping[Place, FieldRole],
    kind: SourceKind,
) -> None:
    name = table.source.name
    refs: dict[str, Place] = {}
    for link in links:
        role = roles.get(link.child)
        if link.child[0] != name or role in _NO_GROUPS or set(words_in(link.child[1])) & _FORMER:
            continue
        if link.parent in keys:
            refs[link.child[1]] = _ROWS
        elif link.parent in graph.names:
            refs[link.child[1]] = link.parent
    own_key = next((path for path in table.fields if (name, path) in keys or (name, path) in graph.names), None)
    if kind is SourceKind.DICTIONARY:
        refs = {path: place for path, place in refs.items() if place == _ROWS or not _names_each(table, path)}
    else:
        refs |= {path: _ROWS for path in table.fields if roles.get((name, path)) is FieldRole.ROW_ID}
        refs = {
            path: place
            for path, place in refs.items()
            if own_key is None or path == own_key or _names_above(path, place) or _leads_alone(name, place, links)
        }
    if own_key is not None and own_key not in refs:
        refs[own_key] = _ROWS if (name, own_key) in keys else (name, own_key)
    if len(refs) < 2:
        return
    distinct = {path: len({record.values[table.fields.index(path)] for record in table.records()}) for path in refs}
    member = own_key or _member(refs, distinct)
    outer = sorted((path for path in refs if path != member), key=lambda path: -distinct[path])
    chained = own_key is None  # a table of members names the groups of a line from the outermost to the innermost
    at = {path: table.fields.index(path) for path in refs}
    for record in table.records():
        inner = (refs[member], record.values[at[member]].strip())
        for path in outer:
            node = (refs[path], record.values[at[path]].strip())
            if is_nothing(node[1]) or is_nothing(inner[1]) or node[1] not in graph.names.get(node[0], {}):
                continue
            graph.put(inner, node, Cell(name, record.line, path))
            if chained:
                inner = node


def _names_each(table: Table, path: str) -> bool:
    """Whether nearly each line has a value of its own in a field: another name of the row, and no group."""
    at = table.fields.index(path)
    cells = [cell for record in table.records() if not is_nothing(cell := record.values[at].strip())]
    return len(set(cells)) > _MOST_OWN * len(cells)


def _leads_alone(name: str, place: Place, links: Iterable[Link]) -> bool:
    """Whether nothing but a source of groups leads to a place: what stands above these groups."""
    return {link.child[0] for link in links if link.parent == place} == {name}


def _names_above(path: str, place: Place) -> bool:
    return bool(set(words_in(path)) & _ABOVE or set(words_in(place[0])) & _ABOVE)


def _member(refs: Mapping[str, Place], distinct: Mapping[str, int]) -> str:
    """The field of a table of members that names the inner one: a row where it leads to any."""
    rows = [path for path, place in refs.items() if place == _ROWS]
    return innermost({path: distinct[path] for path in rows or refs})


def innermost(distinct: Mapping[str, int]) -> str:
    """Of fields that lead to groups or rows: the one called a member, else the one with most different values."""
    called = [path for path in distinct if set(words_in(path)) & _MEMBER and not set(words_in(path)) & _ABOVE]
    return max(called or distinct, key=lambda path: distinct[path])


def _add_names(
    graph: _Graph, table: Table, links: Iterable[Link], keys: Set[Place], roles: Mapping[Place, FieldRole],
    kind: SourceKind, sparse: Set[Place],
) -> None:  # fmt: skip
    """Names of groups that stand in the line of a row, or of a group."""
    name, places = table.source.name, places_of(table, roles)
    linked = {link.child for link in links}
    named_at = [at for at in places[FieldRole.CATEGORY] if (name, table.fields[at]) not in linked]
    named_at = without_doubles(table, named_at)
    if kind is not SourceKind.GROUPS or not named_at:
        return
    targets = [(at, _ROWS) for at in places[FieldRole.ROW_ID]] or [
        (table.fields.index(link.child[1]), link.parent)
        for link in links
        if link.child[0] == name and link.parent in graph.names and link.parent[0] != name
    ]
    if not targets:
        return
    target_at, place = targets[-1]
    above = {at: "" for at in named_at if (name, table.fields[at]) in sparse}
    for record in table.records():
        cells = record.values
        above = {at: tidied(cells[at]) or known for at, known in above.items()}
        path = tuple(above.get(at) or tidied(cells[at]) for at in named_at)
        path = tuple(part for part in path if not is_nothing(part))
        node = (place, cells[target_at].strip())
        if path and node[1] and path not in graph.direct.setdefault(node, []):
            graph.direct[node].append(path)
            graph.cells.setdefault(node, []).extend(Cell(name, record.line, table.fields[at]) for at in named_at)


def _lines_of_groups(
    tables: Iterable[Table],
    kinds: Mapping[str, SourceKind],
    roles: Mapping[Place, FieldRole],
    graph: _Graph,
    lines: Mapping[str, DictionaryLine],
) -> set[str]:
    """The ids of the dictionary's lines that are groups: a column of kinds says so, or others stand in them."""
    groups: set[str] = set()
    for table in tables:
        if kinds[table.source.name] is not SourceKind.DICTIONARY:
            continue
        places = places_of(table, roles)
        for at in range(len(table.fields)):
            if at in places[FieldRole.ROW_ID] or not are_kinds(record.values[at] for record in table.records()):
                continue
            for record in table.records():
                if is_group_kind(record.values[at]):
                    groups |= {record.values[row].strip() for row in places[FieldRole.ROW_ID]}
    outer = {node[1] for nodes in graph.above.values() for node in nodes if node[0] == _ROWS} & set(lines)
    others = [line for line in lines.values() if line.id not in outer]
    if sum(map(_says_how, others)) >= _LEAST_TYPED * len(others) > 0:
        groups |= {row_id for row_id in outer if not _says_how(lines[row_id])}
    return groups & set(lines)


def _says_how(line: DictionaryLine) -> bool:
    """Whether a line says how its values are charted."""
    return bool(line.value_type or line.unit or line.options or line.list_id or line.minimum is not None)
