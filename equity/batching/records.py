"""The rows of finished outputs, one by one, and outputs made of such rows.

A record is a row of an output in its own format: the bytes of CSV or JSON lines, or
a dictionary where a file is made of rows at the end.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from equity.batching.columns import Column
from equity.batching.journal import Failed, Record
from equity.batching.writing import DIALECTS, FORMATS

__all__ = ["Results", "Retried", "splice"]


class Results(NamedTuple):
    """How the rows of an output are written and read."""

    #: A name of :data:`~equity.batching.writing.FORMATS`.
    format: str
    columns: Sequence[Column]

    @property
    def at_end(self) -> bool:
        """Whether the file is made of all rows at the end."""
        return FORMATS[self.format].at_end

    @property
    def header(self) -> bytes:
        """What stands before the first row."""
        return FORMATS[self.format].header(self.columns)

    @property
    def _is_csv(self) -> bool:
        return FORMATS[self.format].lines in DIALECTS

    def read(self, path: Path) -> Iterator[Any]:
        """The records of an output."""
        if self.at_end:
            yield from FORMATS[self.format].module.read_back(path)
            return
        with path.open("rb") as file:
            file.seek(len(self.header))
            yield from _csv_records(file) if self._is_csv else file

    def parse(self, text: str) -> Iterator[Any]:
        """The records of lines that answers were written as."""
        if self.at_end:
            yield from map(json.loads, text.splitlines())
        elif text:
            yield text.encode()

    def write(self, records: Iterable[Any], target: Path) -> None:
        """Make an output of records, all of it on the disk when this returns."""
        if self.at_end:
            FORMATS[self.format].module.write(self.columns, records, target)
            return
        with target.open("wb") as file:
            file.write(self.header)
            file.writelines(records)
            file.flush()
            os.fsync(file.fileno())


def _csv_records(file: BinaryIO) -> Iterator[bytes]:
    """The rows of CSV; the text of a field between quotes may have several lines."""
    lines: list[bytes] = []
    quotes = 0
    for line in file:
        quotes += line.count(b'"')
        lines.append(line)
        if quotes % 2 == 0:
            yield b"".join(lines)
            lines.clear()


class Retried(NamedTuple):
    """A row that was answered again."""

    number: int
    #: Its lines of the output, and how many rows they are.
    text: str
    records: int
    failed: bool
    transient: bool

    @property
    def line(self) -> str:
        """It as a line of the file that such rows are kept in."""
        return json.dumps(self) + "\n"


def splice(
    table: Results, old: Iterator[Any], record: Record, retried: Iterator[Retried], still: Failed
) -> Iterator[Any]:
    """The records of an output with rows that were answered again in their places.

    Parameters
    ----------
    old:
        The records of the output as it is.
    record:
        What its journal says.
    retried:
        Some of the rows that failed in it, in order.
    still:
        Gets the rows that have failed still.
    """
    assert record.done is not None  # noqa: S101 - else rows are not answered again
    at = shift = 0
    again = next(retried, None)
    for number, place, transient in record.failed:
        if again is None or again.number != number:
            still.add(number, place + shift, transient=transient)
            continue
        yield from islice(old, place - at)
        next(old)
        at = place + 1
        yield from table.parse(again.text)
        if again.failed:
            still.add(number, place + shift, transient=again.transient)
        shift += again.records - 1
        again = next(retried, None)
    yield from islice(old, record.done.records - at)
