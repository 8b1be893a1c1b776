"""The fields of a row: known columns, and notes that are carried through."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from equity.batching.columns import STREETS, Names
from equity.batching.errors import BatchError
from equity.batching.rows import Row
from equity.errors import CardError
from equity.rules.cards import ascii_text, format_cards, parse_cards

__all__ = ["NOT_TEXT", "Header", "is_empty", "is_missing", "no_rows", "sort_fields"]

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
_STREETS = frozenset(STREETS)


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


def row_of(
    line: int,
    columns: Iterable[tuple[str | None, str | None]],
    fields: Iterable[Any],
    problem: str = "",
) -> Row:
    """Make a row of the fields of some columns; its number is not set.

    ``columns`` are the meaning of each, None for a note, and its name, None if it has none;
    ``problem`` is one that is known already.
    """
    values: dict[str, Any] = {}
    carried: dict[str, Any] = {}
    found = ""
    for (known, name), field in zip(columns, fields, strict=False):
        value = _clean(field) if isinstance(field, str) and not field.isascii() else field
        if known is not None:
            value = value.strip() if isinstance(value, str) else value
            # The length tells for most fields, without a call.
            if (isinstance(value, str) and len(value) > _LONGEST) or _is_given(known, value):
                if known in values:
                    found = f"{ascii_text(str(name))} and another column are both {known}"
                values[known] = value
        elif name is not None:
            carried[name] = value
        elif not is_empty(field):
            found = f"{ascii_text(str(field)[:40])} is in a column without a name"
    return Row(0, line, values, carried, problem or found or _join_streets(values))


def sort_fields(line: int, fields: Mapping[str, Any], names: Names) -> Row:
    """Make a row of named fields.

    Raises ``BatchError`` if an unknown name resembles a known one.
    """
    meanings = names.meanings(fields, f"spots, line {line}")
    return row_of(line, zip(meanings, map(_clean, fields), strict=True), fields.values())


def _join_streets(values: dict[str, Any]) -> str:
    """Replace flop, turn and river by the board; return the problem, if any."""
    if _STREETS.isdisjoint(values):
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

    ``texts`` are the names of the columns, empty for a column without a name, and ``line`` is
    its line number.  ``hint`` is the likely cause when a row has too many fields.

    Raises ``BatchError`` if it names no players, or a column twice.
    """

    def __init__(self, texts: Sequence[str], line: int, names: Names, hint: str = "") -> None:
        self.hint = hint
        place = f"spots, line {line}"
        #: The meanings and names, see :func:`row_of`.
        self.columns: list[tuple[str | None, str | None]] = []
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
                self.columns.append((name, text))
                continue
            unique = plain = text.strip()
            number = 1
            while plain and unique in carried:
                number += 1
                unique = f"{plain}_{number}"
            carried.add(unique)
            self.columns.append((None, unique or None))
        if "players" not in known and "player1" not in known:
            listed = ", ".join(ascii_text(text[:40]) for text in texts[:8]) or "none"
            raise BatchError(
                f"no column has players; the columns are {listed}",
                place=place,
                hint="the first line names the columns: player1, player2 and so on, or players",
            )

    def row(self, line: int, record: Sequence[Any]) -> Row:
        """Make a row of its fields."""
        problem = ""
        if len(record) > len(self.columns) and not all(map(is_empty, record[len(self.columns) :])):
            problem = f"{len(record)} fields, but only {len(self.columns)} columns{self.hint}"
        return row_of(line, self.columns, record, problem)


def is_empty(field: Any) -> bool:
    """Whether a field is None or blank."""
    return field is None or (isinstance(field, str) and not field.strip())


def no_rows() -> BatchError:
    """The error for a table without a line."""
    return BatchError("the table is empty", place="spots", hint="its first line names the columns")
