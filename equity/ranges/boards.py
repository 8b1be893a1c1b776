"""Boards of three to five cards: what pairs of hole cards are worth on them, and what is possible.

Arrays have a row for each board.  What depends on the ranks of a board alone is found
once for all boards with the same ranks.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from equity.ranges import board_values
from equity.ranges.layout import layout
from equity.rules.cards import SUITS
from equity.rules.games import BOARD_SIZE, FLOP_SIZE
from equity.rules.ranks import RANK_COUNT, high_classes

__all__ = ["Boards", "Possible", "rank_counts"]

Mask = NDArray[np.bool_]
Values = NDArray[np.uint16]

#: Cards of a suit on the board that make a flush possible, and a draw to one.
_FLUSH_CARDS = 3
_DRAW_CARDS = 2
#: Bits of all ranks.
_ANY_RANK = (1 << RANK_COUNT) - 1


class Possible(NamedTuple):
    """Values of every two cards that are not on a board, each at least once.

    Attributes
    ----------
    highs:
        (boards, n) uint16; 0 where there are no such two cards.
    tops:
        (n,) uint8, the rank of the higher of the two.
    """

    highs: Values
    tops: NDArray[np.uint8]


class Boards:
    """Boards of one size.

    Parameters
    ----------
    cards:
        (n, 3 to 5) distinct card ids in each row.

    Attributes
    ----------
    which:
        (n,) for each board the row of its ranks in arrays by different ranks.
    counts:
        (n, 13) int8, how many cards of each rank.
    suited:
        (n, 4) int64, bit masks of the ranks of each suit.
    """

    def __init__(self, cards: NDArray[np.integer]) -> None:
        self.cards = cards
        self.size = cards.shape[1]
        self.is_river = self.size == BOARD_SIZE
        ranks, suits = np.sort(cards.astype(np.int64) // 4, axis=1), cards % 4
        bits = np.int64(1) << cards.astype(np.int64) // 4
        self.suited = np.stack(
            [np.where(suits == suit, bits, 0).sum(axis=1) for suit in range(len(SUITS))], axis=1
        )
        self.counts = rank_counts(ranks)
        code = ranks @ (RANK_COUNT ** np.arange(self.size))
        _, first, self.which = np.unique(code, return_index=True, return_inverse=True)
        #: (different, cards) sorted.
        self.ranks = ranks[first]
        numbers = np.stack([np.count_nonzero(suits == suit, axis=1) for suit in range(len(SUITS))])
        #: (n,) the suit in which the board has three cards, or -1.
        self.flush_suit = np.where(
            numbers.max(axis=0) >= _FLUSH_CARDS, numbers.argmax(axis=0), -1
        ).astype(np.int64)
        #: (n, 4) suits in which a card more makes a flush possible, two cards more.
        self.draw_suits = (numbers == _DRAW_CARDS).T & (not self.is_river)
        self.backdoor_suits = (numbers == 1).T & (self.size == FLOP_SIZE)

    def __len__(self) -> int:
        return len(self.cards)

    @cached_property
    def missing_tops(self) -> NDArray[np.int64]:
        """(n, 4) the highest rank of each suit that the board does not have."""
        missing = _ANY_RANK & ~self.suited
        tops: NDArray[np.int64] = np.frexp(missing.astype(np.float64))[1].astype(np.int64) - 1
        return tops

    @cached_property
    def highs(self) -> Values:
        """(different, 91) what pairs of ranks are worth, suits aside."""
        return board_values.high_lines(self.ranks)

    @cached_property
    def lows(self) -> NDArray[np.uint8]:
        """(different, 91) the lows of pairs of ranks."""
        return board_values.low_lines(self.ranks)

    @cached_property
    def next_straights(self) -> NDArray[np.uint8]:
        """(different, 13, 91) the straights of pairs of ranks after a card of each rank."""
        return board_values.next_straights(self.ranks)

    @cached_property
    def next_lows(self) -> NDArray[np.uint8]:
        """(different, 13, 91) the lows of pairs of ranks after a card of each rank."""
        return board_values.next_lows(self.ranks)

    @cached_property
    def flush_masks(self) -> NDArray[np.int64]:
        """(n,) the ranks that the board has in the suit of a flush, 0 if none is possible."""
        inside: NDArray[np.int64] = np.take_along_axis(
            self.suited, np.maximum(self.flush_suit, 0)[:, np.newaxis], axis=1
        )[:, 0]
        inside[self.flush_suit < 0] = 0
        return inside

    @cached_property
    def possible(self) -> Possible:
        """What any two cards that are not on the board are worth.

        Without a flush that is a matter of ranks, and any two ranks occur in two suits.
        """
        lower, higher = _PAIR_RANKS
        need = 1 + (lower == higher)
        left = len(SUITS) - self.counts
        there = (left[:, lower] >= need) & (left[:, higher] >= need)
        plain = np.where(there, self.highs[self.which], 0)
        flush = np.zeros_like(plain)
        has = self.flush_suit >= 0
        flush[has] = board_values.flush_lines(self.flush_masks[has])
        flush = np.where(flush > 0, np.maximum(flush, plain), 0)
        tops = higher.astype(np.uint8)
        return Possible(np.concatenate([plain, flush], axis=1), np.concatenate([tops, tops]))

    @cached_property
    def best_lows(self) -> NDArray[np.uint8]:
        """(n,) the best low of any two cards that are not on the board, 0 for none."""
        # A low takes five ranks, so a rank that the hole cards need is never all on the board.
        best: NDArray[np.uint8] = self.lows.max(axis=1)[self.which]
        return best

    def reachable(self, hole: int) -> Mask:
        """(n, 7463) by high, whether some hand of ``hole`` cards off the board has it."""
        found = np.zeros((len(self), len(high_classes()) + 1), dtype=np.bool_)
        of = layout(hole)
        held = of.counts
        order = np.argsort(self.which, kind="stable")
        bounds = np.searchsorted(self.which[order], np.arange(len(self.ranks) + 1))
        for at, line in enumerate(self.highs):
            rows = of.best(line)
            same = order[bounds[at] : bounds[at + 1]]
            counts = self.counts[same[0]]
            dealt = np.all(held + counts[:, np.newaxis] <= len(SUITS), axis=0)
            found[same[:, np.newaxis], np.unique(rows[dealt])] = True
            for board in same[self.flush_suit[same] >= 0]:
                # Hands without a flush have at most one card of the suit.
                inside = self.flush_masks[board] >> np.arange(RANK_COUNT) & 1
                others = len(SUITS) - 1 - (counts - inside)
                forced = np.maximum(held - others[:, np.newaxis], 0).sum(axis=0)
                found[board] = False
                found[board, rows[dealt & (forced <= 1)]] = True
                # Any two of the suit go with others that make nothing better.
                found[board, self._flushes(board)] = True
        found[:, 0] = False
        return found

    def _flushes(self, board: int) -> Values:
        line: Values = board_values.flush_lines(self.flush_masks[board : board + 1])[0]
        return line


def rank_counts(ranks: NDArray[np.integer]) -> NDArray[np.int8]:
    """(n, 13) how many of each rank are in (n, cards) ``ranks``."""
    counts = np.zeros((len(ranks), RANK_COUNT), dtype=np.int8)
    for column in ranks.T:
        counts[np.arange(len(ranks)), column] += 1
    return counts


def _ranks_of_pairs() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(91,) the lower and the higher rank of each pair."""
    masks = board_values.PAIR_MASKS
    lower = np.frexp((masks & -masks).astype(np.float64))[1] - 1
    higher = np.frexp(masks.astype(np.float64))[1] - 1
    return lower.astype(np.int64), higher.astype(np.int64)


_PAIR_RANKS = _ranks_of_pairs()
