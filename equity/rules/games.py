"""The games, as records.

A game differs from another in two facts only: how many hole cards are dealt,
and whether half of the pot goes to a low of eight or better.  High hands rank alike in
all: the kernel for known hands relies on a full house beating a flush.
"""

from __future__ import annotations

from dataclasses import dataclass

from equity.common.arguments import shown
from equity.errors import GameError
from equity.rules.cards import DECK_SIZE

__all__ = ["BOARD_SIZE", "FLOP_SIZE", "GAMES", "Game", "find_game", "known_game"]

BOARD_SIZE = 5
#: Board cards that make a hand.
FLOP_SIZE = 3


@dataclass(frozen=True)
class Game:
    """One game of the Omaha family."""

    #: Its name.
    name: str
    #: Its name in words.
    title: str
    #: Hole cards of a hand.
    hole: int
    #: Whether the best low, eight or better, takes half of the pot.
    low: bool
    #: Other names.
    aliases: tuple[str, ...] = ()

    def max_players(self, dead: int = 0) -> int:
        """How many hands the deck allows beside a board and ``dead`` cards."""
        return (DECK_SIZE - BOARD_SIZE - dead) // self.hole


GAMES = (
    Game("plo4", "Omaha high", 4, False, ("plo", "omaha", "omahahi", "plohi", "4cardplo")),
    Game(
        "o8",
        "Omaha hi/lo",
        4,
        True,
        ("plo8", "omaha8", "omahahilo", "plohilo", "plo4-8", "hilo", "o8b", "omahaeightorbetter"),
    ),
    Game(
        "plo5",
        "5-card Omaha high",
        5,
        False,
        ("omaha5", "omahahi5", "courchevel", "5cardplo", "5cardomaha", "plo5hi", "fivecardplo"),
    ),
    Game(
        "bigo",
        "5-card Omaha hi/lo",
        5,
        True,
        (
            "plo5-8",
            "omaha85",
            "courchevel8",
            "courchevelhilo",
            "o85",
            "plo5hilo",
            "5cardplo8",
            "5cardomahahilo",
        ),
    ),
    Game(
        "plo6",
        "6-card Omaha high",
        6,
        False,
        ("omaha6", "omahahi6", "6cardplo", "6cardomaha", "plo6hi", "sixcardplo"),
    ),
    Game(
        "plo6-8",
        "6-card Omaha hi/lo",
        6,
        True,
        ("bigeasy", "omaha86", "o86", "plo6hilo", "6cardplo8", "6cardomahahilo"),
    ),
)

# Between the letters of a name anybody writes what they like: PLO 8, plo-5, O/8.
_BETWEEN = str.maketrans("", "", " \t-_/.")


def _plain(name: str) -> str:
    """A name in lower case, without spaces, hyphens, slashes and the like."""
    return name.lower().translate(_BETWEEN)


_BY_NAME = {_plain(name): game for game in GAMES for name in (game.name, *game.aliases)}


def known_game(name: str) -> Game | None:
    """The game of a name or alias as :func:`find_game` reads it; None if none is called so."""
    return _BY_NAME.get(_plain(name.strip()))


def find_game(game: str | Game) -> Game:
    """The game of a name or alias; a :class:`Game` is itself.

    Case, spaces, hyphens, slashes, underscores and points do not matter: ``"PLO 8"``.

    Raises
    ------
    GameError
        No game is called so.
    """
    if isinstance(game, Game):
        return game
    if isinstance(game, str):
        # Names are mostly written as they are listed.
        found = _BY_NAME.get(game) or known_game(game)
        if found:
            return found
    known = ", ".join(entry.name for entry in GAMES)
    if isinstance(game, str) and (close := _closest(game)):
        known += f"; did you mean {close}?"
    raise GameError(f"{shown(game)} is not a known game", place="game", hint=f"known are {known}")


def _closest(name: str) -> str:
    """The name of the game that a misspelled one is closest to; nothing if none is close."""
    from difflib import get_close_matches

    close = get_close_matches(_plain(name), _BY_NAME, n=1, cutoff=0.75)
    return _BY_NAME[close[0]].name if close else ""
