"""Rows that are objects: JSON lines and Parquet."""

from __future__ import annotations

import csv
import json
from collections.abc import Generator
from typing import Any, BinaryIO

from equity.batching.delimited import NOT_UTF8, Lines
from equity.batching.errors import BatchError
from equity.batching.fields import Found, sort_fields
from equity.batching.names import Names
from equity.batching.writing import parquet_module

__all__ = ["read_json", "read_parquet"]

#: Rows of Parquet that are read at a time.
_BATCH = 1_024


def _no_constant(text: str) -> None:
    raise ValueError(f"{text} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_no_constant)


def read_json(stream: BinaryIO, names: Names) -> Generator[Found, None, None]:
    """The rows of a file with an object a line."""
    lines = Lines(stream)
    try:
        while True:
            lines.begin()
            try:
                text = next(lines, None)
            except csv.Error as error:
                yield Found(lines.start, {}, {}, str(error))
                continue
            if text is None:
                return
            yield _object(lines.start, text, lines.is_broken, names)
    finally:
        lines.detach()


def _object(line: int, text: str, is_broken: bool, names: Names) -> Found:
    if is_broken:
        return Found(line, {}, {}, NOT_UTF8)
    try:
        value = _DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        return Found(line, {}, {}, f"it is not JSON: {error}")
    if not isinstance(value, dict):
        return Found(line, {}, {}, "it is not a JSON object, {...}")
    return sort_fields(line, value, names)


def read_parquet(stream: BinaryIO, names: Names) -> Generator[Found, None, None]:
    """The rows of a Parquet file.

    Raises
    ------
    BatchError
        It is none, or pyarrow is not installed.
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
    """A value that JSON has, else its text."""
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return str(value)
