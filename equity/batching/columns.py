"""The columns of a batch: what those of the input mean, and what one of the output is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from equity.batching.errors import BatchError
from equity.rules.cards import ascii_text

__all__ = [
    "ASKED",
    "KNOWN",
    "OPTIONS",
    "RIVALS",
    "STREETS",
    "Column",
    "meaning",
    "player_number",
    "selected",
]

#: Columns of the input that say how a spot is answered, options of ``equity odds``.
OPTIONS = ("exact", "trials", "error", "budget", "seed")
#: Columns that say what is asked of a spot, where it is not the split of its pot.
ASKED = ("view", "board2", "runs", "stacks", "pot", "rake", "cap", "call")
#: Options that a column of another name puts aside in its row.
RIVALS = {
    "exact": ("trials", "error"),
    "trials": ("exact",),
    "error": ("exact",),
    "board2": ("runs",),
    "runs": ("board2",),
}
_SPOT = ("id", "game", "board", "dead", "players", "ordering")
#: Columns that are the board together.
STREETS = ("flop", "turn", "river")
#: What a column of the input may be called, in any case and with spaces, and what it
#: stands for; ``player1`` and so on are beside these.
_MEANINGS = {name: name for name in (*_SPOT, *STREETS, *OPTIONS, *ASKED)} | {
    "hands": "players",
    "hero": "player1",
    "villain": "player2",
}
KNOWN = tuple(_MEANINGS)
_PLAYER = re.compile(r"player([1-9]\d?)")
#: The first villain is the second player.
_VILLAIN = re.compile(r"villain([1-9]\d?)")


class Column(NamedTuple):
    """A column of the output."""

    name: str
    #: ``text``, ``truth``, ``whole`` (64 bits), ``big`` (any size) or ``number``.
    kind: str


@lru_cache(maxsize=1024)
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


@lru_cache(maxsize=1024)
def player_number(name: str) -> int:
    """The number in a meaning such as ``player3``, else 0."""
    match = _PLAYER.fullmatch(name)
    return int(match[1]) if match else 0


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
