"""The first line of a hand as text: its room, number, game, and stakes."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from equity.errors import GameError
from equity.histories.units import COARSE
from equity.rules.games import Game, find_game

__all__ = ["START", "Stakes", "game_of", "stakes_of", "title_of"]

#: The first line of a hand: of which room, its number, and the rest.
START = re.compile(r"[\ufeff\s]*(\w[\w .&'-]{0,40}?) (?:Hand|Game) #\s?(\w[\w-]*)\s?:\s*(.*)$")

_LIMIT = (
    r"(?:Pot Limit Pre-Flop, No Limit Post-Flop|Pot Limit|No Limit|Fixed Limit|Limit"
    r"|\(NL postflop\)|PL\b|NL\b|FL\b)"
)
#: Games as rooms call them; those that are no Omaha are skipped by name.
_GAME = re.compile(
    r"((?:\b[456][ -]?Card )?\b(?:Omaha|Courchevel)\b(?: ?(?:Hi[/-]?Lo|H/L)\b)?"
    r"|\bPLO(?:[ -]?\d)?(?:[ -]8)?\b(?: ?(?:Hi[/-]?Lo|H/L)\b)?"
    r"|\b(?:6\+ |Short Deck )?Hold'?em\b|\bShort ?Deck\b"
    r"|\b[57] Card Stud(?: Hi/Lo)?|\bRazz\b|\b5 Card Draw\b|\b(?:Triple|Single) Draw [\w -]+?\b"
    r"|\bBad(?:ugi|acey|eucey)\b)"
    rf"(?: ({_LIMIT}))?",
    re.IGNORECASE,
)
_STAKES = re.compile(r"([^\d\s(/,.]{0,4})(\d[\d.,]*) ?/ ?[^\d\s(/,.]{0,4}(\d[\d.,]*)")


#: Signs of currencies, and their codes.
_CODES = {"$": "USD", "US$": "USD", "\u20ac": "EUR", "\u00a3": "GBP", "C$": "CAD", "CA$": "CAD"}
_CODE = re.compile(r"\d (?:- .*?)?([A-Z]{3})\b")


class Stakes(NamedTuple):
    """What a hand is played for."""

    #: The code of the currency, or its sign if that is all; empty for chips.
    currency: str
    #: The big blind as printed; empty if it is not.
    big_blind: str
    #: In how many parts of one its amounts are, as far as the stakes tell.
    unit: int


@lru_cache(maxsize=256)
def game_of(title: str) -> Game | None:
    """The game of a name; None for one that is no Omaha."""
    try:
        return find_game(re.sub(r"H/L", "Hi/Lo", title))
    except GameError:
        return None


@lru_cache(maxsize=512)
def title_of(text: str) -> str:
    """The game that the first line of a hand names: one with its limit, else any."""
    before = text.split(" - Level", maxsplit=1)[0]
    found = list(_GAME.finditer(before))
    named = [match for match in found if match[2]] or found
    return named[-1][1] if named else re.split(r" \(| - ", before)[0]


def stakes_of(text: str) -> Stakes:
    """The stakes that the first line of a hand tells."""
    if "ournament" in text:
        text = text[text.rfind("Level") :]
    match = _STAKES.search(text)
    if match is None:
        return Stakes("", "", 1)
    sign, small, big = match.groups()
    big = big.rstrip(".,")
    code = _CODE.match(text, match.end() - 1) if sign else None
    currency = code[1] if code else _CODES.get(sign, sign)
    return Stakes(currency, big, COARSE if sign or "." in small + big else 1)
