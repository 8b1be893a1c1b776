"""``equity rank``: the place of a hand in the hand rankings."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from equity.cli.arguments import check_players
from equity.cli.options import format_options, game_option, ordering_option
from equity.errors import EquityError
from equity.rules.games import find_game

if TYPE_CHECKING:
    from equity.ranges.ranking import Rank, Standing

__all__ = ["rank"]


@click.command()
@click.argument("hands", nargs=-1, metavar="HAND...")
@game_option
@ordering_option
@format_options
def rank(hands: tuple[str, ...], game: str, ordering: str | None, output: str | None) -> None:
    """Show the place of a hand in each hand ranking.

    Suit-isomorphic hands are one class.  The percentile of a class is the share
    of all combos that rank as high or higher: a hand at 7.3 is in 8%, not in 7%.

    \b
    equity rank AsKsQhJh
    equity rank -g o8 AsAh2s3h KsKhQsQh --json
    """
    rules = find_game(game)
    if not hands:
        raise EquityError("there is none", place="hand", hint="write one, such as AsKsQhJh")

    check_players(hands, "", "", rules, least=len(hands))

    from equity.ranges.ranking import rank as stand

    places = [f"hand {number}" for number in range(1, len(hands) + 1)]
    ranks = [
        stand(hand, rules, ordering=ordering, place=place)
        for hand, place in zip(hands, places, strict=True)
    ]
    if output == "json":
        for entry in ranks:
            click.echo(json.dumps(entry.to_dict()))
    elif output == "csv":
        click.echo(_csv(ranks), nl=False)
    else:
        click.echo(f"{rules.name}  {rules.title}\n\n" + "\n\n".join(map(_table, ranks)))


def _csv(ranks: Sequence[Rank]) -> str:
    from equity.results.report import csv_rows

    rows = []
    for entry in ranks:
        whole = entry.to_dict()
        standings = whole.pop("standings")
        rows += [whole | standing for standing in standings or [{}]]
    names = list(dict.fromkeys(name for row in rows for name in row))
    return csv_rows(names, [[row.get(name) for name in names] for row in rows])


def _table(entry: Rank) -> str:
    lines = [f"{entry.hand}  class {entry.class_text}, {entry.combos} combos"]
    width = max([12, *(len(standing.ordering) for standing in entry.standings)])
    lines.append(f"    {'ordering':<{width}}{'top %':>8}{'place':>20}   score")
    for standing in entry.standings:
        place = f"{standing.place:,} of {standing.classes:,}"
        numbers = f"{standing.percentile:>8.2f}{place:>20}"
        lines.append(f"    {standing.ordering:<{width}}{numbers}   {_score(standing)}")
    return "\n".join(lines)


def _score(standing: Standing) -> str:
    if standing.score is None:
        return "-"
    if standing.score_name == "equity":
        error = f" +/- {100 * standing.std_error:.2f}" if standing.std_error else ""
        return f"{100 * standing.score:.2f} %{error} v any hand"
    return f"{standing.score:.2f} {standing.score_name}"
