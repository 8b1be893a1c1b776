"""What the functions of made hands, of the pot and of equities compute."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equity.queries.columns import Column, compared
from equity.queries.frame import CATEGORIES, NUT_OUTS, NUTS, OUTS, Frame
from equity.queries.vector_table import (
    FLUSH_BOARD,
    VECTORS,
    Values,
    board_ranks,
    board_suits,
    rank_counts,
    suits_of,
    vector,
)
from equity.ranges import Range
from equity.results.tally import POT
from equity.rules import tables
from equity.rules.ranks import high_classes

__all__: list[str] = []

#: Cards of a suit that make a flush.
_FLUSH = 5
_LOW_RANKS = sum(1 << rank for rank in tables.LOW_RANKS)


@cache
def _types() -> NDArray[np.uint8]:
    """The type of each high."""
    return np.array([0, *(high.category for high in high_classes())], np.uint8)


# The pot


def _of_player(name: str) -> Callable[[Frame, int], Values]:
    def find(frame: Frame, player: int) -> Values:
        if len(frame.dealing.seats) == 1:
            return _alone(frame, name)
        return frame.odds(5)[name][:, frame.seat(player)] > 0

    return find


def _alone(frame: Frame, name: str) -> Values:
    """Whether the only player wins."""
    if name == "low_win":
        return frame.low(frame.dealing.seats[0], 5) > 0
    return np.full(frame.count, name in ("win", "scoop"))


for _name, _figure in (
    ("winsHi", "win"),
    ("tiesHi", "tie"),
    ("winsLo", "low_win"),
    ("tiesLo", "low_tie"),
    ("scoops", "scoop"),
):
    VECTORS[_name] = _of_player(_figure)


@vector("riverEquity", "fractionalRiverEquity")
def _river_equity(frame: Frame, player: int) -> Any:
    return _hand_equity(frame, player, 5)


@vector("HvHEquity")
def _hand_equity(frame: Frame, player: int, size: int) -> Column:
    if len(frame.dealing.seats) == 1:
        return Column(np.ones(1, np.int64))
    odds = frame.odds(size)
    runouts = odds["runouts"]
    # All deals have as many runouts, but for patterns of dead cards.
    count = int(runouts[0]) if len(runouts) else 1
    return Column(odds["won"][:, frame.seat(player)], POT * count)


@vector("HvREquity")
def _range_equity(frame: Frame, player: int, size: int, perceived: Range | None = None) -> Column:
    def find(part: Frame) -> Values:
        pairs: list[Any] = [None, None]
        for dead, rows in part.dead():
            cards = tuple(card for card in range(52) if dead >> card & 1)
            values = part.shared.equities.find(
                player, perceived, part.hand(player)[rows], part.board(size)[rows], cards
            )
            for at, value in enumerate(values):
                if pairs[at] is None:
                    pairs[at] = np.zeros(part.count, value.dtype)
                elif value.dtype == object:
                    pairs[at] = pairs[at].astype(object)
                pairs[at][rows] = value
        return np.stack(pairs, axis=1)

    found = frame.once(
        ("range equity", player, size, perceived), lambda: frame.of_runs((player,), size, find)
    )
    valid = found[:, 1] > 0
    den = np.where(valid, found[:, 1], 1)
    return Column(found[:, 0], den, None if valid.all() else valid)


@vector("HvPerceivedRangeEquity")
def _perceived_equity(frame: Frame, player: int, size: int, perceived: Range) -> Any:
    return _range_equity(frame, player, size, perceived)


@vector("minHvHEquity")
def _min_hand_equity(frame: Frame, player: int, size: int, least: Column) -> Values:
    return compared(">=", _hand_equity(frame, player, size), least)


@vector("minHvREquity")
def _min_range_equity(frame: Frame, player: int, size: int, least: Column) -> Values:
    return _at_least(frame, player, size, None, least)


@vector("minHvPerceivedRangeEquity")
def _min_perceived_equity(
    frame: Frame, player: int, size: int, perceived: Range, least: Column
) -> Values:
    return _at_least(frame, player, size, perceived, least)


def _at_least(
    frame: Frame, player: int, size: int, perceived: Range | None, least: Column
) -> Values:
    """Whether an equity against ranges is at least a bound; where it has no value it is not."""
    equities = frame.shared.equities
    compares = equities.is_sampled and equities.is_comparable(player, perceived, size)
    if len(least.data) > 1 or not compares:
        return compared(">=", _range_equity(frame, player, size, perceived), least)
    bound = Fraction(int(least.data[0]), int(least.den))

    def find(part: Frame) -> Values:
        found = np.zeros(part.count, np.bool_)
        for dead, rows in part.dead():
            cards = tuple(card for card in range(52) if dead >> card & 1)
            boards = part.board(size)[rows]
            found[rows] = equities.at_least(player, perceived, bound, boards, cards) == 1
        return found

    return frame.once(
        ("equity at least", player, size, perceived, bound),
        lambda: frame.of_runs((player,), size, find),
    )


# Made hands


@vector("handType")
def _hand_type(frame: Frame, player: int, size: int) -> Values:
    return frame.once(("type", player, size), lambda: _types()[frame.high(player, size)])


@vector("exactHandType")
def _exact_type(frame: Frame, player: int, size: int, wanted: Column) -> Values:
    return _hand_type(frame, player, size) == wanted.data


@vector("minHandType")
def _min_type(frame: Frame, player: int, size: int, wanted: Column) -> Values:
    return _hand_type(frame, player, size) >= wanted.data


@vector("winningHandType")
def _winning_type(frame: Frame) -> Values:
    return _types()[frame.highs(5).max(axis=1)]


@vector("hiRating", "fiveCardHiHandNumber")
def _high(frame: Frame, player: int, size: int) -> Values:
    return frame.high(player, size)


@vector("minHiRating")
def _min_high(frame: Frame, player: int, size: int, least: Column) -> Values:
    return frame.high(player, size) >= least.data


@vector("bestHiRating")
def _best_high(frame: Frame, player: int, size: int) -> Values:
    return frame.high(player, size) == frame.highs(size).max(axis=1)


@vector("maxHiRating")
def _max_high(frame: Frame, size: int) -> Values:
    return frame.highs(size).max(axis=1)


@vector("nutHi")
def _nut_high(frame: Frame, player: int, size: int) -> Values:
    found = frame.facts(NUTS, player, size)
    return found[:, 0] >= found[:, 2]


@vector("nutHiForHandType")
def _nut_of_type(frame: Frame, player: int, size: int) -> Values:
    found = frame.facts(NUTS, player, size)
    return found[:, 0] >= found[:, 3]


@vector("outsToHandType")
def _outs(frame: Frame, player: int, size: int, wanted: Column) -> Values:
    found = frame.facts(OUTS, player, size)
    if len(wanted.data) == 1:
        outs = found[:, 1 + int(wanted.data[0])]
    else:
        outs = found[np.arange(len(found)), 1 + wanted.data.astype(np.int64)]
    return np.where(found[:, 0] < wanted.data, outs, 0)


@vector("minOutsToHandType")
def _min_outs(frame: Frame, player: int, size: int, wanted: Column, least: Column) -> Values:
    return compared(">=", Column(_outs(frame, player, size, wanted)), least)


@vector("nutHiOuts")
def _nut_high_outs(frame: Frame, player: int, size: int) -> Values:
    return frame.facts(NUT_OUTS, player, size)[:, 0]


@vector("flopHandCategory")
def _category(frame: Frame, player: int) -> Values:
    return frame.facts(CATEGORIES, player, 3)[:, 0]


@vector("exactFlopHandCategory")
def _exact_category(frame: Frame, player: int, wanted: Column) -> Values:
    return _category(frame, player) == wanted.data


@vector("minFlopHandCategory")
def _min_category(frame: Frame, player: int, least: Column) -> Values:
    return _category(frame, player) >= least.data


# Flush draws


def _flush_draw(frame: Frame, player: int, size: int, wanted: int) -> Values:
    """Whether some suit has so many cards, and none a flush."""
    held = frame.per_hand(player, "suits", lambda cards: np.stack(suits_of(cards), axis=1))
    has_flush = np.zeros(frame.count, np.bool_)
    found = np.zeros(frame.count, np.bool_)
    for suit, on_board in enumerate(board_suits(frame, size)):
        mine = held[:, suit]
        has_flush |= (mine >= _FLUSH - FLUSH_BOARD) & (on_board >= FLUSH_BOARD)
        both = np.minimum(mine, _FLUSH - FLUSH_BOARD) + on_board
        found |= (mine >= 1) & (both == wanted)
    return found & ~has_flush


@vector("fourFlush")
def _four_flush(frame: Frame, player: int, size: int) -> Values:
    return _flush_draw(frame, player, size, _FLUSH - 1)


@vector("threeFlush")
def _three_flush(frame: Frame, player: int, size: int) -> Values:
    return _flush_draw(frame, player, size, _FLUSH - 2) & ~_four_flush(frame, player, size)


# Lows


@vector("madeLo")
def _made_low(frame: Frame, player: int, size: int) -> Values:
    return frame.low(player, size) > 0


@vector("loRating")
def _low(frame: Frame, player: int, size: int) -> Values:
    return frame.low(player, size)


@vector("minLoRating")
def _min_low(frame: Frame, player: int, size: int, least: Column) -> Values:
    return frame.low(player, size) >= least.data


@vector("bestLoRating")
def _best_low(frame: Frame, player: int, size: int) -> Values:
    low = frame.low(player, size)
    return (low > 0) & (low == frame.lows(size).max(axis=1))


@vector("nutLo")
def _nut_low(frame: Frame, player: int, size: int) -> Values:
    found = frame.facts(NUTS, player, size)
    return (found[:, 1] > 0) & (found[:, 1] >= found[:, 4])


@vector("nutLoOuts")
def _nut_low_outs(frame: Frame, player: int, size: int) -> Values:
    return frame.facts(NUT_OUTS, player, size)[:, 1]


@vector("boardLoCardCount")
def _low_cards(frame: Frame, size: int) -> Values:
    return rank_counts()[board_ranks(frame, size)[0] & _LOW_RANKS]


@vector("boardAllowsMadeLo")
def _allows_low(frame: Frame, size: int) -> Values:
    return _low_cards(frame, size) >= 3


@vector("boardHasOneDistinctLoCard")
def _one_low(frame: Frame, size: int) -> Values:
    return _low_cards(frame, size) == 1


@vector("boardHasTwoDistinctLoCards")
def _two_low(frame: Frame, size: int) -> Values:
    return _low_cards(frame, size) == 2
