"""Ways of answering a question with ranges, and the choice between them.

An exact method is a plan: its work is split into chunks, which are numbered, since
there may be more than memory has room for; threads add up in memory of their own
(``start``, ``run``), and ``tally`` reads all of that.  The choice counts operations,
in nanoseconds of one core or so, and never looks at the clock: it is the same
everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb, prod
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from equity.common.limits import free_memory
from equity.engine import sweeping
from equity.engine.executor import worker_threads
from equity.engine.multiway import TupleWalk, tuples_cost
from equity.engine.options import How
from equity.engine.sampling import Hands, KnownCards, Question
from equity.engine.sweeping.symmetry import symmetries
from equity.errors import MethodError, NoDealError
from equity.ranges import CardPattern
from equity.ranges.combos import common_unit, expand, reduced, written_unit
from equity.ranges.hands import hand_space
from equity.rules.cards import DECK_SIZE
from equity.rules.games import BOARD_SIZE, Game
from equity.spot import Spot

if TYPE_CHECKING:
    from equity.results.result import Tally

__all__ = [
    "EXACT_COST",
    "Plan",
    "check_cost",
    "exact_plan",
    "hand_lists",
    "no_deals",
    "plan_for",
    "question",
    "weight_unit",
]

#: An exact answer is given without being asked for if it takes up to so many
#: nanoseconds of one core.
EXACT_COST = 5_000_000_000
#: Hands of both ranges together that a sweep has memory for, by hole cards: below
#: 4 GB.
SWEEP_HANDS = {4: 600_000, 5: 6_000_000, 6: 6_000_000}
#: Nanoseconds of a day: a forced answer that takes longer is asked for twice.
DAY = 86_400_000_000_000
#: Bytes of a hand, about: in a set of hands, in the lists of two ranges, and in the sums
#: of a thread, for a sweep without and with a low.
TUPLE_BYTES = 200
LIST_BYTES = 350
PAIR_BYTES = 110
SWEEP_BYTES = {False: 140, True: 360}


class Plan(Protocol):
    """An exact method at work."""

    method: str

    @property
    def is_weighted(self) -> bool:
        """Whether some deal counts for more than one."""

    @property
    def cost(self) -> int:
        """Nanoseconds that all of it takes on one core, about."""

    @property
    def chunk_count(self) -> int:
        """In how many chunks of some 25 ms the work is done."""

    def chunk(self, number: int) -> range:
        """A chunk, from number 0 on; the first ones tell about all."""

    def prepare(self) -> object:
        """Make its kernels ready to run."""

    def start(self) -> Any:
        """Memory for one thread."""

    def run(self, chunk: range, sums: Any) -> None:
        """Do a part of the work."""

    def tally(self, every: Sequence[Any]) -> Tally:
        """What the memory of all threads adds up to."""

    def deals(self, every: Sequence[Any], done: Fraction) -> int:
        """Compatible deals that were counted, whatever their weights.

        ``done`` is the part of the chunks that were run, for a plan that does not count.
        """


def hand_lists(spot: Spot) -> list[Hands]:
    """For each player the live hands, (n, hole), and their weights, as small as can be."""
    lists = [_hands(spot, player) for player in range(len(spot.players))]
    return [Hands(cards, np.ascontiguousarray(weights)) for cards, weights in lists]


def _hands(spot: Spot, at: int) -> Hands:
    """The live hands of a player."""
    player, live = spot.players[at], spot.live_ranges[at]
    if isinstance(player, tuple) or live is None:
        return Hands(np.array([sorted(player, reverse=True)], np.uint8), np.ones(1, np.int64))
    return Hands(live.combos, reduced(live.weights))


def weight_unit(spot: Spot) -> int:
    """How much a weight of 1 in :func:`hand_lists` is of the weight of a deal.

    The weights of the live hands of a range are counted as small as can be, which
    depends on the board.  The weight of a deal is on one scale for all boards: that
    of the weights as they are written, divided by what divides all of these.
    """
    unit = Fraction(1)
    for player, live in zip(spot.players, spot.live_ranges, strict=True):
        if live is not None and not isinstance(player, tuple):
            unit *= Fraction(common_unit(live.weights), live.scale) / written_unit(player)
    return int(unit)


def no_deals(hint: str = "every combo of one takes a card that the other needs") -> NoDealError:
    """The error of ranges whose hands do not go together."""
    return NoDealError("no hands of the ranges can be dealt together", place="ranges", hint=hint)


def plan_for(spot: Spot, how: How) -> Plan | None:
    """The exact method that answers a question, None if it is to be sampled.

    Raises
    ------
    MethodError
        An exact answer is asked for, and there is no method for it, or it takes too
        long or too much memory and is not asked for twice.
    """
    if how.exact and not spot.board_pattern and not spot.dead_pattern:
        # Before there are lists of hands, which may be what there is no memory for.
        check_cost(_least_cost(spot), how)
        _check_memory(spot, how)
    return exact_plan(spot, forced=how.exact)


def check_cost(cost: int, how: How, noun: str = "every deal") -> None:
    """Raise an error for counting that takes more than a day and is not asked for twice.

    Parameters
    ----------
    cost:
        Nanoseconds of one core, about.
    noun:
        What is counted.
    """
    threads = worker_threads(how.threads, how.executor)
    if not how.yes and cost > DAY * threads:
        days = f"{cost / DAY / threads:,.0f} days on {threads} thread{'s'[: threads > 1]}"
        raise _refused(f"counting {noun} takes about {days}")


def _check_memory(spot: Spot, how: How) -> None:
    """Raise an error for counting that takes more memory than is free."""
    need, free = _memory(spot, worker_threads(how.threads, how.executor)), free_memory()
    if not how.yes and free is not None and need > free:
        gigabytes = f"{need / 1e9:,.1f} GB of memory, and {free / 1e9:,.1f} GB are free"
        raise _refused(f"counting every deal takes about {gigabytes}")


def _refused(problem: str) -> MethodError:
    hint = "narrow the ranges, take a sample, or ask for it twice, --exact --yes"
    return MethodError(problem, place="exact", hint=hint)


def _least_cost(spot: Spot) -> int:
    """Nanoseconds that counting takes at least, about; known before there is a plan."""
    counts = spot.live_combos
    if spot.hands is not None or 0 in counts:
        return 0
    if len(counts) > sweeping.deal.PLAYERS:
        return tuples_cost(prod(counts), spot)
    return min(_least_costs(spot))


def _memory(spot: Spot, threads: int) -> int:
    """Bytes that counting takes, about."""
    hands = sum(spot.live_combos)
    if len(spot.players) > sweeping.deal.PLAYERS:
        return hands * TUPLE_BYTES
    swept = hands <= SWEEP_HANDS[spot.game.hole]
    by_thread = SWEEP_BYTES[spot.game.low] if swept else PAIR_BYTES
    return hands * (LIST_BYTES + threads * by_thread)


def exact_plan(spot: Spot, *, forced: bool) -> Plan | None:
    """The cheapest exact method, None if it would take too long and is not forced.

    Raises
    ------
    MethodError
        An exact answer is asked for, and there is no method for it.
    """
    if spot.board_pattern or spot.dead_pattern:
        if forced:
            raise MethodError(
                "cards that are dealt by a pattern are sampled",
                place="board" if spot.board_pattern else "dead cards",
                hint="name the cards for an exact answer, or leave out --exact",
            )
        return None
    limit = None if forced else EXACT_COST
    counts = spot.live_combos
    if len(counts) > sweeping.deal.PLAYERS:
        if limit is not None and tuples_cost(prod(counts), spot) > limit:
            return None
        return TupleWalk(spot, hand_lists(spot))
    kinds = _kinds(spot, limit)
    if not kinds:
        return None
    first, second = (sweeping.Hands(*hands) for hands in hand_lists(spot))
    plans = [kind(first, second, spot.board, spot.dead, spot.game) for kind in kinds]
    best: Plan = min(plans, key=lambda plan: plan.cost)
    return best if limit is None or best.cost <= limit else None


def _kinds(spot: Spot, limit: int | None) -> list[Any]:
    """The methods for two ranges that may be the cheapest, before much is known.

    Suits that change places make both cheaper, by how much a plan alone can tell.
    """
    counts = spot.live_combos
    most_walk = sweeping.pairs_cost(prod(counts), len(spot.board), spot.game)
    least_walk, least_sweep = _least_costs(spot)
    most_sweep = sweeping.sweep_cost(sum(counts), _boards(spot), spot.game)
    if sum(counts) > SWEEP_HANDS[spot.game.hole]:
        most_sweep = least_sweep
    kinds: list[Any] = []
    if least_walk <= most_sweep and (limit is None or least_walk <= limit):
        kinds.append(sweeping.PairWalk)
    if least_sweep <= most_walk and (limit is None or least_sweep <= limit):
        kinds.append(sweeping.Sweep)
    return kinds


def _least_costs(spot: Spot) -> tuple[int, int]:
    """What a walk of pairs and a sweep cost at least; a sweep too large more than a walk."""
    counts = spot.live_combos
    alike = _most_alike(spot)
    walk = sweeping.pairs_cost(prod(counts), len(spot.board), spot.game)
    if sum(counts) > SWEEP_HANDS[spot.game.hole]:
        return walk // alike, walk + 1
    boards = -(-_boards(spot) // alike)
    return walk // alike, sweeping.sweep_cost(max(counts), boards, spot.game)


def _most_alike(spot: Spot) -> int:
    """In how many ways suits can change places at most: known cards stay what they are."""
    if len(spot.board) == BOARD_SIZE:
        return 1
    hands = [player for player in spot.players if isinstance(player, tuple)]
    none = np.zeros(0, np.int64)
    return len(symmetries(none, none, [spot.board, spot.dead, *hands]))


def _boards(spot: Spot) -> int:
    """Complete boards."""
    return comb(DECK_SIZE - len(spot.board) - len(spot.dead), BOARD_SIZE - len(spot.board))


def question(spot: Spot) -> Question:
    """What is dealt at random."""
    whole = hand_space(spot.game.hole).size
    # Who can hold anything is known by that alone; all hands are many to list.
    anything = [
        not isinstance(player, tuple) and len(player) == whole and player.is_uniform
        for player in spot.players
    ]
    ranges = [None if free else _hands(spot, at) for at, free in enumerate(anything)]
    return Question(spot.game, ranges, _known_cards(spot))


def _known_cards(spot: Spot) -> list[KnownCards]:
    """The board and dead cards, or all that their patterns stand for."""
    hands = [set(player) for player in spot.players if isinstance(player, tuple)]
    boards = _dealt(spot.board, spot.board_pattern)
    dead = _dealt(spot.dead, spot.dead_pattern)
    if len(boards) * len(dead) > 2_000_000:
        raise MethodError(
            "the patterns of board and dead cards together stand for too many sets of cards",
            place="board",
            hint="name the cards of one of them",
        )
    known = [
        KnownCards(board, gone)
        for board in boards
        for gone in dead
        if not set(board) & set(gone) and not any(hand & {*board, *gone} for hand in hands)
    ]
    if not known:
        raise MethodError(
            "no cards match the pattern that are not in a hand",
            place="board" if spot.board_pattern else "dead cards",
            hint="'equity range' shows what a pattern matches",
        )
    return known


def _dealt(cards: tuple[int, ...], pattern: CardPattern | None) -> list[tuple[int, ...]]:
    if pattern is None:
        return [cards]
    space = hand_space(pattern.cards)
    numbers = expand(pattern.tree, Game("board", "cards", pattern.cards, False)).numbers
    return [tuple(row) for row in space.hands(numbers).tolist()]
