"""Any number of ranges exactly: a walk over the runouts of each compatible set of hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from math import comb, gcd, prod
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from equity import kernels
from equity.engine.sweeping import pairs_cost
from equity.results.tally import Tally
from equity.rules.cards import DECK_SIZE
from equity.rules.games import BOARD_SIZE
from equity.spot import Spot

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["TupleWalk", "tuples_cost"]

#: Nanoseconds of Python code for a set of hands.
OVERHEAD = 20_000
#: Approximate nanoseconds of a chunk.
CHUNK_COST = 25_000_000
#: Distance to the next chunk as a part of all: the golden section spreads them evenly.
SPREAD = Fraction(618_034, 1_000_000)


def tuples_cost(sets: int, spot: Spot) -> int:
    """Estimated nanoseconds for ``sets`` sets of hands."""
    players = len(spot.players)
    walk = pairs_cost(1, len(spot.board), spot.game) * (players + 8) // 10
    return sets * (OVERHEAD + walk)


class TupleWalk:
    """An exact plan that walks the runouts of each compatible set of hands.

    Parameters
    ----------
    spot:
        A spot without patterns.
    lists:
        Live hands (n, hole) and weights of each player.
    """

    is_exact: ClassVar[Literal[True]] = True
    method = "enumerate"

    def __init__(
        self, spot: Spot, lists: Sequence[tuple[NDArray[np.uint8], NDArray[np.int64]]]
    ) -> None:
        self.spot = spot
        self.lists = lists
        #: (bit mask, cards as bytes, weight) of each hand of each player.
        self.hands = [
            [
                (sum(1 << card for card in hand), bytes(hand), weight)
                for hand, weight in zip(cards.tolist(), weights.tolist(), strict=True)
            ]
            for cards, weights in lists
        ]
        #: Number of sets of hands for one hand of each player, given the hands of the
        #: players before.
        self.spans = [prod(map(len, self.hands[at + 1 :])) for at in range(len(self.hands))]

    @property
    def is_weighted(self) -> bool:
        """Whether some deal counts for more than one."""
        return any(weight > 1 for hands in self.hands for _, _, weight in hands)

    @cached_property
    def size(self) -> int:
        """Number of sets of hands, incompatible ones included."""
        return prod(map(len, self.hands))

    @property
    def cost(self) -> int:
        """Estimated nanoseconds of one core."""
        return tuples_cost(self.size, self.spot)

    @cached_property
    def step(self) -> int:
        """Sets of hands that take about 25 ms."""
        return max(1, CHUNK_COST // tuples_cost(1, self.spot))

    @property
    def chunk_count(self) -> int:
        """Number of chunks."""
        return -(-self.size // self.step)

    @cached_property
    def _stride(self) -> int:
        """Distance between consecutive chunks; coprime to the number of chunks."""
        stride = max(1, int(self.chunk_count * SPREAD))
        while gcd(stride, self.chunk_count) != 1:
            stride += 1
        return stride

    def chunk(self, number: int) -> range:
        """The sets of hands of a chunk, from number 0 on.

        The first chunks are spread over all sets, so they are representative.
        """
        at = number * self._stride % self.chunk_count
        return range(at * self.step, min((at + 1) * self.step, self.size))

    @cached_property
    def runouts(self) -> int:
        """Runouts for each compatible set of hands."""
        spot = self.spot
        left = DECK_SIZE - len(spot.board) - len(spot.dead) - len(spot.players) * spot.game.hole
        return comb(left, BOARD_SIZE - len(spot.board))

    def deals(self, every: Sequence[TupleSums], done: Fraction) -> int:  # noqa: ARG002 - a plan's
        """Deals walked, whatever their weights."""
        return sum(int(sums.wide[1][0]) for sums in every) * self.runouts

    def _sets(self, chunk: range) -> Iterator[tuple[int, bytes, int]]:
        """The compatible sets of hands of a chunk.

        Each is the mask of its cards, the cards, and the product of the weights.  Sets are
        numbered with the hand of the last player changing fastest.
        """

        def add(
            player: int, within: range, mask: int, cards: bytes, weight: int
        ) -> Iterator[tuple[int, bytes, int]]:
            # ``within`` numbers the sets that have the hands so far.
            if player == len(self.hands):
                yield mask, cards, weight
                return
            hands, span = self.hands[player], self.spans[player]
            for at in range(within.start // span, -(-within.stop // span)):
                own, text, factor = hands[at]
                if not own & mask:
                    first = at * span
                    yield from add(
                        player + 1,
                        range(max(within.start - first, 0), min(within.stop - first, span)),
                        mask | own,
                        cards + text,
                        weight * factor,
                    )

        yield from add(0, chunk, 0, b"", 1)

    def prepare(self) -> object:
        """Load or compile the kernel."""
        return kernels.WALK.prepare()

    def start(self) -> TupleSums:
        """Memory for one thread."""
        return TupleSums(self)

    def run(self, chunk: range, sums: TupleSums) -> None:
        """Walk the sets of hands of a chunk."""
        for mask, cards, weight in self._sets(chunk):
            sums.add(mask, cards, weight)

    def tally(self, every: Sequence[TupleSums]) -> Tally:
        """The tally of the sets walked."""
        total = sum((sums.wide[0] for sums in every), start=np.zeros((), object))
        return Tally.from_flat(len(self.hands), [int(number) for number in total])

    def by_hand(self, every: Sequence[TupleSums]) -> None:
        """Results of single hands are not kept."""


class TupleSums:
    """Sums of one thread, and the memory of its kernel."""

    def __init__(self, plan: TupleWalk) -> None:
        players = len(plan.hands)
        game = plan.spot.game
        spot = plan.spot
        self.asked = kernels.spot_block(players, game.hole, spot.board, spot.dead, low=game.low)
        self.dead = sum(1 << card for card in spot.dead)
        self.work = kernels.WALK_WORK.allocate(players=players)
        self.result = kernels.TALLY.allocate(players=players)
        self.counts = np.frombuffer(self.result.values["counts"], np.int64)
        #: The tally in Python integers, as the weight of a set may be large; and the number
        #: of sets walked.
        self.wide = (np.zeros(len(self.counts), object), np.zeros(1, np.int64))

    def flush(self) -> None:
        """Do nothing: sums are complete."""

    def add(self, mask: int, cards: bytes, weight: int) -> None:
        """Walk one set of hands; ``mask`` has the cards of all hands."""
        self.asked.values["hands"][:] = cards
        self.asked.put(dead=self.dead | mask)
        kernels.WALK(kernels.table_block(), self.asked, self.work, self.result)
        total, met = self.wide
        total += self.counts.astype(object) * weight
        met += 1
