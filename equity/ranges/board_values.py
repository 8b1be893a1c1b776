"""Values of every pair of hole cards on boards of three to five cards.

A line has an entry for each of the 91 pairs of ranks, in the order of the
numbers that :mod:`equity.rules.tables` gives them.  Functions take the ranks of
many boards, (n, 3 to 5), in any order, and return lines for each.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from equity.rules import tables
from equity.rules.games import BOARD_SIZE
from equity.rules.ranks import RANK_COUNT, high_classes

__all__ = [
    "PAIR_MASKS",
    "flush_lines",
    "high_lines",
    "low_lines",
    "mask_of_ranks",
    "masks_of_ranks",
    "next_lows",
    "next_straights",
]

Values = NDArray[np.uint16]
Small = NDArray[np.uint8]
Ranks = NDArray[np.integer]

#: The pairs of ranks in the order of their numbers.
_PAIRS = sorted(combinations_with_replacement(range(RANK_COUNT), 2), key=tables.multiset_number)
#: A rank that is in no low; a board is filled up with it where only lows matter.
_NO_LOW = 7
#: How often a high has each of its ranks, in their order.
_TIMES = ((1, 1, 1, 1, 1), (2, 1, 1, 1), (2, 2, 1), (3, 1, 1), (1, 1, 1, 1, 1), (), (3, 2), (4, 1))


def mask_of_ranks(ranks: tuple[int, ...]) -> int:
    """Ranks as a bit mask."""
    return sum(1 << rank for rank in set(ranks))


def masks_of_ranks(ranks: Ranks) -> NDArray[np.int64]:
    """(n,) the rows of ranks as bit masks."""
    found: NDArray[np.int64] = np.bitwise_or.reduce(1 << ranks.astype(np.int64), axis=-1)
    return found


#: (91,) the pairs of ranks as bit masks.
PAIR_MASKS = masks_of_ranks(np.array(_PAIRS))


def high_lines(ranks: Ranks) -> Values:
    """(n, 91) the best high with three of a board's ranks, suits aside.

    0 where that takes five of a rank.
    """
    if ranks.shape[1] == BOARD_SIZE:
        full: Values = tables.array("high").T[_numbers(ranks)].astype(np.uint16)
        return full
    triple, board = tables.array("triple"), tables.array("board")
    lines = np.zeros((len(ranks), tables.PAIRS), dtype=np.uint16)
    for three in combinations(range(ranks.shape[1]), 3):
        rows = board[triple[tuple(ranks[:, at] for at in three)]]
        np.maximum(lines, _values_of_five()[rows], out=lines)
    return lines


@cache
def _values_of_five() -> Values:
    """By multiset of five ranks, what they are worth, suits aside; 0 for five of a rank."""
    values = np.zeros(tables.MULTISETS, dtype=np.uint16)
    highs = high_classes()
    for category, times in enumerate(_TIMES):
        if times:
            inside = [at for at, high in enumerate(highs) if high.category == category]
            ranks = np.repeat(np.array([highs[at].ranks for at in inside]), times, axis=1)
            values[_numbers(ranks)] = np.array(inside) + 1
    return values


def _numbers(ranks: Ranks) -> NDArray[np.integer]:
    """The numbers of multisets of five ranks, (.., 5)."""
    one, two, three, four, five = np.moveaxis(ranks, -1, 0)
    number: NDArray[np.integer] = tables.array("board")[
        tables.array("triple")[one, two, three], tables.array("pair")[four, five]
    ]
    return number


def flush_lines(masks: NDArray[np.integer]) -> Values:
    """(n, 91) the best flush of two hole cards of the suit in which boards have the ranks.

    ``masks`` have three to five ranks.  0 where the two are of one rank, or of a rank that
    the board has.
    """
    found: Values = tables.array("flush").T[tables.array("suited_mask")[masks]].astype(np.uint16)
    return found


def low_lines(ranks: Ranks) -> Small:
    """(.., 91) the best low with three of a board's ranks (.., 3 to 5), 0 for none."""
    missing = BOARD_SIZE - ranks.shape[-1]
    filler = np.full((*ranks.shape[:-1], missing), _NO_LOW, dtype=ranks.dtype)
    low_set = tables.array("low_set")[_numbers(np.concatenate([ranks, filler], axis=-1))]
    found: Small = tables.array("low").T[low_set].astype(np.uint8)
    return found


def _with_next(ranks: Ranks) -> Ranks:
    """(n, 13, cards + 1) boards after a card of each rank has come."""
    n, cards = ranks.shape
    after = np.empty((n, RANK_COUNT, cards + 1), dtype=np.int64)
    after[:, :, :cards] = ranks[:, np.newaxis]
    after[:, :, cards] = np.arange(RANK_COUNT)
    return after


def next_lows(ranks: Ranks) -> Small:
    """(n, 13, 91) the best low after a card of each rank has come."""
    return low_lines(_with_next(ranks))


def next_straights(ranks: Ranks) -> Small:
    """(n, 13, 91) the best straight after a card of each rank has come.

    Straights are numbered from 1, the five high one, to 10; 0 is none.
    """
    boards, which = np.unique(masks_of_ranks(_with_next(ranks)), return_inverse=True)
    straights = tables.array("straight").astype(np.int64)[:, np.newaxis]
    levels = np.arange(len(straights), 0, -1, dtype=np.uint8)
    fits = np.array([low != high for low, high in _PAIRS]) & ((PAIR_MASKS & ~straights) == 0)
    found = np.zeros((len(boards), tables.PAIRS), dtype=np.uint8)
    for level, straight, fit in zip(levels[::-1], straights[::-1], fits[::-1], strict=True):
        # The weakest first, so that a better one takes its place.
        missing = straight & ~PAIR_MASKS[fit] & ~boards[:, np.newaxis]
        found[:, fit] = np.where(missing == 0, level, found[:, fit])
    return found[which.reshape(len(ranks), RANK_COUNT)]
