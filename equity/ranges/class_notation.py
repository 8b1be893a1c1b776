"""Classes of hands as text: cards of one suit in brackets, as in ``(AK)(QJ)``.

A class is a set of suit-isomorphic hands.  A card outside brackets has a suit
to itself.  Files of orderings list classes so, best first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from equity.common.arguments import shown
from equity.common.files import read_file
from equity.errors import DataError, OrderingError
from equity.ranges.hands import hand_space
from equity.rules.cards import RANKS, SUITS
from equity.rules.games import Game

__all__ = ["RangeClass", "class_pattern", "class_text", "read_classes"]

#: Three times what all classes of six cards take.
MOST_BYTES = 1 << 26
_SUIT_COUNT = len(SUITS)
#: Different variables of the range language are different suits.
_VARIABLES = "wxyz"
_CLASS = re.compile(rf"(?:[{RANKS}]|\([{RANKS}]+\))+", re.IGNORECASE)
_GROUP = re.compile(rf"\(([{RANKS}]+)\)|([{RANKS}])")
#: A line is quoted up to so many characters.
_SHOWN = 40


class RangeClass(NamedTuple):
    """One suit-isomorphic class of a range."""

    #: The first hand of the class, which may itself not be in the range.
    text: str
    #: Hands of the class in the range.
    combos: int
    #: Hands of the class in the game.
    size: int
    #: The sum of the weights of those combos, times the scale of the range.
    weight: int


def class_text(cards: Sequence[int]) -> str:
    """Return the class of a hand of card ids as text.

    >>> class_text([51, 47, 42, 38])
    '(AK)(QJ)'
    """
    suits: dict[int, list[int]] = {}
    for card in sorted(cards, reverse=True):
        suits.setdefault(card % _SUIT_COUNT, []).append(card // _SUIT_COUNT)
    groups = sorted(suits.values(), key=lambda ranks: (len(ranks), ranks), reverse=True)
    return "".join(
        f"({text})" if len(ranks) > 1 else text
        for ranks in groups
        for text in ["".join(RANKS[rank] for rank in ranks)]
    )


def class_pattern(cards: Sequence[int]) -> str:
    """Return the class of a hand of card ids as the text of a range.

    >>> class_pattern([51, 47, 42, 38]), class_pattern([51, 47, 43, 39])
    ('AwKwQxJx', 'AKQJ:wwww')
    """
    ordered = sorted(cards, reverse=True)
    suits = list(dict.fromkeys(card % _SUIT_COUNT for card in ordered))
    ranks = [RANKS[card // _SUIT_COUNT] for card in ordered]
    if len(suits) == 1:
        # AwKwQwJw has the same hands, but draws a notice.
        return f"{''.join(ranks)}:{_VARIABLES[0] * len(ranks)}"
    names = (_VARIABLES[suits.index(card % _SUIT_COUNT)] for card in ordered)
    return "".join(map("".join, zip(ranks, names, strict=True)))


def read_classes(path: Path, game: Game) -> NDArray[np.int64]:
    """Read a file of classes, best first.

    A line is a class; empty lines, what follows a ``#`` and a heading before the
    first class are left out.

    Raises
    ------
    OrderingError
        A line is no class of the game or repeats one, or one is missing.
    DataError
        The file cannot be read.
    """
    place = shown(path.name)
    try:
        lines = read_file(path, MOST_BYTES).decode("utf-8-sig").splitlines()
    except OSError as error:
        raise DataError(f"{place} cannot be read ({error.strerror})", place="ordering") from None
    except ValueError:
        raise DataError(f"{place} is no text", place="ordering") from None
    hands: list[list[int]] = []
    numbers: list[int] = []
    for number, line in enumerate(lines, 1):
        text = line.partition("#")[0].strip()
        if not text or (not hands and not _CLASS.fullmatch(text)):
            continue
        hands.append(_hand(text, game, f"{place}, line {number}"))
        numbers.append(number)
    if not hands:
        raise OrderingError(
            "no line is a class of hands",
            place=place,
            hint="a class a line, cards of one suit in brackets, as in (AK)(QJ)",
        )
    types = hand_space(game.hole).types
    cards = np.array(hands, np.uint8).reshape(-1, game.hole)
    classes = types.of(hand_space(game.hole).index(cards))
    _check_complete(classes, numbers, game, place)
    return classes


def _hand(text: str, game: Game, place: str) -> list[int]:
    """A hand of the class that a line names."""
    quoted = shown(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}...")
    if not _CLASS.fullmatch(text):
        raise OrderingError(
            f"{quoted} is no class of hands",
            place=place,
            hint="cards of one suit stand in brackets, as in (AK)(QJ)",
        )
    groups = [one or other for one, other in _GROUP.findall(text.upper())]
    if sum(map(len, groups)) != game.hole:
        raise OrderingError(
            f"{quoted} has {sum(map(len, groups))} cards",
            place=place,
            hint=f"a hand in {game.name} has {game.hole}",
        )
    if len(groups) > _SUIT_COUNT:
        raise OrderingError(f"{quoted} has {len(groups)} suits", place=place, hint="there are four")
    hand = [
        RANKS.index(rank) * _SUIT_COUNT + suit
        for suit, ranks in enumerate(groups)
        for rank in ranks
    ]
    if len(set(hand)) < len(hand):
        raise OrderingError(
            f"{quoted} has a card twice", place=place, hint="a pair is of two suits, as in (AK)A"
        )
    return hand


def _check_complete(
    classes: NDArray[np.int64], numbers: Sequence[int], game: Game, place: str
) -> None:
    """Raise an error unless every class is there once."""
    space = hand_space(game.hole)
    seen = np.bincount(classes, minlength=space.types.count)
    if (seen == 1).all():
        return
    wrong = np.flatnonzero(seen != 1)[:1]
    text = class_text(space.hands(space.types.first(wrong))[0].tolist())
    if seen.max() > 1:
        twice = int(np.flatnonzero(seen > 1)[0])
        text = class_text(space.hands(space.types.first(np.array([twice])))[0].tolist())
        lines = [numbers[at] for at in np.flatnonzero(classes == twice)[:2].tolist()]
        raise OrderingError(f"{text} is on lines {lines[0]} and {lines[1]}", place=place)
    raise OrderingError(
        f"{text} is missing",
        place=place,
        hint=f"an ordering of {game.name} has all {space.types.count:,} classes, "
        f"this one {len(classes):,}",
    )
