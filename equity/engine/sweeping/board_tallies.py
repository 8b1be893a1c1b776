"""Tallies of two ranges on every complete board, from one sweep.

The equity on each next card, on each turn and river, and street by street are sums of
these, so a view needs one sweep in place of one for each card.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from equity.engine.executor import in_order, pool
from equity.engine.sweeping.deal import LOST, LOWS, PLAYERS, RESULTS, WON, Deal, whole_tally
from equity.engine.sweeping.sweep import Sweep, SweepSums
from equity.engine.sweeping.symmetry import Boards, masks, orbits
from equity.results.tally import Tally
from equity.rules.cards import DECK_SIZE
from equity.rules.games import BOARD_SIZE

__all__ = ["BoardTallies", "sweep_boards"]


class BoardTallies:
    """Tallies by the cards to come.

    Parameters
    ----------
    deal:
        The ranges and the known cards.
    boards:
        (n, 5) uint8, complete boards that represent their orbits, the known cards first.
    tallies:
        (n, 2, 3, 4) int64: weights of the deals by player, result of the high (lost, won,
        shared) and of the low (lost, won, shared, nobody has one).
    """

    def __init__(self, deal: Deal, boards: NDArray[np.uint8], tallies: NDArray[np.int64]) -> None:
        self._tallies = tallies
        self._most = int(tallies.max(initial=0))
        known = len(deal.board)
        gone = {*deal.board, *deal.dead}
        live = [card for card in range(DECK_SIZE) if card not in gone]
        missing = list(combinations(live, BOARD_SIZE - known))
        #: Bit masks of all sets of cards to come, and the canonical board of each.
        self._drawn = masks(np.array(missing, np.uint8))
        canonical = masks(np.ascontiguousarray(boards[:, known:]))
        order = np.argsort(canonical)
        self._board = order[np.searchsorted(canonical[order], orbits(self._drawn, deal.group))]

    def with_cards(self, cards: Sequence[int]) -> Tally:
        """The tally of all complete boards that have these cards beside the known ones."""
        wanted = np.int64(sum(1 << card for card in cards))
        chosen = self._tallies[self._board[self._drawn & wanted == wanted]]
        # Python integers where sums of many boards could exceed an int64.
        kind = object if self._most * len(chosen) >= 1 << 63 else np.int64
        total = chosen.sum(axis=0, dtype=kind).tolist()
        return whole_tally(total)


def sweep_boards(plan: Sweep, threads: int) -> BoardTallies:
    """Sweep all complete boards of a plan, whose weights must not be split into parts."""
    plan.prepare()
    lows = LOWS if plan.deal.game.low else 1
    tallies = np.zeros((plan.size, PLAYERS, RESULTS, lows), np.int64)
    # Memory of sums that no thread is using.
    idle: list[SweepSums] = []

    def sweep(chunk: range) -> None:
        sums = idle.pop() if idle else plan.start()
        own = tallies[chunk.start : chunk.stop]
        cards = plan.some_boards(chunk).cards
        boards = plan.board_block(Boards(cards, np.ones(len(cards), np.int64)), own)
        sums.sweep(plan.part_blocks[0], 0, boards)
        idle.append(sums)

    chunks = map(plan.chunk, range(plan.chunk_count))
    with pool(None, threads) as workers:
        for _ in in_order(workers, sweep, chunks, 2 * threads):
            pass
    # The sweep omits high hands lost without a low: the other side wins them.
    tallies[:, 0, LOST, -1] = tallies[:, 1, WON, -1]
    tallies[:, 1, LOST, -1] = tallies[:, 0, WON, -1]
    return BoardTallies(plan.deal, plan.boards.cards, tallies)
