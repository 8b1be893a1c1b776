"""Answering rows: from what was given to lines of the output; what workers do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from time import perf_counter
from typing import Any, NamedTuple

from equity.batching.columns import Column, player_number
from equity.batching.layouts import LAYOUTS, laid_out, rounded
from equity.batching.parse_row import Memory, players_of, read_question
from equity.batching.rows import Answered, Counts, Question, Row
from equity.batching.views import VIEWS, Line
from equity.batching.writing import LINES
from equity.common.notices import refuse_notices
from equity.errors import EmptyRangeError, EquityError, MethodError, NoDealError
from equity.results.result import Result
from equity.rules.games import find_game

__all__ = [
    "Job",
    "Part",
    "answer_row",
    "answer_rows",
    "flat_rows",
    "given_rows",
    "one_line",
]

#: A group of rows that takes longer than so many seconds is given back in part.
PATIENCE = 0.25
#: A spot is large, and its work is shared, if it takes about so many nanoseconds:
#: counting; or drawing so many deals, or until the error is so small.
LARGE_COST = 5_000_000_000
LARGE_TRIALS = 50_000_000
LARGE_ERROR = 0.0002
#: Characters of a message in a row.
MOST_MESSAGE = 400


@dataclass(frozen=True)
class Job:
    """What workers know of a batch."""

    #: What columns that are not filled in are.
    defaults: Mapping[str, Any] = field(default_factory=dict)
    columns: Sequence[Column] = ()
    #: ``wide`` or ``long``.
    layout: str = "wide"
    #: A name of :data:`equity.batching.writing.LINES`; results themselves if empty.
    format: str = ""
    #: Decimals that numbers of answers are rounded to.
    digits: int | None = None
    #: The most players of a row.
    players: int | None = None
    by_combo: bool = False
    #: The ending of pictures; nothing if none are drawn.
    plots: str = ""
    #: What columns that are carried through are called in the output.
    carried: Mapping[str, str] = field(default_factory=dict)
    #: Whether rows are checked only.
    check: bool = False
    #: Nanoseconds above which the work of a spot is shared.
    large: int = LARGE_COST

    def lines(self, rows: Sequence[Mapping[str, Any]]) -> str:
        """Rows as lines of the output."""
        names = self._names
        return LINES[self.format](names, [list(map(row.get, names)) for row in rows])

    @cached_property
    def _names(self) -> list[str]:
        return [column.name for column in self.columns]


class Part(NamedTuple):
    """What became of the first rows of a group."""

    answers: list[Answered]
    seconds: float
    #: Why the rest is given back: ``time``, or ``large`` for the row that is next.
    stopped: str = ""


_memory = Memory()


def answer_rows(job: Job, rows: Sequence[Row]) -> Part:
    """Answer the rows of a group, as many as there is time for."""
    start = perf_counter()
    answers: list[Answered] = []
    for row in rows:
        answered = answer_row(job, row)
        if answered is None:
            return Part(answers, perf_counter() - start, "large")
        answers.append(answered)
        if perf_counter() - start > PATIENCE and len(answers) < len(rows):
            return Part(answers, perf_counter() - start, "time")
    return Part(answers, perf_counter() - start)


def answer_row(
    job: Job,
    row: Row,
    *,
    share: Mapping[str, Any] | None = None,
    passed_on: tuple[type[BaseException], ...] = (),
) -> Answered | None:
    """Answer a row.

    Parameters
    ----------
    share:
        How the work of a large row is shared, as fields of a :class:`~equity.How`;
        without it, None is returned for such a row.
    passed_on:
        Errors of that executor, which say nothing of the row.
    """
    try:
        if row.problem:
            raise EquityError(row.problem)
        question = read_question(row.values, job.defaults, _memory, by_combo=job.by_combo)
        players = len(question.spot.players)
        if job.players is not None and players > job.players:
            raise EquityError(
                f"{players} players, and columns for {job.players}", hint="raise --max-players"
            )
        if job.check:
            refuse_notices(question.spot.notices)
            return Answered("")
        if share is not None:
            question.how = replace(question.how, **share)
        elif is_large(question, job.large):
            return None
        found = VIEWS[question.view].find(question)
        picture = _picture(job, question.view, found)
    except (EmptyRangeError, NoDealError) as error:
        return _no_deals(job, row) if row.multiplicity else _failed(job, row, str(error))
    except EquityError as error:
        # Other errors than those of the question: a file of the package is missing, say.
        return _failed(job, row, str(error), transient=error.exit_code != EquityError.exit_code)
    except passed_on:
        raise
    except Exception as error:
        # A defect of the program, or a kernel that cannot be loaded, costs its row alone.
        return _failed(job, row, f"unexpected {type(error).__name__}: {error}", transient=True)
    if getattr(found, "partial", False):
        # The engine ends early when it is interrupted; here that ends everything.
        raise KeyboardInterrupt
    return _answered(job, row, question, found, picture)


def is_large(question: Question, cost: int) -> bool:
    """Whether other processes should do their part of a spot."""
    if question.spot.hands is not None or not VIEWS[question.view].is_shared:
        return False
    if question.plan is not None:
        return question.plan.cost > cost
    how = question.how
    return (how.trials or 0) > LARGE_TRIALS or (how.error or 1.0) < LARGE_ERROR


def _picture(job: Job, view: str, found: Any) -> bytes:
    """The picture of an answer, if one is asked for and it has one."""
    if not job.plots or not VIEWS[view].has_picture:
        return b""
    from equity.views.plots import check_matplotlib, picture

    # Workers elsewhere may be without it.
    check_matplotlib("plots")
    return picture(found, job.plots)


def _answered(job: Job, row: Row, question: Question, found: Any, picture: bytes) -> Answered:
    view, notice = question.view, "; ".join(question.spot.warnings)
    result = found if isinstance(found, Result) else None
    combos = _combos(result) if result and job.by_combo and job.format else ""
    output: Any = found
    records = 1
    if job.format:
        files = {
            "by_combo": f"{row.number + 1}.csv" if combos else None,
            "plot": f"{row.number + 1}{job.plots}" if picture else None,
        }
        rows = flat_rows(job, row, view, found, notice=notice, files=files)
        output, records = job.lines(rows), len(rows)
    counts = None
    if row.multiplicity and result:
        tally = list(result.tally.cells)
        counts = Counts(row.matchup, row.multiplicity, tally, result.deals, result.exact)
    return Answered(
        output,
        records=records,
        counts=counts,
        combos=combos,
        picture=picture,
        view=view,
        notice=notice,
    )


def _failed(job: Job, row: Row, message: str, *, transient: bool = False) -> Answered:
    problem = one_line(message)
    output = job.lines(given_rows(job, row, {"error": problem})) if job.format else None
    return Answered(output, problem, transient=transient)


def _no_deals(job: Job, row: Row) -> Answered:
    """A flop on which no hands can be dealt: it counts nothing."""
    facts = {"game": find_game(_given(job, row, "game")).name, "exact": True}
    output = job.lines(given_rows(job, row, {**facts, "deals": 0, "weight": 0}))
    return Answered(output, counts=Counts(row.matchup, row.multiplicity, [], 0, True))


def one_line(message: str) -> str:
    """A message as one line of ASCII that is not too long."""
    text = " ".join(message.split()).encode("ascii", "backslashreplace").decode()
    return text if len(text) <= MOST_MESSAGE else f"{text[: MOST_MESSAGE - 3]}..."


def _combos(result: Result) -> str:
    """How every combo of each player fares, as CSV; nothing if the method does not tell."""
    from equity.results.report import combo_rows, csv_rows

    try:
        tables = [combo_rows(result, at) for at in range(len(result.players))]
    except MethodError:
        return ""
    rows = [[number, *row] for number, (_, rows) in enumerate(tables, 1) for row in rows]
    return csv_rows(["player", *tables[0][0]], rows)


def _given(job: Job, row: Row, name: str) -> Any:
    return row.values.get(name, job.defaults.get(name))


def _identity(job: Job, row: Row) -> dict[str, Any]:
    """The id, what is carried through, and what a spot stands for."""
    values = {"id": row.values.get("id", row.line)}
    if row.carried:
        values |= {job.carried.get(name, name): value for name, value in row.carried.items()}
    if row.multiplicity:
        values["multiplicity"] = row.multiplicity
    return values


def flat_rows(
    job: Job,
    row: Row,
    view: str,
    found: Any,
    *,
    notice: str = "",
    files: Mapping[str, str | None] | None = None,
) -> list[dict[str, Any]]:
    """The rows of the output for an answer, as values by column.

    ``notice`` says what may have been meant in another way; ``files`` are names of
    what is in files of its own, by column.
    """
    common = _identity(job, row) | {"view": view, **(files or {}), "notice": notice or None}
    lines = VIEWS[view].lines(found)
    if job.digits is not None:
        lines = [rounded(line, job.digits) for line in lines]
    return laid_out(job.layout, common, lines)


def given_rows(job: Job, row: Row, more: dict[str, Any]) -> list[dict[str, Any]]:
    """The row of a spot that has no result: what was given."""
    common = _identity(job, row)
    names = ("game", "board", "dead", "view")
    common |= {name: _text(_given(job, row, name)) for name in names} | more
    if not LAYOUTS[job.layout].names_players:
        return [common]
    try:
        players = players_of(row.values)
    except EquityError:
        named = {player_number(name): value for name, value in row.values.items()}
        return [common | {f"player{at}": _text(value) for at, value in named.items() if at}]
    return laid_out(job.layout, common, [Line({}, [(_text(player), {}) for player in players])])


def _text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else str(value)
