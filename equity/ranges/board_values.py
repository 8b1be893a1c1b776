"""Values of every pair of hole cards on a board of three to five cards.

A line has an entry for each of the 91 pairs of ranks, in the order of the
numbers that :mod:`equity.rules.tables` gives them.  The lines of a full board are
columns of the tables; those of a shorter board are made here.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from equity.rules import tables
from equity.rules.games import BOARD_SIZE
from equity.rules.ranks import RANK_COUNT, high_of_ranks, high_value

__all__ = [
    "Possible",
    "flush_line",
    "high_line",
    "low_line",
    "mask_of_ranks",
    "next_lows",
    "next_straights",
    "possible_hands",
]

Values = NDArray[np.uint16]
Small = NDArray[np.uint8]

#: The pairs of ranks in the order of their numbers.
_PAIRS = sorted(combinations_with_replacement(range(RANK_COUNT), 2), key=tables.multiset_number)
#: A rank that is in no low; a board is filled up with it where only lows matter.
_NO_LOW = 7
_ALIKE = 4


def mask_of_ranks(ranks: tuple[int, ...]) -> int:
    """Ranks as a bit mask."""
    return sum(1 << rank for rank in set(ranks))


@cache
def high_line(ranks: tuple[int, ...]) -> Values:
    """(91,) the best high with three of the board's ``ranks``, suits aside.

    0 where that takes five of a rank; ``ranks`` are sorted.
    """
    if len(ranks) == BOARD_SIZE:
        column = tables.array("high")[:, tables.multiset_number(ranks)]
        return column.astype(np.uint16)
    line = np.zeros(tables.PAIRS, dtype=np.uint16)
    for three in set(combinations(ranks, 3)):
        for at, pair in enumerate(_PAIRS):
            five = pair + three
            if max(map(five.count, five)) <= _ALIKE:
                line[at] = max(line[at], high_value(high_of_ranks(five, suited=False)))
    return line


def flush_line(ranks: tuple[int, ...]) -> Values:
    """(91,) the best flush of two hole cards of the suit in which the board has ``ranks``.

    0 where the two are of one rank, or of a rank that the board has.
    """
    mask = tables.array("suited_mask")[mask_of_ranks(ranks)]
    return tables.array("flush")[:, int(mask)].astype(np.uint16)


def low_line(ranks: tuple[int, ...]) -> Small:
    """(91,) the best low with three of the board's ``ranks``, 0 for none."""
    full = (*ranks, *(_NO_LOW,) * (BOARD_SIZE - len(ranks)))
    low_set = tables.array("low_set")[tables.multiset_number(full)]
    return tables.array("low")[:, int(low_set)].astype(np.uint8)


def next_lows(ranks: tuple[int, ...]) -> Small:
    """(13, 91) the best low after a card of each rank has come."""
    return np.stack([low_line((*ranks, rank)) for rank in range(RANK_COUNT)])


def next_straights(ranks: tuple[int, ...]) -> Small:
    """(13, 91) the best straight after a card of each rank has come.

    Straights are numbered from 1, the five high one, to 10; 0 is none.
    """
    straights = tables.array("straight").astype(np.int64)[:, np.newaxis]
    levels = np.arange(len(straights), 0, -1, dtype=np.uint8)
    pairs = np.array([mask_of_ranks(pair) for pair in _PAIRS])
    boards = mask_of_ranks(ranks) | 1 << np.arange(RANK_COUNT)
    fits = np.array([low != high for low, high in _PAIRS]) & ((pairs & ~straights) == 0)
    missing = straights & ~pairs & ~boards[:, np.newaxis, np.newaxis]
    made = fits & (missing == 0)
    found: Small = (made * levels[:, np.newaxis]).max(axis=1)
    return found


class Possible(NamedTuple):
    """Values of every two cards that are not on a board."""

    highs: Values
    #: The rank of the higher of the two.
    tops: Small


def possible_hands(board: tuple[int, ...], line: Values, flushes: dict[int, Values]) -> Possible:
    """Compute the values of every two cards that are not on the board.

    Parameters
    ----------
    board:
        Card ids.
    line:
        What pairs of ranks are worth, suits aside.
    flushes:
        By suit, what they are worth in it if the board allows a flush.
    """
    deck = np.array([card for card in range(52) if card not in board])
    first, second = (deck[at] for at in np.triu_indices(len(deck), 1))
    pairs = tables.array("pair")[first // 4, second // 4].astype(np.int64)
    highs = line[pairs]
    for suit, flush in flushes.items():
        suited = (first % 4 == suit) & (second % 4 == suit)
        highs = np.maximum(highs, flush[pairs] * suited)
    return Possible(highs, (second // 4).astype(np.uint8))
