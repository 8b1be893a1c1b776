"""``equity games``: the games, their aliases and limits."""

from __future__ import annotations

import json

import click

from equity.cli.options import format_options
from equity.rules.games import GAMES

__all__ = ["games"]


@click.command()
@format_options
def games(output: str | None) -> None:
    """List the games: names, aliases, hole cards, the most players."""
    rows = [
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
    if output == "json":
        click.echo(json.dumps(rows))
        return
    if output == "csv":
        from equity.results.report import csv_rows

        names = list(rows[0])
        table = [
            [*list(row.values())[:-1], " ".join(game.aliases)]
            for row, game in zip(rows, GAMES, strict=True)
        ]
        click.echo(csv_rows(names, table), nl=False)
        return
    click.echo(f"{'game':<8}{'':20}{'hole':>4}{'low':>5}{'players':>9}  aliases")
    for game in GAMES:
        low = "yes" if game.low else "-"
        players = f"2-{game.max_players()}"
        aliases = ", ".join(game.aliases)
        click.echo(f"{game.name:<8}{game.title:<20}{game.hole:>4}{low:>5}{players:>9}  {aliases}")
