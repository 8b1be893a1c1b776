"""Cards and boards that are alike, because suits may change places."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain, combinations
from math import comb
from typing import NamedTuple, TypeVar

import numpy as np

from equity.engine.sweeping.symmetry import Suits, cards_of, masks, orbits, symmetries
from equity.rules.cards import DECK_SIZE, format_hand
from equity.spot import Spot

__all__ = [
    "Boards",
    "alike_boards",
    "alike_cards",
    "cards_text",
    "merged",
    "suits_alike",
    "suits_of_player",
]

Key = TypeVar("Key", bound=Hashable)


class Boards(NamedTuple):
    """Sets of cards to come, one for all that are alike, and how many each stands for."""

    cards: list[tuple[int, ...]]
    size: list[int]


def suits_alike(spot: Spot) -> list[Suits]:
    """The permutations of suits that change nothing in a question."""
    fixed = [spot.board, spot.dead]
    groups = [suits_of_player(spot, at, fixed) for at in range(len(spot.players))]
    return sorted(frozenset.intersection(*groups))


def suits_of_player(spot: Spot, at: int, fixed: Sequence[Sequence[int]]) -> frozenset[Suits]:
    """The permutations of suits that change neither the hands of a player nor some cards."""
    player, live = spot.players[at], spot.live_ranges[at]
    if isinstance(player, tuple) or live is None:
        held, weights = masks(np.array([player], np.uint8)), np.ones(1, np.int64)
    elif live.is_uniform and len(live) == _hands_beside(spot):
        # All hands stay all hands, whatever becomes of suits; they are many to list.
        held = weights = np.zeros(0, np.int64)
    else:
        held = masks(live.combos)
        order = np.argsort(held)
        held, weights = held[order], live.weights[order]
    return frozenset(symmetries(held, weights, fixed))


def _hands_beside(spot: Spot) -> int:
    """How many hands there are beside the board and the dead cards."""
    return comb(DECK_SIZE - len(spot.board) - len(spot.dead), spot.game.hole)


def alike_cards(cards: Sequence[int], group: Sequence[Suits]) -> list[tuple[int, ...]]:
    """The cards in groups that are alike, in the order of their first ones."""
    found: dict[int, list[int]] = {}
    for card in cards:
        first = max(card & ~3 | suits[card & 3] for suits in group)
        found.setdefault(first, []).append(card)
    return [tuple(sorted(same, reverse=True)) for same in found.values()]


def alike_boards(cards: Sequence[int], count: int, group: Sequence[Suits]) -> Boards:
    """The sets of so many cards, one for all that are alike."""
    every = chain.from_iterable(combinations(sorted(cards), count))
    chosen = np.fromiter(every, np.uint8).reshape(-1, count)
    smallest = orbits(masks(chosen), group)
    found, size = np.unique(smallest, return_counts=True)
    rows = cards_of(found, count)[:, ::-1]
    return Boards([tuple(row) for row in rows.tolist()], size.tolist())


def merged(found: Iterable[tuple[tuple[int, ...], Key]]) -> Iterator[tuple[tuple[int, ...], Key]]:
    """Groups of cards, those of one rank of which the same is found together.

    So cards are alike of which no permutation of suits tells it: all that matters of
    their suits is that no flush has them.
    """
    groups: dict[tuple[int, Key], list[int]] = {}
    for cards, key in found:
        groups.setdefault((cards[0] >> 2, key), []).extend(cards)
    for (_, key), same in groups.items():
        yield tuple(sorted(same, reverse=True)), key


def cards_text(cards: Iterable[int]) -> str:
    """The text of a group of cards, ``"9s9h9d"``."""
    return format_hand(tuple(cards))
