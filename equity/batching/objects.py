"""Rows that are objects: JSON lines."""

from __future__ import annotations

import csv
import json
from collections.abc import Generator
from typing import BinaryIO

from equity.batching.delimited import NOT_UTF8, Lines
from equity.batching.fields import Found, sort_fields
from equity.batching.names import Names

__all__ = ["read_json"]


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
