"""Equity distributions over the combos of a range, or over boards."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import inf, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equity.results.result import POT, finite

__all__ = ["BINS", "FINE", "Curve", "Errors", "Points", "curve", "ratio"]

#: A curve has so many slices of equal weight, and a histogram so many bins.
FINE = 100
BINS = 20
#: Fewer points tell no errors.
KNOWN_POINTS = 20
#: An error below this is what floats are off.
ROUNDING = 1e-12


@dataclass(frozen=True)
class Points:
    """Combos or boards: what each wins, in units of 1 / POT, and its weight."""

    won: Sequence[int]
    weight: Sequence[int]
    #: How many were drawn and from how many, with those that no deal has; None if these
    #: are all.
    drawn: tuple[int, int] | None = None


@dataclass(frozen=True)
class Errors:
    """Standard errors of a sampled curve; infinite if unknown."""

    mean: float
    slices: tuple[float, ...]
    #: Those of the averages of twentieths, of all up to each of them, and of the bins.
    #: Those of slices and twentieths are rather too large than too small.
    twentieths: tuple[float, ...]
    running: tuple[float, ...]
    bins: tuple[float, ...]


@dataclass(frozen=True)
class Curve:
    """Equities sorted in descending order, in slices of equal weight."""

    #: Whose equity it is, and over what.
    label: str
    #: What the average from the first slice on is.
    running_label: str
    #: How many combos or boards there are.
    count: int
    mean_exact: Fraction
    #: The average equity of each hundredth, in order.
    slices: tuple[Fraction, ...]
    #: What part has an equity from 0 to 1/20, from there to 2/20, and so on; 1 is in
    #: the last one.
    bins: tuple[Fraction, ...]
    #: None if all points were counted.
    errors: Errors | None = None

    @property
    def mean(self) -> float:
        """The equity."""
        return float(self.mean_exact)

    @property
    def std_error(self) -> float | None:
        """Standard error of the mean: None if exact, infinite if unknown."""
        return self.errors.mean if self.errors else None

    @property
    def running(self) -> tuple[Fraction, ...]:
        """Mean equities of the top 1 %, top 2 %, and so on up to all."""
        sums = accumulate(self.slices)
        return tuple(total / count for count, total in enumerate(sums, 1))

    def twentieth(self, number: int) -> Fraction:
        """Mean equity of a slice of 5 %, number 0 being the first."""
        size = FINE // BINS
        return sum(self.slices[number * size : (number + 1) * size], Fraction(0)) / size

    def errors_of(self, number: int) -> dict[str, float | None]:
        """Standard errors of the figures of a 5 % slice and of the histogram bin beside it."""
        names = {"equity": "twentieths", "running": "running", "share": "bins"}
        return {
            name: getattr(self.errors, of)[number] if self.errors else None
            for name, of in names.items()
        }

    def to_dict(self) -> dict[str, Any]:
        """The numbers for JSON."""
        errors = self.errors
        return {
            "label": self.label,
            "count": self.count,
            "mean": self.mean,
            "mean_exact": str(self.mean_exact) if errors is None else None,
            "std_error": finite(self.std_error),
            "slices": [float(part) for part in self.slices],
            "slice_errors": None if errors is None else [*map(finite, errors.slices)],
        }


def curve(points: Points, *, best_first: bool, label: str, running_label: str) -> Curve:
    """Compute the curve and the histogram of points, not all of weight 0."""
    pairs = [(won, weight) for won, weight in zip(points.won, points.weight, strict=True) if weight]
    pairs.sort(key=lambda pair: pair[0] / pair[1], reverse=best_first)
    weights = list(accumulate((weight for _, weight in pairs), initial=0))
    sums = list(accumulate((won for won, _ in pairs), initial=0))
    total = weights[-1]

    def won_up_to(part: Fraction) -> Fraction:
        """Sum what is won on the first part, which may end inside a point."""
        target = part * total
        after = max(1, bisect_left(weights, target))
        won, weight = pairs[after - 1]
        return sums[after - 1] + (target - weights[after - 1]) * won / weight

    edges = [won_up_to(Fraction(at, FINE)) for at in range(FINE + 1)]
    unit = Fraction(POT * total, FINE)
    bins = [0] * BINS
    places = [min(BINS - 1, BINS * won // (POT * weight)) for won, weight in pairs]
    for place, (_, weight) in zip(places, pairs, strict=True):
        bins[place] += weight
    return Curve(
        label,
        running_label,
        len(pairs),
        Fraction(sums[-1], POT * total),
        tuple((edges[at + 1] - edges[at]) / unit for at in range(FINE)),
        tuple(Fraction(weight, total) for weight in bins),
        None if points.drawn is None else _errors(pairs, places, best_first, points.drawn),
    )


def _variance_left(drawn: tuple[int, int]) -> float:
    """How much of the variance is left in a sample without replacement of so many of all."""
    count, every = drawn
    return max(0.0, 1 - count / every) * count / max(1, count - 1)


def ratio(
    tops: Sequence[int], bottoms: Sequence[int], drawn: tuple[int, int] | None
) -> tuple[Fraction, float | None] | None:
    """Compute the ratio of two sums over points and its standard error.

    The error is None if the points are all there are, infinite if it is unknown.  There is
    no ratio if the bottoms are all 0.
    """
    below = sum(bottoms)
    if not below:
        return None
    found = Fraction(sum(tops), below)
    if drawn is None:
        return found, None
    pairs = zip(tops, bottoms, strict=True)
    shares = np.array([(top - found * bottom) / below for top, bottom in pairs], np.float64)
    size = sqrt(float(np.sum(shares * shares)) * _variance_left(drawn))
    known = np.count_nonzero(bottoms) >= KNOWN_POINTS and size > ROUNDING
    return found, size if known else inf


def _errors(
    pairs: Sequence[tuple[int, int]],
    places: Sequence[int],
    best_first: bool,
    drawn: tuple[int, int],
) -> Errors:
    """Compute the standard errors of a curve from the influence of each point.

    All figures are ratios of sums over the points, or follow from such: the sum up to
    a part of the weight moves with a point by as much as the point is beyond the
    equity there.
    """
    weights = np.array([float(weight) for _, weight in pairs])
    equities = np.array([won / weight / POT for won, weight in pairs])
    weights /= weights.sum()
    ends = np.cumsum(weights)
    left = _variance_left(drawn)

    def error(influence: NDArray[np.float64]) -> float:
        if len(pairs) < KNOWN_POINTS:
            return inf
        size = sqrt(float(np.sum(influence * influence)) * left)
        # Where all points agree there is no telling; rounding alone is no error.
        return size if size > ROUNDING else inf

    def moved(values: NDArray[np.float64]) -> NDArray[np.float64]:
        centred: NDArray[np.float64] = weights * (values - np.sum(weights * values))
        return centred

    def up_to(part: float) -> NDArray[np.float64]:
        at = equities[min(int(np.searchsorted(ends, part)), len(pairs) - 1)]
        beyond = equities - at
        return moved(np.maximum(beyond, 0) if best_first else np.minimum(beyond, 0))

    won_to = np.concatenate([[0.0], np.cumsum(weights * equities)])
    edges = np.concatenate([[0.0], ends])

    def band(size: int, number: int, linear: float) -> float:
        """Bound the standard error of the mean of one of ``size`` parts from below.

        Where equities have steps and gaps, a part moves from one to the next when the
        weight before it is off.  So the part is moved by one, two and three errors of
        that weight, and the error is what covers these moves.
        """
        start, stop = (number - 1) / size, number / size
        middle = (start + stop) / 2
        # How much of the weight is before the middle is off by this.
        off = sqrt(left * float(np.sum((weights * ((ends <= middle) - middle)) ** 2)))

        def average(move: float) -> float:
            first = min(max(start + move, 0.0), 1 - 1 / size)
            won = np.interp([first, first + 1 / size], edges, won_to)
            return float(won[1] - won[0]) * size

        here = average(0.0)
        moves = (1, -1, 2, -2, 3, -3)
        most = max(abs(average(times * off) - here) / abs(times) for times in moves)
        # What floats are off is no error, and an error of nothing is not known.
        if len(pairs) < KNOWN_POINTS:
            return inf
        return max(linear if linear < inf else 0.0, most if most > ROUNDING else 0.0) or inf

    slices, twentieths, running = [], [], []
    size = FINE // BINS
    before = last = up_to(0.0)
    for number in range(1, FINE + 1):
        here = up_to(number / FINE) if number < FINE else moved(equities)
        slices.append(band(FINE, number, error(FINE * (here - before))))
        before = here
        if number % size == 0:
            twentieths.append(band(BINS, number // size, error(BINS * (here - last))))
            running.append(error(here * (FINE / number)))
            last = here
    bins = [error(moved((np.array(places) == at).astype(float))) for at in range(BINS)]
    return Errors(running[-1], tuple(slices), tuple(twentieths), tuple(running), tuple(bins))
