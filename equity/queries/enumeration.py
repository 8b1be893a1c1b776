"""Enumerates deals: all compatible hands, and all boards for each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from equity.queries.dealing import Block, Dealing
from equity.rules.cards import DECK_SIZE

__all__ = ["Enumeration"]

#: Deals of a block, at most about.
ROWS = 1 << 16
#: Combinations of hands that one chunk looks at.
HANDS = 1 << 18
#: Sets of positions that are kept as a table.
_TABLE = 1 << 22


@cache
def subsets(count: int, size: int) -> NDArray[np.uint8]:
    """(n, size) uint8: all sets of ``size`` of ``count`` positions, each ascending."""
    if size == 0:
        return np.zeros((1, 0), np.uint8)
    # The sets below a last position come first among all of one size less.
    before = subsets(count - 1, size - 1) if count else np.zeros((0, size - 1), np.uint8)
    parts = [
        np.hstack(
            [before[: comb(last, size - 1)], np.full((comb(last, size - 1), 1), last, np.uint8)]
        )
        for last in range(size - 1, count)
    ]
    return np.concatenate(parts) if parts else np.zeros((0, size), np.uint8)


class Enumeration:
    """All deals of a query, in numbered chunks.

    Attributes
    ----------
    chunks:
        How many chunks there are.
    """

    def __init__(self, dealing: Dealing) -> None:
        self.dealing = dealing
        self.lists = dealing.every
        self._weights = [dealing.weights(seat) for seat in range(len(self.lists))]
        self._weighted = dealing.is_weighted
        self._sizes = [len(hands) for hands in self.lists]
        self._tuples = prod(self._sizes)
        runouts = max(dealing.runouts, 1)
        #: Combinations of hands of a chunk, and runouts of a block.
        self._hands = max(1, min(HANDS, 8 * ROWS // runouts))
        self._parts = -(-runouts // ROWS) if self._hands == 1 else 1
        self._per_set = -(-self._tuples // self._hands) * self._parts
        self.chunks = self._per_set * len(dealing.known)
        self._groups = dealing.groups
        self._count = dealing.counter()

    def blocks(self, chunk: int) -> Iterator[Block]:
        """The deals of a chunk."""
        number, rest = divmod(chunk, self._per_set)
        at, part = divmod(rest, self._parts)
        index, weights = self._compatible(number, at)
        runouts = self.dealing.runouts
        step = max(1, ROWS // max(runouts, 1))
        span = -(-runouts // self._parts)
        rows = np.arange(part * span, min(runouts, (part + 1) * span))
        for begin in range(0, len(index), step):
            chosen = slice(begin, begin + step)
            block = self._dealt(number, index[chosen], weights[chosen], rows)
            if len(block):
                yield block

    def _compatible(self, number: int, at: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Positions and weights of hands that share no card."""
        flat = np.arange(at * self._hands, min(self._tuples, (at + 1) * self._hands))
        taken = np.full(len(flat), self.dealing.known[number].taken, np.int64)
        columns: list[NDArray[np.int64]] = []
        stride = self._tuples
        for hands, size in zip(self.lists, self._sizes, strict=True):
            stride //= max(size, 1)
            mine = flat // stride % size
            masks = hands.masks[mine]
            free = taken & masks == 0
            flat, taken = flat[free], (taken | masks)[free]
            columns = [*(column[free] for column in columns), mine[free]]
        index = (
            np.stack(columns, axis=1).astype(np.int32) if columns else np.zeros((1, 0), np.int32)
        )
        weights = np.ones(len(index), np.int64)
        for seat, column in enumerate(columns):
            weights = weights * self._weights[seat][column]
        return index, weights

    def _dealt(
        self,
        number: int,
        index: NDArray[np.int32],
        weights: NDArray[np.int64],
        rows: NDArray[np.int64],
    ) -> Block:
        """Hands, each with the runouts ``rows``."""
        dealing = self.dealing
        known = dealing.known[number]
        hole = dealing.game.hole
        count, times = len(index), len(rows)
        hands = np.empty((count, len(self.lists), hole), np.uint8)
        taken = np.full(count, known.taken, np.int64)
        for seat, listed in enumerate(self.lists):
            hands[:, seat] = listed.cards[index[:, seat]]
            taken |= listed.masks[index[:, seat]]
        boards = np.empty((count, times, dealing.top), np.uint8)
        boards[:, :, : dealing.known_cards] = known.board[: dealing.known_cards]
        if self._groups:
            free = (taken[:, None] >> np.arange(DECK_SIZE)) & 1 == 0
            left = np.nonzero(free)[1].astype(np.uint8).reshape(count, -1)
            positions = self._positions(rows, left.shape[1])
            boards[:, :, dealing.known_cards :] = left[:, positions]
        block = Block(
            np.repeat(hands, times, axis=0),
            np.repeat(index, times, axis=0),
            boards.reshape(count * times, -1),
            np.full(count * times, number, np.int32),
            np.repeat(weights, times) if self._weighted else None,
        )
        if self._count is None or block.weights is None:
            return block
        counted = block.weights * self._count(block)
        return replace(block, weights=counted).take(counted > 0)

    def _positions(self, rows: NDArray[np.int64], left: int) -> NDArray[np.int64]:
        """The positions among the cards that are left of runouts by their numbers."""
        radix = []
        remaining = left
        for cards in self._groups:
            radix.append((remaining, cards, comb(remaining, cards)))
            remaining -= cards
        numbers = []
        for _, _, size in reversed(radix):
            rows, number = np.divmod(rows, size)
            numbers.append(number)
        found = np.zeros((len(numbers[0]), 0), np.int64)
        for (remaining, cards, _), number in zip(radix, reversed(numbers), strict=True):
            group = subsets(remaining, cards)[number].astype(np.int64)
            # Positions of those not dealt yet: step over the earlier ones, lowest first.
            for before in np.sort(found, axis=1).T:
                group += group >= before[:, None]
            found = np.hstack([found, group])
        return found
