"""The operation ``pql``: any question in the query language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from equity.engine.options import How, error_notices
from equity.operations import parameters as given
from equity.operations.operation import Operation, Question, Report
from equity.operations.parameters import TEXT, Parameter
from equity.results.formats import Printable

if TYPE_CHECKING:
    from equity.common.notices import Notice
    from equity.queries.program import Program

__all__ = ["PQL", "Queries", "read_queries"]


class Queries(NamedTuple):
    """Queries that were read, and the options of their answers."""

    programs: list[Program]
    how: How

    @property
    def notices(self) -> tuple[Notice, ...]:
        """The warnings about all of them."""
        of_spots = [notice for one in self.programs for notice in one.setup.spot.notices]
        return (*of_spots, *error_notices(self.how))


def read_queries(query: str, ordering: str | None, **options: Any) -> Queries:
    """Parse the queries of a text; ``options`` are those of :class:`~equity.How`."""
    from equity.queries.analysis import read_programs

    return Queries(read_programs(query, ordering=ordering), How(**options))


def _read(*, mark: str = "", **arguments: Any) -> Question:  # noqa: ARG001 - no name is shown
    programs, how = queries = read_queries(**arguments)

    def answer(report: Report) -> Printable:
        from dataclasses import replace

        from equity.queries.answers import Answers
        from equity.queries.solving import answer

        asked = replace(how, progress=report)
        return Answers(tuple(answer(program, asked) for program in programs))

    return Question(answer, queries.notices)


PQL = Operation(
    "pql",
    "Queries of the query language (PQL).",
    (
        Parameter("query", TEXT, "Queries, separated by semicolons.", is_required=True),
        given.ORDERING,
        given.EXACT,
        given.TRIALS.saying("Sample N deals."),
        given.ERROR.saying(
            "Sample until the standard error of every share and equity is at most E.  "
            "[default: 0.0005]"
        ),
        given.BUDGET,
        given.SEED,
        given.THREADS,
    ),
    _read,
)
