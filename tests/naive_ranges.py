"""Whether one hand matches the tree of a range, by trying everything.

Every way to put cards into slots, every step of every span, every element of
every list and every value of the variables is tried, one hand at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations, product

from equity.ranges.tree import Choice, Everything, Hand, Node, Shape, Slot, Slots, Span, Term, Union

RANKS = "23456789TJQKA"
SUITS = "cdhs"

Card = tuple[str, str]


def matches(node: Node, hand: Sequence[Card]) -> bool:
    """Whether a hand, as pairs of rank and suit, is in the range of ``node``."""
    match node:
        case Union(items):
            return any(matches(item, hand) for item in items)
        case Term(first, rest):
            found = matches(first, hand)
            for mark, operand in rest:
                other = matches(operand, hand)
                found = found and (other if mark == ":" else not other)
            return found
        case Everything():
            return True
        case Hand(cards):
            return {(RANKS[card // 4], SUITS[card % 4]) for card in cards} == set(hand)
        case Shape(name):
            return shape_matches(name, hand)
        case Span():
            return slots_match((node,), hand)
        case Slots(items):
            return slots_match(items, hand)
    raise AssertionError(node)


def shape_matches(name: str, hand: Sequence[Card]) -> bool:
    """Whether the cards per suit are one of those listed for a shape."""
    suits = [suit for _, suit in hand]
    spread = "".join(sorted((str(suits.count(s)) for s in set(suits)), reverse=True))
    return (
        spread
        in {
            "rb": ("1111", "2111", "2211"),
            "ms": ("4", "5", "6"),
            "dsp": ("22", "221", "2211"),
            "ts": ("31", "311", "32", "33", "321", "3111"),
            "qs": ("4", "41", "42", "411"),
        }[name]
    )


def slots_match(items: Sequence[Slot | Span | Choice], hand: Sequence[Card]) -> bool:
    """Whether some way to read the brackets and place the cards fits."""
    plain_ranks = {item.rank for item in items if isinstance(item, Slot)} & set(RANKS)
    suits = {slot.suit for item in items for slots in readings(item) for slot in slots} & set(SUITS)
    for reading in product(*(readings(item) for item in items)):
        slots = [slot for group in reading for slot in group]
        for cards in permutations(hand, len(slots)):
            if fits(slots, cards, plain_ranks, suits):
                return True
    return False


def readings(item: Slot | Span | Choice) -> Iterator[list[Slot]]:
    """All slots that a slot, a span or a list can be read as."""
    if isinstance(item, Slot):
        yield [item]
    elif isinstance(item, Choice):
        for option in item.options:
            yield [option]
    else:
        ranks = [RANKS.index(slot.rank) for slot in item.first]
        ends = [RANKS.index(slot.rank) for slot in item.last]
        while min(ranks) >= 0 and max(ranks) < len(RANKS):
            yield [Slot(RANKS[r], slot.suit) for r, slot in zip(ranks, item.first, strict=True)]
            if ranks == ends:
                break
            if item.mark:
                ranks = [rank + (1 if item.mark == "+" else -1) for rank in ranks]
            else:
                ranks = [r + (r < end) - (r > end) for r, end in zip(ranks, ends, strict=True)]


def fits(slots: list[Slot], cards: Sequence[Card], plain_ranks: set[str], suits: set[str]) -> bool:
    """Whether each card fits its slot and the variables have values."""
    ranks_of: dict[str, str] = {}
    suits_of: dict[str, str] = {}
    for slot, (rank, suit) in zip(slots, cards, strict=True):
        if slot.rank in RANKS:
            if slot.rank not in ("", rank):
                return False
        elif slot.rank != "*" and (
            rank in plain_ranks or ranks_of.setdefault(slot.rank, rank) != rank
        ):
            return False
        if slot.suit in SUITS:
            if slot.suit not in ("", suit):
                return False
        elif suit in suits or suits_of.setdefault(slot.suit, suit) != suit:
            return False
    return all(len(set(values.values())) == len(values) for values in (ranks_of, suits_of))
