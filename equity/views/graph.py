"""Equity distribution over the combos of a range, or over boards to come."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from equity.common.arguments import shown, whole
from equity.engine.combo_sample import MOST_COMBOS
from equity.engine.options import How, read_spot_for
from equity.engine.planner import no_deals, plan_for
from equity.engine.solver import run_exact
from equity.errors import MethodError, PlayerCountError
from equity.results.combos import Combos
from equity.results.formats import Style, Title, finite
from equity.results.tally import POT
from equity.results.text import error_text, percent
from equity.rules.cards import Cards
from equity.rules.games import Game
from equity.spot import Spot
from equity.views.answers import (
    View,
    check_board,
)
from equity.views.curves import BINS, FINE, Curve, Label, Points, curve
from equity.views.drawing import bar, heading
from equity.views.plots import PLAYERS, suptitle
from equity.views.points import board_points, combo_points, drawn_combo_points
from equity.views.ranked import RankedCombo, rank_combos, ranked_lines

if TYPE_CHECKING:
    from pathlib import Path

    from equity.ranges import Ordering, Range

__all__ = ["BINS", "FINE", "STREETS", "Graph", "check", "find", "graph", "over_boards"]

#: Streets that a graph goes over, and how many cards the board has on them.
STREETS = {"flops": 3, "turns": 4, "rivers": 5}


@dataclass(frozen=True)
class Graph(View):
    """Equity distributions."""

    #: The question.
    spot: Spot
    #: Seed of what is sampled.
    seed: int
    #: The boards it goes over, a key of :data:`STREETS`; None for combos.
    over: str | None
    #: Number of combos or boards sampled, and of all of them; None if all were enumerated.
    drawn: tuple[int, int] | None
    #: The deals that were sampled; None if the equity of each combo or board is exact.
    deals: int | None
    #: The curve of player 1, and of player 2 if both have ranges.
    curves: tuple[Curve, ...]
    #: The best and the worst combos of each range, if asked for.
    ranked: tuple[tuple[RankedCombo, ...], ...] = ()

    @property
    def exact(self) -> bool:
        """Whether all combos or boards were enumerated."""
        return self.drawn is None and self.deals is None

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

    def head(self) -> dict[str, Any]:
        """What it goes over, whether it is exact, and the curves."""
        drawn, drawn_from = self.drawn or (None, None)
        return {
            "over": self.over,
            "exact": self.exact,
            "drawn": drawn,
            "drawn_from": drawn_from,
            "deals": self.deals,
            "seed": None if self.exact else self.seed,
            "curves": [found.to_dict() for found in self.curves],
            "ranked": [one.to_dict() for side in self.ranked for one in side],
        }

    def records(self) -> Iterator[dict[str, Any]]:
        """The rows for CSV: ranked combos, if they were asked for."""
        if not self.ranked:
            return super().records()
        whole = self.to_dict()
        common = {name: whole[name] for name in ("version", "game", "board", "dead")}
        return (common | row for row in whole["ranked"])

    def row_dicts(self) -> list[dict[str, Any]]:
        """A row for each 5 % of each curve."""
        return [
            {
                "curve": number,
                "percent": 100 * (at + 1) // BINS,
                "equity": float(found.twentieth(at)),
                "running": float(found.running[(at + 1) * FINE // BINS - 1]),
                "bin_from": at / BINS,
                "bin_to": (at + 1) / BINS,
                "share": float(found.bins[at]),
                **{f"{name}_error": finite(error) for name, error in found.errors_of(at).items()},
            }
            for number, found in enumerate(self.curves, 1)
            for at in range(BINS)
        ]

    def lines(self, _: Style) -> Iterator[str]:
        """The curves in steps of 5 %, with histograms."""
        things = self.over or "combos"
        yield from heading(self.spot)
        for line in self.curves:
            yield ""
            error = "" if line.std_error is None else f" +/- {error_text(line.std_error)}"
            points = f"{line.count:,} {things}"
            yield f"{line.label}: mean {percent(line.mean_exact)}{error} %, {points}"
            yield from _curve_lines(line)
        for side in self.ranked:
            yield from ranked_lines(side)
        yield ""
        yield self.footing

    @property
    def footing(self) -> str:
        """What was enumerated or sampled."""
        things = self.over or "combos"
        if self.drawn:
            count, every = self.drawn
            return f"sampled, {count:,} of {every:,} {things}, seed {self.seed}, each exact"
        if self.deals is not None:
            return f"sampled, {self.deals:,} deals over all {things}, seed {self.seed}"
        return f"exact, all {things}"

    def draw(self, figure: Any) -> None:
        """Draw curves and histograms."""
        figure.set_size_inches(10, 4.8)
        suptitle(figure, self, "Equity")
        left, right = figure.subplots(1, 2)
        count = len(self.curves)
        for number, line in enumerate(self.curves):
            colour = PLAYERS[number]
            edges = [100 * at / FINE for at in range(FINE + 1)]
            steps = [100 * float(part) for part in line.slices]
            left.stairs(steps, edges, baseline=None, color=colour, lw=1.6, label=line.label)
            if count == 1:
                best = [100 * float(part) for part in line.running]
                left.plot(edges[1:], best, color=colour, ls="--", lw=1, label=line.running_label)
            left.axhline(100 * float(line.mean_exact), color=colour, lw=0.8, alpha=0.5)
            heights = [100 * float(part) for part in line.bins]
            wide = 100 / len(heights)
            starts = [wide * (at + (0.08 + 0.84 * number / count)) for at in range(len(heights))]
            right.bar(starts, heights, 0.84 * wide / count, align="edge", color=colour)
        left.set_ylabel("equity, %")
        left.set_xlabel(f"% of the {self.noun}, {self.order}")
        left.set_ylim(0, 100)
        left.set_xlim(0, 100)
        left.grid(alpha=0.3)
        left.legend(frameon=False, fontsize=8)
        means = [
            f"{100 * line.mean:.2f} %"
            + (f" +/- {error_text(line.std_error)}" if line.std_error is not None else "")
            for line in self.curves
        ]
        left.set_title(f"mean {', '.join(means)}")
        right.set_xlim(0, 100)
        right.set_xlabel("equity, %")
        right.set_ylabel(f"% of the {self.noun}")
        right.set_title("equity distribution")


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
    best: int = 0,
    worst: int = 0,
) -> Graph:
    """Equity distribution of player 1.

    Over combos: a hand against a range has a curve over the hands of the range, the
    strongest first; two ranges have one each, over their own hands.  Over boards:
    the equity of player 1 on each board of a street that may come, the best first.
    Combos and boards are weighted by their deals, so the mean is the equity.

    Parameters
    ----------
    players, game, dead, ordering:
        As for :func:`equity.odds`, two players over combos; dead cards are known cards.
    board:
        Known cards, none or three and more.
    over:
        ``"flops"``, ``"turns"`` or ``"rivers"``; combos by default.
    exact, seed, threads, yes:
        See :class:`equity.How`.
    trials:
        Sample this many combos or boards.  By default they are sampled where all of them
        would take too long.
    best, worst:
        List so many of the best and of the worst combos of each range.

    Raises
    ------
    EquityError
        A subclass says which argument is wrong.
    """
    best, worst = whole(best, "best", 0), whole(worst, "worst", 0)
    how = How(exact, trials, None, None, seed, threads, yes=yes)
    spot = read_spot_for(players, game, board, dead, how, ordering=ordering)
    return find(spot, how, over, best, worst)


def check(spot: Spot, over: str | None = None) -> None:
    """Raise an error unless the view has combos or boards."""
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


def find(spot: Spot, how: How, over: str | None = None, best: int = 0, worst: int = 0) -> Graph:
    """Compute the view of a validated spot."""
    check(spot, over)
    if over is not None and (best or worst):
        raise MethodError(
            "boards are not ranked", place="best" if best else "worst", hint="leave out 'over'"
        )
    if over is None:
        found = _over_combos(spot, how)
    else:
        points = board_points(spot, STREETS[over] - len(spot.board), over, how)
        found = [(points, over_boards(over))]
    if not all(any(points.weight) for points, _ in found):
        raise no_deals()
    first = found[0][0]
    curves = [curve(points, label) for points, label in found]
    sides = range(len(spot.players) - len(found), len(spot.players))
    ranked = [
        rank_combos(spot, side, points.combos, best, worst)
        for side, (points, _) in zip(sides, found, strict=True)
        if points.combos is not None and best + worst
    ]
    return Graph(spot, how.seed, over, first.drawn, first.deals, tuple(curves), tuple(ranked))


def over_boards(street: str) -> Label:
    """The label of a curve over the boards of a street."""
    return Label(f"equity of player 1 over the {street}", f"on the best x % of the {street}", True)


def _over_combos(spot: Spot, how: How) -> list[tuple[Points, Label]]:
    """Return the points of each curve, and its labels."""
    is_hand = isinstance(spot.players[0], tuple)
    sides = [1] if is_hand else [0, 1]
    plan = plan_for(spot, how)
    if plan.is_exact:
        result = run_exact(spot, plan, replace(how, by_combo=True))
        if result.hands is None:
            raise KeyboardInterrupt
        points = [_points(combos) for combos in (result.hands[side] for side in sides) if combos]
    elif is_hand and spot.live_combos[1] > MOST_COMBOS:
        points = [drawn_combo_points(spot, how)]
    else:
        points = combo_points(spot, how, sides)
    if is_hand:
        label = Label("equity of player 1", "against the best x % of the range", False)
        return [(_of_other(points[0]), label)]
    return [
        (side, Label(f"equity of player {number}'s combos", "with the best x % of them", True))
        for number, side in enumerate(points, 1)
    ]


def _points(combos: Combos) -> Points:
    """Return what each combo wins against the other range."""
    won, met = combos.won, combos.met
    times = combos.weights.tolist()
    return Points(
        [one * time for one, time in zip(won.tolist(), times, strict=True)],
        [one * time for one, time in zip(met.tolist(), times, strict=True)],
        int(np.count_nonzero(met)),
        combos=combos,
    )


def _of_other(points: Points) -> Points:
    """Return what the other player wins against each combo."""
    won = [POT * weight - won for won, weight in zip(points.won, points.weight, strict=True)]
    return replace(points, won=won)


def _curve_lines(line: Curve) -> Iterator[str]:
    """Format a curve in steps of 5 %, with the histogram beside it."""
    drawn = line.errors is not None
    # Each figure has its error behind it, and less room for that.
    width, gap, most_bar = (9, 2, 12) if drawn else (10, 4, 30)
    error = f"{'+/-':>6}" if drawn else ""
    titles = f"{'best %':>6}{'equity %':>{width}}{error}{'up to it':>{width}}{error}"
    yield Title(f"{titles}{'':{gap}}{'equity %':<{width}}{'part %':>8}{error}")
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
