"""The ``from`` of a query: game, players, board and dead cards."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from equity.common.arguments import shown
from equity.errors import EquityError, GameError
from equity.queries.errors import QueryError, nearest
from equity.queries.functions import FUNCTIONS
from equity.queries.selectors import SELECTORS
from equity.queries.syntax import Query, Source
from equity.queries.tokens import KEYWORDS
from equity.queries.types import CONSTANTS
from equity.ranges.tree import SUIT_VARIABLES
from equity.rules.cards import RANKS
from equity.rules.games import GAMES, find_game
from equity.spot import Spot, read_spot

if TYPE_CHECKING:
    from pathlib import Path

    from equity.ranges import Ordering

__all__ = ["Setup", "read_setup"]

#: Keys that are not players, and those that a player is not called.
KEYS = ("game", "syntax", "board", "dead")
#: Games of other families that the language knows elsewhere.
OTHER_GAMES = {
    "holdem": "hold'em",
    "texas": "hold'em",
    "shortdeck": "short deck hold'em",
    "studhi": "seven-card stud",
    "stud8": "seven-card stud hi/lo",
    "studhilo": "seven-card stud hi/lo",
    "razz": "razz",
    "badugi": "badugi",
    "draw": "draw poker",
    "27": "deuce-to-seven",
    "omahahi7": "Omaha of seven cards",
}
_NUMBERED = re.compile(r"\b(?:hand|range)s? (\d+)")
_PLACE = re.compile(r"(hand|range|board|dead cards?)(?: (\d+))?(?:, column (\d+))?")


@dataclass(frozen=True)
class Setup:
    """Players by name, and the spot that they are in."""

    spot: Spot
    #: Names in lower case, in the order of the players.
    names: tuple[str, ...]
    #: Where the value of each player stands.
    places: tuple[int, ...]
    ordering: str | Path | Ordering | None = None

    def named(self, text: str) -> str:
        """A text of the engine with the names of players in place of ``ranges 1 and 2``."""

        def names(found: re.Match[str]) -> str:
            return " and ".join(self.names[int(number) - 1] for number in found[1].split(" and "))

        return re.sub(r"\b(?:hand|range)s? (\d+(?: and \d+)*)", names, text)


def read_setup(query: Query, ordering: str | Path | Ordering | None = None) -> Setup:
    """Read and validate the ``from`` of a query.

    Raises
    ------
    QueryError
        A key is there twice or cannot be one, game or players are missing, or a value is
        wrong.
    """
    by_key: dict[str, Source] = {}
    for source in query.sources:
        key = source.key.lower()
        if key in by_key:
            raise QueryError(f"the key {source.key} is there twice", query.text, source.key_at)
        by_key[key] = source
    _check_syntax(query, by_key.get("syntax"))
    if "game" not in by_key:
        close = next((key for key in by_key if nearest(key, ["game"], 0.7)), "")
        at = by_key[close].key_at if close else query.sources[0].key_at
        hint = f"{close} is read as a player" if close else "such as game='omahahi'"
        raise QueryError("game is missing in from", query.text, at, hint)
    players = [source for key, source in by_key.items() if key not in KEYS]
    for source in players:
        _check_name(query, source)
    if not players:
        at = query.sources[-1].key_at
        raise QueryError("no player in from", query.text, at, "such as hero='AhAsKhKs'")
    names = tuple(source.key.lower() for source in players)
    game = by_key["game"]
    try:
        rules = find_game(game.value)
    except GameError as error:
        raise _no_game(query, game, error) from None
    texts = {key: by_key[key].value if key in by_key else "" for key in ("board", "dead")}
    try:
        spot = read_spot(
            [source.value.strip() or "*" for source in players],
            rules,
            texts["board"],
            texts["dead"],
            min_players=1,
            ordering=ordering,
        )
    except EquityError as error:
        raise _placed(query, error, players, by_key) from None
    _check_pattern(query, spot, by_key)
    return Setup(spot, names, tuple(source.at for source in players), ordering)


def _check_syntax(query: Query, source: Source | None) -> None:
    if source is None or source.value.strip().lower() == "generic":
        return
    raise QueryError(
        f"the syntax {shown(source.value)} is not read",
        query.text,
        source.at,
        "ranges are in syntax='generic', the default",
    )


def _check_name(query: Query, source: Source) -> None:
    """Refuse a player called like something else."""
    name = source.key.lower()
    kinds = {
        "a keyword": KEYWORDS,
        "a selector": SELECTORS,
        "a function": FUNCTIONS,
        "a street or another constant": CONSTANTS,
    }
    for kind, known in kinds.items():
        if name in known:
            hint = "call the player otherwise, hero say"
            raise QueryError(f"{source.key} is {kind}", query.text, source.key_at, hint)


def _check_pattern(query: Query, spot: Spot, by_key: dict[str, Source]) -> None:
    """Refuse a suit variable that stands once among cards, ``Kh9h4x``: a slip for a card."""
    for key, pattern in (("board", spot.board_pattern), ("dead", spot.dead_pattern)):
        if pattern is None:
            continue
        text = by_key[key].value
        for match in re.finditer(rf"([{RANKS}])([{SUIT_VARIABLES}])", text):
            if text.count(match[2]) == 1:
                raise QueryError(
                    f"{match[0]} is no card",
                    query.text,
                    by_key[key].at + match.start(),
                    f"suits are s h d c; any {match[1]} is {match[1]}",
                )


def _no_game(query: Query, source: Source, error: GameError) -> QueryError:
    family = OTHER_GAMES.get("".join(sign for sign in source.value.lower() if sign.isalnum()))
    if family is None:
        return QueryError(error.problem, query.text, source.at, error.hint)
    names = ", ".join(game.name for game in GAMES)
    hint = f"this is the Omaha family with 4 to 6 cards: {names}"
    return QueryError(f"{source.value} is {family}", query.text, source.at, hint)


def _placed(
    query: Query, error: EquityError, players: Sequence[Source], by_key: dict[str, Source]
) -> QueryError:
    """An error of the range language with its place in the query, and players by name."""
    at = players[0].at
    match = _PLACE.match(error.place)
    numbered = _NUMBERED.findall(f"{error.place} {error.problem}")
    source = None
    if match and match[1] in ("board", "dead card", "dead cards"):
        source = by_key.get(match[1][:5].rstrip())
    elif numbered and 1 <= int(numbered[-1]) <= len(players):
        source = players[int(numbered[-1]) - 1]
    elif "board" in error.problem and "board" in by_key:
        source = by_key["board"]
    if source is not None:
        at = source.at + (int(match[3]) - 1 if match and match[3] else 0)

    def named(text: str) -> str:
        return _NUMBERED.sub(lambda found: _name(found, players), text)

    problem = named(error.problem)
    if source is not None and source.key not in problem:
        problem = f"{source.key}: {problem}"
    return QueryError(problem, query.text, at, named(error.hint))


def _name(found: re.Match[str], players: Sequence[Source]) -> str:
    number = int(found[1])
    return players[number - 1].key if 1 <= number <= len(players) else found[0]
