"""Records: rows of finished outputs, read back to make other outputs of them.

A record is a row in the format of its output: bytes of CSV or JSON lines, or a dict in
formats that are written at the end of a run.
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
    """The format and columns of an output; reads and writes its records."""

    #: A name of :data:`~equity.batching.writing.FORMATS`.
    format: str
    columns: Sequence[Column]

    @property
    def at_end(self) -> bool:
        """Whether the file is written at the end of the run."""
        return FORMATS[self.format].at_end

    @property
    def header(self) -> bytes:
        """The bytes before the first row."""
        return FORMATS[self.format].header(self.columns)

    @property
    def _is_csv(self) -> bool:
        return FORMATS[self.format].lines in DIALECTS

    def read(self, path: Path) -> Iterator[Any]:
        """Read the records of an output."""
        if self.at_end:
            yield from FORMATS[self.format].module.read_back(path)
            return
        with path.open("rb") as file:
            file.seek(len(self.header))
            yield from _csv_records(file) if self._is_csv else file

    def parse(self, text: str) -> Iterator[Any]:
        """Convert lines written by a worker to records."""
        if self.at_end:
            yield from map(json.loads, text.splitlines())
        elif text:
            yield text.encode()

    def write(self, records: Iterable[Any], target: Path) -> None:
        """Write an output of records, and flush it to disk."""
        if self.at_end:
            FORMATS[self.format].module.write(self.columns, records, target)
            return
        with target.open("wb") as file:
            file.write(self.header)
            file.writelines(records)
            file.flush()
            os.fsync(file.fileno())


def _csv_records(file: BinaryIO) -> Iterator[bytes]:
    """The rows of CSV; quoted fields may span several lines."""
    lines: list[bytes] = []
    quotes = 0
    for line in file:
        quotes += line.count(b'"')
        lines.append(line)
        if quotes % 2 == 0:
            yield b"".join(lines)
            lines.clear()


class Retried(NamedTuple):
    """The new answer of a failed row."""

    number: int
    #: Its lines for the output, and their number of rows.
    text: str
    records: int
    failed: bool
    transient: bool

    @property
    def line(self) -> str:
        """The answer as a line of ``RESULTS.retry``."""
        return json.dumps(self) + "\n"


def splice(
    table: Results, old: Iterator[Any], record: Record, retried: Iterator[Retried], still: Failed
) -> Iterator[Any]:
    """Yield the records of an output, with new answers in the places of failed rows.

    Parameters
    ----------
    old:
        The records of the output so far.
    record:
        Its journal.
    retried:
        New answers of some of its failed rows, in order.
    still:
        Receives the rows that still fail.
    """
    assert record.done is not None  # noqa: S101 - a retry follows a complete run
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
