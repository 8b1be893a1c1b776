"""Range against range by a walk over the runouts of each pair of hands."""

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
    TwoRanges,
    whole_tally,
)
from equity.engine.sweeping.symmetry import orbits, shared
from equity.kernels import sweep_records as records
from equity.kernels.loader import Block
from equity.results.tally import Tally
from equity.rules.games import Game

__all__ = ["PairSums", "PairWalk", "pairs_cost"]

#: Nanoseconds of a walk, by the number of known board cards, without and with a low.
WALK_COST = {
    False: (38_000, 30_000, 8_000, 2_700, 800, 700),
    True: (50_000, 36_000, 12_000, 6_500, 4_200, 4_200),
}


def pairs_cost(pairs: int, known: int, game: Game) -> int:
    """Estimated nanoseconds for ``pairs`` walks on a board of ``known`` cards."""
    return pairs * WALK_COST[game.low][known]


class PairWalk(TwoRanges):
    """An exact plan that walks the runouts of each pair of hands of two ranges.

    Of isomorphic hands of one range only one is walked.
    """

    method = "pairs"

    def __init__(self, deal: Deal) -> None:
        listed = [np.flatnonzero(deal.weights[:, side]) for side in range(PLAYERS)]
        alike = [
            np.unique(orbits(deal.held[side], deal.group), return_index=True, return_counts=True)
            for side in listed
        ]
        #: The range of which only representatives are walked.
        self.few = int(len(alike[1][0]) * len(listed[0]) < len(alike[0][0]) * len(listed[1]))
        _, at, size = alike[self.few]
        # In random order, so that the first chunks are representative.
        others = np.random.default_rng(0).permutation(listed[1 - self.few])
        self.walked = (listed[self.few][at], others)
        #: Number of hands that each representative stands for.
        self.alike = size.astype(np.int64)
        # Pairs that share a card included.
        pairs = len(self.walked[0]) * len(self.walked[1])
        super().__init__(deal, pairs, deal.parts * pairs_cost(pairs, len(deal.board), deal.game))
        one = deal.parts * pairs_cost(1, len(deal.board), deal.game)
        self.step = max(1, CHUNK_COST // one)

    @cached_property
    def part_values(self) -> list[dict[str, Any]]:
        """The hands as the kernel takes them, for each part of the weights."""
        one, two = self.walked
        return [
            {
                "firsts": len(one),
                "seconds": len(two),
                "first": self.deal.cards[one],
                "second": self.deal.cards[two],
                "first_held": self.deal.held[one],
                "second_held": self.deal.held[two],
                "first_weight": np.ascontiguousarray(weights[one, self.few]),
                "second_weight": np.ascontiguousarray(weights[two, 1 - self.few]),
                "size": self.alike,
            }
            for weights in map(self.deal.part_of_weights, range(self.deal.parts))
        ]

    def prepare(self) -> object:
        """Load or compile the kernel."""
        return records.WALK_PAIRS.prepare()

    def start(self) -> PairSums:
        """Memory for one thread."""
        return PairSums(self)

    def run(self, chunk: range, sums: PairSums) -> None:
        """Walk the pairs of a chunk."""
        sums.add(chunk)

    def _sides(self, every: Sequence[PairSums]) -> list[list[NDArray[np.int64]]]:
        """Sums of all threads by side, part and mask."""
        sides: list[list[NDArray[np.int64]]] = [[], []]
        for place, side in enumerate((self.few, 1 - self.few)):
            for part in range(self.deal.parts):
                cells = np.zeros((len(self.deal.held), RESULTS, LOWS), np.int64)
                for sums in every:
                    cells[self.walked[place]] += sums.wide[place][part]
                sides[side].append(cells)
        return sides

    def tally(self, every: Sequence[PairSums]) -> Tally:
        """The tally of the pairs walked."""
        sides = self._sides(every)
        return whole_tally([self.deal.tallied(side, sides[side]) for side in range(PLAYERS)])

    def by_hand(self, every: Sequence[PairSums]) -> tuple[NDArray[Any], NDArray[Any]]:
        """The results of each hand, as :meth:`Sweep.by_hand` returns them."""
        sides = self._sides(every)
        found = [
            self.deal.spread(
                side,
                self.deal.joined(
                    [shared(part, self.deal.held, self.deal.group) for part in sides[side]]
                ),
            )
            for side in range(PLAYERS)
        ]
        return found[0], found[1]

    def deals(self, every: Sequence[PairSums], done: Fraction) -> int:  # noqa: ARG002 - a plan's
        """Deals walked, whatever their weights."""
        return sum(int(sums.wide[-1][0]) for sums in every) * self.deal.runouts


class PairSums:
    """Sums of one thread, and the memory of its kernel."""

    def __init__(self, plan: PairWalk) -> None:
        self.plan = plan
        #: Sums of both lists by part, hand and result; and the number of pairs walked,
        #: isomorphic ones included.
        self.wide = (
            *(
                np.zeros((plan.deal.parts, len(side), RESULTS, LOWS), np.int64)
                for side in plan.walked
            ),
            np.zeros(1, np.int64),
        )
        deal, game = plan.deal, plan.deal.game
        self.spot = kernels.spot_block(PLAYERS, game.hole, deal.board, deal.dead, low=game.low)
        self.work = kernels.WALK_WORK.allocate(players=PLAYERS)
        self.counts = kernels.TALLY.allocate(players=PLAYERS)

    def flush(self) -> None:
        """Do nothing: sums are complete."""

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
                        # Pairs are counted once, with the first part of their weights.
                        "met": np.zeros(1, np.int64) if part else met,
                    },
                ),
            )
