"""Results: equities and all other figures that follow from a tally of deals."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from equity import __version__
from equity.errors import MergeError
from equity.results.tally import MAIN_PARTS, POT, Cell, Tally, cells_of, part_of_pot
from equity.spot import Spot

if TYPE_CHECKING:
    from equity.results.combos import HandCounts

__all__ = [
    "MAIN_PARTS",
    "POT",
    "Cell",
    "PlayerResult",
    "Result",
    "Share",
    "Tally",
    "cells_of",
    "finite",
    "part_of_pot",
]


def finite(error: float | None) -> float | None:
    """A standard error for JSON, where an unknown one is null."""
    return error if error is not None and math.isfinite(error) else None


@dataclass(unsafe_hash=True)
class Share:
    """What a player wins with their high hands, or with their low hands."""

    #: In units of 1 / POT of one pot.
    won: int = field(repr=False)
    #: Deals on which the player wins it alone, and on which they share it.
    win_count: int
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
    #: Combos of the range, and live combos, which no known card blocks.
    combos: int = 1
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


class Sample(Protocol):
    """The sums of a sample, which know their standard errors and add up."""

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds of the sample."""

    @property
    def error_target(self) -> float | None:
        """Bound of the standard error of every equity; None if there is none."""

    @property
    def no_low_error(self) -> float | None:
        """Standard error of the share of deals without a low."""

    def errors(self, has_low: bool) -> list[dict[str, float | None]]:
        """Standard errors of the shares of each player, by name."""

    def split_errors(self) -> list[dict[str, float | None]]:
        """Standard errors of parts of the pot, wins and ties, for each player."""

    def __add__(self, other: Any) -> Any: ...


@dataclass(unsafe_hash=True, repr=False)
class Result:
    """Equities of the players of a spot."""

    spot: Spot
    tally: Tally
    #: Compatible deals counted or drawn, whatever their weights.
    deals: int
    #: Seconds that it took.
    elapsed: float
    #: ``"enumerate"``, ``"sweep"``, ``"pairs"`` or ``"sample"``.
    method: str = "enumerate"
    #: Whether it was interrupted.
    partial: bool = False
    #: The sums of a sample; None if exact.
    sample: Sample | None = None
    #: Results of every combo of each of two ranges, if asked for.
    hands: tuple[HandCounts, HandCounts] | None = None

    @property
    def version(self) -> str:
        """Version of the package that made the result."""
        return __version__

    @property
    def game(self) -> str:
        """Name of the game."""
        return self.spot.game.name

    @property
    def board(self) -> str:
        """The known board."""
        return self.spot.board_text

    @property
    def dead(self) -> str:
        """The dead cards."""
        return self.spot.dead_text

    @property
    def exact(self) -> bool:
        """Whether every deal was counted."""
        return self.sample is None and not self.partial

    @property
    def seed(self) -> int | None:
        """The seed of a sample."""
        return self.sample.seeds[0] if self.sample else None

    @property
    def warnings(self) -> list[str]:
        """Warnings about ambiguous input; empty for most questions."""
        return self.spot.warnings

    @property
    def weight(self) -> int:
        """Sum of the weights of the deals."""
        return self.tally.weight

    @property
    def no_low(self) -> int | None:
        """Deals without a low, by weight; None in a game without a low."""
        return self.tally.no_low if self.spot.game.low else None

    @property
    def no_low_error(self) -> float | None:
        """Standard error of ``no_low`` as a share of the deals; None if exact."""
        return self.sample.no_low_error if self.sample and self.spot.game.low else None

    @property
    def error_target(self) -> float | None:
        """Bound of the standard error of every equity, if a sample stopped at it.

        Other figures have errors of their own, which may be larger.
        """
        return self.sample.error_target if self.sample else None

    @cached_property
    def players(self) -> tuple[PlayerResult, ...]:
        """The result of each player, in the order given."""
        spot, has_low = self.spot, self.spot.game.low
        none: list[None] = [None] * len(spot.players)
        errors = self.sample.errors(has_low) if self.sample else none
        splits = self.sample.split_errors() if self.sample else none
        facts = zip(
            spot.texts, spot.combos, spot.live_combos, errors, splits, spot.orderings, strict=True
        )
        return tuple(
            [
                PlayerResult(text, self.tally, at, has_low, combos, live, error, split, orderings)
                for at, (text, combos, live, error, split, orderings) in enumerate(facts)
            ]
        )

    @property
    def equities(self) -> tuple[float, ...]:
        """Share of all pots won by each player."""
        tally = self.tally
        whole = POT * tally.weight
        return tuple([tally.won(player) / whole for player in range(tally.players)])

    @property
    def equities_exact(self) -> tuple[Fraction, ...]:
        """Share of all pots won by each player, as fractions that sum to 1."""
        return tuple(player.equity_exact for player in self.players)

    def __add__(self, other: Result) -> Result:
        """Combine two samples of the same spot with different seeds."""
        if not isinstance(other, Result):
            return NotImplemented
        if self.spot != other.spot:
            raise MergeError("results of different spots cannot be added")
        if self.sample is None or other.sample is None:
            raise MergeError(
                "an exact result is complete and cannot be added to", hint="add samples"
            )
        return Result(
            self.spot,
            self.tally + other.tally,
            self.deals + other.deals,
            self.elapsed + other.elapsed,
            self.method,
            self.partial or other.partial,
            self.sample + other.sample,
        )

    def to_dict(self) -> dict[str, Any]:
        """The numbers for JSON; names stay stable, more may come."""
        return {
            "version": self.version,
            "game": self.game,
            "board": self.board,
            "dead": self.dead,
            "exact": self.exact,
            "method": self.method,
            "deals": self.deals,
            "weight": self.weight,
            "no_low": self.no_low,
            "elapsed": self.elapsed,
            "seed": self.seed,
            "partial": self.partial,
            "no_low_error": self.no_low_error,
            "error_target": self.error_target,
            "warnings": self.warnings,
            # A partial enumeration is not exact.
            "players": [
                player.to_dict() | ({"equity_exact": None} if self.partial else {})
                for player in self.players
            ],
        }

    def __repr__(self) -> str:
        hands = ", ".join(f"{player.range} {player.equity:.4%}" for player in self.players)
        board = f" on {self.board}" if self.board else ""
        how = "exact" if self.exact else "partial" if self.partial else "sampled"
        deals = "boards" if self.spot.hands else "deals"
        return f"<Result {self.game}{board}: {hands}; {how}, {self.deals:,} {deals}>"
