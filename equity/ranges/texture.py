"""Made hands and draws of all hands on a board of three to five cards."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from equity.errors import CardCountError
from equity.ranges import board_values
from equity.ranges.boards import Boards
from equity.ranges.layout import layout
from equity.rules import tables
from equity.rules.cards import SUITS, Cards, check_distinct, parse_cards
from equity.rules.games import BOARD_SIZE, FLOP_SIZE, Game, find_game
from equity.rules.ranks import FLUSH, RANK_COUNT, STRAIGHT, STRAIGHTS, high_classes

__all__ = ["Texture"]

Mask = NDArray[np.bool_]
Scalar = TypeVar("Scalar", bound=np.generic)

#: Cards of a suit that a hand needs for a draw to a flush.
_DRAW_CARDS = 2
#: Bits of all ranks.
_ANY_RANK = (1 << RANK_COUNT) - 1


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
        #: The board as one of many, for what is asked of boards.
        self.boards = Boards(np.array([self.board]))
        self.ranks = tuple(sorted(card // 4 for card in self.board))
        self.is_river = self.boards.is_river
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
    def reachable(self) -> Mask:
        """(1, 7463) by high, whether some hand without a card of the board has it."""
        return _frozen(self.boards.reachable(self.game.hole))

    @cached_property
    def best_low(self) -> int:
        """The best low of any two cards that are not on the board, 0 for none."""
        return int(self.boards.best_lows[0]) if self.game.low else 0

    def of_board(self, values: NDArray[Scalar]) -> Scalar:
        """For every hand, a value of its board; ``values`` has one for each board."""
        only: Scalar = values[0]
        return only

    def by_high(self, test: Callable[[NDArray[np.int64], NDArray[np.int64]], Mask]) -> Mask:
        """For every hand, the answer of ``test`` for the number of its board and its high."""
        values = np.arange(len(high_classes()) + 1)
        return test(np.zeros_like(values), values)[self.high]

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
        lines = self.boards.next_straights[0]
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
            top = int(self.boards.missing_tops[0, suit])
            table = self._layout.holding(1 << top) & enough
            out |= self._layout.spread(table, self._layout.chosen[suit])
        out &= self.flush_draw
        return _frozen(out)

    @cached_property
    def backdoor_flush(self) -> Mask:
        """Whether a hand is two cards short of a flush, on the flop."""
        enough = np.zeros(len(self._layout.chosen[0]), dtype=np.uint8)
        for suit in np.flatnonzero(self.boards.backdoor_suits[0]):
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
        lines = self.boards.next_lows[0]
        nuts = self._layout.best(lines) == lines.max(axis=1, keepdims=True)
        return self._repeat(
            2 * self._outs(self._low_cards & nuts).astype(int) > self._outs(self._low_cards)
        )

    @cached_property
    def counterfeit(self) -> Mask:
        """Whether the low of a hand hangs on one rank that can still come."""
        if self.is_river or not self.game.low:
            return self._repeat(np.zeros(len(self._high_rows), dtype=np.bool_))
        line = self.boards.lows[0]
        bits = np.where(line == 0, _ANY_RANK, board_values.PAIR_MASKS)
        common = np.bitwise_and.reduce(bits[self._layout.pairs])
        unseen = ((self._unseen > 0) << np.arange(RANK_COUNT)[:, np.newaxis]).sum(axis=0)
        return self._repeat((self._low_rows > 0) & (common & unseen != 0))

    # By ranks

    @cached_property
    def _high_rows(self) -> NDArray[np.uint16]:
        """(ranks,) the best high, suits aside."""
        return self._layout.best(self.boards.highs[0])

    @cached_property
    def _low_rows(self) -> NDArray[np.uint8]:
        if not self.game.low:
            return np.zeros(len(self._high_rows), dtype=np.uint8)
        return self._layout.best(self.boards.lows[0])

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
        out: Mask = self._layout.best(self.boards.next_straights[0]) > level
        return out

    @cached_property
    def _low_cards(self) -> Mask:
        """(13, ranks) whether the next rank gives a low to a hand without one."""
        if self.is_river or not self.game.low:
            return np.zeros(self._unseen.shape, dtype=np.bool_)
        out: Mask = self._low_rows == 0
        return out & (self._layout.best(self.boards.next_lows[0]) > 0)

    def _outs(self, cards: Mask) -> NDArray[np.uint8]:
        """(ranks,) how many unseen cards are of the ranks that ``cards`` allow."""
        out: NDArray[np.uint8] = (self._unseen * cards).sum(axis=0, dtype=np.uint8)
        return out

    # By suits

    @cached_property
    def _flushes(self) -> dict[int, NDArray[np.uint16]]:
        """The suit in which the board has three cards, if any, and its flushes."""
        return {
            int(suit): board_values.flush_lines(self.boards.flush_masks)[0]
            for suit in self.boards.flush_suit
            if suit >= 0
        }

    @cached_property
    def _flush_rows(self) -> tuple[int, NDArray[np.uint16]]:
        """That suit, and (ranks, choices) the best flush of the cards that are of it."""
        ((suit, line),) = self._flushes.items()
        return suit, self._layout.best_chosen(line)

    @property
    def _draw_suits(self) -> list[int]:
        return np.flatnonzero(self.boards.draw_suits[0]).tolist()

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
