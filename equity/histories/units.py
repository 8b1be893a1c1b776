"""Printed amounts as integers: ``$1,234.50`` is 123450 cents."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import TypeVar

__all__ = ["COARSE", "FINEST", "FinerError", "in_units", "units", "whole_units"]

Found = TypeVar("Found")

#: Cents; amounts of chips have no decimals.
COARSE = 100
#: The most units of one: eight decimals.
FINEST = 10**8
#: A sign or a code of letters, the digits, and a sign or a code again.
_AMOUNT = re.compile(
    r"[^\W\d]{0,3}[^\w.,;:\s\[\]()-]{0,2}"
    r"(?:(\d{1,3}(?:[,\u2019']\d{3})+|\d+)(?:\.(\d{1,12}))?|(\d+),(\d{1,2}))"
    r"[^\w.,;:\s\[\](-]{0,2}[^\W\d]{0,3}"
)


class FinerError(ValueError):
    """An amount with more decimals than the unit of the hand; ``unit`` is one that does."""

    def __init__(self, unit: int) -> None:
        super().__init__(unit)
        self.unit = unit


def in_units(unit: int, read: Callable[[int], Found]) -> Found:
    """What ``read`` finds, called with finer units until every amount is a multiple of them."""
    while True:
        try:
            return read(unit)
        except FinerError as error:
            unit = error.unit


@lru_cache(maxsize=1 << 14)
def units(text: str, unit: int) -> int:
    """The integer of a printed amount, in units of which ``unit`` make one.

    Raises
    ------
    FinerError
        It is no multiple of the unit, but of a finer one.
    ValueError
        It is no amount.
    """
    match = _AMOUNT.fullmatch(text)
    if match is None or len(text) > 30:
        raise ValueError(text)
    whole, decimals, other_whole, other_decimals = match.groups()
    digits = "".join(filter(str.isdigit, whole or other_whole))
    decimals = (decimals or other_decimals or "").rstrip("0")
    if 10 ** len(decimals) > unit:
        if 10 ** len(decimals) > FINEST:
            raise ValueError(text)
        raise FinerError(COARSE ** -(-len(decimals) // 2))
    part: int = unit // 10 ** len(decimals)
    return int(digits) * unit + int(decimals or 0) * part


def whole_units(value: object, unit: int) -> int:
    """The integer of an amount that is a number; floats are rounded to eight decimals.

    Raises
    ------
    FinerError
        It is no multiple of the unit, but of a finer one.
    ValueError
        It is no amount.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal | str):
        raise ValueError(value)
    try:
        exact = Decimal(str(value))
    except InvalidOperation:
        raise ValueError(value) from None
    if not exact.is_finite() or not 0 <= exact < 10**15:
        raise ValueError(value)
    fine = int(exact.scaleb(8).to_integral_value())
    if fine * unit % FINEST == 0:
        return fine * unit // FINEST
    finer = COARSE
    while fine * finer % FINEST:
        finer *= COARSE
    raise FinerError(finer)
