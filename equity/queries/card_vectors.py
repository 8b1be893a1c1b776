"""What the functions of hands, boards and their ranks compute."""

from __future__ import annotations

from itertools import permutations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equity.engine.holdings import holdings_on
from equity.queries.columns import Column
from equity.queries.dealing import Dealing
from equity.queries.frame import Frame
from equity.queries.texts import BoardPattern, RangeText
from equity.queries.vector_table import (
    FLUSH_BOARD,
    Values,
    board_ranks,
    board_suits,
    held_ranks,
    held_twice,
    nth_ranks,
    rank_counts,
    straights,
    vector,
)
from equity.ranges import Range, parse, select_ordering
from equity.ranges.combos import leaf_marks
from equity.ranges.hands import hand_space
from equity.ranges.lines import HoldingReader, hand_leaves
from equity.ranges.orderings import DEFAULT
from equity.ranges.tree import RANK_VARIABLES, SUIT_VARIABLES, Node, Union
from equity.rules.cards import RANKS, SUITS
from equity.rules.ranks import RANK_COUNT

__all__ = ["reads_boards"]

_PERCENT = 100
#: Boards on which a hand is looked up at once.
MOST_BOARDS = 1 << 16


# Hands


@vector("overpair")
def _overpair(frame: Frame, player: int, size: int) -> Values:
    top = nth_ranks()[1][board_ranks(frame, size)[0]]
    return held_twice(frame, player) >> (top + 1) > 0


@vector("pocketPair")
def _pocket_pair(frame: Frame, player: int) -> Values:
    return held_twice(frame, player) > 0


@vector("cardsPlay")
def _cards_play(frame: Frame, player: int, size: int) -> Values:  # noqa: ARG001 - always two
    return np.full(1, 2)


@vector("handRankingFor")
def _ranking_for(frame: Frame, player: int, name: str) -> Column:
    game = frame.dealing.game
    types = hand_space(game.hole).types
    size = hand_space(game.hole).size

    def find(cards: NDArray[np.uint8]) -> NDArray[np.int64]:
        classes = types.of(hand_space(game.hole).index(cards))
        return select_ordering(name, game).combos_up_to(classes) * _PERCENT

    return Column(frame.per_hand(player, ("ranking", name), find), size)


@vector("handRanking")
def _ranking(frame: Frame, player: int) -> Any:
    return _ranking_for(frame, player, frame.dealing.ordering or DEFAULT)


@vector("inRange")
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
        if reads_boards(frame.dealing, player, text) and len(every) <= MOST_BOARDS:
            return _on_boards(frame, part.hand(player)[0], text, every)[of]
        order = np.argsort(of, kind="stable")
        ends = np.searchsorted(of[order], np.arange(len(every) + 1))
        for at, board in enumerate(every.tolist()):
            rows = order[ends[at] : ends[at + 1]]
            found[rows] = _among(part, text, tuple(board), part.hand(player)[rows])
        return found

    return frame.once(
        ("in range", player, text, size), lambda: frame.of_runs((player,), size, find)
    )


def reads_boards(dealing: Dealing, player: int, text: RangeText) -> bool:
    """Whether a player's hand, a known one, is looked up in a range on many boards at once."""
    return text.reads_boards and dealing.sizes[dealing.seats.index(player)] == 1


class _Lookup(NamedTuple):
    """A range that is read on boards, and what is known of a hand before the board is."""

    node: Node
    bits: dict[Node, int]
    mark: int


def _on_boards(
    frame: Frame, hand: NDArray[np.uint8], text: RangeText, boards: NDArray[np.uint8]
) -> Values:
    """On which boards a hand is in a range that is read on the board."""
    game, name = frame.dealing.game, frame.dealing.ordering

    def prepare() -> _Lookup:
        tree = parse(text.text, game)
        named = hand_leaves(tree)
        chosen = None if name is None else select_ordering(name, game)
        number = hand_space(game.hole).index(hand[np.newaxis])
        mark = int(leaf_marks(named, number, game, chosen)[0]) if named else 0
        node = Union(tuple(part.node for part in tree.parts))
        return _Lookup(node, {leaf: bit for bit, leaf in enumerate(named)}, mark)

    lookup: _Lookup = frame.shared.table(("on boards", hand.tobytes(), text), prepare)
    holdings, row = holdings_on(hand.tolist(), game, boards.astype(np.uint8), lookup.mark)
    found = np.zeros(len(boards), np.bool_)
    found[row] = HoldingReader(holdings, lookup.bits).mask(lookup.node)
    return found


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


@vector("boardInRange")
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


@vector("boardRanks")
def _board_ranks(frame: Frame, size: int) -> Values:
    return board_ranks(frame, size)[0]


@vector("duplicatedBoardRanks")
def _board_pairs(frame: Frame, size: int) -> Values:
    return board_ranks(frame, size)[1]


@vector("boardSuitCount")
def _suit_count(frame: Frame, size: int) -> Values:
    return sum((count > 0).astype(np.int64) for count in board_suits(frame, size))


def _most_of_suit(frame: Frame, size: int) -> Values:
    return np.max(board_suits(frame, size), axis=0)


@vector("flushingBoard")
def _flushing(frame: Frame, size: int) -> Values:
    return _most_of_suit(frame, size) >= FLUSH_BOARD


@vector("monotoneBoard")
def _monotone(frame: Frame, size: int) -> Values:
    return _suit_count(frame, size) == 1


@vector("twoToneBoard")
def _two_tone(frame: Frame, size: int) -> Values:
    return _suit_count(frame, size) == 2


@vector("rainbowBoard")
def _rainbow(frame: Frame, size: int) -> Values:
    return _most_of_suit(frame, size) == 1


@vector("pairedBoard")
def _paired(frame: Frame, size: int) -> Values:
    return board_ranks(frame, size)[1] > 0


@vector("straightBoard")
def _straight(frame: Frame, size: int) -> Values:
    return straights()[board_ranks(frame, size)[0]]


@vector("turnCard")
def _turn(frame: Frame) -> Values:
    return frame.board(4)[:, 3]


@vector("riverCard")
def _river(frame: Frame) -> Values:
    return frame.board(5)[:, 4]


# Sets of ranks


@vector("handRanks")
def _hand_ranks(frame: Frame, player: int, size: int) -> Values:  # noqa: ARG001 - on any street
    return held_ranks(frame, player)


@vector("duplicatedHandRanks")
def _hand_pairs(frame: Frame, player: int, size: int) -> Values:  # noqa: ARG001 - on any street
    return held_twice(frame, player)


@vector("intersectingHandRanks")
def _common_ranks(frame: Frame, player: int, size: int) -> Values:
    return held_ranks(frame, player) & board_ranks(frame, size)[0]


@vector("nonIntersectingHandRanks")
def _other_ranks(frame: Frame, player: int, size: int) -> Values:
    return held_ranks(frame, player) & ~board_ranks(frame, size)[0]


@vector("handBoardIntersections")
def _intersections(frame: Frame, player: int, size: int) -> Values:
    return rank_counts()[_common_ranks(frame, player, size)]


def _holds_nth(frame: Frame, player: int, size: int, place: int) -> Values:
    rank = nth_ranks()[place][board_ranks(frame, size)[0]]
    return (rank >= 0) & ((held_ranks(frame, player) >> np.maximum(rank, 0)) & 1 == 1)


@vector("hasTopBoardRank")
def _has_top(frame: Frame, player: int, size: int) -> Values:
    return _holds_nth(frame, player, size, 1)


@vector("hasSecondBoardRank")
def _has_second(frame: Frame, player: int, size: int) -> Values:
    return _holds_nth(frame, player, size, 2)


def _existing(ranks: Values) -> Column:
    """Ranks as a column, -1 for none."""
    valid = ranks >= 0
    return Column(np.maximum(ranks, 0), 1, None if valid.all() else valid)


@vector("maxRank")
def _max_rank(_: Frame, ranks: Column) -> Column:
    return _existing(nth_ranks()[1][ranks.data])


@vector("minRank")
def _min_rank(_: Frame, ranks: Column) -> Column:
    return _existing(nth_ranks()[rank_counts()[ranks.data], ranks.data])


@vector("nthRank")
def _nth_rank(_: Frame, place: Column, ranks: Column) -> Column:
    at = place.data
    inside = (at >= 1) & (at <= RANK_COUNT)
    found = nth_ranks()[np.where(inside, at, 0).astype(np.int64), ranks.data]
    column = _existing(np.where(inside, found, -1))
    if place.valid is None:
        return column
    valid = place.valid if column.valid is None else place.valid & column.valid
    return column._replace(valid=valid)


@vector("rankCount")
def _rank_count(_: Frame, ranks: Column) -> Values:
    return rank_counts()[ranks.data]
