"""Tallies of sampled deals, with estimates and standard errors.

Draws are independent of each other, the deals of one draw are not.  So a figure is a
ratio of two sums over draws, and its standard error follows from such sums too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import NamedTuple

from equity.results.ratio import ratio_variance
from equity.results.tally import POT, Tally

__all__ = [
    "SHARES",
    "Estimate",
    "SampleTally",
    "Sums",
    "equity_errors",
    "estimate",
    "is_known",
    "like_draws",
    "may_stop",
    "standard_error",
    "variance",
]

#: Shares of a player by name, and the figure of each; a scoop is the whole pot.
SHARES = {"equity": "equity", "high": "high", "low": "low", "scoop": "1"}
#: Needed before a sample stops by its error: with fewer, the bias of a ratio and the
#: error of the standard error itself matter.
MIN_BOARDS = 1_000
MIN_DRAWS = 100
#: Draws from which on a standard error is known, to about 15%.
KNOWN_DRAWS = 20

#: Sums over draws of x, of n x and of x * x, where x / POT is the figure of a draw,
#: and n its number of deals.
Sums = tuple[int, int, int]


@dataclass(frozen=True)
class SampleTally:
    """Sampled deals, with the sums for their standard errors; tallies add up."""

    tally: Tally
    draws: int
    boards: int
    #: Sum over draws of the square of the number of deals.
    squares: int
    #: For each player the sums of each nonzero figure, by its name in
    #: :func:`equity.engine.sampling.shares.figures_of`.
    moments: tuple[Mapping[str, Sums], ...]

    @property
    def deals(self) -> int:
        """Number of deals."""
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
    """A share of all pots and its standard error, infinite if unknown."""

    value: Fraction
    error: float


def estimate(sample: SampleTally) -> list[dict[str, Estimate]]:
    """Shares of each player, by their names in :data:`SHARES`."""
    found = []
    for moments in sample.moments:
        shares = {}
        for name, figure in SHARES.items():
            sums = moments.get(figure, (0, 0, 0))
            value = Fraction(sums[0], POT * sample.deals) if sample.deals else Fraction(0)
            shares[name] = Estimate(value, _error(sample, sums))
        found.append(shares)
    return found


def equity_errors(sample: SampleTally) -> list[float]:
    """Standard errors of the equities of all players."""
    return [_error(sample, moments.get("equity", (0, 0, 0))) for moments in sample.moments]


def standard_error(sample: SampleTally, player: int, figure: str) -> float | None:
    """The standard error of a figure of a player; None if it is unknown.

    It is unknown when too few draws have deals, and when all draws agree: what never
    happened may be rare, and what always did need not be certain.
    """
    sums = sample.moments[player].get(figure)
    if sums is None or not is_known(sample):
        return None
    return _error(sample, sums) or None


def _error(sample: SampleTally, sums: Sums) -> float:
    square = variance(sample, sums)
    return float("inf") if square is None else _root(square) / POT


def is_known(sample: SampleTally) -> bool:
    """Whether there are enough draws for standard errors."""
    return like_draws(sample) >= KNOWN_DRAWS


def may_stop(sample: SampleTally) -> bool:
    """Whether there are enough draws to stop by the error."""
    return sample.boards >= MIN_BOARDS and like_draws(sample) >= MIN_DRAWS


def like_draws(sample: SampleTally) -> int:
    """Effective number of draws: as many with equal numbers of deals are worth the same."""
    return sample.deals**2 // sample.squares if sample.squares else 0


def variance(sample: SampleTally, sums: Sums) -> Fraction | None:
    """Squared standard error of a figure in units of 1 / POT; None if unknown."""
    x, nx, xx = sums
    n = sample.deals
    if sample.draws < 2 or not n:
        return None
    variance: Fraction = ratio_variance(
        Fraction(x, n), sample.draws, n, xx=xx, nx=nx, nn=sample.squares
    )
    return variance


def _root(number: Fraction) -> float:
    """A square root that neither overflows nor underflows."""
    shift = 1 << 120
    return isqrt(number.numerator * shift // number.denominator) / (1 << 60)
