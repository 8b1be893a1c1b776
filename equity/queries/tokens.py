"""Splits a query into tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any, NamedTuple

from equity.common.arguments import shown
from equity.queries.errors import QueryError, nearest

__all__ = ["KEYWORDS", "MOST_TEXT", "Token", "tokens"]

KEYWORDS = (
    *("select", "from", "where", "as", "and", "or", "not"),
    *("case", "when", "then", "else", "end", "true", "false"),
)
#: Characters of a text of queries, and digits of a number.
MOST_TEXT = 100_000
MOST_DIGITS = 30

_TOKEN = re.compile(
    r"""(?P<space>\s+|/\*.*?\*/)
    |(?P<number>\d+(?:\.\d*)?|\.\d+)
    |(?P<name>[A-Za-z_][A-Za-z0-9_]*)
    |(?P<string>'[^']*'|"[^"]*")
    |(?P<parameter>:[A-Za-z_][A-Za-z0-9_]*)
    |(?P<sign>\|\||&&|==|<>|!=|<=|>=|[=<>+\-*/(),;])""",
    re.VERBOSE | re.DOTALL | re.ASCII,
)


class Token(NamedTuple):
    """A piece of a query.

    ``kind`` is ``"name"``, ``"number"``, ``"string"``, ``"sign"`` or ``"end"``; the value of a
    name is in lower case, that of a number exact, that of a string without its quotes.
    """

    kind: str
    value: Any
    start: int
    stop: int
    #: Whether a parameter gave the value.
    is_given: bool = False


def tokens(text: str, parameters: Mapping[str, Any]) -> list[Token]:
    """The tokens of a text; the last has the kind ``"end"``.

    Raises
    ------
    QueryError
        A character that begins no token, a string or comment that does not end, a parameter
        that is not given.
    """
    if len(text) > MOST_TEXT:
        raise QueryError(
            f"a text of {len(text):,} characters", "", 0, f"queries have up to {MOST_TEXT:,}"
        )
    return [*_scan(text, parameters), Token("end", "", len(text), len(text))]


def _scan(text: str, parameters: Mapping[str, Any]) -> Iterator[Token]:
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise _no_token(text, at)
        kind, piece, stop = str(match.lastgroup), match[0], match.end()
        if kind == "parameter":
            yield _given(text, at, stop, parameters)
        elif kind == "number":
            follower = text[stop : stop + 1]
            if follower.isalnum() or follower == "_":
                raise QueryError(
                    f"{shown(text[at : stop + 1])} is neither a number nor a name",
                    text,
                    at,
                    "names do not begin with a digit, cards stand in quotes",
                )
            if len(piece) > MOST_DIGITS:
                hint = f"numbers have up to {MOST_DIGITS} digits"
                raise QueryError(f"a number of {len(piece):,} digits", text, at, hint)
            value: Any = int(piece) if piece.isdigit() else Fraction(Decimal(piece))
            yield Token(kind, value, at, stop)
        elif kind == "name":
            yield Token(kind, piece.lower(), at, stop)
        elif kind == "string":
            yield Token(kind, piece[1:-1], at, stop)
        elif kind == "sign":
            yield Token(kind, piece, at, stop)
        at = stop


def _no_token(text: str, at: int) -> QueryError:
    sign = text[at]
    if sign in "'\"":
        return QueryError("a string that does not end", text, at, f"close it with {sign}")
    if text.startswith("/*", at):
        return QueryError("a comment that does not end", text, at, "close it with */")
    hint = {"&": "'and' is written and or &&", "|": "'or' is written or or ||"}.get(
        sign, "a query is of names, numbers, strings in quotes and signs"
    )
    return QueryError(f"{shown(sign)} has no meaning here", text, at, hint)


def _given(text: str, at: int, stop: int, parameters: Mapping[str, Any]) -> Token:
    """The token of a parameter, ``:name``."""
    name = text[at + 1 : stop]
    if name not in parameters:
        known = ", ".join(sorted(map(str, parameters))) or "none"
        close = nearest(name, map(str, parameters))
        hint = f"given are {known}" + (f"; did you mean :{close}?" if close else "")
        raise QueryError(f"no value is given for :{name}", text, at, hint)
    value = parameters[name]
    if value is None:
        value = ""
    if type(value).__name__ in ("bool", "bool_"):
        return Token("name", str(bool(value)).lower(), at, stop, is_given=True)
    if isinstance(value, str):
        return Token("string", value, at, stop, is_given=True)
    if hasattr(value, "check_game"):
        return Token("string", str(value), at, stop, is_given=True)
    try:
        number = Fraction(str(value) if isinstance(value, float) else Decimal(str(value)))
    except (ValueError, InvalidOperation, OverflowError, TypeError):
        try:
            number = Fraction(value)
        except (ValueError, TypeError, OverflowError):
            hint = "give text, a number, a Boolean or a Range"
            raise QueryError(f"{shown(value)} for :{name}", text, at, hint) from None
    whole = number.denominator == 1 and not isinstance(value, float)
    return Token("number", int(number) if whole else number, at, stop, is_given=True)
