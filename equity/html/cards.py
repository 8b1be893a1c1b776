"""Cards, hands and ranges as HTML, in the four colours of suits."""

from __future__ import annotations

import re

from equity.html.tags import Markup, el, join

__all__ = ["SUITS", "cards", "hand_or_range", "numbered"]

#: The sign and the name of each suit.
SUITS = {
    "s": ("\N{BLACK SPADE SUIT}", "spades"),
    "h": ("\N{BLACK HEART SUIT}", "hearts"),
    "d": ("\N{BLACK DIAMOND SUIT}", "diamonds"),
    "c": ("\N{BLACK CLUB SUIT}", "clubs"),
}
_CARD = re.compile(r"[2-9TJQKA][shdc]")
_CARDS = re.compile(r"(?:[2-9TJQKA][shdc])+")


def cards(text: str) -> Markup:
    """The cards of a text such as ``"AhKs"``; other text is shown as it is."""
    if not _CARDS.fullmatch(text):
        return join([text])
    return el("span", [_card(card) for card in _CARD.findall(text)], class_="cards")


def hand_or_range(text: str) -> Markup:
    """A hand as cards, a range as text."""
    return cards(text) if _CARDS.fullmatch(text) else el("code", text, class_="range")


def numbered(number: int, text: str) -> Markup:
    """A player by number, with their hand or range."""
    return el("span", el("b", str(number)), " ", hand_or_range(text), class_="player")


def _card(card: str) -> Markup:
    rank, suit = card[0], card[1]
    sign, name = SUITS[suit]
    label = f"{rank} of {name}"
    return el("span", rank, el("span", sign), class_=f"card {suit}", role="img", aria_label=label)
