"""Values by rank pattern and suit pattern, spread to arrays over all hands.

All hands with the same ranks stand together in a hand space, and the suits they can have
depend on where ranks repeat alone.  So what depends on the ranks of a hand is found once for
each ranks, what depends on which of its cards are of one suit once for each ranks and each
choice of cards, and both are spread over the hands at the end.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from equity.ranges.hands import hand_space
from equity.rules import tables
from equity.rules.cards import SUITS
from equity.rules.ranks import RANK_COUNT

__all__ = ["Layout", "layout"]

Scalar = TypeVar("Scalar", bound=np.generic)
_SUIT_COUNT = len(SUITS)


class Layout:
    """The ranks and suits of the hands of some number of cards.

    A choice of cards of a hand is a bit mask of their places, the highest card
    having bit 0.

    Attributes
    ----------
    space:
        The hands.
    pairs:
        (pairs, ranks) int64, the numbers of the pairs of ranks in each ranks.
    places:
        Per row of ``pairs``, the choice of these two cards.
    counts:
        (13, ranks) int8, how many cards of each rank.
    chosen:
        (4, 4 ** cards) uint8, by code of suits which cards are of a suit.
    choices:
        How many choices there are.
    sizes:
        (choices,) the cards of each.
    """

    def __init__(self, hole: int) -> None:
        self.space = hand_space(hole)
        ranks = self.space.ranks
        two = list(combinations(range(hole), 2))
        pair = tables.array("pair")
        self.pairs = np.array([pair[ranks[:, a], ranks[:, b]] for a, b in two], dtype=np.int64)
        self.places = [1 << a | 1 << b for a, b in two]
        self.counts = np.array(
            [np.count_nonzero(ranks == rank, axis=1) for rank in range(RANK_COUNT)], dtype=np.int8
        )
        codes = np.arange(_SUIT_COUNT**hole)
        self.chosen = np.zeros((_SUIT_COUNT, len(codes)), dtype=np.uint8)
        for place in reversed(range(hole)):
            self.chosen[codes % _SUIT_COUNT, np.arange(len(codes))] |= np.uint8(1 << place)
            codes //= _SUIT_COUNT
        self.choices = 1 << hole
        self.sizes = np.array([choice.bit_count() for choice in range(self.choices)])
        self._lengths = np.diff(self.space.starts)
        patterns = range(len(self.space.codes))
        self._where = [np.flatnonzero(self.space.pattern == pattern) for pattern in patterns]

    def best(self, lines: NDArray[Scalar]) -> NDArray[Scalar]:
        """(.., ranks) the most of (.., 91) ``lines`` over the pairs of each ranks."""
        out: NDArray[Scalar] = np.take(lines, self.pairs[0], axis=-1)
        for pairs in self.pairs[1:]:
            np.maximum(out, np.take(lines, pairs, axis=-1), out=out)
        return out

    def best_chosen(self, line: NDArray[Scalar]) -> NDArray[Scalar]:
        """(ranks, choices) the most of a line over the pairs within each choice."""
        out = np.zeros((self.choices, len(self.space.ranks)), dtype=line.dtype)
        for pairs, places in zip(self.pairs, self.places, strict=True):
            worth = line[pairs]
            for choice in range(self.choices):
                if choice & places == places:
                    np.maximum(out[choice], worth, out=out[choice])
        return np.ascontiguousarray(out.T)

    def holding(self, ranks: int) -> NDArray[np.bool_]:
        """(ranks, choices) whether a choice has a card of a rank in the mask ``ranks``."""
        inside = (1 << self.space.ranks.astype(np.int64)) & ranks != 0
        places = (inside * (1 << np.arange(self.space.cards))).sum(axis=1)
        out: NDArray[np.bool_] = places[:, np.newaxis] & np.arange(self.choices) != 0
        return out

    def repeat(self, rows: NDArray[Scalar]) -> NDArray[Scalar]:
        """(ranks,) spread over the hands."""
        return np.repeat(rows, self._lengths)

    def spread(self, table: NDArray[Scalar], kind: NDArray[np.integer]) -> NDArray[Scalar]:
        """(ranks, kinds) spread over the hands, by the (4 ** cards,) kinds of their suits."""
        rows: list[Any] = [None] * len(self.space.ranks)
        for where, codes in zip(self._where, self.space.codes, strict=True):
            block = table[where].take(kind[codes], axis=1)
            for at, row in zip(where.tolist(), block, strict=True):
                rows[at] = row
        return np.concatenate(rows)


@cache
def layout(hole: int) -> Layout:
    """The layout of hands of ``hole`` cards, made once."""
    return Layout(hole)
