"""``equity rank``: the place of a hand in the hand rankings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from equity.cli.arguments import check_players
from equity.cli.options import format_options, game_option, ordering_option, print_answer
from equity.errors import EquityError
from equity.results.formats import Printable, Style
from equity.rules.games import Game, find_game

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
    print_answer(_Ranks(rules, ranks), output)


@dataclass(frozen=True)
class _Ranks(Printable):
    """The places of several hands."""

    game: Game
    ranks: Sequence[Rank]

    def objects(self) -> list[dict[str, Any]]:
        """An object for each hand."""
        return [entry.to_dict() for entry in self.ranks]

    def records(self) -> Iterator[dict[str, Any]]:
        """A row for each hand and hand ranking."""
        for whole in self.objects():
            standings = whole.pop("standings")
            for standing in standings or [{}]:
                yield whole | standing

    def lines(self, _: Style) -> Iterator[str]:
        """The hands one after the other, a line for each hand ranking."""
        yield f"{self.game.name}  {self.game.title}"
        for entry in self.ranks:
            yield ""
            yield from _lines(entry)


def _lines(entry: Rank) -> Iterator[str]:
    yield f"{entry.hand}  class {entry.class_text}, {entry.combos} combos"
    width = max([12, *(len(standing.ordering) for standing in entry.standings)])
    yield f"    {'ordering':<{width}}{'top %':>8}{'place':>20}   score"
    for standing in entry.standings:
        place = f"{standing.place:,} of {standing.classes:,}"
        numbers = f"{standing.percentile:>8.2f}{place:>20}"
        yield f"    {standing.ordering:<{width}}{numbers}   {_score(standing)}"


def _score(standing: Standing) -> str:
    if standing.score is None:
        return "-"
    if standing.score_name == "equity":
        error = f" +/- {100 * standing.std_error:.2f}" if standing.std_error else ""
        return f"{100 * standing.score:.2f} %{error} v any hand"
    return f"{standing.score:.2f} {standing.score_name}"
