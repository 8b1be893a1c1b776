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
from equity.batching.fields import Header, no_rows, sort_fields
from equity.batching.rows import Row

__all__ = ["csv_style", "read_csv", "read_json"]

#: The most characters of a row; limits how far an unclosed quote reaches.
MOST = 1 << 24
#: Delimiters, likeliest first.
_DELIMITERS = ",;\t"
_QUOTED = re.compile(r'"[^"]*"')
_TOO_MANY = "; quote a field that contains the delimiter"
#: A first line that tells spreadsheets the delimiter.
_DELIMITER_LINE = re.compile(r"sep=([,;\t])\s*")
#: How invalid UTF-8 is decoded.
_BROKEN = re.compile("[\udc80-\udcff]")
#: Byte-order marks of UTF-16.
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
NOT_UTF8 = "it is not UTF-8; save the table as CSV UTF-8"


class Lines:
    """The lines of a text; skips blank lines and comments between rows.

    Attributes
    ----------
    number:
        The number of the last line, from 1.
    start:
        The number of the first line of a row.
    is_broken:
        Whether a line of the row is not valid UTF-8.
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
        """Detach from the stream without closing it."""
        self._text.detach()

    def begin(self) -> None:
        """Start a row with the next line."""
        self.start, self.is_broken, self._size = 0, False, 0

    def put_back(self, line: str) -> None:
        """Return a line once more."""
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
            raise csv.Error(f"the row has more than {MOST:,} characters")
        if not line.isascii() and _BROKEN.search(line):
            self.is_broken = True
        return line


def read_csv(stream: BinaryIO, names: Names) -> Generator[Row, None, None]:
    """Read the rows of CSV with a header.

    Raises
    ------
    BatchError
        The header is missing or invalid.
    """
    # Ranges may be long lists of hands; the limit is global to all readers.
    csv.field_size_limit(max(csv.field_size_limit(), MOST))
    lines = Lines(stream)
    try:
        yield from _rows(lines, names)
    finally:
        lines.detach()


def _rows(lines: Lines, known: Names) -> Iterator[Row]:
    reader = csv.reader(lines, delimiter=_delimiter(lines), strict=True)
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
            yield Row(0, line, {}, {}, record)
        elif lines.is_broken:
            yield Row(0, line, {}, {}, NOT_UTF8)
        else:
            yield columns.row(line, record)


def _delimiter(lines: Lines) -> str:
    """The delimiter: the one most frequent in the first line."""
    first = next(lines, "")
    said = _DELIMITER_LINE.fullmatch(first)
    if said:
        lines.begin()
        return said[1]
    lines.put_back(first)
    bare = _QUOTED.sub("", first)
    return max(_DELIMITERS, key=bare.count)


def csv_style(stream: BinaryIO) -> tuple[bool, str]:
    """Whether the text begins with a byte-order mark, and its delimiter."""
    mark = stream.read(len(BOM_UTF8)) == BOM_UTF8
    stream.seek(0)
    lines = Lines(stream)
    try:
        return mark, _delimiter(lines)
    finally:
        lines.detach()


def _next(lines: Lines, reader: Iterator[list[str]]) -> list[str] | str | None:
    """The fields of the next row, or the problem with it as a str; None at the end."""
    while True:
        lines.begin()
        try:
            record = next(reader, None)
        except csv.Error as error:
            return f"it is not CSV: {error}; quote a field that contains commas or quotes"
        if record is None or any(map(str.strip, record)):
            return record


def _no_constant(text: str) -> None:
    raise ValueError(f"{text} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_no_constant)


def read_json(stream: BinaryIO, names: Names) -> Generator[Row, None, None]:
    """Read the rows of JSON lines, an object per line."""
    lines = Lines(stream)
    try:
        while True:
            lines.begin()
            try:
                text = next(lines, None)
            except csv.Error as error:
                yield Row(0, lines.start, {}, {}, str(error))
                continue
            if text is None:
                return
            yield _object(lines.start, text, lines.is_broken, names)
    finally:
        lines.detach()


def _object(line: int, text: str, is_broken: bool, names: Names) -> Row:
    if is_broken:
        return Row(0, line, {}, {}, NOT_UTF8)
    try:
        value = _DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        return Row(0, line, {}, {}, f"it is not JSON: {error}")
    if not isinstance(value, dict):
        return Row(0, line, {}, {}, "it is not a JSON object, {...}")
    return sort_fields(line, value, names)
