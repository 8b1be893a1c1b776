"""The lines of a file of hands, one after the other, with their numbers."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Iterator
from io import TextIOWrapper
from pathlib import Path
from re import Pattern
from typing import BinaryIO

from equity.histories.hand import Unread

__all__ = ["Source", "lines_of", "open_lines"]

#: A longer line is cut into several; no room writes one.
LONG = 1 << 20
#: A hand has fewer lines; what is more begins a new one.
MOST_LINES = 5_000
#: What an object raises that does not have the form of a hand.
MALFORMED = (KeyError, IndexError, TypeError, ValueError, AttributeError)
#: Encodings by their byte-order marks.
_MARKS = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_SURROGATE = re.compile("[\udc80-\udcff]")


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
        """Read a line, and those after it up to the next hand.

        That is a line with a ``#`` that matches ``start``, or an object of JSON.
        """
        found: list[str] = []
        line = self.next
        lines = self._lines
        while line is not None and len(found) < MOST_LINES:
            found.append(line)
            line = next(lines, None)
            if line is None or line[:1] == "{" or ("#" in line and start.match(line)):
                break
        self.next = line
        self.number += len(found)
        return found

    def no_hand(self, number: int, form: str, error: Exception) -> None:
        """Report an object that is no hand of a format."""
        what = f"{type(error).__name__.removesuffix('Error').lower()} {error}"
        self.unread(number, f"it is no hand of the {form} format: {what}")

    def unread(self, line: int, problem: str, text: str = "") -> None:
        """Report what is not understood."""
        self._report(Unread(self.name, line, problem, text))


def open_lines(path: str | Path) -> Iterator[str]:
    """Yield the lines of a file, see :func:`lines_of`."""
    with Path(path).open("rb") as file:
        yield from lines_of(file)


def lines_of(file: BinaryIO) -> Iterator[str]:
    """Yield the lines of a file in UTF-8, UTF-16 or, where that fails, Windows-1252."""
    mark = file.read(3)
    encoding = next((name for start, name in _MARKS.items() if mark.startswith(start)), "utf-8")
    file.seek(len(mark) if mark == codecs.BOM_UTF8 else 2 if encoding != "utf-8" else 0)
    # What is no UTF-8 is kept until the line is known.
    text = TextIOWrapper(file, encoding, "surrogateescape" if encoding == "utf-8" else "replace")
    try:
        while line := text.readline(LONG):
            if not line.isascii() and _SURROGATE.search(line):
                line = line.encode("utf-8", "surrogateescape").decode("cp1252", "replace")
            yield line.rstrip("\n\x00 \t")
    finally:
        text.detach()
