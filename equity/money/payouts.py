"""Expected chips: every pot distributed by its equities."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from equity.engine.options import How
from equity.money.amounts import (
    ODD_CHIPS,
    chips_error,
    number,
    places,
    plain,
    rounded,
    signed,
)
from equity.money.contests import contests
from equity.money.stakes import Layer, Stakes
from equity.results.formats import Printable, Style, Title, finite
from equity.results.result import Result
from equity.results.text import error_percent, percent, shorten, side_by_side
from equity.spot import Spot

__all__ = [
    "Money",
    "PlayerMoney",
    "Pot",
    "chip_cells",
    "chip_lines",
    "pot_cells",
    "pot_lines",
    "settle",
]

#: Tables are as wide as this.
WIDTH = 80


@dataclass(frozen=True)
class Pot:
    """A contested pot and its equities."""

    layer: Layer
    #: Rake of this pot.
    rake: Fraction
    #: Equities of the players in it.
    result: Result

    @property
    def name(self) -> str:
        """``"main pot"`` or ``"side pot 1"``."""
        return self.layer.name

    @property
    def amount(self) -> Fraction:
        """Its chips, before the rake."""
        return self.layer.amount

    @property
    def members(self) -> tuple[int, ...]:
        """The players in it, from 0."""
        return self.layer.members

    @property
    def equities_exact(self) -> tuple[Fraction, ...]:
        """Equities of its players; they sum to 1."""
        return self.result.equities_exact

    @property
    def payouts(self) -> tuple[Fraction, ...]:
        """Expected chips of each of its players."""
        return tuple((self.amount - self.rake) * part for part in self.equities_exact)

    @property
    def std_errors(self) -> tuple[float | None, ...]:
        """Standard errors of the equities: None if exact, infinite if unknown."""
        return tuple(player.equity_error for player in self.result.players)

    def to_dict(self) -> dict[str, Any]:
        """The numbers for JSON."""
        result = self.result
        exact = [str(part) if result.exact else None for part in self.equities_exact]
        return {
            "name": self.name,
            "amount": number(self.amount),
            "rake": float(self.rake),
            "rake_exact": str(self.rake),
            "players": [at + 1 for at in self.members],
            "equities": [float(part) for part in self.equities_exact],
            "equities_exact": exact,
            "std_errors": [finite(error) for error in self.std_errors],
            "exact": result.exact,
            "partial": result.partial,
            "method": result.method,
            "deals": result.deals,
            "seed": result.seed,
        }


@dataclass(frozen=True)
class PlayerMoney:
    """What one player puts in, and their expected chips."""

    #: The hand or range in canonical notation.
    range: str
    put_in: Fraction
    #: Uncalled chips.
    returned: Fraction
    #: Expected chips from the pots.
    won_exact: Fraction
    #: Standard error of these: None if exact, infinite if unknown.
    std_error: float | None = None
    #: Whether every pot was enumerated.
    exact: bool = True

    @property
    def expected_exact(self) -> Fraction:
        """Expected chips: those won and those returned."""
        return self.won_exact + self.returned

    @property
    def expected(self) -> float:
        """Expected chips: those won and those returned."""
        return float(self.expected_exact)

    @property
    def net_exact(self) -> Fraction:
        """Expected gain or loss."""
        return self.expected_exact - self.put_in

    @property
    def net(self) -> float:
        """Expected gain or loss."""
        return float(self.net_exact)

    def to_dict(self) -> dict[str, Any]:
        """The numbers for JSON."""
        return {
            "put_in": number(self.put_in),
            "returned": number(self.returned),
            "won": float(self.won_exact),
            "expected": self.expected,
            "expected_exact": str(self.expected_exact) if self.exact else None,
            "net": self.net,
            "chips_error": finite(self.std_error),
        }


@dataclass(frozen=True, repr=False)
class Money(Printable):
    """The expected chips of all players.

    Expected chips and rake sum exactly to what was put in, dead money included, for
    samples too.
    """

    #: What everybody put in.
    stakes: Stakes
    #: The contested pots, the main pot first.
    pots: tuple[Pot, ...]
    #: Standard errors of each player's chips: None if exact, infinite if unknown.
    errors: tuple[float | None, ...]

    @property
    def result(self) -> Result:
        """Equities of all players, which are those of the main pot."""
        return self.pots[0].result

    @property
    def rake(self) -> Fraction:
        """The total rake."""
        return self.stakes.taken

    @property
    def exact(self) -> bool:
        """Whether every pot was enumerated."""
        return all(pot.result.exact for pot in self.pots)

    @property
    def partial(self) -> bool:
        """Whether it was interrupted."""
        return any(pot.result.partial for pot in self.pots)

    @cached_property
    def players(self) -> tuple[PlayerMoney, ...]:
        """Expected chips of each player, in the order given."""
        won = [Fraction(0)] * len(self.stakes.stacks)
        for pot in self.pots:
            for player, payout in zip(pot.members, pot.payouts, strict=True):
                won[player] += payout
        texts = self.result.spot.texts
        columns = zip(
            texts, self.stakes.stacks, self.stakes.returned, won, self.errors, strict=True
        )
        # No error means exact, unless it was interrupted.
        return tuple(
            PlayerMoney(*facts, exact=facts[-1] is None and not self.partial) for facts in columns
        )

    def objects(self) -> list[dict[str, Any]]:
        """The result, with a section about money; it replaces what ignores side pots."""
        money = {"exact": self.exact, "partial": self.partial, "money": self.to_dict()}
        return [self.result.to_dict() | money]

    def records(self) -> list[dict[str, Any]]:
        """The rows of the result, with the chips of each player."""
        # A side pot may have been interrupted while the main pot was not.
        partial = {"partial": self.partial}
        rows = zip(self.result.records(), self.players, strict=True)
        return [row | player.to_dict() | partial for row, player in rows]

    def lines(self, style: Style) -> list[str]:
        """The table of equities, then pots and chips."""
        return [*self.result.lines(style), "", *pot_lines(self), "", *chip_lines(self)]

    @property
    def everyone(self) -> str:
        """The name of the row of totals, with the dead money."""
        pot = self.stakes.pot
        return f"all, {plain(pot)} dead" if pot else "all"

    def footing(self) -> list[str]:
        """The rake, and what was ended early."""
        rake = rounded(self.rake, places(self.stakes.put_in))
        house = f"rake {rake} ({self.stakes.rake.text})" if self.rake else "no rake"
        is_partial = self.partial and not self.result.partial
        early = ["PARTIAL, a side pot was ended early"] if is_partial else []
        return [f"{house}; {ODD_CHIPS}", *early]

    def to_dict(self) -> dict[str, Any]:
        """The numbers for JSON; names stay stable, more may come."""
        stakes = self.stakes
        return {
            "put_in": number(stakes.put_in),
            "pot": number(stakes.pot),
            "contested": number(stakes.contested),
            "rake_percent": number(100 * stakes.rake.rate),
            "cap": None if stakes.rake.cap is None else number(stakes.rake.cap),
            "rake": float(self.rake),
            "rake_exact": str(self.rake),
            "odd_chips": "not modelled",
            "exact": self.exact,
            "partial": self.partial,
            "pots": [pot.to_dict() for pot in self.pots],
            "players": [
                {"player": at, "range": player.range} | player.to_dict()
                for at, player in enumerate(self.players, 1)
            ],
        }

    def __repr__(self) -> str:
        players = ", ".join(f"{player.range} {player.expected:.2f}" for player in self.players)
        pots = f"{len(self.pots)} pot{'' if len(self.pots) == 1 else 's'}"
        return f"<Money {self.result.game}: {players}; {pots}, rake {float(self.rake):.2f}>"


def pot_lines(money: Money) -> list[str]:
    """A line for each pot: its chips and the equities of its players."""
    amounts, rakes = zip(*pot_cells(money), strict=True)
    widths = [max(map(len, ["amount", *amounts])), max(map(len, ["rake", *rakes]))]
    names = max(len(pot.name) for pot in money.pots)
    titles = f"{'pots':<{names}}  {'amount':>{widths[0]}}  {'rake':>{widths[1]}}"
    lines: list[str] = [Title(f"{titles}   player: equity %")]
    for pot, amount, rake in zip(money.pots, amounts, rakes, strict=True):
        start = f"{pot.name:<{names}}  {amount:>{widths[0]}}  {rake:>{widths[1]}}   "
        lines += _wrapped(start, _shares(pot))
    return lines


def pot_cells(money: Money) -> list[tuple[str, str]]:
    """The chips of each pot and its rake, as text."""
    decimals = places(money.stakes.put_in)
    return [
        (rounded(pot.amount, decimals), rounded(pot.rake, decimals) if pot.rake else "-")
        for pot in money.pots
    ]


def _shares(pot: Pot) -> list[str]:
    shares = []
    for at, part, error in zip(pot.members, pot.equities_exact, pot.std_errors, strict=True):
        behind = "" if error is None else f" +/-{error_percent(error)}"
        shares.append(f"{at + 1}: {percent(part)}{behind}")
    return shares


def _wrapped(start: str, parts: list[str]) -> list[str]:
    """Wrap parts to the width of a table, the first after a text."""
    lines, line = [], start
    for at, part in enumerate(parts):
        gap = "  " if at and line.strip() else ""
        if at and len(line) + len(gap) + len(part) > WIDTH:
            lines.append(line)
            line, gap = " " * len(start), ""
        line += gap + part
    return [*lines, line]


def chip_cells(money: Money) -> tuple[list[str], list[list[str]], list[str]]:
    """The titles, the cells of each player, and the totals of the table of chips."""
    decimals = places(money.stakes.put_in)
    sampled = any(error is not None for error in money.errors)
    titles = ["put in", "returned", "expected", *(["+/-"] if sampled else []), "net"]
    rows = []
    for player, error in zip(money.players, money.errors, strict=True):
        cells = [player.put_in, player.returned, player.expected_exact]
        row = [rounded(cell, decimals) if cell else "-" for cell in cells]
        if sampled:
            row.append("-" if error is None else chips_error(error, decimals))
        rows.append([*row, signed(player.net_exact, decimals)])
    stakes = money.stakes
    totals = [stakes.put_in, sum(stakes.returned), stakes.put_in - money.rake]
    last = [rounded(Fraction(total), decimals) if total else "-" for total in totals]
    return titles, rows, last + (["", ""] if sampled else [""])


def chip_lines(money: Money) -> list[str]:
    """A line for each player: chips put in, returned and expected."""
    titles, rows, last = chip_cells(money)
    widths = [max(map(len, column)) + 2 for column in zip(titles, *rows, last, strict=True)]
    widths = [max(width, 10) for width in widths]
    room = min(25, WIDTH - 4 - sum(widths))
    lines: list[str] = [Title(" " * (4 + room) + side_by_side(titles, widths))]
    for at, (player, row) in enumerate(zip(money.players, rows, strict=True), 1):
        lines.append(f"{at:>2}  {shorten(player.range, room):<{room}}{side_by_side(row, widths)}")
    name = f"{money.everyone:<{room}}"
    lines.append(f"{'':4}{name}{side_by_side(last, widths)}".rstrip())
    return [*lines, *money.footing()]


def settle(spot: Spot, stakes: Stakes, how: How) -> Money:
    """Expected chips for a validated spot and stakes."""
    solved = contests(spot, stakes, how)
    pots = tuple(
        Pot(layer, stakes.rake_of(layer), result)
        for layer, result in zip(stakes.layers, solved.results, strict=True)
    )
    return Money(stakes, pots, solved.errors)
