"""Values of an expression for many deals, and exact calculation with them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor, lcm
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Column", "arithmetic", "chosen", "compared", "constant", "total"]

#: Integers whose magnitude stays below this are held in 64 bits.
_SAFE = 1 << 62

Mask = NDArray[np.bool_]


class Column(NamedTuple):
    """Values, one for each deal, or one for all.

    Booleans are bool, values of other types integers; those of a numeric type are divided
    by ``den``, a positive integer or an array of them.
    """

    data: NDArray[Any]
    den: Any = 1
    #: Where there is a value; None means everywhere.
    valid: Mask | None = None

    def spread(self, count: int) -> Column:
        """The same with an entry for each of ``count`` deals."""
        if len(self.data) == count and (np.ndim(self.den) == 0 or len(self.den) == count):
            return self
        valid = None if self.valid is None else np.broadcast_to(self.valid, count)
        den = self.den if np.ndim(self.den) == 0 else np.broadcast_to(self.den, count)
        return Column(np.broadcast_to(self.data, count), den, valid)

    def take(self, rows: Any) -> Column:
        """Some of the rows, by a mask or by numbers."""
        den = self.den if np.ndim(self.den) == 0 else self.den[rows]
        return Column(self.data[rows], den, None if self.valid is None else self.valid[rows])


def constant(value: Any) -> Column:
    """A column of one value, which may be None."""
    if value is None:
        return Column(np.zeros(1, np.int64), 1, np.zeros(1, np.bool_))
    if isinstance(value, Fraction):
        kind = np.int64 if abs(value.numerator) < _SAFE else object
        return Column(np.array([value.numerator], kind), value.denominator)
    return Column(np.array([value]))


def total(values: NDArray[Any]) -> int:
    """The sum of integers, of any size."""
    if not len(values):
        return 0
    if values.dtype == np.bool_:
        return int(np.count_nonzero(values))
    if values.dtype != object and _most(values) * len(values) >= _SAFE:
        values = values.astype(object)
    return int(values.sum() if values.dtype == object else values.sum(dtype=np.int64))


def _most(values: Any) -> int:
    """The greatest magnitude."""
    if isinstance(values, int):
        return abs(values)
    if not len(values):
        return 0
    return max(abs(int(values.max())), abs(int(values.min())))


def _times(one: Any, other: Any) -> Any:
    """The product of integers or arrays of them, exact at any size."""
    if isinstance(one, int) and isinstance(other, int):
        return one * other
    if isinstance(one, int):
        one, other = other, one
    if isinstance(other, int) and other == 1:
        return one
    most = max(_most(one), 1) * max(_most(other), 1)
    if _is_wide(one) or _is_wide(other) or most >= _SAFE:
        return _wide(one) * _wide(other)
    if isinstance(other, int):
        return one.astype(np.int64) * other
    return one.astype(np.int64) * other.astype(np.int64)


def _plus(one: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
    if _is_wide(one) or _is_wide(other) or _most(one) + _most(other) >= _SAFE:
        return np.asarray(_wide(one) + _wide(other))
    return one.astype(np.int64) + other.astype(np.int64)


def _is_wide(values: Any) -> bool:
    return not isinstance(values, int) and values.dtype == object


def _wide(values: Any) -> Any:
    return values if isinstance(values, int) else values.astype(object)


def _both(one: Column, other: Column) -> Mask | None:
    """Where both columns have a value."""
    if one.valid is None or other.valid is None:
        return other.valid if one.valid is None else one.valid
    return one.valid & other.valid


def _aligned(one: Column, other: Column) -> tuple[NDArray[Any], NDArray[Any], Any]:
    """The numerators of both over a common denominator."""
    if isinstance(one.den, int) and isinstance(other.den, int):
        den = lcm(one.den, other.den)
        return _times(one.data, den // one.den), _times(other.data, den // other.den), den
    return _times(one.data, other.den), _times(other.data, one.den), _times(one.den, other.den)


def arithmetic(sign: str, parts: list[Column]) -> Column:
    """``+``, ``-``, ``*`` or ``/`` of columns; ``-`` of one is its negative."""
    one = parts[0]
    if len(parts) == 1:
        return Column(-one.data.astype(object if _is_wide(one.data) else np.int64), *one[1:])
    other = parts[1]
    valid = _both(one, other)
    if sign in "+-":
        first, second, den = _aligned(one, other)
        second = second if sign == "+" else _times(second, -1)
        return Column(_plus(first, second), den, valid)
    if sign == "*":
        return Column(_times(one.data, other.data), _times(one.den, other.den), valid)
    # The divisor turned round, with the sign in the numerator.
    defined = other.data != 0
    bottom = np.where(defined, other.data, 1)
    signs = np.where(bottom < 0, -1, 1)
    data = _times(_times(one.data, other.den), signs)
    den = _times(_times(bottom, signs), one.den)
    valid = defined if valid is None else valid & defined
    if len(den) == 1:
        den = int(den[0])
    return Column(data, den, None if valid.all() else valid)


_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "=": np.equal,
    "<>": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}
_TURNED = {"=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def compared(sign: str, one: Column, other: Column) -> Mask:
    """Where a comparison holds; where a value does not exist it does not."""
    if len(one.data) == 1 and len(other.data) > 1:
        one, other, sign = other, one, _TURNED[sign]
    valid = _both(one, other)
    if len(other.data) == 1 and isinstance(one.den, int) and isinstance(other.den, int):
        found = _with_constant(sign, one, Fraction(int(other.data[0]), other.den))
    else:
        first, second, _ = _aligned(one, other)
        found = _COMPARE[sign](first, second)
    mask = np.asarray(found, np.bool_)
    return mask if valid is None else mask & valid


def _with_constant(sign: str, one: Column, value: Fraction) -> Any:
    """Compare numerators with the integer that decides."""
    scaled = value * one.den
    if sign in ("=", "<>"):
        if scaled.denominator != 1:
            return np.full(len(one.data), sign == "<>")
        bound = int(scaled)
    else:
        bound = ceil(scaled) if sign in ("<", ">=") else floor(scaled)
    if one.data.dtype == np.bool_:
        return _COMPARE[sign](one.data.astype(np.int64), bound)
    if one.data.dtype != object:
        # Bounds beyond the values decide as the least one beyond them does.
        limits = np.iinfo(one.data.dtype)
        if not limits.min <= bound <= limits.max:
            return np.full(len(one.data), _COMPARE[sign](0, 1 if bound > 0 else -1))
    return _COMPARE[sign](one.data, bound)


def chosen(conditions: list[Mask], branches: list[Column], count: int) -> Column:
    """For each deal the branch of the first condition that holds, else the last one."""
    dens = [branch.den for branch in branches]
    if all(isinstance(den, int) for den in dens):
        den: Any = lcm(*dens)
        datas = [_times(branch.data, den // branch.den) for branch in branches]
    else:
        spread = [branch.spread(count) for branch in branches]
        datas = [branch.data for branch in spread]
        den = _select(conditions, [np.asarray(branch.den) for branch in spread], count)
    data = _select(conditions, datas, count)
    valid = None
    if any(branch.valid is not None for branch in branches):
        every = np.ones(1, np.bool_)
        masks = [every if branch.valid is None else branch.valid for branch in branches]
        valid = _select(conditions, masks, count).astype(np.bool_)
    return Column(data, den, valid)


def _select(conditions: list[Mask], values: list[NDArray[Any]], count: int) -> NDArray[Any]:
    kind = np.result_type(*(value.dtype for value in values))
    found = np.array(np.broadcast_to(values[-1], count), kind)
    for condition, value in zip(reversed(conditions), reversed(values[:-1]), strict=True):
        mask = np.broadcast_to(condition, count)
        np.copyto(found, np.broadcast_to(value, count).astype(kind, copy=False), where=mask)
    return found
