"""Samples deals of ranges (Monte Carlo) and tallies them.

Every valid deal (a hand for each seat, a board, no card twice) must come up in
proportion to the product of the weights of its hands.  Hands and board are drawn
independently, and a deal is rejected if a card comes twice.  So the accepted deals
have the right distribution, and an estimate is a ratio of two sums.

Many deals share parts, which is cheap and introduces no bias:

- A draw takes several boards by systematic sampling: at equal distances, from a
  random start, in a list of all boards sorted so that neighbours play alike.  Each
  board on its own is uniform; together they have less variance.
- Hands are drawn from each list in the same way, some for each board; the boards
  of a draw rotate through sets of them.  All combinations of a board's hands are
  deals.
- Seats that can hold any hand are dealt from the rest of the deck, which is cut into
  hands.  Which of these a deal uses depends only on which of them do not conflict
  with it, and that is equally likely for each choice from the lists.

Draws are independent, so standard errors come from sums over draws.  Deals have no
weights: lists are sampled by weight, and a deal counts once.
"""

from __future__ import annotations

from typing import Any

from equity.kernels.comparing import MANY, combine, compare, count_losers, count_two, only_free
from equity.kernels.dealing import (
    deal_board,
    fill_pool,
    free_hands,
    pick,
    prepare,
    shuffle,
    touch,
    turn_deck,
    value_hands,
)
from equity.kernels.jit import jit
from equity.kernels.random import HALF, LOW_HALF, far_below
from equity.kernels.sampling_records import EVENTS, MAIN_PART_COUNT, POT_SHARES

#: Positions of statistics.
EQUITY = POT_SHARES.index("equity")
HIGH = POT_SHARES.index("high")
LOW = POT_SHARES.index("low")
#: The tie follows the win.
HIGH_WIN = len(POT_SHARES) + EVENTS.index("high_win")
LOW_WIN = len(POT_SHARES) + EVENTS.index("low_win")
NO_LOW = len(POT_SHARES) + EVENTS.index("no_low")
OTHER = len(POT_SHARES) + EVENTS.index("other")
PARTS = len(POT_SHARES) + len(EVENTS)


@jit
def sample(tables: Any, lines: Any, draw: Any, lists: Any, work: Any, result: Any) -> None:
    """Tally ``draw.draws`` draws.

    ``result.counts[seat, h, l]`` becomes the number of deals in which ``h``
    seats share the high, this one included, and ``l`` the low, as in a tally;
    ``sums`` and ``moments`` are the moments for standard errors.  The records are
    declared in :mod:`equity.kernels.sampling_records`.
    """
    result.counts[:] = 0
    result.sums[:] = 0
    result.moments[:] = 0
    work.steps[0] = 0
    work.state[0] = draw.start
    for winners in range(1 << draw.players):
        work.single[winners] = draw.players if winners == 0 else MANY
    for seat in range(draw.players):
        work.single[1 << seat] = seat
    for at in range(draw.cards):
        work.deck[at] = draw.deck[at]
    free = draw.players - lists.count
    two = draw.players == 2 and lists.count > 0 and not draw.anew
    for number in range(draw.draws):
        work.counts[:] = 0
        work.deals[:] = 0
        work.solo[:] = 0
        work.outcome[:] = 0
        for source in range(lists.count):
            fill_pool(lines, draw, lists, work, source)
        if free:
            shuffle(draw, work)
        start = far_below(draw, work, lists.weight[0])
        # In a loop of its own over all boards, so that their table rows are prefetched.
        touched = 0
        for at in range(draw.boards):
            which = number % draw.board_count
            if not draw.survey:
                which = pick(draw, lists, work, 0, at, lists.weight[0] // draw.boards, start)
            work.board_class[at] = which
            touched ^= touch(lines.high[draw.board_number[which]])
        work.touched[0] = touched
        for at in range(draw.boards):
            deal_board(tables, lines, draw, work, work.board_class[at], at)
        for at in range(draw.boards):
            taken = work.board_taken[at] & ~draw.held
            prepare(lines, work, at)
            for source in range(lists.count):
                value_hands(draw, work, source, at, taken)
            if free:
                turn_deck(draw, work, taken)
                if not draw.anew:
                    free_hands(lines, draw, work, lists.count, 0)
            if two:
                compare(work, work.taken[1], work.high[1], work.low[1], work.number[1])
            elif lists.count:
                combine(lines, draw, lists, work)
            else:
                only_free(draw, work)
        if two:
            count_two(work)
        else:
            count_losers(draw, lists, work)
        _close(draw, work, result, number)


@jit
def _close(draw: Any, work: Any, result: Any, number: int) -> None:
    """Add a finished draw to the result."""
    nobody = draw.players + 1
    deals = 0
    for high in range(nobody):
        for low in range(nobody + 1):
            deals += work.counts[0, high, low]
    result.sums[0] += deals
    if draw.survey:
        result.deals[number % draw.board_count] += deals
    _add_product(result.sums, 1, deals, deals)
    figure = work.figure
    for seat in range(draw.players):
        for at in range(draw.figures):
            figure[at] = 0
        for high in range(nobody):
            for low in range(nobody + 1):
                count = work.counts[seat, high, low]
                if not count:
                    continue
                result.counts[seat, high, low] += count
                whole = draw.pot if low == nobody else draw.pot // 2
                if high:
                    figure[HIGH] += count * (whole // high)
                    figure[HIGH_WIN + (high > 1)] += count
                if low == nobody:
                    figure[NO_LOW] += count
                elif low:
                    figure[LOW] += count * (draw.pot // 2 // low)
                    figure[LOW_WIN + (low > 1)] += count
                figure[draw.part_of[high, low]] += count
        figure[EQUITY] = figure[HIGH] + figure[LOW]
        for at in range(PARTS + MAIN_PART_COUNT, draw.figures):
            figure[OTHER] += figure[at]
        if draw.survey:
            result.won[number % draw.board_count, seat] += figure[EQUITY]
        moments = result.moments[seat]
        for at in range(draw.figures):
            x = figure[at]
            if x:
                moments[at, 0] += x
                _add_product(moments[at], 1, deals, x)
                _add_product(moments[at], 3, x, x)


@jit
def _add_product(target: Any, at: int, one: int, two: int) -> None:
    """Add a product to a sum in two halves, so that neither overflows."""
    product = one * two
    target[at] += product >> HALF
    target[at + 1] += product & LOW_HALF
