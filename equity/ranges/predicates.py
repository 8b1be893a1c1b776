"""Board conditions such as ``@SET``, as a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from equity.common.arguments import shown
from equity.errors import PredicateError
from equity.ranges.facts import Facts
from equity.ranges.hand_classes import (
    is_class,
    is_class_or_better,
    is_nut_flush,
    is_nut_straight,
    is_nuts,
)
from equity.rules.games import GAMES, Game
from equity.rules.ranks import low_classes

__all__ = [
    "ALIASES",
    "PREDICATES",
    "Alias",
    "Predicate",
    "check_predicate",
    "find_predicate",
    "predicate_mask",
]

Mask = NDArray[np.bool_]
#: The hands of a texture, for the number and whether a plus is written behind the name.
Test = Callable[[Facts, int | None, bool], Mask]


@dataclass(frozen=True)
class Predicate:
    """One board condition."""

    name: str
    #: One plain sentence.
    meaning: str
    #: A hand of four cards that it holds for, and the board.
    example: str
    #: ``made``, ``nuts``, ``draw`` or ``low``.
    group: str
    test: Test
    #: What may be written behind the name: nothing, a plus, a number, both.
    forms: tuple[str, ...] = ("",)
    #: The numbers that may be written.
    least: int = 1
    most: int = 99

    @property
    def needs_low(self) -> bool:
        """Whether it makes sense in games with a low only."""
        return self.group == "low"

    @property
    def written(self) -> str:
        """How it may be written, ``"WRAP, WRAP+ or WRAP<n>+"``."""
        *others, last = [self.name + form.replace("n", "<n>") for form in self.forms]
        return f"{', '.join(others)} or {last}" if others else last


@dataclass(frozen=True)
class Alias:
    """A shorter name for a predicate."""

    name: str
    predicate: str
    meaning: str


# Tests from what textures know


def _made(name: str) -> Test:
    def test(texture: Facts, _: int | None, plus: bool) -> Mask:
        return (is_class_or_better if plus else is_class)(texture, name)

    return test


def _array(array: Callable[[Facts], NDArray[np.generic]]) -> Test:
    """Hands for which an array of the texture is true, or not 0."""
    return lambda texture, _, __: array(texture).astype(np.bool_)


def _outs(least: int, most: int) -> Test:
    def test(texture: Facts, number: int | None, plus: bool) -> Mask:
        outs = texture.straight_outs
        enough = outs >= (number or least)
        return enough if plus else enough & (outs <= most)

    return test


def _nut_outs(texture: Facts, number: int | None, _: bool) -> Mask:
    return texture.nut_straight_outs >= (number or 1)


def _nuts(texture: Facts, number: int | None, _: bool) -> Mask:
    return is_nuts(texture, number or 1)


def _low(texture: Facts, number: int | None, _: bool) -> Mask:
    """Lows, worst first, are sorted by their highest card; value 1 is that of the first."""
    highest = [low[0] for low in low_classes()]
    found: Mask = texture.low > highest.index(number or 8)
    return found


def _nut_low(texture: Facts, _: int | None, __: bool) -> Mask:
    best: Mask = texture.low == texture.best_low
    return best & (texture.low > 0)


_OR_BETTER = ("", "+")
_OUTS = 52


#: Made hands: name, meaning, example.  What they are is said in equity.ranges.hand_classes.
_MADE = (
    ("HIGHCARD", "not even a pair", "AsKs6d5c on QhJd2c"),
    ("PAIR", "one pair", "AsQs6d5c on QhJd2c"),
    ("UNDERPAIR", "a pocket pair below the highest card of the board", "AsTsTd5c on QhJd2c"),
    ("BOTTOMPAIR", "a pair with the lowest card of the board", "As8s6d2h on QhJd2c"),
    ("MIDPAIR", "a pair with a card between its highest and lowest", "As8sJs5c on QhJd2c"),
    ("TOPPAIR", "a pair with the highest card of the board", "AsQs6d5c on QhJd2c"),
    ("OVERPAIR", "a pocket pair above every card of the board", "KsKd6d5c on QhJd2c"),
    ("TWOPAIR", "two pair", "QsJs6d5c on QhJd2c"),
    ("TOPTWO", "two pair with the two highest ranks of the board", "QsJs6d5c on QhJd2c"),
    ("THREEOFAKIND", "three of a kind, a set or trips", "JsJc6d5c on QhJd2c"),
    ("TRIPS", "three of a kind with a pair of the board", "As8sJs5c on JhJd2c"),
    ("SET", "three of a kind with a pocket pair", "JsJc6d5c on QhJd2c"),
    ("BOTTOMSET", "a set of the lowest card of the board", "Ks6d2s2h on QhJd2c"),
    ("MIDSET", "a set of a card between its highest and lowest", "JsJc6d5c on QhJd2c"),
    ("TOPSET", "a set of the highest card of the board", "QsQc6d5c on QhJd2c"),
    ("STRAIGHT", "a straight", "AsKs6d5c on QhJdTc"),
    ("FLUSH", "a flush", "AsKs6d5c on QsJs2s"),
    ("FULLHOUSE", "a full house", "2s2d6d5c on QhQd2c"),
    ("QUADS", "four of a kind", "QsQc6d5c on QhQd2c"),
    ("STRAIGHTFLUSH", "a straight flush", "AsKs6d5c on QsJsTs"),
)

#: All predicates in the order in which they are listed.
PREDICATES: tuple[Predicate, ...] = (
    *(
        Predicate(name, meaning, example, "made", _made(name), _OR_BETTER)
        for name, meaning, example in _MADE
    ),
    Predicate(
        "NUTS",
        "nothing better is possible; NUTS3: at most two better kinds of hands are",
        "KsKd6d5c on KhJd2c",
        "nuts",
        _nuts,
        ("", "n"),
        most=9999,
    ),
    Predicate(
        "NUTFLUSH",
        "a flush with the highest card of the suit that the board does not have",
        "As5s6d5c on QsJs2s",
        "nuts",
        lambda texture, _, plus: is_nut_flush(texture, plus),
        _OR_BETTER,
    ),
    Predicate(
        "NUTSTRAIGHT",
        "the best straight that is possible",
        "JsTs6d5c on 9s8d7c",
        "nuts",
        lambda texture, _, plus: is_nut_straight(texture, plus),
        _OR_BETTER,
    ),
    Predicate(
        "FLUSHDRAW",
        "two cards of a suit of which the board has two, and less than a flush",
        "Ts9s6d5c on QsJs2c",
        "draw",
        _array(lambda texture: texture.flush_draw),
    ),
    Predicate(
        "NUTFLUSHDRAW",
        "a flush draw with the highest card of the suit that the board does not have",
        "As9s6d5c on QsJs2c",
        "draw",
        _array(lambda texture: texture.nut_flush_draw),
    ),
    Predicate(
        "BACKDOORFLUSH",
        "on the flop, two cards of a suit of which it has one",
        "Ts9s6d5c on QsJh2c",
        "draw",
        _array(lambda texture: texture.backdoor_flush),
    ),
    Predicate(
        "GUTSHOT",
        "one to four cards make a better straight",
        "AsKs6d5h on QhJd2c",
        "draw",
        _outs(1, 4),
        _OR_BETTER,
    ),
    Predicate(
        "OESD",
        "five to eight cards make a better straight",
        "Ts9s6d5h on QhJd2c",
        "draw",
        _outs(5, 8),
        _OR_BETTER,
    ),
    Predicate(
        "WRAP",
        "nine cards or more make a better straight; WRAP13+: thirteen or more",
        "KsTs9d5h on QhJd2c",
        "draw",
        _outs(9, _OUTS),
        ("", "+", "n+"),
        most=_OUTS,
    ),
    Predicate(
        "NUTOUTS",
        "NUTOUTS8+: eight cards or more make the best straight possible then",
        "KsTs9d5h on QhJd2c",
        "draw",
        _nut_outs,
        ("n+",),
        most=_OUTS,
    ),
    Predicate(
        "LOW",
        "a low; LOW7, LOW6, LOW5: one with no card above a seven, six, five",
        "AsKs6d2h on 8h7d3c",
        "low",
        _low,
        ("", "n"),
        least=5,
        most=8,
    ),
    Predicate(
        "NUTLOW",
        "the best low that is possible",
        "AsKs6d2h on 8h7d3c",
        "low",
        _nut_low,
    ),
    Predicate(
        "LOWDRAW",
        "no low yet, and some next card gives one",
        "7sKsQd5h on 8h6dKc",
        "low",
        _array(lambda texture: texture.low_draw),
    ),
    Predicate(
        "NUTLOWDRAW",
        "more than half of the cards that give a low give the best possible one",
        "AsQs2d2h on 8h6dKc",
        "low",
        _array(lambda texture: texture.nut_low_draw),
    ),
    Predicate(
        "COUNTERFEIT",
        "a low that needs one rank of the hand, which can still come on the board",
        "AsKsQd2h on 8h7d3c",
        "low",
        _array(lambda texture: texture.counterfeit),
    ),
)

#: What players type, for which predicate, and what it is short for.
ALIASES: tuple[Alias, ...] = (
    Alias("TP", "TOPPAIR", "top pair"),
    Alias("OP", "OVERPAIR", "overpair"),
    Alias("STR", "STRAIGHT", "straight"),
    Alias("FL", "FLUSH", "flush"),
    Alias("FH", "FULLHOUSE", "full house"),
    Alias("BOAT", "FULLHOUSE", "another word for a full house"),
    Alias("SF", "STRAIGHTFLUSH", "straight flush"),
    Alias("FD", "FLUSHDRAW", "flush draw"),
    Alias("NFD", "NUTFLUSHDRAW", "nut flush draw"),
    Alias("BDFD", "BACKDOORFLUSH", "backdoor flush draw"),
    Alias("GS", "GUTSHOT", "gutshot"),
)

_BY_NAME = {predicate.name: predicate for predicate in PREDICATES}
_BY_NAME |= {alias.name: _BY_NAME[alias.predicate] for alias in ALIASES}


def find_predicate(name: str, game: Game | None = None) -> Predicate:
    """The predicate of a name or alias, in any case.

    Parameters
    ----------
    name:
        The name alone, without a number or a plus.
    game:
        The game in which it is to be used; None if that does not matter yet.

    Raises
    ------
    PredicateError
        There is no such predicate, or it needs a game with a low.
    """
    found = _BY_NAME.get(name.upper())
    if found is None:
        from difflib import get_close_matches

        close = get_close_matches(name.upper(), _BY_NAME, n=2)
        raise PredicateError(
            f"{shown(name)} is nothing that can be asked of a hand",
            hint=f"did you mean {' or '.join(close)}?"
            if close
            else f"known are {', '.join(predicate.name for predicate in PREDICATES)}",
        )
    if game is not None and found.needs_low and not game.low:
        lows = ", ".join(other.name for other in GAMES if other.low)
        raise PredicateError(
            f"{found.name} needs a game with a low, and {game.name} has none",
            hint=f"games with a low are {lows}",
        )
    return found


def check_predicate(predicate: Predicate, number: int | None, or_better: bool) -> None:
    """Whether a number and a plus may be written behind the name of a predicate.

    Raises
    ------
    PredicateError
        They may not.
    """
    form = ("" if number is None else "n") + ("+" if or_better else "")
    shown = predicate.name + form.replace("n", str(number))
    if form not in predicate.forms:
        raise PredicateError(f"{shown} is not understood", hint=f"write {predicate.written}")
    if number is not None and not predicate.least <= number <= predicate.most:
        raise PredicateError(
            f"{shown} is not understood",
            hint=f"the number goes from {predicate.least} to {predicate.most:,}",
        )


def predicate_mask(
    texture: Facts, predicate: Predicate, number: int | None = None, or_better: bool = False
) -> Mask:
    """Which hands a predicate holds for.

    Parameters
    ----------
    texture:
        The hands and the board.
    predicate:
        The predicate, of :func:`find_predicate`.
    number:
        The number behind its name.
    or_better:
        Whether a plus stands behind it.

    Returns
    -------
    (hands,) bool, an array of the caller's own, in the order of the hand space.
    Hands that hold a card of the board are not left out.

    Raises
    ------
    PredicateError
        The number and the plus do not go with the predicate.
    """
    check_predicate(predicate, number, or_better)
    return predicate.test(texture, number, or_better)
