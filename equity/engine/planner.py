"""Chooses the plan that answers a spot: an exact method, or sampling.

An exact plan numbers its chunks, since there may be more than fit into memory.  Threads
add up in memory of their own (``start``, ``run``), and ``tally`` reads all of it.  The
choice compares estimated costs in nanoseconds of one core, never the clock, so it is the
same on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb, prod
from typing import Any, ClassVar, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from equity.common.limits import free_memory
from equity.engine.executor import worker_threads
from equity.engine.hand_lists import hand_lists
from equity.engine.options import How
from equity.engine.sweeping import PLAYERS, Deal, PairWalk, Sweep, pairs_cost, sweep_cost
from equity.engine.sweeping.symmetry import symmetries
from equity.errors import MethodError, NoDealError
from equity.results.tally import Tally
from equity.rules.cards import DECK_SIZE
from equity.rules.games import BOARD_SIZE
from equity.spot import Spot

__all__ = [
    "EXACT_COST",
    "ExactPlan",
    "Plan",
    "Sampling",
    "check_cost",
    "exact_plan",
    "no_deals",
    "plan_for",
]

#: Spots are enumerated without being asked when that takes at most so many nanoseconds
#: of one core.
EXACT_COST = 5_000_000_000
#: Hands of both ranges together that a sweep has memory for, by hole cards: below 4 GB.
SWEEP_HANDS = {4: 600_000, 5: 6_000_000, 6: 6_000_000}
#: Nanoseconds of a day: a forced enumeration that takes longer needs a confirmation.
DAY = 86_400_000_000_000
#: Approximate bytes of a hand: in a set of hands, in the lists of two ranges, and in the
#: sums of a thread, of a sweep without and with a low.
TUPLE_BYTES = 200
LIST_BYTES = 350
PAIR_BYTES = 110
SWEEP_BYTES = {False: 140, True: 360}


class ExactPlan(Protocol):
    """An exact method applied to a spot."""

    is_exact: ClassVar[Literal[True]] = True
    method: str

    @property
    def is_weighted(self) -> bool:
        """Whether some deal counts for more than one."""

    @property
    def cost(self) -> int:
        """Estimated nanoseconds of one core."""

    @property
    def chunk_count(self) -> int:
        """Number of chunks, of about 25 ms each."""

    def chunk(self, number: int) -> range:
        """A chunk by its number, from 0; the first chunks are representative of all."""

    def prepare(self) -> object:
        """Load or compile the kernels."""

    def start(self) -> Any:
        """Memory for one thread."""

    def run(self, chunk: range, sums: Any) -> None:
        """Count a chunk into the memory of a thread."""

    def tally(self, every: Sequence[Any]) -> Tally:
        """The tally of the memory of all threads."""

    def by_hand(self, every: Sequence[Any]) -> tuple[NDArray[Any], NDArray[Any]] | None:
        """The results of each hand of two ranges; None if the method does not keep them."""

    def deals(self, every: Sequence[Any], done: Fraction) -> int:
        """Compatible deals counted, whatever their weights.

        ``done`` is the part of the chunks that were run, for a plan that does not count.
        """


class Sampling:
    """Monte Carlo sampling, for spots that are not enumerated."""

    is_exact: ClassVar[Literal[False]] = False
    method = "sample"


#: What answers a spot of ranges.
Plan = ExactPlan | Sampling


def no_deals(hint: str = "every combo of one takes a card that the other needs") -> NoDealError:
    """The error for ranges whose hands all block each other."""
    return NoDealError("no hands of the ranges can be dealt together", place="ranges", hint=hint)


def plan_for(spot: Spot, how: How) -> Plan:
    """The plan that answers a spot of ranges.

    Raises
    ------
    MethodError
        An exact result is asked for, but no method gives one, or it takes too much time
        or memory and was not confirmed.
    """
    has_pattern = bool(spot.board_pattern or spot.dead_pattern)
    if how.exact and not has_pattern:
        # Before hands are listed, for which there may be no memory.
        check_cost(_least_cost(spot), how)
        _check_memory(spot, how)
        return exact_plan(spot)
    if how.exact:
        raise MethodError(
            "cards that are dealt by a pattern are sampled",
            place="board" if spot.board_pattern else "dead cards",
            hint="name the cards for an exact answer, or leave out --exact",
        )
    if how.trials is not None or has_pattern:
        return Sampling()
    return _cheapest(spot, EXACT_COST) or Sampling()


def exact_plan(spot: Spot) -> ExactPlan:
    """The cheapest exact plan for a spot without patterns, however long it takes."""
    plan = _cheapest(spot, None)
    if plan is None:
        raise RuntimeError("there is a plan when no limit is set")
    return plan


def check_cost(cost: int, how: How, noun: str = "every deal") -> None:
    """Raise an error for an unconfirmed enumeration that takes more than a day.

    Parameters
    ----------
    cost:
        Estimated nanoseconds of one core.
    noun:
        What is counted.
    """
    threads = worker_threads(how.threads, how.executor)
    if not how.yes and cost > DAY * threads:
        days = f"{cost / DAY / threads:,.0f} days on {threads} thread{'s'[: threads > 1]}"
        raise _refused(f"enumerating {noun} takes about {days}")


def _check_memory(spot: Spot, how: How) -> None:
    """Raise an error for an unconfirmed enumeration that takes more memory than is free."""
    need, free = _memory(spot, worker_threads(how.threads, how.executor)), free_memory()
    if not how.yes and free is not None and need > free:
        gigabytes = f"{need / 1e9:,.1f} GB of memory, and {free / 1e9:,.1f} GB are free"
        raise _refused(f"enumerating every deal takes about {gigabytes}")


def _refused(problem: str) -> MethodError:
    hint = "narrow the ranges, take a sample, or confirm it with --exact --yes"
    return MethodError(problem, place="exact", hint=hint)


def _least_cost(spot: Spot) -> int:
    """A lower bound of the cost of an enumeration, known before there is a plan."""
    counts = spot.live_combos
    if spot.hands is not None or 0 in counts:
        return 0
    if len(counts) > PLAYERS:
        from equity.engine.multiway import tuples_cost

        return tuples_cost(prod(counts), spot)
    return min(least for least, _ in _bounds(spot).values())


def _memory(spot: Spot, threads: int) -> int:
    """Estimated bytes that an enumeration takes."""
    hands = sum(spot.live_combos)
    if len(spot.players) > PLAYERS:
        return hands * TUPLE_BYTES
    swept = hands <= SWEEP_HANDS[spot.game.hole]
    by_thread = SWEEP_BYTES[spot.game.low] if swept else PAIR_BYTES
    return hands * (LIST_BYTES + threads * by_thread)


def _cheapest(spot: Spot, limit: int | None) -> ExactPlan | None:
    """The cheapest exact plan; None if its cost exceeds a limit."""
    if len(spot.players) > PLAYERS:
        from equity.engine.multiway import TupleWalk, tuples_cost

        if limit is not None and tuples_cost(prod(spot.live_combos), spot) > limit:
            return None
        return TupleWalk(spot, hand_lists(spot))
    bounds = _bounds(spot)
    highest = min([most for _, most in bounds.values()] + ([] if limit is None else [limit]))
    kinds = [kind for kind, (least, _) in bounds.items() if least <= highest]
    if not kinds:
        return None
    first, second = hand_lists(spot)
    deal = Deal(first, second, spot.board, spot.dead, spot.game)
    best: ExactPlan = min((kind(deal) for kind in kinds), key=lambda plan: plan.cost)
    return best if limit is None or best.cost <= limit else None


def _bounds(spot: Spot) -> dict[type[PairWalk] | type[Sweep], tuple[int, int]]:
    """Lower and upper bounds of the costs of the methods for two ranges.

    Suit isomorphism makes both cheaper; how much, only a plan knows.
    """
    counts = spot.live_combos
    group = _most_symmetries(spot)
    walk = pairs_cost(prod(counts), len(spot.board), spot.game)
    bounds: dict[type[PairWalk] | type[Sweep], tuple[int, int]] = {PairWalk: (walk // group, walk)}
    if sum(counts) <= SWEEP_HANDS[spot.game.hole]:
        boards = comb(DECK_SIZE - len(spot.board) - len(spot.dead), BOARD_SIZE - len(spot.board))
        bounds[Sweep] = (
            sweep_cost(max(counts), -(-boards // group), spot.game),
            sweep_cost(sum(counts), boards, spot.game),
        )
    return bounds


def _most_symmetries(spot: Spot) -> int:
    """An upper bound of the suit permutations that leave the spot unchanged."""
    if len(spot.board) == BOARD_SIZE:
        return 1
    hands = [player for player in spot.players if isinstance(player, tuple)]
    none = np.zeros(0, np.int64)
    return len(symmetries(none, none, [spot.board, spot.dead, *hands]))
