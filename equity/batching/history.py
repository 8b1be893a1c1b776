"""Hand histories as tables of spots: a row for each hand that counts by equity."""

from __future__ import annotations

from collections.abc import Generator
from typing import BinaryIO

from equity.batching.columns import Names
from equity.batching.errors import BatchError
from equity.batching.rows import Row
from equity.histories.hand import Unread
from equity.histories.reading import read_lines
from equity.histories.source import Source, lines_of
from equity.rules.cards import format_cards

__all__ = ["ENDINGS", "read"]

#: Endings of files of hands; their content tells the format.
ENDINGS = frozenset((".txt", ".json", ".ohh", ".phh", ".phhs"))


def _ignore(_: Unread) -> None:
    """Ignore what is not understood: ``equity hands`` reports it."""


def read(stream: BinaryIO, _: Names) -> Generator[Row, None, None]:
    """Yield a row for each hand in which betting ended with cards to come.

    The players are those who could still win, on the board then; hands on two boards are left
    out.  Notes are their names and the street.  Raises ``BatchError`` if there is no such hand.
    """
    is_empty = True
    for hand in read_lines(Source("spots", lines_of(stream), _ignore)):
        found = hand.all_in()
        if found is None or len(found.boards) > 1:
            continue
        values = {
            "id": hand.id,
            "game": found.game.name,
            "players": [format_cards(hand.players[at].cards) for at in hand.live],
            "board": format_cards(found.board) or "-",
        }
        if found.dead:
            values["dead"] = format_cards(found.dead)
        notes = {
            "names": "|".join(hand.players[at].name for at in hand.live),
            "street": found.street_name,
        }
        is_empty = False
        yield Row(0, hand.line, values, notes)
    if is_empty:
        raise BatchError("no hand counts by equity", place="spots", hint="'equity hands' tells why")
