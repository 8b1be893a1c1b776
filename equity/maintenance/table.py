"""Full tables dealt at random, and what each class of hands wins at them."""

from __future__ import annotations

import hashlib
from functools import cache

import numpy as np
from numpy.typing import NDArray

from equity import kernels
from equity.kernels import evolution_records as records
from equity.kernels.loader import Block, Kernel
from equity.kernels.transposed import line_block
from equity.ranges.hands import hand_space, sets_below
from equity.rules.cards import DECK_SIZE
from equity.rules.games import BOARD_SIZE, Game

__all__ = ["CHIP", "Table", "Won"]

CHIP = records.CHIP
#: Hands that are numbered at once.
_PIECE = 1 << 20


class Won:
    """Sums of what each class has won."""

    def __init__(self, classes: int) -> None:
        #: (classes, 4) int64: deals; chips won, in fractions of a chip, summed over boards
        #: and blinds; the sum over deals of the squares of that; unused.
        self.sums = np.zeros((classes, 4), np.int64)

    def __iadd__(self, other: Won) -> Won:
        self.sums += other.sums
        return self

    @property
    def deals(self) -> NDArray[np.int64]:
        """Deals of each class."""
        return self.sums[:, 0]

    @property
    def chips(self) -> NDArray[np.int64]:
        """Total won by each class, in fractions of a chip."""
        return self.sums[:, 1]

    @property
    def squares(self) -> NDArray[np.int64]:
        """The sum over deals of the squares of what was won in them."""
        return self.sums[:, 2]


class Table:
    """A table of one game, and the classes of hands that call at it.

    Parameters
    ----------
    game:
        The rules.
    players:
        Seats at the table.
    calls:
        (classes,) bool, which classes call.
    """

    def __init__(self, game: Game, players: int, calls: NDArray[np.bool_]) -> None:
        self.game = game
        self.players = players
        #: Boards that the hands of a deal leave cards for.
        self.boards = (DECK_SIZE - players * game.hole) // BOARD_SIZE
        #: Outcomes summed up in the chips of one deal.
        self.outcomes = self.boards * (players - 1)
        self._types = hand_space(game.hole).types
        number = _types_by_number(game.hole)
        self._entry = number * 2 + calls[number]

    def deal(self, stream: str, tables: int) -> Won:
        """Deal tables from a named stream of random numbers."""
        won = Won(self._types.count)
        self._run(records.DEAL_TABLES, stream, Block(records.JOB, {"rounds": tables}), won)
        return won

    def deal_to(self, stream: str, classes: NDArray[np.int64], deals: NDArray[np.int64]) -> Won:
        """Deal tables to each of some classes, and count their hands only."""
        won = Won(self._types.count)
        hands = hand_space(self.game.hole).hands(self._types.first(classes))
        block = Block(records.CLASSES, {"count": len(classes), "hands": hands, "deals": deals})
        self._run(records.DEAL_CLASSES, stream, block, won)
        return won

    def _run(self, kernel: Kernel, stream: str, work: Block, won: Won) -> None:
        kernel(
            kernels.table_block(),
            line_block(),
            self.block(stream),
            work,
            records.TABLE_WORK.allocate(players=self.players),
            Block(records.WON, {"types": self._types.count, "sums": won.sums}),
        )

    def block(self, stream: str) -> Block:
        """The table as kernels take it, with a named stream of random numbers."""
        digest = hashlib.blake2b(stream.encode(), digest_size=16).digest()
        return Block(
            records.TABLE,
            {
                "players": self.players,
                "hole": self.game.hole,
                "low": int(self.game.low),
                "boards": self.boards,
                "start": int.from_bytes(digest[:8], "little", signed=True),
                "step": int.from_bytes(digest[8:], "little", signed=True) | 1,
                "share": np.array([0, *(CHIP // count for count in range(1, 12))], np.int64),
                "choose": sets_below()[1:],
                "combos": len(self._entry),
                "entry": self._entry,
            },
        )


@cache
def _types_by_number(hole: int) -> NDArray[np.int32]:
    """Class of each hand, by its index among sets of cards."""
    space = hand_space(hole)
    found = np.zeros(space.size, np.int32)
    below = sets_below()
    for start in range(0, space.size, _PIECE):
        index = np.arange(start, min(start + _PIECE, space.size))
        cards = space.hands(index)
        number = sum(below[hole - place][cards[:, place]] for place in range(hole))
        found[number] = space.types.of(index)
    return found
