"""The settings of a batch, as workers need them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from equity.batching.columns import Column
from equity.batching.formats import FORMATS, Format

__all__ = ["MOST_ROWS", "Job"]

#: The most rows that are sent to a worker at a time.
MOST_ROWS = 512
#: The work of an exact spot is shared above this estimated cost in nanoseconds.
LARGE_COST = 5_000_000_000


@dataclass(frozen=True)
class Job:
    """The settings of a batch, as workers need them."""

    #: Values for columns that are not filled in.
    defaults: Mapping[str, Any] = field(default_factory=dict)
    columns: Sequence[Column] = ()
    #: ``wide`` or ``long``.
    layout: str = "wide"
    #: A name of :data:`equity.batching.formats.FORMATS`; if empty, answers are result objects.
    format: str = ""
    #: Decimals to round to; None keeps all.
    digits: int | None = None
    #: The most players that a row may have.
    players: int | None = None
    by_combo: bool = False
    #: The ending of pictures; empty if none are drawn.
    plots: str = ""
    #: New names of columns that are carried through.
    carried: Mapping[str, str] = field(default_factory=dict)
    #: Whether to check rows without answering them; whether they are failed rows of a run.
    check: bool = False
    is_retry: bool = False
    #: The word before the line number of an error.
    place: str = "line"
    #: The cost in nanoseconds above which the work of a spot is shared.
    large: int = LARGE_COST

    @cached_property
    def table(self) -> Format:
        """The format with its columns."""
        return FORMATS[self.format](self.columns)
