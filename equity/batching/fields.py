"""The fields of a row: known columns, and notes that are carried through."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from equity.batching.columns import STREETS, Names
from equity.batching.errors import BatchError
from equity.errors import CardError
from equity.rules.cards import ascii_text, format_cards, parse_cards

__all__ = ["NOT_TEXT", "Found", "Header", "is_empty", "is_missing", "no_rows", "sort_fields"]

#: How data frames, databases and spreadsheets write a missing value.
_MISSING = frozenset(("", "nan", "none", "null", "na", "n/a", "#n/a", "<na>", "nat"))
#: Numbers and booleans as text; never cards, ranges or names.
NOT_TEXT = frozenset(
    f"{sign}{word}" for sign in ("", "+", "-") for word in ("inf", "infinity", "true", "false")
)
_LONGEST = max(map(len, _MISSING))
#: Types whose values are never missing.
_PRESENT = (bool, int, list, tuple, dict)
#: The number of cards dealt on each street.
_CARDS = dict(zip(STREETS, (3, 1, 1), strict=True))


class Found(NamedTuple):
    """A row as read from a table."""

    line: int
    values: dict[str, Any]
    carried: dict[str, Any]
    problem: str = ""


def _clean(text: str) -> str:
    """Escape what cannot be encoded as UTF-8."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def is_missing(value: Any) -> bool:
    """Whether a value is missing: None, NaN, pandas.NA, ``"null"`` and the like.

    >>> is_missing(" NaN "), is_missing(float("nan")), is_missing("AA"), is_missing(0)
    (True, True, False, False)
    """
    if isinstance(value, str):
        return len(value := value.strip()) <= _LONGEST and value.lower() in _MISSING
    if value is None or isinstance(value, _PRESENT):
        return value is None
    try:
        return bool(value != value)  # noqa: PLR0124 - only NaN differs from itself
    except (TypeError, ValueError):
        # pandas.NA has no truth value, nor has an array.
        return str(value) == "<NA>"


def _is_given(name: str, value: Any) -> bool:
    """Whether a known column is filled in; an id may be any text."""
    return value != "" if name == "id" and isinstance(value, str) else not is_missing(value)


def sort_fields(line: int, fields: dict[str, Any], names: Names) -> Found:
    """Sort the named fields of a row by meaning.

    Raises
    ------
    BatchError
        An unknown name resembles a known one.
    """
    values: dict[str, Any] = {}
    carried: dict[str, Any] = {}
    problem = ""
    meanings = names.meanings(fields, f"spots, line {line}")
    for (given, given_value), known in zip(fields.items(), meanings, strict=True):
        value = _clean(given_value) if isinstance(given_value, str) else given_value
        if known is None:
            carried[_clean(given)] = value
            continue
        if isinstance(value, str):
            value = value.strip()
        if not _is_given(known, value):
            continue
        if known in values:
            problem = f"{ascii_text(given)} and another column are both {known}"
        values[known] = value
    return Found(line, values, carried, problem or _join_streets(values))


def _join_streets(values: dict[str, Any]) -> str:
    """Replace flop, turn and river by the board; return the problem, if any."""
    if not any(name in values for name in STREETS):
        return ""
    streets = {name: values.pop(name, "") for name in STREETS}
    cards: list[int] = []
    ended = ""
    for name, text in streets.items():
        try:
            dealt = parse_cards(text, name, commas=True)
        except CardError as error:
            return str(error)
        if dealt and ended:
            return f"{name}: {format_cards(dealt)} is given, but the {ended} is missing"
        if len(dealt) not in (0, _CARDS[name]):
            count = _CARDS[name]
            return (
                f"{name}: {format_cards(dealt)} has {len(dealt)} cards; "
                f"a {name} has {count}; use the column board for a whole board"
            )
        ended = ended or ("" if dealt else name)
        cards += dealt
    values["board"] = format_cards(cards) or "-"
    return ""


class Header:
    """The header of a table: the meaning of each column.

    Parameters
    ----------
    texts:
        The names of the columns; empty for a column without a name.
    line:
        Its line number, from 1.
    names:
        The meanings of names.
    hint:
        The likely cause when a row has too many fields, for its error.

    Raises
    ------
    BatchError
        It names no players, or a column twice.
    """

    def __init__(self, texts: Sequence[str], line: int, names: Names, hint: str = "") -> None:
        self.hint = hint
        place = f"spots, line {line}"
        #: The meaning of each column, or None and the name of a note.
        self.columns: list[tuple[str | None, str]] = []
        known: dict[str, str] = {}
        carried: set[str] = set()
        for text, name in zip(texts, names.meanings(texts, place), strict=True):
            if name is not None:
                if name in known:
                    raise BatchError(
                        f"the columns {ascii_text(known[name])} and {ascii_text(text)} "
                        f"are both {name}",
                        place=place,
                        hint="leave one of them out",
                    )
                known[name] = text
                self.columns.append((name, ""))
                continue
            unique = plain = text.strip()
            number = 1
            while plain and unique in carried:
                number += 1
                unique = f"{plain}_{number}"
            carried.add(unique)
            self.columns.append((None, unique))
        if "players" not in known and "player1" not in known:
            listed = ", ".join(ascii_text(text[:40]) for text in texts[:8]) or "none"
            raise BatchError(
                f"no column has players; the columns are {listed}",
                place=place,
                hint="the first line names the columns: player1, player2 and so on, or players",
            )

    def row(self, line: int, record: Sequence[Any]) -> Found:
        """Sort the fields of a row by the meaning of their columns."""
        values: dict[str, Any] = {}
        carried: dict[str, Any] = {}
        problem = ""
        for (known, name), given in zip(self.columns, record, strict=False):
            if known is not None:
                field = given.strip() if isinstance(given, str) else given
                if _is_given(known, field):
                    values[known] = field
            elif name:
                carried[name] = given
            elif not is_empty(given):
                problem = f"{ascii_text(str(given)[:40])} is in a column without a name"
        if not all(map(is_empty, record[len(self.columns) :])):
            problem = f"{len(record)} fields, but only {len(self.columns)} columns{self.hint}"
        return Found(line, values, carried, problem or _join_streets(values))


def is_empty(field: Any) -> bool:
    """Whether a field is None or blank."""
    return field is None or (isinstance(field, str) and not field.strip())


def no_rows() -> BatchError:
    """The error for a table without a line."""
    return BatchError("the table is empty", place="spots", hint="its first line names the columns")
