"""Monte Carlo equities of every combo of two ranges, from sweeps of random boards.

A sweep has the exact results of all combos on its board, so boards alone are sampled, and a
few thousand of them tell the equity of a hundred thousand combos.  Combos that a suit
permutation of the spot maps to each other are pooled.
"""

from __future__ import annotations

from math import comb

import numpy as np
from numpy.typing import NDArray

from equity.engine.deal_sampler import random_of
from equity.engine.executor import in_order, pool
from equity.engine.sweeping.deal import LOWS, PLAYERS, RESULTS, Deal
from equity.engine.sweeping.sweep import Sweep, SweepSums
from equity.engine.sweeping.symmetry import orbits
from equity.results.tally import POT, cells_of
from equity.rules.cards import DECK_SIZE
from equity.rules.games import BOARD_SIZE

__all__ = ["GROUPS", "ComboSample", "pooled_errors"]

#: Boards are added up in so many groups, from whose differences errors follow.
GROUPS = 20
#: Boards of a chunk.
CHUNK = 8


class ComboSample:
    """Results of each combo on random boards.

    Parameters
    ----------
    deal:
        The ranges and the known cards; weights must not be split into parts.
    seed:
        Seed of the random numbers.

    Attributes
    ----------
    boards:
        Number of boards swept.
    cells:
        (2, hands, 3, 4) int64: by side, weights of opposing hands by result of the high
        (lost, won, shared) and of the low (lost, won, shared, no low).
    won, met:
        (groups, 2, classes) float64: what the combos of a class win of all pots, in units of
        1 / POT, and the number of these pots, for each group of boards.
    classes:
        (hands,) the class of each hand: its orbit under the suit permutations of the spot.
    """

    def __init__(self, deal: Deal, seed: int) -> None:
        self.plan = Sweep(deal)
        self.deal = self.plan.deal
        self.seed = seed
        self.boards = 0
        hands = len(self.deal.held)
        orbit = orbits(self.deal.held, self.deal.group)
        self._canonical, self.classes = np.unique(orbit, return_inverse=True)
        self._lows = LOWS if deal.game.low else 1
        self.cells = np.zeros((PLAYERS, hands, RESULTS, self._lows), np.int64)
        self.won = np.zeros((GROUPS, PLAYERS, len(self._canonical)))
        self.met = np.zeros_like(self.won)
        self._parts = np.array([cell.part for cell in cells_of(PLAYERS)], float)
        gone = {*deal.board, *deal.dead}
        self._free = np.array([card for card in range(DECK_SIZE) if card not in gone], np.uint8)

    @property
    def all_boards(self) -> int:
        """How many complete boards there are."""
        return comb(len(self._free), BOARD_SIZE - len(self.deal.board))

    def draw(self, chunks: int, threads: int) -> None:
        """Sweep ``chunks`` chunks of random boards, in addition to those before."""
        self.plan.prepare()
        # Memory of sums that no thread is using.
        idle: list[SweepSums] = []

        def sweep(number: int) -> NDArray[np.int64]:
            sums = idle.pop() if idle else self.plan.start()
            found = sums.complete(self._drawn(number))
            idle.append(sums)
            return found

        first = self.boards // CHUNK
        with pool(None, threads) as workers:
            numbers = range(first, first + chunks)
            for number, found in zip(
                numbers, in_order(workers, sweep, numbers, 2 * threads), strict=True
            ):
                self._add(number % GROUPS, found)

    def _drawn(self, number: int) -> NDArray[np.uint8]:
        """The boards of a chunk."""
        random = random_of(f"combos {self.seed} {number}")
        missing = BOARD_SIZE - len(self.deal.board)
        chosen = random.random((CHUNK, len(self._free))).argsort(axis=1)[:, :missing]
        boards = np.empty((CHUNK, BOARD_SIZE), np.uint8)
        boards[:, : len(self.deal.board)] = self.deal.board
        boards[:, len(self.deal.board) :] = self._free[chosen]
        return boards

    def _add(self, group: int, found: NDArray[np.int64]) -> None:
        """Add the sums of a chunk."""
        self.boards += CHUNK
        self.cells += found
        # The columns for lows are left out where the game has none.
        parts = self._parts.reshape(RESULTS, LOWS)[:, LOWS - self._lows :].ravel()
        flat = found.reshape(PLAYERS, len(self.classes), -1).astype(float)
        for side in range(PLAYERS):
            for total, values in ((self.won, flat[side] @ parts), (self.met, flat[side].sum(1))):
                total[group, side] += np.bincount(
                    self.classes, values, minlength=len(self._canonical)
                )

    def class_weights(self, side: int) -> NDArray[np.int64]:
        """(classes,) weight of the combos of each class in the range of a side."""
        total = np.zeros(len(self._canonical), np.int64)
        np.add.at(total, self.classes, self.deal.weights[:, side])
        return total


def pooled_errors(won: NDArray[np.float64], met: NDArray[np.float64]) -> NDArray[np.float64]:
    """Standard errors of the ratios of sums over groups (groups, ...), by jackknife."""
    groups = len(won)
    with np.errstate(invalid="ignore", divide="ignore"):
        without = (won.sum(axis=0) - won) / (met.sum(axis=0) - met)
        spread: NDArray[np.float64] = np.sqrt(
            (groups - 1) / groups * ((without - without.mean(axis=0)) ** 2).sum(axis=0)
        )
    return spread / POT
