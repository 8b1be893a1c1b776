"""Tallies of deals drawn at random, and the figures and errors that follow from them.

Draws are independent of each other, deals of one draw are not.  So a figure is a
ratio of two sums over draws, and its standard error follows from such sums too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import NamedTuple

from equity.results.result import POT, Tally

__all__ = [
    "SHARES",
    "Estimate",
    "SampleTally",
    "Sums",
    "estimate",
    "is_known",
    "like_draws",
    "may_stop",
    "standard_error",
    "variance",
]

#: Shares of a player by name, each with the figure that it is; a scoop wins all the pot.
SHARES = {"equity": "equity", "high": "high", "low": "low", "scoop": "1"}
#: Before a stop by the error: fewer make the bias of a ratio, and the error's own
#: error, felt.
MIN_BOARDS = 1_000
MIN_DRAWS = 100
#: An error is known from so many draws on: it is then some 15 % off itself.
KNOWN_DRAWS = 20

#: Sums over draws of x, of n x and of x * x, where x / POT is the figure of a draw,
#: and n its number of deals.
Sums = tuple[int, int, int]


@dataclass(frozen=True)
class SampleTally:
    """Deals drawn, and the sums that their errors follow from; they add up."""

    tally: Tally
    draws: int
    boards: int
    #: Sum over draws of the square of the number of deals.
    squares: int
    #: For each player the sums of each figure that is not 0, by its name in
    #: :func:`equity.engine.sampling.shares.figures_of`.
    moments: tuple[Mapping[str, Sums], ...]

    @property
    def deals(self) -> int:
        """Deals counted."""
        return self.tally.weight

    def __add__(self, other: SampleTally) -> SampleTally:
        return SampleTally(
            self.tally + other.tally,
            self.draws + other.draws,
            self.boards + other.boards,
            self.squares + other.squares,
            tuple(map(_added, self.moments, other.moments)),
        )


def _added(mine: Mapping[str, Sums], theirs: Mapping[str, Sums]) -> Mapping[str, Sums]:
    """The sums of two samples, figure by figure."""
    total = dict(theirs)
    for name, (x, nx, xx) in mine.items():
        if name in total:
            more, n_more, square = total[name]
            total[name] = x + more, nx + n_more, xx + square
        else:
            total[name] = x, nx, xx
    return total


class Estimate(NamedTuple):
    """A share of all pots, and its standard error; infinite if it is not known."""

    value: Fraction
    error: float


def estimate(sample: SampleTally) -> list[dict[str, Estimate]]:
    """Every player's shares, by their names in :data:`SHARES`."""
    found = []
    for moments in sample.moments:
        shares = {}
        for name, figure in SHARES.items():
            sums = moments.get(figure, (0, 0, 0))
            value = Fraction(sums[0], POT * sample.deals) if sample.deals else Fraction(0)
            shares[name] = Estimate(value, _error(sample, sums))
        found.append(shares)
    return found


def standard_error(sample: SampleTally, player: int, figure: str) -> float | None:
    """The standard error of a figure of a player; None if the sample does not tell.

    It does not where too few draws have deals, and where all draws agree: what never
    came up, or always did, may yet be rare or not quite certain.
    """
    sums = sample.moments[player].get(figure)
    if sums is None or not is_known(sample):
        return None
    return _error(sample, sums) or None


def _error(sample: SampleTally, sums: Sums) -> float:
    square = variance(sample, sums)
    return float("inf") if square is None else _root(square) / POT


def is_known(sample: SampleTally) -> bool:
    """Whether there are enough draws for errors to mean something."""
    return like_draws(sample) >= KNOWN_DRAWS


def may_stop(sample: SampleTally) -> bool:
    """Whether there are enough draws for a stop by the error."""
    return sample.boards >= MIN_BOARDS and like_draws(sample) >= MIN_DRAWS


def like_draws(sample: SampleTally) -> int:
    """How many draws of equally many deals would be worth as much."""
    return sample.deals**2 // sample.squares if sample.squares else 0


def variance(sample: SampleTally, sums: Sums) -> Fraction | None:
    """The square of the standard error of a ratio x / n, from sums over draws."""
    x, nx, xx = sums
    n = sample.deals
    if sample.draws < 2 or not n:
        return None
    spread = xx * n * n - 2 * nx * n * x + x * x * sample.squares
    return Fraction(spread * sample.draws, (sample.draws - 1) * n**4)


def _root(number: Fraction) -> float:
    """A square root that neither overflows nor underflows on the way."""
    shift = 1 << 120
    return isqrt(number.numerator * shift // number.denominator) / (1 << 60)
