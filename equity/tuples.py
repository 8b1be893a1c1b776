"""Several ranges exactly: the walk over runouts for each compatible set of hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from math import comb, prod
from typing import TYPE_CHECKING

import numpy as np

from equity import kernels
from equity.cards import DECK_SIZE
from equity.games import BOARD_SIZE
from equity.result import Tally
from equity.spot import Spot
from equity.sweeping import pairs_cost

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["TupleWalk", "tuples_cost"]

#: Nanoseconds that Python spends on a set of hands.
OVERHEAD = 20_000
#: Sets of hands of a chunk, at least.
CHUNK_SETS = 1_000


def tuples_cost(sets: int, spot: Spot) -> int:
    """Nanoseconds that so many sets of hands take, about."""
    players = len(spot.players)
    walk = pairs_cost(1, len(spot.board), spot.game) * (players + 8) // 10
    return sets * (OVERHEAD + walk)


class TupleWalk:
    """Any number of ranges, by the walk over runouts for each set of their hands.

    Parameters
    ----------
    spot:
        The question, without patterns.
    lists:
        For each player hands (n, hole), none with a known card, and weights.
    """

    method = "enumerate"

    def __init__(
        self, spot: Spot, lists: Sequence[tuple[NDArray[np.uint8], NDArray[np.int64]]]
    ) -> None:
        self.spot = spot
        self.lists = lists
        #: For each player (bit mask, cards as bytes, weight) of each hand.
        self.hands = [
            [
                (sum(1 << card for card in hand), bytes(hand), weight)
                for hand, weight in zip(cards.tolist(), weights.tolist(), strict=True)
            ]
            for cards, weights in lists
        ]
        # In an order without a pattern, so that some of the work tells about all.
        order = np.random.default_rng(0).permutation(len(self.hands[0]))
        self.hands[0] = [self.hands[0][at] for at in order]

    @property
    def is_weighted(self) -> bool:
        """Whether some deal counts for more than one."""
        return any(weight > 1 for hands in self.hands for _, _, weight in hands)

    @property
    def cost(self) -> int:
        """Nanoseconds that all of it takes, about."""
        return tuples_cost(prod(map(len, self.hands)), self.spot)

    @cached_property
    def chunks(self) -> list[range]:
        """The work, by hands of the first player."""
        others = prod(map(len, self.hands[1:]))
        step = max(1, CHUNK_SETS // others)
        count = len(self.hands[0])
        return [range(at, min(at + step, count)) for at in range(0, count, step)]

    @cached_property
    def runouts(self) -> int:
        """Boards for each set of hands."""
        spot = self.spot
        left = DECK_SIZE - len(spot.board) - len(spot.dead) - len(spot.players) * spot.game.hole
        return comb(left, BOARD_SIZE - len(spot.board))

    @cached_property
    def deals(self) -> int:
        """Sets of hands and boards, whatever their weights."""
        sets = sum(1 for at in range(len(self.hands[0])) for _ in self._sets(at))
        return sets * self.runouts

    def _sets(self, at: int) -> Iterator[tuple[int, bytes, int]]:
        """The compatible sets of hands with a hand of the first player.

        Each as the mask of its cards, its cards, and the product of its weights.
        """

        def add(
            player: int, mask: int, cards: bytes, weight: int
        ) -> Iterator[tuple[int, bytes, int]]:
            if player == len(self.hands):
                yield mask, cards, weight
                return
            for own, text, factor in self.hands[player]:
                if not own & mask:
                    yield from add(player + 1, mask | own, cards + text, weight * factor)

        yield from add(1, *self.hands[0][at])

    def prepare(self) -> object:
        """Make the kernel ready to run."""
        return kernels.WALK.prepare()

    def start(self) -> TupleSums:
        """Memory for one thread."""
        return TupleSums(self)

    def run(self, chunk: range, sums: TupleSums) -> None:
        """Do a part of the work."""
        for at in chunk:
            for mask, cards, weight in self._sets(at):
                sums.add(mask, cards, weight)

    def tally(self, every: Sequence[TupleSums]) -> Tally:
        """The tally of what has been run."""
        total = sum((sums.wide for sums in every), start=np.zeros((), object))
        return Tally.from_flat(len(self.hands), [int(number) for number in total])


class TupleSums:
    """Sums of one thread, and the memory that its kernel works in."""

    def __init__(self, plan: TupleWalk) -> None:
        players = len(plan.hands)
        game = plan.spot.game
        spot = plan.spot
        self.asked = kernels.spot_block(players, game.hole, spot.board, spot.dead, low=game.low)
        self.dead = sum(1 << card for card in spot.dead)
        self.work = kernels.WALK_WORK.allocate(players=players)
        self.result = kernels.TALLY.allocate(players=players)
        self.counts = np.frombuffer(self.result.values["counts"], np.int64)
        #: Python integers: a set of hands has a weight that may be large.
        self.wide = np.zeros(len(self.counts), object)

    def flush(self) -> None:
        """Nothing is kept back."""

    def add(self, mask: int, cards: bytes, weight: int) -> None:
        """Walk one set of hands; ``mask`` has these and all others that are held."""
        self.asked.values["hands"][:] = cards
        self.asked.put(dead=self.dead | mask)
        kernels.WALK(kernels.table_block(), self.asked, self.work, self.result)
        self.wide += self.counts.astype(object) * weight
