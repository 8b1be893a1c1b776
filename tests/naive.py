"""Omaha by the book: every deal, every board, every five cards, one after the other.

The referee for the fast path. It shares no code, no table and no trick with the package, so
that a slip of thought there is not repeated here. A card is ``rank * 4 + suit``: ranks 2 to A
are 0 to 12, suits c d h s are 0 to 3. Only the values of cards already seen are remembered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

Cards = tuple[int, ...]
#: Category from 0 (high card) to 8 (straight flush), then ranks as they are compared.
High = tuple[int, ...]
#: The five ranks from the highest down, ace 1; the smaller low wins.
Low = tuple[int, ...]
#: How many players share the high, and the low, with this one: 0 is lost, None is no low at all.
Result = tuple[int, int | None]
Tally = Counter[Result]
#: A hand and how often it counts.
Range = Sequence[tuple[Cards, int]]

DECK = range(52)
CATEGORY = {
    (1, 1, 1, 1, 1): 0,
    (2, 1, 1, 1): 1,
    (2, 2, 1): 2,
    (3, 1, 1): 3,
    (3, 2): 6,
    (4, 1): 7,
}
STRAIGHT, FLUSH, STRAIGHT_FLUSH = 4, 5, 8
WHEEL = (12, 3, 2, 1, 0)


def cards(text: str) -> Cards:
    """``"AhKs"`` as cards."""
    text = text.replace(" ", "")
    return tuple(
        "23456789TJQKA".index(rank) * 4 + "cdhs".index(suit)
        for rank, suit in zip(text[::2], text[1::2], strict=True)
    )


@cache
def high_of_ranks(ranks: Cards, suited: bool) -> High:
    """The value of five ranks, given from the highest down; there are 7,462 of them."""
    if ranks == WHEEL or all(ranks[0] - rank == step for step, rank in enumerate(ranks)):
        top = ranks[1] if ranks == WHEEL else ranks[0]
        return (STRAIGHT_FLUSH if suited else STRAIGHT, top)
    if suited:
        return (FLUSH, *ranks)
    groups = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    return (CATEGORY[tuple(size for size, _ in groups)], *(rank for _, rank in groups))


def high_of(five: Cards) -> High:
    """The value of five cards as a high hand."""
    a, b, c, d, e = sorted(five, reverse=True)
    suited = a % 4 == b % 4 == c % 4 == d % 4 == e % 4
    return high_of_ranks((a // 4, b // 4, c // 4, d // 4, e // 4), suited)


def low_of(five: Cards) -> Low | None:
    """The value of five cards as a low: five different ranks, none above eight."""
    ranks = low_ranks(five)
    return tuple(sorted(ranks, reverse=True)) if len(ranks) == 5 else None


def low_ranks(some: Cards) -> set[int]:
    """The different ranks from ace (1) to eight among some cards."""
    return {(card // 4 + 1) % 13 + 1 for card in some if card // 4 <= 6 or card // 4 == 12}


@lru_cache(maxsize=1 << 18)
def _high_with(hole: Cards, three: Cards) -> High:
    return max(high_of(two + three) for two in combinations(hole, 2))


@lru_cache(maxsize=1 << 18)
def _low_with(hole: Cards, three: Cards) -> Low | None:
    if len(low_ranks(three)) < 3:
        return None
    return _lowest(low_of(two + three) for two in combinations(hole, 2))


def _lowest(lows: Iterable[Low | None]) -> Low | None:
    return min((low for low in lows if low is not None), default=None)


def best_high(hole: Cards, board: Cards) -> High:
    """The best high of two cards from the hand and three from the board (of 3, 4 or 5)."""
    return max([_high_with(hole, three) for three in combinations(board, 3)])


def best_low(hole: Cards, board: Cards) -> Low | None:
    """The best low of two cards from the hand and three from the board, if one qualifies."""
    return _lowest([_low_with(hole, three) for three in combinations(board, 3)])


def showdown(hands: Sequence[Cards], board: Cards, low: bool) -> list[Result]:
    """What every player gets on a board; ``low`` says whether the game plays one."""
    highs = [best_high(hand, board) for hand in hands]
    return split(highs, [best_low(hand, board) if low else None for hand in hands])


def split(highs: Sequence[High], lows: Sequence[Low | None]) -> list[Result]:
    """What every player gets, from the values of all their hands."""
    best, lowest = max(highs), _lowest(lows)
    ways, low_ways = highs.count(best), lows.count(lowest)
    if lowest is None:
        return [(ways if high == best else 0, None) for high in highs]
    return [
        (ways if high == best else 0, low_ways if low == lowest else 0)
        for high, low in zip(highs, lows, strict=True)
    ]


def share(high: int, low: int | None) -> tuple[Fraction, Fraction]:
    """The parts of the whole pot that a result wins with its high and with its low."""
    of_high = Fraction(1, high) if high else Fraction(0)
    if low is None:
        return of_high, Fraction(0)
    return of_high / 2, Fraction(1, 2 * low) if low else Fraction(0)


def ante_chips(hands: Sequence[Cards], calls: Sequence[bool], board: Cards, low: bool) -> Fraction:
    """What the first hand of a table wins on a board, added up over all blinds.

    It pays a chip, one other is blind and pays a chip, and the rest pay one if they call.
    """
    won = Fraction(0)
    for blind in range(1, len(hands)):
        playing = [hands[0], hands[blind]]
        playing += [
            hand
            for at, (hand, call) in enumerate(zip(hands, calls, strict=True))
            if at not in (0, blind) and call
        ]
        won += len(playing) * sum(share(*showdown(playing, board, low)[0]))
    return won


def runouts(board: Cards, gone: Iterable[int]) -> Iterator[Cards]:
    """The board completed to five cards in every way that the cards left in the deck allow."""
    known = [*board, *gone]
    if len(set(known)) < len(known):
        raise ValueError("a card is there twice")
    live = [card for card in DECK if card not in known]
    return (board + rest for rest in combinations(live, 5 - len(board)))


def tally(hands: Sequence[Cards], board: Cards, dead: Cards, low: bool) -> list[Tally]:
    """For every player, on how many completed boards he gets which result."""
    tallies = [Tally() for _ in hands]
    for full in runouts(board, [*sum(hands, ()), *dead]):
        for counts, result in zip(tallies, showdown(hands, full, low), strict=True):
            counts[result] += 1
    return tallies


#: What a hand is worth on one board.
Strength = tuple[High, Low | None]


class Part(NamedTuple):
    """The hands of the first players of a deal; ``taken`` has a bit for each of their cards."""

    strengths: tuple[Strength, ...]
    taken: int
    weight: int


def range_tally(
    ranges: Sequence[Range], board: Cards, dead: Cards, low: bool
) -> tuple[list[Tally], int]:
    """For every player, the weight of each result over all deals, and how many deals there are.

    A deal is a hand for every player and a full board, no card twice and none of them dead; it
    weighs the product of its hands' weights. A hand listed twice is two hands.
    """
    tallies = [Tally() for _ in ranges]
    deals = 0
    for full in runouts(board, dead):
        gone = {*full, *dead}
        parts: Iterable[Part] = [Part((), 0, 1)]
        for entries in ranges:
            live = [entry for entry in entries if gone.isdisjoint(entry[0])]
            parts = _dealt(parts, [_alone(hand, weight, full, low) for hand, weight in live])
        # Few strengths stand for many hands: count first, so that each set of them is split once.
        weights: Counter[tuple[Strength, ...]] = Counter()
        for strengths, _, weight in parts:
            deals += 1
            weights[strengths] += weight
        for strengths, weight in weights.items():
            results = split([high for high, _ in strengths], [low for _, low in strengths])
            for counts, result in zip(tallies, results, strict=True):
                counts[result] += weight
    return tallies, deals


def _alone(hand: Cards, weight: int, full: Cards, low: bool) -> Part:
    strength = best_high(hand, full), best_low(hand, full) if low else None
    return Part((strength,), sum(1 << card for card in hand), weight)


def _dealt(parts: Iterable[Part], hands: Sequence[Part]) -> Iterator[Part]:
    """Every part with every hand of the next player that shares no card with it."""
    for strengths, taken, weight in parts:
        for strength, mask, times in hands:
            if not taken & mask:
                yield Part(strengths + strength, taken | mask, weight * times)
