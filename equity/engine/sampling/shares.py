"""The figures that a sample estimates for each player, and the deals that count for them.

A figure is a sum over deals divided by the number of deals.  Shares of the pot sum what
the player wins; events count deals: that the player wins the high alone, or three quarters
of the pot.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from equity.kernels.sampling_records import EVENTS, POT_SHARES
from equity.results.tally import MAIN_PARTS, POT, cells_of

__all__ = ["Figures", "cell_figures", "figures_of"]


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
