"""Tallies of deals drawn at random, and the shares and errors that follow from them.

Draws are independent of each other, deals of one draw are not.  So a share is a
ratio of two sums over draws, and its standard error follows from such sums too.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import NamedTuple

from equity.result import POT, Tally

__all__ = ["SHARES", "Estimate", "SampleTally", "estimate", "like_draws", "may_stop", "variance"]

#: Shares that get a standard error, in the order of the moments.
SHARES = ("equity", "high", "low", "scoop")
#: Before any stop: fewer make the bias of a ratio, and the error's own error, felt.
MIN_BOARDS = 1_000
MIN_DRAWS = 100


@dataclass(frozen=True)
class SampleTally:
    """Deals drawn, and the sums that their errors follow from; they add up."""

    tally: Tally
    draws: int
    boards: int
    #: Sum over draws of the square of the number of deals.
    squares: int
    #: By player and share: sums over draws of x, of n x and of x * x, where a
    #: share of all pots of a draw is x / POT, and n is its number of deals.
    moments: tuple[tuple[tuple[int, int, int], ...], ...]

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
            tuple(
                tuple(
                    (a + d, b + e, c + f) for (a, b, c), (d, e, f) in zip(mine, theirs, strict=True)
                )
                for mine, theirs in zip(self.moments, other.moments, strict=True)
            ),
        )


class Estimate(NamedTuple):
    """A share of all pots, and its standard error; infinite if it is not known."""

    value: Fraction
    error: float


def estimate(sample: SampleTally) -> list[dict[str, Estimate]]:
    """Every player's shares, by their names in :data:`SHARES`."""
    found = []
    for moments in sample.moments:
        shares = {}
        for name, sums in zip(SHARES, moments, strict=True):
            value = Fraction(sums[0], POT * sample.deals) if sample.deals else Fraction(0)
            square = variance(sample, sums)
            error = float("inf") if square is None else _root(square) / POT
            shares[name] = Estimate(value, error)
        found.append(shares)
    return found


def may_stop(sample: SampleTally) -> bool:
    """Whether there are enough draws for the errors to be relied on."""
    return sample.boards >= MIN_BOARDS and like_draws(sample) >= MIN_DRAWS


def like_draws(sample: SampleTally) -> int:
    """How many draws of equally many deals would be worth as much."""
    return sample.deals**2 // sample.squares if sample.squares else 0


def variance(sample: SampleTally, sums: tuple[int, int, int]) -> Fraction | None:
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
