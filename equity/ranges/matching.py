"""Matching of hands against the slots of a leaf.

A hand matches when its cards can be put into the slots, one card a slot.  A
placement says which card, counted from the highest, goes into which slot; there
are at most 720.  Whether a placement satisfies the ranks of a leaf depends on
the ranks of a hand only, whether it satisfies the suits on the suits only.  So
each is found once for all ranks and once for all suits, as a set of placements,
and a hand matches when the two sets have a placement in common.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from equity.errors import RangeError
from equity.ranges.hands import HandSpace, Ids
from equity.ranges.tree import SUIT_VARIABLES, Choice, Shape, Slot, Slots, Span
from equity.rules.cards import RANKS, SUITS

__all__ = ["match_shape", "match_slots"]

#: The most ways to pick suits for lists such as ``[2s,Jc]`` in one leaf.
_MOST_PICKS = 1_000

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class _Side:
    """What a slot asks of the ranks, or of the suits, of its card.

    ``allowed`` are the values it takes, None if any; ``variable`` is the name of
    the variable that it binds.
    """

    allowed: frozenset[int] | None = None
    variable: str = ""


@dataclass(frozen=True)
class _Place:
    """One slot with its sides; slots of a span of several cards have steps."""

    rank: _Side
    suit: _Side
    #: The number of the span, and the rank that this slot has at each step.
    span: int = -1
    steps: tuple[int, ...] = ()

    @property
    def is_free(self) -> bool:
        return self.rank == self.suit == _Side()


def match_shape(space: HandSpace, shape: Shape) -> Mask:
    """The hands of an exact shape."""
    codes = np.arange(len(SUITS) ** space.cards)
    counts = np.zeros((len(codes), len(SUITS)), dtype=np.int64)
    for _ in range(space.cards):
        counts[np.arange(len(codes)), codes % len(SUITS)] += 1
        codes //= len(SUITS)
    if shape.name == "rb":
        good = counts.max(axis=1) - counts.min(axis=1) <= 1
    elif shape.name == "ms":
        good = counts.max(axis=1) == space.cards
    elif shape.name == "dsp":
        good = np.count_nonzero(counts == 2, axis=1) == 2
    else:
        good = np.any(counts == {"ts": 3, "qs": 4}[shape.name], axis=1)
    ranks = np.zeros(len(space.ranks), dtype=np.int64)
    return space.mask(np.array([[False, True]]), ranks, good.astype(np.int64))


def match_slots(space: HandSpace, leaf: Slots | Span) -> Mask:
    """The hands that match a leaf, (space.size,) bool."""
    items = leaf.items if isinstance(leaf, Slots) else (leaf,)
    found = (
        _match(space, [place for place in places if not place.is_free]) for places in _picks(items)
    )
    matched = next(found)
    for other in found:
        matched |= other
    return matched


# From slots to places


def _picks(items: Sequence[Slot | Span | Choice]) -> Iterator[list[_Place]]:
    """The places of a leaf, once for every pick of suits for its lists."""
    written = [option for item in items for option in _options(item)]
    suits = frozenset(SUITS.index(s.suit) for s in written if s.suit and s.suit in SUITS)
    slots = [item for item in items if isinstance(item, Slot)]
    ranks = frozenset(RANKS.index(s.rank) for s in slots if s.rank and s.rank in RANKS)
    fixed: list[_Place] = []
    lists: Counter[tuple[_Place, ...]] = Counter()
    for number, item in enumerate(items):
        if isinstance(item, Slot):
            fixed.append(_Place(_rank_side(item, ranks), _suit_side(item, suits)))
        elif isinstance(item, Span):
            fixed += _span_places(item, number, suits)
        else:
            lists[_list_places(item, suits)] += 1
    ways = prod(comb(len(places) + count - 1, count) for places, count in lists.items())
    if ways > _MOST_PICKS:
        raise RangeError(
            f"{ways:,} ways to pick suits from the lists of one item",
            hint=f"at most {_MOST_PICKS:,}; give fewer lists that mix suits",
        )
    for pick in product(
        *(combinations_with_replacement(places, count) for places, count in lists.items())
    ):
        yield fixed + [place for places in pick for place in places]


def _options(item: Slot | Span | Choice) -> tuple[Slot, ...]:
    if isinstance(item, Slot):
        return (item,)
    return item.first if isinstance(item, Span) else item.options


def _rank_side(slot: Slot, written: frozenset[int]) -> _Side:
    if slot.rank in ("", "*"):
        return _Side()
    if slot.rank in RANKS:
        return _Side(frozenset([RANKS.index(slot.rank)]))
    return _Side(frozenset(range(len(RANKS))) - written, slot.rank)


def _suit_side(slot: Slot, written: frozenset[int]) -> _Side:
    if slot.suit == "":
        return _Side()
    if slot.suit in SUIT_VARIABLES:
        return _Side(frozenset(range(len(SUITS))) - written, slot.suit)
    return _Side(frozenset([SUITS.index(slot.suit)]))


def _span_places(span: Span, number: int, written: frozenset[int]) -> list[_Place]:
    columns = list(zip(*span.steps(), strict=True))
    if len(columns) == 1:  # nothing moves together with it: any of its ranks
        return [_Place(_Side(frozenset(columns[0])), _suit_side(span.first[0], written))]
    return [
        _Place(_Side(frozenset(steps)), _suit_side(slot, written), number, steps)
        for slot, steps in zip(span.first, columns, strict=True)
    ]


def _list_places(choice: Choice, written: frozenset[int]) -> tuple[_Place, ...]:
    """A place for each suit that a list names, with its ranks."""
    by_suit: dict[_Side, frozenset[int]] = {}
    for option in choice.options:
        suit, rank = _suit_side(option, written), _rank_side(option, frozenset())
        ranks = frozenset(range(len(RANKS))) if rank.allowed is None else rank.allowed
        by_suit[suit] = by_suit.get(suit, frozenset()) | ranks
    anyhow = by_suit.get(_Side(), frozenset())
    return tuple(
        _Place(_Side(ranks), suit)
        for suit, ranks in by_suit.items()
        if suit == _Side() or not ranks <= anyhow
    )


# From places to hands


def _match(space: HandSpace, places: list[_Place]) -> Mask:
    # Likely misses first, equal places side by side, the places of a span together.
    places = sorted(places, key=_strictness)
    placements, by_ranks = _place_ranks(space, places)
    if not len(placements):
        return np.zeros(space.size, dtype=bool)
    by_suits = _place_suits(space, places, placements)
    rank_sets, rank_kind = _kinds(by_ranks)
    suit_sets, suit_kind = _kinds(by_suits)
    allowed = np.zeros((len(rank_sets), len(suit_sets)), dtype=bool)
    for word in range(rank_sets.shape[1]):
        allowed |= (rank_sets[:, None, word] & suit_sets[None, :, word]) != 0
    return space.mask(
        allowed,
        np.broadcast_to(rank_kind, len(space.ranks)),
        np.broadcast_to(suit_kind, len(SUITS) ** space.cards),
    )


def _strictness(place: _Place) -> tuple[object, ...]:
    rank, suit = place.rank, place.suit
    return (
        bool(rank.variable),
        len(RANKS) if rank.allowed is None else len(rank.allowed) if place.span < 0 else 2,
        place.span,
        rank.variable,
        sorted(rank.allowed or ()) if place.span < 0 else (),
        suit.variable,
        sorted(suit.allowed or ()),
    )


def _place_ranks(space: HandSpace, places: list[_Place]) -> tuple[NDArray[np.intp], Mask]:
    """The placements that suit any ranks, and which ranks they suit.

    Returns
    -------
    placements:
        (n, places), the card in each place.
    good:
        (n, ranks), or (n, 1) if the places ask nothing of ranks.
    """
    asked = any(place.rank != _Side() for place in places)
    ranks = np.ascontiguousarray(space.ranks.T if asked else space.ranks[:1].T)
    placements = np.zeros((1, 0), dtype=np.intp)
    good = np.ones((1, ranks.shape[1]), dtype=bool)
    for at, place in enumerate(places):
        # Equal places are filled in one order only.
        twin = at > 0 and place == places[at - 1] and place.span < 0
        parents, cards = _children(placements, space.cards, twin)
        placements = np.column_stack([placements[parents], cards])
        good = good[parents]
        if place.rank != _Side():
            good &= _allowed(ranks, place.rank)[cards]
            _relate(good, ranks, [place.rank for place in places[: at + 1]], placements)
        last_of_span = at + 1 == len(places) or places[at + 1].span != place.span
        if place.span >= 0 and last_of_span:
            begin = next(n for n, other in enumerate(places) if other.span == place.span)
            _move_together(good, ranks, places[begin : at + 1], placements[:, begin:])
        useful = good.any(axis=1)
        if not useful.all():
            placements, good = placements[useful], good[useful]
    return placements, good


def _place_suits(space: HandSpace, places: list[_Place], placements: NDArray[np.intp]) -> Mask:
    """(placements, codes of suits) which suits the placements suit, or (.., 1) if any."""
    sides = [place.suit for place in places]
    if all(side == _Side() for side in sides):
        return np.ones((len(placements), 1), dtype=bool)
    codes = np.arange(len(SUITS) ** space.cards)
    shifts = len(SUITS) ** np.arange(space.cards - 1, -1, -1)
    suits = (codes // shifts[:, None] % len(SUITS)).astype(np.uint8)
    good = np.ones((len(placements), len(codes)), dtype=bool)
    for at, side in enumerate(sides):
        if side != _Side():
            good &= _allowed(suits, side)[placements[:, at]]
            _relate(good, suits, sides[: at + 1], placements)
    return good


def _children(
    placements: NDArray[np.intp], cards: int, ascending: bool
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Placements with one more card: which placement, and the card."""
    free = np.ones((len(placements), cards), dtype=bool)
    np.put_along_axis(free, placements, False, axis=1)
    if ascending:
        free &= np.arange(cards) > placements[:, -1:]
    parents, card = np.nonzero(free)
    return parents, card


def _allowed(values: NDArray[np.uint8], side: _Side) -> Mask:
    """(cards, columns) whether the card of each column has an allowed value."""
    table = np.zeros(len(RANKS), dtype=bool)
    table[list(side.allowed or ())] = True
    return table[values]


def _relate(
    good: Mask, values: NDArray[np.uint8], sides: list[_Side], placements: NDArray[np.intp]
) -> None:
    """Hold the variable of the last side equal to itself, and different from others."""
    *before, last = sides
    if not last.variable:
        return
    seen: set[str] = set()
    equal = values[:, None] == values[None, :]
    for at, side in enumerate(before):
        if not side.variable or side.variable in seen:
            continue
        seen.add(side.variable)
        pairs = equal[placements[:, at], placements[:, len(before)]]
        good &= pairs if side.variable == last.variable else ~pairs


def _move_together(
    good: Mask, ranks: NDArray[np.uint8], places: list[_Place], placements: NDArray[np.intp]
) -> None:
    """Hold the places of a span to one step of it."""
    together = np.full(good.shape, np.iinfo(np.uint16).max, dtype=np.uint16)
    for at, place in enumerate(places):
        steps = np.zeros(len(RANKS), dtype=np.uint16)
        for step, rank in enumerate(place.steps):
            steps[rank] |= 1 << step
        together &= steps[ranks][placements[:, at]]
    good &= together != 0


def _kinds(good: Mask) -> tuple[NDArray[np.uint64], Ids]:
    """The different columns of ``good`` as sets of bits, and which each column is."""
    bits = np.packbits(good, axis=0).T
    width = -(-bits.shape[1] // 8) * 8
    padded = np.zeros((len(bits), width), dtype=np.uint8)
    padded[:, : bits.shape[1]] = bits
    rows = memoryview(padded.tobytes())
    kinds: dict[bytes, int] = {}
    kind = [
        kinds.setdefault(bytes(rows[at : at + width]), len(kinds))
        for at in range(0, len(rows), width)
    ]
    sets = np.frombuffer(b"".join(kinds), dtype=np.uint64).reshape(len(kinds), width // 8)
    return sets, np.array(kind, dtype=np.int64)
