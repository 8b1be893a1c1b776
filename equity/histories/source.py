"""The lines of a file of hands, one after the other, with their numbers."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from re import Pattern
from typing import BinaryIO

from equity.histories.hand import Unread

__all__ = ["Source", "open_lines"]

#: A longer line is cut into several; no room writes one.
LONG = 1 << 20
#: A hand has fewer lines; what is more begins a new one.
MOST_LINES = 5_000
#: Encodings by their byte-order marks.
_MARKS = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


class Source:
    """The lines of a file, of which the first that is not yet read can be looked at.

    Parameters
    ----------
    name:
        The name of the file.
    lines:
        Its lines, without their ends.
    report:
        Called with what is not understood.
    """

    def __init__(self, name: str, lines: Iterable[str], report: Callable[[Unread], None]) -> None:
        self.name = name
        self._lines = iter(lines)
        self._report = report
        #: The number of the next line, from 1, and its text; None at the end.
        self.number = 0
        self.next: str | None = ""
        self.advance()

    def advance(self) -> None:
        """Go on to the next line."""
        self.next = next(self._lines, None)
        self.number += 1

    def block(self, start: Pattern[str]) -> list[str]:
        """Read a line, and those after it up to one that matches ``start``."""
        found: list[str] = []
        line = self.next
        lines = self._lines
        while line is not None and len(found) < MOST_LINES:
            found.append(line)
            line = next(lines, None)
            if line is not None and start.match(line):
                break
        self.next = line
        self.number += len(found)
        return found

    def unread(self, line: int, problem: str, text: str = "") -> None:
        """Report what is not understood."""
        self._report(Unread(self.name, line, problem, text))


def open_lines(path: str | Path) -> Iterator[str]:
    """Yield the lines of a file in UTF-8, UTF-16 or, where that fails, Windows-1252."""
    with Path(path).open("rb") as file:
        mark = file.read(3)
        for start, encoding in _MARKS.items():
            if mark.startswith(start):
                file.seek(len(start))
                yield from _wide_lines(file, encoding)
                return
        if mark != codecs.BOM_UTF8:
            file.seek(0)
        while raw := file.readline(LONG):
            try:
                line = raw.decode()
            except UnicodeDecodeError:
                line = raw.decode("cp1252", "replace")
            yield line.rstrip("\r\n\x00 \t")


def _wide_lines(file: BinaryIO, encoding: str) -> Iterator[str]:
    reader = codecs.getreader(encoding)(file, "replace")
    while line := reader.readline(LONG):
        yield line.rstrip("\r\n\x00 \t")
