"""Draws the boards and hands of a sample, and values the hands.

Boards and hands are drawn for a whole draw.  On each board its hands are valued: the best
of their pairs of cards, looked up by the code of the pair.
"""

from __future__ import annotations

from typing import Any

from equity.kernels.jit import jit
from equity.kernels.pair_index import (
    best,
    board_number,
    code_pairs,
    fill_lines,
    flush_suit,
    suited_number,
)
from equity.kernels.random import below, card_from_deck, far_below
from equity.kernels.sampling_records import BOARD, SETS
from equity.kernels.transposed import LINE


@jit
def shuffle(draw: Any, work: Any) -> None:
    """Shuffle the live cards."""
    for at in range(draw.cards - 1):
        other = at + below(draw, work, draw.cards - at)
        work.deck[at], work.deck[other] = work.deck[other], work.deck[at]


@jit
def turn_deck(draw: Any, work: Any, taken: int) -> None:
    """Copy the remaining cards to ``work.rest``, in another order for each board.

    The deck is shuffled once per draw; a random stride through it brings other cards
    together.
    """
    step = int(draw.steps[below(draw, work, draw.step_count)])
    at = 0
    count = 0
    for _ in range(draw.cards):
        card = int(work.deck[at])
        work.rest[count] = card
        count += not (taken >> card) & 1
        at += step
        if at >= draw.cards:
            at -= draw.cards
    work.left_over[0] = count


@jit
def pick(draw: Any, lists: Any, work: Any, number: int, at: int, width: int, start: int) -> int:
    """Draw an entry of a list by weight, from stratum ``at`` of ``width``, after ``start``."""
    weight = lists.weight[number]
    place = start + at * width
    if width > 1:
        place += far_below(draw, work, width)
    if place >= weight:
        place -= weight
    if weight == lists.size[number]:
        return place
    sums = lists.sum[lists.sum_first[number] :]
    entry = int(lists.guide[lists.guide_first[number] + (place >> lists.guide_shift[number])])
    while sums[entry] <= place:
        entry += 1
    return entry


@jit
def deal_board(tables: Any, lines: Any, draw: Any, work: Any, which: int, at: int) -> None:
    """Deal a random board of a class, and prefetch its table rows."""
    board = work.board
    for place in range(BOARD - draw.missing):
        board[place] = draw.board_cards[which, place]
    taken = (
        _deal_ranks(draw, work, which) if draw.suits_count[which] else _deal_any(draw, work, which)
    )
    number = draw.board_number[which] if draw.suits_count[which] else board_number(tables, board)
    suit = flush_suit(board)
    mask = suited_number(tables, board, suit) if suit >= 0 else 0
    work.touched[0] ^= touch(lines.high[number]) ^ touch(lines.flush[mask])
    work.board_number[at] = number
    work.board_suited[at] = mask
    work.board_low[at] = tables.low_set[number] if draw.low else 0
    work.board_taken[at] = taken
    work.board_suit[at] = suit


@jit
def touch(row: Any) -> int:
    """Prefetch a table row, all of its cache lines."""
    return int(row[0]) ^ int(row[LINE // 2]) ^ int(row[LINE - 1])


@jit
def _deal_ranks(draw: Any, work: Any, which: int) -> int:
    """Deal cards of the ranks of a class; return the mask of these and of dead cards."""
    known = BOARD - draw.missing
    taken = draw.board_taken[which]
    first = int(draw.suits_first[which])
    while True:
        code = int(draw.codes[first + below(draw, work, int(draw.suits_count[which]))])
        cards = 0
        for place in range(known, BOARD):
            card = int(draw.board_ranks[which, place - known]) * 4 + (code & 3)
            code >>= 2
            work.board[place] = card
            cards |= 1 << card
        if cards & taken == 0:
            return taken | cards


@jit
def _deal_any(draw: Any, work: Any, which: int) -> int:
    """Deal cards of any ranks; return the mask of these and of dead cards."""
    taken = draw.board_taken[which]
    for place in range(BOARD - draw.missing, BOARD):
        card = card_from_deck(draw, work, taken)
        work.board[place] = card
        taken |= 1 << card
    return taken


@jit
def fill_pool(lines: Any, draw: Any, lists: Any, work: Any, source: int) -> None:
    """Draw the hands of a list for all boards of a draw."""
    weight = lists.weight[source + 1]
    hands = min(draw.board_hands, weight)
    sets = min(SETS, weight // hands, draw.boards)
    parts = hands * sets
    work.hands[source] = hands
    work.sets[source] = sets
    start = far_below(draw, work, weight)
    first = lists.first[source + 1]
    width = weight // parts
    # In a loop of its own over all hands, so that their memory is prefetched.
    touched = 0
    for at in range(parts):
        entry = first + pick(draw, lists, work, source + 1, at, width, start)
        work.pool_entry[at] = entry
        touched ^= int(lists.hands[entry, 0])
    work.touched[0] = touched
    for at in range(parts):
        hand = lists.hands[work.pool_entry[at]]
        work.pool_taken[source, at] = _code(lines, draw, hand, work.pool_code[source, at])


@jit
def _code(lines: Any, draw: Any, hand: Any, codes: Any) -> int:
    """Write the codes of the pairs of a hand; return its cards as a bit mask."""
    # A constant number of cards lets the compiler unroll the loops, here and below.
    if draw.hole == 4:
        return code_pairs(lines, hand, codes, 4)
    if draw.hole == 5:
        return code_pairs(lines, hand, codes, 5)
    return code_pairs(lines, hand, codes, 6)


@jit
def prepare(lines: Any, work: Any, at: int) -> None:
    """Fill the lines with the value of each code on a board."""
    low_set = work.board_low[at]
    high, flush = lines.high[work.board_number[at]], lines.flush[work.board_suited[at]]
    fill_lines(lines, work, high, flush, work.board_suit[at], low_set)
    work.lows[0] = low_set > 0


@jit
def value_hands(draw: Any, work: Any, source: int, board: int, taken: int) -> None:
    """Value the hands of a list on a board, without those that conflict with it."""
    sets = work.sets[source]
    # Lists rotate at different speeds, so that hands meet others on other boards.
    first = (board + source * (board // sets)) % sets
    if draw.hole == 4:
        _value_set(work, source, first, taken, 6)
    elif draw.hole == 5:
        _value_set(work, source, first, taken, 10)
    else:
        _value_set(work, source, first, taken, 15)


@jit
def _value_set(work: Any, source: int, first: int, taken: int, pairs: int) -> None:
    sets = work.sets[source]
    hands = work.hands[source]
    count = 0
    at = first
    for _ in range(hands):
        mask = work.pool_taken[source, at]
        work.taken[source, count] = mask
        work.high[source, count] = best(work.high_line, work.pool_code[source, at], pairs)
        # A branch here would be mispredicted more often than the work is wasted.
        count += (mask & taken) == 0
        at += sets
    work.number[source] = count
    if not work.lows[0]:
        for at in range(hands):
            work.low[source, at] = 0
        return
    count = 0
    at = first
    for _ in range(hands):
        work.low[source, count] = best(work.low_line, work.pool_code[source, at], pairs)
        count += (work.pool_taken[source, at] & taken) == 0
        at += sets


@jit
def free_hands(lines: Any, draw: Any, work: Any, source: int, taken: int) -> None:
    """Cut the remaining deck into hands and value them, as list ``source``."""
    count = 0
    held = 0
    for at in range(work.left_over[0]):
        card = int(work.rest[at])
        work.hand[held] = card
        held += not (taken >> card) & 1
        if held == draw.hole:
            work.taken[source, count] = _code(lines, draw, work.hand, work.hand_code)
            if draw.hole == 4:
                _value_free(work, source, count, 6)
            elif draw.hole == 5:
                _value_free(work, source, count, 10)
            else:
                _value_free(work, source, count, 15)
            count += 1
            held = 0
    work.number[source] = count


@jit
def _value_free(work: Any, source: int, at: int, pairs: int) -> None:
    work.high[source, at] = best(work.high_line, work.hand_code, pairs)
    work.low[source, at] = best(work.low_line, work.hand_code, pairs) if work.lows[0] else 0
