"""Answers to queries."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from equity.results.formats import finite

__all__ = ["Answer", "Bin", "Figure"]


@dataclass(frozen=True)
class Bin:
    """A value of a histogram, or a range of equities."""

    label: str
    #: Its part of the deals, and how many they are, by weight.
    share: float
    hits: int
    std_error: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """The numbers for JSON."""
        return {
            "label": self.label,
            "share": self.share,
            "hits": self.hits,
            "std_error": finite(self.std_error),
        }


@dataclass(frozen=True)
class Figure:
    """One result of a query; what does not apply is None.

    Attributes
    ----------
    name, kind, type:
        Its name, its selector, and the type of the values.
    share, hits:
        Of a count: the part of the deals, and how many they are.
    value:
        Of the others but histograms: a number, or the text of another value.
    value_exact:
        The value, or the share of a count, as a fraction; None if sampled.
    std_error:
        The standard error of the share or value of a sample; infinite if it is not known.
    of:
        Deals that had a value.
    bins:
        Of a histogram.
    """

    name: str
    kind: str
    type: str
    of: int
    share: float | None = None
    hits: int | None = None
    value: float | str | None = None
    value_exact: Fraction | None = None
    std_error: float | None = None
    bins: tuple[Bin, ...] | None = None

    def to_dict(self) -> dict[str, Any]:
        """The numbers for JSON; names stay stable, more may come."""
        return {
            "name": self.name,
            "kind": self.kind,
            "type": self.type,
            "share": self.share,
            "hits": self.hits,
            "value": self.value,
            "value_exact": None if self.value_exact is None else str(self.value_exact),
            "std_error": finite(self.std_error),
            "of": self.of,
            "bins": None if self.bins is None else [one.to_dict() for one in self.bins],
        }


@dataclass(frozen=True)
class Answer:
    """The answer to one query.

    Attributes
    ----------
    query:
        Its text.
    game, board, dead, players:
        What it asks about; players are pairs of a name and a range.
    exact, method:
        Whether every deal was counted; ``"enumerate"``, ``"sample"``, or how ``equity odds``
        found it.
    deals, all:
        Deals that pass the condition, and all of them; by weight if exact.
    seed:
        Of a sample.
    elapsed:
        Seconds that it took.
    results:
        In the order of the query.
    partial:
        Whether it was interrupted.
    left_out:
        Players who were not dealt.
    """

    query: str
    game: str
    board: str
    dead: str
    players: tuple[tuple[str, str], ...]
    exact: bool
    method: str
    deals: int
    all: int
    seed: int | None
    elapsed: float
    results: tuple[Figure, ...]
    partial: bool = False
    left_out: tuple[str, ...] = ()
    warnings: tuple[str, ...] = field(default=(), compare=False)

    @property
    def equities(self) -> tuple[float, ...]:
        """Shares and values, for the line of progress."""
        found = [one.share if one.value is None else one.value for one in self.results]
        return tuple(value for value in found if isinstance(value, float))

    def __getitem__(self, name: str) -> Figure:
        for figure in self.results:
            if figure.name.lower() == name.lower():
                return figure
        raise KeyError(name)

    def to_dict(self) -> dict[str, Any]:
        """The numbers for JSON; names stay stable, more may come."""
        return {
            "query": self.query,
            "game": self.game,
            "board": self.board,
            "dead": self.dead,
            "players": dict(self.players),
            "left_out": list(self.left_out),
            "exact": self.exact,
            "method": self.method,
            "deals": self.deals,
            "all": self.all,
            "seed": self.seed,
            "elapsed": self.elapsed,
            "partial": self.partial,
            "warnings": list(self.warnings),
            "results": [figure.to_dict() for figure in self.results],
        }
