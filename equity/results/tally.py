"""Tallies: deals counted by who wins what.

On each deal a player's result is two small numbers: how many players share the high with
them, and how many share the low, 0 if they lost it.  A tally counts deals by player and
those two numbers; everything else follows from it exactly.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import compress
from operator import add, mul
from typing import NamedTuple

__all__ = ["MAIN_PARTS", "POT", "Cell", "Tally", "cells_of", "part_of_pot"]

#: Units of a pot: any number of players can share half a pot evenly.
POT = 2 * math.lcm(*range(1, 12))
#: Parts of the pot with a column of their own; others are shown together.
MAIN_PARTS = (Fraction(1), Fraction(3, 4), Fraction(1, 2), Fraction(1, 4), Fraction(0))


def part_of_pot(high: int, low: int | None) -> tuple[int, int]:
    """What a player wins with the high and with the low, in units of 1 / POT.

    ``high`` and ``low`` are the numbers of players who share each, 0 if the player lost
    it; a low of None means that nobody has one, and the high takes the whole pot.
    """
    for_high = POT if low is None else POT // 2
    return (for_high // high if high else 0), (POT // 2 // low if low else 0)


class Cell(NamedTuple):
    """A result that the deals of one cell of a tally share."""

    #: Numbers of players who share the high and the low, as in :func:`part_of_pot`.
    high: int
    low: int | None
    #: What the player wins with them.
    high_part: int
    low_part: int

    @property
    def part(self) -> int:
        """What the player wins of the pot."""
        return self.high_part + self.low_part


@cache
def cells_of(players: int) -> tuple[Cell, ...]:
    """The cells of a player in a tally, in order."""
    lows = (*range(players + 1), None)
    results = [(high, low) for high in range(players + 1) for low in lows]
    return tuple(Cell(high, low, *part_of_pot(high, low)) for high, low in results)


@cache
def _cell_parts(players: int) -> tuple[int, ...]:
    """What a player wins of the pot in each of their cells."""
    return tuple(cell.part for cell in cells_of(players))


# Not frozen: many are made for each spot, and a frozen dataclass takes three times as long
# to create.  Nothing changes one once it is made.
@dataclass(unsafe_hash=True)
class Tally:
    """Deals counted by player and by the sharers of the high and of the low.

    A deal of ranges counts as often as the product of the weights of its hands.  Tallies
    of equally many players add up.
    """

    players: int
    #: ``counts`` in one row, Python integers.
    cells: tuple[int, ...]
    #: Sum of the weights of all deals.
    weight: int

    @classmethod
    def from_flat(cls, players: int, flat: Iterable[int]) -> Tally:
        """A tally from the numbers of an array (players, players + 1, players + 2)."""
        cells = tuple(flat)
        return cls(players, cells, sum(cells[: len(cells) // players]))

    @cached_property
    def counts(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """``counts[player][high][low]``.

        The last ``low`` of each row stands for deals on which nobody has one.
        """
        width, height = self.players + 2, self.players + 1
        rows = [self.cells[at : at + width] for at in range(0, len(self.cells), width)]
        return tuple(tuple(rows[at : at + height]) for at in range(0, len(rows), height))

    def __add__(self, other: Tally) -> Tally:
        if self.players != other.players:
            raise ValueError("tallies of different numbers of players do not add up")
        cells = tuple(map(add, self.cells, other.cells))
        return Tally(self.players, cells, self.weight + other.weight)

    def times(self, factor: int) -> Tally:
        """The tally with all counts multiplied by a factor."""
        if factor == 1:
            return self
        cells = tuple(factor * deals for deals in self.cells)
        return Tally(self.players, cells, factor * self.weight)

    def of_player(self, player: int) -> tuple[int, ...]:
        """The cells of one player."""
        size = len(self.cells) // self.players
        return self.cells[player * size : (player + 1) * size]

    @cached_property
    def no_low(self) -> int:
        """Deals on which nobody has a low."""
        return sum(self.of_player(0)[self.players + 1 :: self.players + 2])

    def won(self, player: int) -> int:
        """What a player wins of all pots, in units of 1 / POT of one pot."""
        return sum(map(mul, _cell_parts(self.players), self.of_player(player)))

    def results(self, player: int) -> list[tuple[int, int | None, int]]:
        """The results of a player that occur, as (high, low or None, deals)."""
        return [(cell.high, cell.low, deals) for cell, deals in self.occurring(player)]

    def occurring(self, player: int) -> list[tuple[Cell, int]]:
        """The cells of a player that have deals, with their counts."""
        row = self.of_player(player)
        return list(zip(compress(cells_of(self.players), row), filter(None, row), strict=True))
