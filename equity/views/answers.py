"""What views share: questions to the engine, and the parts of its answers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

from equity import __version__
from equity.engine.options import How
from equity.engine.planner import check_cost, plan_for
from equity.engine.solver import solve
from equity.errors import CardCountError, DealError
from equity.kernels.log import log
from equity.results.formats import Printable, finite
from equity.results.player import PlayerResult
from equity.rules.cards import DECK_SIZE, format_cards
from equity.spot import Spot, refuse_patterns
from equity.views.plots import Picture

__all__ = [
    "Answer",
    "Cost",
    "Part",
    "View",
    "announce",
    "ask",
    "board_cost",
    "change_error",
    "check_board",
    "free_cards",
    "mean",
    "on_board",
    "part_of",
    "with_error",
]

#: The figures of a player in a row; of the first player if the row has none by player.
_OF_PLAYER = ("equity", "equity_exact", "low", "std_error", "low_error")
#: Nanoseconds of a spot beside the enumeration: with known hands, with ranges, and for
#: each combo of these.
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
    #: Compatible deals by weight, at a scale that is the same on all boards; None for a
    #: sample.
    weight: int | None

    @property
    def exact(self) -> bool:
        """Whether every deal was enumerated."""
        return self.weight is not None

    def to_dict(self) -> dict[str, Any]:
        """The numbers for JSON."""
        return {
            "exact": self.exact,
            "weight": self.weight,
            "players": [part.to_dict(self.exact) for part in self.parts],
        }


class View(Printable, Picture):
    """A view of a spot: facts about it, and rows of figures."""

    spot: Spot
    seed: int
    rows: Sequence[Any]
    #: The equities now; None if the rows are not compared with them.
    now: Answer | None

    @property
    def exact(self) -> bool:
        """Whether every deal was enumerated."""
        answers = [self.now, *(row.answer for row in self.rows)]
        return all(answer is None or answer.exact for answer in answers)

    def head(self) -> dict[str, Any]:
        """What JSON has between the facts of the spot and the rows."""
        head = {"exact": self.exact, "seed": None if self.exact else self.seed}
        return head if self.now is None else {**head, "now": self.now.to_dict()}

    def row_dicts(self) -> list[dict[str, Any]]:
        """The rows for JSON."""
        return [row.to_dict() for row in self.rows]

    def to_dict(self) -> dict[str, Any]:
        """The numbers for JSON; names stay stable, more may come."""
        return {
            "version": __version__,
            "game": self.spot.game.name,
            "board": self.spot.board_text,
            "dead": self.spot.dead_text,
            "players": self.spot.texts,
            "orderings": list(self.spot.all_orderings),
            "warnings": self.spot.warnings,
            **self.head(),
            "rows": self.row_dicts(),
        }

    def records(self) -> Iterator[dict[str, Any]]:
        """The rows for CSV: a column for each figure of each player, named as in a batch."""
        whole = self.to_dict()
        common = {name: whole[name] for name in ("version", "game", "board", "dead")}
        return (common | _flat(row) for row in whole["rows"])


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """Flatten a row."""
    flat: dict[str, Any] = {}
    for name, value in row.items():
        if name == "curve":
            flat["player"] = value
        elif name in _OF_PLAYER and "curve" not in row:
            flat[f"player1_{name}"] = value
        elif name != "players":
            flat[name] = value
    for number, part in enumerate(row.get("players") or [], 1):
        flat |= {f"player{number}_{name}": value for name, value in part.items()}
    return flat


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
        tuple(map(part_of, result.players)),
        result.weight if result.exact else None,
    )


def part_of(player: PlayerResult) -> Part:
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

    ``answers`` are pairs of an answer and the number of isomorphic boards it stands for.
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
    """Estimated cost of an exact answer."""

    #: Nanoseconds of one core.
    core: int
    #: The method of the plan; empty without one.
    method: str = ""


def board_cost(spots: Iterable[Spot], how: How) -> Cost | None:
    """Estimate the cost of an exact answer to one of several spots; None if it is sampled.

    It is told by the first one that leaves every player a hand.
    """
    spot = next((spot for spot in spots if spot.hands or 0 not in spot.live_combos), None)
    if spot is None:
        return Cost(0)
    if spot.hands is not None:
        return Cost(HANDS_COST)
    plan = plan_for(spot, how)
    if not plan.is_exact:
        return None
    return Cost(plan.cost + RANGES_COST + COMBO_COST * sum(spot.combos), plan.method)


def announce(count: int, noun: str, cost: Cost | None, how: How) -> None:
    """Announce long work before it begins.

    How long is not said: costs are estimates, and machines differ.
    """
    if cost is None:
        if count > 1:
            log(f"sampling deals for each of {count:,} {noun}")
        return
    check_cost(count * cost.core, how, noun)
    if count * cost.core > LONG:
        log(f"enumerating {count:,} {noun}, which takes a while")
