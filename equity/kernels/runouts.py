"""Enumerates the runouts of known hands, in classes instead of board by board.

The value of a hand depends on the board's ranks, and on suits only through a flush or a
straight flush.  So boards are counted, not dealt:

1. For each multiset of ranks still to come: how many runouts have it
   (``total``), and how many of those put three or more cards of a suit on the
   board (``suited``), for each suit of which some hand holds two.  Only one
   suit can reach three on a board, so these counts never overlap.
2. A multiset has one set of winners by ranks alone.  If the best hand is a full
   house or better, it beats every flush and wins all its runouts (which assumes
   that a game ranks them so, as all of Omaha do).  If not, the
   suited runouts go to the best flush, and that is the same hand on all of
   them: flushes of two hands on a board share its three best suited cards, so
   the two suited hole cards decide, and the highest of them is in one hand.
3. Only a straight flush breaks this.  A hand makes a given one with exactly two
   hole cards, the other three of the five being on the board; so those runouts
   are counted by what else is on the board, moved out of the counts of step 1
   and given to their winner.  Two hands never tie with straight flushes, each
   would need two of the five cards and the board three.
4. The winners of the low depend on the set of low ranks on the board.

The work is at most 6,188 multisets for any number of players, instead of up to
1,086,008 boards.
"""

from __future__ import annotations

from typing import Any

from equity.kernels.boards import COPIES, RANKS, bits, count_runouts, multiset, ways_of_rank
from equity.kernels.jit import jit

SUITS = 4
#: Copies of each sum, used in turn, so that an addition need not wait for the one
#: before it.
STRIPES = 4
#: Position of the full house in ``tables.category``.
FULL_HOUSE = 6


@jit
def walk(tables: Any, spot: Any, work: Any, result: Any) -> None:
    """Tally the results of known hands over all runouts.

    ``result.counts[player, h, l]`` becomes the number of runouts on which
    ``h`` players share the high, this one included (0: they lost it), and ``l``
    share the low (0: lost; ``players + 1``: nobody has one).  The records are declared
    in :mod:`equity.kernels`.
    """
    suits = _deal(spot, work)
    leaves = count_runouts(tables, spot, work, suits)
    _best_highs(tables, spot, work, leaves)
    lows = _best_lows(tables, spot, work, leaves)
    work.won[: STRIPES * lows << spot.players] = 0
    _straight_flushes(tables, spot, work, suits, lows)
    _award(tables, spot, work, suits, leaves, lows)
    _tally(spot, work, lows, result)


@jit
def _deal(spot: Any, work: Any) -> int:
    """Sort the cards by rank and suit; return the number of suits that matter.

    Fills ``live``, ``held`` and ``known`` (masks of ranks by suit), ``ways`` and,
    per suit that matters, ``suit`` and ``champion``.
    """
    work.held[:] = 0
    work.known[:] = 0
    taken = spot.dead
    for at in range(spot.known):
        card = int(spot.board[at])
        taken |= 1 << card
        work.known[card & 3] |= 1 << (card >> 2)
    for player in range(spot.players):
        for at in range(spot.hole):
            card = int(spot.hands[player, at])
            taken |= 1 << card
            work.held[player, card & 3] |= 1 << (card >> 2)
    deck = ((1 << (RANKS * SUITS)) - 1) & ~taken
    work.live[0] = deck

    suits = 0
    for suit in range(SUITS):
        champion = -1
        top = 0
        for player in range(spot.players):
            held = work.held[player, suit]
            if held & (held - 1) and held > top:
                champion = player
                top = held
        if champion >= 0:
            work.suit[suits] = suit
            work.champion[suits] = champion
            suits += 1

    for rank in range(RANKS):
        live = 0
        for suit in range(SUITS):
            live += (deck >> (rank * 4 + suit)) & 1
        ways_of_rank(work.ways[0], rank, live)
        for at in range(suits):
            inside = (deck >> (rank * 4 + work.suit[at])) & 1
            # Copies of the rank with none, and with one, of the suit.
            ways_of_rank(work.ways[1 + at], rank, live - inside)
            work.inside[at, 0, rank] = 0
            for copies in range(1, COPIES):
                work.inside[at, copies, rank] = inside * work.ways[1 + at, copies - 1, rank]
    return suits


@jit
def _best_highs(tables: Any, spot: Any, work: Any, leaves: int) -> None:
    """Fill ``best`` and ``winners``: the best high by ranks, and who holds it."""
    best = work.best
    for at in range(leaves):
        best[at] = 0
        work.winners[at] = 0
    for player in range(spot.players):
        value = work.value[player]
        for at in range(leaves):
            value[at] = 0
        for first in range(spot.hole):
            for second in range(first):
                row = tables.high[
                    tables.pair[spot.hands[player, first] >> 2, spot.hands[player, second] >> 2]
                ]
                if spot.known:
                    for at in range(leaves):
                        value[at] = max(value[at], row[work.column[at]])
                else:
                    for at in range(leaves):
                        value[at] = max(value[at], row[at])
        for at in range(leaves):
            best[at] = max(best[at], value[at])
    for player in range(spot.players):
        value = work.value[player]
        for at in range(leaves):
            work.winners[at] |= (value[at] == best[at]) << player


@jit
def _best_lows(tables: Any, spot: Any, work: Any, leaves: int) -> int:
    """Number the distinct sets of winners of the low; return how many there are.

    ``low_winners[number]`` is such a set as a bit mask, and number 0 the empty one.
    ``low_number`` maps a leaf's set of low ranks to the number.
    """
    numbers = 1
    work.low_winners[0] = 0
    work.low_number[:] = 0
    if spot.low == 0:
        return numbers
    # Mark the sets that occur; with few runouts to come, few do.
    for leaf in range(leaves):
        work.low_number[tables.low_set[work.column[leaf]]] = 1
    work.low_number[0] = 0
    for low_set in range(1, work.low_number.size):
        if work.low_number[low_set] == 0:
            continue
        best = 0
        winners = 0
        for player in range(spot.players):
            value = 0
            for first in range(spot.hole):
                for second in range(first):
                    pair = tables.pair[
                        spot.hands[player, first] >> 2, spot.hands[player, second] >> 2
                    ]
                    value = max(value, int(tables.low[pair, low_set]))
            if value > best:
                best = value
                winners = 0
            if value == best and value:
                winners |= 1 << player
        number = 0
        while number < numbers and work.low_winners[number] != winners:
            number += 1
        work.low_winners[number] = winners
        work.low_number[low_set] = number
        numbers = max(numbers, number + 1)
    return numbers


@jit
def _straight_flushes(tables: Any, spot: Any, work: Any, suits: int, lows: int) -> None:
    """Award the runouts with a straight flush, and remove them from the counts."""
    ranks = work.ranks
    for at in range(5):
        ranks[at] = spot.board[at] >> 2 if at < spot.known else 0
    for at in range(suits):
        suit = work.suit[at]
        known = work.known[suit]
        live = 0
        for rank in range(RANKS):
            live |= ((work.live[0] >> (rank * 4 + suit)) & 1) << rank
        events = 0
        for straight in range(tables.straight.size):
            window = tables.straight[straight]
            for player in range(spot.players):
                own = work.held[player, suit] & window
                rest = window & ~own
                possible = bits(own) == 2 and rest & ~(known | live) == 0
                if possible and bits(rest & ~known) <= 5 - spot.known:
                    _one_straight_flush(tables, spot, work, at, lows, rest, events, player)
                    work.events[events] = rest
                    events += 1


@jit
def _one_straight_flush(
    tables: Any, spot: Any, work: Any, at: int, lows: int, rest: int, events: int, player: int
) -> None:
    """Award ``player`` the runouts whose suited cards include those of ``rest``.

    Runouts that include an earlier event are excluded: that is a better straight flush.
    """
    suit = work.suit[at]
    known = work.known[suit]
    ranks = work.ranks
    free = work.live[0]
    filled = spot.known
    for rank in range(RANKS):
        if ((rest & ~known) >> rank) & 1:
            ranks[filled] = rank
            filled += 1
            free &= ~(1 << (rank * 4 + suit))
    # What a better event needs besides: nothing, one card, or two cards.
    pairs = 0
    for event in range(events):
        more = work.events[event] & ~(rest | known)
        needed = bits(more)
        if needed == 0:
            return
        for rank in range(RANKS):
            if needed == 1 and (more >> rank) & 1:
                free &= ~(1 << (rank * 4 + suit))
        if needed == 2:
            work.excluded[pairs] = more
            pairs += 1
    for first in range(RANKS):
        ones = (free >> (first * 4)) & 15
        if filled == 5:
            _move(tables, work, at, lows, player, 1)
            return
        ranks[filled] = first
        if filled == 4:
            _move(tables, work, at, lows, player, bits(ones))
            continue
        for second in range(first):
            ranks[4] = second
            count = bits(ones) * bits((free >> (second * 4)) & 15)
            both = (1 << first) | (1 << second)
            for pair in range(pairs):
                if work.excluded[pair] == both:
                    # One runout, if both cards are there to be drawn.
                    count -= (ones >> suit) & (free >> (second * 4 + suit)) & 1
                    break
            _move(tables, work, at, lows, player, count)
        ranks[4] = first
        _move(tables, work, at, lows, player, bits(ones) * (bits(ones) - 1) // 2)


@jit
def _move(tables: Any, work: Any, at: int, lows: int, player: int, count: int) -> None:
    """Remove ``count`` runouts of the ranks ``work.ranks`` from the counts, and award them."""
    number = multiset(tables, work.ranks)
    leaf = work.leaf[number]
    work.total[leaf] -= count
    work.suited[at, leaf] -= count
    work.won[(lows << player) + work.low_number[tables.low_set[number]]] += count


@jit
def _award(tables: Any, spot: Any, work: Any, suits: int, leaves: int, lows: int) -> None:
    """Add every leaf to ``won[winners of the high, number of the low's winners]``.

    A full house beats a flush here, see the module.
    """
    won = work.won
    total = work.total
    full_house = tables.category[FULL_HOUSE]
    number = work.number
    for leaf in range(leaves):
        number[leaf] = 0
    if lows > 1:
        for leaf in range(leaves):
            number[leaf] = work.low_number[tables.low_set[work.column[leaf]]]
    stripe = lows << spot.players
    for at in range(suits):
        suited = work.suited[at]
        for leaf in range(leaves):
            if work.best[leaf] >= full_house:
                suited[leaf] = 0
            total[leaf] -= suited[leaf]
        first = lows << work.champion[at]
        if lows == 1:
            flushes = 0
            for leaf in range(leaves):
                flushes += suited[leaf]
            won[first] += flushes
        else:
            for leaf in range(leaves):
                won[leaf % STRIPES * stripe + first + number[leaf]] += suited[leaf]
    for leaf in range(leaves):
        won[leaf % STRIPES * stripe + work.winners[leaf] * lows + number[leaf]] += total[leaf]


@jit
def _tally(spot: Any, work: Any, lows: int, result: Any) -> None:
    """Convert winners to ``counts[player, sharers of high, sharers of low]``."""
    counts = result.counts
    counts[:] = 0
    for winners in range(1, 1 << spot.players):
        high_share = bits(winners)
        for number in range(lows):
            count = 0
            for stripe in range(STRIPES):
                count += work.won[((stripe << spot.players) + winners) * lows + number]
            if count == 0:
                continue
            low_winners = work.low_winners[number]
            low_share = bits(low_winners)
            for player in range(spot.players):
                high = high_share * ((winners >> player) & 1)
                low = low_share * ((low_winners >> player) & 1)
                if low_winners == 0:
                    low = spot.players + 1
                counts[player, high, low] += count
