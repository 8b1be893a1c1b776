"""What views share: questions to the engine, and the parts of its answers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

from equity import __version__
from equity.engine.options import How
from equity.engine.planner import check_cost, plan_for
from equity.engine.solver import solve
from equity.errors import CardCountError, DealError
from equity.kernels.notices import notice
from equity.results.result import PlayerResult, finite
from equity.rules.cards import DECK_SIZE, format_cards
from equity.spot import Spot, refuse_patterns

__all__ = [
    "Answer",
    "Cost",
    "Part",
    "announce",
    "ask",
    "board_cost",
    "change_error",
    "check_board",
    "facts",
    "free_cards",
    "mean",
    "on_board",
    "with_error",
]

#: Nanoseconds of a question beside the counting: with known hands, with ranges, and
#: for each combo of these.
HANDS_COST = 100_000
RANGES_COST = 2_000_000
COMBO_COST = 2_000
#: Work of more nanoseconds than this is announced.
LONG = 3_000_000_000


@dataclass(frozen=True)
class Part:
    """The equity of one player."""

    equity_exact: Fraction
    #: The share of it won with low hands; None in a game without a low.
    low_exact: Fraction | None
    #: Standard errors of the equity of a sample, and of its halves: None if exact,
    #: infinite if not known.
    std_error: float | None = None
    low_error: float | None = None
    high_error: float | None = None

    @property
    def equity(self) -> float:
        """Share of all pots won."""
        return float(self.equity_exact)

    @property
    def low(self) -> float | None:
        """Share of all pots won with low hands."""
        return None if self.low_exact is None else float(self.low_exact)

    @property
    def errors(self) -> tuple[float | None, ...]:
        """All standard errors."""
        return self.std_error, self.low_error, self.high_error

    def to_dict(self, exact: bool) -> dict[str, Any]:
        """The numbers for JSON; fractions of a sample are left out."""
        return {
            "equity": self.equity,
            "equity_exact": str(self.equity_exact) if exact else None,
            "low": self.low,
            "std_error": finite(self.std_error),
            "low_error": finite(self.low_error),
        }


@dataclass(frozen=True)
class Answer:
    """The equities of all players."""

    parts: tuple[Part, ...]
    #: Compatible deals, each as often as the product of its weights, at a scale that is
    #: the same on all boards; None for a sample, which does not tell.
    weight: int | None

    @property
    def exact(self) -> bool:
        """Whether every deal was counted."""
        return self.weight is not None

    def to_dict(self) -> dict[str, Any]:
        """The numbers for JSON."""
        return {
            "exact": self.exact,
            "weight": self.weight,
            "players": [part.to_dict(self.exact) for part in self.parts],
        }


def with_error(how: How, error: float) -> How:
    """Return options with the default standard error of a view."""
    is_open = not how.exact and how.trials is None and how.error is None
    return replace(how, error=error) if is_open else how


def check_board(spot: Spot, sizes: Sequence[int]) -> None:
    """Raise an error unless the board has a given number of known cards.

    Raises
    ------
    MethodError
        It is a pattern, or the dead cards are one.
    CardCountError
        It has another number of cards.
    """
    wanted = _either(sizes)
    refuse_patterns(spot, f"give a board of {wanted} cards")
    if len(spot.board) not in sizes:
        shown = format_cards(spot.board)
        count = len(spot.board)
        problem = f"{shown} has {count} card{'s'[: count > 1]}" if count else "no card is known"
        raise CardCountError(problem, place="board", hint=f"it has {wanted} known cards here")


def _either(sizes: Sequence[int]) -> str:
    """Numbers in words: ``3, 4 or 5``."""
    *others, last = map(str, sizes)
    return f"{', '.join(others)} or {last}" if others else last


def on_board(spot: Spot, cards: Iterable[int]) -> Spot:
    """Return the spot with more cards on the board; ranges keep their combos."""
    return replace(spot, board=(*spot.board, *cards))


def free_cards(spot: Spot) -> list[int]:
    """List the unseen cards, the highest first."""
    gone = {*spot.board, *spot.dead}
    for player in spot.players:
        if isinstance(player, tuple):
            gone |= set(player)
    return [card for card in reversed(range(DECK_SIZE)) if card not in gone]


def ask(spot: Spot, how: How) -> Answer | None:
    """Solve a spot; None if it has no deal."""
    if spot.hands is None and 0 in spot.live_combos:
        return None
    try:
        result = solve(spot, how)
    except DealError:
        return None
    if result.partial:
        raise KeyboardInterrupt
    return Answer(
        tuple(map(_part, result.players)),
        result.weight if result.exact else None,
    )


def _part(player: PlayerResult) -> Part:
    """Return the part of a player's result that views keep."""
    low = player.low.equity_exact if player.low else None
    errors = player.std_error
    if errors is None:
        return Part(player.equity_exact, low)
    found = {name: math.inf if error is None else error for name, error in errors.items()}
    low_error = None if low is None else found["low"]
    return Part(player.equity_exact, low, found["equity"], low_error, found["high"])


def change_error(row: Part, now: Part) -> float | None:
    """Return the standard error of a change from the equity now; None if exact.

    Both samples are independent: other known cards give other random numbers.
    """
    errors = [part.std_error for part in (row, now) if part.std_error is not None]
    return math.hypot(*errors) if errors else None


def mean(answers: Iterable[tuple[Answer, int]]) -> Answer:
    """Average exact answers, weighted by their deals.

    ``answers`` are pairs of an answer and how many alike it stands for.
    """
    pairs = [(answer, (answer.weight or 0) * count) for answer, count in answers]
    total = sum(weight for _, weight in pairs)

    def part(player: int) -> Part:
        parts = [(answer.parts[player], weight) for answer, weight in pairs]
        won = sum((part.equity_exact * weight for part, weight in parts), Fraction(0))
        low: Fraction | None = None
        if pairs[0][0].parts[player].low_exact is not None:
            lows = ((part.low_exact or Fraction(0)) * weight for part, weight in parts)
            low = sum(lows, Fraction(0)) / total
        return Part(won / total, low)

    return Answer(tuple(part(player) for player in range(len(pairs[0][0].parts))), total)


class Cost(NamedTuple):
    """Estimated cost of an exact answer, in nanoseconds."""

    #: What threads share, and what they do not.
    counting: int
    beside: int

    @property
    def core(self) -> int:
        """All of it on one core."""
        return self.counting + self.beside


def board_cost(spots: Iterable[Spot], how: How) -> Cost | None:
    """Estimate the cost of an exact answer to one of several spots; None if it is sampled.

    It is told by the first one that leaves every player a hand.
    """
    spot = next((spot for spot in spots if spot.hands or 0 not in spot.live_combos), None)
    if spot is None:
        return Cost(0, 0)
    if spot.hands is not None:
        return Cost(0, HANDS_COST)
    plan = plan_for(spot, how)
    if not plan.is_exact:
        return None
    return Cost(plan.cost, RANGES_COST + COMBO_COST * sum(spot.combos))


def announce(count: int, noun: str, cost: Cost | None, how: How) -> None:
    """Announce long work before it begins.

    How long is not said: costs are estimates, and machines differ.
    """
    if cost is None:
        if count > 1:
            notice(f"drawing a sample for each of {count:,} {noun}")
        return
    check_cost(count * cost.core, how, noun)
    if count * cost.core > LONG:
        notice(f"counting {count:,} {noun}, which takes a while")


def facts(spot: Spot) -> dict[str, Any]:
    """Return the facts of a spot for JSON."""
    return {
        "version": __version__,
        "game": spot.game.name,
        "board": spot.board_text,
        "dead": spot.dead_text,
        "players": spot.texts,
        "orderings": list(spot.all_orderings),
        "warnings": spot.warnings,
    }
