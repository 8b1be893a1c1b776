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
    TwoRanges,
    whole_tally,
)
from equity.engine.sweeping.symmetry import Boards, completions, shared
from equity.kernels import sweep_records as records
from equity.kernels.loader import Block
from equity.results.tally import Tally
from equity.rules import tables
from equity.rules.cards import DECK_SIZE
from equity.rules.games import Game
from equity.rules.ranks import RANK_COUNT

__all__ = ["Sweep", "SweepSums", "sweep_cost"]

SUITS = 4
_HALF = (1 << records.HALF) - 1
#: Nanoseconds of a board with hardly any hands, and of a hand on a board, by hole cards;
#: and the factor for games with a low, on average over boards.
BOARD_COST = 4_000
HAND_COST = {4: 16, 5: 28, 6: 130}
LOW_FACTOR = 3
#: The tallies of no board.
_NO_TALLY = np.zeros((0, PLAYERS, RESULTS, LOWS), np.int64)


def sweep_cost(hands: int, boards: int, game: Game) -> int:
    """Estimated nanoseconds of a sweep; a hand of both ranges counts once."""
    by_hand = hands * HAND_COST[game.hole] * (LOW_FACTOR if game.low else 1)
    return boards * (BOARD_COST + by_hand)


class Sweep(TwoRanges):
    """An exact plan that sweeps through all hands of two ranges on every complete board."""

    method = "sweep"

    def __init__(self, deal: Deal) -> None:
        shapes = _added(deal.cards, [1 << 3 * (card >> 2) for card in range(DECK_SIZE)])
        order = np.argsort(shapes, kind="stable")
        deal = deal.reordered(order)
        #: The boards to sweep.
        self.boards = completions(deal.board, deal.dead, deal.group)
        boards = len(self.boards.size)
        cost = deal.parts * sweep_cost(len(deal.held), boards, deal.game)
        super().__init__(deal, boards, cost)
        self.kernel = records.SWEEP[deal.game.hole]
        self._hands = self._hand_values(shapes[order])
        parts = map(deal.part_of_weights, range(deal.parts))
        heaviest = max([int(weights.sum(axis=0).max(initial=1)) for weights in parts])
        #: Boards whose sums fit into half an int64.
        self.capacity = _HALF // heaviest
        wanted = max(1, CHUNK_COST * boards // max(1, cost))
        self.step = max(1, min(wanted, self.capacity // int(self.boards.size.max(initial=1))))

    def _hand_values(self, shapes: NDArray[np.int64]) -> dict[str, Any]:
        """The hands as the kernel takes them, which are sorted by their shapes."""
        starts = np.flatnonzero(np.diff(shapes, prepend=-1))
        pair = tables.array("pair")
        ranks = self.deal.cards[starts] >> 2
        pairs = [
            pair[ranks[:, one], ranks[:, two]]
            for one in range(self.deal.game.hole)
            for two in range(one)
        ]
        bits = [1 << RANK_COUNT * (card & 3) + (card >> 2) for card in range(DECK_SIZE)]
        by_suit = _added(self.deal.cards, bits)
        suited = np.empty((SUITS, len(by_suit)), np.uint16)
        for suit in range(SUITS):
            suited[suit] = by_suit >> RANK_COUNT * suit & (1 << RANK_COUNT) - 1
        present = np.flatnonzero(np.bincount(suited.ravel(), minlength=1))
        present = present[present & (present - 1) != 0].astype(np.uint16)
        return {
            "combos": len(self.deal.held),
            "hole": self.deal.game.hole,
            "shapes": len(starts),
            "pairs": len(pairs),
            "masks": len(present),
            "cards": self.deal.cards,
            "held": self.deal.held,
            "suited": suited,
            "start": np.append(starts, len(self.deal.held)),
            "shape_pairs": np.ascontiguousarray(np.transpose(pairs), np.uint8),
            "mask": present,
        }

    def hand_block(self, weights: NDArray[np.int64]) -> Block:
        """The hands with weights (hands, 2), packed, as the kernel takes them."""
        packed = weights[:, 0] + (weights[:, 1] << records.HALF)
        return Block(records.HANDS, {**self._hands, "weight": packed})

    @cached_property
    def part_blocks(self) -> list[Block]:
        """The hands as the kernel takes them, for each part of the weights."""
        return [self.hand_block(self.deal.part_of_weights(part)) for part in range(self.deal.parts)]

    def board_block(
        self,
        boards: Boards,
        tally: NDArray[np.int64] | None = None,
    ) -> Block:
        """Boards, as the kernel takes them.

        Parameters
        ----------
        boards:
            Complete boards, and how often each counts.
        tally:
            Memory for a tally of each board, which are not added up then.
        """
        return Block(
            records.BOARDS,
            {
                "runouts": len(boards.size),
                "low": int(self.deal.game.low),
                "board": boards.cards,
                "size": boards.size,
                "by_board": int(tally is not None),
                "tally": _NO_TALLY if tally is None else tally,
            },
        )

    def some_boards(self, chunk: range) -> Boards:
        """The boards of a chunk."""
        cards, size = self.boards
        return Boards(cards[chunk.start : chunk.stop], size[chunk.start : chunk.stop])

    def prepare(self) -> object:
        """Load or compile the kernel."""
        return self.kernel.prepare()

    def start(self) -> SweepSums:
        """Memory for one thread."""
        return SweepSums(self)

    def run(self, chunk: range, sums: SweepSums) -> None:
        """Sweep the boards of a chunk."""
        sums.add(chunk)

    def tally(self, every: Sequence[SweepSums]) -> Tally:
        """The tally of the boards swept."""
        sums = self._joined_sums(every)
        counts = [self.deal.tallied(side, list(sums[:, side])) for side in range(PLAYERS)]
        # The sweep omits high hands lost without a low: the other side wins them.
        for mine, theirs in (counts, reversed(counts)):
            mine[LOST][-1] = theirs[WON][-1]
        return whole_tally(counts)

    def by_hand(self, every: Sequence[SweepSums]) -> tuple[NDArray[Any], NDArray[Any]]:
        """The results of each hand of both ranges, once all chunks have been run.

        Two arrays (n, 3, 4): weights of opposing hands and boards by result of the high
        (lost, won, shared) and of the low (lost, won, shared, no low).  They are int64, or
        Python integers where that is too small.
        """
        sums = self._joined_sums(every)
        met = [
            self.met(self.deal.part_of_weights(part)) * self.deal.runouts
            for part in range(self.deal.parts)
        ]
        found = []
        for side in range(PLAYERS):
            parts = []
            for part in range(self.deal.parts):
                swept = shared(sums[part, side], self.deal.held, self.deal.group)
                cells = np.zeros((len(self.deal.held), RESULTS, LOWS), np.int64)
                cells[:, :, LOWS - swept.shape[2] :] = swept
                # The rest of all deals are high hands lost without a low.
                cells[:, LOST, -1] = 0
                cells[:, LOST, -1] = met[part][side] - cells.sum(axis=(1, 2))
                parts.append(cells)
            found.append(self.deal.spread(side, self.deal.joined(parts)))
        return found[0], found[1]

    def met(self, weights: NDArray[np.int64]) -> NDArray[np.int64]:
        """(2, hands): weight of the opposing hands that each hand does not block."""
        sums = SweepSums(self)
        sums.sweep(self.hand_block(weights), 0, self.board_block(self.some_boards(range(0))))
        return _unpacked(sums.packed[0])[:, :, LOST, 0]

    def deals(self, every: Sequence[SweepSums], done: Fraction) -> int:  # noqa: ARG002 - a plan's
        """Deals swept, whatever their weights: the part ``done`` of all."""
        present = np.minimum(self.deal.weights, 1)
        pairs = int(present[:, 0] @ self.met(present)[0])
        return int(pairs * self.deal.runouts * done)

    def _joined_sums(self, every: Sequence[SweepSums]) -> NDArray[np.int64]:
        """Sums of all threads by part, side and mask."""
        joined = np.zeros_like(every[0].wide[0])
        for sums in every:
            sums.flush()
            joined += sums.wide[0]
        return joined


class SweepSums:
    """Sums of one thread, and the memory of its kernel."""

    def __init__(self, plan: Sweep) -> None:
        self.plan = plan
        hands = plan._hands
        sizes = {name: value for name, value in hands.items() if isinstance(value, int)}
        lows = LOWS if plan.deal.game.low else 1
        #: By part, mask and result; two sums are packed into each number.
        self.packed = np.zeros((plan.deal.parts, len(plan.deal.held), RESULTS, lows), np.int64)
        #: By part, side, mask and result.
        self.wide = (np.zeros((plan.deal.parts, PLAYERS, *self.packed.shape[1:]), np.int64),)
        step = _steps(plan.deal.game.hole)
        places = _places(plan.deal.game.hole)
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
        some = plan.some_boards(chunk)
        load = int(some.size.sum())
        if self.load + load > plan.capacity:
            self.flush()
        self.load += load
        boards = plan.board_block(some)
        for part, hands in enumerate(plan.part_blocks):
            self.sweep(hands, part, boards)

    def sweep(self, hands: Block, part: int, boards: Block) -> None:
        """Add the results of hands, with a part of their weights, on some boards."""
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
    """(2, hands, ...): sums of the hands of each side."""
    # Hands of one range sum the weights of the other.
    return np.stack((packed >> records.HALF & _HALF, packed & _HALF))


def _added(cards: NDArray[np.uint8], values: Sequence[int]) -> NDArray[np.int64]:
    """Sum over the cards of each hand of a value of each card."""
    worth = np.array(values, np.int64)
    total = np.zeros(len(cards), np.int64)
    for column in cards.T:
        total += worth[column]
    return total


def _steps(hole: int) -> NDArray[np.int64]:
    """What a card adds to the index of a set, by the number of cards before it."""
    steps = np.zeros((hole, DECK_SIZE), np.int64)
    for before in range(hole - 1):
        smaller = comb(DECK_SIZE, before)
        steps[before] = [comb(card, before + 1) + smaller for card in range(DECK_SIZE)]
    return steps


def _places(hole: int) -> int:
    """Number of sets of fewer than ``hole`` cards."""
    return sum(comb(DECK_SIZE, size) for size in range(hole))
