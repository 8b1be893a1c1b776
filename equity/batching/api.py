"""``equity.batch``: results of many spots, one after the other, as they are found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from equity.batching.columns import Names
from equity.batching.errors import BatchError
from equity.batching.fields import sort_fields
from equity.batching.layouts import renamed
from equity.batching.parse_row import check_defaults
from equity.batching.rows import Row
from equity.batching.stream import Pool, answers, local_pool
from equity.batching.worker import Job, flat_rows, given_rows
from equity.common.arguments import truth
from equity.common.limits import processors
from equity.engine.options import How
from equity.money.amounts import read_amount, read_rake
from equity.results.result import Result
from equity.rules.cards import Cards
from equity.rules.games import Game

if TYPE_CHECKING:
    from equity.money.amounts import Amount
    from equity.ranges import Ordering, Range

__all__ = ["Answer", "Given", "batch"]

#: What a spot is: columns by name, or its players alone.
Given = Mapping[str, Any] | Sequence["Cards | Range"]


@dataclass(frozen=True)
class Answer:
    """What became of a spot.

    Attributes
    ----------
    id:
        Its ``id``, else its place among the spots, from 1.
    found:
        The answer: a :class:`~equity.Result`, or what the function of its view returns,
        :func:`equity.streets` or :func:`equity.all_in` say.  None if there is none.
    error:
        Why there is none, in one line.
    notice:
        What in the spot may have been meant in another way; empty for most.
    """

    id: Any
    found: Any
    error: str | None = None
    notice: str = ""
    _view: str = field(repr=False, default="odds")
    _job: Job = field(repr=False, default_factory=Job)
    _row: Row = field(repr=False, default=Row(0, 1, {}, {}))

    @property
    def result(self) -> Result | None:
        """The split of the pot; None if there is none, in a view of several."""
        result = getattr(self.found, "result", self.found)
        return result if isinstance(result, Result) else None

    def rows(self) -> list[dict[str, Any]]:
        """Flat rows with the columns of ``equity batch``: one, or those of its view."""
        job = replace(self._job, carried=renamed(self._row.carried, (self._view,)))
        if self.found is None:
            rows = given_rows(job, self._row, {})
        else:
            rows = flat_rows(job, self._row, self._view, self.found, notice=self.notice)
        for row in rows:
            if row["view"] in (None, "odds"):
                del row["view"]
        return [row | {"error": self.error} for row in rows]

    def to_dict(self) -> dict[str, Any]:
        """The flat row of an answer that has one, else the first of :meth:`rows`."""
        return self.rows()[0]


def batch(
    spots: Iterable[Given],
    *,
    game: str | Game = "plo4",
    board: Cards = "",
    dead: Cards = "",
    ordering: str | Path | Ordering | None = None,
    exact: bool = False,
    trials: int | None = None,
    error: float | None = None,
    budget: float | None = None,
    seed: int = 0,
    yes: bool = False,
    no_files: bool = False,
    view: str | None = None,
    rake: str | None = None,
    cap: Amount | None = None,
    by_combo: bool = False,
    jobs: int | None = None,
    executor: Executor | None = None,
    ignore_columns: str | Iterable[str] | None = None,
) -> Iterator[Answer]:
    """The answers of many spots, in order, each as soon as it is there.

    Spots are taken from the iterable a little ahead of the answers, so there may
    be any number of them.

    Parameters
    ----------
    spots:
        Each is a mapping with the columns of ``equity batch``, ``{"players":
        ["AA", "KK"], "board": "Th7h2c"}`` say, or the sequence of its players.
    game, board, dead, ordering, exact, trials, error, budget, seed, yes:
        What a spot has that does not say; see :func:`equity.odds`.
    no_files:
        Refuse an ordering that a spot names and that is a file.
    view:
        What is asked: ``"odds"``, ``"streets"``, ``"next"``, ``"next-two"``,
        ``"graph"``, ``"graph-flops"`` (or turns, rivers), ``"blockers"``; ``"odds"``
        if neither this nor the spot says anything.
    rake, cap:
        Of spots that have ``"stacks"`` or a ``"call"``; see :func:`equity.all_in`.
    by_combo:
        Tell how every combo of two ranges fares; exact answers only.
    jobs:
        How many processes work; all processors by default, 1 is this process.
    executor:
        Does the work in their place, ``jobs`` tasks at a time: processes, or those
        of a cluster.
    ignore_columns:
        Keys of spots that are carried through as notes, known or not: a list of them,
        or ``"all"`` for every one that is not known.  Others that look like a known one
        are errors, ``"flop"`` say.

    Raises
    ------
    EquityError
        One of the options is wrong.  What is wrong with a spot is the error of its
        answer.

    Examples
    --------
    >>> [answer.result.equities_exact[0] for answer in batch([["AhAsKhKs", "9c8c7d6d"]])]
    [Fraction(326093, 543004)]
    """
    How(exact, trials, error, budget, seed, jobs, by_combo, executor=executor)
    if isinstance(spots, (str, bytes, Mapping)) or not isinstance(spots, Iterable):
        raise BatchError(
            f"one {type(spots).__name__} where many spots are wanted",
            place="spots",
            hint="give a list of spots",
        )
    defaults: dict[str, Any] = {"game": game, "board": board, "dead": dead, "ordering": ordering}
    defaults |= {"exact": exact, "trials": trials, "error": error, "budget": budget, "seed": seed}
    defaults |= {"yes": truth(yes, "yes"), "no_files": truth(no_files, "no_files")}
    defaults |= {"view": view, "rake": rake, "cap": cap}
    defaults = {name: value for name, value in defaults.items() if value is not None}
    check_defaults(defaults)
    if rake is not None:
        read_rake(rake)
    if cap is not None:
        read_amount(cap, "cap")
    slots = jobs or processors()
    pool = Pool(executor, lambda: slots) if executor is not None else local_pool(slots)
    job = Job(defaults=defaults, by_combo=by_combo)
    return _answers(spots, Names(ignore_columns), job, pool, own=executor is None)


def _answers(
    spots: Iterable[Given], names: Names, job: Job, pool: Pool, *, own: bool
) -> Iterator[Answer]:
    try:
        with closing(answers(job, _rows(spots, names), pool)) as all_found:
            for found in all_found:
                if found is not None:
                    row, answered = found
                    name = row.values.get("id", row.line)
                    problem = answered.problem or None
                    yield Answer(
                        name, answered.output, problem, answered.notice, answered.view, job, row
                    )
    finally:
        if own:
            pool.executor.shutdown(wait=True, cancel_futures=True)


def _rows(spots: Iterable[Given], names: Names) -> Iterator[Row]:
    for number, spot in enumerate(spots):
        if isinstance(spot, Mapping):
            fields = {str(name): value for name, value in spot.items()}
            try:
                found = sort_fields(number + 1, fields, names)
            except BatchError as error:
                problem = f"{error.problem}; {error.hint}"
                yield Row(number, number + 1, {}, fields, problem)
                continue
            yield Row(number, number + 1, found.values, found.carried, found.problem)
        elif isinstance(spot, Sequence) and not isinstance(spot, str):
            yield Row(number, number + 1, {"players": list(spot)}, {})
        else:
            problem = f"a spot is a mapping or a list of players, not a {type(spot).__name__}"
            yield Row(number, number + 1, {}, {}, problem)
