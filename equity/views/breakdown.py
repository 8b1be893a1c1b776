"""Breakdown of a range on a board by made hands and draws, with equities."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equity.engine.solver import odds
from equity.errors import BoardError, EmptyRangeError, MethodError
from equity.ranges import Range, parse
from equity.ranges.combos import Known, matching
from equity.results.combos import HandCounts, pots_won
from equity.results.report import heading, percent
from equity.results.result import POT
from equity.rules.cards import format_cards, format_hand
from equity.rules.games import FLOP_SIZE

__all__ = ["Breakdown", "Row", "breakdown"]

#: What is counted: title, and conditions in the range language with their
#: depth; what is deeper is part of what stands before it.
GROUPS: tuple[tuple[str, tuple[tuple[int, str], ...]], ...] = (
    (
        "made hands",
        (
            (0, "@STRAIGHTFLUSH"),
            (0, "@QUADS"),
            (0, "@FULLHOUSE"),
            (0, "@FLUSH"),
            (1, "@NUTFLUSH"),
            (0, "@STRAIGHT"),
            (1, "@NUTSTRAIGHT"),
            (0, "@THREEOFAKIND"),
            (1, "@TOPSET"),
            (1, "@MIDSET"),
            (1, "@BOTTOMSET"),
            (1, "@TRIPS"),
            (0, "@TWOPAIR"),
            (1, "@TOPTWO"),
            (0, "@PAIR"),
            (1, "@OVERPAIR"),
            (1, "@TOPPAIR"),
            (1, "@MIDPAIR"),
            (1, "@BOTTOMPAIR"),
            (1, "@UNDERPAIR"),
            (0, "@HIGHCARD"),
        ),
    ),
    (
        "draws",
        (
            (0, "@FLUSHDRAW"),
            (1, "@NUTFLUSHDRAW"),
            (0, "@WRAP"),
            (1, "@WRAP13+"),
            (0, "@OESD"),
            (0, "@GUTSHOT"),
            (0, "@BACKDOORFLUSH"),
        ),
    ),
    (
        "together",
        (
            (0, "@FLUSHDRAW:@OESD+"),
            (0, "@THREEOFAKIND:@FLUSHDRAW"),
            (0, "@TWOPAIR:@FLUSHDRAW"),
            (0, "@TWOPAIR:@OESD+"),
            (0, "@PAIR:@FLUSHDRAW"),
            (0, "@PAIR:@OESD+"),
            (0, "@PAIR!@FLUSHDRAW!@OESD+"),
            (0, "@HIGHCARD!@FLUSHDRAW!@GUTSHOT+"),
        ),
    ),
)
#: The same for games with a low.
LOW_GROUPS: tuple[tuple[str, tuple[tuple[int, str], ...]], ...] = (
    (
        "low",
        (
            (0, "@LOW"),
            (1, "@NUTLOW"),
            (1, "@COUNTERFEIT"),
            (0, "@LOWDRAW"),
            (1, "@NUTLOWDRAW"),
            (0, "@LOW:@FLUSHDRAW"),
            (0, "@LOW:@OESD+"),
            (0, "@LOW:@TWOPAIR+"),
            (0, "@LOWDRAW:@FLUSHDRAW"),
            (0, "@LOWDRAW:@TWOPAIR+"),
        ),
    ),
)


@dataclass(frozen=True)
class Row:
    """The part of a range that meets a condition."""

    group: str
    #: The condition, in the range language, and how deep it stands below another.
    condition: str
    depth: int
    #: Live combos, and the part that these are of all, by weight.
    combos: int
    share: float
    #: What they win of their pots against the other range; None without one, or if
    #: they never meet it.
    equity_exact: Fraction | None

    @property
    def equity(self) -> float | None:
        """Equity of these combos."""
        return None if self.equity_exact is None else float(self.equity_exact)

    def to_dict(self) -> dict[str, Any]:
        """The numbers for JSON."""
        exact = None if self.equity_exact is None else str(self.equity_exact)
        return {
            "group": self.group,
            "condition": self.condition,
            "combos": self.combos,
            "share": self.share,
            "equity": self.equity,
            "equity_exact": exact,
        }


@dataclass(frozen=True)
class Breakdown:
    """Breakdown of a range on a board."""

    range: Range
    against: Range | None
    board: str
    dead: str
    #: All live combos, and what they win.
    whole: Row
    rows: tuple[Row, ...]

    @property
    def orderings(self) -> tuple[str, ...]:
        """The hand rankings that percentages refer to, name and version."""
        return tuple(dict.fromkeys(name for hands in self._ranges for name in hands.orderings))

    @property
    def warnings(self) -> list[str]:
        """The notices of the ranges as text, for JSON."""
        return [str(notice) for hands in self._ranges for notice in hands.notices]

    @property
    def _ranges(self) -> list[Range]:
        return [self.range] if self.against is None else [self.range, self.against]

    def to_dict(self) -> dict[str, Any]:
        """The numbers for JSON; names stay stable, more may come."""
        return {
            "game": self.range.game.name,
            "board": self.board,
            "dead": self.dead,
            "range": self.range.text,
            "against": self.against.text if self.against else None,
            "orderings": list(self.orderings),
            "warnings": self.warnings,
            "combos": self.whole.combos,
            "equity": self.whole.equity,
            "equity_exact": self.whole.to_dict()["equity_exact"],
            "rows": [row.to_dict() for row in self.rows],
        }


def breakdown(
    hands: Range, board: tuple[int, ...], dead: tuple[int, ...] = (), against: Range | None = None
) -> Breakdown:
    """Break a range down by made hands and draws on a board.

    Parameters
    ----------
    hands:
        The range.
    board, dead:
        Card ids; three to five on the board.
    against:
        Another range, for the equity of each part.

    Raises
    ------
    BoardError
        The board has fewer than three cards.
    EmptyRangeError
        No combo of the range is live.
    MethodError
        The ranges are too large to be counted exactly.
    """
    if len(board) < FLOP_SIZE:
        raise BoardError(
            f"{len(board)} known cards", place="board", hint="give three to five known cards"
        )
    live = hands.live(board, dead).range
    if not len(live):
        raise EmptyRangeError("no live combo is left", place="range", hint="widen it")
    pots = _Pots(live, board, dead, against) if against is not None else None
    total = int(live.weights.sum())

    def row(group: str, depth: int, condition: str, held: NDArray[np.bool_]) -> Row:
        weight = int(live.weights[held].sum())
        equity = pots.equity(held) if pots else None
        return Row(group, condition, depth, int(held.sum()), weight / total, equity)

    def held(condition: str) -> NDArray[np.bool_]:
        every = matching(parse(condition, hands.game), hands.game, Known(board, dead))
        found: NDArray[np.bool_] = every[live.index]
        return found

    groups = GROUPS + (LOW_GROUPS if hands.game.low else ())
    rows = tuple(
        row(title, depth, condition, held(condition))
        for title, conditions in groups
        for depth, condition in conditions
    )
    whole = row("", 0, hands.text, np.ones(len(live), np.bool_))
    return Breakdown(hands, against, format_cards(board), format_hand(dead), whole, rows)


class _Pots:
    """Shares of the pot of each combo of a range against another range."""

    def __init__(
        self, live: Range, board: tuple[int, ...], dead: tuple[int, ...], against: Range
    ) -> None:
        result = odds([live, against], live.game, board, dead, by_combo=True)
        if result.hands is None:
            raise MethodError(
                "the ranges are too large for the equity of every combo",
                place="against",
                hint="narrow them, or give more of the board",
            )
        # Both list the live hands in the order of their numbers.
        counts: HandCounts = result.hands[0]
        won, met = pots_won(counts.cells)
        # Python's own integers, which do not overflow.
        weights = counts.weights.astype(object)
        self.won, self.met = won * weights, met * weights

    def equity(self, held: NDArray[np.bool_]) -> Fraction | None:
        """Return the equity of some of the combos."""
        met = int(self.met[held].sum())
        return Fraction(int(self.won[held].sum()), POT * met) if met else None


def table(found: Breakdown) -> Iterator[str]:
    """Format the breakdown for a terminal; empty rows are left out."""
    yield heading(found.range.game, found.board, found.dead)
    yield f"range     {found.range.text}"
    if found.against is not None:
        yield f"against   {found.against.text}"
    if found.orderings:
        yield f"percent   by the ordering {' and '.join(found.orderings)}"
    yield ""
    equity = "equity %" if found.against is not None else ""
    yield f"{'':<36}{'combos':>12}{'weight %':>10}{equity:>10}"
    yield _line("all", found.whole)
    for group in dict.fromkeys(row.group for row in found.rows):
        rows = [row for row in found.rows if row.group == group and row.combos]
        if rows:
            yield ""
            yield group
        for row in rows:
            yield _line("  " * (row.depth + 1) + row.condition, row)


def _line(name: str, row: Row) -> str:
    equity = "" if row.equity_exact is None else percent(row.equity_exact)
    share = percent(Fraction(row.share))
    return f"{name:<36}{row.combos:>12,}{share:>10}{equity:>10}".rstrip()
