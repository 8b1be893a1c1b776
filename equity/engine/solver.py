"""Solves spots: chooses a plan, runs it, and makes the result."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain, islice
from struct import unpack
from time import perf_counter
from typing import TYPE_CHECKING, Any

from equity import kernels
from equity.engine.options import How, Progress, read_spot_for
from equity.kernels.loader import Block
from equity.kernels.log import log
from equity.results.result import Result
from equity.results.tally import Tally
from equity.rules.cards import Cards
from equity.rules.games import GAMES, Game
from equity.spot import Spot

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from pathlib import Path

    from equity.engine.planner import ExactPlan, Plan
    from equity.ranges import Ordering, Range

__all__ = ["LONG", "odds", "run", "run_exact", "solve"]

#: A forced enumeration that takes more nanoseconds than this is announced.
LONG = 1_000_000_000
#: The most hole cards of any game.
MOST_HOLE = max(game.hole for game in GAMES)
#: Chunks per thread between two reports of progress, about half a second.
GROUP = 20


def odds(
    players: Sequence[Cards | Range],
    game: str | Game = "plo4",
    board: Cards = "",
    dead: Cards = "",
    *,
    ordering: str | Path | Ordering | None = None,
    exact: bool = False,
    trials: int | None = None,
    error: float | None = None,
    budget: float | None = None,
    seed: int = 0,
    threads: int | None = None,
    by_combo: bool = False,
    progress: Callable[[Progress], None] | None = None,
    executor: Executor | None = None,
    yes: bool = False,
) -> Result:
    """Equities of hands and ranges against each other.

    Known hands are always enumerated exactly.  Ranges are when that takes about five
    seconds or less, or is asked for; otherwise equities are Monte Carlo estimates.

    Parameters
    ----------
    players:
        A hand or a range for each player, two or as many as the deck allows: text
        such as ``"AhAsKhKs"`` or ``"AA:xxyy,KK"``, card ids, or a
        :class:`~equity.Range`.
    game:
        Name or alias of the game, see :data:`equity.GAMES`.
    board:
        Up to five known board cards, or a pattern such as ``"T98:xxy"`` that is dealt.
    dead:
        Dead cards, or a pattern.
    ordering:
        Hand ranking that percentages such as ``"10%"`` refer to, see :class:`equity.Range`.
    exact, trials, error, budget, seed, threads, by_combo, progress, executor, yes:
        See :class:`equity.How`.

    Raises
    ------
    EquityError
        A subclass says which argument is wrong.

    Examples
    --------
    >>> odds(["AhAsKhKs", "9c8c7d6d"]).equities_exact[0]
    Fraction(326093, 543004)
    """
    how = How(exact, trials, error, budget, seed, threads, by_combo, progress, executor, yes)
    return solve(read_spot_for(players, game, board, dead, how, ordering=ordering), how)


def solve(spot: Spot, how: How | None = None) -> Result:
    """The result for a validated spot."""
    hands = spot.hands
    if hands is not None:
        return _walk(spot, hands)
    # Ranges need numpy, which known hands do without.
    from equity.engine.planner import plan_for

    how = how or How()
    return run(spot, plan_for(spot, how), how)


def run(spot: Spot, plan: Plan, how: How) -> Result:
    """The result for a spot of ranges, by the plan that :func:`planner.plan_for` chose."""
    if plan.is_exact:
        return run_exact(spot, plan, how)
    from equity.engine.monte_carlo import draw

    result = draw(spot, how)
    return _with_combos(result, how) if how.by_combo and not result.partial else result


def _walk(spot: Spot, hands: Sequence[Sequence[int]]) -> Result:
    """Enumerate all runouts of known hands."""
    kernels.WALK.prepare()
    game, players = spot.game, len(hands)
    table, (asked, work, counts) = kernels.table_block(), _memory(players)
    cards = [*chain.from_iterable(hands)]
    dead = sum([1 << card for card in spot.dead])
    asked.put(hole=game.hole, known=len(spot.board), low=game.low, dead=dead)
    asked.values["hands"][: len(cards)] = cards
    asked.values["board"][: len(spot.board)] = spot.board
    start = perf_counter()
    kernels.WALK(table, asked, work, counts)
    flat = counts.values["counts"]
    tally = Tally.from_flat(players, unpack(f"{len(flat)}q", flat))
    return Result(spot, tally, tally.weight, perf_counter() - start)


_local = threading.local()


def _memory(players: int) -> tuple[Block, Block, Block]:
    """Blocks for the spot, the walk and its tally; kept per thread and number of players."""
    blocks: dict[int, tuple[Block, Block, Block]] = _local.__dict__.setdefault("blocks", {})
    if players not in blocks:
        blocks[players] = (
            kernels.spot_block(players, MOST_HOLE, (), (), low=False),
            kernels.WALK_WORK.allocate(players=players),
            kernels.TALLY.allocate(players=players),
        )
    return blocks[players]


def run_exact(spot: Spot, plan: ExactPlan, how: How) -> Result:
    """The result of an exact plan.

    Raises
    ------
    NoDealError
        No hands of the ranges can be dealt together.
    KeyboardInterrupt
        It was interrupted before any deal was counted.
    """
    from equity.engine.executor import run_job, worker_threads
    from equity.engine.planner import check_cost, no_deals

    threads = worker_threads(how.threads, how.executor)
    if how.exact:
        check_cost(plan.cost, how)
        if plan.cost > LONG:
            # No time is given: machines differ by more than a factor of two.
            log("enumerating every deal, which takes a while")
    plan.prepare()
    count = _Count(spot, plan, how)
    partial = run_job(count, threads=threads, executor=how.executor)
    if count.is_empty:
        count.sums.append(plan.start())
    result = count.result(partial=partial)
    if result.weight == 0:
        raise no_deals()
    if partial or not how.by_combo:
        return result
    by_hand = plan.by_hand(count.sums)
    if by_hand is None:
        return _with_combos(result, how)
    from equity.engine.hand_lists import hand_lists
    from equity.results.combos import Combos

    hands = tuple(
        Combos.of_cells(cards, weights, cells)
        for (cards, weights), cells in zip(hand_lists(spot), by_hand, strict=True)
    )
    return replace(result, hands=hands, elapsed=perf_counter() - count.began)


def _with_combos(result: Result, how: How) -> Result:
    """The result with sampled equities of the combos of every range."""
    from equity.engine.combo_sample import combos_of, sample_combos, sampled_players

    spot = result.spot
    players = sampled_players(spot)
    if not players:
        return result
    start = perf_counter()
    sums = sample_combos(spot, how, players)
    hands = tuple(combos_of(sums, at) if at in players else None for at in range(len(spot.players)))
    return replace(result, hands=hands, elapsed=result.elapsed + perf_counter() - start)


class _Count:
    """The job of an exact plan: chunks add up in memory of each thread, in any order."""

    def __init__(self, spot: Spot, plan: ExactPlan, how: How) -> None:
        from equity.engine.hand_lists import weight_unit

        self.spot, self.plan, self.how = spot, plan, how
        self.began = perf_counter()
        #: The sums of every thread, or of all other processes.
        self.sums: list[Any] = []
        self.finished = 0
        self._own = threading.local()
        self._unit = weight_unit(spot)
        self.work: Callable[[Any], Any] = self._add_up
        # Chunks are made one by one: there may be more than fit into memory.
        self._parts: Sequence[Any] = range(plan.chunk_count)
        if how.executor is not None:
            # Other processes, perhaps, which send their sums back.
            from equity.engine import remote

            self._parts = remote.parts(plan)
            self.work = remote.Worker(spot)
        self._group = self.total = len(self._parts)

    def groups(self, threads: int) -> Iterator[Iterable[Any]]:
        """Groups of chunks; sums are read only between them, when nobody writes."""
        if self.how.executor is not None:
            self._group = 2 * threads
        elif self.how.progress:
            self._group = GROUP * threads
        parts = iter(self._parts)
        for _ in range(0, self.total, max(1, self._group)):
            yield islice(parts, self._group)

    def _add_up(self, number: int) -> None:
        """Count a chunk into the sums of this thread."""
        own = self._own
        if not hasattr(own, "sums"):
            own.sums = self.plan.start()
            self.sums.append(own.sums)
        self.plan.run(self.plan.chunk(number), own.sums)

    def add(self, sums: Any) -> bool:
        """Add the sums of another process, if any; report when a group is done."""
        self.finished += 1
        if sums is not None:
            if self.sums:
                self.sums[0].add(sums)
            else:
                self.sums.append(sums)
        is_done = self.finished == self.total
        if self.how.progress and (is_done or self.finished % self._group == 0):
            done = self.finished / self.total
            self.how.progress(Progress(done, self.result(partial=True)))
        return False

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been counted."""
        return not self.sums

    def stop(self) -> None:
        """Chunks are short enough to be waited for."""

    def result(self, *, partial: bool) -> Result:
        """The result of what has been counted."""
        tally = self.plan.tally(self.sums)
        # Weights hide the number of deals, which the plan then knows.
        part = Fraction(self.finished, max(1, self.total))
        deals = self.plan.deals(self.sums, part) if self.plan.is_weighted else tally.weight
        return Result(
            self.spot,
            tally.times(self._unit),
            deals,
            perf_counter() - self.began,
            self.plan.method,
            partial=partial,
        )
