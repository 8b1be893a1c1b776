"""Tallies of sampled deals, with estimates and standard errors.

A figure of a player is a sum over deals divided by the number of deals.  Shares of the pot
sum what the player wins; events count deals: that the player wins the high alone, or three
quarters of the pot.  Draws are independent of each other, the deals of one draw are not.  So
a figure is a ratio of two sums over draws, and its standard error follows from such sums too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import isqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from equity.kernels.sampling_records import EVENTS, POT_SHARES
from equity.results.ratio import ratio_variance
from equity.results.tally import MAIN_PARTS, POT, Tally, cells_of

__all__ = [
    "SHARES",
    "Figures",
    "SampleTally",
    "Sums",
    "cell_figures",
    "equity_errors",
    "figures_of",
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
    #: :func:`figures_of`.
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


class Figures(NamedTuple):
    """The figures of a player, in the order of the kernel."""

    #: ``equity``, ``high``, ``low``, then the events, then the parts of the pot as
    #: text, ``"3/4"``, those of :data:`equity.results.result.MAIN_PARTS` first.
    names: tuple[str, ...]
    #: Index among ``names`` of the part of each cell of a tally.
    part_of: tuple[int, ...]


@cache
def figures_of(players: int) -> Figures:
    """The figures of each player."""
    cells = cells_of(players)
    rare = {Fraction(cell.part, POT) for cell in cells}.difference(MAIN_PARTS)
    parts = [*MAIN_PARTS, *sorted(rare, reverse=True)]
    first = len(POT_SHARES) + len(EVENTS)
    place = {part: first + at for at, part in enumerate(parts)}
    return Figures(
        (*POT_SHARES, *EVENTS, *map(str, parts)),
        tuple(place[Fraction(cell.part, POT)] for cell in cells),
    )


@cache
def cell_figures(players: int) -> NDArray[np.int64]:
    """(figures, cells): what a deal of each cell adds to each figure, in units of 1 / POT.

    An event adds a whole pot.
    """
    columns = []
    for cell, part in zip(cells_of(players), figures_of(players).part_of, strict=True):
        events: Sequence[bool] = (
            cell.high == 1,
            cell.high > 1,
            cell.low == 1,
            cell.low is not None and cell.low > 1,
            cell.low is None,
            Fraction(cell.part, POT) not in MAIN_PARTS,
        )
        column = [cell.part, cell.high_part, cell.low_part, *(POT * event for event in events)]
        column += [0] * (len(figures_of(players).names) - len(column))
        column[part] = POT
        columns.append(column)
    return np.array(columns, np.int64).T


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
