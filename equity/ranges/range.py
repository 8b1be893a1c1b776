"""A range of hands of one game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from functools import cached_property
from math import lcm
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from equity.common.notices import Notice
from equity.ranges import algebra
from equity.ranges.combos import Combos, Known, expand
from equity.ranges.errors import BoardError, OrderingError, RangeGameError
from equity.ranges.hands import HandSpace, hand_space
from equity.ranges.inputs import hand_array, known_cards, weight_array
from equity.ranges.orderings import Ordering, select_ordering
from equity.ranges.predicates import PredicateError
from equity.ranges.syntax import parse
from equity.ranges.tree import FULL_WEIGHT, Blocks, Expression, OnBoard, leaves
from equity.rules.cards import (
    Cards,
    format_cards,
)
from equity.rules.games import Game, find_game

__all__ = ["Live", "Range", "RangeClass"]

#: Hands are turned into text so many at a time.
#: Hands whose classes are found in one go.
_PIECE = 1 << 20
_CHUNK = 4096
#: What hands hold is found for all of the game if so many ranges would make them up.
_WHOLE = 16
#: A range without hands, as text.
_NOTHING = "*!*"


class RangeClass(NamedTuple):
    """One suit-isomorphic class of a range."""

    #: The first hand of the class, which may itself not be in the range.
    text: str
    #: Hands of the class in the range, and in the game.
    combos: int
    size: int
    #: The sum of the weights of those combos, times the scale of the range.
    weight: int


class Live(NamedTuple):
    """A range after card removal."""

    range: Range
    #: How many combos the known cards remove.
    killed: int
    #: For each known card, how many combos of the whole range hold it.
    by_card: dict[int, int]


class Range:
    """Hands of one game and their weights; it never changes.

    Parameters
    ----------
    text:
        A range such as ``"AA:xxyy,KK@50"``; or its tree, parsed for the same game.
    game:
        A game or its name.
    place:
        What the text is, for the message of an error (``"range 2"``).
    board, dead:
        Known cards, for what is asked of hands on the board, as in ``"AA:@SET"``.
    ordering:
        What percent items such as ``10%`` are read by: the name of an ordering of
        the package, the path of a file, or an :class:`Ordering`; by default "ring".

    Raises
    ------
    RangeSyntaxError
        The text is no range.
    BoardError
        Something is asked of hands on the board, and that has not three to five cards.
    OrderingError
        A percent item without an ordering to read it by.
    DataError
        The file of an ordering cannot be read.

    Notes
    -----
    Hands come ranks first, suits second, best first: AsAhAdAc is the first hand
    of four cards.  ``len`` is the number of hands; iterating gives their text,
    ``"AsAhKsKh"``; ``in`` takes text or card ids.  Of two ranges of one game,
    ``a | b`` has the hands of either with the larger weight, ``a & b`` those of
    both with the smaller weight, ``a - b`` those of ``a`` that are not in ``b``,
    with the weights of ``a``.  Ranges are equal if their games, hands and
    weights are.
    """

    game: Game
    #: (n,) int32, the numbers of the hands among all hands, ascending.
    index: NDArray[np.int32]
    #: (n,) int64, the weights times ``scale``.
    weights: NDArray[np.int64]
    scale: int
    #: The orderings that percent items were read by, name and version.
    orderings: tuple[str, ...]
    #: The cards that it was read with, if it asks what hands have on the board.
    known: Known | None = None
    _tree: Expression | None

    def __init__(
        self,
        text: str | Expression,
        game: str | Game = "plo4",
        *,
        place: str = "",
        board: Cards = (),
        dead: Cards = (),
        ordering: str | Path | Ordering | None = None,
    ) -> None:
        found = find_game(game)
        tree = text if isinstance(text, Expression) else parse(text, found, place=place)
        chosen = None if ordering is None else select_ordering(ordering, found)
        known = known_cards(board, dead)
        try:
            combos = expand(tree, found, chosen, known)
        except (BoardError, OrderingError, PredicateError) as error:
            raise type(error)(error.problem, place=place, hint=error.hint) from None
        self._fill(found, combos, tree)
        if any(isinstance(leaf, OnBoard | Blocks) for leaf in leaves(tree)):
            vars(self).update(known=known)

    def _fill(self, game: Game, combos: Combos, tree: Expression | None) -> None:
        index, weights, scale, orderings = combos
        while scale > 1 and not np.any(weights % 10):
            weights, scale = weights // 10, scale // 10
        index.flags.writeable = False
        weights.flags.writeable = False
        vars(self).update(
            game=game, index=index, weights=weights, scale=scale, orderings=orderings, _tree=tree
        )

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a range never changes, {name} is fixed")

    @classmethod
    def _of(cls, game: Game, combos: Combos, tree: Expression | None) -> Range:
        made = cls.__new__(cls)
        made._fill(game, combos, tree)
        return made

    @classmethod
    def from_hands(
        cls,
        hands: Iterable[Cards] | NDArray[np.integer],
        game: str | Game = "plo4",
        weights: Iterable[int | float | str | Decimal] | None = None,
    ) -> Range:
        """The range of the hands given; one given twice has the larger weight.

        Parameters
        ----------
        hands:
            Text or card ids of each hand, or an (n, hole) array of card ids.
        game:
            A game or its name.
        weights:
            1 to 100 for each hand, 100 if not given.

        Raises
        ------
        CardError, CardCountError, DuplicateCardError
            A hand is not one of the game.
        RangeError
            A weight is none, or there are more or fewer than hands.
        """
        found = find_game(game)
        space = hand_space(found.hole)
        given = space.index(hand_array(hands, found))
        values, scale = weight_array(weights, len(given))
        index, which = np.unique(given, return_inverse=True)
        largest = np.zeros(len(index), dtype=np.int64)
        np.maximum.at(largest, which, values)
        return cls._of(found, Combos(index.astype(np.int32), largest, scale, ()), None)

    @property
    def _space(self) -> HandSpace:
        return hand_space(self.game.hole)

    # Text

    @cached_property
    def text(self) -> str:
        """The range in normal form; read again, it gives an equal range.

        A range that was not made from text lists its hands.
        """
        if self._tree is not None:
            return str(self._tree)
        if not len(self):
            return _NOTHING
        if self.is_uniform and len(self) == self._space.size:
            return "*" + self._weight_text(0)
        if np.all(self.weights == int(FULL_WEIGHT) * self.scale):
            return ",".join(self)
        return ",".join(hand + self._weight_text(at) for at, hand in enumerate(self))

    def _weight_text(self, at: int) -> str:
        weight = Decimal(int(self.weights[at])) / self.scale
        return "" if weight == FULL_WEIGHT else f"@{weight:f}"

    @property
    def notices(self) -> tuple[Notice, ...]:
        """Warnings about ambiguous notation in the text of the range."""
        return () if self._tree is None else self._tree.notices

    @property
    def tree(self) -> Expression:
        """The parsed text of the range."""
        return parse(self.text, self.game) if self._tree is None else self._tree

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        shown = self.text if len(self.text) <= 60 else f"{self.text[:57]}..."
        return f"<Range {shown!r} of {self.game.name}, {len(self):,} combos>"

    # Hands

    def __len__(self) -> int:
        return len(self.index)

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self), _CHUNK):
            for cards in self._space.hands(self.index[start : start + _CHUNK]).tolist():
                yield format_cards(cards)

    def __contains__(self, hand: object) -> bool:
        return self._position(hand) is not None

    def weight(self, hand: Cards) -> Decimal:
        """The weight of a hand, 0 if it is not in the range."""
        at = self._position(hand)
        return Decimal(0) if at is None else Decimal(int(self.weights[at])) / self.scale

    def _position(self, hand: object) -> int | None:
        number = int(self._space.index(hand_array([hand], self.game))[0])  # type: ignore[list-item]
        at = int(np.searchsorted(self.index, number))
        return at if at < len(self) and self.index[at] == number else None

    @cached_property
    def combos(self) -> NDArray[np.uint8]:
        """(n, hole) uint8, the card ids of each hand, descending."""
        combos = self._space.hands(self.index)
        combos.flags.writeable = False
        return combos

    @property
    def share(self) -> float:
        """The range as a share of all hands of the game, 0 to 1."""
        return len(self) / self._space.size

    @cached_property
    def is_uniform(self) -> bool:
        """Whether all hands have the same weight."""
        return not len(self) or bool(np.all(self.weights == self.weights[0]))

    # Classes

    @cached_property
    def class_sums(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """The numbers of the classes, the combos of each and the sums of their weights."""
        types = self._space.types
        combos = np.zeros(types.count, np.int64)
        sums = np.zeros(types.count, np.float64)
        for start in range(0, len(self), _PIECE):
            piece = slice(start, start + _PIECE)
            of = types.of(self.index[piece])
            combos += np.bincount(of, minlength=types.count)
            # Sums of a class are far below 2**53, so floats hold them exactly.
            sums += np.bincount(of, weights=self.weights[piece], minlength=types.count)
        number = np.flatnonzero(combos)
        return number, combos[number], sums[number].astype(np.int64)

    @property
    def class_count(self) -> int:
        """How many suit-isomorphic classes the hands fall into."""
        return len(self.class_sums[0])

    def classes(self) -> Iterator[RangeClass]:
        """The suit-isomorphic classes of the hands, in the order of their first hands."""
        types = self._space.types
        number, combos, weights = self.class_sums
        for start in range(0, len(number), _CHUNK):
            part = slice(start, start + _CHUNK)
            firsts = self._space.hands(types.first(number[part])).tolist()
            sizes = types.size(number[part]).tolist()
            yield from map(
                RangeClass._make,
                zip(
                    map(format_cards, firsts),
                    combos[part].tolist(),
                    sizes,
                    weights[part].tolist(),
                    strict=True,
                ),
            )

    # Ranges from ranges

    def check_game(self, game: str | Game) -> None:
        """Raise :class:`RangeGameError` unless the range is one of ``game``."""
        found = find_game(game)
        if found != self.game:
            raise RangeGameError(
                f"a range of {self.game.name} is used with {found.name}",
                hint=f"make it again with game={found.name!r}",
            )

    def _weights_at(self, other: Range) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
        """The weights of both ranges at one scale."""
        scale = lcm(self.scale, other.scale)
        return self.weights * (scale // self.scale), other.weights * (scale // other.scale), scale

    def __or__(self, other: object) -> Range:
        if not isinstance(other, Range):
            return NotImplemented
        other.check_game(self.game)
        mine, theirs, scale = self._weights_at(other)
        index = np.union1d(self.index, other.index).astype(np.int32, copy=False)
        weights = np.zeros(len(index), dtype=np.int64)
        weights[np.searchsorted(index, self.index)] = mine
        at = np.searchsorted(index, other.index)
        weights[at] = np.maximum(weights[at], theirs)
        tree = algebra.either(self._tree, other._tree)
        combos = Combos(index, weights, scale, self._orderings_with(other))
        return self._of(self.game, combos, tree)

    def __and__(self, other: object) -> Range:
        if not isinstance(other, Range):
            return NotImplemented
        other.check_game(self.game)
        mine, theirs, scale = self._weights_at(other)
        index, here, there = np.intersect1d(
            self.index, other.index, assume_unique=True, return_indices=True
        )
        tree = algebra.both(self._tree, other._tree)
        weights = np.minimum(mine[here], theirs[there])
        combos = Combos(index, weights, scale, self._orderings_with(other))
        return self._of(self.game, combos, tree)

    def __sub__(self, other: object) -> Range:
        if not isinstance(other, Range):
            return NotImplemented
        other.check_game(self.game)
        keep = ~np.isin(self.index, other.index, assume_unique=True)
        tree = algebra.without(self._tree, other._tree)
        return self._kept(keep, tree, self._orderings_with(other))

    def _kept(
        self, keep: NDArray[np.bool_], tree: Expression | None, orderings: tuple[str, ...]
    ) -> Range:
        index = self.index[keep]
        uniform = self.is_uniform and len(index)
        weights = np.broadcast_to(self.weights[0], len(index)) if uniform else self.weights[keep]
        return self._of(self.game, Combos(index, weights, self.scale, orderings), tree)

    def _orderings_with(self, other: Range) -> tuple[str, ...]:
        """The orderings of both ranges."""
        return tuple(dict.fromkeys(self.orderings + other.orderings))

    def live(self, board: Cards = (), dead: Cards = ()) -> Live:
        """The hands that hold none of the cards of the board and the dead cards.

        Raises
        ------
        CardError, DuplicateCardError
            Something is no card, or stands twice.
        """
        known = known_cards(board, dead)
        by_card: dict[int, int] = {}
        killed = np.zeros(len(self), dtype=bool)
        for card in (*known.board, *known.dead):
            holding = self._holding(card)
            by_card[card] = int(np.count_nonzero(holding))
            killed |= holding
        count = int(np.count_nonzero(killed))
        if not count:
            return Live(self, 0, by_card)
        gone = algebra.holding(card for card, combos in by_card.items() if combos)
        kept = self._kept(~killed, algebra.without(self._tree, gone), self.orderings)
        return Live(kept, count, by_card)

    def _holding(self, card: int) -> NDArray[np.bool_]:
        """Which hands hold a card."""
        if len(self) * _WHOLE > self._space.size:
            every = self._space.holding(card)
            return every if len(self) == len(every) else every[self.index]
        holding = np.zeros(len(self), dtype=bool)
        for column in self.combos.T:  # a row is too short to be worth np.any
            holding |= column == card
        return holding

    def check_board(self, board: Sequence[int], dead: Sequence[int]) -> None:
        """Raise :class:`BoardError` if the range was made for other known cards."""
        if self.known is None:
            return
        for name, mine, given in zip(
            ("board", "dead cards"), self.known, (board, dead), strict=True
        ):
            if set(mine) != set(given):
                raise BoardError(
                    f"a range made for {name} {format_cards(mine) or '(none)'} is used with "
                    f"{format_cards(given) or 'none'}",
                    hint="make it again, or give its text",
                )

    # Comparison

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Range):
            return NotImplemented
        return (
            self.game == other.game
            and self.scale == other.scale
            and np.array_equal(self.index, other.index)
            and np.array_equal(self.weights, other.weights)
        )

    @cached_property
    def _hash(self) -> int:
        return hash((self.game.name, self.index.tobytes(), self.scale, self.weights.tobytes()))

    def __hash__(self) -> int:
        return self._hash
