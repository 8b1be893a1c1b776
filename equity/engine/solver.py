"""Answers questions: chooses the method, runs it, makes the result."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from fractions import Fraction
from functools import partial as partial_function
from itertools import chain, islice
from struct import unpack
from time import perf_counter
from typing import TYPE_CHECKING, Any

from equity import kernels
from equity.engine.options import How, Progress, error_notices
from equity.kernels.loader import Block, notice
from equity.results.result import Result, Tally
from equity.rules.cards import Cards
from equity.rules.games import GAMES, Game
from equity.spot import Spot, read_spot

if TYPE_CHECKING:
    from pathlib import Path

    from equity.engine.planner import Plan
    from equity.ranges import Ordering, Range

__all__ = ["count", "odds", "solve"]

#: A forced exact answer that takes more nanoseconds than this is announced.
LONG = 1_000_000_000
#: The most cards that any game deals.
MOST_HOLE = max(game.hole for game in GAMES)
#: Chunks for each thread between two reports of progress, about half a second.
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
    """The split of the pot between hands and ranges.

    Known hands are always answered exactly.  Ranges are where that takes some
    five seconds at most, or is asked for; else deals are drawn at random.

    Parameters
    ----------
    players:
        For each player a hand or a range, two up to what the deck allows: text
        such as ``"AhAsKhKs"`` or ``"AA:xxyy,KK"``, card ids, or a
        :class:`~equity.Range`.
    game:
        Name or alias of the game, see :data:`equity.GAMES`.
    board:
        Up to five cards that are on the board, or a pattern such as
        ``"T98:xxy"`` of cards to be dealt.
    dead:
        Cards that cannot come any more, or a pattern.
    ordering:
        What percent ranges such as ``"10%"`` are read by, see :class:`equity.Range`.
    exact, trials, error, budget, seed, threads, by_combo, progress, executor, yes:
        See :class:`equity.How`.

    Raises
    ------
    EquityError
        A child of it says which part of the question is wrong.

    Examples
    --------
    >>> odds(["AhAsKhKs", "9c8c7d6d"]).equities_exact[0]
    Fraction(326093, 543004)
    """
    how = How(exact, trials, error, budget, seed, threads, by_combo, progress, executor, yes)
    spot = read_spot(players, game, board, dead, ordering=ordering)
    if error is not None:
        spot.notices += error_notices(how.error)
    return solve(spot, how)


def solve(spot: Spot, how: How | None = None) -> Result:
    """The answer to a question that has been validated."""
    if spot.hands is not None:
        return _walk(spot, spot.hands)
    # These need numpy, which known hands do without.
    from equity.engine import planner

    how = how or How()
    plan = None
    if how.exact or how.trials is None:
        plan = planner.plan_for(spot, how)
    if plan is not None:
        return count(spot, plan, how)
    from equity.engine.monte_carlo import draw

    return draw(spot, how)


def _walk(spot: Spot, hands: Sequence[Sequence[int]]) -> Result:
    """Known hands over all runouts."""
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
    """Memory for a spot, the walk and its tally, for each thread and number of players."""
    blocks: dict[int, tuple[Block, Block, Block]] = _local.__dict__.setdefault("blocks", {})
    if players not in blocks:
        blocks[players] = (
            kernels.spot_block(players, MOST_HOLE, (), (), low=False),
            kernels.WALK_WORK.allocate(players=players),
            kernels.TALLY.allocate(players=players),
        )
    return blocks[players]


def _add_up(plan: Plan, own: threading.local, every: list[Any], number: int) -> None:
    """Do a chunk in the memory of this thread, which is one of ``every``."""
    if not hasattr(own, "sums"):
        own.sums = plan.start()
        every.append(own.sums)
    plan.run(plan.chunk(number), own.sums)


def count(spot: Spot, plan: Plan, how: How) -> Result:
    """Every deal, by the exact method of a plan."""
    from equity.engine import remote
    from equity.engine.executor import in_order, pool, worker_threads
    from equity.engine.planner import check_cost, hand_lists, no_deals, weight_unit
    from equity.results.combos import HandCounts

    threads = worker_threads(how.threads, how.executor)
    if how.exact:
        check_cost(plan.cost, how)
        if plan.cost > LONG:
            # How long is not said: machines differ by more than a factor of two.
            notice("counting every deal, which takes a while")
    plan.prepare()
    start = perf_counter()
    every: list[Any] = []
    work: Callable[[Any], Any] = partial_function(_add_up, plan, threading.local(), every)
    total = plan.chunk_count
    # Made one by one: there may be more than memory has room for.
    items: Iterator[Any] = iter(range(total))
    # Memory is read only while nobody writes to it: between groups of parts.
    group = GROUP * threads if how.progress else total
    if how.executor is not None:
        # Perhaps in other processes, which send their sums back.
        parts = remote.parts(plan)
        items, total, group = iter(parts), len(parts), 2 * threads
        work = partial_function(remote.run_part, remote.Job(spot))

    finished = 0
    # The same weights on all boards.
    unit = weight_unit(spot)

    def result(partial: bool) -> Result:
        tally = plan.tally(every)
        # Where weights hide the number of deals, the plan tells it.
        part = Fraction(finished, max(1, total))
        deals = plan.deals(every, part) if plan.is_weighted else tally.weight
        tally = tally.times(unit)
        return Result(spot, tally, deals, perf_counter() - start, plan.method, partial=partial)

    partial = False
    try:
        with pool(how.executor, threads) as executor:
            while finished < total:
                for sums in in_order(executor, work, islice(items, group), 2 * threads):
                    finished += 1
                    if sums is None:
                        continue
                    if every:
                        every[0].add(sums)
                    else:
                        every.append(sums)
                if how.progress:
                    how.progress(Progress(finished / total, result(partial=True)))
    except KeyboardInterrupt:
        if not every:
            raise
        partial = True
    if not every:
        every.append(plan.start())
    answer = result(partial)
    if answer.weight == 0:
        raise no_deals()
    by_hand = getattr(plan, "by_hand", None)
    if partial or by_hand is None or not how.by_combo:
        return answer
    one, two = (
        HandCounts(cards, weights, cells)
        for (cards, weights), cells in zip(hand_lists(spot), by_hand(every), strict=True)
    )
    return replace(answer, hands=(one, two), elapsed=perf_counter() - start)
