"""Deals of hands and boards drawn one by one, and who wins them.

The sampler of :mod:`equity.engine.sampling` is much faster, but returns aggregates only;
this one is for questions about single deals.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from equity.engine.sampling.proof import none_found, prove
from equity.engine.sampling.question import question
from equity.engine.sampling.table import Table
from equity.engine.showdown import Values
from equity.rules.cards import DECK_SIZE
from equity.rules.games import BOARD_SIZE
from equity.spot import Spot

__all__ = ["TRIED", "Dealer", "cells", "check_tried", "completed", "random_of"]

#: Deals that a chunk tries; in few of them may hands share no card.
TRIED = 1 << 16
#: After so many tries without a compatible deal a sample gives up.
MOST_TRIED = 1 << 27

#: (deals, cards) uint8, and (deals,) bit masks of cards.
Cards = NDArray[np.uint8]
Masks = NDArray[np.int64]


class Dealer:
    """Deals hands to all players, and the known cards of the board, by rejection.

    Hands are drawn by weight, independently of each other, and deals in which two share a
    card are rejected: so every compatible deal has its right probability.

    Raises
    ------
    EmptyRangeError, DealError
        There is no compatible deal.
    """

    def __init__(self, spot: Spot) -> None:
        self.hole = spot.game.hole
        self.players = len(spot.players)
        self.table = Table(question(spot))
        prove(self.table)
        known = self.table.known
        self._boards = np.array([entry.board for entry in known], np.uint8)
        self._taken = np.array([entry.taken for entry in known], np.int64)
        self._weights = np.array([entry.weight for entry in known])

    def deal(self, random: np.random.Generator, tried: int) -> tuple[list[Cards], Cards, Masks]:
        """Draw ``tried`` deals and return the compatible ones.

        Returns
        -------
        The hands of each player, the known cards of the boards, and masks of all cards
        dealt or dead.
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


def random_of(stream: str) -> np.random.Generator:
    """The random numbers of a named stream, the same on every machine."""
    digest = hashlib.blake2b(stream.encode(), digest_size=16).digest()
    return np.random.default_rng(int.from_bytes(digest, "little"))


def check_tried(chunks: int) -> None:
    """Raise an error if ``chunks`` chunks without a deal are enough to give up."""
    if chunks * TRIED >= MOST_TRIED:
        raise none_found()


def completed(random: np.random.Generator, known: Cards, taken: Masks) -> Cards:
    """Complete boards; the cards that come are added to ``taken``."""
    return np.hstack([known, _from_deck(random, taken, BOARD_SIZE - known.shape[1])])


def _drawn_by_weight(
    random: np.random.Generator, weights: NDArray[np.int64], size: int
) -> NDArray[np.int64]:
    """Random indices of a list, with probabilities proportional to the weights."""
    if (weights == weights[0]).all():
        return random.integers(0, len(weights), size)
    ends = np.cumsum(weights)
    return np.searchsorted(ends, random.integers(0, ends[-1], size), side="right")


def _from_deck(
    random: np.random.Generator, taken: NDArray[np.int64], size: int
) -> NDArray[np.uint8]:
    """``size`` random cards for each deal that are not in ``taken``, and are added to it."""
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
    """The cell of a tally of each player and deal: sharers of the high and of the low."""
    players = len(values)
    high = np.stack([value.high for value in values])
    low = np.stack([value.low for value in values])
    best, lowest = high == high.max(axis=0), (low == low.max(axis=0)) & (low > 0)
    sharers = best * best.sum(axis=0)
    low_sharers = np.where(low.max(axis=0) > 0, lowest * lowest.sum(axis=0), players + 1)
    return list(sharers * (players + 2) + low_sharers)
