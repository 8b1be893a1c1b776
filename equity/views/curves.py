"""Equity distributions over the combos of a range, or over boards."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equity.results.formats import finite
from equity.results.tally import POT
from equity.views.curve_errors import (
    BINS,
    FINE,
    Errors,
    Noise,
    Noisy,
    drawn_errors,
    noise_errors,
)

__all__ = ["BINS", "FINE", "Curve", "Errors", "Label", "Noise", "Points", "curve", "figure_of"]


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
    #: (n, cards) one of the boards that each point stands for; None for combos.
    boards: NDArray[np.uint8] | None = None


class Label(NamedTuple):
    """What a curve shows."""

    #: Whose equity it is, and over what.
    text: str
    #: What the mean from the first slice on is.
    running: str
    #: Whether the best equities come first.
    best_first: bool


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
        noise = Noise(*(part[order] for part in points.noise))
        errors = noise_errors(pairs, noise, label.best_first)
    elif points.drawn is not None:
        errors = drawn_errors(pairs, places, label.best_first, points.drawn)
    return Curve(
        label.text,
        label.running,
        points.count,
        Fraction(sums[-1], POT * total),
        tuple((edges[at + 1] - edges[at]) / unit for at in range(FINE)),
        tuple(Fraction(weight, total) for weight in bins),
        errors,
    )


def figure_of(
    points: Points, some: NDArray[np.bool_], least: Fraction | None = None
) -> tuple[Fraction | None, float | None]:
    """Compute the mean equity of some points, or the part of their weight that has an equity.

    Parameters
    ----------
    points:
        All points that there are, none drawn from more.
    some:
        (n,) bool, the points that count.
    least:
        The least equity that counts as reached; None asks for the mean.

    Returns
    -------
    figure, std_error
        The figure is None if the points have no weight, the error if their equities are exact.
    """
    held = [
        (won, weight)
        for won, weight, one in zip(points.won, points.weight, some.tolist(), strict=True)
        if one
    ]
    total = sum(weight for _, weight in held)
    if not total:
        return None, None
    if least is None:
        figure = Fraction(sum(won for won, _ in held), POT * total)
    else:
        enough = least * POT
        figure = Fraction(sum(weight for won, weight in held if won >= enough * weight), total)
    if points.noise is None:
        return figure, None
    noisy = Noisy(list(zip(points.won, points.weight, strict=True)), points.noise, some)
    return figure, noisy.mean() if least is None else noisy.from_equity(float(least))
