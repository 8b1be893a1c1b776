"""Output formats: CSV and JSON lines, and tables written at the end of a run."""

from __future__ import annotations

import csv
import io
import json
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from equity.batching.columns import Column
from equity.batching.errors import BatchError
from equity.results.formats import csv_field, csv_lines
from equity.rules.cards import ascii_text

__all__ = ["DIALECTS", "FORMATS", "LINES", "Dialect", "Format", "format_of", "read_json_lines"]

Lines = Callable[[Sequence[str], Iterable[Sequence[Any]]], str]
#: Spreadsheets read 1/5 as a date, and keep 15 digits of a number.
_FRACTION = re.compile(r"-?\d+/\d+")
MOST_SHEET_INTEGER = 10**15
#: The ending of columns with fractions.
_EXACT = "_exact"


class Dialect(NamedTuple):
    """A dialect of CSV."""

    #: Whether a byte-order mark comes first, by which Excel recognizes UTF-8.
    mark: bool = False
    delimiter: str = ","
    decimal: str = "."


#: Dialects by the name of their format.
DIALECTS = {
    "csv": Dialect(),
    "csv-excel": Dialect(True, ";", ","),
    "csv-excel-semicolon-point": Dialect(True, ";", "."),
    "csv-excel-point": Dialect(True, ",", "."),
    "csv-semicolon": Dialect(False, ";", ","),
    "csv-semicolon-point": Dialect(False, ";", "."),
}


class Format(NamedTuple):
    """A table format."""

    endings: tuple[str, ...]
    #: The line format used during a run, a name of :data:`LINES`.
    lines: str
    #: The module that writes the table from those lines at the end of a run, if any.
    made_by: str = ""

    @property
    def at_end(self) -> bool:
        """Whether the table is written at the end of the run."""
        return bool(self.made_by)

    @property
    def module(self) -> Any:
        """The module that writes the table: ``check()``, ``write()`` and ``read_back()``."""
        return import_module(f"equity.batching.{self.made_by}")

    def header(self, columns: Sequence[Column]) -> bytes:
        """The bytes before the first row."""
        dialect = DIALECTS.get(self.lines)
        if dialect is None:
            return b""
        names = [column.name for column in columns]
        return (BOM_UTF8 if dialect.mark else b"") + LINES[self.lines](names, [names]).encode()


#: Formats by name; those without an ending are chosen by options.
FORMATS = {
    "csv": Format((".csv",), "csv"),
    "jsonl": Format((".jsonl", ".ndjson"), "jsonl"),
    "parquet": Format((".parquet",), "jsonl", "parquet"),
    "xlsx": Format((".xlsx",), "jsonl", "excel"),
    **{name: Format((), name) for name in DIALECTS if name != "csv"},
}


def format_of(name: str, given: str | None, place: str) -> str:
    """The format of a file by its ending, else as given.

    Raises
    ------
    BatchError
        The ending is not known.
    """
    ending = Path(name).suffix.lower()
    for known, facts in FORMATS.items():
        if ending in facts.endings:
            return known
    if given is not None:
        return given
    if name == "-":
        return "csv"
    named = [known for known, facts in FORMATS.items() if facts.endings]
    raise BatchError(
        f"{ascii_text(name)} has no known ending",
        place=place,
        hint=f"use .csv, .jsonl, .parquet or .xlsx, or say --format {'|'.join(named)}",
    )


def _csv_lines(_: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    return csv_lines(rows)


def _sheet_lines(dialect: Dialect, names: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """CSV for spreadsheets: fractions and long integers are text formulas, ``="1/5"``."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=dialect.delimiter, lineterminator="\n")
    exact = [name.endswith(_EXACT) for name in names]
    for row in rows:
        writer.writerow(
            [_sheet_field(one, dialect, maybe) for one, maybe in zip(row, exact, strict=True)]
        )
    return text.getvalue()


def _sheet_field(value: Any, dialect: Dialect, may_be_fraction: bool) -> Any:
    if isinstance(value, float):
        return repr(value).replace(".", dialect.decimal)
    is_large = type(value) is int and abs(value) >= MOST_SHEET_INTEGER
    is_fraction = may_be_fraction and isinstance(value, str) and _FRACTION.fullmatch(value)
    return f'="{value}"' if is_large or is_fraction else csv_field(value)


def _json_lines(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    return "".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows)


#: Functions that write rows as lines, by name.
LINES: dict[str, Lines] = {
    "jsonl": _json_lines,
    **{name: partial(_sheet_lines, dialect) for name, dialect in DIALECTS.items()},
    "csv": _csv_lines,
}


def read_json_lines(path: Path) -> Iterator[Any]:
    """Read a file of JSON lines that a batch has written."""
    with path.open(encoding="ascii") as file:
        yield from map(json.loads, file)
