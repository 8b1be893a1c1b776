"""The operations on a range: its facts, its combos and classes, its texture on a board."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from equity.common.notices import Notice
from equity.operations import parameters as given
from equity.operations.operation import Operation, Question
from equity.operations.parameters import TEXT, Parameter
from equity.ranges import parse
from equity.ranges.touching import touching_percents
from equity.results.formats import Printable
from equity.rules.games import find_game
from equity.spot import check_known_cards, read_board, read_dead

if TYPE_CHECKING:
    from equity.ranges import Range

__all__ = ["CLASSES", "COMBOS", "RANGE", "TEXTURE"]


class _Asked(NamedTuple):
    """A range on a board."""

    range: Range
    board: tuple[int, ...]
    dead: tuple[int, ...]
    ordering: str | None
    #: The opponent's range.
    against: Range | None
    notices: Sequence[Notice]

    @property
    def live(self) -> Range:
        """The range after card removal."""
        return self.range.live(self.board, self.dead).range


def _read(
    *,
    expression: str,
    game: Any,
    board: str,
    dead: str,
    ordering: str | None,
    against: str | None = None,
) -> _Asked:
    rules = find_game(game)
    tree = parse(expression, rules, place="range")
    board_cards, dead_cards = read_board(board), read_dead(dead)
    check_known_cards(board_cards, dead_cards)
    other_tree = None if against is None else parse(against, rules, place="against")

    from equity.ranges import Range

    known: dict[str, Any] = {"board": board_cards, "dead": dead_cards, "ordering": ordering}
    whole = Range(tree, rules, place="range", **known)
    notices = [*tree.notices, *touching_percents([tree], "range")]
    other = None
    if other_tree is not None:
        notices += other_tree.notices
        other = Range(other_tree, rules, place="against", **known)
    return _Asked(whole, board_cards, dead_cards, ordering, other, notices)


def _facts(asked: _Asked) -> Printable:
    from equity.views.range_facts import range_facts

    return range_facts(asked.range, asked.board, asked.dead, asked.ordering)


def _combos(asked: _Asked) -> Printable:
    from equity.views.range_facts import range_combos

    return range_combos(asked.live)


def _classes(asked: _Asked) -> Printable:
    from equity.views.range_facts import range_classes

    return range_classes(asked.live)


def _texture(asked: _Asked) -> Printable:
    from equity.views.breakdown import breakdown

    return breakdown(asked.range, asked.board, asked.dead, asked.against)


_EXPRESSION = Parameter(
    "expression", TEXT, "A range, such as AA:xxyy or 10%.", metavar="EXPR", is_required=True
)
_KNOWN = (
    given.GAME,
    given.BOARD.saying("Board cards; combos that hold one are removed."),
    given.DEAD.saying("Dead cards; combos that hold one are removed."),
    given.ORDERING,
)


def _operation(
    path: str,
    summary: str,
    find: Callable[[_Asked], Printable],
    *more: Parameter,
    is_list: bool = False,
) -> Operation:
    """An operation on a range, which ``find`` answers."""

    def read(*, mark: str = "", **arguments: Any) -> Question:  # noqa: ARG001 - no name is shown
        asked = _read(**arguments)
        return Question(lambda _: find(asked), tuple(asked.notices))

    return Operation(path, summary, (_EXPRESSION, *_KNOWN, *more), read, is_list)


RANGE = _operation("range", "How many combos a range has, and where it ranks.", _facts)
COMBOS = _operation("range/combos", "Every live combo of a range.", _combos, is_list=True)
CLASSES = _operation(
    "range/classes", "Every suit-isomorphic class of a range.", _classes, is_list=True
)
TEXTURE = _operation(
    "range/texture",
    "The made hands and draws of a range on a board.",
    _texture,
    Parameter("against", TEXT, "The opponent's range, to add equities.", metavar="RANGE"),
)
