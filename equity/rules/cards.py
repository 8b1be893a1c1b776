"""Cards as small integers, and their text.

A card is ``rank * 4 + suit``: ranks 2 to A are 0 to 12, suits c d h s are 0 to
3, so 0 is 2c and 51 is As (the numbers that phevaluator and pokerkit use too).
"""

from __future__ import annotations

import operator
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import cast

from equity.common.arguments import shown
from equity.errors import CardError, DuplicateCardError

__all__ = [
    "CARD_OF",
    "DECK_SIZE",
    "NAMES",
    "RANKS",
    "SUITS",
    "Cards",
    "ascii_text",
    "check_distinct",
    "describe_character",
    "format_cards",
    "format_hand",
    "parse_cards",
    "read_cards",
]

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK_SIZE = 52

#: What a public function takes where it wants cards: text, card ids, or texts of cards.
Cards = str | Iterable[int] | Iterable[str]

#: The text of each card, by id.
NAMES = tuple(rank + suit for rank in RANKS for suit in SUITS)

_RANK_OF = {name: value for value, name in enumerate(RANKS)}
_RANK_OF |= {name.lower(): value for name, value in _RANK_OF.items()}
_SUIT_OF = {name: value for value, name in enumerate(SUITS)}
_SUIT_OF |= {name.upper(): value for name, value in _SUIT_OF.items()}
# The suit symbols, filled and outlined.
_SUIT_OF |= dict(zip("♣♦♥♠♧♢♡♤", [0, 1, 2, 3] * 2, strict=True))
#: The id of each card by its text, as it is mostly written: two characters, in any case.
CARD_OF = {
    rank + suit: value * 4 + number
    for rank, value in _RANK_OF.items()
    for suit, number in _SUIT_OF.items()
}
# The variation selectors that phones put behind a symbol: text and emoji form.
_VARIATION_MARKS = "\ufe0e\ufe0f"
#: A text for a message: ASCII, quoted, the start of a long one.
ascii_text = shown
# Letters of other alphabets that are drawn like one of ours.
_LOOK_ALIKES = dict(
    zip(
        "АВЕКМНОРСТХасеһѕԁјЈΑΒΕΚΤκτ",
        "ABEKMHOPCTXacehsdjJABEKTkt",
        strict=True,
    )
)


def parse_cards(cards: Cards, place: str = "", *, commas: bool = False) -> tuple[int, ...]:
    """The card ids of a text or of numbers, in the order given.

    Parameters
    ----------
    cards:
        Text such as ``"AhKs"``, ``"10c 9d"``, ``"A♥-K♠"`` in any case; or an
        iterable of card ids from 0 to 51, or of such texts.  ``""`` and ``"-"``
        are no cards.
    place:
        What the cards are, for the message of an error (``"hand 1"``).
    commas:
        Whether commas may separate cards, as on a board; between the cards of a
        hand they are an error, because a comma joins ranges.

    Raises
    ------
    CardError
        Something in ``cards`` is no card.
    """
    if isinstance(cards, str):
        try:
            return _parse_plain(cards)
        except KeyError:
            pass  # It is written in another way, or wrong.
        found, wrong = _scan(cards, " -," if commas else " -")
        if wrong is not None:
            raise _not_a_card(cards, *wrong, place)
        return found
    try:
        given = tuple(cards)
        if given and all(isinstance(card, str) for card in given):
            texts = cast("tuple[str, ...]", given)
            return tuple(chain.from_iterable(parse_cards(text, place) for text in texts))
        ids = tuple(map(operator.index, cast("tuple[int, ...]", given)))
    except TypeError:
        raise CardError(
            f"{shown(cards)} is neither text nor card ids",
            place=place,
            hint="give text such as 'AhKs' or numbers from 0 (2c) to 51 (As)",
        ) from None
    for card in ids:
        if not 0 <= card < DECK_SIZE:
            raise CardError(
                f"{shown(card)} is not a card id", place=place, hint="ids go from 0 (2c) to 51 (As)"
            )
    return ids


@lru_cache(maxsize=256)
def _parse_plain(text: str) -> tuple[int, ...]:
    """Parse a text of two characters a card; anything else is a KeyError."""
    return tuple([CARD_OF[text[at : at + 2]] for at in range(0, len(text), 2)])


def read_cards(text: str, *, commas: bool = False) -> tuple[int, ...] | None:
    """The card ids of a text as :func:`parse_cards` has them; None if it is something else."""
    try:
        return _parse_plain(text)
    except KeyError:
        pass  # It is written in another way, or is not of cards.
    found, wrong = _scan(text, " -," if commas else " -")
    return found if wrong is None else None


def _scan(text: str, between: str) -> tuple[tuple[int, ...], tuple[int, int] | None]:
    """The cards of a text, and where a token that is no card begins and goes wrong.

    ``between`` has the signs that may separate cards.
    """
    cards: list[int] = []
    at = 0
    while at < len(text):
        if text[at].isspace() or text[at] in between:
            at += 1
            continue
        start = at
        if text.startswith("10", at):
            rank, at = _RANK_OF["T"], at + 2
        elif text[at] in _RANK_OF:
            rank, at = _RANK_OF[text[at]], at + 1
        else:
            return (), (start, start)
        if at == len(text) or text[at] not in _SUIT_OF:
            return (), (start, at)
        suit, at = _SUIT_OF[text[at]], at + 1
        while at < len(text) and text[at] in _VARIATION_MARKS:
            at += 1
        cards.append(rank * 4 + suit)
    return tuple(cards), None


def _not_a_card(text: str, start: int, at: int, place: str) -> CardError:
    """Return the error for a token that begins at ``start`` and is wrong at ``at``."""
    where = f"{place}, column {start + 1}" if place else f"column {start + 1}"
    culprit = text[at : at + 1].strip()
    token = shown(text[start : max(at + 1, start + 2)].strip())
    if culprit == ",":
        together = shown(text.replace(",", " ").replace("  ", " ").strip())
        return CardError(
            "a comma between cards", place=where, hint=f"write {together}, a comma joins ranges"
        )
    if at == start:
        reason, hint = (
            f"{describe_character(culprit)} is no rank",
            "ranks are A K Q J T 9 8 7 6 5 4 3 2",
        )
    elif culprit:
        reason, hint = f"{describe_character(culprit)} is no suit", "suits are s h d c"
    else:
        reason, hint = "it has no suit", "suits are s h d c"
    return CardError(f"{token} is not a card, {reason}", place=where, hint=hint)


def describe_character(character: str) -> str:
    """A character for a message; one that is not ASCII by its code point."""
    if character.isascii():
        return shown(character)
    name = unicodedata.name(character, "unnamed")
    twin = _LOOK_ALIKES.get(character) or unicodedata.normalize("NFKC", character)
    looks = f" (looks like {twin!r})" if twin.isascii() and twin != character else ""
    return f"U+{ord(character):04X} {name}{looks}"


def format_cards(cards: Sequence[int]) -> str:
    """The text of cards in the order given, ``"9s7s6h"``."""
    return "".join([NAMES[card] for card in cards])


def format_hand(cards: Sequence[int]) -> str:
    """The normal form of a hand: ranks down, then s h d c, ``"AsAhKsKh"``."""
    return format_cards(sorted(cards, reverse=True))


def check_distinct(places: Sequence[tuple[str, Sequence[int]]]) -> None:
    """Raise :class:`DuplicateCardError` if a card stands in two places.

    ``places`` are pairs of a name (``"hand 1"``) and card ids.
    """
    every = [card for _, cards in places for card in cards]
    if len(set(every)) == len(every):
        return
    first: dict[int, tuple[str, int]] = {}
    for name, cards in places:
        for number, card in enumerate(cards, 1):
            if card not in first:
                first[card] = (name, number)
                continue
            other, other_number = first[card]
            if other == name:
                problem = f"{NAMES[card]} is in {name} twice (cards {other_number} and {number})"
            else:
                problem = f"{NAMES[card]} is both in {other} and in {name}"
            raise DuplicateCardError(problem, hint="a deck has each card once")
