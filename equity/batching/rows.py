"""Rows of a batch: spots before they are answered, and what became of them."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from typing import Any, NamedTuple, Protocol

from equity.batching.columns import Column
from equity.batching.inputs import Inputs

__all__ = ["Answered", "Counts", "Row", "Spots", "Survey", "spots_text"]


def spots_text(count: int, of: int | None = None) -> str:
    """So many spots in words.

    >>> spots_text(1), spots_text(1_200), spots_text(1, 3)
    ('1 spot', '1,200 spots', '1 of 3 spots')
    """
    number = count if of is None else of
    some = "" if of is None else f"{count:,} of "
    return f"{some}{number:,} spot{'s'[: number != 1]}"


class Row(NamedTuple):
    """One spot, as it was given."""

    #: Its place among the spots, from 0.
    number: int
    #: Where it begins in the input, from 1.
    line: int
    #: What is filled in, by meaning.
    values: dict[str, Any]
    #: Other columns, under the names that they have in the output.
    carried: dict[str, Any]
    #: Why it cannot be read.
    problem: str = ""
    #: Of flops that stand for others: how many, and the number of their match-up.
    multiplicity: int = 0
    matchup: int = 0


class Counts(NamedTuple):
    """What a row adds to the sums of its match-up."""

    matchup: int
    multiplicity: int
    #: The tally, flat; nothing if no deal is possible.
    tally: list[int]
    deals: int
    exact: bool


class Answered(NamedTuple):
    """What became of a row."""

    #: Its lines of the output, or what was found where there are none.
    output: Any
    #: Why it failed, in one line.
    problem: str = ""
    #: How many rows of the output that is.
    records: int = 1
    #: Whether it failed because of the machine, so that it may not another time.
    transient: bool = False
    counts: Counts | None = None
    #: The results of its combos as CSV, if there are any.
    combos: str = ""
    #: Its picture, and the view it was asked for, ``odds`` if it failed.
    picture: bytes = b""
    view: str = "odds"
    #: Warnings about ambiguous input.
    notice: str = ""


class Survey(NamedTuple):
    """What a first pass over all rows finds."""

    rows: int
    #: The most players of a row.
    players: int
    #: The ids and the columns that are carried through.
    carried: list[Column]
    #: Orderings that rows name.
    orderings: frozenset[str] = frozenset()
    #: The flops of each match-up, where they stand for others.
    flops: tuple[int, ...] = ()
    #: Views that rows ask for.
    views: frozenset[str] = frozenset()
    #: What people should know before anything is computed.
    notices: tuple[str, ...] = ()


class Spots(Protocol):
    """Where rows come from; they can be gone through again."""

    #: Facts that tell whether it is the same again, by name.
    identity: dict[str, Any]
    #: The files that they are read from.
    inputs: Inputs
    #: What the number of a row is that stands before its error.
    place: str

    @property
    def spelling(self) -> tuple[bool, str]:
        """Whether its text has the mark of byte order, and what stands between its fields."""

    def survey(self) -> Survey:
        """Go through all rows."""

    def rows(self) -> Generator[Row, None, None]:
        """The rows from the first on."""

    def matchups(self) -> Iterable[Sequence[str]]:
        """The players of each match-up, where flops stand for others."""

    def close(self) -> None:
        """Let go of what is held open."""
