"""Adds up the values of deals, and makes figures of the sums."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, inf, sqrt
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from equity.queries.columns import Column, total
from equity.queries.program import Output
from equity.queries.results import Bin, Figure
from equity.queries.types import BOOLEAN, EQUITY, STRING, number_text
from equity.results.ratio import ratio_variance

__all__ = ["Sum", "share_error", "start_sum"]

Weights = NDArray[np.int64] | None
#: Values of small integers are counted by a table.
_SMALL = 1 << 16
#: Below this, sums of floats are exact.
_EXACT = 1 << 53


class Sum(Protocol):
    """The sums of one result."""

    def part(self, column: Column, weights: Weights) -> Any:
        """What deals add to the sums; on any thread."""

    def add(self, part: Any) -> None:
        """Add it."""

    def figure(self, deals: int, texts: list[str], *, exact: bool) -> Figure:
        """The figure of all sums, for the deals that passed, by weight."""

    def error(self, deals: int) -> float:
        """About the standard error of a sample, in shares of the spread of values."""


def start_sum(output: Output) -> Sum:
    """Sums of nothing for a result."""
    return _SUMS[output.kind](output)


def share_error(hits: int, deals: int) -> float:
    """The standard error of a share of independent deals; infinite if all agree."""
    if deals < 2 or not 0 < hits < deals:
        return inf
    # Deals are draws of one each: the general ratio with n = 1.
    return sqrt(ratio_variance(hits / deals, deals, deals, xx=hits, nx=hits, nn=deals))


def _likely_error(hits: int, deals: int) -> float:
    """The same with a deal of each kind more, so that it is known for every sample."""
    return share_error(hits + 1, deals + 2)


def _weight(valid: NDArray[np.bool_] | None, weights: Weights, count: int) -> int:
    """The weight of the deals that have a value."""
    if weights is None:
        return count if valid is None else int(np.count_nonzero(valid))
    return total(weights if valid is None else weights[valid])


class _Count:
    """How many deals a boolean is true in."""

    def __init__(self, output: Output) -> None:
        self.output = output
        self.hits = 0

    def part(self, column: Column, weights: Weights) -> int:
        mask = column.data.astype(np.bool_, copy=False)
        return int(np.count_nonzero(mask)) if weights is None else total(weights[mask])

    def add(self, part: int) -> None:
        self.hits += part

    def figure(self, deals: int, texts: list[str], *, exact: bool) -> Figure:  # noqa: ARG002
        share = Fraction(self.hits, deals)
        return Figure(
            self.output.name,
            self.output.kind,
            BOOLEAN.name,
            deals,
            share=float(share),
            hits=self.hits,
            value_exact=share if exact else None,
            std_error=None if exact else share_error(self.hits, deals),
        )

    def error(self, deals: int) -> float:
        return _likely_error(self.hits, deals)


class _Average:
    """The mean of a number."""

    def __init__(self, output: Output) -> None:
        self.output = output
        self.of = 0
        #: Sums of numerators by denominator.
        self.sums: dict[int, int] = {}
        self.squares = 0.0
        self.least, self.most = inf, -inf

    def part(self, column: Column, weights: Weights) -> Any:
        if column.valid is not None:
            weights = None if weights is None else weights[column.valid]
            column = column.take(column.valid)
        data = column.data
        of = _weight(None, weights, len(data))
        if not len(data):
            return 0, {}, 0.0, inf, -inf
        sums: dict[int, int] = {}
        if isinstance(column.den, int):
            sums[column.den] = total(_weighted(data, weights))
        else:
            dens = np.asarray(column.den)
            for den in np.unique(dens).tolist():
                rows = dens == den
                mine = None if weights is None else weights[rows]
                sums[int(den)] = total(_weighted(data[rows], mine))
        values = data.astype(np.float64) / np.asarray(column.den, np.float64)
        squares = float(np.dot(values, values)) if weights is None else 0.0
        return of, sums, squares, float(values.min()), float(values.max())

    def add(self, part: Any) -> None:
        of, sums, squares, least, most = part
        self.of += of
        for den, value in sums.items():
            self.sums[den] = self.sums.get(den, 0) + value
        self.squares += squares
        self.least, self.most = min(self.least, least), max(self.most, most)

    def _mean(self) -> Fraction:
        parts = [Fraction(value, den) for den, value in sorted(self.sums.items())]
        # In pairs, so that the denominators grow late.
        while len(parts) > 1:
            parts = [sum(parts[at : at + 2], Fraction(0)) for at in range(0, len(parts), 2)]
        return parts[0] / self.of

    def _float(self) -> float:
        return sum(value / den for den, value in sorted(self.sums.items())) / self.of

    def figure(self, deals: int, texts: list[str], *, exact: bool) -> Figure:  # noqa: ARG002
        mean = self._mean() if exact and self.of else None
        value = float(mean) if mean is not None else self._float() if self.of else None
        return Figure(
            self.output.name,
            self.output.kind,
            self.output.type.name,
            self.of,
            value=value,
            value_exact=mean,
            std_error=None if exact else self._error(),
        )

    def _error(self) -> float:
        if self.of < 2 or self.least == self.most:
            return inf
        mean = self._float()
        square = ratio_variance(
            mean, self.of, self.of, xx=self.squares, nx=mean * self.of, nn=self.of
        )
        return sqrt(max(square, 0.0))

    def error(self, deals: int) -> float:
        found = self._error()
        spread = 1.0 if self.output.type == EQUITY else self.most - self.least
        if found == inf or not spread:
            return _likely_error(0, max(self.of, 1)) if deals else inf
        return found / spread


def _weighted(data: NDArray[Any], weights: Weights) -> NDArray[Any]:
    if weights is None:
        return data
    if data.dtype == object or _magnitude(data) * _magnitude(weights) >= 1 << 62:
        return data.astype(object) * weights
    return data.astype(np.int64) * weights


def _magnitude(data: NDArray[Any]) -> int:
    return max(abs(int(data.max())), abs(int(data.min()))) if len(data) else 0


class _Values:
    """How many deals have each value."""

    def __init__(self, output: Output) -> None:
        self.output = output
        #: Weights by value: a pair of numerator and denominator, in lowest terms.
        self.weights: dict[tuple[int, int], int] = {}

    def part(self, column: Column, weights: Weights) -> dict[tuple[int, int], int]:
        if column.valid is not None:
            weights = None if weights is None else weights[column.valid]
            column = column.take(column.valid)
        if not len(column.data):
            return {}
        if isinstance(column.den, int):
            counted = _counted(column.data, weights)
            pairs = [(value, column.den, hits) for value, hits in counted]
        else:
            rows = np.stack([column.data, column.den], axis=1)
            if rows.dtype == object:
                of_row: dict[tuple[int, int], int] = {}
                each = [1] * len(rows) if weights is None else weights.tolist()
                for (one, den), weight in zip(rows.tolist(), each, strict=True):
                    of_row[one, den] = of_row.get((one, den), 0) + weight
                pairs = [(one, den, hits) for (one, den), hits in of_row.items()]
            else:
                every, of = np.unique(rows, axis=0, return_inverse=True)
                pairs = [
                    (*every[at].tolist(), hits) for at, hits in _counted(of.reshape(-1), weights)
                ]
        found: dict[tuple[int, int], int] = {}
        for one, den, hits in pairs:
            value = Fraction(int(one), int(den))
            key = value.numerator, value.denominator
            found[key] = found.get(key, 0) + hits
        return found

    def add(self, part: dict[tuple[int, int], int]) -> None:
        for key, hits in part.items():
            self.weights[key] = self.weights.get(key, 0) + hits

    @property
    def of(self) -> int:
        """The weight of the deals that had a value."""
        return sum(self.weights.values())

    @property
    def sorted(self) -> list[tuple[Fraction, int]]:
        """The values in their order, and their weights."""
        return sorted((Fraction(*key), hits) for key, hits in self.weights.items())

    def text(self, value: Fraction, texts: list[str]) -> str:
        kind = self.output.type
        if kind == STRING:
            return texts[int(value)]
        return kind.text(value) if kind.is_numeric else kind.text(int(value))

    def chosen(self, value: Fraction | None, texts: list[str], **more: Any) -> Figure:
        """The figure of one value."""
        is_number = self.output.type.is_numeric
        exact = more.pop("exact")
        shown: float | str | None = None
        if value is not None:
            shown = float(value) if is_number else self.text(value, texts)
        return Figure(
            self.output.name,
            self.output.kind,
            self.output.type.name,
            self.of,
            value=shown,
            value_exact=value if exact and is_number else None,
            **more,
        )

    def error(self, deals: int) -> float:
        return max(
            (_likely_error(hits, deals) for hits in self.weights.values()),
            default=_likely_error(0, deals),
        )


class _Histogram(_Values):
    """Every value with its share."""

    def figure(self, deals: int, texts: list[str], *, exact: bool) -> Figure:  # noqa: ARG002
        of = self.of
        rows = [(self.text(value, texts), hits) for value, hits in self.sorted]
        # Rank sets and strings have no order but that of their texts.
        if not self.output.type.is_ordered and self.output.type != BOOLEAN:
            rows.sort()
        return Figure(
            self.output.name,
            self.output.kind,
            self.output.type.name,
            of,
            bins=tuple(_bin(label, hits, of, exact=exact) for label, hits in rows),
        )


def _bin(label: str, hits: int, of: int, *, exact: bool) -> Bin:
    return Bin(label, hits / of, hits, None if exact else share_error(hits, of))


class _Extreme(_Values):
    """The least or the greatest value."""

    def part(self, column: Column, weights: Weights) -> dict[tuple[int, int], int]:
        found = super().part(column, weights)
        return self._narrowed(found)

    def add(self, part: dict[tuple[int, int], int]) -> None:
        super().add(part)
        self.weights = self._narrowed(self.weights)

    def _narrowed(self, found: dict[tuple[int, int], int]) -> dict[tuple[int, int], int]:
        """All weight on the extreme value, so that the number of deals is kept."""
        if len(found) < 2:
            return found
        best = (min if self.output.kind == "min" else max)(found, key=lambda key: Fraction(*key))
        return {best: sum(found.values())}

    def figure(self, deals: int, texts: list[str], *, exact: bool) -> Figure:  # noqa: ARG002
        value = next((Fraction(*key) for key in self.weights), None)
        return self.chosen(value, texts, exact=exact)

    def error(self, deals: int) -> float:
        return _likely_error(0, deals)


class _Quantile(_Values):
    """The least value that a share of the deals does not exceed."""

    def figure(self, deals: int, texts: list[str], *, exact: bool) -> Figure:  # noqa: ARG002
        rows, of = self.sorted, self.of
        share = self.output.second or Fraction(0)
        value = _at(rows, share * of)
        error = None
        if not exact:
            error = inf
            if value is not None and of > 1:
                error = _quantile_error(rows, of, share, value)
        return self.chosen(value, texts, exact=exact, std_error=error)

    def error(self, deals: int) -> float:
        share = float(self.output.second or 0)
        return _likely_error(int(share * deals), deals)


def _at(rows: list[tuple[Fraction, int]], weight: Fraction | float) -> Fraction | None:
    """The first value up to and with which there is so much weight."""
    below = 0
    for value, hits in rows:
        below += hits
        if below >= weight:
            return value
    return rows[-1][0] if rows else None


def _quantile_error(
    rows: list[tuple[Fraction, int]], of: int, share: Fraction, value: Fraction
) -> float:
    """How far the values are away that stand a standard error of the rank before and behind."""
    rank = float(share) * of
    width = sqrt(of * float(share) * (1 - float(share)))
    low = _at(rows, max(rank - width, 0.0)) or value
    high = _at(rows, min(ceil(rank + width), of)) or value
    return float(max(value - low, high - value))


def _counted(data: NDArray[Any], weights: Weights) -> list[tuple[int, int]]:
    """Pairs of a value and its weight."""
    if data.dtype == np.bool_:
        data = data.astype(np.uint8)
    if data.dtype != object:
        least, most = int(data.min()), int(data.max())
        heavy = weights is not None and total(weights) >= _EXACT
        if most - least < _SMALL and not heavy:
            shifted = data.astype(np.int64) - least
            counts = np.bincount(shifted, weights)
            at = np.flatnonzero(counts)
            return list(
                zip((at + least).tolist(), counts[at].astype(np.int64).tolist(), strict=True)
            )
    values, of = np.unique(data, return_inverse=True)
    counts = np.zeros(len(values), np.int64 if weights is None else object)
    np.add.at(counts, of.reshape(-1), 1 if weights is None else weights)
    return list(zip(values.tolist(), counts.tolist(), strict=True))


class _Bins:
    """How many deals have an equity in each bin."""

    def __init__(self, output: Output) -> None:
        self.output = output
        self.count = int(output.second or 1)
        self.hits: dict[int, int] = {}
        self.of = 0

    def part(self, column: Column, weights: Weights) -> Any:
        if column.valid is not None:
            weights = None if weights is None else weights[column.valid]
            column = column.take(column.valid)
        if not len(column.data):
            return 0, []
        top = self.count * _magnitude(column.data)
        data = column.data.astype(object if top >= 1 << 62 else np.int64)
        at = np.minimum(data * self.count // column.den, self.count - 1).astype(np.int64)
        return _weight(None, weights, len(at)), _counted(at, weights)

    def add(self, part: Any) -> None:
        of, counted = part
        self.of += of
        for at, hits in counted:
            self.hits[at] = self.hits.get(at, 0) + hits

    def figure(self, deals: int, texts: list[str], *, exact: bool) -> Figure:  # noqa: ARG002
        width = Fraction(100, self.count)
        bins = []
        for at in sorted(self.hits):
            ends = f"{number_text(at * width)},{number_text((at + 1) * width)}"
            label = f"[{ends}{']' if at == self.count - 1 else ')'}"
            bins.append(_bin(label, self.hits[at], self.of, exact=exact))
        return Figure(self.output.name, self.output.kind, EQUITY.name, self.of, bins=tuple(bins))

    def error(self, deals: int) -> float:
        return max(
            (_likely_error(hits, deals) for hits in self.hits.values()),
            default=_likely_error(0, deals),
        )


def _histogram(output: Output) -> Sum:
    return _Bins(output) if output.type == EQUITY else _Histogram(output)


_SUMS: dict[str, Callable[[Output], Sum]] = {
    "count": _Count,
    "avg": _Average,
    "min": _Extreme,
    "max": _Extreme,
    "histogram": _histogram,
    "median": _Quantile,
    "quantile": _Quantile,
}
