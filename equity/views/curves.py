"""Equity distributions over the combos of a range, or over boards."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import hypot, inf, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equity.results.formats import finite
from equity.results.tally import POT

__all__ = ["BINS", "FINE", "Curve", "Errors", "Label", "Noise", "Points", "curve"]

#: Number of slices of equal weight of a curve, and of bins of a histogram.
FINE = 100
BINS = 20
#: With fewer points, errors are unknown.
KNOWN_POINTS = 20
#: An error below this is rounding.
ROUNDING = 1e-12


class Noise(NamedTuple):
    """Standard errors of sampled points."""

    #: (n,) of the equities, and of the weights as parts of these.
    equity: NDArray[np.float64]
    weight: NDArray[np.float64]
    #: The factor by which equities were moved towards their mean, see points.sampled_points.
    shrink: float = 1.0


@dataclass(frozen=True)
class Points:
    """Combos or boards: what each wins, in units of 1 / POT, and its weight."""

    won: Sequence[int]
    weight: Sequence[int]
    #: How many combos or boards they stand for, those without a deal left out.
    count: int
    #: Number drawn and of all, those without a deal included; None if these are all.
    drawn: tuple[int, int] | None = None
    #: The errors of points whose equities are sampled, and the deals of that sample; None
    #: if equities are exact.
    noise: Noise | None = None
    deals: int | None = None


class Label(NamedTuple):
    """What a curve shows."""

    #: Whose equity it is, and over what.
    text: str
    #: What the mean from the first slice on is.
    running: str
    #: Whether the best equities come first.
    best_first: bool


@dataclass(frozen=True)
class Errors:
    """Standard errors of a sampled curve; infinite if unknown."""

    mean: float
    slices: tuple[float, ...]
    #: Those of the means of twentieths, of running means, and of bins.  Errors of slices
    #: and twentieths are conservative.
    twentieths: tuple[float, ...]
    running: tuple[float, ...]
    bins: tuple[float, ...]


@dataclass(frozen=True)
class Curve:
    """Equities sorted in descending order, in slices of equal weight."""

    #: Whose equity it is, and over what.
    label: str
    #: Label of the running mean.
    running_label: str
    #: Number of combos or boards.
    count: int
    mean_exact: Fraction
    #: Mean equity of each hundredth, in order.
    slices: tuple[Fraction, ...]
    #: Share of points with an equity from 0 to 1/20, from 1/20 to 2/20, and so on; 1 is in
    #: the last bin.
    bins: tuple[Fraction, ...]
    #: None if all points were enumerated.
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


def curve(points: Points, label: Label) -> Curve:
    """Compute the curve and the histogram of points, not all of weight 0."""
    every = zip(points.won, points.weight, range(len(points.won)), strict=True)
    found = [triple for triple in every if triple[1]]
    found.sort(key=lambda triple: triple[0] / triple[1], reverse=label.best_first)
    pairs = [(won, weight) for won, weight, _ in found]
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
    errors = None
    if points.noise is not None:
        order = np.array([number for _, _, number in found])
        equities, parts, shrink = points.noise
        errors = _noise_errors(pairs, Noise(equities[order], parts[order], shrink))
    elif points.drawn is not None:
        errors = _errors(pairs, places, label.best_first, points.drawn)
    return Curve(
        label.text,
        label.running,
        points.count,
        Fraction(sums[-1], POT * total),
        tuple((edges[at + 1] - edges[at]) / unit for at in range(FINE)),
        tuple(Fraction(weight, total) for weight in bins),
        errors,
    )


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
    count, every = drawn
    weights = np.array([float(weight) for _, weight in pairs])
    equities = np.array([won / weight / POT for won, weight in pairs])
    weights /= weights.sum()
    ends = np.cumsum(weights)
    left = max(0.0, 1 - count / every) * count / max(1, count - 1)

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


def _noise_errors(pairs: Sequence[tuple[int, int]], noise: Noise) -> Errors:
    """Compute the standard errors of a curve over points whose equities are sampled.

    Points are independent of each other.  The errors of slices are those of the points in
    them, which is rather too much, since errors also move points between slices.  Half of what
    the shrinking changed is added, for it is right on average only.
    """
    weights = np.array([float(weight) for _, weight in pairs])
    equities = np.array([won / weight / POT for won, weight in pairs])
    weights /= weights.sum()
    ends = np.cumsum(weights)
    # The variance that a point adds to a weighted sum, and that of its share of the weight.
    variance = (weights * noise.equity) ** 2
    share = (weights * noise.weight) ** 2
    whole = float(weights @ equities)
    raw = whole + (equities - whole) / noise.shrink

    def part(start: float, stop: float) -> float:
        """The error of the mean equity of a part of the weight."""
        inside = np.clip((np.minimum(ends, stop) - np.maximum(ends - weights, start)), 0, None)
        inside /= weights
        mean = float(np.sum(inside * weights * equities)) / (stop - start)
        found = inside * inside * (variance + share * (equities - mean) ** 2)
        shrunk = (mean - whole) * (1 / noise.shrink - 1)
        return hypot(sqrt(float(np.sum(found))) / (stop - start), shrunk / 2)

    bins = []
    for at in range(BINS):
        # How likely a point is to be in the bin, given its error.
        low, high = (_below(bound / BINS, equities, noise.equity) for bound in (at, at + 1))
        inside = (high if at < BINS - 1 else 1.0) - (low if at else 0.0)
        total = float(np.sum(weights * inside))
        moved = weights**2 * inside * (1 - inside) + share * (inside - total) ** 2
        before = (raw >= at / BINS) & ((raw < (at + 1) / BINS) | (at == BINS - 1))
        after = (equities >= at / BINS) & ((equities < (at + 1) / BINS) | (at == BINS - 1))
        shrunk = float(weights @ before - weights @ after)
        bins.append(hypot(sqrt(float(np.sum(moved))), shrunk / 2))
    return Errors(
        part(0, 1),
        tuple(part(at / FINE, (at + 1) / FINE) for at in range(FINE)),
        tuple(part(at / BINS, (at + 1) / BINS) for at in range(BINS)),
        tuple(part(0, (at + 1) / BINS) for at in range(BINS)),
        tuple(bins),
    )


def _below(
    bound: float, equities: NDArray[np.float64], errors: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The probability that equities are below a bound, given normal errors."""
    from math import erf

    distance = (bound - equities) / (errors * sqrt(2))
    return np.array([0.5 + 0.5 * erf(one) for one in distance.tolist()])
