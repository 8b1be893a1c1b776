"""Deals full tables, to measure what each class of hands wins.

A hand pays 1 chip, one other hand is the blind and pays 1 chip, and each of the rest that
calls pays 1 chip and stays in.  Every hand of a table is evaluated in turn, with every
other one as the blind, and on several boards where the deck allows it: that costs little
and reduces the variance.
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
from equity.kernels.random import below
from equity.kernels.transposed import DECK


@jit
def deal_tables(tables: Any, lines: Any, table: Any, job: Any, work: Any, won: Any) -> None:
    """Deal ``job.rounds`` tables at random and add up what their hands win.

    ``won.sums`` is in fractions of a chip, ``table.share[1]`` to a chip, summed over all
    boards and blinds.  One table is one deal.
    """
    _open_deck(work)
    work.state[0] = table.start
    for _ in range(job.rounds):
        _deal(tables, lines, table, work, won, 0)


@jit
def deal_classes(tables: Any, lines: Any, table: Any, classes: Any, work: Any, won: Any) -> None:
    """Deal each class its number of tables, and add up what that class wins.

    All classes use the same random numbers, so that similar classes have similar luck.
    """
    for number in range(classes.count):
        _open_deck(work)
        work.state[0] = table.start
        for held in range(table.hole):
            # An earlier swap may have moved the card.
            at = held
            while work.deck[at] != classes.hands[number, held]:
                at += 1
            work.deck[held], work.deck[at] = work.deck[at], work.deck[held]
        for _ in range(classes.deals[number]):
            _deal(tables, lines, table, work, won, 1)


@jit
def _open_deck(work: Any) -> None:
    for card in range(DECK):
        work.deck[card] = card


@jit
def _deal(tables: Any, lines: Any, table: Any, work: Any, won: Any, given: int) -> None:
    # A constant number of hole cards lets the compiler unroll the loops.
    if table.hole == 4:
        _deal_hands(tables, lines, table, work, won, 4, given)
    elif table.hole == 5:
        _deal_hands(tables, lines, table, work, won, 5, given)
    else:
        _deal_hands(tables, lines, table, work, won, 6, given)


@jit
def _deal_hands(
    tables: Any, lines: Any, table: Any, work: Any, won: Any, hole: int, given: int
) -> None:
    """Deal one table.  If the first hand is given, only that one is evaluated."""
    dealt = table.players * hole + 5 * table.boards
    for at in range(given * hole, dealt):
        other = at + below(table, work, DECK - at)
        work.deck[at], work.deck[other] = work.deck[other], work.deck[at]
    for seat in range(table.players):
        code_pairs(lines, work.deck[seat * hole :], work.code[seat], hole)
    callers = _take_places(table, work, hole)
    evaluated = 1 if given else table.players
    for seat in range(evaluated):
        work.chips[seat] = 0
    for board in range(table.boards):
        cards = work.deck[table.players * hole + 5 * board :]
        _value(tables, lines, table, work, cards, hole)
        for seat in range(evaluated):
            work.chips[seat] += _chips(table, work, work.place[seat], callers)
    for seat in range(evaluated):
        sums = won.sums[work.type[seat]]
        chips = work.chips[seat]
        sums[0] += 1
        sums[1] += chips
        sums[2] += chips * chips


@jit
def _take_places(table: Any, work: Any, hole: int) -> int:
    """Look up the classes of the hands, order callers first; return the number of callers."""
    callers = 0
    for seat in range(table.players):
        entry = int(table.entry[_number(table, work.deck[seat * hole :], hole)])
        work.type[seat] = entry >> 1
        callers += entry & 1
        work.place[seat] = entry & 1
    calling = 0
    for seat in range(table.players):
        calls = work.place[seat]
        work.place[seat] = calling if calls else callers + seat - calling
        calling += calls
    return callers


@jit
def _number(table: Any, hand: Any, hole: int) -> int:
    """The index of a hand among sets of ``hole`` cards, whatever the order of its cards."""
    number = 0
    for one in range(hole):
        smaller = 0
        for other in range(hole):
            smaller += hand[other] < hand[one]
        number += table.choose[smaller, hand[one]]
    return number


@jit
def _value(tables: Any, lines: Any, table: Any, work: Any, board: Any, hole: int) -> None:
    """Value all hands on a board."""
    number = board_number(tables, board)
    low_set = tables.low_set[number] if table.low else 0
    suit = flush_suit(board)
    # Without a flush the line is not used; any will do.
    flush = lines.flush[suited_number(tables, board, suit) if suit >= 0 else 0]
    fill_lines(lines, work, lines.high[number], flush, suit, low_set)
    pairs = hole * (hole - 1) // 2
    for seat in range(table.players):
        place = work.place[seat]
        work.high[place] = best(work.high_line, work.code[seat], pairs)
        work.low[place] = best(work.low_line, work.code[seat], pairs) if low_set else 0


@jit
def _chips(table: Any, work: Any, mine: int, callers: int) -> int:
    """What the hand at a place wins on a board, over all blinds."""
    high = work.high[mine]
    low = work.low[mine]
    best_high = 0
    sharing = 1
    best_low = 0
    sharing_low = 1
    for place in range(callers):
        if place != mine:
            sharing = _sharing(work.high[place], best_high, sharing)
            best_high = max(best_high, work.high[place])
            if table.low:
                sharing_low = _sharing(work.low[place], best_low, sharing_low)
                best_low = max(best_low, work.low[place])
    # The number that share, this hand included.
    sharing = sharing + 1 if high == best_high else 1
    sharing_low = sharing_low + 1 if low == best_low else 1
    wins_high = high >= best_high
    wins_low = low > 0 and low >= best_low
    if not (wins_high or wins_low):
        return 0
    others = callers - (mine < callers)
    # Of the hands that fold, those it beats and those it ties; for the high separately
    # where a low takes half of the pot.
    there = max(low, best_low) > 0
    beaten = 0
    same = 0
    beaten_half = 0
    same_half = 0
    beaten_low = 0
    same_low = 0
    for place in range(callers, table.players):
        below_mine = int(work.high[place] < high)
        like_mine = int(work.high[place] == high)
        beaten += below_mine
        same += like_mine
        if table.low:
            half = int(there or work.low[place] > 0)
            beaten_half += below_mine & half
            same_half += like_mine & half
            beaten_low += work.low[place] < low
            same_low += work.low[place] == low
    if mine >= callers:
        same -= 1
        same_half -= there
        same_low -= 1
    # If the blind is one of the callers, no hand joins them.
    pot = 1 + others
    chips = 0
    if wins_high:
        halves = 2 * beaten - beaten_half
        chips += (pot + 1) * halves * (table.share[sharing] // 2)
        halves = 2 * same - same_half
        chips += (pot + 1) * halves * (table.share[sharing + 1] // 2)
        chips += others * pot * (2 - there) * (table.share[sharing] // 2)
    if wins_low:
        chips += (pot + 1) * beaten_low * (table.share[sharing_low] // 2)
        chips += (pot + 1) * same_low * (table.share[sharing_low + 1] // 2)
        chips += others * pot * (table.share[sharing_low] // 2)
    return chips


@jit
def _sharing(value: int, best_value: int, sharing: int) -> int:
    """The number of hands that share the best value, after one more value."""
    if value > best_value:
        return 1
    return sharing + (value == best_value)
