"""How something grows: seconds = constant x size ^ exponent, by least squares of logarithms."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from math import exp, log
from typing import NamedTuple

__all__ = ["Fit", "fit", "fits"]


class Fit(NamedTuple):
    """A power law; the constant is what a size of one would take."""

    exponent: float
    constant: float
    #: The largest factor between what was measured and the law.
    off: float


def fit(sizes: Sequence[float], seconds: Sequence[float]) -> Fit:
    """The power law that is nearest to what was measured."""
    line = statistics.linear_regression([log(size) for size in sizes], [log(t) for t in seconds])
    law = [exp(line.intercept) * size**line.slope for size in sizes]
    off = max(max(t / by_law, by_law / t) for t, by_law in zip(seconds, law, strict=True))
    return Fit(line.slope, exp(line.intercept), off)


def fits(sizes: Sequence[float], rounds: Sequence[Sequence[float]]) -> list[Fit]:
    """A law for each round."""
    return [fit(sizes, seconds) for seconds in rounds]
