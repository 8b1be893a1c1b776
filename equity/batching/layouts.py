"""Layouts of an output: its columns, and the rows of an answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from math import ceil
from typing import Any

from equity.batching.columns import Column, selected
from equity.batching.errors import BatchError
from equity.batching.view import Line, View
from equity.batching.views import VIEWS

__all__ = ["LONG", "MATRIX", "WIDE", "cell_columns", "columns_of", "laid_out", "renamed", "rounded"]

#: The layout with a row per player; ``wide`` has a row per spot, and a matrix a cell.
LONG, WIDE, MATRIX = "long", "wide", "matrix"
#: The figure in the cells of a matrix.
CELL = "player1_equity"
#: Columns after those of the views.
_LAST = ("multiplicity", "by_combo", "plot", "notice", "error")


def _distinct(views: Iterable[View], what: Callable[[View], Iterable[Column]]) -> list[Column]:
    """The columns of several views, without duplicates."""
    return list({column.name: column for view in views for column in what(view)}.values())


def _sorted(names: Iterable[str]) -> list[View]:
    wanted = set(names)
    return [view for name, view in VIEWS.items() if name in wanted]


def columns_of(
    carried: Iterable[Column],
    layout: str,
    players: int,
    *,
    views: Iterable[str],
    flops: bool,
    by_combo: bool,
    plots: bool,
) -> list[Column]:
    """The columns of an output.

    ``carried`` are the column of ids and those that are carried through, ``players`` the
    number of players that have columns in the wide layout, and ``views`` those that rows ask
    for.  ``flops`` says that spots are canonical flops with a multiplicity; with ``by_combo``
    and ``plots`` a column names the files with results by combo, or pictures.
    """
    asked = _sorted(views)
    of_player = _distinct(asked, lambda view: view.player)
    if layout == LONG:
        of_players = [Column("player", "whole"), Column("range", "text"), *of_player]
    else:
        of_players = [
            Column(f"player{number}{name}", kind)
            for number in range(1, players + 1)
            for name, kind in [("", "text"), *((f"_{name}", kind) for name, kind in of_player)]
        ]
    return [
        *carried,
        *([Column("view", "text")] if set(views) != {"odds"} else []),
        *_distinct(asked, lambda view: view.spot),
        *([Column("multiplicity", "whole")] if flops else []),
        *of_players,
        *([Column("by_combo", "text")] if by_combo else []),
        *([Column("plot", "text")] if plots else []),
        Column("notice", "text"),
        Column("error", "text"),
    ]


def cell_columns(
    labels: Iterable[Column], columns: Sequence[Column], figure: str | None
) -> list[Column]:
    """The columns of a cell of a matrix: its labels and its figure.

    Raises ``BatchError`` unless ``figure`` is one of the columns.
    """
    chosen = selected(columns, figure or CELL)
    if len(chosen) > 1:
        raise BatchError(
            f"a cell of a matrix has one figure, not {len(chosen)}",
            place="columns",
            hint=f"give one, such as --columns {chosen[0].name}",
        )
    return [*labels, *chosen]


def renamed(carried: Iterable[str], views: Iterable[str] = ("odds",)) -> dict[str, str]:
    """The names in the output of columns that are carried through; clashes get a prefix.

    >>> renamed(["note", "player1_equity"])
    {'note': 'note', 'player1_equity': 'input_player1_equity'}
    """
    asked = _sorted(views)
    taken = {*_LAST, "view", "player", "range"}
    taken |= {column.name for view in asked for column in (*view.spot, *view.player)}
    names: dict[str, str] = {}
    used: set[str] = set()
    for name in carried:
        plain = name.strip().lower()
        new = name
        if plain in taken or re.fullmatch(r"player\d+(_\w+)?", plain):
            new = f"input_{name}"
        while new in used:
            new = f"input_{new}"
        used.add(new)
        names[name] = new
    return names


def laid_out(layout: str, common: Mapping[str, Any], lines: Iterable[Line]) -> list[dict[str, Any]]:
    """Lay out lines as rows, each with the common columns."""
    if layout == LONG:
        return [
            {**common, **line.spot, "player": number, "range": text, **values}
            for line in lines
            for number, (text, values) in enumerate(line.players, 1)
        ]
    rows = []
    for line in lines:
        row = {**common, **line.spot}
        for number, (text, values) in enumerate(line.players, 1):
            row[f"player{number}"] = text
            row.update(zip(_names_of(number, tuple(values)), values.values(), strict=True))
        rows.append(row)
    return rows


@cache
def _names_of(number: int, names: tuple[str, ...]) -> list[str]:
    """The columns of a player, cached because every row has the same."""
    return [f"player{number}_{name}" for name in names]


def rounded(line: Line, digits: int) -> Line:
    """Round a line to some decimals; standard errors are rounded up, so that none becomes 0."""
    players = [(text, _rounded("", values, digits)) for text, values in line.players]
    return Line(_rounded("", line.spot, digits), players)


def _rounded(name: str, value: Any, digits: int) -> Any:
    if isinstance(value, float):
        if name.endswith(("error", "errors")):
            return ceil(value * 10**digits) / 10**digits
        return round(value, digits) + 0.0
    if isinstance(value, Mapping):
        return {key: _rounded(key, more, digits) for key, more in value.items()}
    return [_rounded(name, one, digits) for one in value] if isinstance(value, list) else value
