"""Range against range by the walk over runouts for each pair of hands."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equity import kernels
from equity.engine.sweeping.deal import (
    CHUNK_COST,
    LOWS,
    PLAYERS,
    RESULTS,
    Deal,
    whole_tally,
)
from equity.engine.sweeping.symmetry import orbits, shared
from equity.kernels import sweep_records as records
from equity.kernels.loader import Block
from equity.results.result import Tally
from equity.rules.games import Game

__all__ = ["PairSums", "PairWalk", "pairs_cost"]

#: Nanoseconds for the walk of a pair, by known board cards, without and with a low.
WALK_COST = {
    False: (38_000, 30_000, 8_000, 2_700, 800, 700),
    True: (50_000, 36_000, 12_000, 6_500, 4_200, 4_200),
}


def pairs_cost(pairs: int, known: int, game: Game) -> int:
    """Nanoseconds that so many pairs take on a board of ``known`` cards, about."""
    return pairs * WALK_COST[game.low][known]


class PairWalk(Deal):
    """Two ranges, by the walk over runouts for each pair of their hands.

    Of the hands of one range that are alike by suits only one is walked.
    """

    method = "pairs"

    def _set_up(self) -> None:
        listed = [np.flatnonzero(self.weights[:, side]) for side in range(PLAYERS)]
        alike = [
            np.unique(orbits(self.held[side], self.group), return_index=True, return_counts=True)
            for side in listed
        ]
        #: The range of which only some hands are walked, and the other.
        self.few = int(len(alike[1][0]) * len(listed[0]) < len(alike[0][0]) * len(listed[1]))
        _, at, size = alike[self.few]
        # In an order without a pattern, so that some of the pairs tell about all.
        others = np.random.default_rng(0).permutation(listed[1 - self.few])
        self.walked = (listed[self.few][at], others)
        #: How many hands each of the few stands for.
        self.alike = size.astype(np.int64)

    @property
    def size(self) -> int:
        """Pairs to walk, with those that share a card."""
        return len(self.walked[0]) * len(self.walked[1])

    @property
    def cost(self) -> int:
        """Nanoseconds that all of it takes, about."""
        return self.parts * pairs_cost(self.size, len(self.board), self.game)

    @cached_property
    def step(self) -> int:
        """Pairs that take some 25 ms."""
        one = self.parts * pairs_cost(1, len(self.board), self.game)
        return max(1, CHUNK_COST // one)

    @cached_property
    def part_values(self) -> list[dict[str, Any]]:
        """What the kernel takes of the hands, for each part of the weights."""
        one, two = self.walked
        return [
            {
                "firsts": len(one),
                "seconds": len(two),
                "first": self.cards[one],
                "second": self.cards[two],
                "first_held": self.held[one],
                "second_held": self.held[two],
                "first_weight": np.ascontiguousarray(weights[one, self.few]),
                "second_weight": np.ascontiguousarray(weights[two, 1 - self.few]),
                "size": self.alike,
            }
            for weights in map(self.part_of_weights, range(self.parts))
        ]

    def prepare(self) -> object:
        """Make the kernel ready to run."""
        return records.WALK_PAIRS.prepare()

    def start(self) -> PairSums:
        """Memory for one thread."""
        return PairSums(self)

    def run(self, chunk: range, sums: PairSums) -> None:
        """Do a part of the work."""
        sums.add(chunk)

    def _sides(self, every: Sequence[PairSums]) -> list[list[NDArray[np.int64]]]:
        """For each side, the sums of all threads by part and mask."""
        sides: list[list[NDArray[np.int64]]] = [[], []]
        for place, side in enumerate((self.few, 1 - self.few)):
            for part in range(self.parts):
                cells = np.zeros((len(self.held), RESULTS, LOWS), np.int64)
                for sums in every:
                    cells[self.walked[place]] += sums.wide[place][part]
                sides[side].append(cells)
        return sides

    def tally(self, every: Sequence[PairSums]) -> Tally:
        """The tally of what has been run."""
        sides = self._sides(every)
        return whole_tally([self.tallied(side, sides[side]) for side in range(PLAYERS)])

    def by_hand(self, every: Sequence[PairSums]) -> tuple[NDArray[Any], NDArray[Any]]:
        """As :meth:`Sweep.by_hand`."""
        sides = self._sides(every)
        found = [
            self.spread(
                side,
                self.joined([shared(part, self.held, self.group) for part in sides[side]]),
            )
            for side in range(PLAYERS)
        ]
        return found[0], found[1]

    def deals(self, every: Sequence[PairSums], done: Fraction) -> int:  # noqa: ARG002 - a plan's
        """Pairs of hands and boards that have been run, whatever their weights."""
        return sum(int(sums.wide[-1][0]) for sums in every) * self.runouts


class PairSums:
    """Sums of one thread, and the memory that its kernels work in."""

    def __init__(self, plan: PairWalk) -> None:
        self.plan = plan
        #: The sums of the hands of both lists by part, hand and result; and how many
        #: pairs were walked, all that are alike.
        self.wide = (
            *(np.zeros((plan.parts, len(side), RESULTS, LOWS), np.int64) for side in plan.walked),
            np.zeros(1, np.int64),
        )
        game = plan.game
        self.spot = kernels.spot_block(PLAYERS, game.hole, plan.board, plan.dead, low=game.low)
        self.work = kernels.WALK_WORK.allocate(players=PLAYERS)
        self.counts = kernels.TALLY.allocate(players=PLAYERS)

    def flush(self) -> None:
        """Nothing is kept back."""

    def add(self, chunk: range) -> None:
        """Walk the pairs of a chunk, with every part of the weights."""
        first, second, met = self.wide
        for part, values in enumerate(self.plan.part_values):
            records.WALK_PAIRS(
                kernels.table_block(),
                self.spot,
                Block(records.PAIRS, {**values, "begin": chunk.start, "stop": chunk.stop}),
                self.work,
                self.counts,
                Block(
                    records.PAIR_SUMS,
                    {
                        "first_sums": first[part],
                        "second_sums": second[part],
                        # A pair is counted with the first part of its weights alone.
                        "met": np.zeros(1, np.int64) if part else met,
                    },
                ),
            )
