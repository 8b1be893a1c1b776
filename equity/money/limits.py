"""The largest raise that pot limit allows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any

from equity.money.amounts import Amount, MoneyError, number, plain, read_amount, read_amounts
from equity.results.formats import Printable, Style

__all__ = ["PotLimit", "pot_limit"]


@dataclass(frozen=True)
class PotLimit(Printable):
    """The raises open to the player to act.

    All bets are totals: what a player has put in on this street.
    """

    #: The pot before this street.
    pot: Fraction
    #: Bets of the other players on this street, in turn.
    bets: tuple[Fraction, ...]
    #: What the player to act has put in on this street.
    own: Fraction

    @property
    def highest(self) -> Fraction:
        """The bet to call."""
        return max((*self.bets, self.own))

    @property
    def call(self) -> Fraction:
        """The amount to call."""
        return self.highest - self.own

    @property
    def raise_by(self) -> Fraction:
        """The largest raise beyond the call: the pot after the call."""
        return self.pot + sum(self.bets) + self.own + self.call

    @property
    def raise_to(self) -> Fraction:
        """The largest raise as a total of the street."""
        return self.highest + self.raise_by

    @property
    def min_raise_by(self) -> Fraction | None:
        """The smallest raise: the largest bet or raise so far; None if it is ambiguous.

        A player who has already bet may hide a raise before them, and two bets at the
        start may be blinds, of which the second counts as a whole.
        """
        if self.own or not self.highest:
            return None
        heights = [Fraction(0), *accumulate(self.bets, max)]
        steps = [after - before for before, after in pairwise(heights)]
        as_blinds = max(heights[:3][-1], *steps[2:], Fraction(0))
        return max(steps) if max(steps) == as_blinds else None

    @property
    def min_raise_to(self) -> Fraction | None:
        """The smallest raise as a total; None if it is ambiguous."""
        return None if self.min_raise_by is None else self.highest + self.min_raise_by

    @property
    def line(self) -> str:
        """The arithmetic on one line."""
        parts = [("pot", self.pot), ("bets", sum(self.bets, Fraction(0)))]
        parts += [("own", self.own)] if self.own else []
        parts += [("call", self.call)]
        kept = parts if self.highest else parts[:1]
        total = " + ".join(f"{name} {plain(value)}" for name, value in kept)
        most = plain(self.raise_by)
        if not self.highest:
            return f"{total}: bet {most}"
        return f"{total} = {most}: raise by {most}, to {plain(self.raise_to)}"

    def to_dict(self) -> dict[str, Any]:
        """The numbers for JSON; names stay stable, more may come."""
        least = self.min_raise_by, self.min_raise_to
        return {
            "pot": number(self.pot),
            "bets": [number(bet) for bet in self.bets],
            "in": number(self.own),
            "call": number(self.call),
            "raise_by": number(self.raise_by),
            "raise_to": number(self.raise_to),
            "min_raise_by": None if least[0] is None else number(least[0]),
            "min_raise_to": None if least[1] is None else number(least[1]),
        }

    def records(self) -> list[dict[str, Any]]:
        """A single row, with the bets as text."""
        return [self.to_dict() | {"bets": " ".join(map(plain, self.bets))}]

    def lines(self, _: Style) -> list[str]:
        """The arithmetic, and the smallest raise where it is clear."""
        if self.min_raise_by is None or self.min_raise_to is None:
            return [self.line]
        least = f"by {plain(self.min_raise_by)}, to {plain(self.min_raise_to)}"
        return [self.line, f"the smallest raise is {least}"]


def pot_limit(pot: Amount, bets: str | Iterable[Amount] = (), own: Amount = 0) -> PotLimit:
    """The largest raise in pot limit: by the pot after the call.

    Parameters
    ----------
    pot:
        The pot before this street.
    bets:
        Totals of the other players on this street, in turn, including those who have
        folded since; text with commas or numbers.
    own:
        What the player to act has put in on this street.

    Raises
    ------
    MoneyError
        An amount is invalid, the player to act has bet more than the others, or the pot
        is empty.

    Examples
    --------
    >>> pot_limit(50, [10, 10]).line
    'pot 50 + bets 20 + call 10 = 80: raise by 80, to 90'
    """
    limit = PotLimit(read_amount(pot, "pot"), read_amounts(bets, "bets"), read_amount(own, "in"))
    if limit.own > max(limit.bets, default=Fraction(0)):
        raise MoneyError(
            f"{plain(limit.own)} is more than any other bet",
            place="in",
            hint="bets are totals of the other players on this street",
        )
    if not limit.raise_by:
        raise MoneyError("it is empty", place="pot", hint="posted blinds are bets")
    return limit
