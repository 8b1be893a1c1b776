"""Samples deals one by one, and sums what the players win by board and by combo."""

from __future__ import annotations

from typing import Any

from equity.kernels.jit import jit
from equity.kernels.pair_index import BOARD
from equity.kernels.random import card_from_deck, entry_at, far_below, word
from equity.kernels.rows import count_sharers, low_of, value_hands

#: Positions of the sums of a combo.
DEALS, WON, SQUARES, HIGH = range(4)


@jit
def sample_deals(tables: Any, lines: Any, parts: Any, lists: Any, draw: Any, work: Any) -> None:
    """Add deals to the sums of the boards from ``begin`` up to ``stop``, and of the combos.

    For each board ``tries`` sets of hands are drawn, by weight and independently of each
    other; those in which a card comes twice are rejected.  The others get a random runout
    each.  Every board has random numbers of its own, so sums do not depend on how boards are
    divided into chunks.  The records are declared in :mod:`equity.kernels.deals_records`.
    """
    # A constant number of hole cards lets the compiler unroll the loops.
    if draw.hole == 4:
        _sample(tables, lines, parts, lists, draw, work, 4)
    elif draw.hole == 5:
        _sample(tables, lines, parts, lists, draw, work, 5)
    else:
        _sample(tables, lines, parts, lists, draw, work, 6)


@jit
def _sample(
    tables: Any, lines: Any, parts: Any, lists: Any, draw: Any, work: Any, hole: int
) -> None:
    for at in range(draw.begin, draw.stop):
        taken = draw.dead
        for place in range(draw.known):
            card = int(draw.boards[at, place])
            work.board[place] = card
            taken |= 1 << card
        # Numbers of a board come from its own part of the sequence.
        work.state[0] = draw.start + at * draw.stride
        work.state[0] = word(draw, work)
        for _ in range(draw.tries[at]):
            if _deal(lists, draw, work, taken, hole):
                best_high, best_low = value_hands(
                    tables,
                    lines,
                    work.board,
                    work.hands,
                    draw.players,
                    draw.low_game,
                    work,
                    hole,
                )
                draw.deals[at] += 1
                _add(parts, draw, work, draw.sums[at], best_high, best_low)


@jit
def _deal(lists: Any, draw: Any, work: Any, taken: int, hole: int) -> bool:
    """Deal hands to all players and complete the board; whether no card comes twice."""
    for player in range(draw.players):
        first = lists.first[player]
        count = lists.first[player + 1] - first
        if count == 0:
            taken = _from_deck(draw, work, work.hands[player], 0, hole, taken)
            continue
        hand = first
        if lists.weight[player] == count:
            hand += far_below(draw, work, count)
        else:
            place = far_below(draw, work, lists.weight[player])
            hand += entry_at(lists.ends[first:], count, place)
        if lists.held[hand] & taken:
            return False
        taken |= lists.held[hand]
        work.row[player] = lists.row[hand]
        for card in range(hole):
            work.hands[player, card] = lists.cards[hand, card]
    _from_deck(draw, work, work.board, draw.known, BOARD, taken)
    return True


@jit
def _from_deck(draw: Any, work: Any, cards: Any, start: int, stop: int, taken: int) -> int:
    """Fill ``cards`` from ``start`` with random cards; return the mask of all taken cards."""
    for place in range(start, stop):
        card = card_from_deck(draw, work, taken)
        cards[place] = card
        taken |= 1 << card
    return taken


@jit
def _add(parts: Any, draw: Any, work: Any, sums: Any, best_high: int, best_low: int) -> None:
    """Add what each player wins of the pot, and its square."""
    high_share, low_share = count_sharers(work, draw.players, best_high, best_low)
    for player in range(draw.players):
        high = high_share if work.value[player, 0] == best_high else 0
        low = low_of(work, player, draw.players, best_low, low_share)
        high_won = parts.high[high, low]
        won = high_won + parts.low[low]
        sums[player, 0] += won
        sums[player, 1] += won * won
        if draw.asked[player]:
            combo = work.combo_sums[work.row[player]]
            combo[DEALS] += 1
            combo[WON] += won
            combo[SQUARES] += won * won
            combo[HIGH] += high_won
