"""Suit isomorphism: cards and boards that a permutation of suits maps to each other."""

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
    """Canonical representatives of sets of cards to come, and the sizes of their orbits."""

    cards: list[tuple[int, ...]]
    size: list[int]


def suits_alike(spot: Spot) -> list[Suits]:
    """The suit permutations that leave a spot unchanged."""
    fixed = [spot.board, spot.dead]
    groups = [suits_of_player(spot, at, fixed) for at in range(len(spot.players))]
    return sorted(frozenset.intersection(*groups))


def suits_of_player(spot: Spot, at: int, fixed: Sequence[Sequence[int]]) -> frozenset[Suits]:
    """The suit permutations that leave a player's hands and some fixed cards unchanged."""
    player, live = spot.players[at], spot.live_ranges[at]
    if isinstance(player, tuple) or live is None:
        held, weights = masks(np.array([player], np.uint8)), np.ones(1, np.int64)
    elif live.is_uniform and len(live) == _hands_beside(spot):
        # A full range is invariant; its hands would be many to list.
        held = weights = np.zeros(0, np.int64)
    else:
        held = masks(live.combos)
        order = np.argsort(held)
        held, weights = held[order], live.weights[order]
    return frozenset(symmetries(held, weights, fixed))


def _hands_beside(spot: Spot) -> int:
    """Number of hands without board and dead cards."""
    return comb(DECK_SIZE - len(spot.board) - len(spot.dead), spot.game.hole)


def alike_cards(cards: Sequence[int], group: Sequence[Suits]) -> list[tuple[int, ...]]:
    """Group isomorphic cards, in the order of the first card of each group."""
    found: dict[int, list[int]] = {}
    for card in cards:
        first = max(card & ~3 | suits[card & 3] for suits in group)
        found.setdefault(first, []).append(card)
    return [tuple(sorted(same, reverse=True)) for same in found.values()]


def alike_boards(cards: Sequence[int], count: int, group: Sequence[Suits]) -> Boards:
    """Canonical representatives of all sets of ``count`` cards."""
    every = chain.from_iterable(combinations(sorted(cards), count))
    chosen = np.fromiter(every, np.uint8).reshape(-1, count)
    smallest = orbits(masks(chosen), group)
    found, size = np.unique(smallest, return_counts=True)
    rows = cards_of(found, count)[:, ::-1]
    return Boards([tuple(row) for row in rows.tolist()], size.tolist())


def merged(found: Iterable[tuple[tuple[int, ...], Key]]) -> Iterator[tuple[tuple[int, ...], Key]]:
    """Merge groups of cards of one rank that have the same result.

    That finds cards which are equivalent although no suit permutation maps them to each
    other: their suits matter only in that they make no flush.
    """
    groups: dict[tuple[int, Key], list[int]] = {}
    for cards, key in found:
        groups.setdefault((cards[0] >> 2, key), []).extend(cards)
    for (_, key), same in groups.items():
        yield tuple(sorted(same, reverse=True)), key


def cards_text(cards: Iterable[int]) -> str:
    """The text of a group of cards, ``"9s9h9d"``."""
    return format_hand(tuple(cards))
