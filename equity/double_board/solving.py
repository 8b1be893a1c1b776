"""Solves spots with several boards: enumerates if possible, and samples otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

from equity.double_board.answers import Double, DoublePlayer, Shares
from equity.double_board.boards import Boards, read_boards
from equity.double_board.counting import HandSet, JointSums, JointWalk, joint_cost
from equity.double_board.drawing import JointSample, draw_joint
from equity.engine import planner
from equity.engine.executor import run_job, worker_threads
from equity.engine.options import How, Progress, check_how, read_spot_for
from equity.engine.solver import LONG, run_exact
from equity.errors import MethodError
from equity.kernels.log import log
from equity.results.result import Result
from equity.rules.cards import Cards, format_cards
from equity.rules.games import Game

if TYPE_CHECKING:
    from pathlib import Path

    from equity.ranges import Ordering

__all__ = ["find", "two_boards"]


def two_boards(
    players: Sequence[Any],
    game: str | Game = "plo4",
    board: Cards = "",
    board2: Cards | None = None,
    dead: Cards = "",
    *,
    ordering: str | Path | Ordering | None = None,
    how: How | None = None,
) -> Double:
    """Equities of a pot that is played on two boards.

    Known hands are always enumerated exactly, ranges when that takes about five seconds or
    less, or is asked for.  Otherwise deals are sampled; equities are exact even then where
    those of one board are.

    Parameters
    ----------
    players, game, board, dead, ordering:
        As for :func:`equity.odds`; known cards, no patterns.  Ranges are read on ``board``.
    board2:
        Known cards of the second board.  None runs it twice: both boards begin with
        ``board`` and share no further card.  A board that begins with the flop, or flop
        and turn, of the other is a second run of one pot.
    how:
        Options of the calculation; ``error`` bounds the errors of equities and of shares.

    Raises
    ------
    EquityError
        A subclass says which argument is wrong.
    """
    how = check_how(how)
    spot = read_spot_for(players, game, board, dead, how, ordering=ordering)
    return find(read_boards(spot, board2), how)


def find(boards: Boards, how: How) -> Double:
    """The result for validated boards.

    Raises
    ------
    KeyboardInterrupt
        It was interrupted before there was any result.
    """
    walk = _walk(boards, how)
    if walk is not None:
        return _counted(boards, walk, how)
    results = _results(boards, how)
    report: Callable[[float, JointSample], None] | None = None
    if how.progress:
        tell = how.progress

        def report(done: float, sample: JointSample) -> None:
            tell(Progress(done, _drawn(boards, sample, results, how.seed)))

    sample = draw_joint(boards, how, only_joint=bool(results), report=report)
    return _drawn(boards, sample, results, how.seed)


def _walk(boards: Boards, how: How) -> JointWalk | None:
    """The enumeration of all deals, if asked for or quick; otherwise None."""
    spot = boards.alone[0]
    cost = joint_cost(boards, prod(spot.live_combos))
    if spot.hands is None and not how.exact:
        if how.trials is not None or cost is None or cost > planner.EXACT_COST:
            return None
    elif cost is None:
        raise MethodError("more than two boards are sampled", place="exact", hint="leave it out")
    # Before the hands are listed, which may take more memory than is free.
    planner.check_cost(cost, how, "every deal of both boards")
    if how.exact and cost > LONG:
        log("enumerating every deal of both boards, which takes a while")
    return JointWalk(boards)


def _counted(boards: Boards, walk: JointWalk, how: How) -> Double:
    """The result of an enumeration of all deals."""
    job = _JointCount(boards, walk, how)
    threads = 1 if boards.spot.hands is not None else worker_threads(how.threads)
    partial = run_job(job, threads=threads)
    if not job.sums.deals:
        raise planner.no_deals()
    return job.result(partial=partial)


class _JointCount:
    """The job of an enumeration of all deals of two boards."""

    def __init__(self, boards: Boards, walk: JointWalk, how: How) -> None:
        self.boards, self.walk, self.how = boards, walk, how
        self.work = walk.count
        self.stop = walk.stop
        self.sums = JointSums.empty(len(boards.spot.players))
        self.chunks = 0
        self._threads = 1

    def groups(self, threads: int) -> Iterator[Iterable[Sequence[HandSet]]]:
        """All chunks in one group."""
        self._threads = threads
        yield self.walk.parts()

    def add(self, more: JointSums) -> bool:
        """Add a chunk."""
        self.sums.add(more)
        self.chunks += 1
        if self.how.progress and self.chunks % self._threads == 0:
            done = min(self.chunks * self.walk.chunk_sets / self.walk.sets, 1.0)
            self.how.progress(Progress(done, self.result(partial=True)))
        return False

    @property
    def is_empty(self) -> bool:
        """Whether no deal has been enumerated."""
        return not self.sums.deals

    def result(self, *, partial: bool) -> Double:
        """The result of the deals enumerated so far."""
        sums = self.sums
        players = [sums.shares(at, exact=not partial) for at in range(len(sums.both))]
        return _answer(self.boards, players, sums.deals, None, partial)


def _results(boards: Boards, how: How) -> list[Result]:
    """The exact results on each board alone; empty if one of them is sampled."""
    spots = boards.alone[:1] if boards.twice else boards.alone
    plans = [planner.plan_for(spot, how) for spot in spots]
    exact = [plan for plan in plans if plan.is_exact]
    if len(exact) < len(plans):
        return []
    results = []
    for spot, plan in zip(spots, exact, strict=True):
        results.append(run_exact(spot, plan, how))
        if results[-1].partial:
            # Neither the other board nor the joint shares were begun.
            raise KeyboardInterrupt
    return results * len(boards.known) if boards.twice else results


def _drawn(boards: Boards, sample: JointSample, results: Sequence[Result], seed: int) -> Double:
    """The estimate of a sample, with the exact results of each board."""
    players = []
    for at in range(len(boards.spot.players)):
        both, alone = sample.shares(at)
        if results:
            alone = tuple(Shares(result.players[at].outcomes_exact) for result in results)
        players.append((both, alone))
    return _answer(boards, players, sample.deals, seed, sample.partial)


def _answer(
    boards: Boards,
    players: Sequence[tuple[Shares, tuple[Shares, ...]]],
    deals: int,
    seed: int | None,
    partial: bool,
) -> Double:
    spot = boards.spot
    return Double(
        spot.game.name,
        tuple(format_cards(known) for known in boards.known),
        spot.dead_text,
        boards.twice,
        deals,
        seed,
        tuple(
            DoublePlayer(text, both, alone)
            for text, (both, alone) in zip(spot.texts, players, strict=True)
        ),
        is_known=spot.hands is not None,
        partial=partial,
        warnings=tuple(spot.warnings),
    )
