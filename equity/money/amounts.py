"""Amounts of money as exact fractions, and their text."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from numbers import Number, Rational

from equity.common.arguments import shown
from equity.errors import EquityError

__all__ = [
    "NO_RAKE",
    "ODD_CHIPS",
    "Amount",
    "MoneyError",
    "Rake",
    "chips_error",
    "number",
    "places",
    "plain",
    "read_amount",
    "read_amounts",
    "read_rake",
    "rounded",
    "signed",
]

#: An amount as public functions take it: text or a number.
Amount = str | int | float | Decimal | Fraction

#: What tables say of chips that cannot be split evenly.
ODD_CHIPS = "odd chips are not modelled"
#: Amounts are below this, so that they fit into tables.
LIMIT = 10**9
_LONG = len(str(LIMIT))
_DECIMALS = 6
_AMOUNT = re.compile(rf"\d+(\.\d{{0,{_DECIMALS}}})?|\.\d{{1,{_DECIMALS}}}")
#: Limits of the numbers that are converted: bits, and distance from 1 in decimal exponents.
_BITS, _EXPONENT = 2_000, 400
#: What people write before, after or inside an amount.
_DECORATION = re.compile(r"[$\u20ac\u00a3,'_\s]|bb|chips")
#: ``1,50`` and ``0,5``; three digits behind a comma are thousands, except of 0.
_DECIMAL_COMMA = re.compile(r"(0),(\d+)|(\d+),(\d{1,2})")
#: What thousands leave of a number in a list with commas.
_THOUSANDS = re.compile(r"0\d\d")


class MoneyError(EquityError):
    """An invalid amount, or amounts that do not fit together."""


@dataclass(frozen=True)
class Rake:
    """Rake: what the house takes from contested money."""

    #: Share of the pot, 0 to 1.
    rate: Fraction = Fraction(0)
    #: Cap, the most that is taken.
    cap: Fraction | None = None

    def of(self, total: Fraction) -> Fraction:
        """The exact rake of a total."""
        rake = self.rate * total
        return rake if self.cap is None else min(rake, self.cap)

    @property
    def text(self) -> str:
        """The rake as text: ``"5%, at most 3"``."""
        cap = "" if self.cap is None else f", at most {plain(self.cap)}"
        return f"{plain(100 * self.rate)}%{cap}"


#: A game without a rake.
NO_RAKE = Rake()


def read_amount(amount: Amount, place: str, *, positive: bool = False) -> Fraction:
    """Parse an amount as an exact fraction.

    Parameters
    ----------
    amount:
        Text such as ``"12.50"``, or a number; a float means its shortest decimal text.
    place:
        Name of the amount in error messages.
    positive:
        Whether 0 is an error.

    Raises
    ------
    MoneyError
        It is not an amount, negative, or too large.
    """
    value = _value(amount, place)
    if value >= LIMIT:
        raise MoneyError(
            f"{_shown(amount)} is too much",
            place=place,
            hint=f"amounts are below {LIMIT}; count in larger units",
        )
    if positive and value == 0:
        raise MoneyError(f"{_shown(amount)} is too small", place=place, hint="it is above 0")
    return value


def _value(amount: Amount, place: str) -> Fraction:
    if isinstance(amount, str):
        text = amount.strip()
        if _AMOUNT.fullmatch(text) and text.isascii():
            return _written(text)
        raise MoneyError(f"{_shown(amount)} is no amount", place=place, hint=_hint(text))
    exact = _exact(amount)
    if exact is None or exact < 0:
        hint = _hint(_shown(amount)) if isinstance(amount, Number) else _hint("")
        raise MoneyError(f"{_shown(amount)} is no amount", place=place, hint=hint)
    return exact


def _written(text: str) -> Fraction:
    """The fraction of a valid text; :data:`LIMIT` for anything above."""
    text = "0" + text.lstrip("0")
    # Python refuses to parse very long integers.
    return (
        Fraction(LIMIT) if text.find(".") > _LONG + 1 or len(text) > 2 * _LONG else Fraction(text)
    )


def _exact(amount: object) -> Fraction | None:
    """A number as a fraction; None if it is not one, or out of all bounds."""
    if isinstance(amount, bool):
        return None
    if isinstance(amount, Rational):
        parts = int(amount.numerator), int(amount.denominator)
        return Fraction(*parts) if max(map(int.bit_length, parts)) <= _BITS else None
    if not isinstance(amount, float | Decimal):
        return None
    # The shortest text of a float is what was meant: 0.1 is a tenth.
    written = Decimal(str(amount)) if isinstance(amount, float) else amount
    is_sane = (
        written.is_finite()
        and abs(written.adjusted()) <= _EXPONENT
        and len(written.as_tuple().digits) <= _EXPONENT
    )
    return Fraction(written) if is_sane else None


def _hint(text: str) -> str:
    """The hint for a text that is not an amount."""
    if not text:
        return "write a number such as 12.50"
    bare = _DECORATION.sub(lambda match: "," if match[0] == "," else "", text.lower())
    if _DECIMAL_COMMA.fullmatch(bare):
        return f"decimals have a point, {bare.replace(',', '.')}"
    bare = bare.replace(",", "")
    if bare != text.lower() and _AMOUNT.fullmatch(bare) and bare.isascii():
        return f"write the number alone, {bare}"
    if text.startswith("-"):
        return "amounts are not below 0"
    if re.fullmatch(r"\d*\.\d+", text):
        return f"it has at most {_DECIMALS} decimals; count in smaller units"
    return "write a number such as 12.50"


def _shown(value: object) -> str:
    """An amount for a message: text in quotes, numbers without."""
    return str(value) if isinstance(value, Decimal | Fraction) and _exact(value) else shown(value)


def read_amounts(
    amounts: str | Iterable[Amount], place: str, *, positive: bool = False
) -> tuple[Fraction, ...]:
    """Parse several amounts: text with commas or spaces between them, or numbers.

    Raises
    ------
    MoneyError
        One of them is not an amount; the message says which.
    """
    if isinstance(amounts, str):
        apart = amounts.strip()
        parts: list[Amount] = list(re.split(r"\s*,\s*|\s+", apart)) if apart else []
    else:
        try:
            parts = list(amounts)
        except TypeError:
            raise MoneyError(
                f"{_shown(amounts)} is one amount where a list is wanted",
                place=place,
                hint="give a list, or a text with commas",
            ) from None
    for before, part in pairwise(parts):
        if isinstance(part, str) and _THOUSANDS.fullmatch(part):
            raise MoneyError(
                f"{shown(part)} is no amount",
                place=place,
                hint=f"a comma stands between amounts, write thousands without it, {before}{part}",
            )
    return tuple(
        read_amount(part, f"{place}, number {at}", positive=positive)
        for at, part in enumerate(parts, 1)
    )


def read_rake(rake: str | None, cap: Amount | None = None) -> Rake:
    """Parse a rake such as ``"5%"`` and its cap.

    Raises
    ------
    MoneyError
        The percent sign is missing, the percentage is above 100, or a cap has no rake.
    """
    if rake is None:
        if cap is not None:
            raise MoneyError(
                "there is no rake for it", place="cap", hint="give the rake too, 5% say"
            )
        return NO_RAKE
    text = rake.strip() if isinstance(rake, str) else ""
    percent = text[:-1].strip()
    if not text.endswith("%") or not _AMOUNT.fullmatch(percent) or not percent.isascii():
        raise MoneyError(
            f"{_shown(rake)} is no rake",
            place="rake",
            hint=_rake_hint(str(rake) if isinstance(rake, str | float) else ""),
        )
    rate = _written(percent) / 100
    if rate > 1:
        raise MoneyError(f"{_shown(rake)} is too much", place="rake", hint="100% is all there is")
    return Rake(rate, None if cap is None else read_amount(cap, "cap"))


def _rake_hint(text: str) -> str:
    """The hint for a rake without a percent sign."""
    bare = text.strip()
    if not _AMOUNT.fullmatch(bare) or not bare.isascii():
        return "write a percentage such as 5%"
    value = _written(bare)
    percent = 100 * value if 0 < value < 1 else value
    return f"write it with the percent sign, {plain(percent)}%"


def plain(value: Fraction) -> str:
    """An amount with all its decimals and no more; rounded if they do not end."""
    if value.denominator == 1:
        return str(value.numerator)
    text = f"{Decimal(round(value * 10**_DECIMALS)).scaleb(-_DECIMALS):f}"
    return text.rstrip("0").rstrip(".")


def number(value: Fraction) -> int | float:
    """An amount for JSON: an integer if it is one."""
    return value.numerator if value.denominator == 1 else float(value)


def places(total: Fraction) -> int:
    """The number of decimals to show amounts with, given the total at stake.

    Amounts have at least five digits, and fewer decimals where space is short.
    """
    digits = len(str(int(total))) if total >= 1 else 0
    return min(max(2, 5 - digits), max(0, 10 - digits))


def rounded(value: Fraction, decimals: int) -> str:
    """An amount with ``decimals`` decimals; a nonzero amount never looks like zero.

    >>> rounded(Fraction(5, 3), 2), rounded(Fraction(1, 1000), 2)
    ('1.67', '<0.01')
    """
    units = round(value * 10**decimals)
    if units == 0 and value:
        return f"<{Decimal(1).scaleb(-decimals):f}"
    return f"{Decimal(units).scaleb(-decimals):f}"


def signed(value: Fraction, decimals: int) -> str:
    """A gain or loss with its sign, which is kept even if the amount rounds to zero."""
    sign = "+" if value > 0 else "-" if value < 0 else ""
    return f"{sign}{Decimal(round(abs(value) * 10**decimals)).scaleb(-decimals):f}"


def chips_error(error: float, decimals: int) -> str:
    """A standard error, rounded up so that it never looks like zero."""
    if math.isinf(error):
        return "?"
    units = Decimal(math.ceil(error * 10**decimals))
    return f"{units.scaleb(-decimals):f}"
