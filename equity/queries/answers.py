"""The answers to the queries of a text, as they are printed and drawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from equity import __version__
from equity.errors import MethodError
from equity.queries.pictures import draw_histograms
from equity.queries.results import Answer, Figure
from equity.queries.tables import answer_lines
from equity.results.formats import Printable, Style
from equity.views.plots import Picture

__all__ = ["Answers"]

#: Columns of CSV: of a query, and of a result or a bin.
_COMMON = ("query", "game", "board", "dead", "exact", "method", "deals", "all", "seed", "partial")
_OWN = ("name", "kind", "type", "label", "share", "hits", "value", "value_exact", "std_error", "of")


@dataclass(frozen=True)
class Answers(Printable, Picture):
    """The answers to the queries of a text, in their order."""

    #: The answer to each query.
    queries: tuple[Answer, ...]

    def __len__(self) -> int:
        return len(self.queries)

    def __iter__(self) -> Iterator[Answer]:
        return iter(self.queries)

    def __getitem__(self, at: int) -> Answer:
        return self.queries[at]

    @property
    def results(self) -> tuple[Figure, ...]:
        """The results of all queries."""
        return tuple(figure for answer in self.queries for figure in answer.results)

    def to_dict(self) -> dict[str, Any]:
        """The numbers for JSON; names stay stable, more may come."""
        return {"version": __version__, "queries": [one.to_dict() for one in self.queries]}

    def records(self) -> Iterator[dict[str, Any]]:
        """A row for each result, and for each bin of a histogram."""
        for number, answer in enumerate(self.queries, 1):
            whole = answer.to_dict() | {"query": number}
            for figure in whole["results"]:
                for part in figure["bins"] or [{}]:
                    row = whole | figure | {"label": None} | part
                    yield {name: row[name] for name in (*_COMMON, *_OWN)}

    def lines(self, _: Style) -> Iterator[str]:
        """The lines for a terminal: a table for each query."""
        for number, answer in enumerate(self.queries):
            if number:
                yield ""
            yield from answer_lines(answer)

    def draw(self, figure: Any) -> None:
        """Draw the histograms into a figure of matplotlib.

        Raises
        ------
        MethodError
            There is none.
        """
        found = [one for one in self.results if one.bins]
        if not found:
            raise MethodError(
                "no result is a histogram", place="--plot", hint="ask for histogram(x)"
            )
        draw_histograms(figure, found)
