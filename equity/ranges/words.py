"""Words: macros of the language, and what to write instead of words of other programs."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

__all__ = [
    "BOARD_HABITS",
    "BOARD_WORDS",
    "CONDITIONS",
    "HAND_HABITS",
    "MACROS",
    "NOT_SLOTS",
    "SHAPES",
    "SPELLED",
    "WORDS",
    "Habit",
    "find_share",
    "find_word",
]

#: Exact shapes: how the cards of a hand may be spread over the suits.
SHAPES = {
    "rb": "no suit twice, or as few as possible",
    "ms": "one suit only",
    "dsp": "exactly two suits with exactly two cards",
    "ts": "some suit with exactly three cards",
    "qs": "some suit with exactly four cards",
}

#: Macros by name in lower case, and the text that each stands for.
MACROS = {
    "ds": ":xxyy",
    "ss": ":xxyz",
    "np": "!RR",
    "op": ":RRON",
    "tp": ":RROO",
    "nt": "!RRR",
    "0g": "(AKQJ-)",
    "1g": "(AKQT-,AKJT-,AQJT-)",
    "2g": "(AKQ9-,AKT9-,AJT9-)",
    "b": "[A-J]",
    "m": "[T-7]",
    "z": "[6-2]",
    "l": "[A,2,3,4,5,6,7,8]",
    "n": "[K-9]",
    "f": "[K-J]",
    "r": "[A-T]",
    "w": "[A,2,3,4,5]",
} | {name: f":${name}" for name in SHAPES}

#: Letters that are no slot: neither ranks, suits nor variables.
NOT_SLOTS = "BEFGILMUV"

#: Names of the conditions on a hand and its board, and their short forms.  The table
#: of conditions itself imports numpy.
CONDITIONS = (
    "HIGHCARD",
    "PAIR",
    "UNDERPAIR",
    "BOTTOMPAIR",
    "MIDPAIR",
    "TOPPAIR",
    "OVERPAIR",
    "TWOPAIR",
    "TOPTWO",
    "THREEOFAKIND",
    "TRIPS",
    "SET",
    "BOTTOMSET",
    "MIDSET",
    "TOPSET",
    "STRAIGHT",
    "FLUSH",
    "FULLHOUSE",
    "QUADS",
    "STRAIGHTFLUSH",
    "NUTS",
    "NUTFLUSH",
    "NUTSTRAIGHT",
    "FLUSHDRAW",
    "NUTFLUSHDRAW",
    "BACKDOORFLUSH",
    "GUTSHOT",
    "OESD",
    "WRAP",
    "NUTOUTS",
    "LOW",
    "NUTLOW",
    "LOWDRAW",
    "NUTLOWDRAW",
    "COUNTERFEIT",
    "TP",
    "OP",
    "STR",
    "FL",
    "FH",
    "BOAT",
    "SF",
    "FD",
    "NFD",
    "BDFD",
    "GS",
    "BLOCKS",
)

#: Names that letters of slots can spell, and what they mean elsewhere.  Of two
#: letters they stay slots and bring a notice; longer ones are errors.
SPELLED = {
    **dict.fromkeys(("ANY", "ANY2", "ANY4", "ANY5", "ANY6"), "'*' for every hand"),
    "WRAP": "@WRAP for a wrap on the board",
    "STR": "@STR for a straight on the board",
    "TOPTWO": "@TOPTWO for two pair on the board",
    "TP": "@TP for top pair on the board",
    "OP": "@OP for an overpair on the board",
    "NP": "'$np' for no pair, as in '*$np'",
    "DS": "xxyy for double suited, as in AA:xxyy",
    "SS": "xxyz for single suited, as in AA:xxyz",
}


class Habit(NamedTuple):
    """An ending of other notations and what to write instead of it.

    ``{0}`` stands for the ranks before the ending.
    """

    meant: str
    literal: str


#: Endings behind the ranks of a hand.
HAND_HABITS = {
    "xx": Habit("{0} with any other cards", "{0}:xx with two cards of one suit"),
    "ds": Habit("{0}:xxyy double suited", "{0}d:s with a diamond and a spade as written"),
    "ss": Habit("{0}:xxyz single suited", "{0}s:ss with two spades as written"),
    "rb": Habit("{0}:wxyz rainbow", "'{0}$rb' for the exact shape"),
    "r": Habit("{0}:wxyz rainbow", "{0}R with a card of another rank"),
}

_TWO_TONE = Habit("{0}:xxy two-tone", "the suits as in KhTh4c")
#: Endings behind the ranks of a board.
BOARD_HABITS = {
    "xx": Habit("{0}** with any other two cards", "{0}:xx with two cards of one suit"),
    "ds": _TWO_TONE,
    "ss": _TWO_TONE,
    "tt": Habit("{0}:xxy two-tone", "TT{0} with two more tens"),
    "rb": Habit("{0}:xyz rainbow", "the suits as in KhTs4c"),
    "r": Habit("{0}:xyz rainbow", "{0}R with a card of another rank"),
    "m": Habit("{0}:xxx monotone", "the suits as in KhTh4h"),
    "mono": Habit("{0}:xxx monotone", "the suits as in KhTh4h"),
    "fd": _TWO_TONE,
}

_EVERY_HAND = "every hand is '*' or all"
_ONE_RANGE = "a range is of one player; give each player a range of their own"
_PERCENT = "no range has a name; the best 30 percent of all hands are 30%"
_JOIN = "join by ',' for either, ':' for both, '!' for the left without the right"

#: Words and their hints, in lower case.
WORDS = {
    **dict.fromkeys(("vs", "v", "versus", "against"), _ONE_RANGE),
    **dict.fromkeys(
        ("any", "random", "anything", "everything", "every", "any2", "any4", "full"),
        _EVERY_HAND,
    ),
    **dict.fromkeys(("or", "and", "not", "with", "without", "except", "plus", "minus"), _JOIN),
    **dict.fromkeys(
        (
            *("fish", "nit", "tag", "lag", "reg", "whale", "tight", "loose", "open", "raise"),
            *("call", "limp", "3bet", "4bet", "5bet", "squeeze", "cbet", "utg", "btn", "bb", "sb"),
            *("premium", "premiums", "strong", "good", "best", "range"),
        ),
        _PERCENT,
    ),
    **{
        word: f"write {text}"
        for word, text in {
            "aces": "AA",
            "kings": "KK",
            "queens": "QQ",
            "pair": "RR for any pair in the hand, @PAIR for a pair on the board",
            "pairs": "RR for any pair in the hand, @PAIR for a pair on the board",
            "paired": "RR",
            "broadway": "'$B' for a card from ace to jack, [A-T] for one from ace to ten",
            "wheel": "'$W' for a card from ace to five, '$W$W$W$W' for four of them",
            "broadways": "'$R$R$R$R' for four cards from ace to ten",
            "rundown": "'$0g' for rundowns without a gap, '$1g' and '$2g' with one",
            "rundowns": "'$0g' for rundowns without a gap, '$1g' and '$2g' with one",
            "suited": "xx for two cards of one suit, as in AK:xx",
            "offsuit": "wxyz for four suits, as in AK:wxyz",
            "doublesuited": "xxyy behind a colon, as in AA:xxyy",
            "double": "xxyy behind a colon, as in AA:xxyy",
            "singlesuited": "xxyz behind a colon, as in AA:xxyz",
            "single": "xxyz behind a colon, as in AA:xxyz",
            "rainbow": "wxyz behind a colon, as in AA:wxyz",
            "monotone": "'$ms' for a hand of one suit",
            "twotone": "xxy behind a colon, as in T98:xxy",
        }.items()
    },
}

_NO_CARDS = "leave it out, or write '-', where no cards are known"
#: Words for boards and their hints.
BOARD_WORDS = {
    **dict.fromkeys(("none", "preflop", "empty", "any", "random", "unknown"), _NO_CARDS),
    **dict.fromkeys(("flop", "flops"), "write its cards, Kh9h4c, or *** for any flop"),
    "rainbow": "write xyz behind a colon, as in K94:xyz, or xyz for any such flop",
    "monotone": "write xxx behind a colon, as in K94:xxx, or xxx for any such flop",
    "twotone": "write xxy behind a colon, as in K94:xxy, or xxy for any such flop",
    "paired": "write RRO for any flop with a pair, KKR for one of kings",
}

_NUMBER = r"([0-9]*\.?[0-9]+)"
_SHARES: dict[re.Pattern[str], Callable[[str], str]] = {
    re.compile(rf"(?:top|best){_NUMBER}(?:%|percent|pct)?"): lambda share: f"{share}%",
    re.compile(rf"(?:bottom|worst){_NUMBER}(?:%|percent|pct)?"): lambda share: (
        f"{100 - float(share):g}%-100%" if float(share) <= 100 else "90%-100%"
    ),
    re.compile(rf"{_NUMBER}(?:percent|perc|pct)"): lambda share: f"{share}%",
}


def find_share(text: str) -> str | None:
    """Spell ``top10`` and its like as a percentage; None for other texts."""
    for pattern, written in _SHARES.items():
        if match := pattern.fullmatch(text.lower()):
            return written(match[1])
    return None


def find_word(word: str, *, of_board: bool = False) -> str | None:
    """Hint at what a word means in the language; None where nothing is known of it."""
    lower = word.lower()
    if of_board:
        return BOARD_WORDS.get(lower)
    if lower in WORDS:
        return WORDS[lower]
    if share := find_share(lower):
        return f"write {share}"
    if lower in MACROS and len(lower) > 1:
        before = "" if MACROS[lower][0] in "([" else "behind a range, as in 'AA${0}' or '*${0}'"
        return f"write '${lower}' {before.format(lower)}".rstrip()
    from difflib import get_close_matches

    stem, tail = re.fullmatch(r"(.*?)(\d*\+?)", word.upper(), re.DOTALL).groups()  # type: ignore[union-attr]
    for name in (stem, stem.removesuffix("S")):
        if name in CONDITIONS:
            return f"write @{name}{tail} for what a hand has on the board"
    if len(stem) > 3 and (close := get_close_matches(stem, CONDITIONS, n=1, cutoff=0.8)):
        return f"did you mean @{close[0]}?"
    if close := get_close_matches(lower, WORDS, n=1, cutoff=0.85):
        return WORDS[close[0]]
    return None
