"""Read tables of text: CSV with commas, semicolons or tabs, and JSON lines."""

from __future__ import annotations

import csv
import io
import json
import re
from codecs import BOM_UTF8
from collections.abc import Generator, Iterator
from contextlib import closing
from typing import BinaryIO

from equity.batching.columns import Names
from equity.batching.errors import BatchError
from equity.batching.fields import Header, no_rows, sort_fields
from equity.batching.rows import Row, invalid

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
    """The lines of a text; skips blank lines and comments between rows."""

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
        #: The number of the last line, and of the first line of the row, from 1.
        self.number = self.start = 0
        #: Whether a line of the row is not valid UTF-8.
        self.is_broken = False

    def close(self) -> None:
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

    Raises ``BatchError`` if the header is missing or invalid.
    """
    # Ranges may be long lists of hands; the limit is global to all readers.
    csv.field_size_limit(max(csv.field_size_limit(), MOST))
    with closing(Lines(stream)) as lines:
        reader = csv.reader(lines, delimiter=_delimiter(lines), strict=True)
        titles, problem = _next(lines, reader)
        if problem:
            raise BatchError(problem, place=f"spots, line {lines.start}")
        if titles is None:
            raise no_rows()
        header = Header(titles, lines.start, names, _TOO_MANY)
        while True:
            record, problem = _next(lines, reader)
            if problem:
                yield invalid(lines.start, problem)
            elif record is None:
                return
            else:
                yield header.row(lines.start, record)


def _next(lines: Lines, reader: Iterator[list[str]]) -> tuple[list[str] | None, str]:
    """The fields of the next row, None at the end, and the problem with it."""
    while True:
        lines.begin()
        try:
            record = next(reader, None)
        except csv.Error as error:
            return None, f"it is not CSV: {error}; quote a field that contains commas or quotes"
        if record is None or any(map(str.strip, record)):
            return record, NOT_UTF8 if lines.is_broken else ""


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
    with closing(Lines(stream)) as lines:
        return mark, _delimiter(lines)


def _no_constant(text: str) -> None:
    raise ValueError(f"{text} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_no_constant)


def read_json(stream: BinaryIO, names: Names) -> Generator[Row, None, None]:
    """Read the rows of JSON lines, an object per line."""
    with closing(Lines(stream)) as lines:
        while True:
            lines.begin()
            try:
                if (text := next(lines, None)) is None:
                    return
                fields = {} if lines.is_broken else _DECODER.decode(text)
            except csv.Error as error:
                yield invalid(lines.start, str(error))
            except (ValueError, RecursionError) as error:
                yield invalid(lines.start, f"it is not JSON: {error}")
            else:
                if lines.is_broken:
                    yield invalid(lines.start, NOT_UTF8)
                elif isinstance(fields, dict):
                    yield sort_fields(lines.start, fields, names)
                else:
                    yield invalid(lines.start, "it is not a JSON object, {...}")
