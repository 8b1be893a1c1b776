"""The types of values: their order, their constants, and how they are written."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from equity.rules.cards import NAMES, RANKS
from equity.rules.ranks import (
    FULL_HOUSE,
    RANK_COUNT,
    High,
    high_classes,
    low_classes,
)

__all__ = [
    "BOOLEAN",
    "CARD",
    "CATEGORIES",
    "CATEGORY",
    "CONSTANTS",
    "EQUITY",
    "FRACTION",
    "HAND_TYPE",
    "HAND_TYPES",
    "HI_RATING",
    "INTEGER",
    "LO_RATING",
    "NUMBER",
    "RANK",
    "RANK_SET",
    "STREET",
    "STREETS",
    "STRING",
    "Type",
    "fraction_text",
    "number_text",
    "rank_set_text",
]

#: The cards of the board on each street.
STREETS = {"preflop": 0, "flop": 3, "turn": 4, "river": 5}
HAND_TYPES = (
    *("highcard", "pair", "twopair", "trips", "straight"),
    *("flush", "fullhouse", "quads", "straightflush"),
)
CATEGORIES = (
    *("flopnothing", "flopunderpair", "flopthirdpair", "floppocket23", "flopsecondpair"),
    *("floppocket12", "floptoppair", "flopoverpair", "flopbottomtwo", "floptopandbottom"),
    *("floptoptwo", "floptrips", "flopset", "flopstraight", "flopflush", "flopfullhouse"),
    *("flopquads", "flopstraightflush"),
)


def fraction_text(value: Fraction) -> str:
    """``"1/3"``, or ``"2"``."""
    return str(value)


def number_text(value: Fraction) -> str:
    """A number as a decimal if it has a short one, else as a fraction."""
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest != 1 or value.denominator > 10**9:
        return str(value)
    return f"{Decimal(value.numerator) / Decimal(value.denominator):f}"


def rank_set_text(ranks: int) -> str:
    """The ranks of a bit mask, the highest first, or ``"-"``."""
    return "".join(RANKS[rank] for rank in range(RANK_COUNT - 1, -1, -1) if ranks >> rank & 1) or (
        "-"
    )


def _hi_text(value: int) -> str:
    """A high by its type and the ranks that decide, ``"fullhouse KKK77"``."""
    high: High = high_classes()[value - 1]
    counts = {FULL_HOUSE: (3, 2), 1: (2,), 2: (2, 2), 3: (3,), 7: (4,)}.get(high.category, ())
    ranks = "".join(
        RANKS[rank] * (counts[at] if at < len(counts) else 1) for at, rank in enumerate(high.ranks)
    )
    return f"{HAND_TYPES[high.category]} {ranks}"


def _lo_text(value: int) -> str:
    """A low, ``"7-5-4-3-2"``; 0 is none."""
    if value == 0:
        return "no low"
    return "-".join("A" if rank == 1 else str(rank) for rank in low_classes()[value - 1])


@dataclass(frozen=True)
class Type:
    """A type of values.

    Values are integers, in the order of the type; those of a numeric type are fractions.
    """

    name: str
    #: With its article, for messages.
    a_name: str
    is_numeric: bool = False
    is_ordered: bool = True
    #: The text of a value; of a number its fraction.
    text: Callable[..., str] = str

    def __str__(self) -> str:
        return self.name


BOOLEAN = Type(
    "boolean", "a boolean", is_ordered=False, text=lambda value: "true" if value else "false"
)
INTEGER = Type("integer", "an integer", is_numeric=True, text=fraction_text)
NUMBER = Type("number", "a number", is_numeric=True, text=number_text)
FRACTION = Type("fraction", "a fraction", is_numeric=True, text=fraction_text)
EQUITY = Type("equity", "an equity", is_numeric=True, text=fraction_text)
CARD = Type("card", "a card", text=lambda card: NAMES[card])
RANK = Type("rank", "a rank", text=lambda rank: RANKS[rank])
RANK_SET = Type("rank set", "a rank set", is_ordered=False, text=rank_set_text)
STREET = Type("street", "a street", text=lambda at: list(STREETS)[at])
HAND_TYPE = Type("hand type", "a hand type", text=lambda at: HAND_TYPES[at])
CATEGORY = Type("flop category", "a flop category", text=lambda at: CATEGORIES[at])
HI_RATING = Type("hi rating", "a hi rating", text=_hi_text)
LO_RATING = Type("lo rating", "a lo rating", text=_lo_text)
STRING = Type("string", "a string", is_ordered=False)


def _named(of: Type, names: Iterable[str]) -> dict[str, tuple[Type, int]]:
    return {name: (of, at) for at, name in enumerate(names)}


#: Names of constants: what they are, and their values.
CONSTANTS = (
    {"false": (BOOLEAN, 0), "true": (BOOLEAN, 1)}
    | _named(STREET, STREETS)
    | _named(HAND_TYPE, HAND_TYPES)
    | _named(CATEGORY, CATEGORIES)
)
