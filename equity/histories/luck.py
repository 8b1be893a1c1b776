"""Winnings of a player over many hands: as they came, and with all-ins by their equity."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from equity.histories.hand import Hand

__all__ = ["Curve", "Luck"]


@dataclass
class Curve:
    """Winnings in one currency, summed up hand by hand."""

    won: list[float] = field(default_factory=lambda: [0.0])
    expected: list[float] = field(default_factory=lambda: [0.0])
    _won: Fraction = Fraction(0)
    _expected: Fraction = Fraction(0)

    def add(self, hand: Hand, at: int) -> None:
        """Add a hand of the player."""
        player = hand.players[at]
        net = Fraction(player.net, hand.unit)
        self._won += net
        self._expected += net + (hand.expected(at) - player.won) / hand.unit
        self.won.append(float(self._won))
        self.expected.append(float(self._expected))


@dataclass
class Luck:
    """The curves of a player, by currency."""

    player: str
    curves: dict[str, Curve] = field(default_factory=dict)

    def add(self, hand: Hand) -> None:
        """Add a hand; one without the player, or that is set aside, changes nothing."""
        if hand.problem:
            return
        for at, player in enumerate(hand.players):
            if player.name == self.player and player.put_in:
                self.curves.setdefault(hand.currency, Curve()).add(hand, at)
