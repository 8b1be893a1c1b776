"""Tables of spots: CSV, JSON lines, Parquet, Excel, and hand histories."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from equity.batching import excel, history, parquet
from equity.batching.columns import Column, Names
from equity.batching.errors import BatchError, ConflictError
from equity.batching.fingerprint import hash_stream
from equity.batching.formats import format_of
from equity.batching.parse_row import overridden, players_of, view_of
from equity.batching.rows import Row, Spots, Survey, spots_text
from equity.batching.text import csv_style, read_csv, read_json
from equity.errors import EquityError
from equity.rules.cards import ascii_text
from equity.rules.games import GAMES

__all__ = ["Table", "input_format"]


class _Reader(NamedTuple):
    """How a format of tables is read."""

    rows: Callable[[BinaryIO, Names], Generator[Row, None, None]]
    #: Its byte-order mark and delimiter, see :attr:`Table.csv_style`.
    csv_style: Callable[[BinaryIO], tuple[bool, str]] = lambda _: (False, ",")
    #: What the user should know of the file; empty if nothing.
    notice: Callable[[BinaryIO], str] = lambda _: ""


#: Readers by the name of their format.
READERS = {
    "csv": _Reader(read_csv, csv_style),
    "jsonl": _Reader(read_json),
    "parquet": _Reader(parquet.read),
    "xlsx": _Reader(excel.read, notice=excel.notice),
    "hands": _Reader(history.read),
}
#: The most players that a deck has cards for, in any game.
_MOST_PLAYERS = max(game.max_players() for game in GAMES)
#: The most notes to carry through; rows of JSON may each bring others.
_MOST_COLUMNS = 10_000


def input_format(name: str, given: str | None) -> str:
    """The name of the reader of a file, by its ending, else as given.

    Raises ``BatchError`` if the ending is not known.
    """
    if given is None and Path(name).suffix.lower() in history.ENDINGS:
        return "hands"
    return format_of(name, given, "spots")


class Table(Spots):
    """The spots in a file, or on standard input if its name is ``-``.

    ``format_name`` is a name of :data:`READERS`, ``defaults`` are values for columns that are
    not filled in, and ``ignored`` columns to carry through as notes, see
    :class:`~equity.batching.columns.Names`.  ``notify`` is called with each notice on the
    table before anything is computed; among these, how many rows override the options that
    the user ``asked`` for.

    Raises ``BatchError`` if the table cannot be read.
    """

    place = "line"

    def __init__(
        self,
        name: str,
        format_name: str,
        defaults: Mapping[str, Any] | None = None,
        *,
        asked: Iterable[str] = (),
        ignored: str | None = None,
        notify: Callable[[str], None] | None = None,
    ) -> None:
        super().__init__()
        self.name = name
        self.defaults = defaults or {}
        self.asked = tuple(asked)
        self.notify = notify
        self._names = Names(ignored)
        self._reader = READERS[format_name]
        self._spool: BinaryIO | None = None
        try:
            if name != "-" and stat.S_ISREG(os.stat(name).st_mode):
                digest = self.inputs.watch(name)
            else:
                # Rows are read twice, but standard input and pipes only once.
                self._spool = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the table
                with nullcontext(sys.stdin.buffer) if name == "-" else open(name, "rb") as pipe:
                    digest = hash_stream(pipe, copy=self._spool).hexdigest()
        except OSError as error:
            raise BatchError(
                f"{ascii_text(name)} cannot be read: {error.strerror}", place="spots"
            ) from None
        with self._opened() as stream:
            self.csv_style = self._reader.csv_style(stream)
        self.identity = {
            "input": digest,
            "input format": format_name,
            "--ignore-columns": ignored,
        }

    @contextmanager
    def _opened(self) -> Iterator[BinaryIO]:
        """Open the table at its first byte."""
        if self._spool is not None:
            self._spool.seek(0)
            yield self._spool
            return
        with Path(self.name).open("rb") as file:
            yield file

    def rows(self) -> Generator[Row, None, None]:
        """Read the rows, from the first."""
        try:
            with self._opened() as stream, closing(self._reader.rows(stream, self._names)) as found:
                for number, row in enumerate(found):
                    yield Row(number, *row[1:])
        except (EquityError, OSError):
            # The file may have been changed while it was read.
            self.inputs.check(thoroughly=True)
            raise

    def survey(self) -> Survey:
        """Read all rows once, and send notices."""
        with closing(self.rows()) as rows:
            found = survey(rows, self.defaults, self.asked)
        self._names.check_used()
        if self.notify:
            with self._opened() as stream:
                of_file = self._reader.notice(stream)
            for notice in filter(None, (of_file, *found.notices)):
                self.notify(notice)
        return found

    def close(self) -> None:
        """Release the temporary file."""
        if self._spool is not None:
            self._spool.close()


def survey(rows: Iterable[Row], defaults: Mapping[str, Any], asked: Sequence[str] = ()) -> Survey:
    """Find what the run must know of the rows in advance.

    Raises ``ConflictError`` if a row and the options ask for different views.
    """
    count = players = 0
    kinds: dict[str, set[str]] = {"id": set()}
    orderings: set[str] = set()
    views: set[str] = set()
    aside: Counter[tuple[str, str]] = Counter()
    for row in rows:
        count += 1
        kinds["id"].add(_kind(row.values.get("id", row.line)))
        for name, value in row.carried.items():
            kinds.setdefault(name, set()).add(_kind(value))
        if row.carried and len(kinds) > _MOST_COLUMNS + 1:  # with the id
            raise BatchError(
                f"more than {_MOST_COLUMNS:,} columns to carry through",
                place="spots",
                hint="leave some out",
            )
        if isinstance(ordering := row.values.get("ordering"), str):
            orderings.add(ordering)
        if row.problem:
            continue
        try:
            view = view_of(row.values, defaults)
            views.add(view)
            for option in asked:
                if why := overridden(option, defaults[option], row.values, view):
                    aside[option, why] += 1
            players = max(players, len(players_of(row.values)))
        except ConflictError as error:
            place = f"spots, line {row.line}, {error.place}"
            raise ConflictError(error.problem, place=place, hint=error.hint) from None
        except EquityError:
            # This becomes the error of the row.
            continue
    return Survey(
        count,
        min(players, _MOST_PLAYERS),
        [Column(name, _common_kind(found - {""})) for name, found in kinds.items()],
        frozenset(orderings),
        views=frozenset(views),
        notices=tuple(
            f"--{option} is overridden in {spots_text(number, count)}: {why}"
            for (option, why), number in aside.items()
        ),
    )


def _kind(value: Any) -> str:
    """The kind of column that a value needs; empty if it is missing."""
    if isinstance(value, str):
        return "text"
    if value is None:
        return ""
    if isinstance(value, bool):
        return "truth"
    if isinstance(value, int):
        return "whole" if -(1 << 63) <= value < 1 << 63 else "text"
    return "number" if isinstance(value, float) else "text"


def _common_kind(kinds: set[str]) -> str:
    if kinds == {"whole", "number"}:
        return "number"
    return kinds.pop() if len(kinds) == 1 else "text"
