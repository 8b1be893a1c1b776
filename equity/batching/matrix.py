"""Matrices: a cross product of two lists as a table with a row and a column for each entry.

A record is a cell: the labels of its row and its column, that of its board if there are
several, and its figure.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from equity.batching.columns import Column
from equity.batching.formats import EXACT, Dialect, Format

__all__ = ["read_back", "write"]

#: The heading of the labels of rows, and of boards.
FIRST, BOARD = "player1", "board"
#: Reads what CSV has of a value of some kind; the others stay text.
_READERS: dict[str, Callable[[str], Any]] = {
    "number": float,
    "whole": int,
    "big": int,
    "truth": lambda text: text == "true",
}
#: Makes a format of columns.
Maker = Callable[[Sequence[Column]], Format]


def write(columns: Sequence[Column], records: Iterable[Any], path: Path, maker: Maker) -> None:
    """Write cells as a matrix; cells that fill none, as those of a part, as a list of cells.

    ``columns`` are those of a cell: row, column, perhaps the board, and the figure.  Cells come
    in the order of rows, then columns, then boards.
    """
    names = [column.name for column in columns]
    cells: dict[tuple[str, ...], Any] = {}
    table = maker(columns)
    for record in records:
        *place, value = [record[name] for name in names]
        cells[tuple(place)] = value
    places = [()] * (len(names) - 1) if not cells else zip(*cells, strict=True)
    rows, others, *boards = (list(dict.fromkeys(labels)) for labels in places)
    made = [Column(BOARD, "text")] * len(boards) + [Column(FIRST, "text")]
    wanted = len(rows) * len(others) * (len(boards[0]) if boards else 1)
    if not cells or len(cells) < wanted:
        lines = (dict(zip(names, (*place, value), strict=True)) for place, value in cells.items())
    else:
        kind = columns[-1].kind
        table = maker([*made, *(Column(other, kind) for other in others)])
        lines = (
            dict(zip(table.names, (*on, row), strict=False))
            | {other: cells[row, other, *on] for other in others}
            for on in ([(board,) for board in boards[0]] if boards else [()])
            for row in rows
        )
    if columns[-1].name.endswith(EXACT):
        table.mark_fractions()
    table.write((record for line in lines for record in table.parse(table.lines([line]))), path)


def read_back(columns: Sequence[Column], path: Path, maker: Maker) -> Iterator[dict[str, Any]]:
    """Read the cells of a matrix that :func:`write` has written, in their order."""
    names = [column.name for column in columns]
    lines = list(_lines(maker(()), path, columns[-1].kind))
    if not lines or list(lines[0]) == names:
        yield from lines
        return
    cells: dict[tuple[str, ...], Any] = {}
    for line in lines:
        on = (line.pop(BOARD),) if BOARD in line else ()
        row = line.pop(FIRST)
        cells |= {(row, other, *on): value for other, value in line.items()}
    # Boards come first in the file, and last among cells.
    rows, others, *boards = (list(dict.fromkeys(labels)) for labels in zip(*cells, strict=True))
    for row in rows:
        for other in others:
            for on in [(board,) for board in boards[0]] if boards else [()]:
                place = (row, other, *on)
                yield dict(zip(names, (*place, cells[place]), strict=True))


def _lines(table: Format, path: Path, kind: str) -> Iterator[dict[str, Any]]:
    """The lines of a file of some format, as values by heading."""
    if table.at_end:
        yield from table.read(path)
    elif (dialect := getattr(table, "dialect", None)) is None:
        with path.open(encoding="ascii") as file:
            yield from map(json.loads, file)
    else:
        yield from _csv_lines(path, dialect, kind)


def _csv_lines(path: Path, dialect: Dialect, kind: str) -> Iterator[dict[str, Any]]:
    reader = _READERS.get(kind, str)
    with path.open(encoding="utf-8-sig", newline="") as file:
        names, *lines = csv.reader(file, delimiter=dialect.delimiter)
    labels = 2 if names[0] == BOARD else 1
    if names[0] != BOARD and names[0] != FIRST:
        labels = len(names) - 1
    for line in lines:
        values: list[Any] = line[:labels]
        for text in line[labels:]:
            plain = text[2:-1] if text.startswith('="') else text
            if kind == "number":
                plain = plain.replace(dialect.decimal, ".")
            values.append(reader(plain) if plain else None)
        yield dict(zip(names, values, strict=True))
