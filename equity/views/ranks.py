"""The places of hands in the hand rankings, as they are printed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from equity.ranges.ranking import Rank, Standing
from equity.results.formats import Printable, Style, Title
from equity.rules.games import Game

__all__ = ["Ranks", "score_text"]


@dataclass(frozen=True)
class Ranks(Printable):
    """The places of several hands."""

    game: Game
    ranks: Sequence[Rank]

    def objects(self) -> list[dict[str, Any]]:
        """An object for each hand."""
        return [entry.to_dict() for entry in self.ranks]

    def records(self) -> Iterator[dict[str, Any]]:
        """A row for each hand and hand ranking."""
        for entry in self.ranks:
            yield from entry.records()

    def lines(self, _: Style) -> Iterator[str]:
        """The hands one after the other, a line for each hand ranking."""
        yield f"{self.game.name}  {self.game.title}"
        for entry in self.ranks:
            yield ""
            yield from _lines(entry)


def _lines(entry: Rank) -> Iterator[str]:
    yield f"{entry.hand}  class {entry.class_text}, {entry.combos} combos"
    width = max([12, *(len(standing.ordering) for standing in entry.standings)])
    yield Title(f"    {'ordering':<{width}}{'top %':>8}{'place':>20}   score")
    for standing in entry.standings:
        place = f"{standing.place:,} of {standing.classes:,}"
        numbers = f"{standing.percentile:>8.2f}{place:>20}"
        yield f"    {standing.ordering:<{width}}{numbers}   {score_text(standing)}"


def score_text(standing: Standing) -> str:
    """What an ordering sorts a hand by, in words."""
    if standing.score is None:
        return "-"
    if standing.score_name == "equity":
        error = f" +/- {100 * standing.std_error:.2f}" if standing.std_error else ""
        return f"{100 * standing.score:.2f} %{error} v any hand"
    return f"{standing.score:.2f} {standing.score_name}"
