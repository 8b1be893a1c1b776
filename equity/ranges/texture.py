"""Made hands and draws of all hands on a board of three to five cards.

All hands with the same ranks stand together in a hand space, and the suits they can have
depend on where ranks repeat alone.  So what depends on the ranks of a hand is found once for
each ranks, what depends on which of its cards are of one suit once for each ranks and each
choice of cards, and both are spread over the hands at the end.
"""

from __future__ import annotations

from functools import cache, cached_property
from itertools import combinations
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from equity.errors import CardCountError
from equity.ranges import board_values
from equity.ranges.hands import hand_space
from equity.rules import tables
from equity.rules.cards import SUITS, Cards, check_distinct, parse_cards
from equity.rules.games import BOARD_SIZE, FLOP_SIZE, Game, find_game
from equity.rules.ranks import FLUSH, RANK_COUNT, STRAIGHT, STRAIGHTS, high_classes

__all__ = ["Texture"]

Mask = NDArray[np.bool_]
Scalar = TypeVar("Scalar", bound=np.generic)

#: Cards of a suit on the board that make a flush possible, and a draw to one.
_FLUSH_CARDS = 3
_DRAW_CARDS = 2
_SUIT_COUNT = len(SUITS)
#: Bits of all ranks.
_ANY_RANK = (1 << RANK_COUNT) - 1


class Layout:
    """The ranks and suits of the hands of some number of cards.

    A choice of cards of a hand is a bit mask of their places, the highest card
    having bit 0.

    Attributes
    ----------
    space:
        The hands.
    pairs:
        (pairs, ranks) int64, the numbers of the pairs of ranks in each ranks.
    places:
        Per row of ``pairs``, the choice of these two cards.
    counts:
        (13, ranks) int8, how many cards of each rank.
    chosen:
        (4, 4 ** cards) uint8, by code of suits which cards are of a suit.
    choices:
        How many choices there are.
    sizes:
        (choices,) the cards of each.
    """

    def __init__(self, hole: int) -> None:
        self.space = hand_space(hole)
        ranks = self.space.ranks
        two = list(combinations(range(hole), 2))
        pair = tables.array("pair")
        self.pairs = np.array([pair[ranks[:, a], ranks[:, b]] for a, b in two], dtype=np.int64)
        self.places = [1 << a | 1 << b for a, b in two]
        self.counts = np.array(
            [np.count_nonzero(ranks == rank, axis=1) for rank in range(RANK_COUNT)], dtype=np.int8
        )
        codes = np.arange(_SUIT_COUNT**hole)
        self.chosen = np.zeros((_SUIT_COUNT, len(codes)), dtype=np.uint8)
        for place in reversed(range(hole)):
            self.chosen[codes % _SUIT_COUNT, np.arange(len(codes))] |= np.uint8(1 << place)
            codes //= _SUIT_COUNT
        self.choices = 1 << hole
        self.sizes = np.array([choice.bit_count() for choice in range(self.choices)])
        self._lengths = np.diff(self.space.starts)
        patterns = range(len(self.space.codes))
        self._where = [np.flatnonzero(self.space.pattern == pattern) for pattern in patterns]

    def best(self, lines: NDArray[Scalar]) -> NDArray[Scalar]:
        """(.., ranks) the most of (.., 91) ``lines`` over the pairs of each ranks."""
        out: NDArray[Scalar] = np.take(lines, self.pairs[0], axis=-1)
        for pairs in self.pairs[1:]:
            np.maximum(out, np.take(lines, pairs, axis=-1), out=out)
        return out

    def best_chosen(self, line: NDArray[Scalar]) -> NDArray[Scalar]:
        """(ranks, choices) the most of a line over the pairs within each choice."""
        out = np.zeros((self.choices, len(self.space.ranks)), dtype=line.dtype)
        for pairs, places in zip(self.pairs, self.places, strict=True):
            worth = line[pairs]
            for choice in range(self.choices):
                if choice & places == places:
                    np.maximum(out[choice], worth, out=out[choice])
        return np.ascontiguousarray(out.T)

    def holding(self, ranks: int) -> NDArray[np.bool_]:
        """(ranks, choices) whether a choice has a card of a rank in the mask ``ranks``."""
        inside = (1 << self.space.ranks.astype(np.int64)) & ranks != 0
        places = (inside * (1 << np.arange(self.space.cards))).sum(axis=1)
        out: NDArray[np.bool_] = places[:, np.newaxis] & np.arange(self.choices) != 0
        return out

    def repeat(self, rows: NDArray[Scalar]) -> NDArray[Scalar]:
        """(ranks,) spread over the hands."""
        return np.repeat(rows, self._lengths)

    def spread(self, table: NDArray[Scalar], kind: NDArray[np.integer]) -> NDArray[Scalar]:
        """(ranks, kinds) spread over the hands, by the (4 ** cards,) kinds of their suits."""
        rows: list[Any] = [None] * len(self.space.ranks)
        for where, codes in zip(self._where, self.space.codes, strict=True):
            block = table[where].take(kind[codes], axis=1)
            for at, row in zip(where.tolist(), block, strict=True):
                rows[at] = row
        return np.concatenate(rows)


@cache
def layout(hole: int) -> Layout:
    """The layout of hands of ``hole`` cards, made once."""
    return Layout(hole)


class Texture:
    """All hands of a game on a board: what they have, and what they draw to.

    The arrays have an entry for each hand of the hand space of the game, in its
    order, are made when they are first asked for, and cannot be written to.
    Those of a hand that holds a card of the board say nothing; ``live`` tells
    the others.

    Parameters
    ----------
    game:
        A game or its name.
    board:
        Three to five cards.

    Raises
    ------
    CardCountError
        The board has fewer cards, or more.
    DuplicateCardError
        A card is there twice.
    """

    def __init__(self, game: str | Game, board: Cards) -> None:
        self.game = find_game(game)
        self.board = parse_cards(board, "board")
        if not FLOP_SIZE <= len(self.board) <= BOARD_SIZE:
            raise CardCountError(
                f"{len(self.board)} known cards",
                place="board",
                hint="hands are told by what they have from the flop on, 3 to 5 cards",
            )
        check_distinct([("the board", self.board)])
        #: The ranks of the board, sorted, and the different ones of them, best first.
        self.ranks = tuple(sorted(card // 4 for card in self.board))
        self.distinct = tuple(sorted(set(self.ranks), reverse=True))
        self.is_river = len(self.board) == BOARD_SIZE
        self._layout = layout(self.game.hole)
        #: By suit, the ranks that the board has in it.
        self._suited = [
            tuple(card // 4 for card in self.board if card % 4 == suit)
            for suit in range(len(SUITS))
        ]
        bases = tables.array("category").astype(int).tolist()
        self._straight_base, self._flush_base = bases[STRAIGHT], bases[FLUSH]

    # What hands have

    @cached_property
    def high(self) -> NDArray[np.uint16]:
        """The best high of two hole cards and three of the board, 1 to 7,462."""
        rows = self._high_rows
        if not self._flushes:
            return self._repeat(rows)
        suit, flushes = self._flush_rows
        return self._spread(np.maximum(rows[:, np.newaxis], flushes), self._layout.chosen[suit])

    @cached_property
    def low(self) -> NDArray[np.uint8]:
        """The best low, 1 to 56; 0 for none, and in a game without a low."""
        return self._repeat(self._low_rows)

    @cached_property
    def live(self) -> Mask:
        """Whether a hand holds no card of the board."""
        out = np.ones(self._layout.space.size, dtype=np.bool_)
        for suit, ranks in enumerate(self._suited):
            if ranks:
                table = ~self._layout.holding(board_values.mask_of_ranks(ranks))
                out &= self._layout.spread(table, self._layout.chosen[suit])
        return _frozen(out)

    @cached_property
    def possible(self) -> board_values.Possible:
        """What any two cards that are not on the board are worth."""
        return board_values.possible_hands(
            self.board, board_values.high_line(self.ranks), self._flushes
        )

    @cached_property
    def reachable(self) -> Mask:
        """By high, whether some hand without a card of the board has it."""
        out = np.zeros(len(high_classes()) + 1, dtype=np.bool_)
        out[self.high[self.live]] = True
        return _frozen(out)

    @cached_property
    def best_low(self) -> int:
        """The best low of any two cards that are not on the board, 0 for none."""
        # A low takes five ranks, so a rank that the hole cards need is never all on the board.
        return int(board_values.low_line(self.ranks).max()) if self.game.low else 0

    # What hands draw to

    @cached_property
    def straight_outs(self) -> NDArray[np.uint8]:
        """How many unseen cards make a straight better than what the hand has."""
        return self._below_flush(self._outs(self._straight_cards))

    @cached_property
    def nut_straight_outs(self) -> NDArray[np.uint8]:
        """How many of them make the best straight possible on the board then."""
        if self.is_river:
            return self.straight_outs
        lines = board_values.next_straights(self.ranks)
        nuts = self._layout.best(lines) == lines.max(axis=1, keepdims=True)
        return self._below_flush(self._outs(self._straight_cards & nuts))

    @cached_property
    def flush_draw(self) -> Mask:
        """Whether a hand is one card short of a flush, and has nothing as good."""
        enough = np.zeros(len(self._layout.chosen[0]), dtype=np.uint8)
        for suit in self._draw_suits:
            enough |= self._layout.sizes[self._layout.chosen[suit]] >= _DRAW_CARDS
        weak = self._high_rows < self._flush_base
        return self._spread(weak[:, np.newaxis] & np.array([False, True]), enough)

    @cached_property
    def nut_flush_draw(self) -> Mask:
        """Whether it has a flush draw with the highest card of the suit off the board."""
        out = np.zeros(self._layout.space.size, dtype=np.bool_)
        enough = self._layout.sizes >= _DRAW_CARDS
        for suit in self._draw_suits:
            missing = _ANY_RANK & ~board_values.mask_of_ranks(self._suited[suit])
            table = self._layout.holding(1 << (missing.bit_length() - 1)) & enough
            out |= self._layout.spread(table, self._layout.chosen[suit])
        out &= self.flush_draw
        return _frozen(out)

    @cached_property
    def backdoor_flush(self) -> Mask:
        """Whether a hand is two cards short of a flush, on the flop."""
        suits = [suit for suit, ranks in enumerate(self._suited) if len(ranks) == 1]
        enough = np.zeros(len(self._layout.chosen[0]), dtype=np.uint8)
        for suit in suits if len(self.board) == FLOP_SIZE else []:
            enough |= self._layout.sizes[self._layout.chosen[suit]] >= _DRAW_CARDS
        table = np.broadcast_to(np.array([False, True]), (len(self._high_rows), 2))
        return self._spread(table, enough)

    @cached_property
    def low_draw(self) -> Mask:
        """Whether a hand has no low and some unseen card gives it one."""
        return self._repeat(self._outs(self._low_cards) > 0)

    @cached_property
    def nut_low_draw(self) -> Mask:
        """Whether most of these cards give it the best low possible then."""
        if self.is_river or not self.game.low:
            return self.low_draw
        lines = board_values.next_lows(self.ranks)
        nuts = self._layout.best(lines) == lines.max(axis=1, keepdims=True)
        return self._repeat(
            2 * self._outs(self._low_cards & nuts).astype(int) > self._outs(self._low_cards)
        )

    @cached_property
    def counterfeit(self) -> Mask:
        """Whether the low of a hand hangs on one rank that can still come."""
        if self.is_river or not self.game.low:
            return self._repeat(np.zeros(len(self._high_rows), dtype=np.bool_))
        line = board_values.low_line(self.ranks)
        numbers = tables.array("pair")[np.triu_indices(RANK_COUNT)]
        bits = np.full(len(line), _ANY_RANK)
        bits[numbers] = [1 << a | 1 << b for a, b in zip(*np.triu_indices(RANK_COUNT), strict=True)]
        bits[line == 0] = _ANY_RANK
        common = np.bitwise_and.reduce(bits[self._layout.pairs])
        unseen = ((self._unseen > 0) << np.arange(RANK_COUNT)[:, np.newaxis]).sum(axis=0)
        return self._repeat((self._low_rows > 0) & (common & unseen != 0))

    # By ranks

    @cached_property
    def _high_rows(self) -> NDArray[np.uint16]:
        """(ranks,) the best high, suits aside."""
        return self._layout.best(board_values.high_line(self.ranks))

    @cached_property
    def _low_rows(self) -> NDArray[np.uint8]:
        if not self.game.low:
            return np.zeros(len(self._high_rows), dtype=np.uint8)
        return self._layout.best(board_values.low_line(self.ranks))

    @cached_property
    def _unseen(self) -> NDArray[np.uint8]:
        """(13, ranks) how many cards of a rank are neither in the hand nor on the board."""
        board = np.array([[self.ranks.count(rank)] for rank in range(RANK_COUNT)], dtype=np.int8)
        unseen: NDArray[np.int8] = np.maximum(len(SUITS) - board - self._layout.counts, 0)
        return unseen.astype(np.uint8)

    @cached_property
    def _straight_cards(self) -> Mask:
        """(13, ranks) whether the next rank makes a better straight."""
        if self.is_river:
            return np.zeros(self._unseen.shape, dtype=np.bool_)
        # Full houses and better count as a straight that is higher than all.
        level = np.clip(
            self._high_rows.astype(np.int64) - (self._straight_base - 1), 0, len(STRAIGHTS) + 1
        )
        out: Mask = self._layout.best(board_values.next_straights(self.ranks)) > level
        return out

    @cached_property
    def _low_cards(self) -> Mask:
        """(13, ranks) whether the next rank gives a low to a hand without one."""
        if self.is_river or not self.game.low:
            return np.zeros(self._unseen.shape, dtype=np.bool_)
        out: Mask = self._low_rows == 0
        return out & (self._layout.best(board_values.next_lows(self.ranks)) > 0)

    def _outs(self, cards: Mask) -> NDArray[np.uint8]:
        """(ranks,) how many unseen cards are of the ranks that ``cards`` allow."""
        out: NDArray[np.uint8] = (self._unseen * cards).sum(axis=0, dtype=np.uint8)
        return out

    # By suits

    @cached_property
    def _flushes(self) -> dict[int, NDArray[np.uint16]]:
        """The suit in which the board has three cards, if any, and its flushes."""
        return {
            suit: board_values.flush_line(ranks)
            for suit, ranks in enumerate(self._suited)
            if len(ranks) >= _FLUSH_CARDS
        }

    @cached_property
    def _flush_rows(self) -> tuple[int, NDArray[np.uint16]]:
        """That suit, and (ranks, choices) the best flush of the cards that are of it."""
        ((suit, line),) = self._flushes.items()
        return suit, self._layout.best_chosen(line)

    @property
    def _draw_suits(self) -> list[int]:
        if self.is_river:
            return []
        return [suit for suit, ranks in enumerate(self._suited) if len(ranks) == _DRAW_CARDS]

    def _below_flush(self, rows: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """(ranks,) spread over the hands, 0 for those that have a flush."""
        if not self._flushes or not rows.any():
            return self._repeat(rows)
        suit, flushes = self._flush_rows
        return self._spread(rows[:, np.newaxis] * (flushes == 0), self._layout.chosen[suit])

    def _repeat(self, rows: NDArray[Scalar]) -> NDArray[Scalar]:
        return _frozen(self._layout.repeat(rows))

    def _spread(self, table: NDArray[Scalar], kind: NDArray[np.integer]) -> NDArray[Scalar]:
        return _frozen(self._layout.spread(table, kind))


def _frozen(values: NDArray[Scalar]) -> NDArray[Scalar]:
    values.setflags(write=False)
    return values
