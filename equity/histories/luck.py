"""Winnings of a player over many hands: as they came, and with all-ins by their equity."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from equity.histories.hand import Hand
from equity.results.text import shorten
from equity.views.plots import PLAYERS, Picture

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
class Luck(Picture):
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

    def draw(self, figure: Any) -> None:
        """Draw the curves into a figure of matplotlib."""
        figure.set_size_inches(8, 4.5 * max(1, len(self.curves)))
        figure.suptitle(f"Winnings of {shorten(ascii(self.player)[1:-1], 40)}", fontsize=11)
        for number, (currency, curve) in enumerate(sorted(self.curves.items()), 1):
            axes = figure.add_subplot(len(self.curves), 1, number)
            for values, label, colour in (
                (curve.won, "won", PLAYERS[0]),
                (curve.expected, "all-ins by equity", PLAYERS[1]),
            ):
                axes.plot(values, color=colour, label=f"{label}  {values[-1]:+,.2f}")
            axes.axhline(0, color="#7f7f7f", linewidth=0.8)
            axes.set_xlabel("hands")
            axes.set_ylabel(currency.replace("$", "") or "chips")
            axes.grid(alpha=0.3)
            axes.legend(loc="upper left", frameon=False)
