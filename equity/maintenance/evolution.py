"""Orderings by what hands win at a full table among those that are worth playing.

The procedure is the one published for the orderings of ProPokerTools ("Towards a
meaningful ordering of hands", pokercoder.blogspot.com, July 2006).  In each round
every class of hands pays an ante of 1 chip and is dealt a table: one other hand is
blind for 1 chip, and each other hand of a class that calls in this round pays 1 chip.
A board is dealt and the pot is awarded.  A class that wins more than 1 chip on average
calls in the next round, which has twice the deals.

Every hand of a table is evaluated, with every other hand as the blind, on as many
boards as the deck allows.  A class of few hands is rare at random tables, so it is
dealt tables of its own until it has enough deals.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equity.maintenance.recipes import Recipe
from equity.maintenance.table import CHIP, Table, Won
from equity.ranges.hands import hand_space
from equity.rules.games import Game

__all__ = ["Evolution"]

#: Classes of at least this many hands get enough deals at random tables.
_COMMON_SIZE = 12
#: Tables that a thread deals at once.
_CHUNK = 1 << 19
#: Scores of up to ten times this fit into 16 bits.
_MOST_UNITS = 1 << 12


class Evolution:
    """The rounds of a recipe for one game, chunk by chunk."""

    def __init__(self, game: Game, recipe: Recipe) -> None:
        self.game = game
        self.recipe = recipe
        self.seats = recipe.seats[game.hole]
        space = hand_space(game.hole)
        self.classes = space.types.count
        self.combos = space.size
        self.round = 0
        #: Chunks of random tables that are done, and classes that have had their own tables.
        self.done = 0
        self.served = 0
        self.calls = np.full(self.classes, recipe.all_call)
        self.won = Won(self.classes)
        #: Deals that each class still needs; known when the random tables are done.
        self.wanted: NDArray[np.int64] = np.zeros(0, np.int64)
        self.table = Table(game, self.seats, self.calls)

    # Work to do

    @property
    def deals(self) -> int:
        """The least number of deals to each class in this round."""
        return self.recipe.deals[self.game.hole] << self.round

    @property
    def tables(self) -> int:
        """Random tables in this round."""
        return ceil(self.deals * self.combos / _COMMON_SIZE / self.seats)

    @property
    def chunks(self) -> int:
        """Chunks of random tables."""
        return ceil(self.tables / _CHUNK)

    @property
    def progress(self) -> float:
        """Part of the work that is done, 0 to 1."""
        if self.is_done:
            return 1.0
        within = (self.done + self.served / self.classes) / (self.chunks + 1)
        return ((1 + within) * (1 << self.round) - 1) / ((1 << self.recipe.rounds) - 1)

    @property
    def is_done(self) -> bool:
        """Whether all rounds are over."""
        return self.round == self.recipe.rounds

    # Work

    def advance(self, executor: Executor, threads: int) -> None:
        """Run a chunk on each thread."""
        stream = f"{self.recipe.name} {self.recipe.version} {self.game.name} {self.round}"
        if self.done < self.chunks:
            some = range(self.done, min(self.done + threads, self.chunks))
            sizes = [min(_CHUNK, self.tables - chunk * _CHUNK) for chunk in some]
            names = [f"{stream} {chunk}" for chunk in some]
            results = list(executor.map(self.table.deal, names, sizes))
            self.done = some.stop
            if self.done == self.chunks:
                self._add(results)
                self.wanted = np.maximum(self.deals - self.won.deals, 0)
                return
        else:
            groups: list[NDArray[np.int64]] = []
            while self.served < self.classes and len(groups) < threads:
                groups.append(self._next_group())
            own = [f"{stream} own"] * len(groups)
            results = list(
                executor.map(self.table.deal_to, own, groups, [self.wanted[g] for g in groups])
            )
        self._add(results)
        if self.done == self.chunks and self.served == self.classes:
            self._end_round()

    def _add(self, results: list[Won]) -> None:
        for result in results:
            self.won += result

    def _next_group(self) -> NDArray[np.int64]:
        """The next classes that need tables of their own, about a chunk's worth."""
        ahead = np.cumsum(self.wanted[self.served :])
        count = max(1, int(np.searchsorted(ahead, _CHUNK, side="right")))
        start, self.served = self.served, min(self.served + count, self.classes)
        group = np.arange(start, self.served)
        return group[self.wanted[group] > 0]

    def _end_round(self) -> None:
        self.round += 1
        if self.is_done:
            return
        self.calls = self.won.chips > self.won.deals * self.table.outcomes * CHIP
        self.won = Won(self.classes)
        self.done = self.served = 0
        self.table = Table(self.game, self.seats, self.calls)

    # Checkpoints

    def state(self) -> dict[str, NDArray[Any]]:
        """The state, as arrays to save."""
        return {
            "at": np.array([self.round, self.done, self.served], np.int64),
            "calls": self.calls,
            "wanted": self.wanted,
            "sums": self.won.sums,
        }

    def resume(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Restore a saved state."""
        self.round, self.done, self.served = map(int, state["at"])
        self.calls, self.wanted = state["calls"], state["wanted"]
        self.won = Won(self.classes)
        self.won.sums[:] = state["sums"]
        self.table = Table(self.game, self.seats, self.calls)

    # Result

    def scores(self) -> tuple[NDArray[np.int64], int, float]:
        """Scores by class in units, the units in 1, and the error of a score.

        The unit is the largest power of a half that is not above the standard
        error, of which the root of the mean square over classes is given.
        """
        outcomes = self.table.outcomes * CHIP * self.recipe.stake
        deals = self.won.deals.astype(np.float64)
        mean = self.won.chips / deals
        variance = np.maximum(self.won.squares / deals - mean**2, 0) / deals
        error = float(np.sqrt(variance.mean())) / outcomes
        units = 1
        while error * units < 1 and units < _MOST_UNITS:
            units *= 2
        whole = self.won.deals * outcomes
        rounded = (2 * units * self.won.chips + whole) // (2 * whole)
        # Few digits, which come out the same on every machine.
        return rounded, units, float(f"{error:.2g}")
