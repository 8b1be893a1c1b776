"""What each function computes, for all deals of a block at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equity.queries.columns import Column, compared
from equity.queries.frame import CATEGORIES, NUT_OUTS, NUTS, OUTS, Frame
from equity.queries.functions import FUNCTIONS
from equity.queries.texts import BoardPattern, RangeText
from equity.ranges import Range, select_ordering
from equity.ranges.hands import hand_space
from equity.ranges.orderings import DEFAULT
from equity.ranges.tree import RANK_VARIABLES, SUIT_VARIABLES
from equity.results.tally import POT
from equity.rules import tables
from equity.rules.cards import RANKS, SUITS
from equity.rules.ranks import RANK_COUNT, high_classes

__all__ = ["VECTORS", "compute"]

#: An array with an entry for each deal.
Values = Any
#: Cards of a suit that make a flush, and of it on the board.
_FLUSH, _FLUSH_BOARD = 5, 3
_PERCENT = 100
_LOW_RANKS = sum(1 << rank for rank in tables.LOW_RANKS)

VECTORS: dict[str, Callable[..., Any]] = {}


def compute(frame: Frame, name: str, arguments: list[Any]) -> Column:
    """The values of a function."""
    found = VECTORS[name](frame, *arguments)
    return found if isinstance(found, Column) else Column(np.asarray(found))


def _vector(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Enter a function into the table by the names of its rows."""

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        for name in names:
            if name not in FUNCTIONS and name.lower() not in FUNCTIONS:
                raise KeyError(name)
            VECTORS[name] = function
        return function

    return enter


# Lookup tables over the bit masks of ranks


@cache
def _counts() -> NDArray[np.int64]:
    """How many ranks each mask has."""
    return np.bitwise_count(np.arange(1 << RANK_COUNT)).astype(np.int64)


@cache
def _nth() -> NDArray[np.int64]:
    """(14, masks): the n-th highest rank of each mask, -1 if there is none."""
    masks = np.arange(1 << RANK_COUNT)
    found = np.full((RANK_COUNT + 1, len(masks)), -1, np.int64)
    seen = np.zeros(len(masks), np.int64)
    for rank in range(RANK_COUNT - 1, -1, -1):
        holds = (masks >> rank) & 1 == 1
        seen += holds
        rows = np.flatnonzero(holds)
        found[seen[rows], rows] = rank
    return found


@cache
def _straights() -> NDArray[np.bool_]:
    """Whether three ranks of each mask lie in one straight."""
    masks = np.arange(1 << RANK_COUNT)
    straights = tables.array("straight").astype(np.int64)
    found: NDArray[np.bool_] = np.any(_counts()[masks[:, None] & straights] >= _FLUSH_BOARD, axis=1)
    return found


@cache
def _types() -> NDArray[np.uint8]:
    """The type of each high."""
    return np.array([0, *(high.category for high in high_classes())], np.uint8)


# Ranks and suits


def _ranks(cards: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Masks of the ranks that rows of cards have, and have twice."""
    held = np.zeros(len(cards), np.int64)
    twice = np.zeros(len(cards), np.int64)
    for column in cards.T:
        bit = np.int64(1) << (column >> 2).astype(np.int64)
        twice |= held & bit
        held |= bit
    return held, twice


def _suits(cards: NDArray[np.uint8]) -> list[NDArray[np.int64]]:
    """How many cards of each suit rows have."""
    packed = np.zeros(len(cards), np.int64)
    for column in cards.T:
        packed += np.int64(1) << (4 * (column & 3).astype(np.int64))
    return [(packed >> 4 * suit) & 15 for suit in range(len(SUITS))]


def _held(frame: Frame, player: int) -> Values:
    """Ranks of a hand."""
    return frame.per_hand(player, "ranks", lambda cards: _ranks(cards)[0])


def _twice(frame: Frame, player: int) -> Values:
    return frame.per_hand(player, "twice", lambda cards: _ranks(cards)[1])


def _board(frame: Frame, size: int) -> tuple[Values, Values]:
    return frame.once(("board ranks", size), lambda: _ranks(frame.board(size)))


def _board_suits(frame: Frame, size: int) -> list[Values]:
    return frame.once(("board suits", size), lambda: _suits(frame.board(size)))


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


@_vector("riverEquity", "fractionalRiverEquity")
def _river_equity(frame: Frame, player: int) -> Any:
    return _hand_equity(frame, player, 5)


@_vector("HvHEquity")
def _hand_equity(frame: Frame, player: int, size: int) -> Column:
    if len(frame.dealing.seats) == 1:
        return Column(np.ones(1, np.int64))
    odds = frame.odds(size)
    runouts = odds["runouts"]
    # All deals have as many runouts, but for patterns of dead cards.
    count = int(runouts[0]) if len(runouts) else 1
    return Column(odds["won"][:, frame.seat(player)], POT * count)


@_vector("HvREquity")
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


@_vector("HvPerceivedRangeEquity")
def _perceived_equity(frame: Frame, player: int, size: int, perceived: Range) -> Any:
    return _range_equity(frame, player, size, perceived)


@_vector("minHvHEquity")
def _min_hand_equity(frame: Frame, player: int, size: int, least: Column) -> Values:
    return compared(">=", _hand_equity(frame, player, size), least)


@_vector("minHvREquity")
def _min_range_equity(frame: Frame, player: int, size: int, least: Column) -> Values:
    return compared(">=", _range_equity(frame, player, size), least)


@_vector("minHvPerceivedRangeEquity")
def _min_perceived_equity(
    frame: Frame, player: int, size: int, perceived: Range, least: Column
) -> Values:
    return compared(">=", _range_equity(frame, player, size, perceived), least)


# Made hands


@_vector("handType")
def _hand_type(frame: Frame, player: int, size: int) -> Values:
    return frame.once(("type", player, size), lambda: _types()[frame.high(player, size)])


@_vector("exactHandType")
def _exact_type(frame: Frame, player: int, size: int, wanted: Column) -> Values:
    return _hand_type(frame, player, size) == wanted.data


@_vector("minHandType")
def _min_type(frame: Frame, player: int, size: int, wanted: Column) -> Values:
    return _hand_type(frame, player, size) >= wanted.data


@_vector("winningHandType")
def _winning_type(frame: Frame) -> Values:
    return _types()[frame.highs(5).max(axis=1)]


@_vector("hiRating", "fiveCardHiHandNumber")
def _high(frame: Frame, player: int, size: int) -> Values:
    return frame.high(player, size)


@_vector("minHiRating")
def _min_high(frame: Frame, player: int, size: int, least: Column) -> Values:
    return frame.high(player, size) >= least.data


@_vector("bestHiRating")
def _best_high(frame: Frame, player: int, size: int) -> Values:
    return frame.high(player, size) == frame.highs(size).max(axis=1)


@_vector("maxHiRating")
def _max_high(frame: Frame, size: int) -> Values:
    return frame.highs(size).max(axis=1)


@_vector("nutHi")
def _nut_high(frame: Frame, player: int, size: int) -> Values:
    found = frame.facts(NUTS, player, size)
    return found[:, 0] >= found[:, 2]


@_vector("nutHiForHandType")
def _nut_of_type(frame: Frame, player: int, size: int) -> Values:
    found = frame.facts(NUTS, player, size)
    return found[:, 0] >= found[:, 3]


@_vector("outsToHandType")
def _outs(frame: Frame, player: int, size: int, wanted: Column) -> Values:
    found = frame.facts(OUTS, player, size)
    if len(wanted.data) == 1:
        outs = found[:, 1 + int(wanted.data[0])]
    else:
        outs = found[np.arange(len(found)), 1 + wanted.data.astype(np.int64)]
    return np.where(found[:, 0] < wanted.data, outs, 0)


@_vector("minOutsToHandType")
def _min_outs(frame: Frame, player: int, size: int, wanted: Column, least: Column) -> Values:
    return compared(">=", Column(_outs(frame, player, size, wanted)), least)


@_vector("nutHiOuts")
def _nut_high_outs(frame: Frame, player: int, size: int) -> Values:
    return frame.facts(NUT_OUTS, player, size)[:, 0]


@_vector("flopHandCategory")
def _category(frame: Frame, player: int) -> Values:
    return frame.facts(CATEGORIES, player, 3)[:, 0]


@_vector("exactFlopHandCategory")
def _exact_category(frame: Frame, player: int, wanted: Column) -> Values:
    return _category(frame, player) == wanted.data


@_vector("minFlopHandCategory")
def _min_category(frame: Frame, player: int, least: Column) -> Values:
    return _category(frame, player) >= least.data


# Flush draws


def _flush_draw(frame: Frame, player: int, size: int, wanted: int) -> Values:
    """Whether some suit has so many cards, and none a flush."""
    held = frame.per_hand(player, "suits", lambda cards: np.stack(_suits(cards), axis=1))
    has_flush = np.zeros(frame.count, np.bool_)
    found = np.zeros(frame.count, np.bool_)
    for suit, on_board in enumerate(_board_suits(frame, size)):
        mine = held[:, suit]
        has_flush |= (mine >= _FLUSH - _FLUSH_BOARD) & (on_board >= _FLUSH_BOARD)
        both = np.minimum(mine, _FLUSH - _FLUSH_BOARD) + on_board
        found |= (mine >= 1) & (both == wanted)
    return found & ~has_flush


@_vector("fourFlush")
def _four_flush(frame: Frame, player: int, size: int) -> Values:
    return _flush_draw(frame, player, size, _FLUSH - 1)


@_vector("threeFlush")
def _three_flush(frame: Frame, player: int, size: int) -> Values:
    return _flush_draw(frame, player, size, _FLUSH - 2) & ~_four_flush(frame, player, size)


# Hands


@_vector("overpair")
def _overpair(frame: Frame, player: int, size: int) -> Values:
    top = _nth()[1][_board(frame, size)[0]]
    return _twice(frame, player) >> (top + 1) > 0


@_vector("pocketPair")
def _pocket_pair(frame: Frame, player: int) -> Values:
    return _twice(frame, player) > 0


@_vector("cardsPlay")
def _cards_play(frame: Frame, player: int, size: int) -> Values:  # noqa: ARG001 - always two
    return np.full(1, 2)


@_vector("handRankingFor")
def _ranking_for(frame: Frame, player: int, name: str) -> Column:
    game = frame.dealing.game
    types = hand_space(game.hole).types
    size = hand_space(game.hole).size

    def find(cards: NDArray[np.uint8]) -> NDArray[np.int64]:
        classes = types.of(hand_space(game.hole).index(cards))
        return select_ordering(name, game).combos_up_to(classes) * _PERCENT

    return Column(frame.per_hand(player, ("ranking", name), find), size)


@_vector("handRanking")
def _ranking(frame: Frame, player: int) -> Any:
    return _ranking_for(frame, player, frame.dealing.ordering or DEFAULT)


@_vector("inRange")
def _in_range(frame: Frame, player: int, text: RangeText, size: int | None = None) -> Values:
    declared = frame.dealing.known[0].board
    if not text.reads_board:
        return frame.per_hand(player, ("in", text), lambda cards: _among(frame, text, (), cards))
    if size is None:
        board = declared
        return frame.per_hand(player, ("in", text), lambda cards: _among(frame, text, board, cards))

    def find(part: Frame) -> Values:
        found = np.zeros(part.count, np.bool_)
        boards = np.sort(part.board(size), axis=1)
        every, of = np.unique(boards, axis=0, return_inverse=True)
        of = of.reshape(-1)
        order = np.argsort(of, kind="stable")
        ends = np.searchsorted(of[order], np.arange(len(every) + 1))
        for at, board in enumerate(every.tolist()):
            rows = order[ends[at] : ends[at + 1]]
            found[rows] = _among(part, text, tuple(board), part.hand(player)[rows])
        return found

    return frame.once(
        ("in range", player, text, size), lambda: frame.of_runs((player,), size, find)
    )


def _among(
    frame: Frame, text: RangeText, board: tuple[int, ...], cards: NDArray[np.uint8]
) -> Values:
    """Which hands are in a range that is read on a board."""
    game, dead = frame.dealing.game, frame.dealing.known[0].dead

    def find() -> NDArray[np.int32]:
        ordering = frame.dealing.ordering
        return Range(text.text, game, board=board, dead=dead, ordering=ordering).index

    index = find() if text.reads_board else frame.shared.table(("range", text), find)
    numbers = hand_space(game.hole).index(cards)
    if not len(index):
        return np.zeros(len(numbers), np.bool_)
    at = np.minimum(np.searchsorted(index, numbers), len(index) - 1)
    return index[at] == numbers


# Boards


@_vector("boardInRange")
def _board_in_range(frame: Frame, pattern: BoardPattern) -> Values:
    size = len(pattern.places)
    board = frame.board(size)
    found = np.zeros(frame.count, np.bool_)
    for first in set(permutations(pattern.places[:3])):
        found |= _matches(board, (*first, *pattern.places[3:]))
    return found


def _matches(board: NDArray[np.uint8], places: tuple[tuple[str, str], ...]) -> Values:
    """Whether each card fits its place; variables have one value each, and all differ."""
    found = np.ones(len(board), np.bool_)
    for part, names, variables in ((0, RANKS, RANK_VARIABLES), (1, SUITS, SUIT_VARIABLES)):
        bound: dict[str, Any] = {}
        for at, place in enumerate(places):
            sign = place[part]
            value = board[:, at] >> 2 if part == 0 else board[:, at] & 3
            if sign in variables and sign:
                found &= bound.setdefault(sign, value) == value
            elif sign and sign in names:
                found &= value == names.index(sign)
                bound[sign] = np.full(1, names.index(sign))
        signs = list(bound)
        for at, one in enumerate(signs):
            for other in signs[:at]:
                if one in variables or other in variables:
                    found &= bound[one] != bound[other]
    return found


@_vector("boardRanks")
def _board_ranks(frame: Frame, size: int) -> Values:
    return _board(frame, size)[0]


@_vector("duplicatedBoardRanks")
def _board_pairs(frame: Frame, size: int) -> Values:
    return _board(frame, size)[1]


@_vector("boardSuitCount")
def _suit_count(frame: Frame, size: int) -> Values:
    return sum((count > 0).astype(np.int64) for count in _board_suits(frame, size))


def _most_of_suit(frame: Frame, size: int) -> Values:
    return np.max(_board_suits(frame, size), axis=0)


@_vector("flushingBoard")
def _flushing(frame: Frame, size: int) -> Values:
    return _most_of_suit(frame, size) >= _FLUSH_BOARD


@_vector("monotoneBoard")
def _monotone(frame: Frame, size: int) -> Values:
    return _suit_count(frame, size) == 1


@_vector("twoToneBoard")
def _two_tone(frame: Frame, size: int) -> Values:
    return _suit_count(frame, size) == 2


@_vector("rainbowBoard")
def _rainbow(frame: Frame, size: int) -> Values:
    return _most_of_suit(frame, size) == 1


@_vector("pairedBoard")
def _paired(frame: Frame, size: int) -> Values:
    return _board(frame, size)[1] > 0


@_vector("straightBoard")
def _straight(frame: Frame, size: int) -> Values:
    return _straights()[_board(frame, size)[0]]


@_vector("turnCard")
def _turn(frame: Frame) -> Values:
    return frame.board(4)[:, 3]


@_vector("riverCard")
def _river(frame: Frame) -> Values:
    return frame.board(5)[:, 4]


# Sets of ranks


@_vector("handRanks")
def _hand_ranks(frame: Frame, player: int, size: int) -> Values:  # noqa: ARG001 - on any street
    return _held(frame, player)


@_vector("duplicatedHandRanks")
def _hand_pairs(frame: Frame, player: int, size: int) -> Values:  # noqa: ARG001 - on any street
    return _twice(frame, player)


@_vector("intersectingHandRanks")
def _common_ranks(frame: Frame, player: int, size: int) -> Values:
    return _held(frame, player) & _board(frame, size)[0]


@_vector("nonIntersectingHandRanks")
def _other_ranks(frame: Frame, player: int, size: int) -> Values:
    return _held(frame, player) & ~_board(frame, size)[0]


@_vector("handBoardIntersections")
def _intersections(frame: Frame, player: int, size: int) -> Values:
    return _counts()[_common_ranks(frame, player, size)]


def _holds_nth(frame: Frame, player: int, size: int, place: int) -> Values:
    rank = _nth()[place][_board(frame, size)[0]]
    return (rank >= 0) & ((_held(frame, player) >> np.maximum(rank, 0)) & 1 == 1)


@_vector("hasTopBoardRank")
def _has_top(frame: Frame, player: int, size: int) -> Values:
    return _holds_nth(frame, player, size, 1)


@_vector("hasSecondBoardRank")
def _has_second(frame: Frame, player: int, size: int) -> Values:
    return _holds_nth(frame, player, size, 2)


def _existing(ranks: Values) -> Column:
    """Ranks as a column, -1 for none."""
    valid = ranks >= 0
    return Column(np.maximum(ranks, 0), 1, None if valid.all() else valid)


@_vector("maxRank")
def _max_rank(_: Frame, ranks: Column) -> Column:
    return _existing(_nth()[1][ranks.data])


@_vector("minRank")
def _min_rank(_: Frame, ranks: Column) -> Column:
    return _existing(_nth()[_counts()[ranks.data], ranks.data])


@_vector("nthRank")
def _nth_rank(_: Frame, place: Column, ranks: Column) -> Column:
    at = place.data
    inside = (at >= 1) & (at <= RANK_COUNT)
    found = _nth()[np.where(inside, at, 0).astype(np.int64), ranks.data]
    column = _existing(np.where(inside, found, -1))
    if place.valid is None:
        return column
    valid = place.valid if column.valid is None else place.valid & column.valid
    return column._replace(valid=valid)


@_vector("rankCount")
def _rank_count(_: Frame, ranks: Column) -> Values:
    return _counts()[ranks.data]


# Lows


@_vector("madeLo")
def _made_low(frame: Frame, player: int, size: int) -> Values:
    return frame.low(player, size) > 0


@_vector("loRating")
def _low(frame: Frame, player: int, size: int) -> Values:
    return frame.low(player, size)


@_vector("minLoRating")
def _min_low(frame: Frame, player: int, size: int, least: Column) -> Values:
    return frame.low(player, size) >= least.data


@_vector("bestLoRating")
def _best_low(frame: Frame, player: int, size: int) -> Values:
    low = frame.low(player, size)
    return (low > 0) & (low == frame.lows(size).max(axis=1))


@_vector("nutLo")
def _nut_low(frame: Frame, player: int, size: int) -> Values:
    found = frame.facts(NUTS, player, size)
    return (found[:, 1] > 0) & (found[:, 1] >= found[:, 4])


@_vector("nutLoOuts")
def _nut_low_outs(frame: Frame, player: int, size: int) -> Values:
    return frame.facts(NUT_OUTS, player, size)[:, 1]


@_vector("boardLoCardCount")
def _low_cards(frame: Frame, size: int) -> Values:
    return _counts()[_board(frame, size)[0] & _LOW_RANKS]


@_vector("boardAllowsMadeLo")
def _allows_low(frame: Frame, size: int) -> Values:
    return _low_cards(frame, size) >= 3


@_vector("boardHasOneDistinctLoCard")
def _one_low(frame: Frame, size: int) -> Values:
    return _low_cards(frame, size) == 1


@_vector("boardHasTwoDistinctLoCards")
def _two_low(frame: Frame, size: int) -> Values:
    return _low_cards(frame, size) == 2
