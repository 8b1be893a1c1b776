"""The operation ``batch``: many spots, a row for each."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Any

from equity.common.arguments import shown
from equity.errors import EquityError, MethodError
from equity.operations import parameters as given
from equity.operations.operation import Operation, Question
from equity.operations.parameters import DOCUMENT, TEXT, Kind, Parameter, choice
from equity.results.formats import Printable, Style

__all__ = ["BATCH", "BatchRows"]

#: Most rows of a question.
MOST_ROWS = 20_000


class BatchRows(Printable):
    """The rows of a batch, with the columns of ``equity batch``."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self.rows = rows

    def objects(self) -> list[dict[str, Any]]:
        """An object for each row."""
        return self.rows

    def records(self) -> list[dict[str, Any]]:
        """The same rows."""
        return self.rows

    def lines(self, _: Style) -> Iterator[str]:
        """The id, the equities and the error of each row."""
        for number, row in enumerate(self.rows, 1):
            equities = [
                f"{100 * value:6.2f}"
                for name, value in row.items()
                if name.startswith("player") and name.endswith("_equity") and value is not None
            ]
            yield f"{row.get('id') or number!s:<12}{' '.join(equities)}{row.get('error') or ''}"


def _read(
    *,
    rows: list[Any] | None,
    text: str | None,
    format: str,  # noqa: A002 - its name in JSON
    ignore_columns: str | None,
    **defaults: Any,
) -> Question:
    if (rows is None) == (text is None):
        raise EquityError(
            "there are none" if rows is None else "both rows and a text are given",
            place="rows",
            hint='give "rows": [{"players": ["AA", "KK"]}, ...], or a table as "text"',
        )

    from equity.batching.api import batch, rows_of_text

    spots: Any
    if text is None:
        spots = rows or []
    else:
        table = BytesIO(text.encode("utf-8", "replace"))
        spots = rows_of_text(table, format, ignore_columns)
    answers = batch(spots, no_files=True, jobs=1, ignore_columns=ignore_columns, **defaults)
    return Question(lambda _: BatchRows([row for one in answers for row in one.rows()]))


def _rows(value: Any, place: str) -> list[Any]:
    if not isinstance(value, list):
        raise MethodError(
            f"{shown(value)} is no list", place=place, hint='write [{"players": ["AA", "KK"]}]'
        )
    if len(value) > MOST_ROWS:
        raise MethodError(f"{len(value):,} rows", place=place, hint=f"at most {MOST_ROWS:,}")
    return value


BATCH = Operation(
    "batch",
    "Many spots, a row for each.",
    (
        Parameter(
            "rows",
            Kind("list of rows", {"type": "array", "maxItems": MOST_ROWS}, _rows),
            "The spots: objects with the columns of a batch, or lists of players.",
        ),
        Parameter("text", DOCUMENT, "A table of spots, instead of rows."),
        Parameter("format", choice("csv", "jsonl"), "The format of the text.", "csv"),
        given.GAME.saying("Game of spots without their own."),
        given.BOARD.saying("Board of spots without their own."),
        given.DEAD.saying("Dead cards of spots without their own."),
        given.ORDERING,
        given.EXACT,
        given.TRIALS.saying("Sample N deals for each spot."),
        given.ERROR,
        given.BUDGET.saying("Stop sampling after so many seconds, for each spot."),
        given.SEED,
        Parameter("view", TEXT, "What to compute for each spot.  [default: odds]"),
        given.RAKE,
        given.CAP,
        given.AT_LEAST,
        Parameter(
            "ignore_columns", TEXT, "Columns to carry through as notes; all: every unknown one."
        ),
    ),
    _read,
    is_list=True,
)
