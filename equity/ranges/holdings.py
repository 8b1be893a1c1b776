"""What the hands of a range have on many boards, told apart by nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equity.ranges.boards import Boards
from equity.rules.games import Game

__all__ = ["Holdings"]

Mask = NDArray[np.bool_]


class Holdings:
    """Hands on boards, those that have the same on a board together.

    Has what :class:`~equity.ranges.facts.Facts` lists.

    Parameters
    ----------
    game:
        The game.
    boards:
        The boards.
    board:
        (n,) the number of the board of each holding, ascending.
    facts:
        (n,) arrays by the names of :class:`~equity.ranges.facts.Facts`.
    weight:
        (n,) int64, how often each is dealt, times the weights of the hands.
    mark:
        (n,) int64, what else tells the hands apart.
    """

    high: NDArray[np.uint16]
    low: NDArray[np.uint8]
    straight_outs: NDArray[np.uint8]
    nut_straight_outs: NDArray[np.uint8]
    flush_draw: Mask
    nut_flush_draw: Mask
    backdoor_flush: Mask
    low_draw: Mask
    nut_low_draw: Mask
    counterfeit: Mask

    def __init__(
        self,
        game: Game,
        boards: Boards,
        *,
        board: NDArray[np.integer],
        facts: Mapping[str, NDArray[Any]],
        weight: NDArray[np.int64],
        mark: NDArray[np.int64],
    ) -> None:
        self.game = game
        self.boards = boards
        self.board = board
        vars(self).update(facts)
        self.weight = weight
        self.mark = mark

    def __len__(self) -> int:
        return len(self.board)

    @property
    def best_low(self) -> NDArray[np.uint8]:
        """The best low of any two cards that are not on the board, 0 for none."""
        if not self.game.low:
            return np.zeros(len(self), dtype=np.uint8)
        found: NDArray[np.uint8] = self.of_board(self.boards.best_lows)
        return found

    @cached_property
    def reachable(self) -> Mask:
        """(boards, 7463) by high, whether some hand without a card of the board has it."""
        return self.boards.reachable(self.game.hole)

    def of_board(self, values: NDArray[Any]) -> NDArray[Any]:
        """For every hand, a value of its board; ``values`` has one for each board."""
        found: NDArray[Any] = values[self.board]
        return found

    def by_high(self, test: Callable[[NDArray[np.int64], NDArray[np.int64]], Mask]) -> Mask:
        """For every hand, the answer of ``test`` for the number of its board and its high."""
        return test(self.board.astype(np.int64), self.high.astype(np.int64))

    def per_board(self, held: Mask) -> NDArray[np.int64]:
        """(boards,) the weight of some of the holdings on each board."""
        sums = np.zeros(len(self.boards), dtype=np.int64)
        if len(self):
            first = np.flatnonzero(np.diff(self.board.astype(np.int64), prepend=-1))
            sums[self.board[first]] = np.add.reduceat(np.where(held, self.weight, 0), first)
        return sums
