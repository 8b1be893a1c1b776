"""Standard errors of distributions: of points drawn from more, and of points that are sampled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, inf, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from equity.results.tally import POT

__all__ = ["BINS", "FINE", "Errors", "Noise", "Noisy", "drawn_errors", "noise_errors"]

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
    """Points whose equities are sampled, and the standard errors of figures of some of them.

    Points are independent of each other.  Half of what the shrinking changed is added to an
    error, for it is right on average only.

    Parameters
    ----------
    pairs:
        What each point wins, and its weight.
    noise:
        The errors of the points, in the same order.
    some:
        (n,) bool, the points that the figures are of; all by default.
    """

    def __init__(
        self,
        pairs: Sequence[tuple[int, int]],
        noise: Noise,
        some: NDArray[np.bool_] | None = None,
    ) -> None:
        weights = np.array([float(weight) for _, weight in pairs])
        equities = np.array([won / weight / POT for won, weight in pairs])
        every = slice(None) if some is None else some
        self._whole = float(weights @ equities) / float(weights.sum())
        self._equities = equities[every]
        self._weights = weights[every] / weights[every].sum()
        self._ends = np.cumsum(self._weights)
        self._noise = Noise(noise.equity[every], noise.weight[every], noise.shrink)
        # The variance that a point adds to a weighted sum, and that of its share of the weight.
        self._variance = (self._weights * self._noise.equity) ** 2
        self._share = (self._weights * self._noise.weight) ** 2

    def part(self, start: float, stop: float) -> float:
        """The error of the mean equity of a part of the weight.

        That is the error of the points in it, which is rather too much, since errors also
        move points between parts.
        """
        weights, equities, ends = self._weights, self._equities, self._ends
        inside = np.clip((np.minimum(ends, stop) - np.maximum(ends - weights, start)), 0, None)
        inside /= weights
        mean = float(np.sum(inside * weights * equities)) / (stop - start)
        found = inside * inside * (self._variance + self._share * (equities - mean) ** 2)
        shrunk = (mean - self._whole) * (1 / self._noise.shrink - 1)
        return hypot(sqrt(float(np.sum(found))) / (stop - start), shrunk / 2)

    def between(self, low: float, high: float) -> float:
        """The error of the part of the weight whose equities are from ``low`` to below ``high``.

        The largest equity, 1, is in a part up to 1.  Half of the weight that errors may have
        moved in or out is added: they do not cancel where equities are dense on one side.
        """
        weights, equities = self._weights, self._equities
        # How likely a point is to be inside, given its error.
        chance = self._below(high) - self._below(low)
        total = float(np.sum(weights * chance))
        moved = weights**2 * chance * (1 - chance) + self._share * (chance - total) ** 2
        raw = self._whole + (equities - self._whole) / self._noise.shrink
        before, after = (_inside(values, low, high) for values in (raw, equities))
        shrunk = float(weights @ before - weights @ after)
        doubtful = float(weights @ np.minimum(chance, 1 - chance))
        return hypot(sqrt(float(np.sum(moved))), shrunk / 2, doubtful / 2)

    def _below(self, bound: float) -> NDArray[np.float64]:
        """The probability that equities are below a bound."""
        if not 0 < bound < 1:
            return np.full(len(self._equities), float(bound > 0))
        return _below(bound, self._equities, self._noise.equity)


def noise_errors(pairs: Sequence[tuple[int, int]], noise: Noise) -> Errors:
    """Compute the standard errors of a curve over points whose equities are sampled."""
    noisy = Noisy(pairs, noise)
    return Errors(
        noisy.part(0, 1),
        tuple(noisy.part(at / FINE, (at + 1) / FINE) for at in range(FINE)),
        tuple(noisy.part(at / BINS, (at + 1) / BINS) for at in range(BINS)),
        tuple(noisy.part(0, (at + 1) / BINS) for at in range(BINS)),
        tuple(noisy.between(at / BINS, (at + 1) / BINS) for at in range(BINS)),
    )


def _inside(values: NDArray[np.float64], low: float, high: float) -> NDArray[np.bool_]:
    """Whether values are from ``low`` to below ``high``; those that are 1 are in a part up to 1."""
    found: NDArray[np.bool_] = (values >= low) & ((values < high) | (high == 1))
    return found


def _below(
    bound: float, equities: NDArray[np.float64], errors: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The probability that equities are below a bound, given normal errors."""
    from math import erf

    distance = (bound - equities) / (errors * sqrt(2))
    return np.array([0.5 + 0.5 * erf(one) for one in distance.tolist()])
