"""The operation ``games``: the table of games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from equity.operations.operation import Operation, Question
from equity.results.formats import Printable, Style, Title
from equity.rules.games import GAMES

__all__ = ["GAMES_TABLE"]


class GamesTable(Printable):
    """The table of games."""

    def objects(self) -> list[list[dict[str, Any]]]:
        """One list of all games."""
        return [
            [
                {
                    "name": game.name,
                    "title": game.title,
                    "hole": game.hole,
                    "low": game.low,
                    "max_players": game.max_players(),
                    "aliases": list(game.aliases),
                }
                for game in GAMES
            ]
        ]

    def records(self) -> list[dict[str, Any]]:
        """A row for each game, with its aliases as text."""
        return [row | {"aliases": " ".join(row["aliases"])} for row in self.objects()[0]]

    def lines(self, _: Style) -> Iterator[str]:
        """A line for each game."""
        yield Title(f"{'game':<8}{'':20}{'hole':>4}{'low':>5}{'players':>9}  aliases")
        for game in GAMES:
            low = "yes" if game.low else "-"
            players = f"2-{game.max_players()}"
            aliases = ", ".join(game.aliases)
            yield f"{game.name:<8}{game.title:<20}{game.hole:>4}{low:>5}{players:>9}  {aliases}"


GAMES_TABLE = Operation(
    "games",
    "The games: names, aliases, hole cards, the most players.",
    (),
    lambda: Question(lambda _: GamesTable()),
)
