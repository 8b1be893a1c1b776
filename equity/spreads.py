"""How far the split of the pot in a sample may be off, from its chunks.

Chunks are drawn independently of each other, so how much they differ tells the
error of any share of their deals: of every part of the pot, of wins and of ties.
A share is a ratio, the deals that count over all deals, and its error that of a
ratio estimate.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from equity.result import POT, Tally

__all__ = ["Spread"]

#: Sums over chunks of x, n x and x * x, for a share of x of the n deals of a chunk.
Sums = tuple[int, int, int]


@dataclass(frozen=True)
class Spread:
    """Sums over chunks that the errors follow from; they add up."""

    chunks: int
    #: Sums over chunks of n and of n * n.
    deals: int
    squares: int
    #: For each player, by name of a share.
    shares: tuple[dict[str, Sums], ...]

    @classmethod
    def of(cls, tally: Tally) -> Spread:
        """The sums of one chunk."""
        deals = tally.weight
        shares = []
        for player in range(tally.players):
            counts: Counter[str] = Counter()
            for cell, number in tally.occurring(player):
                counts[str(Fraction(cell.part, POT))] += number
                for name, sharers in (("high", cell.high), ("low", cell.low)):
                    if sharers:
                        counts[f"{name}_{'win' if sharers == 1 else 'tie'}"] += number
            shares.append({name: (x, deals * x, x * x) for name, x in counts.items()})
        return cls(1, deals, deals * deals, tuple(shares))

    def __add__(self, other: Spread) -> Spread:
        shares = tuple(
            {
                name: (a + d, b + e, c + f)
                for name in mine | theirs
                for (a, b, c), (d, e, f) in [
                    (mine.get(name, (0, 0, 0)), theirs.get(name, (0, 0, 0)))
                ]
            }
            for mine, theirs in zip(self.shares, other.shares, strict=True)
        )
        return Spread(
            self.chunks + other.chunks,
            self.deals + other.deals,
            self.squares + other.squares,
            shares,
        )

    def errors(self, player: int) -> dict[str, float | None]:
        """The standard errors of a player's shares; None with a single chunk."""
        return {name: self._error(sums) for name, sums in self.shares[player].items()}

    def _error(self, sums: Sums) -> float | None:
        if self.chunks < 2 or not self.deals:
            return None
        x, nx, xx = sums
        ratio = Fraction(x, self.deals)
        spread = xx - 2 * ratio * nx + ratio * ratio * self.squares
        variance = spread * self.chunks / (self.chunks - 1) / self.deals**2
        return sqrt(variance)
