"""Draws whole deals, one by one: a hand for each player, and a board."""

from __future__ import annotations

from typing import Any

from equity.kernels.jit import jit
from equity.kernels.random import below, card_from_deck, entry_at, far_below


@jit
def draw_deals(lists: Any, deals: Any, work: Any) -> None:
    """Fill the outputs of ``deals`` with up to ``deals.count`` independent deals.

    Hands of lists are drawn by weight, and a deal in which two share a card is dropped, so
    that every compatible deal has its right probability.  ``deals.found`` becomes the
    number of deals, ``deals.tried`` how many were drawn.  The records are declared in
    :mod:`equity.kernels.whole_deals_records`.
    """
    found = 0
    tried = 0
    while found < deals.count and tried < deals.tries:
        tried += 1
        taken = _draw(lists, deals, work, found)
        if taken >= 0:
            _complete(lists, deals, work, found, taken)
            found += 1
    deals.found[0] = found
    deals.tried[0] = tried


@jit
def _draw(lists: Any, deals: Any, work: Any, row: int) -> int:
    """Draw the known cards and the hands of lists; the mask of their cards, or -1."""
    known = below(deals, work, lists.known) if lists.known > 1 else 0
    deals.set[row] = known
    taken = int(lists.taken[known])
    for player in range(lists.players):
        size = int(lists.size[player])
        if not size:
            continue
        at = _pick(lists, deals, work, player, size)
        entry = int(lists.first[player]) + at
        mask = int(lists.mask[entry])
        if taken & mask:
            return -1
        taken |= mask
        deals.index[row, player] = at
    return taken


@jit
def _pick(lists: Any, deals: Any, work: Any, player: int, size: int) -> int:
    """The position of a hand of a list, drawn by weight."""
    if size == 1:
        return 0
    weight = int(lists.weight[player])
    if weight == size:
        return below(deals, work, size)
    place = far_below(deals, work, weight)
    return entry_at(lists.sum[lists.sum_first[player] :], size, place)


@jit
def _complete(lists: Any, deals: Any, work: Any, row: int, taken: int) -> None:
    """Copy the hands of lists, and deal the other hands and the board from the deck."""
    known = int(deals.set[row])
    for player in range(lists.players):
        if lists.size[player]:
            entry = int(lists.first[player]) + int(deals.index[row, player])
            for at in range(lists.hole):
                deals.hands[row, player, at] = lists.cards[entry, at]
        else:
            for at in range(lists.hole):
                card = card_from_deck(deals, work, taken)
                taken |= 1 << card
                deals.hands[row, player, at] = card
    for at in range(lists.known_cards):
        deals.boards[row, at] = lists.board[known, at]
    for at in range(lists.known_cards, lists.board_cards):
        card = card_from_deck(deals, work, taken)
        taken |= 1 << card
        deals.boards[row, at] = card
