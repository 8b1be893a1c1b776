"""Parquet tables, read and written with pyarrow."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from equity.batching.columns import Column, Names
from equity.batching.errors import BatchError, OutputError
from equity.batching.fields import sort_fields
from equity.batching.journal import atomic_write
from equity.batching.rows import Row
from equity.common.extras import how_to_install

__all__ = ["check", "parquet_module", "read", "read_back", "write"]

#: Rows per row group.
ROW_GROUP = 4_096
#: The digits of columns for big integers.
BIG_DIGITS = 38
#: Rows read at a time.
_BATCH = 1_024


def check() -> None:
    """Raise an error if pyarrow is not installed, without importing it."""
    if importlib.util.find_spec("pyarrow") is None:
        raise BatchError(
            "Parquet needs pyarrow, which is not installed",
            hint=how_to_install("parquet"),
        )


def parquet_module() -> Any:
    """Import pyarrow with its Parquet module.

    Raises ``BatchError`` if pyarrow is not installed.
    """
    check()
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


#: Converts a value to the type of its column, for kinds that Arrow does not convert itself.
_CONVERTERS: dict[str, Callable[[Any], Any]] = {
    "text": lambda value: value if isinstance(value, str) else json.dumps(value),
    "big": Decimal,
    "number": float,
}


def write(columns: Sequence[Column], rows: Iterable[dict[str, Any]], target: Path) -> None:
    """Write a table of rows; the target appears whole or not at all.

    Raises ``OutputError`` if a number is too large for Parquet.
    """
    arrow = parquet_module()
    schema = arrow.schema([(name, _type_of(kind)) for name, kind in columns])
    remaining = iter(rows)
    with (
        atomic_write(target) as unfinished,
        arrow.parquet.ParquetWriter(unfinished, schema) as writer,
    ):
        while group := list(islice(remaining, ROW_GROUP)):
            arrays = [_array(column, [row[column.name] for row in group]) for column in columns]
            writer.write_table(arrow.table(arrays, schema=schema))


def _array(column: Column, values: list[Any]) -> Any:
    arrow = parquet_module()
    if convert := _CONVERTERS.get(column.kind):
        values = [None if value is None else convert(value) for value in values]
    try:
        return arrow.array(values, _type_of(column.kind))
    except (arrow.ArrowInvalid, OverflowError) as error:
        raise OutputError(
            f"a value of {column.name} does not fit into Parquet ({error})",
            hint="write .csv or .jsonl",
        ) from None


def read(stream: BinaryIO, names: Names) -> Generator[Row, None, None]:
    """Read the rows of a Parquet file.

    Raises ``BatchError`` if the file is not a Parquet file, or pyarrow is not installed.
    """
    arrow = parquet_module()
    try:
        file = arrow.parquet.ParquetFile(stream)
        line = 0
        for batch in file.iter_batches(_BATCH):
            for row in batch.to_pylist():
                line += 1
                yield sort_fields(line, {name: _plain(value) for name, value in row.items()}, names)
    except BatchError:
        raise
    except (arrow.ArrowException, OSError, ValueError) as error:
        raise BatchError(f"it is not a Parquet file: {error}", place="spots") from None


def _plain(value: Any) -> Any:
    """A value of a JSON type; others become text."""
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return str(value)


def read_back(path: Path) -> Iterator[dict[str, Any]]:
    """Read the rows of a table written by :func:`write`."""
    with parquet_module().parquet.ParquetFile(path) as file:
        for batch in file.iter_batches(_BATCH):
            yield from batch.to_pylist()
