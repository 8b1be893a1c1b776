"""What a view of a batch is: what it computes for a spot, and its columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from equity.batching.columns import OPTIONS, Column

if TYPE_CHECKING:
    from equity.batching.rows import Question
    from equity.spot import Spot

__all__ = ["Line", "View", "columns_of"]


class Line(NamedTuple):
    """A row of an answer, not laid out yet."""

    spot: Mapping[str, Any]
    #: The hand or range of each player, and the columns of that player.
    players: Sequence[tuple[str | None, Mapping[str, Any]]]


def _anything(_: Question) -> None:
    """Accept any question."""


def _nothing(_: Mapping[str, Any], __: Spot) -> None:
    """The view has no input of its own."""


class View(NamedTuple):
    """A view: what is computed for a spot."""

    #: Columns of the spot, and of each player, after the hand or range.
    spot: tuple[Column, ...]
    player: tuple[Column, ...]
    find: Callable[[Question], Any]
    lines: Callable[[Any], Iterable[Line]]
    #: Raises an error for an invalid question, before anything is computed.
    check: Callable[[Question], None] = _anything
    #: Options it takes.
    options: tuple[str, ...] = OPTIONS
    #: Columns that ask for it without naming it in a column ``view``; others that belong to
    #: them; and the function that parses them all.
    asked_by: tuple[str, ...] = ()
    goes_with: tuple[str, ...] = ()
    read: Callable[[Mapping[str, Any], Spot], Any] = _nothing
    #: Views that rows ask for together if they ask for it.
    joins: tuple[str, ...] = ()
    has_picture: bool = False
    #: Arguments of :func:`~equity.engine.options.read_spot_for` for its spots.
    reading: Mapping[str, Any] = {}
    #: Whether the work of a large spot can be shared among processes.
    is_shared: bool = False

    @property
    def takes(self) -> tuple[str, ...]:
        """All columns that belong to it, first those that ask for it."""
        return (*self.asked_by, *self.goes_with)


def columns_of(text: str) -> tuple[Column, ...]:
    """Columns of a text such as ``"game:text equity"``; the kind is ``number`` if not given."""
    pairs = (word.partition(":") for word in text.split())
    return tuple(Column(name, kind or "number") for name, _, kind in pairs)
