"""Deals of hands and boards drawn one by one, and who wins them.

The sampler of :mod:`equity.engine.sampling` is much quicker, and tells sums alone; this is
for questions that ask more of each deal.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from equity.engine import planner
from equity.engine.sampling.proof import prove
from equity.engine.sampling.table import Table
from equity.engine.showdown import Values
from equity.rules.cards import DECK_SIZE
from equity.rules.games import BOARD_SIZE
from equity.spot import Spot

__all__ = ["Dealer", "cells", "completed"]

#: (deals, cards) uint8, and (deals,) bit masks of cards.
Cards = NDArray[np.uint8]
Masks = NDArray[np.int64]


class Dealer:
    """Deals hands for all players, and the known cards of the board.

    A deal is drawn as if no hand were in the way of another, by weight, and counts
    if none is: so all that counts comes up as often as it should.

    Raises
    ------
    EmptyRangeError, DealError
        There is no compatible deal.
    """

    def __init__(self, spot: Spot) -> None:
        self.hole = spot.game.hole
        self.players = len(spot.players)
        self.table = Table(planner.question(spot))
        prove(self.table)
        known = self.table.known
        self._boards = np.array([entry.board for entry in known], np.uint8)
        self._taken = np.array([entry.taken for entry in known], np.int64)
        self._weights = np.array([entry.weight for entry in known])

    def deal(self, random: np.random.Generator, tried: int) -> tuple[list[Cards], Cards, Masks]:
        """Those of so many deals that are possible.

        Returns
        -------
        For each player his hands, the known cards of the boards, and the cards that
        cannot come any more.
        """
        which = _drawn_by_weight(random, self._weights, tried)
        taken = self._taken[which]
        chosen: dict[int, NDArray[np.int64]] = {}
        for player, listed in zip(self.table.listed, self.table.lists, strict=True):
            mine = _drawn_by_weight(random, listed.weights, len(taken))
            free = np.flatnonzero(listed.masks[mine] & taken == 0)
            mine = mine[free]
            taken = taken[free] | listed.masks[mine]
            which = which[free]
            chosen = {other: hands[free] for other, hands in chosen.items()} | {player: mine}
        hands = [
            _from_deck(random, taken, self.hole)
            if player not in chosen
            else self.table.lists[self.table.listed.index(player)].cards[chosen[player]]
            for player in range(self.players)
        ]
        return hands, self._boards[which], taken


def completed(random: np.random.Generator, known: Cards, taken: Masks) -> Cards:
    """Boards with the cards that are to come, which are taken then."""
    return np.hstack([known, _from_deck(random, taken, BOARD_SIZE - known.shape[1])])


def _drawn_by_weight(
    random: np.random.Generator, weights: NDArray[np.int64], size: int
) -> NDArray[np.int64]:
    """Places in a list, each as often as its weight says."""
    if (weights == weights[0]).all():
        return random.integers(0, len(weights), size)
    ends = np.cumsum(weights)
    return np.searchsorted(ends, random.integers(0, ends[-1], size), side="right")


def _from_deck(
    random: np.random.Generator, taken: NDArray[np.int64], size: int
) -> NDArray[np.uint8]:
    """So many cards for each deal of those that are not taken, which they then are."""
    cards = np.zeros((len(taken), size), np.uint8)
    for column in range(size):
        rows = np.arange(len(taken))
        while len(rows):
            card = random.integers(0, DECK_SIZE, len(rows))
            bit = np.int64(1) << card
            free = taken[rows] & bit == 0
            cards[rows[free], column] = card[free]
            taken[rows[free]] |= bit[free]
            rows = rows[~free]
    return cards


def cells(values: Sequence[Values]) -> list[NDArray[np.int64]]:
    """For each player and deal the cell of a tally: sharers of the high and of the low."""
    players = len(values)
    high = np.stack([value.high for value in values])
    low = np.stack([value.low for value in values])
    best, lowest = high == high.max(axis=0), (low == low.max(axis=0)) & (low > 0)
    sharers = best * best.sum(axis=0)
    low_sharers = np.where(low.max(axis=0) > 0, lowest * lowest.sum(axis=0), players + 1)
    return list(sharers * (players + 2) + low_sharers)
