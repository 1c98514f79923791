"""Separators and quotation marks of a text file, found in its first lines."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from extraction.contract.errors import SourceError
from extraction.contract.sources.header import Line

_USUAL = ",;\t|"
_UNQUOTED = "\t|"  # what dumps without quotation marks use
_RARE = ";\t|"  # hardly ever in prose
_NARROW = 2  # cells that commas may make of a sentence
_LONGEST_FOOTER = 3
_LOOKED_AT = 1 << 13  # characters; clevercsv takes time that grows faster than its text


@dataclass(frozen=True, slots=True)
class Dialect:
    """How the cells of a line are told apart. `quote` and `escape` are empty where there are none."""

    delimiter: str
    quote: str = '"'
    escape: str = ""

    def lines(self, text: Iterable[str], name: str) -> Iterator[tuple[int, list[str]]]:
        """The lines with at least one value, each with its number; one with a line break in a cell has the first.

        Raises:
            SourceError: quotation marks do not fit.
        """
        reader = csv.reader(
            text,
            delimiter=self.delimiter,
            quotechar=self.quote or None,
            quoting=csv.QUOTE_MINIMAL if self.quote else csv.QUOTE_NONE,
            escapechar=self.escape or None,
            doublequote=not self.escape,
            strict=True,
        )
        line = 1
        try:
            for cells in reader:
                if any(cells):
                    yield line, cells
                line = reader.line_num + 1
        except csv.Error as error:
            raise SourceError(
                f"{name}, line {line}: the quotation marks of a cell do not fit, or it is too long ({error}).",
                "Correct that line, or export the file again.",
            ) from error


def sample_lines(sample: str, cut: bool, dialect: Dialect) -> tuple[list[Line], bool]:
    """The lines of a sample, and whether all its quotation marks fit; the last cell of one that was cut may be open."""
    lines: list[Line] = []
    try:
        lines.extend(dialect.lines(io.StringIO(sample, newline=""), ""))
    except SourceError as error:
        return lines, cut and "unexpected end of data" in error.what
    return lines, True


def find_dialect(sample: str, cut: bool, needed: float) -> Dialect | None:
    """The dialect in which enough lines, as a share, have the same number of cells, at least two; None if none does.

    The usual separators come first; where several fit equally well, and where none does, clevercsv decides. Quotation
    marks are taken for letters only if no other reading fits and no cell stands between two of them.
    """
    fits = {Dialect(one): fit for one in _USUAL if (fit := _fit(sample, cut, Dialect(one)))[0] >= needed}
    best = [dialect for dialect, fit in fits.items() if fit[0] == max(fits.values())[0]]
    if len(best) == 1:
        unclosed = best[0].delimiter in _UNQUOTED and not sample_lines(sample, cut=False, dialect=best[0])[1]
        letters = unclosed and not _has_quoted(sample, cut, best[0])
        return Dialect(best[0].delimiter, quote="") if letters else best[0]
    clever = _by_clevercsv(sample, [dialect.delimiter for dialect in best])
    if best:
        return next(
            (one for one in best if clever and one.delimiter == clever.delimiter), max(best, key=fits.__getitem__)
        )
    unquoted = [Dialect(one, quote="") for one in _UNQUOTED] if '"' in sample else []
    tried = [dialect for dialect in (clever, *unquoted) if dialect and _fit(sample, cut, dialect)[0] >= needed]
    return next((dialect for dialect in tried if dialect.quote or not _has_quoted(sample, cut, dialect)), None)


def has_several_cells(sample: str, cut: bool) -> bool:
    """Whether most lines have more than one cell by one of the usual separators."""
    for delimiter in _USUAL:
        lines, _ = sample_lines(sample, cut, Dialect(delimiter, quote=""))
        if 2 * sum(len(cells) > 1 for _, cells in lines) > len(lines):
            return True
    return False


def _fit(sample: str, cut: bool, dialect: Dialect) -> tuple[float, int]:
    """The share of lines with the commonest number of cells from its first line on, and that number; 0 if unfit.

    A footer, one or a few lines of a single cell at the end of a file, counts for nothing.
    """
    lines, fit = sample_lines(sample, cut, dialect)
    lengths = [len(cells) for _, cells in lines]
    if not cut and (footer := _lines_of_footer(lengths)) and (dialect.delimiter in _RARE or max(lengths) > _NARROW):
        lengths = lengths[:-footer]
    if not fit or not lengths:
        return 0.0, 0
    counts = Counter(lengths)
    usual = max(counts, key=lambda length: (counts[length], length))
    if usual < 2 or (counts[usual] == 1 and len(lengths) > 1):
        return 0.0, 0
    return counts[usual] / len(lengths[lengths.index(usual) :]), usual


def _lines_of_footer(lengths: Sequence[int]) -> int:
    """How many lines of a single cell stand at the end, such as a count of the records; 0 where they are too many."""
    table = next((at for at in range(len(lengths), 0, -1) if lengths[at - 1] > 1), 0)
    count = len(lengths) - table
    return count if count <= _LONGEST_FOOTER and table > 1 else 0


def _by_clevercsv(sample: str, delimiters: Sequence[str]) -> Dialect | None:
    import clevercsv

    beginning = sample[:_LOOKED_AT]
    if len(beginning) < len(sample):
        beginning = beginning[: beginning.rfind("\n") + 1] or beginning
    try:
        found = clevercsv.Detector().detect(beginning, delimiters=delimiters or None)
    except clevercsv.Error:
        return None
    if found is None or len(found.delimiter) != 1 or found.delimiter.isalnum() or found.delimiter == " ":
        return None
    if not found.quotechar and found.delimiter in ",;" and '"' in sample:
        return None  # a quotation mark that is never closed is no letter there
    return Dialect(found.delimiter, found.quotechar, found.escapechar)


def _has_quoted(sample: str, cut: bool, dialect: Dialect) -> bool:
    lines, _ = sample_lines(sample, cut, Dialect(dialect.delimiter, quote=""))
    return any(len(cell) > 1 and cell[0] == cell[-1] == '"' for _, cells in lines for cell in cells)
