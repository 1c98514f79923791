"""The parts of a contract, each with who decided about it. `extraction.contract.document` reads and writes them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from extraction.contract.row_history import ChartedTotals, RowHistory


class SourceKind(StrEnum):
    """What a source holds."""

    DICTIONARY = "dictionary"
    VALUES = "values"
    GROUPS = "groups"
    OPTIONS = "options"
    LIMITS = "limits"
    MAPPING = "mapping"
    OTHER = "other"


class FieldType(StrEnum):
    """The form of a field's values."""

    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    DATE = "date"
    DATE_TIME = "datetime"
    TIME = "time"
    CODE = "code"
    TEXT = "text"
    EMPTY = "empty"


TIMES = (FieldType.DATE, FieldType.DATE_TIME, FieldType.TIME)
NUMBERS = (FieldType.INTEGER, FieldType.NUMBER)
IDS = (FieldType.INTEGER, FieldType.CODE)  # forms that ids have
_SPARSE = 0.4


class FieldRole(StrEnum):
    """What a field says about rows, options, values, or people."""

    ROW_ID = "row-id"
    ROW_NAME = "row-name"
    ROW_ALIAS = "row-alias"
    CATEGORY = "category"
    VALUE_TYPE = "value-type"
    UNIT = "unit"
    LOINC = "loinc"
    OPTION_LIST = "option-list"
    OPTION_CODE = "option-code"
    OPTION_NAME = "option-name"
    MINIMUM = "minimum"
    MAXIMUM = "maximum"
    VALUE = "value"
    OBSERVED_AT = "observed-at"
    RECORDED_AT = "recorded-at"
    PATIENT = "patient"
    ENCOUNTER = "encounter"
    TEMPLATE = "template"
    ORDER = "order"
    ACTIVE = "active"
    PERSON = "person"
    OTHER = "other"


class DecidedBy(StrEnum):
    """Who decided: a rule, the language model in a closed question, or a person."""

    RULE = "rule"
    MODEL = "model"
    PERSON = "person"


@dataclass(frozen=True, slots=True)
class Source:
    """One table of an export.

    Attributes:
        name: the file's name, relative to the folder; `#sheet` follows for a workbook, `#table` for a database.
        sha256: of the file.
        header_line: the line of the header, from 1; 0 for a table without one; None where there is no table.
        rows: records below the header.
    """

    name: str
    sha256: str
    kind: SourceKind = SourceKind.OTHER
    format: str = "csv"
    sheet: str = ""
    encoding: str = ""
    delimiter: str = ""
    header_line: int | None = 1
    rows: int = 0


@dataclass(frozen=True, slots=True)
class Field:
    """A column of a source, as the catalogue keeps it.

    Attributes:
        id: the first twelve digits of the SHA-256 of source, NUL and path.
        path: the name in the header; nested names joined by dots.
        count: records with a value; distinct: different values among them.
        null_rate: share of records without a value.
        mean_length: mean number of characters of a value.
        examples: at most five, from the beginning, the middle and the end; none of a field about people.
        excluded: why it is used by nothing; empty if it may be used.
    """

    id: str
    source: str
    path: str
    type: FieldType
    count: int
    distinct: int
    null_rate: float
    minimum: str = ""
    maximum: str = ""
    mean_length: float = 0.0
    examples: tuple[str, ...] = ()
    excluded: str = ""

    @property
    def is_sparse(self) -> bool:
        """Whether many records leave it empty, as where a name stands on the first line of its group only."""
        return self.null_rate > _SPARSE


@dataclass(frozen=True, slots=True)
class FieldRoleOf:
    """The role of a field, from 0 to 1 how sure that is, and who decided."""

    source: str
    field: str
    role: FieldRole
    confidence: float = 1.0
    decided_by: DecidedBy = DecidedBy.RULE


@dataclass(frozen=True, slots=True)
class Key:
    """Fields that tell the records of a source apart. `uniqueness` is the share of different ones among them."""

    source: str
    fields: tuple[str, ...]
    uniqueness: float = 1.0
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Link:
    """A field whose values are the key of another source.

    Attributes:
        child, parent: source and field.
        containment: share of the child's records with a value that the parent has.
        orphans: values that the parent does not have, as a number.
        many: whether a key can have several records.
    """

    child: tuple[str, str]
    parent: tuple[str, str]
    containment: float
    orphans: int = 0
    many: bool = True
    confidence: float = 1.0
    decided_by: DecidedBy = DecidedBy.RULE


@dataclass(frozen=True, slots=True)
class Cell:
    """Where something of a row came from: source, line and field."""

    source: str
    line: int
    field: str


@dataclass(frozen=True, slots=True)
class ContractOption:
    """A choice of a row: its name, the hospital's code for it, and other spellings."""

    name: str
    code: str = ""
    synonyms: tuple[str, ...] = ()
    retired: bool = False
    cells: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True)
class Alias:
    """Another name or id of a row and where it came from: `label`, `expansion`, `retired-row`, `mapping`, `person`."""

    text: str
    origin: str


@dataclass(frozen=True, slots=True)
class ContractRow:
    """A row of the hospital's flowsheet.

    Attributes:
        id: the hospital's own.
        value_type: as in a flowsheet schema, see `extraction.flowsheet.schema.ValueType`.
        loinc: from the export, or from a person; never proposed codes.
        former_ids: ids under which the same row was charted before.
        unit_of: id of the row whose unit this one records.
        measured_with: id of the row whose number this one qualifies.
        charted: its values in the dumps.
        history: how they were charted; None where it is too little to be kept.
        retired: whether it is no longer charted; it stays, so that stored values can be read.
        cells: everything that it was made of.
        decided: by field, who decided about it; a rule where it is absent.
    """

    id: str
    name: str
    value_type: str
    aliases: tuple[Alias, ...] = ()
    former_ids: tuple[str, ...] = ()
    categories: tuple[tuple[str, ...], ...] = ()
    options: tuple[ContractOption, ...] = ()
    unit: str = ""
    ucum: str = ""
    loinc: str = ""
    minimum: float | None = None
    maximum: float | None = None
    unit_of: str = ""
    measured_with: str = ""
    charted: int = 0
    history: RowHistory | None = None
    retired: bool = False
    cells: tuple[Cell, ...] = ()
    decided: tuple[tuple[str, DecidedBy], ...] = ()


class RelationKind(StrEnum):
    """How rows belong together."""

    INSTANCES = "instances"
    ALIKE = "alike"


@dataclass(frozen=True, slots=True)
class RowRelation:
    """How rows belong together. It is a proposal and merges nothing: rows that are the same are one row.

    A person decides about alike rows: `confirmed` ones go into the vocabulary for questions, `refused` ones nowhere.

    Attributes:
        kind: `instances`, if their names differ by a number, a side or a site alone; `alike`, if they chart the same
            measurement in another way or place.
        name: what they have in common.
        confidence: how sure that is, 0 to 1; of a person, 1 or 0.
    """

    kind: RelationKind
    rows: tuple[str, ...]
    name: str = ""
    confidence: float = 1.0
    decided_by: DecidedBy = DecidedBy.RULE

    @property
    def confirmed(self) -> bool:
        """Whether a person said that it is so."""
        return self.decided_by is DecidedBy.PERSON and self.confidence == 1.0

    @property
    def refused(self) -> bool:
        """Whether a person said that it is not so."""
        return self.decided_by is DecidedBy.PERSON and self.confidence == 0.0


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A source or field that nothing is made of, and why."""

    source: str
    field: str
    reason: str


@dataclass(frozen=True, slots=True)
class Decision:
    """A question that a person answered, so that building again asks nothing twice."""

    question: str
    answer: str
    by: str
    at: str


@dataclass(frozen=True, slots=True)
class Conflict:
    """What a later export says otherwise of a row, which stands as it is until a person takes what the export says.

    Attributes:
        row: its id.
        what: `type`, `unit` or `name`.
        before, now: as the contract and as the export say it.
        found: the row as the export has it, so that it can be taken without the export.
    """

    row: str
    what: str
    before: str
    now: str
    found: ContractRow

    @property
    def question(self) -> str:
        """Under which a person decides: `new` takes what the export says, `old` keeps the row."""
        return f"{self.about}{self.before}:{self.now}"

    @property
    def about(self) -> str:
        """What the question begins with, whatever the export says."""
        return f"conflict:{self.row}:{self.what}:"


@dataclass(frozen=True, slots=True)
class Gate:
    """A check of the whole contract. A failed one that is `required` forbids its use."""

    name: str
    value: float
    required: bool
    passed: bool
    says: str


@dataclass(frozen=True, slots=True)
class Contract:
    """What a hospital's exports mean.

    Attributes:
        id: stays the same through all versions.
        parent: SHA-256 of the version before; empty for the first.
        charted: of all dumps; None without any.
        conflicts: what later exports said otherwise and nobody has taken.
        log: what an extension added, retired or left open, in words.
    """

    id: str
    version: int
    parent: str
    created_at: str
    sources: tuple[Source, ...] = ()
    fields: tuple[Field, ...] = ()
    roles: tuple[FieldRoleOf, ...] = ()
    keys: tuple[Key, ...] = ()
    links: tuple[Link, ...] = ()
    rows: tuple[ContractRow, ...] = ()
    charted: ChartedTotals | None = None
    relations: tuple[RowRelation, ...] = ()
    exclusions: tuple[Exclusion, ...] = ()
    decisions: tuple[Decision, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    gates: tuple[Gate, ...] = ()
    log: tuple[str, ...] = ()
