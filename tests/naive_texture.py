"""What is asked of a hand on a board, one hand at a time, as a player would say it.

A hand and a board are tuples of cards as in :mod:`naive`; the board has three, four or five.
No table, no numbers of values: every card that can come is tried, every pair that others can
hold, and to find the least hand of some class hands are built until one is in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import combinations

from naive import DECK, Cards, High, Low, best_high, best_low, high_of_ranks

Definition = Callable[[Cards, Cards], bool]

STREETS_WITH_NEXT = (3, 4)
CATEGORIES = (
    "HIGHCARD",
    "PAIR",
    "TWOPAIR",
    "THREEOFAKIND",
    "STRAIGHT",
    "FLUSH",
    "FULLHOUSE",
    "QUADS",
    "STRAIGHTFLUSH",
)
#: Where "or better" starts if no hand can be in a class.
NEXT = {
    "UNDERPAIR": "BOTTOMPAIR",
    "BOTTOMPAIR": "MIDPAIR",
    "MIDPAIR": "TOPPAIR",
    "TOPPAIR": "OVERPAIR",
    "OVERPAIR": "TWOPAIR",
    "TOPTWO": "THREEOFAKIND",
    "BOTTOMSET": "MIDSET",
    "MIDSET": "TOPSET",
    "TOPSET": "THREEOFAKIND",
    "SET": "THREEOFAKIND",
    "TRIPS": "THREEOFAKIND",
    "NUTSTRAIGHT": "STRAIGHT",
    "NUTFLUSH": "FLUSH",
}


def ranks(cards: Iterable[int]) -> list[int]:
    return [card // 4 for card in cards]


def of_suit(cards: Iterable[int], suit: int) -> list[int]:
    return [card for card in cards if card % 4 == suit]


def unseen(*known: Cards) -> list[int]:
    gone = {card for cards in known for card in cards}
    return [card for card in DECK if card not in gone]


# Made hands


def category(name: str) -> Definition:
    return lambda hole, board: best_high(hole, board)[0] == CATEGORIES.index(name)


def paired_rank(hole: Cards, board: Cards, of_a_kind: int) -> int | None:
    """The rank of the pair, or of the three, that the hand has."""
    value = best_high(hole, board)
    return value[1] if value[0] == {2: 1, 3: 3}[of_a_kind] else None


def overpair(hole: Cards, board: Cards) -> bool:
    rank = paired_rank(hole, board, 2)
    return rank is not None and ranks(hole).count(rank) >= 2 and rank > max(ranks(board))


def underpair(hole: Cards, board: Cards) -> bool:
    rank = paired_rank(hole, board, 2)
    pocket = rank is not None and ranks(hole).count(rank) >= 2
    return pocket and rank not in ranks(board) and not overpair(hole, board)


def place(rank: int, board: Cards) -> str:
    """Whether a rank is the highest, the lowest or another of the board."""
    if rank == max(ranks(board)):
        return "top"
    return "bottom" if rank == min(ranks(board)) else "middle"


def pair_with(where: str) -> Definition:
    def holds(hole: Cards, board: Cards) -> bool:
        rank = paired_rank(hole, board, 2)
        if rank is None or rank not in ranks(hole) or ranks(board).count(rank) != 1:
            return False
        return place(rank, board) == where

    return holds


def is_set(hole: Cards, board: Cards) -> bool:
    rank = paired_rank(hole, board, 3)
    return rank is not None and ranks(hole).count(rank) >= 2 and ranks(board).count(rank) == 1


def set_with(where: str) -> Definition:
    def holds(hole: Cards, board: Cards) -> bool:
        return is_set(hole, board) and place(best_high(hole, board)[1], board) == where

    return holds


def trips(hole: Cards, board: Cards) -> bool:
    rank = paired_rank(hole, board, 3)
    return rank is not None and rank in ranks(hole) and ranks(board).count(rank) == 2


def top_two(hole: Cards, board: Cards) -> bool:
    value = best_high(hole, board)
    highest = sorted(set(ranks(board)), reverse=True)[:2]
    return value[0] == 2 and list(value[1:3]) == highest and set(highest) <= set(ranks(hole))


# What others can have


@lru_cache(maxsize=64)
def values_of_two(board: Cards) -> dict[tuple[int, int], High]:
    """What any two cards that are not on the board have."""
    return {(a, b): best_high((a, b), board) for a, b in combinations(unseen(board), 2)}


def kind(value: High, board: Cards) -> High:
    """A value without what cannot matter: what comes after a card that one player has.

    Two flushes are in the one suit of which the board has three, so differ in their hole cards,
    and only one of them has the highest. Quads take all cards of their rank.
    """
    if value[0] == 7:
        return value[:2]
    if value[0] != 5:
        return value
    (suit,) = [suit for suit in range(4) if len(of_suit(board, suit)) >= 3]
    return (5, max(set(value[1:]) - set(ranks(of_suit(board, suit)))))


def nuts(hole: Cards, board: Cards, number: int = 1) -> bool:
    mine = kind(best_high(hole, board), board)
    others = {kind(value, board) for value in set(values_of_two(board).values())}
    return len([other for other in others if other > mine]) <= number - 1


def nut_straight(hole: Cards, board: Cards) -> bool:
    mine = best_high(hole, board)
    return mine[0] == 4 and mine >= max(
        value for value in values_of_two(board).values() if value[0] == 4
    )


def nut_flush(hole: Cards, board: Cards) -> bool:
    if best_high(hole, board)[0] != 5:
        return False
    return any(
        max(of_suit(unseen(board), suit)) in hole
        for suit in range(4)
        if len(of_suit(board, suit)) >= 3
    )


# Draws


def flush_draw_suits(hole: Cards, board: Cards, on_board: int) -> list[int]:
    return [
        suit
        for suit in range(4)
        if len(of_suit(board, suit)) == on_board and len(of_suit(hole, suit)) >= 2
    ]


def flush_draw(hole: Cards, board: Cards) -> bool:
    if len(board) not in STREETS_WITH_NEXT or best_high(hole, board)[0] >= 5:
        return False
    return bool(flush_draw_suits(hole, board, 2))


def nut_flush_draw(hole: Cards, board: Cards) -> bool:
    if not flush_draw(hole, board):
        return False
    return any(
        max(of_suit(unseen(board), suit)) in hole for suit in flush_draw_suits(hole, board, 2)
    )


def backdoor_flush(hole: Cards, board: Cards) -> bool:
    return len(board) == 3 and bool(flush_draw_suits(hole, board, 1))


@lru_cache(maxsize=1 << 16)
def best_straight(hole_ranks: tuple[int, ...], board_ranks: tuple[int, ...]) -> High | None:
    """The best straight of two and three, suits aside."""
    found = [
        high_of_ranks(tuple(sorted(two + three, reverse=True)), False)
        for three in set(combinations(board_ranks, 3))
        if len(set(three)) == 3
        for two in set(combinations(hole_ranks, 2))
        if len(set(two + three)) == 5
    ]
    return max((value for value in found if value[0] == 4), default=None)


def straight_outs(hole: Cards, board: Cards, *, nut: bool = False) -> int:
    """Unseen cards that make a better straight, or only the best straight then."""
    if len(board) not in STREETS_WITH_NEXT:
        return 0
    mine, outs = best_high(hole, board), 0
    for card in unseen(hole, board):
        then = tuple(sorted(ranks((*board, card))))
        made = best_straight(tuple(sorted(ranks(hole))), then)
        if made is not None and made > mine:
            outs += not nut or made == best_straight(tuple(range(13)), then)
    return outs


# Lows


@lru_cache(maxsize=1 << 10)
def best_low_of_two(board: Cards) -> Low | None:
    """The best low that any two cards have; one card of each rank stands for all."""
    others = list({card // 4: card for card in unseen(board)}.values())
    lows = [best_low(two, board) for two in combinations(others, 2)]
    return min((low for low in lows if low is not None), default=None)


def low_to(hole: Cards, board: Cards, number: int = 8) -> bool:
    low = best_low(hole, board)
    return low is not None and max(low) <= number


def nut_low(hole: Cards, board: Cards) -> bool:
    low = best_low(hole, board)
    return low is not None and low == best_low_of_two(board)


def low_cards(hole: Cards, board: Cards) -> list[int]:
    if len(board) not in STREETS_WITH_NEXT or best_low(hole, board) is not None:
        return []
    return [card for card in unseen(hole, board) if best_low(hole, (*board, card)) is not None]


def low_draw(hole: Cards, board: Cards) -> bool:
    return bool(low_cards(hole, board))


def nut_low_draw(hole: Cards, board: Cards) -> bool:
    cards = low_cards(hole, board)
    nut = [card for card in cards if nut_low(hole, (*board, card))]
    return len(nut) > len(cards) - len(nut)


def counterfeit(hole: Cards, board: Cards) -> bool:
    if len(board) not in STREETS_WITH_NEXT:
        return False
    two = [set(ranks(pair)) for pair in combinations(hole, 2) if best_low(pair, board)]
    left = set(ranks(unseen(hole, board)))
    return bool(two) and bool(set.intersection(*two) & left)


# All of them by name

EXACT: dict[str, Definition] = {name: category(name) for name in CATEGORIES} | {
    "OVERPAIR": overpair,
    "UNDERPAIR": underpair,
    "TOPPAIR": pair_with("top"),
    "MIDPAIR": pair_with("middle"),
    "BOTTOMPAIR": pair_with("bottom"),
    "TOPTWO": top_two,
    "SET": is_set,
    "TOPSET": set_with("top"),
    "MIDSET": set_with("middle"),
    "BOTTOMSET": set_with("bottom"),
    "TRIPS": trips,
    "NUTS": nuts,
    "NUTFLUSH": nut_flush,
    "NUTSTRAIGHT": nut_straight,
    "FLUSHDRAW": flush_draw,
    "NUTFLUSHDRAW": nut_flush_draw,
    "BACKDOORFLUSH": backdoor_flush,
    "GUTSHOT": lambda hole, board: 1 <= straight_outs(hole, board) <= 4,
    "OESD": lambda hole, board: 5 <= straight_outs(hole, board) <= 8,
    "WRAP": lambda hole, board: straight_outs(hole, board) >= 9,
    "LOW": low_to,
    "NUTLOW": nut_low,
    "LOWDRAW": low_draw,
    "NUTLOWDRAW": nut_low_draw,
    "COUNTERFEIT": counterfeit,
}
LEAST_OUTS = {"GUTSHOT": 1, "OESD": 5, "WRAP": 9}


def holds(name: str, number: int | None, plus: bool, hole: Cards, board: Cards) -> bool:
    """Whether a hand is what a name, a number and a plus behind it say."""
    if name == "NUTOUTS":
        assert number is not None
        return straight_outs(hole, board, nut=True) >= number
    if plus and name in LEAST_OUTS:
        return straight_outs(hole, board) >= (number or LEAST_OUTS[name])
    if plus:
        least = least_value(name, board, len(hole))
        return least is None or best_high(hole, board) >= least
    if number is not None:
        return {"NUTS": nuts, "LOW": low_to}[name](hole, board, number)
    return EXACT[name](hole, board)


# The least hand of a class


@lru_cache(maxsize=1 << 12)
def least_value(name: str, board: Cards, size: int) -> High | None:
    """Where "or better" starts for hands of ``size`` cards; None if everything is better."""
    two = values_of_two(board)
    inside = {value for pair, value in two.items() if EXACT[name](pair, board)}
    for value in sorted(inside):
        for pair in (pair for pair, other in two.items() if other == value):
            hand = no_better(pair, value, board, size)
            if hand is not None and EXACT[name](hand, board):
                return value
    if name in NEXT:
        return least_value(NEXT[name], board, size)
    higher = CATEGORIES[CATEGORIES.index(name) + 1 :]
    return least_value(higher[0], board, size) if higher else (len(CATEGORIES),)


def no_better(hand: Cards, value: High, board: Cards, size: int) -> Cards | None:
    """A hand of ``size`` cards with these and nothing that is worth more than ``value``."""
    if len(hand) == size:
        return hand
    two = values_of_two(board)
    others = [
        card
        for card in unseen(board, hand)
        if (len(hand) == 2 or card > hand[-1])
        and all(two[min(card, held), max(card, held)] <= value for held in hand)
    ]
    found = (no_better((*hand, card), value, board, size) for card in others)
    return next((made for made in found if made is not None), None)
