"""Output formats: CSV and JSON lines, and tables written at the end of a run.

A record is a row as a format reads it back: a line as bytes, or a dict in formats that are
written at the end of a run.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from importlib import import_module
from itertools import repeat
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from equity.batching.columns import Column
from equity.batching.errors import BatchError
from equity.results.formats import csv_field, csv_lines
from equity.rules.cards import ascii_text

__all__ = [
    "DIALECTS",
    "EXACT",
    "FORMATS",
    "MATRIX",
    "Dialect",
    "Format",
    "format_of",
    "read_json_lines",
]

#: Spreadsheets read 1/5 as a date, and keep 15 digits of a number.
_FRACTION = re.compile(r"-?\d+/\d+")
MOST_SHEET_INTEGER = 10**15
#: Types of values that are written alike in any company.
_SIMPLE = frozenset((str, int, float, bool, type(None)))
_NUMBERS = frozenset((int, float))
#: What makes CSV put a field in quotes.
_SPECIAL = re.compile(r'[^ -~]|[",]')
#: The ending of columns with fractions.
EXACT = "_exact"


class Format:
    """JSON lines, and the base of the other formats: how rows become an output."""

    #: Whether the output is made of JSON lines at the end of the run.
    at_end = False
    #: Whether it is no text, so that it needs a file.
    is_binary = False

    def __init__(self, columns: Sequence[Column]) -> None:
        self.columns = columns
        self.names = [column.name for column in columns]

    def mark_fractions(self) -> None:
        """Note that any column may hold fractions, whatever its name."""

    def check(self) -> None:
        """Raise an error if a library that writes the format is not installed."""

    @property
    def header(self) -> bytes:
        """The bytes before the first row."""
        return b""

    def lines(self, rows: Iterable[Mapping[str, Any]]) -> str:
        """Format rows, as values by column, as lines."""
        return "".join(
            json.dumps({name: row.get(name) for name in self.names}) + "\n" for row in rows
        )

    def lines_of(self, columns: Mapping[str, Any], count: int) -> list[str]:
        """Format rows given as columns, a line for each.

        A column is a list with a value for each row, or one value for all of them.  The lines
        are those of :meth:`lines`.
        """
        parts: list[Iterable[str]] = []
        same = ""
        for name, before in zip(self.names, self._before, strict=True):
            value = columns.get(name)
            same += before
            if isinstance(value, list):
                parts += [repeat(same), self._fields(value)]
                same = ""
            else:
                same += self._fields([value])[0]
        return list(map("".join, zip(*parts, [same + self._end] * count, strict=False)))

    #: What ends a line.
    _end = "}\n"

    @cached_property
    def _before(self) -> list[str]:
        """What stands before each field of a line."""
        return [f"{', ' if at else '{'}{json.dumps(name)}: " for at, name in enumerate(self.names)]

    def _fields(self, values: list[Any]) -> list[str]:
        """Format the values of a column."""
        if _SIMPLE.issuperset(map(type, values)):
            # One call for all; no text has a line break in JSON.
            return json.dumps(values, separators=("\n", ":"))[1:-1].split("\n")
        return list(map(json.dumps, values))

    def parse(self, text: str) -> Iterable[Any]:
        """Convert lines to records."""
        return [text.encode()] if text else []

    def read(self, path: Path) -> Iterator[Any]:
        """Read the records of an output."""
        with path.open("rb") as file:
            file.seek(len(self.header))
            yield from self._split(file)

    def _split(self, file: BinaryIO) -> Iterable[bytes]:
        return file

    def write(self, records: Iterable[Any], path: Path) -> None:
        """Write an output of records, and flush it to disk."""
        with path.open("wb") as file:
            file.write(self.header)
            file.writelines(records)
            file.flush()
            os.fsync(file.fileno())


class Dialect(NamedTuple):
    """A dialect of CSV."""

    #: Whether a byte-order mark comes first, by which Excel recognizes UTF-8.
    mark: bool = False
    delimiter: str = ","
    decimal: str = "."


class _Csv(Format):
    """CSV with commas, for programs."""

    dialect = Dialect()

    @property
    def header(self) -> bytes:
        names = self._text([self.names])
        return (BOM_UTF8 if self.dialect.mark else b"") + names.encode()

    def lines(self, rows: Iterable[Mapping[str, Any]]) -> str:
        return self._text([list(map(row.get, self.names)) for row in rows])

    def _text(self, rows: Iterable[Sequence[Any]]) -> str:
        return csv_lines(rows)

    def lines_of(self, columns: Mapping[str, Any], count: int) -> list[str]:
        # A line of one empty field is quoted.
        return (
            super().lines_of(columns, count)
            if len(self.names) > 1
            else self._by_row(columns, count)
        )

    def _by_row(self, columns: Mapping[str, Any], count: int) -> list[str]:
        """The lines of rows given as columns, formatted row by row."""
        given = [columns.get(name) for name in self.names]
        lists = [value if isinstance(value, list) else repeat(value) for value in given]
        rows = zip(*lists, [None] * count, strict=False)
        return [self._text([row[:-1]]) for row in rows]

    _end = "\n"

    @cached_property
    def _before(self) -> list[str]:
        return ["" if at == 0 else self.dialect.delimiter for at in range(len(self.names))]

    def _fields(self, values: list[Any]) -> list[str]:
        kinds = set(map(type, values))
        if kinds <= _NUMBERS:
            return list(map(repr, values))
        if kinds == {str} and not _SPECIAL.search("".join(values)):
            return values
        # An empty field has no quotes only if another follows.
        ending = f"{self.dialect.delimiter}\n"
        return [self._text([[value, None]]).removesuffix(ending) for value in values]

    def _split(self, file: BinaryIO) -> Iterator[bytes]:
        """The rows; quoted fields may span several lines."""
        lines: list[bytes] = []
        quotes = 0
        for line in file:
            quotes += line.count(b'"')
            lines.append(line)
            if quotes % 2 == 0:
                yield b"".join(lines)
                lines.clear()


class _SheetCsv(_Csv):
    """CSV for spreadsheets: fractions and long integers are text formulas, ``="1/5"``."""

    def __init__(self, dialect: Dialect, columns: Sequence[Column]) -> None:
        self.dialect = dialect
        super().__init__(columns)
        self._are_exact = [name.endswith(EXACT) for name in self.names]

    def mark_fractions(self) -> None:
        self._are_exact = [True] * len(self.names)

    def lines_of(self, columns: Mapping[str, Any], count: int) -> list[str]:
        # A field depends on its column.
        return self._by_row(columns, count)

    def _text(self, rows: Iterable[Sequence[Any]]) -> str:
        text = io.StringIO()
        writer = csv.writer(text, delimiter=self.dialect.delimiter, lineterminator="\n")
        for row in rows:
            writer.writerow(map(self._field, row, self._are_exact))
        return text.getvalue()

    def _field(self, value: Any, may_be_fraction: bool) -> Any:
        if isinstance(value, float):
            return repr(value).replace(".", self.dialect.decimal)
        is_large = type(value) is int and abs(value) >= MOST_SHEET_INTEGER
        is_fraction = may_be_fraction and isinstance(value, str) and _FRACTION.fullmatch(value)
        return f'="{value}"' if is_large or is_fraction else csv_field(value)


class _AtEnd(Format):
    """A table that a module writes at the end: ``check()``, ``write()``, ``read_back()``."""

    at_end = True
    is_binary = True

    def __init__(self, module: str, columns: Sequence[Column]) -> None:
        super().__init__(columns)
        self._module = module

    @property
    def module(self) -> Any:
        """The module, imported when it is needed."""
        return import_module(f"equity.batching.{self._module}")

    def check(self) -> None:
        self.module.check()

    def parse(self, text: str) -> Iterable[Any]:
        return map(json.loads, text.splitlines())

    def read(self, path: Path) -> Iterator[Any]:
        return self.module.read_back(path)  # type: ignore[no-any-return]

    def write(self, records: Iterable[Any], path: Path) -> None:
        self.module.write(self.columns, records, path)


class _Matrix(_AtEnd):
    """A row and a column for each entry of two lists, in another format."""

    def __init__(self, maker: Callable[[Sequence[Column]], Format], columns: Sequence[Column]):
        super().__init__("matrix", columns)
        self._maker = maker
        self.is_binary = maker(()).is_binary

    def check(self) -> None:
        self._maker(()).check()

    def read(self, path: Path) -> Iterator[Any]:
        return self.module.read_back(self.columns, path, self._maker)  # type: ignore[no-any-return]

    def write(self, records: Iterable[Any], path: Path) -> None:
        self.module.write(self.columns, records, path, self._maker)


#: Names of the dialects of CSV.
DIALECTS = {
    Dialect(): "csv",
    Dialect(True, ";", ","): "csv-excel",
    Dialect(True, ";", "."): "csv-excel-semicolon-point",
    Dialect(True, ",", "."): "csv-excel-point",
    Dialect(False, ";", ","): "csv-semicolon",
    Dialect(False, ";", "."): "csv-semicolon-point",
}
#: Makers of formats by name.
FORMATS: dict[str, Callable[[Sequence[Column]], Format]] = {
    **{name: partial(_SheetCsv, dialect) for dialect, name in DIALECTS.items()},
    "csv": _Csv,
    "jsonl": Format,
    "parquet": partial(_AtEnd, "parquet"),
    "xlsx": partial(_AtEnd, "excel"),
}
#: What the names of formats of matrices begin with.
MATRIX = "matrix-"
FORMATS |= {MATRIX + name: partial(_Matrix, maker) for name, maker in FORMATS.items()}
#: Formats by the ending of a file.
_ENDINGS = {
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".xlsx": "xlsx",
}


def format_of(name: str, given: str | None, place: str) -> str:
    """The format of a file by its ending, else as given.

    Raises ``BatchError`` if the ending is not known.
    """
    known = _ENDINGS.get(Path(name).suffix.lower(), given) or ("csv" if name == "-" else None)
    if known is None:
        named = "|".join(dict.fromkeys(_ENDINGS.values()))
        raise BatchError(
            f"{ascii_text(name)} has no known ending",
            place=place,
            hint=f"use .csv, .jsonl, .parquet or .xlsx, or say --format {named}",
        )
    return known


def read_json_lines(path: Path) -> Iterator[Any]:
    """Read a file of JSON lines that a batch has written."""
    with path.open(encoding="ascii") as file:
        yield from map(json.loads, file)
