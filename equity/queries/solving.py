"""Answers queries: enumerates the deals, draws them, or asks the engine of ``equity odds``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import count
from time import perf_counter
from typing import TYPE_CHECKING, Any

from equity.common.arguments import shown
from equity.engine.executor import run_job, worker_threads
from equity.engine.options import How, Progress
from equity.engine.sampling.proof import prove
from equity.engine.sampling.question import question
from equity.engine.sampling.table import Table
from equity.engine.solver import solve
from equity.errors import DealError, EquityError, NoDealError
from equity.queries.analysis import read_programs
from equity.queries.answers import Answers
from equity.queries.columns import total
from equity.queries.drawing import Drawing
from equity.queries.enumeration import Enumeration
from equity.queries.evaluation import Evaluator
from equity.queries.frame import Shared
from equity.queries.plans import QueryPlan, plan_query, target_of
from equity.queries.program import Output, Program
from equity.queries.range_equities import RangeEquities
from equity.queries.results import Answer, Figure
from equity.queries.sums import share_error, start_sum

if TYPE_CHECKING:
    from pathlib import Path

    from equity.ranges import Ordering
    from equity.results.player import PlayerResult
    from equity.results.result import Result

__all__ = ["answer", "plan_of", "pql"]

#: Seconds between two reports of progress.
REPORT_EVERY = 0.2
#: Draws of hands after which a sample without a deal that passes gives up.
MOST_TRIED = 1 << 28
#: Deals of a chunk of a sample take about so many nanoseconds.
CHUNK_COST = 50_000_000


def pql(
    text: str,
    *,
    params: Mapping[str, Any] | None = None,
    ordering: str | Path | Ordering | None = None,
    exact: bool = False,
    trials: int | None = None,
    error: float | None = None,
    budget: float | None = None,
    seed: int = 0,
    threads: int | None = None,
    progress: Any = None,
    yes: bool = False,
) -> Answers:
    """Answer queries of the query language, exactly or with standard errors.

    Parameters
    ----------
    text:
        Queries, separated by semicolons, such as ``"select avg(riverEquity(hero)) from
        game='omahahi', hero='AhAsKhKs', villain='10%'"``.
    params:
        Values that replace ``:name`` in the text: texts, numbers, Booleans and ranges.
    ordering:
        Hand ranking that percentages refer to, see :class:`equity.Range`.
    exact, trials, error, budget, seed, threads, progress, yes:
        See :class:`equity.How`.  The error is that of every share and mean equity; of the
        mean of other numbers, that part of their spread.

    Returns
    -------
    Answers
        An answer for each query.

    Raises
    ------
    EquityError
        A subclass says which part of which query is wrong.

    Examples
    --------
    >>> answers = pql(
    ...     "select count(flopHandCategory(hero) = flopset) as set "
    ...     "from game='omahahi', hero='KhKd7c2s', villain='*'"
    ... )
    >>> answers[0]["set"].value_exact
    Fraction(255, 2162)
    """
    how = How(exact, trials, error, budget, seed, threads, progress=progress, yes=yes)
    if params is not None and not isinstance(params, Mapping):
        hint = "give a dict of names and values"
        raise EquityError(f"{shown(params)} has no names", place="params", hint=hint)
    programs = read_programs(_text(text), params, ordering)
    return Answers(tuple(answer(program, how) for program in programs))


def _text(text: Any) -> str:
    if isinstance(text, str):
        return text
    raise EquityError(f"{shown(text)} is no text", place="query", hint="give select ... from ...")


def plan_of(program: Program, how: How) -> QueryPlan:
    """How a program is answered."""
    return plan_query(program, how, _equities(program))


def _equities(program: Program) -> RangeEquities:
    spot = program.setup.spot
    return RangeEquities(spot.game, spot.players)


def answer(program: Program, how: How) -> Answer:
    """Answer one query.

    Raises
    ------
    DealError
        No deal is possible or passes the condition, or none was found.
    """
    equities = _equities(program)
    plan = plan_query(program, how, equities)
    equities.is_sampled = plan.method == "sample"
    try:
        if plan.method == "odds":
            return _by_odds(program, how)
        if plan.method == "sample":
            prove(Table(question(program.setup.spot)))
    except EquityError as error:
        named = program.setup.named
        raise type(error)(named(error.problem), place=named(error.place), hint=error.hint) from None
    job: Any = _JOBS[plan.method](plan, how, equities)
    interrupted = run_job(job, threads=worker_threads(how.threads))
    found: Answer = job.answer(partial=interrupted)
    return found


class _Job:
    """The sums of a query, chunk by chunk."""

    is_exact = False
    method = ""

    def __init__(self, plan: QueryPlan, how: How, equities: RangeEquities) -> None:
        self.plan, self.how = plan, how
        self.program = plan.program
        self.shared = Shared(plan.dealing, equities, self.is_exact)
        self.evaluator = Evaluator(self.program, self.shared)
        self.sums = [start_sum(output) for output in self.program.outputs]
        self.deals = self.all = self.chunks = 0
        self.began = self.reported = perf_counter()

    @property
    def is_empty(self) -> bool:
        return not self.deals

    def stop(self) -> None:
        """Chunks are short enough to be waited for."""

    def parts(self, blocks: Iterable[Any]) -> list[tuple[int, int, list[Any]]]:
        """What blocks of deals add: all deals, those that pass, and the parts of sums."""
        found = []
        for block in blocks:
            passed, columns = self.evaluator.passing(block)
            weights = passed.weights
            every = len(block) if block.weights is None else total(block.weights)
            passes = len(passed) if weights is None else total(weights)
            parts = []
            if len(passed):
                parts = [
                    one.part(column, weights)
                    for one, column in zip(self.sums, columns, strict=True)
                ]
            found.append((every, passes, parts))
        return found

    def take(self, found: list[tuple[int, int, list[Any]]]) -> None:
        for every, passes, parts in found:
            self.all += every
            self.deals += passes
            for one, part in zip(self.sums, parts, strict=False):
                one.add(part)
        self.chunks += 1

    def report(self, done: float) -> None:
        now = perf_counter()
        if self.how.progress and self.deals and now - self.reported > REPORT_EVERY:
            self.reported = now
            self.how.progress(Progress(done, self.answer(partial=True)))

    def nothing(self) -> DealError:
        """The error where no deal passes."""
        raise NotImplementedError

    def answer(self, *, partial: bool) -> Answer:
        """The answer for what has been added."""
        if not self.deals:
            raise self.nothing()
        exact = self.is_exact and not partial
        figures = tuple(
            one.figure(self.deals, self.shared.texts, exact=self.is_exact) for one in self.sums
        )
        if partial and self.is_exact:
            figures = tuple(replace(figure, value_exact=None) for figure in figures)
        names = self.program.setup.names
        left_out = tuple(names[player] for player in self.plan.dealing.left_out)
        return _answer(
            self.program,
            exact=exact,
            method=self.method,
            deals=self.deals,
            all=self.all,
            seed=None if self.is_exact else self.how.seed,
            elapsed=perf_counter() - self.began,
            results=figures,
            partial=partial,
            left_out=left_out,
        )


def _answer(program: Program, **facts: Any) -> Answer:
    spot = program.setup.spot
    return Answer(
        query=program.text,
        game=spot.game.name,
        board=spot.board_text,
        dead=spot.dead_text,
        players=tuple(zip(program.setup.names, spot.texts, strict=True)),
        warnings=tuple(spot.warnings),
        **facts,
    )


class _Enumerate(_Job):
    """Counts every deal."""

    is_exact = True
    method = "enumerate"

    def __init__(self, plan: QueryPlan, how: How, equities: RangeEquities) -> None:
        super().__init__(plan, how, equities)
        self.deals_of = Enumeration(plan.dealing)

    def groups(self, threads: int) -> Iterator[Iterable[int]]:  # noqa: ARG002 - a job's
        """All chunks."""
        yield range(self.deals_of.chunks)

    def work(self, chunk: int) -> list[tuple[int, int, list[Any]]]:
        """Evaluate the deals of a chunk."""
        return self.parts(self.deals_of.blocks(chunk))

    def add(self, found: list[tuple[int, int, list[Any]]]) -> bool:
        """Add a chunk; it stops with the last one."""
        self.take(found)
        self.report(self.chunks / max(self.deals_of.chunks, 1))
        return False

    def nothing(self) -> DealError:
        if not self.all:
            return NoDealError(
                "no hands of the players can be dealt together",
                place=" and ".join(self.program.setup.names),
                hint="every combo takes a card that another player, the board or a dead card has",
            )
        return NoDealError(
            f"no deal passes the condition; all {self.all:,} were counted",
            place="where",
            hint="ask for less",
        )


class _Sample(_Job):
    """Draws deals until the errors are small enough."""

    method = "sample"

    def __init__(self, plan: QueryPlan, how: How, equities: RangeEquities) -> None:
        super().__init__(plan, how, equities)
        self.target = target_of(how)
        rows = 1 << max(4, min(15, (CHUNK_COST // plan.deal_cost).bit_length()))
        self.rows = rows if how.trials is None else min(rows, max(2, how.trials))
        self.drawing = Drawing(plan.dealing, how.seed, self.rows)
        self.tried = 0

    def groups(self, threads: int) -> Iterator[Iterable[int]]:  # noqa: ARG002 - a job's
        """All chunks, without end."""
        yield count()

    def work(self, chunk: int) -> tuple[int, list[tuple[int, int, list[Any]]]]:
        """Draw and evaluate a chunk."""
        block, tried = self.drawing.chunk(chunk)
        if self.how.trials is not None:
            # The last chunk has what is missing.
            left = self.how.trials - chunk * self.rows
            if 0 < left < len(block):
                block = block.take(slice(0, left))  # type: ignore[arg-type]
        return tried, self.parts([block] if len(block) else [])

    def add(self, found: tuple[int, list[tuple[int, int, list[Any]]]]) -> bool:
        """Add a chunk; whether there are enough."""
        tried, parts = found
        self.tried += tried
        self.take(parts)
        most = 2 * self.plan.most_deals if self.how.trials is None else self.how.trials
        if not self.deals and (self.tried >= MOST_TRIED or self.all >= most):
            raise self.nothing()
        done = self._done()
        self.report(done)
        return done >= 1

    def _done(self) -> float:
        how = self.how
        shares = [0.0]
        if how.budget is not None:
            shares.append((perf_counter() - self.began) / how.budget)
        if how.trials is not None:
            shares.append(self.all / how.trials)
            if not self.deals:
                return 0.0
        elif how.budget is None:
            shares.append(self.all / self.plan.most_deals if self.deals else 0.0)
        if self.target is not None and self.deals > 100:
            worst = max(one.error(self.deals) for one in self.sums)
            shares.append((self.target / worst) ** 2 if worst else 1.0)
        return max(shares)

    def nothing(self) -> DealError:
        if not self.all:
            return DealError(
                f"no hands of the players go together in {self.tried:,} that were drawn",
                place=" and ".join(self.program.setup.names),
                hint="narrow the ranges, or give --exact",
            )
        return DealError(
            f"no deal passes the condition of {self.all:,} that were drawn",
            place="where",
            hint="ask for less, draw more by --trials, or give --exact",
        )


_JOBS: dict[str, type[_Job]] = {"enumerate": _Enumerate, "sample": _Sample}


# What the engine answers


def _by_odds(program: Program, how: How) -> Answer:
    """The answer of the engine of ``equity odds``."""
    began = perf_counter()
    report = how.progress
    if report is not None:

        def progress(found: Progress) -> None:
            result: Any = found.result
            report(Progress(found.done, _of_result(program, result, began)))

        how = replace(how, progress=progress)
    return _of_result(program, solve(program.setup.spot, how), began)


def _of_result(program: Program, result: Result, began: float) -> Answer:
    return _answer(
        program,
        exact=result.exact,
        method=result.method,
        deals=result.weight,
        all=result.weight,
        seed=result.seed,
        elapsed=perf_counter() - began,
        results=tuple(_figure(program, output, result) for output in program.outputs),
        partial=result.partial,
    )


def _figure(program: Program, output: Output, result: Result) -> Figure:
    """The figure of a result that the engine found."""
    function, at = program.steps[output.step].fixed
    player, weight = result.players[at], result.weight
    facts: dict[str, Any] = {
        "name": output.name,
        "kind": output.kind,
        "type": output.type.name,
        "of": weight,
    }
    if output.kind == "avg":
        return Figure(
            **facts,
            value=player.equity,
            value_exact=player.equity_exact if result.exact else None,
            std_error=player.equity_error,
        )
    event, hits = _event(function.name, player)
    error = None
    if result.sample is not None:
        error = (player.split_error or {}).get(event)
        error = share_error(hits, weight) if error is None else error
    share = Fraction(hits, weight)
    return Figure(
        **facts,
        share=float(share),
        hits=hits,
        value_exact=share if result.exact else None,
        std_error=error,
    )


def _event(function: str, player: PlayerResult) -> tuple[str, int]:
    """The name of an event in the errors of a result, and how many deals have it."""
    if function == "scoops":
        return "1", player.outcomes_exact.get(Fraction(1), 0)
    half, name = ("high", player.high) if function.endswith("Hi") else ("low", player.low)
    if name is None:
        return "", 0
    return (
        (f"{half}_win", name.win_count)
        if function.startswith("wins")
        else (f"{half}_tie", name.tie_count)
    )
