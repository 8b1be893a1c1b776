"""Output formats: what an answer gives, and how a table, JSON or CSV is made of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from equity.common.tables import Table, Tabular

__all__ = [
    "FORMATS",
    "Listing",
    "Printable",
    "Style",
    "Table",
    "Title",
    "csv_field",
    "csv_lines",
    "finite",
    "written",
]

#: Rows that are turned into CSV at a time.
CHUNK = 1_000
#: Types of values that CSV has as they are.
_AS_IT_IS = frozenset((str, int, float, type(None)))
_TRUTH = {True: "true", False: "false"}


class Style(NamedTuple):
    """Style of a table for a terminal."""

    #: Whether counts are added.
    verbose: bool = False
    #: Whether ANSI colours are used.
    colour: bool = False


#: A table without counts or colours.
PLAIN = Style()


class Title(str):
    """A line that names what is below it; bold in colour."""

    __slots__ = ()


class Printable(Tabular):
    """An answer that can be written in every format of :data:`FORMATS`.

    A subclass defines :meth:`to_dict` and :meth:`lines`, and :meth:`records` if a row of CSV
    is not the object of JSON.
    """

    def to_dict(self) -> dict[str, Any]:
        """The object for JSON; names stay stable, more may come."""
        raise NotImplementedError

    def records(self) -> Iterable[Mapping[str, Any]]:
        """The rows for CSV, by column."""
        return [self.to_dict()]

    def lines(self, style: Style) -> Iterable[str]:
        """The lines for a terminal: ASCII, 80 columns."""
        raise NotImplementedError

    def objects(self) -> Iterable[Any]:
        """The objects for JSON, a line each."""
        return [self.to_dict()]

    def table(self) -> Table:
        """The columns of all records in the order of their first use, and the rows."""
        records = list(self.records())
        names = list(dict.fromkeys(name for record in records for name in record))
        return names, ([record.get(name) for name in names] for record in records)


class Listing(Printable):
    """Rows of a kind, any number of them: in JSON an object a line.

    ``find`` returns the rows, each time anew: they are not kept in memory.
    """

    def __init__(self, names: Sequence[str], find: Callable[[], Iterable[Sequence[Any]]]) -> None:
        self.names, self._find = names, find

    @property
    def rows(self) -> Iterable[Sequence[Any]]:
        """The rows, from the first."""
        return self._find()

    def objects(self) -> Iterator[dict[str, Any]]:
        """An object for each row."""
        return (dict(zip(self.names, row, strict=True)) for row in self.rows)

    def to_dict(self) -> dict[str, Any]:
        """The objects of all rows."""
        return {"rows": list(self.objects())}

    def table(self) -> Table:
        """The names of the columns, and the rows."""
        return self.names, self.rows

    def lines(self, _: Style) -> Iterator[str]:
        """The values of each row, with spaces between."""
        return (" ".join(map(str, row)) for row in self.rows)


def finite(error: float | None) -> float | None:
    """A standard error for JSON, where an unknown one is null."""
    return error if error is not None and math.isfinite(error) else None


def csv_field(value: Any) -> Any:
    """A value for a field of CSV: a truth as in JSON, and so lists and objects."""
    if value is True or value is False:
        return _TRUTH[value]
    if isinstance(value, (list, dict)):
        import json

        return json.dumps(value)
    return value


def csv_lines(rows: Iterable[Sequence[Any]]) -> str:
    """Rows as lines of CSV; None is an empty field."""
    import csv
    import io

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    # A call for every field would take as long as all of the rest.
    writer.writerows(
        [[one if type(one) in _AS_IT_IS else csv_field(one) for one in row] for row in rows]
    )
    return text.getvalue()


def _text(answer: Printable, style: Style) -> Iterator[str]:
    for line in answer.lines(style):
        is_bold = style.colour and isinstance(line, Title)
        yield f"\033[1m{line}\033[0m\n" if is_bold else f"{line}\n"


def _json(answer: Printable, _: Style) -> Iterator[str]:
    import json

    return (f"{json.dumps(one)}\n" for one in answer.objects())


def _csv(answer: Printable, _: Style) -> Iterator[str]:
    names, rows = answer.table()
    yield csv_lines([names])
    remaining = iter(rows)
    while chunk := list(islice(remaining, CHUNK)):
        yield csv_lines(chunk)


#: Formats by name: functions that yield the text of an answer in pieces.
FORMATS: dict[str, Callable[[Printable, Style], Iterator[str]]] = {
    "table": _text,
    "json": _json,
    "csv": _csv,
}


def written(answer: Printable, output: str = "table", style: Style = PLAIN) -> str:
    """The whole text of an answer in a format of :data:`FORMATS`."""
    return "".join(FORMATS[output](answer, style))
