"""Rows of a batch: spots before they are answered, and what became of them."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from equity.batching.columns import Column
from equity.batching.fingerprint import Inputs

if TYPE_CHECKING:
    from equity.engine.options import How
    from equity.engine.planner import Plan
    from equity.spot import Spot

__all__ = ["Answered", "Counts", "Question", "Row", "Spots", "Survey", "spots_text"]


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


class Question:
    """A spot, what is asked of it, and how it is to be answered."""

    def __init__(self, spot: Spot, how: How, view: str, asked: Any) -> None:
        self.spot = spot
        self.how = how
        #: A name of :data:`equity.batching.views.VIEWS`, and what goes with it.
        self.view = view
        self.asked = asked

    @cached_property
    def plan(self) -> Plan | None:
        """How an exact split of ranges is found; None if it has none."""
        spot, how = self.spot, self.how
        if spot.hands is not None or (how.trials is not None and not how.exact):
            return None
        from equity.engine.planner import plan_for

        # All processors do their part of a large one.
        return plan_for(spot, replace(how, threads=None))


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
    #: What in the question may have been meant in another way.
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
    def csv_style(self) -> tuple[bool, str]:
        """Whether its text has the mark of byte order, and what stands between its fields."""

    def survey(self) -> Survey:
        """Go through all rows."""

    def rows(self) -> Generator[Row, None, None]:
        """The rows from the first on."""

    def matchups(self) -> Iterable[Sequence[str]]:
        """The players of each match-up, where flops stand for others."""

    def close(self) -> None:
        """Let go of what is held open."""
