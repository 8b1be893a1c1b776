"""The formats of hand histories."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from re import Pattern
from typing import NamedTuple

from equity.histories import ggpoker, ohh, phh, pokerstars
from equity.histories.hand import Hand
from equity.histories.source import Source
from equity.histories.text import Room
from equity.histories.titles import START

__all__ = ["FORMATS", "Format", "format_at"]


class Format(NamedTuple):
    """A format of hands."""

    name: str
    #: Whether a line is the first of a hand.
    starts: Callable[[str], bool]
    #: Yields the hands that follow one another from there.
    hands: Callable[[Source], Iterator[Hand]]


def _is_room(room: Room, line: str) -> bool:
    match = START.match(line)
    return match is not None and room.header.fullmatch(match[1]) is not None


def _matches(pattern: Pattern[str], line: str) -> bool:
    return pattern.match(line) is not None


#: Formats; the first that knows a line reads on from there.
FORMATS = (
    Format("GGPoker text", partial(_is_room, ggpoker.ROOM), ggpoker.hands),
    Format("PokerStars text", partial(_is_room, pokerstars.ROOM), pokerstars.hands),
    Format("Open Hand History", partial(_matches, ohh.START), ohh.hands),
    Format("PHH", partial(_matches, phh.START), phh.hands),
)


def format_at(line: str) -> Format | None:
    """The format of the hand that begins with a line; None if none does."""
    return next((known for known in FORMATS if known.starts(line)), None)
