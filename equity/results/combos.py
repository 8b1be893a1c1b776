"""Equity of each combo of a range against another range."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equity.results.formats import Listing
from equity.results.tally import POT, cells_of
from equity.rules.cards import format_hand

__all__ = ["ComboResult", "HandCounts", "combo_listing", "combo_results", "pots_won"]

#: The results that the cells of a hand stand for: those of a tally of two players.
CELLS = cells_of(2)


class HandCounts(NamedTuple):
    """Results of each hand of a range."""

    #: (n, hole) uint8, and (n,) weights.
    cards: NDArray[np.uint8]
    weights: NDArray[np.int64]
    #: (n, 3, 4): weights of opposing hands and boards by result of the high (lost, won,
    #: shared) and of the low (lost, won, shared, no low).
    cells: NDArray[Any]


class ComboResult(NamedTuple):
    """Equity of one combo."""

    hand: str
    weight: int
    #: Share of all deals, by weight, in which the player has this hand.
    share: float
    #: Equity; None if the hand blocks every hand of the other range.
    equity: float | None
    high: float | None
    low: float | None
    equity_exact: Fraction | None


def pots_won(cells: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """What each hand wins, in units of 1 / POT of a pot, and the number of its pots.

    ``cells`` are (n, 3, 4) as in :class:`HandCounts`; numbers that exceed int64 become
    Python integers.
    """
    flat = cells.reshape(len(cells), -1)
    if flat.dtype != object and float(flat.sum(axis=1).max(initial=0)) * POT > 2.0**62:
        flat = flat.astype(object)
    parts = np.array([cell.part for cell in CELLS], flat.dtype)
    return flat @ parts, flat.sum(axis=1)


def combo_results(counts: HandCounts) -> Iterator[ComboResult]:
    """Equities of the combos of a range, in the order of the range."""
    total = sum(
        weight * sum(row)
        for weight, row in zip(
            counts.weights.tolist(),
            counts.cells.reshape(len(counts.cells), -1).tolist(),
            strict=True,
        )
    )
    for hand, weight, cells in zip(
        counts.cards.tolist(),
        counts.weights.tolist(),
        counts.cells.reshape(len(counts.cells), -1).tolist(),
        strict=True,
    ):
        met = sum(cells)
        text = format_hand(hand)
        if not met:
            yield ComboResult(text, weight, 0.0, None, None, None, None)
            continue
        high = sum(cell.high_part * count for cell, count in zip(CELLS, cells, strict=True))
        low = sum(cell.low_part * count for cell, count in zip(CELLS, cells, strict=True))
        exact = Fraction(high + low, POT * met)
        yield ComboResult(
            text,
            weight,
            weight * met / total,
            float(exact),
            high / (POT * met),
            low / (POT * met),
            exact,
        )


def combo_listing(counts: HandCounts) -> Listing:
    """The results of the combos of a range, a row each."""
    rows = (
        [*row[:-1], str(row.equity_exact) if row.equity_exact is not None else None]
        for row in combo_results(counts)
    )
    return Listing(ComboResult._fields, rows)
