"""The games, as records.

A game differs from another in two facts only: how many hole cards are dealt,
and whether half of the pot goes to a low of eight or better.
"""

from __future__ import annotations

from dataclasses import dataclass

from equity.arguments import shown
from equity.cards import DECK_SIZE
from equity.errors import GameError

__all__ = ["BOARD_SIZE", "FLOP_SIZE", "GAMES", "Game", "find_game"]

BOARD_SIZE = 5
#: Board cards that make a hand.
FLOP_SIZE = 3


@dataclass(frozen=True)
class Game:
    """One game of the Omaha family."""

    name: str
    title: str
    #: Hole cards of a hand.
    hole: int
    #: Whether the best low, eight or better, takes half of the pot.
    low: bool
    aliases: tuple[str, ...] = ()

    def max_players(self, dead: int = 0) -> int:
        """How many hands the deck allows beside a board and ``dead`` cards."""
        return (DECK_SIZE - BOARD_SIZE - dead) // self.hole


GAMES = (
    Game("plo4", "Omaha high", 4, False, ("plo", "omaha", "omahahi")),
    Game("o8", "Omaha hi/lo", 4, True, ("plo8", "omaha8", "omaha-hilo")),
    Game("plo5", "5-card Omaha high", 5, False, ("omaha5", "omahahi5", "courchevel")),
    Game("bigo", "5-card Omaha hi/lo", 5, True, ("plo5-8", "omaha85", "courchevel8")),
    Game("plo6", "6-card Omaha high", 6, False, ("omaha6", "omahahi6")),
    Game("plo6-8", "6-card Omaha hi/lo", 6, True, ("bigeasy", "omaha86")),
)

_BY_NAME = {name: game for game in GAMES for name in (game.name, *game.aliases)}


def find_game(game: str | Game) -> Game:
    """The game of a name or alias, in any case; a :class:`Game` is itself.

    Raises
    ------
    GameError
        No game is called so.
    """
    if isinstance(game, Game):
        return game
    if isinstance(game, str) and (found := _BY_NAME.get(game.strip().lower())):
        return found
    known = ", ".join(entry.name for entry in GAMES)
    raise GameError(f"{shown(game)} is not a known game", place="game", hint=f"known are {known}")
