"""Equity street by street: preflop, flop, turn and river."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import TYPE_CHECKING, Any

from equity.engine.options import How, read_spot_for
from equity.engine.planner import no_deals
from equity.results.formats import Style, Title
from equity.results.text import error_text, percent, shorten
from equity.rules.cards import Cards, format_cards
from equity.rules.games import FLOP_SIZE, Game
from equity.spot import Spot
from equity.views.answers import (
    Answer,
    Part,
    View,
    ask,
    check_board,
    with_error,
)
from equity.views.drawing import cell, footing, heading
from equity.views.plots import MARKS, PLAYERS, picture_title
from equity.views.runouts import Runouts

if TYPE_CHECKING:
    from pathlib import Path

    from equity.ranges import Ordering, Range

__all__ = ["Street", "Streets", "check", "find", "streets"]

#: The streets, and how many cards of the board are known on them.
STREETS = {"preflop": 0, "flop": 3, "turn": 4, "river": 5}
#: Samples go on until the standard errors of equities are below this.
ERROR = 0.001


@dataclass(frozen=True)
class Street:
    """Equities on one street."""

    name: str
    #: The cards that it deals.
    dealt: tuple[int, ...]
    answer: Answer

    def to_dict(self) -> dict[str, Any]:
        """The numbers for JSON."""
        return {
            "street": self.name,
            "dealt": format_cards(self.dealt),
            **self.answer.to_dict(),
        }


@dataclass(frozen=True)
class Streets(View):
    """Equities on each street of a board."""

    #: The question.
    spot: Spot
    #: Seed of what is sampled.
    seed: int
    #: A row for each street that is known.
    rows: tuple[Street, ...]
    now = None

    def lines(self, _: Style) -> Iterator[str]:
        """A column for each street, and a line for each player."""
        spot = self.spot
        yield from heading(spot)
        yield ""
        width = 10
        yield Title(f"{'equity %':<30}" + "".join(f"{row.name:>{width}}" for row in self.rows))
        yield f"{'':30}" + "".join(
            f"{format_cards(row.dealt) or '-':>{width}}" for row in self.rows
        )

        def line(name: str, cells: list[str]) -> str:
            return f"{name:<30}" + "".join(f"{text:>{width}}" for text in cells)

        for player, text in enumerate(spot.texts):
            parts = [row.answer.parts[player] for row in self.rows]
            yield line(f"{player + 1:>2}  {shorten(text, 25)}", [cell(part) for part in parts])
            if any(part.std_error is not None for part in parts):
                yield line("      +/-", [error_text(part.std_error) for part in parts])
            if spot.game.low:
                for name, cells in _halves(parts):
                    yield line(f"      {name}", cells)
        parts = [part for row in self.rows for part in row.answer.parts]
        yield footing([error for part in parts for error in part.errors], self.seed)

    def draw(self, figure: Any) -> None:
        """Draw a line for each player."""
        figure.set_size_inches(7.5, 4.5)
        axes = figure.add_subplot()
        places = range(len(self.rows))
        for player, text in enumerate(self.spot.texts):
            parts = [row.answer.parts[player] for row in self.rows]
            errors = [100 * (part.std_error or 0) for part in parts]
            axes.errorbar(
                places,
                [100 * part.equity for part in parts],
                yerr=errors if any(errors) and all(map(isfinite, errors)) else None,
                color=PLAYERS[player],
                marker=MARKS[player],
                label=f"{player + 1}  {shorten(text, 26)}",
                clip_on=False,
            )
        names = [
            f"{row.name}\n{format_cards(row.dealt)}" if row.dealt else row.name for row in self.rows
        ]
        axes.set_xticks(places, names)
        axes.set_ylim(0, 100)
        axes.set_ylabel("equity, %")
        axes.set_xlabel("street")
        axes.grid(axis="y", alpha=0.3)
        axes.set_title(
            picture_title(self.spot, "Equity by street") + ("" if self.exact else " (sampled)")
        )
        axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)


def streets(
    players: Sequence[Cards | Range],
    game: str | Game = "plo4",
    board: Cards = "",
    dead: Cards = "",
    *,
    ordering: str | Path | Ordering | None = None,
    exact: bool = False,
    trials: int | None = None,
    error: float | None = None,
    seed: int = 0,
    threads: int | None = None,
    yes: bool = False,
) -> Streets:
    """Equity preflop and on the flop, turn and river of a known board.

    Ranges are parsed on the whole board and keep their combos on all streets.

    Parameters
    ----------
    players, game, dead, ordering:
        As for :func:`equity.odds`; dead cards are known cards, no pattern.
    board:
        Three to five known cards in the order in which they are dealt.
    exact, trials, error, seed, threads, yes:
        See :class:`equity.How`; the default standard error of samples is 0.001.

    Raises
    ------
    EquityError
        A subclass says which argument is wrong.

    Examples
    --------
    >>> [float(row.answer.parts[0].equity_exact) for row in streets(
    ...     ["AhAsKhKs", "9c8c7d6d"], board="Kd5h4cTd3d").rows][-1]
    0.0
    """
    how = How(exact, trials, error, None, seed, threads, yes=yes)
    return find(read_spot_for(players, game, board, dead, how, ordering=ordering), how)


def check(spot: Spot) -> None:
    """Raise an error unless the board is known as far as the flop."""
    check_board(spot, (3, 4, 5))


def find(spot: Spot, how: How) -> Streets:
    """Compute the view of a validated spot."""
    check(spot)
    how = with_error(how, ERROR)
    known = {name: count for name, count in STREETS.items() if count <= len(spot.board)}
    flop = replace(spot, board=spot.board[:FLOP_SIZE])
    # Where the flop is swept, that has the turn and the river in it.
    swept = Runouts(flop, how, [()])
    rows = []
    before = 0
    for name, count in known.items():
        if count < FLOP_SIZE:
            answer = ask(replace(spot, board=spot.board[:count]), how)
        else:
            answer = swept.answer(spot.board[FLOP_SIZE:count])
        if answer is None:
            raise no_deals(f"none go together on the {name}")
        rows.append(Street(name, spot.board[before:count], answer))
        before = count
    return Streets(spot, how.seed, tuple(rows))


def _halves(parts: list[Part]) -> Iterator[tuple[str, list[str]]]:
    lows = [part.low_exact or 0 * part.equity_exact for part in parts]
    highs = [part.equity_exact - low for part, low in zip(parts, lows, strict=True)]
    sampled = any(part.std_error is not None for part in parts)
    yield "high", [percent(high) for high in highs]
    if sampled:
        yield "+/-", [error_text(part.high_error) for part in parts]
    yield "low", [percent(low) for low in lows]
    if sampled:
        yield "+/-", [error_text(part.low_error) for part in parts]
