"""Pot odds: the equity that a call needs, and the equity that the player has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from equity.engine.options import How, check_how, read_spot_for
from equity.engine.solver import solve
from equity.money.amounts import (
    NO_RAKE,
    ODD_CHIPS,
    Amount,
    MoneyError,
    Rake,
    chips_error,
    number,
    places,
    plain,
    read_amount,
    read_rake,
    rounded,
    signed,
)
from equity.results.formats import Printable, Style, finite
from equity.results.result import Result
from equity.results.text import error_percent, percent
from equity.rules.cards import Cards
from equity.rules.games import Game
from equity.spot import Spot

if TYPE_CHECKING:
    from pathlib import Path

    from equity.ranges import Ordering, Range

__all__ = ["Call", "PotOdds", "face", "pot_odds", "read_call"]


@dataclass(frozen=True)
class Call:
    """The call that the first player faces, and the pot."""

    amount: Fraction
    #: The pot, including the bet that the player faces.
    pot: Fraction
    rake: Rake = NO_RAKE

    @property
    def total(self) -> Fraction:
        """The pot after the call."""
        return self.pot + self.amount

    @property
    def taken(self) -> Fraction:
        """The rake of the pot after the call."""
        return self.rake.of(self.total)

    @property
    def prize(self) -> Fraction:
        """The pot after the call and the rake."""
        return self.total - self.taken

    @property
    def needed(self) -> Fraction:
        """The equity with which the call breaks even."""
        return self.amount / self.prize


def read_call(
    amount: Amount, pot: Amount | None, *, rake: str | None = None, cap: Amount | None = None
) -> Call:
    """Parse and validate a call.

    Raises
    ------
    MoneyError
        An amount is invalid, the pot is missing, or the rake takes all of it.
    """
    to_call = read_amount(amount, "call", positive=True)
    if pot is None:
        raise MoneyError(
            "it needs the pot too",
            place="call",
            hint="give the pot with the bet included: --pot 150",
        )
    call = Call(to_call, read_amount(pot, "pot", positive=True), read_rake(rake, cap))
    if not call.prize:
        raise MoneyError("the rake takes the whole pot", place="rake", hint="give a cap, or less")
    return call


@dataclass(frozen=True, repr=False)
class PotOdds(Printable):
    """A call, and the equities of the showdown that it leads to."""

    #: The amounts, and the equity needed.
    call: Call
    #: The equities of the showdown.
    result: Result

    @property
    def needed(self) -> float:
        """The equity with which the call breaks even."""
        return float(self.call.needed)

    @property
    def equity_exact(self) -> Fraction:
        """Your equity: that of the first player."""
        return self.result.equities_exact[0]

    @property
    def equity(self) -> float:
        """Your equity: that of the first player."""
        return float(self.equity_exact)

    @property
    def std_error(self) -> float | None:
        """Standard error of the equity: None if exact, infinite if unknown."""
        return self.result.players[0].equity_error

    @property
    def gain_exact(self) -> Fraction:
        """EV of calling, relative to a fold."""
        return self.equity_exact * self.call.prize - self.call.amount

    @property
    def gain(self) -> float:
        """EV of calling, relative to a fold."""
        return float(self.gain_exact)

    @property
    def gain_error(self) -> float | None:
        """Standard error of the EV; None if exact."""
        return None if self.std_error is None else self.std_error * float(self.call.prize)

    @property
    def partial(self) -> bool:
        """Whether it was interrupted."""
        return self.result.partial

    def objects(self) -> list[dict[str, Any]]:
        """The result, with a section about the call."""
        return [self.result.to_dict() | {"call": self.to_dict()}]

    def records(self) -> list[dict[str, Any]]:
        """The rows of the result; only that of the first player has values of the call."""
        # The equity of player 1 is in their row anyway.
        call = {name: value for name, value in self.to_dict().items() if name[:3] != "had"}
        first, *others = self.result.records()
        return [first | call, *(row | dict.fromkeys(call) for row in others)]

    def to_dict(self) -> dict[str, Any]:
        """The numbers for JSON; names stay stable, more may come."""
        call = self.call
        exact = self.result.exact
        return {
            "call": number(call.amount),
            "pot": number(call.pot),
            "rake": float(call.taken),
            "rake_exact": str(call.taken),
            "needed": self.needed,
            "needed_exact": str(call.needed),
            "had": self.equity,
            "had_exact": str(self.equity_exact) if exact else None,
            "had_error": finite(self.std_error),
            "gain": self.gain,
            "gain_exact": str(self.gain_exact) if exact else None,
            "gain_error": finite(self.gain_error),
        }

    def lines(self, style: Style) -> list[str]:
        """The table of equities, then the call."""
        call = self.call
        decimals = places(call.total)
        rake = f", rake {rounded(call.taken, decimals)} ({call.rake.text})" if call.taken else ""
        sampled = self.std_error is not None
        error = f"  +/- {error_percent(self.std_error)}" if sampled else ""
        gain_error = f"  +/- {chips_error(self.gain_error or 0.0, decimals)}" if sampled else ""
        return [
            *self.result.lines(style),
            "",
            f"call {plain(call.amount)} into {plain(call.pot)}: "
            f"{plain(call.total)} in the pot{rake}",
            f"    equity needed{percent(call.needed):>12} %",
            f"    your equity  {percent(self.equity_exact):>12} %{error}",
            f"    EV of calling{signed(self.gain_exact, decimals):>12}{gain_error}",
            ODD_CHIPS,
        ]

    def __repr__(self) -> str:
        return (
            f"<PotOdds {self.result.game}: needs {self.needed:.4%}, "
            f"has {self.equity:.4%}, gain {self.gain:.2f}>"
        )


def face(spot: Spot, call: Call, how: How) -> PotOdds:
    """Pot odds for a validated spot and call."""
    return PotOdds(call, solve(spot, how))


def pot_odds(
    players: Sequence[Cards | Range],
    game: str | Game = "plo4",
    board: Cards = "",
    dead: Cards = "",
    *,
    call: Amount,
    pot: Amount,
    rake: str | None = None,
    cap: Amount | None = None,
    ordering: str | Path | Ordering | None = None,
    how: How | None = None,
) -> PotOdds:
    """The equity that the first player needs for a call, and the equity they have.

    There is no betting after the call: all players see the showdown.

    Parameters
    ----------
    players, game, board, dead, ordering:
        As for :func:`equity.odds`; the first player is to act.
    call:
        Amount to call.
    pot:
        The pot before the call, including the bet that the player faces.
    rake, cap:
        A percentage such as ``"5%"`` of the pot after the call, and its cap.
    how:
        Options of the calculation, see :class:`equity.How`.

    Raises
    ------
    EquityError
        A subclass says which argument is wrong.

    Examples
    --------
    >>> pot_odds(["AhAsKhKs", "9c8c7d6d"], call=50, pot=150).call.needed
    Fraction(1, 4)
    """
    how = check_how(how)
    spot = read_spot_for(players, game, board, dead, how, ordering=ordering)
    return face(spot, read_call(call, pot, rake=rake, cap=cap), how)
