"""Hands of PokerStars, and of rooms and converters that write the same text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from equity.histories.hand import Hand
from equity.histories.source import Source
from equity.histories.text import Room, text_hands

__all__ = ["ROOM", "hands"]

#: Every room but GGPoker, whose hands begin with ``Poker Hand``.
ROOM = Room(re.compile(r"(?!Poker$).+"))


def hands(source: Source) -> Iterator[Hand]:
    """Yield the hands of a file."""
    return text_hands(source, ROOM)
