"""Standard errors of distributions: of points drawn from more, and of points that are sampled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import erf, hypot, inf, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equity.results.tally import POT

__all__ = ["BINS", "FINE", "Errors", "Noise", "Noisy", "drawn_errors", "noise_errors"]

#: Number of slices of equal weight of a curve, and of bins of a histogram.
FINE = 100
BINS = 20
#: The error of half of equal points, if they are taken for different ones, in errors of one.
HIDDEN = 0.4
#: Replicates of a bootstrap.
REPLICATES = 40
#: With fewer points, errors are unknown.
KNOWN_POINTS = 20
#: An error below this is rounding.
ROUNDING = 1e-12


class Noise(NamedTuple):
    """Standard errors of sampled points."""

    #: (n,) of the equities, and of the weights as parts of these.
    equity: NDArray[np.float64]
    weight: NDArray[np.float64]
    #: (n,) the factors by which equities were moved towards their mean, see
    #: :func:`equity.views.points.sampled_points`.
    shrink: NDArray[np.float64]


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


def drawn_errors(
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


class Noisy:
    """Some of the points whose equities are sampled, and the standard errors of their figures.

    Points are independent of each other.  Half of what the shrinking changed is added to an
    error, for it is right on average only.

    Parameters
    ----------
    pairs:
        What each point wins, and its weight.
    noise:
        The errors of the points, in the same order.
    some:
        (n,) bool, the points that the figures are of.
    """

    def __init__(
        self, pairs: Sequence[tuple[int, int]], noise: Noise, some: NDArray[np.bool_]
    ) -> None:
        weights = np.array([float(weight) for _, weight in pairs])
        equities = np.array([won / weight / POT for won, weight in pairs])
        whole = float(weights @ equities) / float(weights.sum())
        self._equities = equities[some]
        self._raw = whole + (equities - whole)[some] / noise.shrink[some]
        self._weights = weights[some] / weights[some].sum()
        self._noise = Noise(*(part[some] for part in noise))
        # The variance of a point's share of the weight.
        self._share = (self._weights * self._noise.weight) ** 2

    def mean(self) -> float:
        """The error of the mean equity."""
        weights, equities = self._weights, self._equities
        mean = float(weights @ equities)
        variance = (weights * self._noise.equity) ** 2 + self._share * (equities - mean) ** 2
        return hypot(sqrt(float(variance.sum())), float(weights @ self._raw - mean) / 2)

    def from_equity(self, least: float) -> float:
        """The error of the part of the weight whose equities are at least ``least``.

        Half of the weight that errors may have moved in or out is added: they do not cancel
        where equities are dense on one side.
        """
        weights = self._weights
        distance = (self._equities - least) / (self._noise.equity * sqrt(2))
        # How likely a point is to be inside, given its error.
        chance = np.array([0.5 + 0.5 * erf(one) for one in distance.tolist()])
        total = float(weights @ chance)
        moved = weights**2 * chance * (1 - chance) + self._share * (chance - total) ** 2
        shrunk = float(weights @ (self._raw >= least) - weights @ (self._equities >= least))
        doubtful = float(weights @ np.minimum(chance, 1 - chance))
        return hypot(sqrt(float(moved.sum())), shrunk / 2, doubtful / 2)


class _Figures(NamedTuple):
    """The figures of a curve as floats."""

    mean: NDArray[np.float64]
    slices: NDArray[np.float64]
    twentieths: NDArray[np.float64]
    running: NDArray[np.float64]
    bins: NDArray[np.float64]


def _figures(
    equities: NDArray[np.float64], weights: NDArray[np.float64], best_first: bool
) -> _Figures:
    order = np.argsort(-equities if best_first else equities)
    ends = np.concatenate([[0.0], np.cumsum(weights[order])])
    won = np.concatenate([[0.0], np.cumsum((weights * equities)[order])])
    edges = np.interp(np.linspace(0, ends[-1], FINE + 1), ends, won) / ends[-1]
    twentieths = edges[:: FINE // BINS]
    return _Figures(
        edges[-1:],
        np.diff(edges) * FINE,
        np.diff(twentieths) * BINS,
        twentieths[1:] * BINS / np.arange(1, BINS + 1),
        _bins(equities, weights) / ends[-1],
    )


def noise_errors(pairs: Sequence[tuple[int, int]], noise: Noise, best_first: bool) -> Errors:
    """Estimate the standard errors of a curve over points whose equities are sampled.

    A parametric bootstrap: the points get errors once more, and are shrunk again; the spread
    and the bias of the figures that come of it are their errors.  To these is added what the
    shape of the distribution within an error of a point can hide, since several points that are
    equal are not seen as such: for bins, what moves when their edges are moved by such errors.
    So errors are rather too large than too small.
    """
    weights = np.array([float(weight) for _, weight in pairs])
    weights /= weights.sum()
    equities = np.array([won / weight / POT for won, weight in pairs])
    right = _figures(equities, weights, best_first)
    random = np.random.default_rng(0)
    drawn = []
    for _ in range(REPLICATES):
        again = equities + noise.equity * random.standard_normal(len(equities))
        own = weights * np.maximum(1 + noise.weight * random.standard_normal(len(weights)), 0)
        own /= own.sum()
        middle = float(own @ again)
        moved = noise.shrink * (again - middle)
        drawn.append(_figures(middle + moved - own @ moved, own, best_first))

    def spread(name: str) -> NDArray[np.float64]:
        """The root of the mean square: it has the variance and the bias in it."""
        off = np.array([getattr(one, name) for one in drawn]) - getattr(right, name)
        size: NDArray[np.float64] = np.sqrt((off * off).mean(axis=0))
        return size

    error = float(np.sqrt(weights @ noise.equity**2))
    shifts = [
        abs(_bins(equities + times * error, weights) - right.bins) / abs(times)
        for times in (-3, -2, -1, 1, 2, 3)
    ]
    # How much of the weight is within an error of the equity at the end of each twentieth.
    ends = right.slices[FINE // BINS - 1 :: FINE // BINS]
    close = np.array([weights[abs(equities - end) <= error].sum() for end in ends])
    hidden = HIDDEN * error * close / (np.arange(1, BINS + 1) / BINS)
    hidden[-1] = 0

    def errors(name: str, more: Any) -> tuple[float, ...]:
        """Errors with another part; one of 0 is not known."""
        return tuple(size or inf for size in np.hypot(spread(name), more).tolist())

    return Errors(
        errors("mean", 0.0)[0],
        errors("slices", 2 * HIDDEN * error),
        errors("twentieths", 2 * HIDDEN * error),
        errors("running", hidden),
        errors("bins", np.max(shifts, axis=0)),
    )


def _bins(equities: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weight of each bin of the histogram."""
    places = np.clip((equities * BINS).astype(int), 0, BINS - 1)
    found: NDArray[np.float64] = np.bincount(places, weights, minlength=BINS).astype(np.float64)
    return found
