"""Two ranges, a board and dead cards, prepared for both exact methods."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from functools import cached_property
from itertools import chain
from math import comb
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from equity.engine.hand_lists import Hands
from equity.engine.sweeping.symmetry import IDENTITY, Suits, cards_of, masks, symmetries
from equity.results.tally import Tally
from equity.rules.cards import DECK_SIZE
from equity.rules.games import BOARD_SIZE, Game

__all__ = [
    "CHUNK_COST",
    "LOST",
    "LOWS",
    "PLAYERS",
    "RESULTS",
    "WON",
    "Deal",
    "TwoRanges",
    "whole_tally",
]

PLAYERS = 2
LOST, WON = 0, 1
#: Results of the high, and of the low: lost, won, shared, nobody has one.
RESULTS, LOWS = 3, 4

#: Weights of a range sum to less than this in one run, so that the largest orbit of
#: boards, 24, fits into half of an int64, with room for more boards.
MAX_WEIGHT = 1 << 26
_INT64 = 1 << 63
#: Approximate nanoseconds of a chunk.
CHUNK_COST = 25_000_000


class Deal:
    """Two ranges, a board and dead cards, prepared for both methods.

    A hand that a board or dead card blocks stays in its range and gets nothing.

    Parameters
    ----------
    first, second:
        The ranges; trusted to be distinct hands of ``game``.
    board, dead:
        Card ids, distinct.
    game:
        The rules.
    symmetric:
        Whether isomorphic boards may be grouped.
    """

    def __init__(
        self,
        first: Hands,
        second: Hands,
        board: Sequence[int],
        dead: Sequence[int],
        game: Game,
        *,
        symmetric: bool = True,
    ) -> None:
        self.game = game
        self.board = tuple(board)
        self.dead = tuple(dead)
        taken = sum(1 << card for card in (*board, *dead))
        held = [masks(hands.cards) for hands in (first, second)]
        #: Which hands of each range are live.
        self.live = [side & taken == 0 for side in held]
        #: Bit masks of the live hands of both ranges, each once.
        self.held, places = np.unique(
            np.concatenate([side[live] for side, live in zip(held, self.live, strict=True)]),
            return_inverse=True,
        )
        cut = int(np.count_nonzero(self.live[0]))
        #: Index among these masks of each live hand of a range.
        self.place = (places[:cut], places[cut:])
        #: (hands, 2): weight of a hand in each range.
        self.weights = np.zeros((len(self.held), PLAYERS), np.int64)
        for side, hands in enumerate((first, second)):
            np.add.at(self.weights[:, side], self.place[side], hands.weights[self.live[side]])
        self.group: list[Suits] = [IDENTITY]
        if symmetric and len(board) < BOARD_SIZE and len(self.held):
            #: Suit permutations that leave everything unchanged.
            self.group = symmetries(self.held, self.weights, (self.board, self.dead))

    def reordered(self, order: NDArray[np.intp]) -> Deal:
        """The same deal with its hands in another order."""
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        other = copy(self)
        other.place = (place[self.place[0]], place[self.place[1]])
        other.held, other.weights = self.held[order], self.weights[order]
        other.cards = self.cards[order]
        return other

    @cached_property
    def is_weighted(self) -> bool:
        """Whether some deal counts for more than one."""
        return bool((self.weights > 1).any())

    @cached_property
    def runouts(self) -> int:
        """Complete boards for each pair of hands without a common card."""
        left = DECK_SIZE - len(self.board) - len(self.dead) - PLAYERS * self.game.hole
        return comb(max(left, 0), BOARD_SIZE - len(self.board))

    @cached_property
    def cards(self) -> NDArray[np.uint8]:
        """(hands, hole), ascending in each hand."""
        return cards_of(self.held, self.game.hole)

    @cached_property
    def part_bits(self) -> int:
        """Bits of a weight that fit into one run; larger weights are split."""
        if not len(self.held) or int(self.weights.sum(axis=0).max()) < MAX_WEIGHT:
            return 63
        return max(1, (MAX_WEIGHT // len(self.held)).bit_length() - 1)

    @cached_property
    def parts(self) -> int:
        """Number of parts that weights are split into."""
        largest = int(self.weights.max(initial=1))
        return -(-largest.bit_length() // self.part_bits)

    def part_of_weights(self, part: int) -> NDArray[np.int64]:
        """(hands, 2): one part of each weight."""
        shifted = self.weights >> part * self.part_bits
        return shifted & ((1 << self.part_bits) - 1)

    def joined(self, parts: Sequence[NDArray[np.int64]]) -> NDArray[Any]:
        """Combine the sums of all parts: int64, or Python integers if needed."""
        if len(parts) == 1:
            return parts[0]
        joined = parts[0].astype(object)
        for number, part in enumerate(parts[1:], 1):
            joined += part.astype(object) << number * self.part_bits
        return joined

    def tallied(self, side: int, parts: Sequence[NDArray[np.int64]]) -> list[list[int]]:
        """Sums over the hands of a side, times their weights."""
        totals = [_weighted(self.weights[:, side], part) for part in parts]
        return [
            [
                sum(
                    total[high][low] << number * self.part_bits
                    for number, total in enumerate(totals)
                )
                for low in range(len(totals[0][0]))
            ]
            for high in range(RESULTS)
        ]

    def spread(self, side: int, sums: NDArray[Any]) -> NDArray[Any]:
        """Spread sums by mask to the hands of a range; blocked hands get zero."""
        found = np.zeros((len(self.live[side]), *sums.shape[1:]), sums.dtype)
        found[self.live[side]] = sums[self.place[side]]
        return found


class TwoRanges:
    """The part of an exact plan that both methods for two ranges share."""

    is_exact: ClassVar[Literal[True]] = True
    #: How many boards or pairs take about 25 ms.
    step: int

    def __init__(self, deal: Deal, size: int, cost: int) -> None:
        self.deal = deal
        #: Number of boards, or of pairs of hands, to go through.
        self.size = size
        #: Estimated nanoseconds of one core.
        self.cost = cost

    @property
    def chunk_count(self) -> int:
        """Number of chunks."""
        return -(-self.size // self.step)

    def chunk(self, number: int) -> range:
        """The boards or pairs of a chunk, from number 0 on."""
        return range(number * self.step, min((number + 1) * self.step, self.size))

    @property
    def is_weighted(self) -> bool:
        """Whether some deal counts for more than one."""
        return self.deal.is_weighted


def whole_tally(counts: Sequence[Sequence[Sequence[int]]]) -> Tally:
    """A tally from rows that may lack the columns for lows."""
    rows = [(*[0] * (LOWS - len(row)), *row) for player in counts for row in player]
    return Tally.from_flat(len(counts), chain.from_iterable(rows))


def _weighted(weights: NDArray[np.int64], sums: NDArray[np.int64]) -> list[list[int]]:
    """Sum over hands of weight times sums, in Python integers."""
    width = sums.shape[2]
    flat = sums.reshape(len(sums), RESULTS * width)
    total = [0] * flat.shape[1]
    most = int(flat.max(initial=0)) * int(weights.sum())
    if most < _INT64:
        total = (weights @ flat).tolist()
    else:
        # Products of 19-bit digits, summed over less than 2**25 hands, fit.
        for one, digits in _digits(weights):
            for two, others in _digits(flat):
                products = (digits @ others).tolist()
                total = [
                    sofar + (product << one + two)
                    for sofar, product in zip(total, products, strict=True)
                ]
    return [total[at : at + width] for at in range(0, len(total), width)]


def _digits(numbers: NDArray[np.int64]) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """The 19-bit digits of all numbers, each with its shift."""
    for shift in range(0, int(numbers.max(initial=0)).bit_length(), 19):
        yield shift, numbers >> shift & (1 << 19) - 1
