"""The header of a table of rows and columns: what each column means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from equity.batching.errors import BatchError
from equity.batching.fields import Found, is_given, join_streets
from equity.batching.names import Names
from equity.rules.cards import ascii_text

__all__ = ["Header", "is_empty"]


class Header:
    """A line of names.

    Parameters
    ----------
    texts:
        The names of all columns, empty for those without one.
    line:
        Where it stands, from 1.
    names:
        What names mean.
    hint:
        What may be wrong with a row that has more fields.

    Raises
    ------
    BatchError
        It does not name columns of spots.
    """

    def __init__(self, texts: Sequence[str], line: int, names: Names, hint: str = "") -> None:
        self.hint = hint
        place = f"spots, line {line}"
        #: For each column its meaning, and its name if it is carried through.
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
                f"no column has players; there are {listed}",
                place=place,
                hint="the first line names columns: player1, player2 and so on, or players",
            )

    def row(self, line: int, record: Sequence[Any]) -> Found:
        """A row of fields, texts or values of other kinds."""
        values: dict[str, Any] = {}
        carried: dict[str, Any] = {}
        problem = ""
        for (known, name), given in zip(self.columns, record, strict=False):
            if known is not None:
                field = given.strip() if isinstance(given, str) else given
                if is_given(known, field):
                    values[known] = field
            elif name:
                carried[name] = given
            elif not is_empty(given):
                problem = f"{ascii_text(str(given)[:40])} stands in a column without a name"
        if not all(map(is_empty, record[len(self.columns) :])):
            problem = (
                f"{len(record)} fields, and {len(self.columns)} columns have a name{self.hint}"
            )
        return Found(line, values, carried, problem or join_streets(values))


def is_empty(field: Any) -> bool:
    """Whether there is nothing in a field."""
    return field is None or (isinstance(field, str) and not field.strip())
