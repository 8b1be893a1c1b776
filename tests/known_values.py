"""The exact values of ``known/``, read into records; see its README for what they mean."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

__all__ = [
    "RangePlayer",
    "RangeSpot",
    "RiverPlayer",
    "RiverSpot",
    "Spot",
    "SpotPlayer",
    "ranges",
    "river",
    "spots",
]

FOLDER = Path(__file__).parent / "known"


@dataclass(frozen=True, slots=True)
class SpotPlayer:
    """Numbers of boards; shares of the pot summed over boards, in 1/120."""

    hi_win: int
    hi_tie: int
    lo_win: int
    lo_tie: int
    scoop: int
    lo_qualify: int
    pot120: int
    hi120: int
    lo120: int
    equity: Fraction


@dataclass(frozen=True, slots=True)
class Spot:
    """Hands against hands, over every completion of the board."""

    id: str
    game: str
    hands: list[str]
    board: str
    dead: str
    boards: int
    low_boards: int
    players: list[SpotPlayer]
    tags: list[str]
    source: str


@dataclass(frozen=True, slots=True)
class RiverPlayer:
    """What one complete board gives: 1 or 0, and the share of the pot in 1/120."""

    hi_win: int
    hi_tie: int
    lo_win: int
    lo_tie: int
    pot120: int


@dataclass(frozen=True, slots=True)
class RiverSpot:
    """Hands against hands on a complete board."""

    id: str
    game: str
    hands: list[str]
    board: str
    players: list[RiverPlayer]
    source: str


@dataclass(frozen=True, slots=True)
class RangePlayer:
    """Weights of deals; shares of the pot summed over weighted deals, in 1/120."""

    hi_win: int
    lo_win: int
    scoop: int
    quarter: int
    three_quarters: int
    pot120: int
    hi120: int
    lo120: int


@dataclass(frozen=True, slots=True)
class RangeSpot:
    """Ranges against ranges, over every compatible deal."""

    id: str
    game: str
    ranges: list[str]
    board: str
    dead: str
    deals: int
    weight: int
    no_low: int
    players: list[RangePlayer]
    source: str


def _rows(name: str) -> Iterator[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def _by_player(row: dict[str, str], record: type) -> Iterator[dict[str, int]]:
    """The whole numbers of a row for each player in turn, under the names of his record."""
    names = [name for name in record.__annotations__ if name != "equity"]
    for numbers in zip(*(row[name].split() for name in names), strict=True):
        yield {name: int(number) for name, number in zip(names, numbers, strict=True)}


def spots() -> Iterator[Spot]:
    """Every row of ``spots.csv``."""
    for row in _rows("spots.csv"):
        equities = [Fraction(text) for text in row["equity"].split()]
        yield Spot(
            id=row["id"],
            game=row["game"],
            hands=row["hands"].split(),
            board=row["board"],
            dead=row["dead"],
            boards=int(row["boards"]),
            low_boards=int(row["low_boards"]),
            players=[
                SpotPlayer(**numbers, equity=equity)
                for numbers, equity in zip(_by_player(row, SpotPlayer), equities, strict=True)
            ],
            tags=row["tags"].split("; "),
            source=row["source"],
        )


def river() -> Iterator[RiverSpot]:
    """Every row of ``river.csv``."""
    for row in _rows("river.csv"):
        yield RiverSpot(
            id=row["id"],
            game=row["game"],
            hands=row["hands"].split(),
            board=row["board"],
            players=[RiverPlayer(**numbers) for numbers in _by_player(row, RiverPlayer)],
            source=row["source"],
        )


def ranges() -> Iterator[RangeSpot]:
    """Every row of ``ranges.csv``."""
    for row in _rows("ranges.csv"):
        yield RangeSpot(
            id=row["id"],
            game=row["game"],
            ranges=row["ranges"].split(),
            board=row["board"],
            dead=row["dead"],
            deals=int(row["deals"]),
            weight=int(row["weight"]),
            no_low=int(row["no_low"]),
            players=[RangePlayer(**numbers) for numbers in _by_player(row, RangePlayer)],
            source=row["source"],
        )
