"""The made hands on a board, and who wins what: the answer of ``equity evaluate``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from equity.results.formats import Printable, Style
from equity.rules.cards import format_cards, format_hand
from equity.rules.games import Game
from equity.spot import Spot

__all__ = ["Showdown", "showdown", "won_text"]


def showdown(spot: Spot) -> Showdown:
    """The made hands of a spot of known hands on a board of three to five cards."""
    return Showdown(spot, _players(spot))


@dataclass(frozen=True)
class Showdown(Printable):
    """The made hands on a board, and who wins what."""

    spot: Spot
    players: Sequence[dict[str, Any]]

    def to_dict(self) -> dict[str, Any]:
        """The object for JSON."""
        game, board = self.spot.game.name, self.spot.board_text
        return {"game": game, "board": board, "players": self.players}

    def records(self) -> Iterator[dict[str, Any]]:
        """A row for each player."""
        for player in self.players:
            row: dict[str, Any] = {"hand": player["hand"]}
            for half in ("high", "low"):
                for name in ("value", "text", "cards"):
                    row[f"{half}_{name}"] = (player[half] or {}).get(name)
            yield row | {name: player[name] for name in ("part", "high_part", "low_part")}

    def lines(self, _: Style) -> Iterator[str]:
        """A player's hand and what it wins, then the high and the low."""
        game = self.spot.game
        yield f"{f'{game.name}  {game.title}':<32}board: {self.spot.board_text}"
        for number, player in enumerate(self.players, 1):
            show = f"   {won_text(player, game)}" if len(self.players) > 1 else ""
            yield f"{number:>2}  {player['hand']}{show}"
            for half in ("high", "low"):
                if player[half] is None:
                    continue
                cards = player[half]["cards"]
                text = f"      {half + ':':<5} {player[half]['text']:<38}"
                yield (text + (f"{cards[:4]} + {cards[4:]}" if cards else "")).rstrip()


def won_text(player: dict[str, Any], game: Game) -> str:
    """What a player of a showdown wins, in words."""
    if player["part"] == "0":
        return "wins nothing"
    if player["part"] == "1":
        return "wins the pot"
    halves = f" (high {player['high_part']}, low {player['low_part']})" if game.low else ""
    return f"wins {player['part']} of the pot{halves}"


def _players(spot: Spot) -> list[dict[str, Any]]:
    from equity.engine.showdown import high_text, low_text, made_hand, sharers
    from equity.results.tally import POT, part_of_pot
    from equity.rules.ranks import high_value, low_value

    hands = spot.hands or ()
    made = [made_hand(hand, spot.board, spot.game.low) for hand in hands]
    players = []
    for hand, hole, (high, low) in zip(made, hands, sharers(made), strict=True):
        high_part, low_part = part_of_pot(high, low)
        players.append(
            {
                "hand": format_hand(hole),
                "high": {
                    "value": high_value(hand.high),
                    "text": high_text(hand.high),
                    "cards": format_cards(hand.high_cards),
                },
                "low": {
                    "value": low_value(hand.low),
                    "text": low_text(hand.low),
                    "cards": format_cards(hand.low_cards),
                }
                if spot.game.low
                else None,
                "part": str(Fraction(high_part + low_part, POT)),
                "high_part": str(Fraction(high_part, POT)),
                "low_part": str(Fraction(low_part, POT)),
            }
        )
    return players
