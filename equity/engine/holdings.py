"""What a range has on all boards that can come, tallied by board."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from itertools import combinations, permutations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equity import kernels
from equity.engine.executor import in_order, pool, worker_threads
from equity.engine.hand_lists import common_unit, reduced
from equity.engine.sweeping.symmetry import IDENTITY, cards_of, choose, masks, orbits, symmetries
from equity.errors import BoardError, RangeError
from equity.kernels.holdings_records import (
    BITS,
    DEALS,
    FACTS,
    HANDS,
    HOLDINGS,
    LANES,
    RANK_LINES,
    TALLY_HOLDINGS,
)
from equity.kernels.loader import Block
from equity.ranges import Range
from equity.ranges.board_values import PAIR_MASKS
from equity.ranges.boards import Boards, rank_counts
from equity.ranges.hands import hand_space
from equity.ranges.holdings import Holdings
from equity.rules import tables
from equity.rules.cards import DECK_SIZE, SUITS
from equity.rules.games import Game
from equity.rules.ranks import RANK_COUNT

__all__ = ["MOST_MARKS", "holdings_on", "tally_holdings"]

#: All permutations of suits.
_ALL_SUITS = list(permutations(IDENTITY))
#: Marks have so many bits.
MOST_MARKS = 15
#: Hands on boards of one chunk, about.
_CHUNK = 2_000_000
#: Room for the holdings of a chunk and of boards of one number, at first.
_ROOM = 1 << 16
_USED_ROOM = 1 << 12
#: Boards are numbered by 16 bits.
_MOST_BOARDS = 1 << 16
_MOST_WEIGHT = float(1 << 62)

Masks = NDArray[np.int64]


def tally_holdings(
    hands: Range,
    board: Sequence[int] = (),
    dead: Sequence[int] = (),
    size: int = 3,
    marks: NDArray[np.int64] | None = None,
    *,
    threads: int | None = None,
) -> Holdings:
    """Tally what the hands of a range have on all boards of a size.

    Boards that a permutation of suits maps to each other are one board.  Nothing is
    sampled, and the sums are exact; weights are divided by their greatest common divisor.

    Parameters
    ----------
    hands:
        The range; hands that hold a known card do not count.
    board, dead:
        Known card ids.
    size:
        The cards of a board, 3 to 5.
    marks:
        (len(hands),) numbers of :data:`MOST_MARKS` bits by which hands are told apart.
    threads:
        How many threads work; None means all processors.

    Raises
    ------
    RangeError
        The weights are too large to be added up.
    BoardError
        There are more than 65,536 boards.
    """
    group = symmetries(np.zeros(0, np.int64), np.zeros(0, np.int64), [board, dead])
    classes = _classes(hands, (*board, *dead), group, marks)
    dealt, number, boards = _boards(board, dead, size)
    if float(classes.weight.sum(dtype=np.float64)) * len(dealt) > _MOST_WEIGHT:
        raise RangeError("the weights are too large to be added up", hint="give smaller ones")
    return _tallied(hands.game, boards, dealt, number, classes, threads=worker_threads(threads))


def holdings_on(
    hand: Sequence[int], game: Game, boards: NDArray[np.uint8], mark: int = 0
) -> tuple[Holdings, NDArray[np.intp]]:
    """What one hand has on each of some boards.

    Parameters
    ----------
    hand:
        Card ids.
    game:
        The game.
    boards:
        (n, 3 to 5) card ids, at most 65,536 boards.
    mark:
        What else is known of the hand, as in :func:`tally_holdings`.

    Returns
    -------
    The holdings, and the row of ``boards`` that each is on.  A board that holds a card of the
    hand has none.
    """
    # Boards with the same ranks stand together.
    order = np.argsort(Boards(boards).which, kind="stable")
    sorted_boards = np.ascontiguousarray(boards[order])
    some = Boards(sorted_boards)
    classes = _Classes(np.array([hand], np.uint8), np.ones(1, np.int64), np.array([mark], np.int64))
    number = np.arange(len(boards), dtype=np.uint16)
    found = _tallied(game, some, masks(sorted_boards), number, classes, threads=1)
    return found, order[found.board]


def _tallied(
    game: Game,
    boards: Boards,
    dealt: Masks,
    number: NDArray[np.uint16],
    classes: _Classes,
    *,
    threads: int,
) -> Holdings:
    """Run the kernel over all boards; the holdings by the number of the board."""
    work = _Work(game, boards, dealt, number, classes)
    cuts = work.cuts()
    with pool(None, min(threads, len(cuts))) as workers:
        parts = [part for done in in_order(workers, work.run, cuts, 2 * threads) for part in done]
    if not parts:
        parts = [(np.zeros(0, np.uint16), np.zeros(0, np.int64), np.zeros(0, np.int64))]
    of, key, weight = (np.concatenate([part[at] for part in parts]) for at in range(3))
    mark = key
    facts: dict[str, NDArray[Any]] = {}
    for name, bits in zip(reversed(FACTS), reversed(BITS), strict=True):
        values = mark & ((1 << bits) - 1)
        facts[name] = values.astype(np.bool_ if bits == 1 else np.uint16 if bits > 8 else np.uint8)
        mark = mark >> bits
    return Holdings(game, boards, board=of, facts=facts, weight=weight, mark=mark)


class _Classes(NamedTuple):
    """Hands, one for all that suits do not tell apart, with the weight of these."""

    cards: NDArray[np.uint8]
    weight: NDArray[np.int64]
    mark: NDArray[np.int64]


def _classes(
    hands: Range, known: Sequence[int], group: Sequence[Any], marks: NDArray[np.int64] | None
) -> _Classes:
    """The live hands of a range, up to the permutations of suits in a group."""
    space = hand_space(hands.game.hole)
    if not known and marks is None and len(hands) > 1:
        number, _, sums = hands.class_sums
        cards = space.hands(space.types.first(number))
        return _Classes(cards, sums // common_unit(hands.weights), np.zeros(len(sums), np.int64))
    index, weights = hands.index.astype(np.int64), reduced(hands.weights)
    mark = np.zeros(len(index), np.int64) if marks is None else marks
    if known:
        live = space.avoiding(known)[index]
        index, weights, mark = index[live], weights[live], mark[live]
    if len(index) > 1 and len(group) == len(_ALL_SUITS):
        of, name = space.types.of(index), space.types.first
    elif len(index) > 1 and len(group) > 1:
        of = orbits(masks(space.hands(index)), group)
        name = None
    else:
        return _Classes(space.hands(index), np.ascontiguousarray(weights), mark)
    if marks is None:
        key, which = np.unique(of, return_inverse=True)
        marked = np.zeros(len(key), np.int64)
    else:
        both = np.stack([of, mark], axis=1)
        pairs, which = np.unique(both, axis=0, return_inverse=True)
        which = which.reshape(-1)
        key, marked = pairs[:, 0], pairs[:, 1]
    weight = np.zeros(len(key), np.int64)
    np.add.at(weight, which, weights)
    cards = cards_of(key, space.cards)[:, ::-1] if name is None else space.hands(name(key))
    return _Classes(np.ascontiguousarray(cards), weight, marked)


def _boards(
    board: Sequence[int], dead: Sequence[int], size: int
) -> tuple[Masks, NDArray[np.uint16], Boards]:
    """All boards, the number of the canonical board of each, ascending, and these."""
    gone = {*board, *dead}
    live = np.array([card for card in range(DECK_SIZE) if card not in gone], np.int64)
    dealt: Masks = choose(live, size - len(board)) | sum(1 << card for card in board)
    canonical, number = np.unique(orbits(dealt, _ALL_SUITS), return_inverse=True)
    if len(canonical) > _MOST_BOARDS:
        raise BoardError(
            f"{len(canonical):,} boards of {size} cards",
            place="board",
            hint="give a flop, for turns and rivers",
        )
    cards = cards_of(canonical, size)
    # Those with the same ranks stand together.
    order = np.argsort(Boards(cards).which, kind="stable")
    place = np.empty(len(order), np.uint16)
    place[order] = np.arange(len(order))
    numbers = place[number]
    by_number = np.argsort(numbers, kind="stable")
    return dealt[by_number], numbers[by_number], Boards(cards[order])


class _Work:
    """The blocks of the kernel; chunks are runs of boards, cut where a number begins."""

    def __init__(
        self,
        game: Game,
        boards: Boards,
        dealt: Masks,
        number: NDArray[np.uint16],
        classes: _Classes,
    ) -> None:
        self.number = number
        self.hands = len(classes.cards)
        self.lines = _line_block(game, boards)
        self.deals = _deal_values(boards, dealt, number)
        self.hand_block, self.rows = _hand_block(classes)
        self._own = threading.local()

    def cuts(self) -> list[tuple[int, int]]:
        """The first board of each chunk and the one after its last."""
        starts = np.flatnonzero(np.diff(self.number.astype(np.int64), prepend=-1))
        total = len(self.number)
        wanted = np.arange(0, total, max(1, _CHUNK // max(1, self.hands)))
        first = np.unique(starts[np.searchsorted(starts, wanted, side="right") - 1]).tolist()
        return list(zip(first, [*first[1:], total], strict=True))

    def run(self, cut: tuple[int, int]) -> list[tuple[NDArray[Any], ...]]:
        """The numbers, keys and weights of a chunk; in several parts if they are many."""
        board, stop = cut
        own = self._own
        if not hasattr(own, "found"):
            own.room, own.used_room = _ROOM, _USED_ROOM
            own.found = self._room(own.room, own.used_room)
        parts = []
        while board < stop:
            values = own.found.values
            values["next"][0], values["count"][0] = board, 0
            deals = Block(DEALS, {**self.deals, "stop": stop})
            TALLY_HOLDINGS(kernels.table_block(), self.lines, deals, self.hand_block, own.found)
            board, count = int(values["next"][0]), int(values["count"][0])
            if count:
                parts.append(
                    tuple(values[name][:count].copy() for name in ("number", "key", "weight"))
                )
            elif board < stop:
                own.room, own.used_room = 2 * own.room, 4 * own.used_room
                own.found = self._room(own.room, own.used_room)
        return parts

    def _room(self, room: int, used_room: int) -> Block:
        room = max(room, used_room)
        return Block(
            HOLDINGS,
            {
                "room": room,
                "used_room": used_room,
                "count": np.zeros(1, np.int64),
                "next": np.zeros(1, np.int64),
                "number": np.empty(room, np.uint16),
                "key": np.empty(room, np.int64),
                "weight": np.empty(room, np.int64),
                "best": np.zeros((2, LANES), np.uint8),
                "facts": np.zeros(self.rows, np.int64),
                "slots": np.full(2 * used_room, -1, np.int64),
                "sums": np.zeros(2 * used_room, np.int64),
                "used": np.zeros(used_room, np.int64),
            },
        )


def _line_block(game: Game, boards: Boards) -> Block:
    """What pairs of ranks are worth on the different ranks of boards."""
    lines = len(boards.ranks)
    after = {name: np.zeros((lines, tables.PAIRS, LANES), np.uint8) for name in ("straight", "low")}
    best = {name: np.zeros((lines, LANES), np.uint8) for name in after}
    low = np.zeros((lines, tables.PAIRS), np.uint8)
    known = {} if boards.is_river else {"straight": boards.next_straights}
    if game.low:
        low = np.ascontiguousarray(boards.lows)
        if not boards.is_river:
            known["low"] = boards.next_lows
    for name, values in known.items():
        after[name][:, :, :RANK_COUNT] = values.transpose(0, 2, 1)
        best[name][:, :RANK_COUNT] = values.max(axis=2)
    return Block(
        RANK_LINES,
        {
            "lines": lines,
            "low_game": int(game.low),
            "can_come": int(not boards.is_river),
            "counts": _padded(rank_counts(boards.ranks)),
            "high": np.ascontiguousarray(boards.highs),
            "low": low,
            "next_straight": after["straight"],
            "nut_straight": best["straight"],
            "next_low": after["low"],
            "nut_low": best["low"],
            "pair_mask": np.ascontiguousarray(PAIR_MASKS),
        },
    )


def _deal_values(boards: Boards, dealt: Masks, number: NDArray[np.uint16]) -> dict[str, Any]:
    """The values of the record of deals, but for where to stop."""
    every = Boards(cards_of(dealt, boards.size))
    draws = every.draw_suits
    tops = np.where(draws, np.int64(1) << 4 * every.missing_tops + np.arange(len(SUITS)), 0).sum(
        axis=1
    )
    return {
        "boards": len(dealt),
        "number": number,
        "line": boards.which[number].astype(np.uint16),
        "mask": dealt,
        "flush_suit": every.flush_suit.astype(np.int32),
        "flush_mask": every.flush_masks.astype(np.uint16),
        "draws": _bits(draws),
        "backdoors": _bits(every.backdoor_suits),
        "tops": tops,
    }


def _padded(by_rank: NDArray[np.integer]) -> NDArray[np.uint8]:
    """(n, 13) values by rank, with zeros to a whole vector."""
    padded = np.zeros((len(by_rank), LANES), np.uint8)
    padded[:, :RANK_COUNT] = by_rank
    return padded


def _bits(suits: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """(n, 4) suits as bit masks."""
    return (suits @ (1 << np.arange(len(SUITS)))).astype(np.uint8)


def _hand_block(classes: _Classes) -> tuple[Block, int]:
    """The hands as a block, and how many different ranks they have."""
    cards = classes.cards.astype(np.int64)
    ranks = cards // 4
    rows, row = np.unique(ranks @ (RANK_COUNT ** np.arange(ranks.shape[1])), return_inverse=True)
    first = np.zeros(len(rows), np.int64)
    first[row] = np.arange(len(row))
    of_row = ranks[first]
    pair = tables.array("pair")
    pairs = [pair[of_row[:, a], of_row[:, b]] for a, b in combinations(range(cards.shape[1]), 2)]
    suited = np.stack(
        [np.where(cards % 4 == suit, 1 << ranks, 0).sum(axis=1) for suit in range(len(SUITS))],
        axis=1,
    ).astype(np.int32)
    twos = np.stack(
        [np.count_nonzero(cards % 4 == suit, axis=1) >= 2 for suit in range(len(SUITS))], axis=1
    )
    return Block(
        HANDS,
        {
            "classes": len(cards),
            "rows": len(rows),
            "pairs": len(pairs),
            "row": row.astype(np.int32),
            "mask": masks(classes.cards),
            "weight": classes.weight,
            "mark": np.ascontiguousarray(classes.mark),
            "suited": suited,
            "twos": _bits(twos),
            "pair": np.ascontiguousarray(np.stack(pairs, axis=1).astype(np.uint8)),
            "counts": _padded(rank_counts(of_row)),
        },
    ), len(rows)
