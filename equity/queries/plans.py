"""Chooses how a query is answered, and says so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from equity.engine.options import DEFAULT_ERROR, How
from equity.engine.planner import EXACT_COST, check_cost
from equity.errors import MethodError
from equity.queries.card_vectors import reads_boards
from equity.queries.dealing import Dealing
from equity.queries.functions import PLAYER, STREET_NAME, Function
from equity.queries.program import Program
from equity.queries.range_equities import COMPARED, RangeEquities
from equity.queries.types import STREETS

__all__ = ["QueryPlan", "plan_query"]

#: Nanoseconds of one core to deal and to add up.
_DEAL = 60
_ADD = 30
#: By street, what the equity of known hands takes; a low takes about twice.
_WALKS = {0: 100_000, 3: 2_500, 4: 500, 5: 100}
#: A sample ends with its error, or when it takes so many nanoseconds of one core.
_SAMPLE_COST = 40_000_000_000
#: The fewest deals of a sample.
LEAST_DEALS = 1_000
#: Selectors and functions that ``equity odds`` answers.
_ODDS = {
    ("avg", "riverEquity"),
    ("avg", "fractionalRiverEquity"),
    ("count", "winsHi"),
    ("count", "tiesHi"),
    ("count", "winsLo"),
    ("count", "tiesLo"),
    ("count", "scoops"),
}
#: Enumerations of at most so many deals are not given to the engine.
_FEW = 20_000


@dataclass(frozen=True)
class QueryPlan:
    """How a query is answered.

    ``method`` is ``"odds"`` if the engine of ``equity odds`` answers it, ``"enumerate"`` or
    ``"sample"``; ``cost`` the estimated nanoseconds of one core of an enumeration, and
    ``deal_cost`` of a deal of a sample.
    """

    program: Program
    dealing: Dealing
    method: str
    cost: int
    deal_cost: int
    #: Deals at which a sample ends if its error is not reached.
    most_deals: int

    @property
    def streets(self) -> list[str]:
        """The streets that something looks at."""
        return [name for name, size in STREETS.items() if size in self.dealing.boards]

    def lines(self) -> list[str]:
        """What is dealt, and how, in lines of text."""
        dealing, setup = self.dealing, self.program.setup
        names = [setup.names[player] for player in dealing.seats]
        sizes = [f"{name} ({size:,})" for name, size in zip(names, dealing.sizes, strict=True)]
        lines = [
            f"players   {', '.join(sizes) or 'none'}",
            f"streets   {', '.join(self.streets) or 'none'}",
        ]
        if dealing.left_out:
            names = [setup.names[player] for player in dealing.left_out]
            lines.insert(1, f"left out  {', '.join(names)}: they may hold anything")
        lines.append(
            f"boards    {len(dealing.known) * dealing.runouts:,} for each combination of hands"
        )
        lines.append(f"deals     {dealing.deals:,} at most")
        steps = self.program.used()
        functions = sorted({function.name for function, _ in self.program.calls()})
        lines.append(f"values    {len(steps)} steps: {', '.join(functions) or 'constants'}")
        time = self.cost if self.method != "sample" else self.deal_cost * self.most_deals
        if self.method == "odds":
            lines.append("method    as 'equity odds' does it")
        elif self.method == "enumerate":
            lines.append(
                f"method    exact, every deal is counted: about {_seconds(time)} on one core"
            )
        else:
            lines.append(
                f"method    sampled, until the error is reached or {self.most_deals:,} deals: "
                f"up to {_seconds(time)} on one core"
            )
            lines.append(f"          every deal would take {_seconds(self.cost)}")
        return lines


def _seconds(cost: int) -> str:
    seconds = cost / 1e9
    if seconds < 1:
        return f"{max(seconds * 1000, 1):.0f} ms"
    for unit, size in (("days", 86_400.0), ("hours", 3_600.0), ("minutes", 60.0)):
        if seconds > 2 * size:
            return f"{seconds / size:,.0f} {unit}"
    return f"{seconds:.0f} s"


def plan_query(program: Program, how: How, equities: RangeEquities) -> QueryPlan:
    """How a program is answered.

    Raises
    ------
    MethodError
        An exact answer is asked for that takes more than a day and was not confirmed.
    """
    sampled, dealing = Dealing(program), Dealing(program, counts_unseen=True)
    deal_cost = _DEAL + _ADD * len(program.outputs)
    once = 0
    for function, fixed in program.calls():
        cost, distinct = _cost(function, fixed, dealing, equities, how)
        if distinct is None:
            deal_cost += cost
        else:
            # What is remembered is found once for each hand and board.
            once += cost * min(distinct, max(dealing.deals, 1))
            deal_cost += 200
            if distinct > dealing.deals or distinct > LEAST_DEALS:
                deal_cost += _sampled_cost(cost, function, fixed, equities)
    exact_cost = dealing.deals * _without_once(program, dealing) + once
    wants_sample = how.trials is not None
    if dealing.unseen is not None:
        exact_cost += dealing.deals * 500
    by_odds = _is_odds(program) and dealing.deals > _FEW
    method = "sample"
    if by_odds:
        method = "odds"
    elif how.exact:
        check_cost(exact_cost, how)
        method = "enumerate"
    elif not wants_sample and exact_cost <= EXACT_COST:
        method = "enumerate"
    most = max(LEAST_DEALS, _SAMPLE_COST // deal_cost)
    if method == "sample":
        dealing = sampled
    return QueryPlan(program, dealing, method, exact_cost, deal_cost, most)


def _without_once(program: Program, dealing: Dealing) -> int:
    """What a deal of an enumeration takes, without what is remembered."""
    cost = _DEAL + _ADD * len(program.outputs)
    for function, fixed in program.calls():
        size = _size(function, fixed)
        if _is_remembered(function, fixed, dealing):
            cost += 200
            continue
        one = _walk(size, dealing) if function.name in _WALKED else function.cost
        # Deals that differ on later streets share it.
        later = max(dealing.runouts * len(dealing.known) // max(dealing.prefixes(size), 1), 1)
        cost += 10 + one // (later if one > 100 else 1)
    return cost


_WALKED = ("HvHEquity", "minHvHEquity")
_RANGED = ("HvREquity", "minHvREquity", "HvPerceivedRangeEquity", "minHvPerceivedRangeEquity")
_COMPARING = ("minHvREquity", "minHvPerceivedRangeEquity")
#: An equity against ranges may take so many nanoseconds.
_MOST_COST = 60_000_000_000
#: Nanoseconds to read a range on a board.
_READ = 20_000_000


def _walk(size: int, dealing: Dealing) -> int:
    return _WALKS[size] * (1 + dealing.game.low) * max(len(dealing.seats) - 1, 1)


def _is_remembered(function: Function, fixed: tuple[Any, ...], dealing: Dealing) -> bool:
    if function.name == "inRange":
        is_by_board = bool(fixed[1].reads_board) and len(fixed) > 2
        return is_by_board and not reads_boards(dealing, fixed[0], fixed[1])
    return function.name in _RANGED


def _size(function: Function, fixed: tuple[Any, ...]) -> int:
    """Cards of the board that a function looks at."""
    for (_, kind), value in zip(function.parameters, fixed, strict=False):
        if kind == STREET_NAME and value is not None:
            return int(value)
    return max(function.boards, default=0)


def _cost(
    function: Function,
    fixed: tuple[Any, ...],
    dealing: Dealing,
    equities: RangeEquities,
    how: How,
) -> tuple[int, int | None]:
    """Nanoseconds of a call, and of how many different ones there are if it is remembered."""
    size = _size(function, fixed)
    if function.name in _WALKED:
        return _walk(size, dealing), None
    if not _is_remembered(function, fixed, dealing):
        return function.cost, None
    player = _player(function, fixed)
    boards = dealing.prefixes(size)
    hands = dealing.sizes[dealing.seats.index(player)]
    if function.name == "inRange":
        return _READ, boards
    perceived = fixed[2] if "Perceived" in function.name else None
    cost = equities.cost(player, size, perceived, dealing.known[0].board)
    if cost > _MOST_COST and not how.yes:
        raise MethodError(
            f"{function.name} takes about {_seconds(cost)} for one hand",
            place="query",
            hint="narrow the range, ask on a later street, or confirm it with --yes",
        )
    return cost, boards * hands


def _sampled_cost(
    cost: int, function: Function, fixed: tuple[Any, ...], equities: RangeEquities
) -> int:
    """Nanoseconds of a call in a sample, where an equity may be compared without being found."""
    if function.name in _COMPARING:
        perceived = fixed[2] if "Perceived" in function.name else None
        if equities.is_comparable(_player(function, fixed), perceived, _size(function, fixed)):
            return min(cost, COMPARED)
    return cost


def _player(function: Function, fixed: tuple[Any, ...]) -> int:
    """The player that a function is about."""
    pairs = zip(function.parameters, fixed, strict=False)
    return next(int(value) for (_, kind), value in pairs if kind == PLAYER)


def _is_odds(program: Program) -> bool:
    """Whether ``equity odds`` answers the query."""
    spot = program.setup.spot
    if program.conditions or len(spot.players) == 1:
        return False
    for output in program.outputs:
        step = program.steps[output.step]
        if step.op != "call" or (output.kind, step.fixed[0].name) not in _ODDS:
            return False
    return True


def target_of(how: How) -> float | None:
    """The standard error at which a sample stops."""
    if how.error is None and how.trials is None and how.budget is None:
        return DEFAULT_ERROR
    return how.error


def check_trials(how: How) -> None:
    """Refuse a sample of one deal, which has no error."""
    if how.trials is not None and how.trials < 2:
        raise MethodError("one deal has no error", place="trials", hint="draw more")
