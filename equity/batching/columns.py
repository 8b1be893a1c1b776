"""The columns of a batch: what those of the input mean, and those of the output."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from equity.batching.errors import BatchError
from equity.cards import ascii_text

__all__ = [
    "LAYOUTS",
    "OPTIONS",
    "VIEWS",
    "Column",
    "carried_name",
    "columns_of",
    "meaning",
    "player_number",
    "selected",
]

#: Columns of the input that say how a spot is answered, options of ``equity odds``.
OPTIONS = ("exact", "trials", "error", "budget", "seed")
#: What a column of the input may be called, in any case and with spaces, and what it
#: stands for; ``player1`` and so on are beside these.
_MEANINGS = {
    name: name for name in ("id", "game", "board", "dead", "players", "ordering", *OPTIONS)
} | {"hands": "players", "hero": "player1", "villain": "player2"}
_PLAYER = re.compile(r"player([1-9]\d?)")
#: The first villain is the second player.
_VILLAIN = re.compile(r"villain([1-9]\d?)")


class Column(NamedTuple):
    """A column of the output."""

    name: str
    #: ``text``, ``truth``, ``whole`` (64 bits), ``big`` (any size) or ``number``.
    kind: str


class ViewColumns(NamedTuple):
    """The columns of a kind of answers: of a spot, and of each player in it."""

    spot: tuple[Column, ...]
    #: Behind the hand or range of the player.
    player: tuple[Column, ...]


_ODDS_OF_SPOT = (
    Column("game", "text"),
    Column("board", "text"),
    Column("dead", "text"),
    Column("method", "text"),
    Column("exact", "truth"),
    Column("deals", "big"),
    Column("weight", "big"),
    Column("no_low", "big"),
    Column("seed", "whole"),
)
_ODDS_OF_PLAYER = (
    Column("combos", "whole"),
    Column("live", "whole"),
    Column("equity", "number"),
    Column("equity_exact", "text"),
    Column("std_error", "number"),
    Column("high", "number"),
    Column("low", "number"),
    Column("scoop", "number"),
    Column("win", "number"),
    Column("tie", "number"),
    Column("orderings", "text"),
)


#: Kinds of answers by name.
VIEWS = {"odds": ViewColumns(_ODDS_OF_SPOT, _ODDS_OF_PLAYER)}


def _wide(view: ViewColumns, players: int) -> Iterable[Column]:
    for number in range(1, players + 1):
        yield Column(f"player{number}", "text")
        for name, kind in view.player:
            yield Column(f"player{number}_{name}", kind)


def _long(view: ViewColumns, _: int) -> Iterable[Column]:
    return (Column("player", "whole"), Column("range", "text"), *view.player)


#: Layouts by name, each with its columns of so many players.
LAYOUTS = {"wide": _wide, "long": _long}


@cache
def meaning(name: str) -> str | None:
    """What a column of the input stands for; None if it is carried through.

    >>> meaning("Hero"), meaning("Villain 2"), meaning("note")
    ('player1', 'player3', None)
    """
    plain = re.sub(r"[\s_-]", "", name).lower()
    if match := _PLAYER.fullmatch(plain):
        return plain
    if match := _VILLAIN.fullmatch(plain):
        return f"player{int(match[1]) + 1}"
    return _MEANINGS.get(plain)


@cache
def player_number(name: str) -> int:
    """The number in a meaning such as ``player3``, else 0."""
    match = _PLAYER.fullmatch(name)
    return int(match[1]) if match else 0


@cache
def carried_name(name: str) -> str:
    """What a column that is carried through is called in the output.

    >>> carried_name("note"), carried_name("player1_equity")
    ('note', 'input_player1_equity')
    """
    taken = {"multiplicity", "by_combo"} | {
        column.name
        for view in VIEWS.values()
        for layout in LAYOUTS.values()
        for column in (*view.spot, *layout(view, 0))
    }
    plain = name.strip().lower()
    is_taken = plain in taken or re.fullmatch(r"player\d+(_\w+)?", plain)
    return f"input_{name}" if is_taken else name


def columns_of(
    carried: Iterable[Column],
    layout: str,
    players: int,
    *,
    flops: bool = False,
    by_combo: bool = False,
    view: str = "odds",
) -> list[Column]:
    """The columns of an output.

    Parameters
    ----------
    carried:
        The column of the ids and those that are carried through.
    layout:
        A name of :data:`LAYOUTS`.
    players:
        So many have columns in the wide layout.
    flops:
        Whether spots stand for several, with a multiplicity.
    by_combo:
        Whether the results of combos are in files, which a column names.
    view:
        A name of :data:`VIEWS`.
    """
    return [
        *carried,
        *VIEWS[view].spot,
        *([Column("multiplicity", "whole")] if flops else []),
        *LAYOUTS[layout](VIEWS[view], players),
        *([Column("by_combo", "text")] if by_combo else []),
        Column("error", "text"),
    ]


def selected(columns: Sequence[Column], names: str | None) -> list[Column]:
    """The columns of a list such as ``id,board,player1_equity``, all for None.

    Raises
    ------
    BatchError
        There is no such column.
    """
    if names is None:
        return list(columns)
    known = {column.name: column for column in columns}
    wanted = dict.fromkeys(name.strip() for name in names.split(","))
    for name in wanted:
        if name not in known:
            raise BatchError(
                f"there is no column {ascii_text(name)}",
                place="columns",
                hint=f"there are {', '.join(known)}",
            )
    return [known[name] for name in wanted]
