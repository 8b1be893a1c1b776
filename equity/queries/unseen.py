"""How many hands of an unseen player go with the cards of a deal."""

from __future__ import annotations

from functools import reduce
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from equity.engine.sampling.question import HandList
from equity.ranges.hands import sets_below
from equity.rules.cards import DECK_SIZE

__all__ = ["Unseen", "unseen_cost"]

#: The most entries of tables, and operations to fill them.
_MOST_ENTRIES = 30_000_000
_MOST_WORK = 200_000_000


def unseen_cost(hands: HandList, hole: int, cards: int) -> int | None:
    """Nanoseconds for a deal of so many other cards; None if the tables would be too large."""
    largest = min(hole, cards)
    if comb(DECK_SIZE, largest) > _MOST_ENTRIES or len(hands) << hole > _MOST_WORK:
        return None
    return 10 * sum(comb(cards, size) for size in range(1, largest + 1))


class Unseen:
    """Hands with their weights, counted by the sets of cards that they hold.

    The hands that hold none of some cards are all hands, less those that hold one of them,
    plus those that hold two, and so on.

    Parameters
    ----------
    hands:
        The hands that a player may have; those with cards known to be elsewhere left out.
    cards:
        How many other cards a deal has.
    """

    def __init__(self, hands: HandList, weights: NDArray[np.int64], cards: int) -> None:
        self.total = int(weights.sum())
        ascending = np.sort(hands.cards, axis=1).astype(np.int64)
        below = sets_below()
        hole = ascending.shape[1]
        #: By size, the weight of the hands that hold each set of so many cards.
        self._tables = []
        for size in range(1, min(hole, cards) + 1):
            table = np.zeros(comb(DECK_SIZE, size), np.int64)
            for places in combinations(range(hole), size):
                numbers = reduce(
                    np.add, (below[at][ascending[:, place]] for at, place in enumerate(places, 1))
                )
                np.add.at(table, numbers, weights)
            self._tables.append(table)

    def count(self, cards: NDArray[np.uint8]) -> NDArray[np.int64]:
        """The weight of the hands that hold none of the cards of each row, (n,)."""
        columns = np.sort(cards, axis=1).T.astype(np.int64)
        below = sets_below()
        found = np.full(len(cards), self.total, np.int64)

        def add(first: int, size: int, number: NDArray[np.int64] | int) -> None:
            """Add all sets that begin with the cards of ``number``."""
            if size == len(self._tables):
                return
            for at in range(first, len(columns)):
                more = number + below[size + 1][columns[at]]
                if size % 2:
                    found[:] += self._tables[size][more]
                else:
                    found[:] -= self._tables[size][more]
                add(at + 1, size + 1, more)

        add(0, 0, 0)
        return found
