"""The figures of one player that follow from a tally of deals."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from equity.results.tally import POT, Cell, Tally

__all__ = ["PlayerResult", "Share"]


@dataclass(unsafe_hash=True)
class Share:
    """What a player wins with their high hands, or with their low hands."""

    #: In units of 1 / POT of one pot.
    won: int = field(repr=False)
    #: Deals on which the player wins it alone.
    win_count: int
    #: Deals on which the player shares it.
    tie_count: int
    weight: int = field(repr=False)

    @property
    def equity_exact(self) -> Fraction:
        """Share of all pots won with it."""
        return Fraction(self.won, POT * self.weight)

    @property
    def equity(self) -> float:
        """Share of all pots won with it."""
        # Integers of any size are divided to the nearest float, as a fraction is.
        return self.won / (POT * self.weight)

    @property
    def win(self) -> float:
        """Fraction of the deals on which the player wins it alone."""
        return self.win_count / self.weight

    @property
    def tie(self) -> float:
        """Fraction of the deals on which the player shares it."""
        return self.tie_count / self.weight

    def to_dict(self) -> dict[str, Any]:
        """The numbers for JSON."""
        names = ("equity", "win", "tie", "win_count", "tie_count")
        return {name: getattr(self, name) for name in names}


@dataclass(unsafe_hash=True)
class PlayerResult:
    """The equity of one player, and how it is made up."""

    #: The hand or range in canonical notation.
    range: str
    tally: Tally = field(repr=False)
    player: int = field(repr=False)
    #: Whether the game has a low.
    has_low: bool = field(repr=False)
    #: Combos of the range.
    combos: int = 1
    #: Live combos, which no known card blocks.
    live: int = 1
    #: Standard errors of the shares of a sample, by name; None if exact.  A value of None
    #: is an unknown error: too few draws have deals, or all of them agree.
    std_error: dict[str, float | None] | None = None
    #: Standard errors by part of the pot, ``"3/4"``, with ``other`` for all that are not
    #: quarters, and of ``high_win``, ``high_tie``, ``low_win`` and ``low_tie``.
    split_error: dict[str, float | None] | None = None
    #: Names and versions of the hand rankings that percentages of the range refer to.
    orderings: tuple[str, ...] = ()

    @cached_property
    def _occurring(self) -> list[tuple[Cell, int]]:
        """The cells that have deals, and how many."""
        return self.tally.occurring(self.player)

    @cached_property
    def outcomes_exact(self) -> dict[Fraction, int]:
        """Deals by the part of the pot won, the largest first."""
        outcomes: dict[int, int] = {}
        for cell, deals in self._occurring:
            outcomes[cell.part] = outcomes.get(cell.part, 0) + deals
        return {Fraction(part, POT): outcomes[part] for part in sorted(outcomes, reverse=True)}

    @property
    def outcomes(self) -> dict[str, int]:
        """Deals by the part of the pot won: ``{"1": n, "3/4": n, ..., "0": n}``."""
        return {str(part): deals for part, deals in self.outcomes_exact.items()}

    @property
    def equity_exact(self) -> Fraction:
        """Share of all pots won."""
        return Fraction(self.tally.won(self.player), POT * self.tally.weight)

    @property
    def equity_text(self) -> str:
        """The exact equity as text, ``"3/4"``; five times as fast as by a fraction."""
        won, whole = self.tally.won(self.player), POT * self.tally.weight
        common = math.gcd(won, whole)
        return f"{won // common}/{whole // common}" if common < whole else str(won // whole)

    @property
    def equity(self) -> float:
        """Share of all pots won."""
        return self.tally.won(self.player) / (POT * self.tally.weight)

    @property
    def equity_error(self) -> float | None:
        """Standard error of the equity: None if exact, infinite if unknown."""
        if self.std_error is None:
            return None
        error = self.std_error["equity"]
        return math.inf if error is None else error

    @property
    def scoop(self) -> float:
        """Fraction of the deals on which the player wins the whole pot alone."""
        scoops = [deals for cell, deals in self._occurring if cell.part == POT]
        return sum(scoops) / self.tally.weight

    @property
    def high(self) -> Share:
        """What the player wins with high hands: the whole pot where nobody has a low."""
        return self._share([(cell.high, cell.high_part, deals) for cell, deals in self._occurring])

    @property
    def low(self) -> Share | None:
        """What the player wins with low hands; None in a game without a low."""
        if not self.has_low:
            return None
        return self._share([(cell.low, cell.low_part, deals) for cell, deals in self._occurring])

    def _share(self, results: list[tuple[int | None, int, int]]) -> Share:
        """A share from tuples (sharers, part of the pot, deals)."""
        won = alone = shared = 0
        for sharers, part, deals in results:
            won += part * deals
            if sharers == 1:
                alone += deals
            elif sharers:
                shared += deals
        return Share(won, alone, shared, self.tally.weight)

    def to_dict(self) -> dict[str, Any]:
        """The numbers for JSON; names stay stable, more may come."""
        return {
            "range": self.range,
            "combos": self.combos,
            "live": self.live,
            "equity": self.equity,
            "equity_exact": None if self.std_error else self.equity_text,
            "scoop": self.scoop,
            "high": self.high.to_dict(),
            "low": self.low.to_dict() if self.low else None,
            "outcomes": self.outcomes,
            "std_error": self.std_error,
            "split_error": self.split_error,
            "orderings": list(self.orderings),
        }
