"""Equity of each combo of a range against the other players."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equity.results.formats import Listing, finite
from equity.results.tally import POT, cells_of
from equity.rules.cards import format_hand

__all__ = ["COLUMNS", "Combos", "combo_listing"]

#: The results that the cells of a hand stand for: those of a tally of two players.
CELLS = cells_of(2)
#: The columns of a listing.
COLUMNS = (
    *("hand", "weight", "share", "equity", "std_error"),
    *("high", "low", "equity_exact"),
)


@dataclass(frozen=True, eq=False)
class Combos:
    """Results of each combo of a player.

    Exact ones are int64, or Python's integers where those are too small; sampled ones floats.
    """

    #: (n, hole) uint8, and (n,) weights.
    cards: NDArray[np.uint8]
    weights: NDArray[np.int64]
    #: (n,) deals with the combo, without its own weight, and what its high and low hands win of
    #: these, in units of 1 / POT of a pot.
    met: NDArray[Any]
    high: NDArray[Any]
    low: NDArray[Any]
    #: (n,) standard errors of the equities of a sample; None if exact.
    errors: NDArray[np.float64] | None = None

    @classmethod
    def of_cells(
        cls, cards: NDArray[np.uint8], weights: NDArray[np.int64], cells: NDArray[Any]
    ) -> Combos:
        """The exact results of the combos of one of two ranges.

        ``cells`` are (n, 3, 4) weights of opposing hands and boards by result of the high
        (lost, won, shared) and of the low (lost, won, shared, no low).
        """
        flat = _wide_enough(cells)
        high, low = (
            flat @ np.array([getattr(cell, part) for cell in CELLS], flat.dtype)
            for part in ("high_part", "low_part")
        )
        return cls(cards, weights, flat.sum(axis=1), high, low)

    @property
    def won(self) -> NDArray[Any]:
        """(n,) what each combo wins, in units of 1 / POT of a pot."""
        won: NDArray[Any] = self.high + self.low
        return won


def _wide_enough(cells: NDArray[Any]) -> NDArray[Any]:
    """Cells as (n, 12), in Python integers if what they win may exceed an int64."""
    flat: NDArray[Any] = cells.reshape(len(cells), -1)
    if flat.dtype != object and float(flat.sum(axis=1).max(initial=0)) * POT > 2.0**62:
        flat = flat.astype(object)
    return flat


def combo_listing(combos: Combos, *, has_low: bool) -> Listing:
    """The results of the combos of a player, a row each, the best first.

    Combos that block every deal are left out.
    """
    return Listing(COLUMNS, lambda: _rows(combos, has_low))


def _rows(combos: Combos, has_low: bool) -> Iterator[list[Any]]:
    live = np.flatnonzero(combos.met)
    met, won, high = combos.met[live], combos.won[live], combos.high[live]
    whole = POT * (met.astype(object) if met.dtype != object and combos.errors is None else met)
    equities = (won / whole).astype(float)
    highs = (high / whole).astype(float)
    shares = combos.weights[live] * met.astype(float)
    shares /= shares.sum()
    columns = (combos.cards[live].tolist(), combos.weights[live].tolist(), shares.tolist())
    errors = None if combos.errors is None else combos.errors[live].tolist()
    for at in np.argsort(-equities, kind="stable").tolist():
        yield [
            format_hand(columns[0][at]),
            columns[1][at],
            columns[2][at],
            float(equities[at]),
            None if errors is None else finite(errors[at]),
            float(highs[at]),
            float((won[at] - high[at]) / whole[at]) if has_low else None,
            _fraction(int(won[at]), int(whole[at])) if errors is None else None,
        ]


def _fraction(part: int, whole: int) -> str:
    """A fraction in lowest terms, ``"3/4"``."""
    common = math.gcd(part, whole)
    return f"{part // common}/{whole // common}" if common < whole else str(part // whole)
