"""CSV as programs for tables write it: commas, semicolons or tabs between fields."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Generator, Iterator
from typing import BinaryIO

from equity.batching.errors import BatchError
from equity.batching.fields import Found, is_given, join_streets
from equity.batching.names import Names
from equity.cards import ascii_text

__all__ = ["Lines", "read_delimited"]

#: Characters of a row; a mark that is not closed takes in no more.
MOST = 1 << 24
#: What may stand between fields, likeliest first.
_BETWEEN = ",;\t"
_QUOTED = re.compile(r'"[^"]*"')
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


def read_delimited(stream: BinaryIO, names: Names) -> Generator[Found, None, None]:
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
        raise BatchError(
            "there is nothing in it", place="spots", hint="the first line names columns"
        )
    names = _named(header, lines.start, known)
    while (record := _next(lines, reader)) is not None:
        line = lines.start
        if isinstance(record, str):
            yield Found(line, {}, {}, record)
        elif lines.is_broken:
            yield Found(line, {}, {}, NOT_UTF8)
        else:
            yield _found(line, names, record)


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


def _named(header: list[str], line: int, names: Names) -> list[tuple[str | None, str]]:
    """For each column its meaning, and its name if it is carried through."""
    place = f"spots, line {line}"
    columns: list[tuple[str | None, str]] = []
    known: dict[str, str] = {}
    carried: set[str] = set()
    for text, name in zip(header, names.meanings(header, place), strict=True):
        if name is not None:
            if name in known:
                raise BatchError(
                    f"the columns {ascii_text(known[name])} and {ascii_text(text)} are both {name}",
                    place=place,
                    hint="leave one of them out",
                )
            known[name] = text
            columns.append((name, ""))
            continue
        unique = plain = text.strip()
        number = 1
        while plain and unique in carried:
            number += 1
            unique = f"{plain}_{number}"
        carried.add(unique)
        columns.append((None, unique))
    if "players" not in known and "player1" not in known:
        listed = ", ".join(ascii_text(text[:40]) for text in header[:8]) or "none"
        raise BatchError(
            f"no column has players; there are {listed}",
            place=place,
            hint="the first line names columns: player1, player2 and so on, or players",
        )
    return columns


def _found(line: int, names: list[tuple[str | None, str]], record: list[str]) -> Found:
    values: dict[str, str] = {}
    carried: dict[str, str] = {}
    problem = ""
    for (known, name), field in zip(names, record, strict=False):
        if known is not None:
            text = field.strip()
            if is_given(known, text):
                values[known] = text
        elif name:
            carried[name] = field
        elif field.strip():
            problem = f"{ascii_text(field[:40])} stands in a column without a name"
    if any(field.strip() for field in record[len(names) :]):
        problem = (
            f"{len(record)} fields, and {len(names)} columns have a name; "
            "a field with the separator in it has quotes round it"
        )
    return Found(line, values, carried, problem or join_streets(values))
