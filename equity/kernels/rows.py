"""Solves rows of known hands, each with a board of its own."""

from __future__ import annotations

from typing import Any

from equity.kernels import SPOT
from equity.kernels.jit import jit
from equity.kernels.pair_index import BOARD, board_number, flush_suit
from equity.kernels.runouts import walk
from equity.kernels.transposed import DECK
from equity.kernels.values import best_flush

#: Entry of a board for a card that is not dealt yet.
NO_CARD = 255

#: The type of the records that the walk takes.
Spot = SPOT.type


@jit
def solve_rows(tables: Any, lines: Any, rows: Any, parts: Any, work: Any, result: Any) -> None:
    """Fill the outputs of the rows from ``begin`` up to ``stop``.

    ``rows.fault`` becomes the first row with an invalid or repeated card, where the kernel
    stops, or -1.  The records are declared in :mod:`equity.kernels.rows_records`.
    """
    rows.fault[0] = -1
    for row in range(rows.begin, rows.stop):
        known = _known_cards(rows, row)
        if known < 0:
            rows.fault[0] = row
            return
        hands = rows.hands[row]
        board = rows.boards[row]
        if known == BOARD:
            # A constant number of hole cards lets the compiler unroll the loops.
            if rows.hole == 4:
                _showdown(tables, lines, rows, parts, work, row, 4)
            elif rows.hole == 5:
                _showdown(tables, lines, rows, parts, work, row, 5)
            else:
                _showdown(tables, lines, rows, parts, work, row, 6)
        else:
            spot = Spot(rows.players, rows.hole, known, rows.low_game, rows.dead, hands, board)
            walk(tables, spot, work, result)
            _add_up(rows, parts, result, row)


@jit
def _known_cards(rows: Any, row: int) -> int:
    """The number of board cards of a row, or -1 if a card is invalid or there twice."""
    hands = rows.hands[row]
    board = rows.boards[row]
    seen = rows.dead
    twice = 0
    highest = 0
    for player in range(rows.players):
        for at in range(rows.hole):
            card = int(hands[player, at])
            bit = 1 << (card & 63)
            twice |= seen & bit
            seen |= bit
            highest = max(highest, card)
    known = 0
    while known < BOARD and board[known] != NO_CARD:
        card = int(board[known])
        bit = 1 << (card & 63)
        twice |= seen & bit
        seen |= bit
        highest = max(highest, card)
        known += 1
    for at in range(known, BOARD):
        if board[at] != NO_CARD:
            return -1
    return -1 if twice or highest >= DECK else known


@jit
def _showdown(
    tables: Any, lines: Any, rows: Any, parts: Any, work: Any, row: int, hole: int
) -> None:
    """Fill the outputs of a row with a complete board."""
    best_high, best_low = value_hands(
        tables, lines, rows.boards[row], rows.hands[row], rows.players, rows.low_game, work, hole
    )
    high_share, low_share = count_sharers(work, rows.players, best_high, best_low)
    rows.runouts[row] = 1
    rows.no_low[row] = best_low == 0
    nobody = rows.players + 1
    for player in range(rows.players):
        high = high_share if work.value[player, 0] == best_high else 0
        low = low_of(work, player, rows.players, best_low, low_share)
        high_part = parts.high[high, low]
        low_part = parts.low[low]
        rows.won[row, player] = high_part + low_part
        rows.high_won[row, player] = high_part
        rows.scoop[row, player] = high_part + low_part == parts.pot
        rows.high_win[row, player] = high == 1
        rows.high_tie[row, player] = high > 1
        rows.low_win[row, player] = low == 1
        rows.low_tie[row, player] = 1 < low < nobody


@jit
def count_sharers(work: Any, players: int, best_high: int, best_low: int) -> Any:
    """How many players share the high and the low, given the values of their hands."""
    high_share = 0
    low_share = 0
    for player in range(players):
        high_share += work.value[player, 0] == best_high
        low_share += best_low > 0 and work.value[player, 1] == best_low
    return high_share, low_share


@jit
def low_of(work: Any, player: int, players: int, best_low: int, low_share: int) -> int:
    """How many players share the low with one: 0 if they lost it, ``players + 1`` for none."""
    if best_low == 0:
        return players + 1
    return low_share if work.value[player, 1] == best_low else 0


@jit
def value_hands(
    tables: Any,
    lines: Any,
    board: Any,
    hands: Any,
    players: int,
    low_game: int,
    work: Any,
    hole: int,
) -> Any:
    """Value the hands of all players on a complete board; the best high and low.

    ``work.value[player]`` becomes their high and low.
    """
    number = board_number(tables, board)
    high_line = lines.high[number]
    low_set = tables.low_set[number]
    low_line = lines.low[low_set]
    has_low = low_game and low_set
    suit = flush_suit(board)
    best_high = 0
    best_low = 0
    for player in range(players):
        hand = hands[player]
        high = 0
        low = 0
        for one in range(1, hole):
            pairs = tables.pair[hand[one] >> 2]
            for other in range(one):
                pair = pairs[hand[other] >> 2]
                high = max(high, int(high_line[pair]))
                if has_low:
                    low = max(low, int(low_line[pair]))
        if suit >= 0:
            high = max(high, best_flush(tables, hand, board, suit, hole))
        work.value[player, 0] = high
        work.value[player, 1] = low
        best_high = max(best_high, high)
        best_low = max(best_low, low)
    return best_high, best_low


@jit
def _add_up(rows: Any, parts: Any, result: Any, row: int) -> None:
    """Fill the outputs of a row from its tally."""
    counts = result.counts
    nobody = rows.players + 1
    for player in range(rows.players):
        runouts = 0
        no_low = 0
        won = 0
        high_won = 0
        scoop = 0
        high_win = 0
        high_tie = 0
        low_win = 0
        low_tie = 0
        for high in range(rows.players + 1):
            for low in range(rows.players + 2):
                count = counts[player, high, low]
                high_part = parts.high[high, low]
                part = high_part + parts.low[low]
                runouts += count
                won += count * part
                high_won += count * high_part
                scoop += count if part == parts.pot else 0
                high_win += count if high == 1 else 0
                high_tie += count if high > 1 else 0
                low_win += count if low == 1 else 0
                low_tie += count if 1 < low < nobody else 0
                no_low += count if low == nobody else 0
        rows.runouts[row] = runouts
        rows.no_low[row] = no_low
        rows.won[row, player] = won
        rows.high_won[row, player] = high_won
        rows.scoop[row, player] = scoop
        rows.high_win[row, player] = high_win
        rows.high_tie[row, player] = high_tie
        rows.low_win[row, player] = low_win
        rows.low_tie[row, player] = low_tie
