"""Several ranges exactly: the walk over runouts for each compatible set of hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from math import comb, gcd, prod
from typing import TYPE_CHECKING

import numpy as np

from equity import kernels
from equity.engine.sweeping import pairs_cost
from equity.results.result import Tally
from equity.rules.cards import DECK_SIZE
from equity.rules.games import BOARD_SIZE
from equity.spot import Spot

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["TupleWalk", "tuples_cost"]

#: Nanoseconds that Python spends on a set of hands.
OVERHEAD = 20_000
#: A chunk takes about so long, in nanoseconds.
CHUNK_COST = 25_000_000
#: Where the next chunk is, as a part of all: the golden section spreads them evenly.
SPREAD = Fraction(618_034, 1_000_000)


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
        #: For each player, how many sets of hands there are for one of their hands and
        #: given hands of the players before.
        self.spans = [prod(map(len, self.hands[at + 1 :])) for at in range(len(self.hands))]

    @property
    def is_weighted(self) -> bool:
        """Whether some deal counts for more than one."""
        return any(weight > 1 for hands in self.hands for _, _, weight in hands)

    @cached_property
    def size(self) -> int:
        """Sets of hands to go through, with those in which two share a card."""
        return prod(map(len, self.hands))

    @property
    def cost(self) -> int:
        """Nanoseconds that all of it takes, about."""
        return tuples_cost(self.size, self.spot)

    @cached_property
    def step(self) -> int:
        """Sets of hands that take some 25 ms."""
        return max(1, CHUNK_COST // tuples_cost(1, self.spot))

    @property
    def chunk_count(self) -> int:
        """In how many chunks the work is done."""
        return -(-self.size // self.step)

    @cached_property
    def _stride(self) -> int:
        """How far apart chunks are whose numbers are neighbours; prime to their count."""
        stride = max(1, int(self.chunk_count * SPREAD))
        while gcd(stride, self.chunk_count) != 1:
            stride += 1
        return stride

    def chunk(self, number: int) -> range:
        """The sets of hands of a chunk, from number 0 on.

        The first chunks are spread over all sets, so that some of them tell about all.
        """
        at = number * self._stride % self.chunk_count
        return range(at * self.step, min((at + 1) * self.step, self.size))

    @cached_property
    def runouts(self) -> int:
        """Boards for each set of hands."""
        spot = self.spot
        left = DECK_SIZE - len(spot.board) - len(spot.dead) - len(spot.players) * spot.game.hole
        return comb(left, BOARD_SIZE - len(spot.board))

    def deals(self, every: Sequence[TupleSums], done: Fraction) -> int:  # noqa: ARG002 - a plan's
        """Sets of hands and boards that have been run, whatever their weights."""
        return sum(int(sums.wide[1][0]) for sums in every) * self.runouts

    def _sets(self, chunk: range) -> Iterator[tuple[int, bytes, int]]:
        """The sets of hands of a chunk in which no two share a card.

        Each as the mask of its cards, its cards, and the product of its weights.  Sets
        are numbered with the hand of the last player changing fastest.
        """

        def add(
            player: int, within: range, mask: int, cards: bytes, weight: int
        ) -> Iterator[tuple[int, bytes, int]]:
            # Within are the numbers of sets among those with the same hands so far.
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
        """Make the kernel ready to run."""
        return kernels.WALK.prepare()

    def start(self) -> TupleSums:
        """Memory for one thread."""
        return TupleSums(self)

    def run(self, chunk: range, sums: TupleSums) -> None:
        """Do a part of the work."""
        for mask, cards, weight in self._sets(chunk):
            sums.add(mask, cards, weight)

    def tally(self, every: Sequence[TupleSums]) -> Tally:
        """The tally of what has been run."""
        total = sum((sums.wide[0] for sums in every), start=np.zeros((), object))
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
        #: The tally in Python integers, as a set of hands has a weight that may be large;
        #: and how many sets were walked.
        self.wide = (np.zeros(len(self.counts), object), np.zeros(1, np.int64))

    def flush(self) -> None:
        """Nothing is kept back."""

    def add(self, mask: int, cards: bytes, weight: int) -> None:
        """Walk one set of hands; ``mask`` has these and all others that are held."""
        self.asked.values["hands"][:] = cards
        self.asked.put(dead=self.dead | mask)
        kernels.WALK(kernels.table_block(), self.asked, self.work, self.result)
        total, met = self.wide
        total += self.counts.astype(object) * weight
        met += 1
