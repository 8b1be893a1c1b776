"""Breakdown of a range on a board by made hands and draws, with equities."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from equity import __version__
from equity.engine.solver import odds
from equity.errors import BoardError, EmptyRangeError, MethodError
from equity.ranges import Range, parse
from equity.ranges.combos import Known, matching
from equity.results.formats import Printable, Style, Title
from equity.results.tally import POT
from equity.results.text import heading, percent
from equity.rules.cards import Cards, format_cards, format_hand
from equity.rules.games import FLOP_SIZE, Game
from equity.spot import read_spot, refuse_patterns

if TYPE_CHECKING:
    from pathlib import Path

    from equity.ranges import Ordering

__all__ = ["Breakdown", "Row", "breakdown", "conditions", "texture"]

#: Conditions by group, in the range language; ``>`` marks one that is part of the row above.
GROUPS = {
    "made hands": (
        "@STRAIGHTFLUSH @QUADS @FULLHOUSE @FLUSH >@NUTFLUSH @STRAIGHT >@NUTSTRAIGHT "
        "@THREEOFAKIND >@TOPSET >@MIDSET >@BOTTOMSET >@TRIPS @TWOPAIR >@TOPTWO "
        "@PAIR >@OVERPAIR >@TOPPAIR >@MIDPAIR >@BOTTOMPAIR >@UNDERPAIR @HIGHCARD"
    ),
    "draws": ("@FLUSHDRAW >@NUTFLUSHDRAW @WRAP >@WRAP13+ @OESD @GUTSHOT @BACKDOORFLUSH"),
    "together": (
        "@FLUSHDRAW:@OESD+ @THREEOFAKIND:@FLUSHDRAW @TWOPAIR:@FLUSHDRAW @TWOPAIR:@OESD+ "
        "@PAIR:@FLUSHDRAW @PAIR:@OESD+ @PAIR!@FLUSHDRAW!@OESD+ @HIGHCARD!@FLUSHDRAW!@GUTSHOT+"
    ),
}
#: The same for games with a low.
LOW_GROUPS = {
    "low": (
        "@LOW >@NUTLOW >@COUNTERFEIT @LOWDRAW >@NUTLOWDRAW @LOW:@FLUSHDRAW @LOW:@OESD+ "
        "@LOW:@TWOPAIR+ @LOWDRAW:@FLUSHDRAW @LOWDRAW:@TWOPAIR+"
    ),
}


@dataclass(frozen=True)
class Row:
    """The part of a range that meets a condition."""

    group: str
    #: The condition, in the range language, and its depth below another.
    condition: str
    depth: int
    #: Live combos, and their share of the range by weight.
    combos: int
    share: float
    #: Equity against the other range; None without one, or if it blocks all combos.
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
class Breakdown(Printable):
    """Breakdown of a range on a board."""

    range: Range
    against: Range | None
    board: str
    dead: str
    #: The row of all live combos.
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

    def objects(self) -> list[dict[str, Any]]:
        """The object for JSON, with the version."""
        return [{"version": __version__, **self.to_dict()}]

    def records(self) -> list[dict[str, Any]]:
        """A row for the whole range, then one for each condition."""
        return [row.to_dict() | {"depth": row.depth} for row in (self.whole, *self.rows)]

    def lines(self, _: Style) -> Iterator[str]:
        """A line for each row that has combos."""
        yield heading(self.range.game, self.board, self.dead)
        yield f"range     {self.range.text}"
        if self.against is not None:
            yield f"against   {self.against.text}"
        if self.orderings:
            yield f"percent   by the ordering {' and '.join(self.orderings)}"
        yield ""
        equity = "equity %" if self.against is not None else ""
        yield Title(f"{'':<36}{'combos':>12}{'weight %':>10}{equity:>10}".rstrip())
        yield _line("all", self.whole)
        for group in dict.fromkeys(row.group for row in self.rows):
            rows = [row for row in self.rows if row.group == group and row.combos]
            if rows:
                yield ""
                yield group
            for row in rows:
                yield _line("  " * (row.depth + 1) + row.condition, row)


def texture(
    hands: Cards | Range,
    game: str | Game = "plo4",
    board: Cards = "",
    dead: Cards = "",
    *,
    against: Cards | Range | None = None,
    ordering: str | Path | Ordering | None = None,
) -> Breakdown:
    """What a range makes and draws to on a board, by board conditions.

    Parameters
    ----------
    hands:
        A range or a hand, as a player of :func:`equity.odds`.
    game, dead, ordering:
        As for :func:`equity.odds`; dead cards are known cards, no pattern.
    board:
        Three to five known cards.
    against:
        The opponent's range, for the equity of each part.

    Raises
    ------
    EquityError
        A subclass says which argument is wrong.

    Examples
    --------
    >>> found = texture("TT,77", board="Th7h2c")
    >>> [(row.condition, row.combos) for row in found.rows if row.condition == "@TOPSET"]
    [('@TOPSET', 3151)]
    """
    asked = [hands] if against is None else [hands, against]
    spot = read_spot(asked, game, board, dead, min_players=1, ordering=ordering)
    refuse_patterns(spot)
    first, *others = (
        Range.from_hands([player], spot.game) if isinstance(player, tuple) else player
        for player in spot.players
    )
    return breakdown(first, spot.board, spot.dead, *others)


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
        The ranges are too large to be enumerated exactly.
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

    rows = []
    for title, depth, condition in conditions(hands.game):
        every = matching(parse(condition, hands.game), hands.game, Known(board, dead))
        held: NDArray[np.bool_] = every[live.index]
        rows.append(row(title, depth, condition, held))
    whole = row("", 0, hands.text, np.ones(len(live), np.bool_))
    return Breakdown(hands, against, format_cards(board), format_hand(dead), whole, tuple(rows))


def conditions(game: Game) -> Iterator[tuple[str, int, str]]:
    """Yield the group, the depth and the condition of each row for a game."""
    groups = GROUPS | LOW_GROUPS if game.low else GROUPS
    for title, texts in groups.items():
        for text in texts.split():
            condition = text.removeprefix(">")
            yield title, int(text != condition), condition


class _Pots:
    """Shares of the pot of each combo of a range against another range."""

    def __init__(
        self, live: Range, board: tuple[int, ...], dead: tuple[int, ...], against: Range
    ) -> None:
        result = odds([live, against], live.game, board, dead, by_combo=True)
        # Both list the live hands in the order of their numbers.
        combos = result.hands[0] if result.exact and result.hands else None
        if combos is None or combos.errors is not None:
            raise MethodError(
                "the ranges are too large for the exact equity of every combo",
                place="against",
                hint="narrow them, or give more of the board",
            )
        # Python's own integers, which do not overflow.
        weights = combos.weights.astype(object)
        self.won, self.met = combos.won * weights, combos.met * weights

    def equity(self, held: NDArray[np.bool_]) -> Fraction | None:
        """Return the equity of some of the combos."""
        met = int(self.met[held].sum())
        return Fraction(int(self.won[held].sum()), POT * met) if met else None


def _line(name: str, row: Row) -> str:
    equity = "" if row.equity_exact is None else percent(row.equity_exact)
    share = percent(Fraction(row.share))
    return f"{name:<36}{row.combos:>12,}{share:>10}{equity:>10}".rstrip()
