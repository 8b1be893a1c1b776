"""Answer rows: the part of a batch that workers run."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any, NamedTuple

from equity.batching.columns import player_number
from equity.batching.job import Job
from equity.batching.journal import Failed, State
from equity.batching.known_hands import answer_together
from equity.batching.layouts import LONG, laid_out, rounded
from equity.batching.parse_row import players_of, read_question
from equity.batching.rows import Answered, Question, Row
from equity.batching.view import Line
from equity.batching.views import VIEWS
from equity.common.notices import refuse_notices
from equity.errors import EmptyRangeError, EquityError, MethodError, NoDealError
from equity.results.result import Result
from equity.rules.games import find_game

__all__ = [
    "Block",
    "answer_row",
    "answer_rows",
    "flat_rows",
    "given_rows",
    "make_block",
    "one_line",
]

#: The time slice of a worker in seconds: after it the rest of a group is returned unanswered.
PATIENCE = 0.25
#: The work of a spot is shared above this number of trials, or below this standard error.
LARGE_TRIALS = 50_000_000
LARGE_ERROR = 0.0002
#: The most characters of a message in a row.
MOST_MESSAGE = 400


class Block(NamedTuple):
    """The answers to consecutive rows, ready to be written."""

    #: The number of rows, and how many seconds they took.
    done: int
    seconds: float
    #: Whether the work of the next row should be shared.
    is_large_next: bool
    #: Their lines for the output, or for ``RESULTS.retry``.
    text: str
    #: What they add to the state of the run, and the failed rows; their records begin at 0.
    state: State
    failed: Failed
    #: Results by combo and pictures, row by row.
    files: Mapping[str, Sequence[bytes]]
    #: The answers themselves, if the job has no format.
    answers: Sequence[Answered]
    #: Answers to later rows, which have the players exchanged, by their numbers.
    twins: Mapping[int, Answered]


def answer_rows(job: Job, rows: Sequence[Row]) -> Block:
    """Answer rows for the length of a time slice."""
    start = perf_counter()
    answers: list[Answered] = []
    together = _together(job, rows)
    for at, row in enumerate(rows):
        answered = together.get(at) or answer_row(job, row)
        if answered is None:
            return make_block(job, rows, answers, start, is_large_next=True)
        answers.append(answered)
        if perf_counter() - start > PATIENCE:
            break
    return make_block(job, rows, answers, start)


def _together(job: Job, rows: Sequence[Row]) -> Mapping[int, Answered]:
    """The answers to rows of known hands that can be found together, by index."""
    try:
        return answer_together(job, rows)
    except Exception:
        # Whatever it is, the rows are answered one by one, and fail one by one.
        return {}


def make_block(
    job: Job,
    rows: Iterable[Row],
    answers: Sequence[Answered],
    start: float,
    *,
    is_large_next: bool = False,
) -> Block:
    """Make a block of the answers to the first of some rows."""
    state, failed = State(), Failed()
    lines: list[str] = []
    twins: dict[int, Answered] = {}
    for row, answered in zip(rows, answers, strict=False):
        if row.twin is not None and answered.twin is not None:
            twins[row.twin.number] = answered.twin
        if answered.problem:
            failed.add(row.number, state.records, transient=answered.transient)
            state.note_failure(row.number, f"{job.place} {row.line}", answered.problem)
        elif job.by_combo:
            state.no_combos += not answered.combos
        if answered.sums:
            state.add_sums(str(row.matchup), answered.sums)
        state.rows += 1
        state.records += answered.records
        state.noticed += bool(answered.notice)
        lines.append(retry_line(row, answered) if job.is_retry else answered.output)
    files = {"combos": [answered.combos for answered in answers]} if job.by_combo else {}
    if job.plots:
        files["picture"] = [answered.picture for answered in answers]
    return Block(
        len(answers),
        perf_counter() - start,
        is_large_next,
        "".join(lines) if job.format else "",
        state,
        failed,
        files,
        () if job.format else answers,
        twins,
    )


def retry_line(row: Row, answered: Answered) -> str:
    """The new answer of a failed row, as a line of ``RESULTS.retry``."""
    return json.dumps([row.number, *answered[:4]]) + "\n"


def answer_row(
    job: Job,
    row: Row,
    *,
    share: Mapping[str, Any] | None = None,
    reraised: tuple[type[BaseException], ...] = (),
) -> Answered | None:
    """Answer a row.

    ``share`` are fields of :class:`~equity.How` that share the work of a large row; without
    them such a row is not answered, and None is returned.  ``reraised`` are errors of the
    executor, which are raised, because they are not the fault of the row.
    """
    try:
        if row.problem:
            raise EquityError(row.problem)
        question = read_question(row.values, job.defaults, by_combo=job.by_combo)
        players = len(question.spot.players)
        if job.players is not None and players > job.players:
            raise EquityError(
                f"{players} players, but columns for only {job.players}", hint="raise --max-players"
            )
        if job.check:
            refuse_notices(question.spot.notices)
            return Answered("")
        own = question.spot
        if row.is_mirrored:
            from equity.engine.exchange import exchanged, exchanged_spot

            question.spot = exchanged_spot(own)
        if share is not None:
            question.how = replace(question.how, **share)
        elif is_large(question, job.large):
            return None
        found = VIEWS[question.view].find(question)
        if row.is_mirrored:
            question.spot, found = own, exchanged(found, own)
        picture = _picture(job, question.view, found)
    except (EmptyRangeError, NoDealError) as error:
        return _no_deals(job, row) if row.multiplicity else _failed(job, row, str(error))
    except EquityError as error:
        # Exit codes differ for errors of the machine, such as a missing file of the package.
        return _failed(job, row, str(error), transient=error.exit_code != EquityError.exit_code)
    except reraised:
        raise
    except Exception as error:
        # A bug, or a kernel that cannot be loaded, fails only this row.
        return _failed(job, row, f"unexpected {type(error).__name__}: {error}", transient=True)
    if getattr(found, "partial", False):
        # The engine was interrupted; here that ends the batch.
        raise KeyboardInterrupt
    answered = _answered(job, row, question, found, picture)
    if row.twin is not None:
        from equity.engine.exchange import exchanged, exchanged_spot

        question.spot = exchanged_spot(own)
        twin = _answered(job, row.twin, question, exchanged(found, question.spot), b"")
        answered = answered._replace(twin=twin)
    return answered


def is_large(question: Question, cost: int) -> bool:
    """Whether the work of a spot should be shared among processes."""
    if question.spot.hands is not None or not VIEWS[question.view].is_shared:
        return False
    plan = question.plan
    if plan.is_exact:
        return plan.cost > cost
    how = question.how
    return (how.trials or 0) > LARGE_TRIALS or (how.error or 1.0) < LARGE_ERROR


def _picture(job: Job, view: str, found: Any) -> bytes:
    """Draw the picture of an answer; empty if there is none."""
    if not job.plots or not VIEWS[view].has_picture:
        return b""
    from equity.views.plots import check_matplotlib, picture

    # Workers of a cluster may lack it.
    check_matplotlib("plots")
    return picture(found, job.plots)


def _answered(job: Job, row: Row, question: Question, found: Any, picture: bytes) -> Answered:
    view, notice = question.view, "; ".join(question.spot.warnings)
    if not job.format:
        return Answered(found, view=view, notice=notice)
    result = found if isinstance(found, Result) else None
    combos = _combos(result) if result and job.by_combo else b""
    files = {
        "by_combo": f"{row.number + 1}.csv" if combos else None,
        "plot": f"{row.number + 1}{job.plots}" if picture else None,
    }
    rows = flat_rows(job, row, view, found, notice=notice, **files)
    sums = flop_sums(row, result) if row.multiplicity else None
    text = job.table.lines(rows)
    return Answered(text, "", len(rows), False, sums, combos, picture, view, notice)


def _failed(job: Job, row: Row, message: str, *, transient: bool = False) -> Answered:
    problem = one_line(message)
    output = job.table.lines(given_rows(job, row, error=problem)) if job.format else None
    return Answered(output, problem, transient=transient)


def _no_deals(job: Job, row: Row) -> Answered:
    """The answer to a flop that leaves no deal: zero deals."""
    game = find_game(_given(job, row, "game")).name
    rows = given_rows(job, row, game=game, exact=True, deals=0, weight=0)
    return Answered(job.table.lines(rows), sums=flop_sums(row, None))


def flop_sums(row: Row, result: Result | None) -> dict[str, Any]:
    """The sums of a canonical flop, times its multiplicity; without a result it has no deals."""
    times = row.multiplicity
    return {
        "flops": times,
        "deals": result.deals * times if result else 0,
        "sampled": times if result and not result.exact else 0,
        "tally": [number * times for number in result.tally.cells] if result else [],
    }


def one_line(message: str) -> str:
    """A message as one line of ASCII, truncated if too long."""
    text = " ".join(message.split()).encode("ascii", "backslashreplace").decode()
    return text if len(text) <= MOST_MESSAGE else f"{text[: MOST_MESSAGE - 3]}..."


def _combos(result: Result) -> bytes:
    """The equity of every combo as CSV; empty if the method does not give it."""
    from equity.results.formats import csv_lines

    try:
        listings = [result.combos(at) for at in range(len(result.players))]
    except MethodError:
        return b""
    rows = [[number, *row] for number, combos in enumerate(listings, 1) for row in combos.rows]
    return csv_lines([["player", *listings[0].names], *rows]).encode()


def _given(job: Job, row: Row, name: str) -> Any:
    return row.values.get(name, job.defaults.get(name))


def _identity(job: Job, row: Row) -> dict[str, Any]:
    """The id, the columns that are carried through, and the multiplicity."""
    values = {"id": row.values.get("id", row.line)}
    if row.carried:
        values |= {job.carried.get(name, name): value for name, value in row.carried.items()}
    if row.multiplicity:
        values["multiplicity"] = row.multiplicity
    return values


def flat_rows(
    job: Job, row: Row, view: str, found: Any, *, notice: str = "", **files: str | None
) -> list[dict[str, Any]]:
    """The rows of the output for an answer, as values by column.

    ``files`` are the names of extra files of the row by column.
    """
    common = _identity(job, row) | {"view": view, **files, "notice": notice or None}
    lines = VIEWS[view].lines(found)
    if job.digits is not None:
        lines = [rounded(line, job.digits) for line in lines]
    return laid_out(job.layout, common, lines)


def given_rows(job: Job, row: Row, **more: Any) -> list[dict[str, Any]]:
    """The row of the output for a spot without an answer: its input, and some columns."""
    common = _identity(job, row)
    names = ("game", "board", "dead", "view")
    common |= {name: _text(_given(job, row, name)) for name in names} | more
    if job.layout == LONG:
        return [common]
    try:
        players = players_of(row.values)
    except EquityError:
        named = {player_number(name): value for name, value in row.values.items()}
        return [common | {f"player{at}": _text(value) for at, value in named.items() if at}]
    return laid_out(job.layout, common, [Line({}, [(_text(player), {}) for player in players])])


def _text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else str(value)
