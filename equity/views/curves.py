"""How an equity is distributed: over the combos of a range, or over boards."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import inf, sqrt
from typing import Any

import numpy as np

from equity.result import POT

__all__ = ["BINS", "FINE", "Curve", "Points", "curve"]

#: A curve has so many slices of equal weight, and a histogram so many bins.
FINE = 100
BINS = 20


@dataclass(frozen=True)
class Points:
    """Combos, or boards: what is won on each, in units of 1 / POT, and its weight."""

    won: Sequence[int]
    weight: Sequence[int]
    #: How many there are, if these were drawn from more.
    drawn_from: int | None = None

    @property
    def exact(self) -> bool:
        """Whether these are all."""
        return self.drawn_from is None


@dataclass(frozen=True)
class Curve:
    """An equity over something that is sorted by it, in slices of equal weight."""

    #: Whose equity it is, and over what.
    label: str
    #: What the average from the first slice on is.
    running_label: str
    #: How many combos or boards there are.
    count: int
    mean_exact: Fraction
    #: Standard error of the mean, if they were drawn from more; infinite if not known.
    std_error: float | None
    #: The average equity of each hundredth, in order.
    slices: tuple[Fraction, ...]
    #: What part has an equity from 0 to 1/20, from there to 2/20, and so on; 1 is in
    #: the last one.
    bins: tuple[Fraction, ...]

    @property
    def mean(self) -> float:
        """The equity."""
        return float(self.mean_exact)

    @property
    def running(self) -> tuple[Fraction, ...]:
        """The average equity of the first hundredth, the first two, up to all."""
        sums = accumulate(self.slices)
        return tuple(total / count for count, total in enumerate(sums, 1))

    def twentieth(self, number: int) -> Fraction:
        """The average equity of a twentieth, the first one being number 0."""
        size = FINE // BINS
        return sum(self.slices[number * size : (number + 1) * size], Fraction(0)) / size

    def to_dict(self) -> dict[str, Any]:
        """The numbers for JSON."""
        return {
            "label": self.label,
            "count": self.count,
            "mean": self.mean,
            "mean_exact": str(self.mean_exact) if self.std_error is None else None,
            "std_error": None if self.std_error in (None, inf) else self.std_error,
            "slices": [float(part) for part in self.slices],
        }


def curve(points: Points, *, best_first: bool, label: str, running_label: str) -> Curve:
    """The curve and the histogram of some points, not all of weight 0."""
    pairs = [(won, weight) for won, weight in zip(points.won, points.weight, strict=True) if weight]
    pairs.sort(key=lambda pair: pair[0] / pair[1], reverse=best_first)
    weights = list(accumulate((weight for _, weight in pairs), initial=0))
    sums = list(accumulate((won for won, _ in pairs), initial=0))
    total = weights[-1]

    def won_up_to(part: Fraction) -> Fraction:
        """What is won on the first part of all, which may end inside of a point."""
        target = part * total
        after = max(1, bisect_left(weights, target))
        won, weight = pairs[after - 1]
        return sums[after - 1] + (target - weights[after - 1]) * won / weight

    edges = [won_up_to(Fraction(at, FINE)) for at in range(FINE + 1)]
    unit = Fraction(POT * total, FINE)
    bins = [0] * BINS
    for won, weight in pairs:
        bins[min(BINS - 1, BINS * won // (POT * weight))] += weight
    return Curve(
        label,
        running_label,
        len(pairs),
        Fraction(sums[-1], POT * total),
        None if points.exact else _error(pairs, points.drawn_from or 0),
        tuple((edges[at + 1] - edges[at]) / unit for at in range(FINE)),
        tuple(Fraction(weight, total) for weight in bins),
    )


def _error(pairs: Sequence[tuple[int, int]], drawn_from: int) -> float:
    """The standard error of a ratio of sums over some of so many points."""
    if len(pairs) < 2:
        return inf
    weights = np.array([float(weight) for _, weight in pairs])
    equities = np.array([won / weight / POT for won, weight in pairs])
    weights /= weights.sum()
    spread = np.sum((weights * (equities - np.sum(weights * equities))) ** 2)
    left = max(0.0, 1 - len(pairs) / drawn_from)
    return sqrt(float(spread) * left * len(pairs) / (len(pairs) - 1))
