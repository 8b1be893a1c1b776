"""``equity.batch``: answer many spots and yield the answers in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from equity.batching.columns import Names
from equity.batching.errors import BatchError
from equity.batching.fields import sort_fields
from equity.batching.job import Job
from equity.batching.layouts import renamed
from equity.batching.parse_row import check_defaults
from equity.batching.rows import Row
from equity.batching.stream import Pool, answers, local_pool
from equity.batching.text import read_csv, read_json
from equity.batching.worker import flat_rows, given_rows
from equity.common.arguments import shown, truth
from equity.common.limits import processors
from equity.engine.options import How
from equity.money.amounts import read_amount, read_rake
from equity.results.result import Result
from equity.rules.cards import Cards
from equity.rules.games import Game

if TYPE_CHECKING:
    from equity.money.amounts import Amount
    from equity.ranges import Ordering, Range

__all__ = ["Answer", "Given", "batch", "rows_of_text"]

#: A spot: a mapping of columns, or the sequence of its players.
Given = Mapping[str, Any] | Sequence["Cards | Range"]


@dataclass(frozen=True)
class Answer:
    """The answer to a spot, or the reason why there is none.

    Attributes
    ----------
    id:
        The ``id`` of the spot, or its number, counted from 1.
    found:
        The answer: a :class:`~equity.Result`, or what the function of the view returns, for
        example :func:`equity.streets` or :func:`equity.all_in`.  None if the spot failed.
    error:
        Why the spot failed, in one line; None if it did not.
    notice:
        A warning that part of the spot is ambiguous; usually empty.
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
        """The equities of the spot; None for a failed spot and for views without them."""
        result = getattr(self.found, "result", self.found)
        return result if isinstance(result, Result) else None

    def rows(self) -> list[dict[str, Any]]:
        """The answer as flat rows with the columns of ``equity batch``; some views have several."""
        job = replace(self._job, carried=renamed(self._row.carried, (self._view,)))
        if self.found is None:
            rows = given_rows(job, self._row)
        else:
            rows = flat_rows(job, self._row, self._view, self.found, notice=self.notice)
        for row in rows:
            if row["view"] in (None, "odds"):
                del row["view"]
        return [row | {"error": self.error} for row in rows]

    def to_dict(self) -> dict[str, Any]:
        """The first of :meth:`rows`, for views that have only one."""
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
    at_least: str | None = None,
    by_combo: bool = False,
    jobs: int | None = None,
    executor: Executor | None = None,
    ignore_columns: str | Iterable[str] | None = None,
) -> Iterator[Answer]:
    """Answer many spots in parallel; yield the answers in order, each as soon as it is found.

    The iterable is read only slightly ahead of the answers, so it may be of any length.

    Parameters
    ----------
    spots:
        Mappings with the columns of ``equity batch``, such as ``{"players":
        ["AA", "KK"], "board": "Th7h2c"}``, or sequences of players.
    game, board, dead, ordering, exact, trials, error, budget, seed, yes:
        Defaults for spots that do not set them; see :func:`equity.odds`.
    no_files:
        Do not read an ordering from a file that a spot names; the spot fails.
    view:
        What to compute: ``"odds"`` (the default), ``"streets"``, ``"next"``,
        ``"next-two"``, ``"graph"``, ``"graph-flops"`` (or turns, rivers), ``"flops"``
        (``"flops-suits"``, ``"flops-pairs"``, ``"flops-high"``) or ``"blockers"``, for
        spots that do not set their own.
    rake, cap:
        The rake of spots with ``"stacks"`` or a ``"call"``; see :func:`equity.all_in`.
    at_least:
        The lines of the views of flops; see :func:`equity.flops`.
    by_combo:
        Also find the equity of every combo, in exact answers of two ranges.
    jobs:
        Number of worker processes, by default one per processor; 1 uses this process.
    executor:
        Runs the tasks in place of worker processes, ``jobs`` at a time; for example
        that of a cluster.
    ignore_columns:
        Keys to carry through as notes, known or not: a list of them, or ``"all"`` for
        every unknown key.  Any other unknown key that resembles a known one, such as
        ``"bord"``, is an error.

    Raises
    ------
    EquityError
        An option is invalid.  An invalid spot raises nothing: its answer has an error.

    Examples
    --------
    >>> [answer.result.equities_exact[0] for answer in batch([["AhAsKhKs", "9c8c7d6d"]])]
    [Fraction(326093, 543004)]
    """
    How(exact, trials, error, budget, seed, jobs, by_combo, executor=executor)
    if isinstance(spots, (str, bytes, Mapping)) or not isinstance(spots, Iterable):
        raise BatchError(
            f"expected an iterable of spots, not one {type(spots).__name__}",
            place="spots",
            hint="give a list of spots",
        )
    defaults: dict[str, Any] = {"game": game, "board": board, "dead": dead, "ordering": ordering}
    defaults |= {"exact": exact, "trials": trials, "error": error, "budget": budget, "seed": seed}
    defaults |= {"yes": truth(yes, "yes"), "no_files": truth(no_files, "no_files")}
    defaults |= {"view": view, "rake": rake, "cap": cap, "at_least": at_least}
    defaults = {name: value for name, value in defaults.items() if value is not None}
    check_defaults(defaults)
    if rake is not None:
        read_rake(rake)
    if cap is not None:
        read_amount(cap, "cap")
    slots = jobs or processors()
    pool = Pool(executor, lambda: slots) if executor is not None else local_pool(slots)
    if at_least is not None and not isinstance(at_least, str):
        raise BatchError(
            f"{shown(at_least)} is no text", place="at_least", hint="write lines such as @SET,@NFD"
        )
    job = Job(defaults=defaults, by_combo=by_combo)
    return _answers(_rows(spots, Names(ignore_columns)), job, pool, own=executor is None)


def _answers(rows: Iterator[Row], job: Job, pool: Pool, *, own: bool) -> Iterator[Answer]:
    """Answer rows, in order, and end the pool if it is the caller's ``own``."""
    try:
        with closing(answers(job, rows, pool)) as all_found:
            blocks = (found for found in all_found if found is not None)
            for given, block in blocks:
                for row, answered in zip(given, block.answers, strict=True):
                    name = row.values.get("id", row.line)
                    problem = answered.problem or None
                    yield Answer(
                        name, answered.output, problem, answered.notice, answered.view, job, row
                    )
    finally:
        if own:
            pool.executor.shutdown(wait=True, cancel_futures=True)


def rows_of_text(text: BinaryIO, form: str, ignored: str | None) -> list[Row]:
    """The rows of a table in memory.

    Parameters
    ----------
    text:
        The table, a stream of bytes.
    form:
        ``"csv"`` or ``"jsonl"``.
    ignored:
        Columns to carry through as notes, see :class:`~equity.batching.columns.Names`.

    Raises
    ------
    BatchError
        It is no table.
    """
    read = {"csv": read_csv, "jsonl": read_json}[form]
    return [row._replace(number=number) for number, row in enumerate(read(text, Names(ignored)))]


def _rows(spots: Iterable[Given], names: Names) -> Iterator[Row]:
    for number, spot in enumerate(spots):
        line = number + 1
        if isinstance(spot, Row):  # of a table that was read
            yield spot
        elif isinstance(spot, Mapping):
            fields = {str(name): value for name, value in spot.items()}
            try:
                yield sort_fields(line, fields, names)._replace(number=number)
            except BatchError as error:
                yield Row(number, line, {}, fields, f"{error.problem}; {error.hint}")
        elif isinstance(spot, Sequence) and not isinstance(spot, str):
            yield Row(number, line, {"players": list(spot)}, {})
        else:
            problem = f"a spot is a mapping or a list of players, not a {type(spot).__name__}"
            yield Row(number, line, {}, {}, problem)
