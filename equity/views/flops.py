"""What a hand or a range makes and draws to over all flops, or over turns and rivers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, factorial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from equity.common.arguments import shown
from equity.engine.holdings import MOST_MARKS, tally_holdings
from equity.engine.options import How, read_spot_for
from equity.engine.planner import no_deals
from equity.errors import EmptyRangeError, MethodError, PlayerCountError
from equity.ranges import Range, parse
from equity.ranges.boards import Boards
from equity.ranges.combos import leaf_marks
from equity.ranges.lines import HoldingReader, hand_leaves, read_lines
from equity.ranges.orderings import select_ordering
from equity.ranges.tree import Expression, Union
from equity.rules.cards import DECK_SIZE, SUITS, Cards
from equity.rules.games import FLOP_SIZE, Game
from equity.spot import Spot
from equity.views.answers import Cost, announce, check_board
from equity.views.breakdown import conditions
from equity.views.curves import Points, curve, figure_of
from equity.views.flop_kinds import ALL, SPLITS, kinds_of
from equity.views.flop_table import EQUITY_GROUP, KINDS_GROUP, LINES_GROUP, Cell, Flops, Row
from equity.views.graph import STREETS, over_boards
from equity.views.points import board_points

if TYPE_CHECKING:
    from pathlib import Path

    from equity.ranges import Ordering

__all__ = ["LEVELS", "Wanted", "check", "find", "flops"]

Mask = NDArray[np.bool_]

#: Equities of which it is told how often they are reached, in percent.
LEVELS = (45, 65)
#: Nanoseconds for what a hand has on a board.
HAND_COST = 5


@dataclass(frozen=True)
class Wanted:
    """What is asked beside the spot, see :func:`flops`."""

    over: str | None = None
    by: str | None = None
    at_least: str | None = None
    levels: Sequence[float] = LEVELS
    ordering: str | Path | Ordering | None = None


_PLAIN = Wanted()


def flops(
    hands: Cards | Range,
    game: str | Game = "plo4",
    board: Cards = "",
    dead: Cards = "",
    *,
    against: Cards | Range | None = None,
    over: str | None = None,
    by: str | None = None,
    at_least: str | None = None,
    levels: Sequence[float] = LEVELS,
    ordering: str | Path | Ordering | None = None,
    exact: bool = False,
    trials: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    yes: bool = False,
) -> Flops:
    """What a hand or a range makes and draws to over all flops.

    Each combo meets every flop that its cards, the board and the dead cards leave; all of
    them are counted.

    Parameters
    ----------
    hands:
        A hand or a range.
    game, dead, ordering:
        As :func:`equity.odds` has them; dead cards are known.
    board:
        Known cards: none, one or two of the flop; or a flop or turn, for the boards that
        follow.
    against:
        An opponent's hand or range, for the equity on each board.
    over:
        ``"flops"``, ``"turns"`` or ``"rivers"``; by default the street that comes next.
    by:
        ``"suits"``, ``"pairs"`` or ``"high"`` to split flops by their suits, pairs or
        highest card.
    at_least:
        Lines such as ``"@SET,@NFD,@WRAP13+"``: how often each holds, and any of them.
    levels:
        Equities in percent; how often each is reached.
    exact, trials, seed, threads, yes:
        For the equity on each board, see :func:`equity.graph`.

    Raises
    ------
    EquityError
        A child of it says which part of the question is wrong.
    """
    how = How(exact, trials, None, None, seed, threads, yes=yes)
    players = [hands] if against is None else [hands, against]
    if against is None and trials is not None:
        raise MethodError(
            "what hands make is counted, no deals are sampled",
            place="trials",
            hint="leave it out, or name an opponent",
        )
    spot = read_spot_for(
        players, game, board, dead, how, min_players=1, part_of_flop=True, ordering=ordering
    )
    return find(spot, how, Wanted(over, by, at_least, levels, ordering))


def check(spot: Spot, wanted: Wanted = _PLAIN) -> None:
    """Raise an error unless the question can be answered."""
    if len(spot.players) > 2:
        raise PlayerCountError(
            f"{len(spot.players)} players",
            hint="give one hand or range, and at most one against it",
        )
    check_board(spot, (0, 1, 2, 3, 4))
    street = _street(spot, wanted.over)
    by, levels = wanted.by, wanted.levels
    if by is not None and not (isinstance(by, str) and by in SPLITS):
        raise MethodError(
            f"{shown(by)} is no way to split flops",
            place="by",
            hint=f"known are {', '.join(SPLITS)}",
        )
    if by is not None and street != "flops":
        raise MethodError(
            f"{street} are not split", place="by", hint="suits, pairs and high cards are of flops"
        )
    _lines(wanted, spot.game)
    _check_levels(levels)


def _check_levels(levels: object) -> None:
    """Raise an error unless these are equities in percent."""
    hint = "give percent above 0 and below 100, such as (45, 65)"
    if not isinstance(levels, list | tuple):
        raise MethodError(f"{shown(levels)} is no list of equities", place="levels", hint=hint)
    for level in levels:
        is_number = isinstance(level, int | float) and not isinstance(level, bool)
        if not is_number or not 0 < level < 100:
            raise MethodError(f"{shown(level)} is no equity", place="levels", hint=hint)


def _street(spot: Spot, over: str | None) -> str:
    """The street that is gone over."""
    known = len(spot.board)
    if over is None:
        return next(street for street, size in STREETS.items() if size > known)
    if not (isinstance(over, str) and over in STREETS):
        raise MethodError(
            f"{shown(over)} is no street", place="over", hint=f"known are {', '.join(STREETS)}"
        )
    if over != "flops" and known < FLOP_SIZE:
        raise MethodError(
            f"{over} follow a flop, and the board has {known} cards",
            place="over",
            hint="give a flop, -b Kh9h4c",
        )
    if STREETS[over] <= known:
        raise MethodError(
            f"the board has {known} cards, no {over} come after it",
            place="over",
            hint="take a later street, or cards from the board",
        )
    return over


def _lines(wanted: Wanted, game: Game) -> Expression | None:
    if wanted.at_least is None:
        return None
    return read_lines(wanted.at_least, game, "at least", MOST_MARKS)


def find(spot: Spot, how: How, wanted: Wanted = _PLAIN) -> Flops:
    """Compute the view of a validated spot."""
    check(spot, wanted)
    street, by = _street(spot, wanted.over), wanted.by
    lines = _lines(wanted, spot.game)
    # A hand of the opponent is known to be dead, a range is not.
    hero, *others = spot.players
    dead = (*spot.dead, *(card for one in others if isinstance(one, tuple) for card in one))
    hands = Range.from_hands([hero], spot.game) if isinstance(hero, tuple) else hero
    hands = hands.live(spot.board, dead).range
    if not len(hands):
        raise EmptyRangeError(
            "no live combo is left", place="range 1", hint="widen it, or name less cards"
        )
    named = hand_leaves(lines)
    chosen = None if wanted.ordering is None else select_ordering(wanted.ordering, spot.game)
    marks = leaf_marks(named, hands.index, spot.game, chosen) if named else None
    gone = len(spot.board) + len(dead) + spot.game.hole
    count = comb(DECK_SIZE - gone, STREETS[street] - len(spot.board))
    announce(count, street, Cost(HAND_COST * len(hands) // _alike(spot, dead)), how)
    holdings = tally_holdings(hands, spot.board, dead, STREETS[street], marks, threads=how.threads)
    asked = [(*row, parse(row[-1], spot.game).parts[0].node) for row in conditions(spot.game)]
    if lines is not None:
        every = Union(tuple(part.node for part in lines.parts))
        asked += [(LINES_GROUP, 0, str(part), part.node) for part in lines.parts]
        asked.append((LINES_GROUP, 0, "any", every))
    kinds = kinds_of(holdings.boards, by)
    reader = HoldingReader(holdings, {leaf: bit for bit, leaf in enumerate(named)})
    totals = _sums(holdings.per_board(np.ones(len(holdings), np.bool_)), kinds)
    rows = [_row(KINDS_GROUP, 0, "*", totals, dict.fromkeys(kinds, totals[ALL]))]
    for title, depth, condition, node in asked:
        counts = _sums(holdings.per_board(reader.mask(node)), kinds)
        rows.append(_row(title, depth, condition, counts, totals))
    if not others:
        return Flops(spot, how.seed, street, by, count, tuple(rows))
    points = board_points(spot, STREETS[street] - len(spot.board), street, how)
    if points.boards is None or not any(points.weight):
        raise no_deals()
    rows += _equity_rows(points, kinds_of(Boards(points.boards), by), wanted.levels)
    found = curve(points, over_boards(street))
    return Flops(spot, how.seed, street, by, count, tuple(rows), found, points.deals)


def _alike(spot: Spot, dead: Sequence[int]) -> int:
    """About how many hands are counted as one."""
    return 1 if spot.board or dead else factorial(len(SUITS))


def _sums(per_board: NDArray[np.int64], kinds: dict[str, Mask]) -> dict[str, int]:
    return {kind: int(per_board[inside].sum()) for kind, inside in kinds.items()}


def _row(
    group: str, depth: int, condition: str, counts: dict[str, int], totals: dict[str, int]
) -> Row:
    cells = (
        Cell(kind, count, Fraction(count, totals[kind]) if totals[kind] else None)
        for kind, count in counts.items()
    )
    return Row(group, condition, depth, tuple(cells))


def _equity_rows(points: Points, kinds: dict[str, Mask], levels: Sequence[float]) -> Iterator[Row]:
    """Yield the mean equity, and how often each level is reached."""
    least = {f">={level}%": Fraction(str(level)) / 100 for level in levels}
    for name, level in {"mean": None, **least}.items():
        figures = [(kind, figure_of(points, inside, level)) for kind, inside in kinds.items()]
        cells = (Cell(kind, None, share, error) for kind, (share, error) in figures)
        yield Row(EQUITY_GROUP, name, 0, tuple(cells))
