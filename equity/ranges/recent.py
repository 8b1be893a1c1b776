"""An LRU cache of ranges that were read from text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from equity.errors import EquityError
from equity.ranges.syntax import parse
from equity.rules.cards import check_distinct
from equity.rules.games import Game

if TYPE_CHECKING:
    from pathlib import Path

    from equity.ranges.orderings import Ordering
    from equity.ranges.range import Range

__all__ = ["read_range"]

#: At most so many ranges are kept, with so many hands together.
MOST = 256
MOST_HANDS = 1 << 21
#: The last one is the most recent.
_recent: dict[tuple[str, Game, Ordering | None], Range] = {}


def read_range(
    text: str,
    game: Game,
    *,
    place: str = "",
    board: Sequence[int] = (),
    dead: Sequence[int] = (),
    ordering: str | Path | Ordering | None = None,
) -> Range:
    """The range of a text, as :class:`Range` reads it, from the cache."""
    try:
        chosen = None
        if ordering is not None:
            from equity.ranges.orderings import select_ordering

            chosen = select_ordering(ordering, game)
        if len({*board, *dead}) < len(board) + len(dead):
            check_distinct([("board", board), ("dead cards", dead)])
    except EquityError:
        parse(text, game, place=place)  # its errors come first
        raise
    key = (text, game, chosen)
    if (found := _recent.pop(key, None)) is not None:
        _recent[key] = found
        return found
    tree = parse(text, game, place=place)
    # Only now: a slip in the text does not wait for numpy.
    from equity.ranges.range import Range

    made = Range.of_tree(tree, game, place=place, board=board, dead=dead, ordering=chosen)
    if made.known is None:
        _recent[key] = made
        # Every step is atomic, so threads need no lock; at worst a text is read again.
        hands = 0
        for number, (old, kept) in enumerate(reversed([*_recent.items()])):
            hands += len(kept)
            if number >= MOST or hands > MOST_HANDS:
                _recent.pop(old, None)
    return made
