"""Answering rows: from what was given to lines of the output; what workers do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from equity.batching.columns import Column, player_number
from equity.batching.questions import Memory, Question, players_of, read_question
from equity.batching.rows import Answered, Counts, Row
from equity.batching.writing import LINES
from equity.engine import count, solve
from equity.errors import EmptyRangeError, EquityError, MethodError, NoDealError
from equity.games import find_game
from equity.result import PlayerResult, Result

if TYPE_CHECKING:
    from equity.methods import Plan

__all__ = [
    "ANSWERS",
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


class Answers(NamedTuple):
    """How a kind of answers is found, and what its columns hold."""

    answer: Callable[[Question, Plan | None], Result]
    of_spot: Callable[[Result], dict[str, Any]]
    of_player: Callable[[PlayerResult], dict[str, Any]]


def _odds(question: Question, plan: Plan | None) -> Result:
    if plan is not None:
        return count(question.spot, plan, question.how)
    if question.spot.hands is not None:
        return solve(question.spot, question.how)
    from equity.samples import draw

    return draw(question.spot, question.how)


def _odds_of_spot(result: Result) -> dict[str, Any]:
    return {
        "game": result.game,
        "board": result.board,
        "dead": result.dead,
        "method": result.method,
        "exact": result.exact,
        "deals": result.deals,
        "weight": result.weight,
        "no_low": result.no_low,
        "seed": result.seed,
    }


def _odds_of_player(player: PlayerResult) -> dict[str, Any]:
    sampled = player.std_error
    high, low = player.high, player.low
    return {
        "combos": player.combos,
        "live": player.live,
        "equity": player.equity,
        "equity_exact": None if sampled else str(player.equity_exact),
        "std_error": sampled["equity"] if sampled else None,
        "high": high.equity,
        "low": low.equity if low else None,
        "scoop": player.scoop,
        "win": high.win,
        "tie": high.tie,
        "orderings": "; ".join(player.orderings),
    }


#: Kinds of answers by name, those of :data:`equity.batching.columns.VIEWS`.
ANSWERS = {"odds": Answers(_odds, _odds_of_spot, _odds_of_player)}


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
    #: The most players of a row.
    players: int | None = None
    by_combo: bool = False
    #: Whether rows are checked only.
    check: bool = False
    #: Nanoseconds above which the work of a spot is shared.
    large: int = LARGE_COST
    view: str = "odds"

    def lines(self, rows: Sequence[Mapping[str, Any]]) -> str:
        """Rows as lines of the output."""
        names = [column.name for column in self.columns]
        return LINES[self.format](names, [[row.get(name) for name in names] for row in rows])


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
            return Answered("")
        plan = _plan(question)
        if share is not None:
            question.how = replace(question.how, **share)
        elif is_large(question, plan, job.large):
            return None
        result = ANSWERS[job.view].answer(question, plan)
    except (EmptyRangeError, NoDealError) as error:
        return _no_deals(job, row) if row.multiplicity else _failed(job, row, str(error))
    except EquityError as error:
        return _failed(job, row, str(error))
    except passed_on:
        raise
    except Exception as error:
        # A defect of the program costs its row, not all the others.
        return _failed(job, row, f"unexpected {type(error).__name__}: {error}")
    if result.partial:
        # The engine ends early when it is interrupted; here that ends everything.
        raise KeyboardInterrupt
    return _answered(job, row, result)


def _plan(question: Question) -> Plan | None:
    """How an exact answer to a question with ranges is found; None if it has none."""
    spot, how = question.spot, question.how
    if spot.hands is not None or (how.trials is not None and not how.exact):
        return None
    from equity.methods import exact_plan

    return exact_plan(spot, forced=how.exact)


def is_large(question: Question, plan: Plan | None, cost: int) -> bool:
    """Whether other processes should do their part of a spot."""
    if plan is not None:
        return plan.cost > cost
    how = question.how
    is_sample = question.spot.hands is None
    return is_sample and ((how.trials or 0) > LARGE_TRIALS or (how.error or 1.0) < LARGE_ERROR)


def _answered(job: Job, row: Row, result: Result) -> Answered:
    combos = _combos(result) if job.by_combo and job.format else ""
    output: Any = result
    if job.format:
        output = job.lines(flat_rows(job, row, result, has_combos=bool(combos)))
    counts = None
    if row.multiplicity:
        # Known hands do without numpy, which this needs.
        from equity.methods import weight_unit

        unit = weight_unit(result.spot)
        tally = [unit * n for rows in result.tally.counts for cells in rows for n in cells]
        counts = Counts(row.matchup, row.multiplicity, tally, result.deals, result.exact)
    return Answered(output, counts=counts, combos=combos)


def _failed(job: Job, row: Row, message: str) -> Answered:
    problem = one_line(message)
    output = job.lines(given_rows(job, row, {"error": problem})) if job.format else None
    return Answered(output, problem)


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
    from equity.report import combo_rows, csv_rows

    try:
        tables = [combo_rows(result, at) for at in range(len(result.players))]
    except MethodError:
        return ""
    rows = [[number, *row] for number, (_, rows) in enumerate(tables, 1) for row in rows]
    return csv_rows(["player", *tables[0][0]], rows)


def _given(job: Job, row: Row, name: str) -> Any:
    return row.values.get(name, job.defaults.get(name))


def _identity(row: Row) -> dict[str, Any]:
    """The id, what is carried through, and what a spot stands for."""
    values = {"id": row.values.get("id", row.line), **row.carried}
    if row.multiplicity:
        values["multiplicity"] = row.multiplicity
    return values


def flat_rows(
    job: Job, row: Row, result: Result, *, has_combos: bool = False
) -> list[dict[str, Any]]:
    """The rows of the output for a result, as values by column."""
    answers = ANSWERS[job.view]
    common = _identity(row) | answers.of_spot(result)
    if has_combos:
        common["by_combo"] = f"{row.number + 1}.csv"
    return _laid_out(
        job, common, [(player.range, answers.of_player(player)) for player in result.players]
    )


def given_rows(job: Job, row: Row, more: dict[str, Any]) -> list[dict[str, Any]]:
    """The row of a spot that has no result: what was given."""
    common = _identity(row)
    common |= {name: _text(_given(job, row, name)) for name in ("game", "board", "dead")} | more
    if job.layout == "long":
        return [common]
    try:
        players = players_of(row.values)
    except EquityError:
        named = {player_number(name): value for name, value in row.values.items()}
        return [common | {f"player{at}": _text(value) for at, value in named.items() if at}]
    return _laid_out(job, common, [(_text(player), {}) for player in players])


def _text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else str(value)


def _laid_out(
    job: Job, common: dict[str, Any], players: Sequence[tuple[str | None, dict[str, Any]]]
) -> list[dict[str, Any]]:
    if job.layout == "long":
        return [
            {**common, "player": number, "range": text, **values}
            for number, (text, values) in enumerate(players, 1)
        ]
    for number, (text, values) in enumerate(players, 1):
        common[f"player{number}"] = text
        common |= {f"player{number}_{name}": value for name, value in values.items()}
    return [common]
