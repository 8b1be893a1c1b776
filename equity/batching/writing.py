"""The formats of the output: lines of CSV and JSON, and Parquet made of those."""

from __future__ import annotations

import csv
import importlib.util
import io
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from equity.batching.columns import Column
from equity.batching.errors import BatchError, OutputError
from equity.cards import ascii_text

__all__ = [
    "FORMATS",
    "LINES",
    "Format",
    "check_parquet",
    "format_of",
    "parquet_module",
    "read_json_lines",
    "write_parquet",
]

_TRUTH = {True: "true", False: "false"}
_AS_IT_IS = frozenset((str, int, float, type(None)))
#: Rows of a group of Parquet.
ROW_GROUP = 4_096
#: The digits of a whole number of any size in Parquet.
BIG_DIGITS = 38


class Format(NamedTuple):
    """A format of tables."""

    endings: tuple[str, ...]
    #: Lines that rows are written as while there may be more of them.
    lines: str
    #: Whether rows are put into their format at the end.
    at_end: bool = False


#: Formats by name.
FORMATS = {
    "csv": Format((".csv",), "csv"),
    "jsonl": Format((".jsonl", ".ndjson"), "jsonl"),
    "parquet": Format((".parquet",), "jsonl", at_end=True),
}


def format_of(name: str, given: str | None, place: str) -> str:
    """The format of a file by its ending, or as given for one that has none.

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
    raise BatchError(
        f"{ascii_text(name)} has no known ending",
        place=place,
        hint=f"use .csv, .jsonl or .parquet, or say --format {'|'.join(FORMATS)}",
    )


def _csv_field(value: Any) -> Any:
    """What is not written as it is: a truth, a list, an object."""
    if value is True or value is False:
        return _TRUTH[value]
    return json.dumps(value) if isinstance(value, (list, dict)) else value


def _csv_lines(_: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    # A call for every field would take as long as all of the rest.
    writer.writerows(
        [[one if type(one) in _AS_IT_IS else _csv_field(one) for one in row] for row in rows]
    )
    return text.getvalue()


def _json_lines(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    return "".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows)


#: How rows are written, by name.
LINES: dict[str, Callable[[Sequence[str], Iterable[Sequence[Any]]], str]] = {
    "csv": _csv_lines,
    "jsonl": _json_lines,
}


def check_parquet() -> None:
    """Raise an error where Parquet cannot be written, without loading what does it."""
    if importlib.util.find_spec("pyarrow") is None:
        raise BatchError(
            "Parquet needs pyarrow, which is not installed", hint="pip install 'equity[parquet]'"
        )


def parquet_module() -> Any:
    """The package pyarrow, with its module for Parquet.

    Raises
    ------
    BatchError
        It is not installed.
    """
    check_parquet()
    import pyarrow as arrow
    import pyarrow.parquet

    return arrow


def _type_of(kind: str) -> Any:
    arrow = parquet_module()
    return {
        "text": arrow.string(),
        "truth": arrow.bool_(),
        "whole": arrow.int64(),
        "big": arrow.decimal128(BIG_DIGITS, 0),
        "number": arrow.float64(),
    }[kind]


def _as_text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else json.dumps(value)


def _as_big(value: int | None) -> Decimal | None:
    return None if value is None else Decimal(value)


def _as_number(value: float | None) -> float | None:
    return None if value is None else float(value)


#: How values of a kind are made fit for its column.
_FITTED: dict[str, Callable[[Any], Any]] = {
    "text": _as_text,
    "big": _as_big,
    "number": _as_number,
}


def write_parquet(columns: Sequence[Column], rows: Iterable[dict[str, Any]], target: Path) -> None:
    """Write rows as Parquet; the target appears whole or not at all.

    Raises
    ------
    OutputError
        A number is too large for Parquet.
    """
    arrow = parquet_module()
    schema = arrow.schema([(name, _type_of(kind)) for name, kind in columns])
    unfinished = target.with_name(f"{target.name}.tmp")
    remaining = iter(rows)
    with arrow.parquet.ParquetWriter(unfinished, schema) as writer:
        while group := list(islice(remaining, ROW_GROUP)):
            arrays = [_array(column, [row[column.name] for row in group]) for column in columns]
            writer.write_table(arrow.table(arrays, schema=schema))
    with unfinished.open("rb+") as file:
        os.fsync(file.fileno())
    os.replace(unfinished, target)


def _array(column: Column, values: list[Any]) -> Any:
    arrow = parquet_module()
    if column.kind in _FITTED:
        values = list(map(_FITTED[column.kind], values))
    try:
        return arrow.array(values, _type_of(column.kind))
    except (arrow.ArrowInvalid, OverflowError) as error:
        raise OutputError(
            f"a value of {column.name} does not fit into Parquet ({error})",
            hint="write .csv or .jsonl",
        ) from None


def read_json_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a file of JSON lines that a batch has written."""
    with path.open(encoding="ascii") as file:
        yield from map(json.loads, file)
