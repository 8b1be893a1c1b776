"""The rows of a batch: as given, as questions, and as answered."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from equity.batching.columns import Column
from equity.batching.fingerprint import Inputs

if TYPE_CHECKING:
    from equity.engine.options import How
    from equity.engine.planner import Plan
    from equity.spot import Spot

__all__ = ["Answered", "Question", "Row", "Spots", "Survey", "invalid", "spots_text"]


def spots_text(count: int, of: int | None = None) -> str:
    """A number of spots in words.

    >>> spots_text(1), spots_text(1_200), spots_text(1, 3)
    ('1 spot', '1,200 spots', '1 of 3 spots')
    """
    number = count if of is None else of
    some = "" if of is None else f"{count:,} of "
    return f"{some}{number:,} spot{'s'[: number != 1]}"


class Row(NamedTuple):
    """One spot, as given."""

    #: Its index among the spots, from 0.
    number: int
    #: Its first line in the input, from 1.
    line: int
    #: The known columns that are filled in.
    values: dict[str, Any]
    #: The columns that are carried through.
    carried: dict[str, Any]
    #: Why it cannot be read; empty if it can.
    problem: str = ""
    #: For a canonical flop: the size of its orbit, and the number of the match-up.
    multiplicity: int = 0
    matchup: int = 0


def invalid(line: int, problem: str) -> Row:
    """A row that cannot be read; its number is not set."""
    return Row(0, line, {}, {}, problem)


class Question:
    """A spot, the view that is asked for, and the options."""

    def __init__(self, spot: Spot, how: How, view: str, asked: Any) -> None:
        self.spot = spot
        self.how = how
        #: A name of :data:`equity.batching.views.VIEWS`, and its own input, such as stacks.
        self.view = view
        self.asked = asked

    @cached_property
    def plan(self) -> Plan:
        """The plan that answers a spot of ranges."""
        from equity.engine.planner import plan_for

        # All processors share a large spot.
        return plan_for(self.spot, replace(self.how, threads=None))


class Answered(NamedTuple):
    """The answer to a row, or its error."""

    #: Its lines for the output; the result itself if the job has no format.
    output: Any
    #: Why it failed, in one line; empty if it did not.
    problem: str = ""
    #: The number of rows it has in the output.
    records: int = 1
    #: Whether the failure is due to the machine, so that a retry may succeed.
    transient: bool = False
    #: For a canonical flop, its contribution to the sums of its match-up.
    sums: dict[str, Any] | None = None
    #: The results of its combos as CSV, if any.
    combos: bytes = b""
    #: Its picture, and its view, ``odds`` if it failed.
    picture: bytes = b""
    view: str = "odds"
    #: Warnings about ambiguous input.
    notice: str = ""


class Survey(NamedTuple):
    """The findings of a first pass over all rows."""

    rows: int
    #: The largest number of players in a row.
    players: int
    #: The column of ids, and those that are carried through.
    carried: list[Column]
    #: The orderings that rows name.
    orderings: frozenset[str] = frozenset()
    #: The number of flops of each match-up, before suit isomorphism.
    flops: tuple[int, ...] = ()
    #: The views that rows ask for.
    views: frozenset[str] = frozenset()
    #: Notices for the user, before anything is computed.
    notices: tuple[str, ...] = ()


class Spots:
    """A source of rows, which can be read several times."""

    #: The word before the line number of an error.
    place = "spot"
    #: Whether the source has a byte-order mark, and its delimiter.
    csv_style = (False, ",")
    #: Facts that identify the source, for the fingerprint of the run.
    identity: dict[str, Any]

    def __init__(self) -> None:
        #: The files that it reads.
        self.inputs = Inputs()

    @abstractmethod
    def survey(self) -> Survey:
        """Read all rows once."""

    @abstractmethod
    def rows(self) -> Generator[Row, None, None]:
        """Read the rows, from the first."""

    def matchups(self) -> Iterable[Sequence[str]]:
        """The players of each match-up, for totals over flops."""
        return ()

    def close(self) -> None:
        """Release open files."""
