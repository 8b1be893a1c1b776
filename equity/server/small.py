"""Which questions are small: a server answers them itself, in less than a millisecond.

The text decides, before anything is parsed: hands are small, ranges need not be.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from equity.rules.cards import read_cards
from equity.rules.games import GAMES

__all__ = ["is_small"]

#: As many players as a deck has hands for, and the most characters of a short text.
MOST_PLAYERS = max(game.max_players() for game in GAMES)
MOST_TEXT = 60
#: The most characters of arguments none of which is a range.
MOST_ARGUMENTS = 1_000
#: Fewer cards stand for the hands that hold them.
LEAST_CARDS = min(game.hole for game in GAMES)
KNOWN_HANDS = frozenset(("players", "game", "board", "dead"))


def is_small(path: str, arguments: Mapping[str, Any]) -> bool:
    """Whether a question, of an operation and with arguments of any kind, is small."""
    test = _TESTS.get(path)
    return test is not None and test(arguments)


def _has_known_hands(arguments: Mapping[str, Any]) -> bool:
    players = arguments.get("players")
    return (
        arguments.keys() <= KNOWN_HANDS
        and type(players) is list
        and len(players) <= MOST_PLAYERS
        and all(_are_cards(player, LEAST_CARDS) for player in players)
        and _are_cards(arguments.get("board", ""), 0)
        and _are_cards(arguments.get("dead", ""), 0)
        and _is_short(arguments.get("game", ""))
    )


def _are_cards(value: Any, least: int) -> bool:
    if not _is_short(value):
        return False
    cards = read_cards(value, commas=not least)
    return cards is not None and len(cards) >= least


def _is_short(value: Any) -> bool:
    return type(value) is str and len(value) <= MOST_TEXT


def _has_short_values(arguments: Mapping[str, Any]) -> bool:
    return len(repr(arguments)) <= MOST_ARGUMENTS


_TESTS: dict[str, Callable[[Mapping[str, Any]], bool]] = {
    "odds": _has_known_hands,
    "evaluate": _has_known_hands,
    "potlimit": _has_short_values,
    "games": _has_short_values,
}
