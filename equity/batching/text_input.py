"""Read tables of text: CSV with commas, semicolons or tabs, and JSON lines."""

from __future__ import annotations

import csv
import io
import json
import re
from codecs import BOM_UTF8
from collections.abc import Generator, Iterator
from typing import BinaryIO

from equity.batching.columns import Names
from equity.batching.errors import BatchError
from equity.batching.fields import Found, Header, no_rows, sort_fields

__all__ = ["csv_style", "read_csv", "read_json"]

#: Characters of a row; a mark that is not closed takes in no more.
MOST = 1 << 24
#: What may stand between fields, likeliest first.
_BETWEEN = ",;\t"
_QUOTED = re.compile(r'"[^"]*"')
_TOO_MANY = "; a field with the separator in it has quotes round it"
#: A line by which spreadsheets are told what stands between fields.
_SAYS_BETWEEN = re.compile(r"sep=([,;\t])\s*")
#: Bytes that are no UTF-8 are read as these.
_BROKEN = re.compile("[\udc80-\udcff]")
#: What the first bytes of UTF-16 are.
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
NOT_UTF8 = "it has bytes that are not UTF-8; save the table as CSV UTF-8"


class Lines:
    """The lines of a text; blank ones and comments between rows are passed over.

    Attributes
    ----------
    number:
        Of the last line, from 1.
    start:
        The number of the first line of a row.
    is_broken:
        Whether a line of the row has bytes that are no UTF-8.
    """

    def __init__(self, stream: BinaryIO) -> None:
        begin = stream.read(2)
        stream.seek(0)
        if begin in _UTF16:
            raise BatchError(
                "the text is UTF-16", place="spots", hint="save the table as CSV UTF-8"
            )
        self._text = io.TextIOWrapper(stream, "utf-8-sig", "surrogateescape", newline="")
        self._again = ""
        self._size = 0
        self.number = self.start = 0
        self.is_broken = False

    def detach(self) -> None:
        """Leave the stream open."""
        self._text.detach()

    def begin(self) -> None:
        """A row begins with the next line."""
        self.start, self.is_broken, self._size = 0, False, 0

    def put_back(self, line: str) -> None:
        """Give a line once more."""
        self._again = line
        self.number -= 1
        self.begin()

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        while True:
            line, self._again = self._again or self._text.readline(MOST), ""
            if not line:
                raise StopIteration
            self.number += 1
            stripped = line.strip()
            if self.start or (stripped and stripped[0] != "#"):
                break
        self.start = self.start or self.number
        self._size += len(line)
        if self._size > MOST or (len(line) == MOST and line[-1] not in "\r\n"):
            while len(line) == MOST and line[-1] not in "\r\n":
                line = self._text.readline(MOST)
            raise csv.Error(f"it goes on for more than {MOST:,} characters")
        if not line.isascii() and _BROKEN.search(line):
            self.is_broken = True
        return line


def read_csv(stream: BinaryIO, names: Names) -> Generator[Found, None, None]:
    """The rows of a table with a line of names.

    Raises
    ------
    BatchError
        Its first line does not name columns of spots.
    """
    # A range that lists its hands is long; the limit is one for all readers.
    csv.field_size_limit(max(csv.field_size_limit(), MOST))
    lines = Lines(stream)
    try:
        yield from _rows(lines, names)
    finally:
        lines.detach()


def _rows(lines: Lines, known: Names) -> Iterator[Found]:
    reader = csv.reader(lines, delimiter=_between(lines), strict=True)
    header = _next(lines, reader)
    if isinstance(header, str) or lines.is_broken:
        problem = header if isinstance(header, str) else NOT_UTF8
        raise BatchError(problem, place=f"spots, line {lines.start}")
    if header is None:
        raise no_rows()
    columns = Header(header, lines.start, known, _TOO_MANY)
    while (record := _next(lines, reader)) is not None:
        line = lines.start
        if isinstance(record, str):
            yield Found(line, {}, {}, record)
        elif lines.is_broken:
            yield Found(line, {}, {}, NOT_UTF8)
        else:
            yield columns.row(line, record)


def _between(lines: Lines) -> str:
    """What stands between fields: the character that the first line has most of."""
    first = next(lines, "")
    said = _SAYS_BETWEEN.fullmatch(first)
    if said:
        lines.begin()
        return said[1]
    lines.put_back(first)
    bare = _QUOTED.sub("", first)
    return max(_BETWEEN, key=bare.count)


def csv_style(stream: BinaryIO) -> tuple[bool, str]:
    """Whether the mark of byte order stands in front, and what stands between fields."""
    mark = stream.read(len(BOM_UTF8)) == BOM_UTF8
    stream.seek(0)
    lines = Lines(stream)
    try:
        return mark, _between(lines)
    finally:
        lines.detach()


def _next(lines: Lines, reader: Iterator[list[str]]) -> list[str] | str | None:
    """The fields of the next row, what is wrong with it, or None at the end."""
    while True:
        lines.begin()
        try:
            record = next(reader, None)
        except csv.Error as error:
            return f"it is not CSV: {error}; a field with commas or quotes has quotes round it"
        if record is None or any(map(str.strip, record)):
            return record


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
