"""Range against range by one sweep through all hands on each board."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equity import kernels
from equity.engine.sweeping.deal import (
    CHUNK_COST,
    LOST,
    LOWS,
    PLAYERS,
    RESULTS,
    WON,
    Deal,
    whole_tally,
)
from equity.engine.sweeping.symmetry import Boards, completions, shared
from equity.kernels import sweep_records as records
from equity.kernels.loader import Block
from equity.results.result import Tally
from equity.rules import tables
from equity.rules.cards import DECK_SIZE
from equity.rules.games import Game
from equity.rules.ranks import RANK_COUNT

__all__ = ["Sweep", "SweepSums", "sweep_cost"]

SUITS = 4
_HALF = (1 << records.HALF) - 1
#: Nanoseconds: a board, however few the hands; a hand on a board, by hole cards;
#: and how much a low makes of that, on average over boards.
BOARD_COST = 4_000
HAND_COST = {4: 16, 5: 28, 6: 130}
LOW_FACTOR = 3


def sweep_cost(hands: int, boards: int, game: Game) -> int:
    """Nanoseconds that a sweep takes, about; a hand of both ranges counts once."""
    by_hand = hands * HAND_COST[game.hole] * (LOW_FACTOR if game.low else 1)
    return boards * (BOARD_COST + by_hand)


class Sweep(Deal):
    """Two ranges on every complete board, each by one sweep through all hands."""

    method = "sweep"

    def _set_up(self) -> None:
        self.kernel = records.SWEEP[self.game.hole]
        self._sort_by_shape()

    @cached_property
    def boards(self) -> Boards:
        """The boards to sweep."""
        return completions(self.board, self.dead, self.group)

    @property
    def cost(self) -> int:
        """Nanoseconds that all of it takes, about."""
        return self.parts * sweep_cost(len(self.held), self.size, self.game)

    @cached_property
    def capacity(self) -> int:
        """Boards that fit into half an int64."""
        heaviest = max(
            int(self.part_of_weights(part).sum(axis=0).max(initial=1)) for part in range(self.parts)
        )
        return _HALF // heaviest

    @property
    def size(self) -> int:
        """Boards to sweep."""
        return len(self.boards.size)

    @cached_property
    def step(self) -> int:
        """Boards that take some 25 ms, and whose sums fit."""
        wanted = max(1, CHUNK_COST * self.size // max(1, self.cost))
        return max(1, min(wanted, self.capacity // int(self.boards.size.max(initial=1))))

    def _sort_by_shape(self) -> None:
        """Put the hands in the order that the kernel wants, and say what it wants to know."""
        shapes = _added(self.cards, [1 << 3 * (card >> 2) for card in range(DECK_SIZE)])
        order = np.argsort(shapes, kind="stable")
        shapes = shapes[order]
        starts = np.flatnonzero(np.diff(shapes, prepend=-1))
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        self.place = (place[self.place[0]], place[self.place[1]])
        self.held, self.weights = self.held[order], self.weights[order]
        self.cards = self.cards[order]

        pair = tables.array("pair")
        ranks = self.cards[starts] >> 2
        pairs = [
            pair[ranks[:, one], ranks[:, two]]
            for one in range(self.game.hole)
            for two in range(one)
        ]
        bits = [1 << RANK_COUNT * (card & 3) + (card >> 2) for card in range(DECK_SIZE)]
        by_suit = _added(self.cards, bits)
        suited = np.empty((SUITS, len(by_suit)), np.uint16)
        for suit in range(SUITS):
            suited[suit] = by_suit >> RANK_COUNT * suit & (1 << RANK_COUNT) - 1
        present = np.flatnonzero(np.bincount(suited.ravel(), minlength=1))
        present = present[present & (present - 1) != 0].astype(np.uint16)
        self._hands: dict[str, Any] = {
            "combos": len(self.held),
            "hole": self.game.hole,
            "shapes": len(starts),
            "pairs": len(pairs),
            "masks": len(present),
            "cards": self.cards,
            "held": self.held,
            "suited": suited,
            "start": np.append(starts, len(self.held)),
            "shape_pairs": np.ascontiguousarray(np.transpose(pairs), np.uint8),
            "mask": present,
        }

    def hand_block(self, weights: NDArray[np.int64]) -> Block:
        """The hands with weights (hands, 2), packed, as the kernel takes them."""
        packed = weights[:, 0] + (weights[:, 1] << records.HALF)
        return Block(records.HANDS, {**self._hands, "weight": packed})

    @cached_property
    def part_blocks(self) -> list[Block]:
        """The hands with each part of the weights."""
        return [self.hand_block(self.part_of_weights(part)) for part in range(self.parts)]

    def board_block(self, start: int, stop: int) -> Block:
        """Some of the boards, as the kernel takes them."""
        return Block(
            records.BOARDS,
            {
                "runouts": stop - start,
                "low": int(self.game.low),
                "board": self.boards.cards[start:stop],
                "size": self.boards.size[start:stop],
            },
        )

    def prepare(self) -> object:
        """Make the kernel ready to run."""
        return self.kernel.prepare()

    def start(self) -> SweepSums:
        """Memory for one thread."""
        return SweepSums(self)

    def run(self, chunk: range, sums: SweepSums) -> None:
        """Do a part of the work."""
        sums.add(chunk)

    def tally(self, every: Sequence[SweepSums]) -> Tally:
        """The tally of what has been run."""
        sums = self._joined_sums(every)
        counts = [self.tallied(side, list(sums[:, side])) for side in range(PLAYERS)]
        # The sweep leaves out high hands lost without a low: the other side wins them.
        for mine, theirs in (counts, reversed(counts)):
            mine[LOST][-1] = theirs[WON][-1]
        return whole_tally(counts)

    def by_hand(self, every: Sequence[SweepSums]) -> tuple[NDArray[Any], NDArray[Any]]:
        """The results of each hand of both ranges, when all chunks have been run.

        Two arrays (n, 3, 4): the weight of the opposing hands and boards by
        result of the high (lost, won, shared) and of the low (lost, won,
        shared, nobody has one).  Int64, or Python integers where that is too
        small.
        """
        sums = self._joined_sums(every)
        met = [self.met(self.part_of_weights(part)) * self.runouts for part in range(self.parts)]
        found = []
        for side in range(PLAYERS):
            parts = []
            for part in range(self.parts):
                swept = shared(sums[part, side], self.held, self.group)
                cells = np.zeros((len(self.held), RESULTS, LOWS), np.int64)
                cells[:, :, LOWS - swept.shape[2] :] = swept
                # What is missing from all are high hands lost without a low.
                cells[:, LOST, -1] = 0
                cells[:, LOST, -1] = met[part][side] - cells.sum(axis=(1, 2))
                parts.append(cells)
            found.append(self.spread(side, self.joined(parts)))
        return found[0], found[1]

    def met(self, weights: NDArray[np.int64]) -> NDArray[np.int64]:
        """(2, hands): the weight of the opposing hands that share no card."""
        sums = SweepSums(self)
        sums.sweep(self.hand_block(weights), 0, self.board_block(0, 0))
        return _unpacked(sums.packed[0])[:, :, LOST, 0]

    def deals(self, every: Sequence[SweepSums], done: Fraction) -> int:  # noqa: ARG002 - a plan's
        """Pairs of hands and boards, whatever their weights: so much of all of them."""
        present = np.minimum(self.weights, 1)
        pairs = int(present[:, 0] @ self.met(present)[0])
        return int(pairs * self.runouts * done)

    def _joined_sums(self, every: Sequence[SweepSums]) -> NDArray[np.int64]:
        """The sums of all threads by part, side and mask."""
        joined = np.zeros_like(every[0].wide[0])
        for sums in every:
            sums.flush()
            joined += sums.wide[0]
        return joined


class SweepSums:
    """Sums of one thread, and the memory that its kernels work in."""

    def __init__(self, plan: Sweep) -> None:
        self.plan = plan
        hands = plan._hands
        sizes = {name: value for name, value in hands.items() if isinstance(value, int)}
        lows = LOWS if plan.game.low else 1
        #: Part, mask, results: two sums in each number.
        self.packed = np.zeros((plan.parts, len(plan.held), RESULTS, lows), np.int64)
        #: Part, side, mask, results.
        self.wide = (np.zeros((plan.parts, PLAYERS, *self.packed.shape[1:]), np.int64),)
        step = _steps(plan.game.hole)
        places = _places(plan.game.hole)
        self.memory = (
            Block(
                records.SETS,
                {
                    "places": places,
                    "step": step,
                    "swept": np.zeros(places + hands["combos"], np.int64),
                },
            ),
            records.WORK.allocate(**sizes),
        )
        self.load = 0

    def add(self, chunk: range) -> None:
        """Sweep the boards of a chunk, with every part of the weights."""
        plan = self.plan
        load = int(plan.boards.size[chunk.start : chunk.stop].sum())
        if self.load + load > plan.capacity:
            self.flush()
        self.load += load
        boards = plan.board_block(chunk.start, chunk.stop)
        for part, hands in enumerate(plan.part_blocks):
            self.sweep(hands, part, boards)

    def sweep(self, hands: Block, part: int, boards: Block) -> None:
        """Add what hands with a part of their weights meet on some boards."""
        sums = Block(records.SUMS, {"sums": self.packed[part]})
        self.plan.kernel(kernels.table_block(), hands, boards, *self.memory, sums)

    def flush(self) -> None:
        """Add the packed sums to the wide ones."""
        if self.load:
            for part, packed in enumerate(self.packed):
                self.wide[0][part] += _unpacked(packed)
            self.packed[:] = 0
            self.load = 0


def _unpacked(packed: NDArray[np.int64]) -> NDArray[np.int64]:
    """(2, hands, ...): the sums of each side's hands."""
    # What the hands of one range meet is the weight of the other.
    return np.stack((packed >> records.HALF & _HALF, packed & _HALF))


def _added(cards: NDArray[np.uint8], values: Sequence[int]) -> NDArray[np.int64]:
    """The sum over the cards of each hand of what a card is worth."""
    worth = np.array(values, np.int64)
    total = np.zeros(len(cards), np.int64)
    for column in cards.T:
        total += worth[column]
    return total


def _steps(hole: int) -> NDArray[np.int64]:
    """What a card adds to the number of a set, by how many are before it."""
    steps = np.zeros((hole, DECK_SIZE), np.int64)
    for before in range(hole - 1):
        smaller = comb(DECK_SIZE, before)
        steps[before] = [comb(card, before + 1) + smaller for card in range(DECK_SIZE)]
    return steps


def _places(hole: int) -> int:
    """How many sets of fewer than ``hole`` cards there are."""
    return sum(comb(DECK_SIZE, size) for size in range(hole))
