"""Equity distribution over the combos of a range, or over boards to come."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from equity.common.arguments import shown
from equity.engine.isomorphism import alike_boards, suits_alike
from equity.engine.options import How
from equity.engine.planner import no_deals, plan_for
from equity.engine.solver import run_exact, solve
from equity.errors import MethodError, PlayerCountError
from equity.kernels.notices import notice
from equity.results.combos import HandCounts, pots_won
from equity.results.report import percent
from equity.results.result import POT, finite
from equity.rules.cards import Cards
from equity.rules.games import Game
from equity.spot import Spot, read_spot
from equity.views.answers import (
    announce,
    ask,
    board_cost,
    check_board,
    facts,
    free_cards,
    on_board,
)
from equity.views.curves import BINS, FINE, Curve, Points, curve
from equity.views.drawing import bar, error_text, heading

if TYPE_CHECKING:
    from pathlib import Path

    from equity.ranges import Ordering, Range

__all__ = ["BINS", "FINE", "STREETS", "Graph", "check", "find", "graph", "over_boards", "table"]

#: Streets that a graph goes over, and how many cards the board has on them.
STREETS = {"flops": 3, "turns": 4, "rivers": 5}
#: So many combos are drawn of a range that is too large to be counted.
COMBOS = 2_000
#: Boards are drawn where all of them take more nanoseconds than this: as many as
#: take so long, within limits.
BOARDS_COST = 30_000_000_000
BOARDS = (50, 100_000)


@dataclass(frozen=True)
class Graph:
    """Equity distributions."""

    spot: Spot
    seed: int
    #: The boards it goes over, a key of :data:`STREETS`; None for combos.
    over: str | None
    #: How many combos or boards were drawn and out of how many; None if all were counted.
    drawn: tuple[int, int] | None
    curves: tuple[Curve, ...]

    @property
    def exact(self) -> bool:
        """Whether all combos or boards were counted."""
        return self.drawn is None

    @property
    def noun(self) -> str:
        """What the graph goes over."""
        return self.over or "range"

    @property
    def order(self) -> str:
        """What comes first."""
        if self.over:
            return "best for 1 first"
        return "strongest hands first"

    def to_dict(self) -> dict[str, Any]:
        """The numbers for JSON; names stay stable, more may come."""
        return {
            **facts(self.spot),
            "over": self.over,
            "exact": self.exact,
            "drawn": self.drawn[0] if self.drawn else None,
            "drawn_from": self.drawn[1] if self.drawn else None,
            "seed": None if self.exact else self.seed,
            "curves": [found.to_dict() for found in self.curves],
            "rows": [
                {
                    "curve": number,
                    "percent": 100 * (at + 1) // BINS,
                    "equity": float(found.twentieth(at)),
                    "running": float(found.running[(at + 1) * FINE // BINS - 1]),
                    "bin_from": at / BINS,
                    "bin_to": (at + 1) / BINS,
                    "share": float(found.bins[at]),
                    **{
                        f"{name}_error": finite(error)
                        for name, error in found.errors_of(at).items()
                    },
                }
                for number, found in enumerate(self.curves, 1)
                for at in range(BINS)
            ],
        }


def graph(
    players: Sequence[Cards | Range],
    game: str | Game = "plo4",
    board: Cards = "",
    dead: Cards = "",
    *,
    over: str | None = None,
    ordering: str | Path | Ordering | None = None,
    exact: bool = False,
    trials: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    yes: bool = False,
) -> Graph:
    """Equity distribution of player 1.

    Over combos: a hand against a range has a curve over the hands of the range, the
    strongest first; two ranges have one each, over their own hands.  Over boards:
    the equity of player 1 on each board of a street that may come, the best first.
    Each combo or board counts as often as it is dealt, so a mean is the equity.

    Parameters
    ----------
    players, game, dead, ordering:
        As :func:`equity.odds` has them, two players over combos; dead cards are known.
    board:
        Known cards, none or three and more.
    over:
        ``"flops"``, ``"turns"`` or ``"rivers"``; combos by default.
    exact, seed, threads, yes:
        See :class:`equity.How`.
    trials:
        Draw so many combos or boards.  By default some are drawn where all of them
        would take too long.

    Raises
    ------
    EquityError
        A child of it says which part of the question is wrong.
    """
    how = How(exact, trials, None, None, seed, threads, yes=yes)
    return find(read_spot(players, game, board, dead, ordering=ordering), how, over)


def check(spot: Spot, over: str | None = None) -> None:
    """Raise an error unless there are combos or boards to go over."""
    if over is not None and not (isinstance(over, str) and over in STREETS):
        raise MethodError(
            f"{shown(over)} is no street", place="over", hint=f"known are {', '.join(STREETS)}"
        )
    check_board(spot, (0, 3, 4, 5))
    if over is not None:
        if STREETS[over] <= len(spot.board):
            raise MethodError(
                f"the board has {len(spot.board)} cards, no {over} come after it",
                place="over",
                hint="take a later street, or cards from the board",
            )
        return
    if len(spot.players) != 2:
        raise PlayerCountError(
            f"{len(spot.players)} players",
            hint="a graph over combos has two, over flops, turns or rivers it has any number",
        )
    if spot.hands is not None:
        raise MethodError(
            "two known hands have one equity, and no range",
            place="graph",
            hint="make the second a range, or ask for a graph over flops, turns or rivers",
        )


def find(spot: Spot, how: How, over: str | None = None) -> Graph:
    """Compute the view of a validated spot."""
    check(spot, over)
    if over is not None:
        points, _ = over_boards(spot, over, how)
        curves = [
            _curve(
                points,
                f"equity of player 1 over the {over}",
                f"on the best x % of the {over}",
                True,
            )
        ]
    else:
        points, curves = _over_combos(spot, how)
    return Graph(spot, how.seed, over, points.drawn, tuple(curves))


def _curve(points: Points, label: str, running_label: str, best_first: bool) -> Curve:
    if not any(points.weight):
        raise no_deals()
    return curve(points, best_first=best_first, label=label, running_label=running_label)


def _over_combos(spot: Spot, how: How) -> tuple[Points, list[Curve]]:
    """Return the points of the first curve, and all curves."""
    hero, villain = spot.players
    running = "against the best x % of the range"
    plan = plan_for(spot, how)
    if plan.is_exact:
        result = run_exact(spot, plan, replace(how, by_combo=True))
        if result.hands is None:
            raise KeyboardInterrupt
        one, two = result.hands
        if isinstance(hero, tuple):
            points = _points(two, other=True)
            return points, [_curve(points, "equity of player 1", running, False)]
        sides = [_points(one, other=False), _points(two, other=False)]
        return sides[0], [
            _curve(side, f"equity of player {number}'s combos", "with the best x % of them", True)
            for number, side in enumerate(sides, 1)
        ]
    if not isinstance(hero, tuple) or isinstance(villain, tuple):
        problem = "the ranges are too large for the equity of every combo"
        if how.trials is not None:
            problem = "combos are drawn for a hand against a range alone"
        raise MethodError(
            problem,
            place="graph",
            hint="narrow them, give more of the board, or count all deals (--exact)",
        )
    points = _drawn_combos(spot, hero, villain, how)
    return points, [_curve(points, "equity of player 1", running, False)]


def _points(counts: HandCounts, *, other: bool) -> Points:
    """Return what each combo wins against the other range, or ``other`` against it."""
    won, met = pots_won(counts.cells)
    if other:
        won = POT * met - won
    times = counts.weights.tolist()
    return Points(
        [one * time for one, time in zip(won.tolist(), times, strict=True)],
        [one * time for one, time in zip(met.tolist(), times, strict=True)],
    )


def _drawn_combos(spot: Spot, hero: tuple[int, ...], villain: Range, how: How) -> Points:
    """Sample combos compatible with the hero's hand; each is solved exactly."""
    live = villain.live(spot.board, (*spot.dead, *hero)).range
    count = min(len(live), how.trials or COMBOS)
    chosen = np.arange(len(live))
    if count < len(live):
        notice(f"drawing {count:,} of {len(live):,} combos")
        chosen = np.sort(np.random.default_rng(how.seed).choice(len(live), count, replace=False))
    won, weight = [], []
    for hand, times in zip(
        live.combos[chosen].tolist(), live.weights[chosen].tolist(), strict=True
    ):
        result = solve(replace(spot, players=(hero, tuple(hand))))
        won.append(int(result.equities_exact[0] * POT * result.weight) * times)
        weight.append(result.weight * times)
    return Points(won, weight, None if count == len(live) else (count, len(live)))


def over_boards(spot: Spot, over: str, how: How) -> tuple[Points, list[tuple[int, ...]]]:
    """Return the equity of player 1 on every board of a street, or on sampled ones.

    With each point goes a canonical board of those that it stands for.
    """
    missing = STREETS[over] - len(spot.board)
    free = free_cards(spot)
    total = comb(len(free), missing)
    boards = alike_boards(free, missing, suits_alike(spot))
    one = replace(how, trials=None)
    cost = board_cost((on_board(spot, cards) for cards in boards.cards), one)
    if cost is None:
        raise MethodError(
            f"the hands of the ranges are too many to be counted on each of the {over}",
            place="over",
            hint="narrow them, take a later street, or count all deals (--exact)",
        )
    count = how.trials
    if count is None and not how.exact and len(boards.cards) * cost.core > BOARDS_COST:
        count = min(max(BOARDS[0], BOARDS_COST // max(1, cost.core)), BOARDS[1])
    sizes = list(boards.size)
    if count is not None and count < total:
        notice(f"drawing {count:,} of {total:,} {over}")
        drawn = np.random.default_rng(how.seed).choice(total, count, replace=False)
        kinds = np.searchsorted(np.cumsum(sizes), drawn, side="right")
        sizes = np.bincount(kinds, minlength=len(sizes)).tolist()
    wanted = [(cards, size) for cards, size in zip(boards.cards, sizes, strict=True) if size]
    announce(len(wanted), over, cost, how)
    won: list[int] = []
    weight: list[int] = []
    dealt: list[tuple[int, ...]] = []
    for cards, size in wanted:
        answer = ask(on_board(spot, cards), one)
        if answer is not None and answer.weight is not None:
            won += [int(answer.parts[0].equity_exact * POT * answer.weight)] * size
            weight += [answer.weight] * size
            dealt += [(*spot.board, *cards)] * size
    some = (count, total) if count is not None and count < total else None
    return Points(won, weight, some), dealt


def table(found: Graph) -> Iterator[str]:
    """Format the view for a terminal: the curve in steps of 5 %, and the histogram."""
    yield from heading(found.spot)
    for line in found.curves:
        yield ""
        error = "" if line.std_error is None else f" +/- {error_text(line.std_error)}"
        points = f"{line.count:,} {_things(found)}"
        yield f"{line.label}: mean {percent(line.mean_exact)}{error} %, {points}"
        yield from _curve_lines(line)
    yield ""
    if found.drawn:
        yield (
            f"{found.drawn[0]:,} of {found.drawn[1]:,} {_things(found)} drawn, "
            f"seed {found.seed}, each exact"
        )
    else:
        yield f"exact, all {_things(found)}"


def _curve_lines(line: Curve) -> Iterator[str]:
    """Format a curve in steps of 5 %, with the histogram beside it."""
    drawn = line.errors is not None
    # Each figure has its error behind it, and less room for that.
    width, gap, most_bar = (9, 2, 12) if drawn else (10, 4, 30)
    error = f"{'+/-':>6}" if drawn else ""
    titles = f"{'best %':>6}{'equity %':>{width}}{error}{'up to it':>{width}}{error}"
    yield f"{titles}{'':{gap}}{'equity %':<{width}}{'part %':>8}{error}"
    most = max(line.bins)
    for at in range(BINS):
        end = 100 * (at + 1) // BINS
        running = line.running[(at + 1) * FINE // BINS - 1]
        share = line.bins[at]
        errors = {
            name: f"{error_text(one):>6}" if drawn else ""
            for name, one in line.errors_of(at).items()
        }
        left = (
            f"{end:>6}{percent(line.twentieth(at)):>{width}}{errors['equity']}"
            f"{percent(running):>{width}}{errors['running']}"
        )
        behind = errors["share"] if share else f"{'':{len(error)}}"
        span = f"{100 * at // BINS}-{end}"
        right = f"{span:<{width}}{percent(share) if share else '-':>8}{behind}"
        yield f"{left}{'':{gap}}{right}  {bar(share, most, most_bar)}".rstrip()


def _things(found: Graph) -> str:
    return found.over or "combos"
