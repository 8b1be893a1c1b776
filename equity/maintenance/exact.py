"""The exact equity of every hand against a random hand, by a sweep of all boards."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor
from functools import cached_property
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equity.engine.sweeping import Deal, Hands, Sweep
from equity.maintenance.recipes import Recipe
from equity.ranges.hands import hand_space
from equity.results.combos import Combos
from equity.results.tally import POT
from equity.rules.cards import DECK_SIZE
from equity.rules.games import BOARD_SIZE, Game

__all__ = ["AllBoards"]

#: Chunks that a thread sweeps at once.
_CHUNKS = 64


class AllBoards:
    """Sweeps all hands against all hands on every board, chunk by chunk."""

    def __init__(self, game: Game, recipe: Recipe) -> None:
        self.game = game
        self.recipe = recipe
        space = hand_space(game.hole)
        cards = space.hands(np.arange(space.size))
        every = Hands(cards, np.ones(space.size, np.int64))
        self.sweep = Sweep(Deal(every, every, (), (), game))
        self.done = 0
        #: The sums of each thread; the first holds those of a restored state.
        self.sums = [self.sweep.start()]

    @cached_property
    def count(self) -> int:
        """Number of chunks."""
        return self.sweep.chunk_count

    @property
    def progress(self) -> float:
        """Part of the work that is done, 0 to 1."""
        return self.done / self.count

    @property
    def is_done(self) -> bool:
        """Whether all boards have been swept."""
        return self.done == self.count

    def advance(self, executor: Executor, threads: int) -> None:
        """Sweep some chunks on each thread."""
        while len(self.sums) < threads:
            self.sums.append(self.sweep.start())
        stop = min(self.done + threads * _CHUNKS, self.count)

        def run(thread: int) -> None:
            for at in range(self.done + thread, stop, threads):
                self.sweep.run(self.sweep.chunk(at), self.sums[thread])

        list(executor.map(run, range(threads)))
        self.done = stop

    def state(self) -> dict[str, NDArray[Any]]:
        """The state, as arrays to save."""
        for sums in self.sums:
            sums.flush()
        return {
            "at": np.array([self.done], np.int64),
            "sums": sum((sums.wide[0] for sums in self.sums[1:]), self.sums[0].wide[0].copy()),
        }

    def resume(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Restore a saved state."""
        (self.done,) = map(int, state["at"])
        self.sums = [self.sweep.start()]
        self.sums[0].wide[0][:] = state["sums"]

    def scores(self) -> tuple[NDArray[np.int64], int, float]:
        """Scores by class in units, the units in 1, and 0 for the error of a score."""
        hole = self.game.hole
        space = hand_space(hole)
        first = space.types.first(np.arange(space.types.count))
        cells = self.sweep.by_hand(self.sums)[0][first]
        combos = Combos.of_cells(space.hands(first), np.ones(len(first), np.int64), cells)
        whole = comb(DECK_SIZE - hole, hole) * comb(DECK_SIZE - 2 * hole, BOARD_SIZE)
        return combos.won, POT * whole, 0.0
