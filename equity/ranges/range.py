"""A range of hands of one game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from equity.common.notices import Notice
from equity.common.tables import Table, Tabular
from equity.errors import BoardError, OrderingError, PredicateError, RangeGameError
from equity.ranges.algebra import both, either, holding, without
from equity.ranges.class_notation import RangeClass
from equity.ranges.combos import Combos, Known, expand, hand_array, listed, written_unit
from equity.ranges.hands import HandSpace, hand_space
from equity.ranges.syntax import parse
from equity.ranges.tree import FULL_WEIGHT, Expression, asks_of_board
from equity.rules.cards import Cards, format_cards
from equity.rules.games import Game, find_game

if TYPE_CHECKING:
    from equity.ranges.orderings import Ordering

__all__ = ["Live", "Range", "RangeClass"]

#: Hands are turned into text so many at a time.
_CHUNK = 4096
#: What hands hold is found for all of the game if so many ranges would make them up.
_WHOLE = 16
#: A range without hands, as text.
_NOTHING = "*!*"


class Live(NamedTuple):
    """A range after card removal."""

    range: Range
    #: How many combos the known cards remove.
    killed: int
    #: For each known card, how many combos of the whole range hold it.
    by_card: dict[int, int]


class Range(Tabular):
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

    #: The game.
    game: Game
    #: (n,) int32, the numbers of the hands among all hands, ascending.
    index: NDArray[np.int32]
    #: (n,) int64, the weights times ``scale``.
    weights: NDArray[np.int64]
    #: What weights of 1 to 100 are multiplied by to be integers.
    scale: int
    #: The orderings that percent items were read by, name and version.
    orderings: tuple[str, ...]
    #: The cards that it was read with, if it asks what hands have on the board.
    known: Known | None = None
    #: What it was read from, if anything, and the cards that were removed since.
    _whole: Expression | None
    _gone: tuple[int, ...] = ()

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
        chosen = None
        if ordering is not None:
            # Orderings are a large module that few ranges need.
            from equity.ranges.orderings import select_ordering

            chosen = select_ordering(ordering, found)
        self._expand(tree, found, place, Known.read(board, dead), chosen)

    @classmethod
    def of_tree(
        cls,
        tree: Expression,
        game: Game,
        *,
        place: str,
        board: Sequence[int],
        dead: Sequence[int],
        ordering: Ordering | None,
    ) -> Range:
        """The range of a tree; all arguments are trusted."""
        made = cls.__new__(cls)
        made._expand(tree, game, place, Known(tuple(board), tuple(dead)), ordering)
        return made

    def _expand(
        self, tree: Expression, game: Game, place: str, known: Known, chosen: Ordering | None
    ) -> None:
        """Fill the range with the hands of a tree."""
        try:
            combos = expand(tree, game, chosen, known)
        except (BoardError, OrderingError, PredicateError) as error:
            raise type(error)(error.problem, place=place, hint=error.hint) from None
        self._fill(game, combos, tree)
        if asks_of_board(tree):
            vars(self).update(known=known)

    def _fill(self, game: Game, combos: Combos, tree: Expression | None) -> None:
        index, weights, scale, orderings = combos
        while scale > 1 and not np.any(weights % 10):
            weights, scale = weights // 10, scale // 10
        index.flags.writeable = weights.flags.writeable = False
        vars(self).update(
            game=game, index=index, weights=weights, scale=scale, orderings=orderings, _whole=tree
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
        return cls._of(found, listed(hands, weights, found), None)

    @property
    def _space(self) -> HandSpace:
        return hand_space(self.game.hole)

    # Text

    @cached_property
    def _tree(self) -> Expression | None:
        """What the text of the range is made from; None if it lists the hands."""
        if not self._gone:
            return self._whole
        return without(self._whole, holding(self._gone))

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

    def to_dict(self) -> dict[str, Any]:
        """The range for JSON, without its hands; names stay stable, more may come."""
        return {
            "game": self.game.name,
            "range": self.text,
            "orderings": list(self.orderings),
            "combos": len(self),
            "classes": self.class_count,
            "share": self.share,
        }

    def table(self) -> Table:
        """The hands and their weights."""
        weights = (Decimal(weight) / self.scale for weight in self.weights.tolist())
        return ("hand", "weight"), zip(self, map(float, weights), strict=True)

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
        return _frozen(self._space.hands(self.index))

    @cached_property
    def weight_unit(self) -> Fraction:
        """The greatest common divisor of all weights as they are written."""
        return written_unit(self._tree, self._combos)

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
        return self._space.types.sums(self.index, self.weights)

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
            texts = map(format_cards, firsts)
            yield from map(RangeClass, texts, combos[part].tolist(), sizes, weights[part].tolist())

    def class_ranges(self) -> Iterator[str]:
        """The classes of :meth:`classes`, each as the text of a range.

        A class whose hands are not all there, or have several weights, lists its hands.
        """
        from equity.ranges.class_notation import class_pattern

        of = self._space.types.of(self.index)
        order = np.argsort(of, kind="stable")
        ends = np.cumsum(self.class_sums[1]).tolist()
        for entry, begin, end in zip(self.classes(), [0, *ends], ends, strict=False):
            part = self._of(self.game, self._combos.kept(order[begin:end]), None)
            whole = entry.combos == entry.size and part.is_uniform
            yield (
                class_pattern(hand_array([entry.text], self.game)[0].tolist())
                if whole
                else part.text
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

    @property
    def _combos(self) -> Combos:
        return Combos(self.index, self.weights, self.scale, self.orderings)

    def _with(
        self,
        other: object,
        combine: Callable[[Combos, Combos], Combos],
        join: Callable[[Expression | None, Expression | None], Expression | None],
    ) -> Range:
        if not isinstance(other, Range):
            return cast("Range", NotImplemented)
        other.check_game(self.game)
        found = combine(self._combos, other._combos)
        return self._of(self.game, found, join(self._tree, other._tree))

    def __or__(self, other: object) -> Range:
        return self._with(other, Combos.union, either)

    def __and__(self, other: object) -> Range:
        return self._with(other, Combos.intersection, both)

    def __sub__(self, other: object) -> Range:
        return self._with(other, Combos.difference, without)

    def live(self, board: Cards = (), dead: Cards = ()) -> Live:
        """The hands that hold none of the cards of the board and the dead cards.

        Raises
        ------
        CardError, DuplicateCardError
            Something is no card, or stands twice.
        """
        return self.without_cards((*chain(*Known.read(board, dead)),))

    def without_cards(self, cards: Sequence[int]) -> Live:
        """The hands that hold none of some distinct cards."""
        by_card: dict[int, int] = {}
        keep = np.ones(len(self), dtype=bool)
        for card in cards:
            held = self._holding(card)
            by_card[card] = int(np.count_nonzero(held))
            keep &= ~held
        gone = tuple(card for card, combos in by_card.items() if combos)
        if not gone:
            return Live(self, 0, by_card)
        kept = self._of(self.game, self._combos.kept(keep), self._tree)
        vars(kept).update(_gone=gone)
        if "combos" in vars(self):
            vars(kept).update(combos=_frozen(self.combos[keep]))
        return Live(kept, len(self) - len(kept), by_card)

    def _holding(self, card: int) -> NDArray[np.bool_]:
        """Which hands hold a card."""
        if len(self) * _WHOLE > self._space.size:
            every = self._space.holding(card)
            return every if len(self) == len(every) else every[self.index]
        holding = np.zeros(len(self), dtype=bool)
        for column in self.combos.T:  # a row is too short to be worth np.any
            holding |= column == card
        return holding

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


def _frozen(cards: NDArray[np.uint8]) -> NDArray[np.uint8]:
    cards.setflags(write=False)
    return cards
