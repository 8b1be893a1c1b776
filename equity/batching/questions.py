"""From the values of a row to a question, with the defaults of the batch."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from math import isfinite
from typing import TYPE_CHECKING, Any

from equity.batching.asking import check_options, read_asked, view_of
from equity.batching.columns import OPTIONS, RIVALS, player_number
from equity.batching.errors import BatchError
from equity.batching.fields import NOT_TEXT, is_missing
from equity.batching.views import VIEWS
from equity.engine.options import How, error_notices
from equity.errors import CardCountError, CardError
from equity.rules.cards import DECK_SIZE, ascii_text, check_distinct, parse_cards
from equity.rules.games import BOARD_SIZE, find_game
from equity.spot import Spot, read_spot

if TYPE_CHECKING:
    from equity.engine.planner import Plan
    from equity.ranges import Range

__all__ = [
    "Memory",
    "Question",
    "check_cards",
    "check_defaults",
    "check_text",
    "players_of",
    "read_question",
    "split_players",
]

#: What may stand between players in one field.
BETWEEN = "|"
_TRUTH = {"true": True, "yes": True, "1": True, "x": True, "false": False, "no": False, "0": False}
#: Columns of names, and all that are text.
_NAMES = ("game", "ordering")
_TEXTS = ("board", "board2", "dead", *_NAMES)
#: 0,001 but not 1,000, which may be a thousand.
_DECIMAL_COMMA = re.compile(r"0?,\d+|\d+,(\d\d?|\d{4,})")
#: Seeds fit into a column of 64 bits.
_SEEDS = 1 << 63
#: Hands of ranges that are kept for later rows, all together.
_KEPT_HANDS = 1_000_000


def split_players(text: str) -> list[str]:
    """The players of a field."""
    return [player.strip() for player in text.split(BETWEEN)]


def players_of(values: Mapping[str, Any]) -> list[Any]:
    """The players of a row, each as it was given.

    Raises
    ------
    BatchError
        There are none, one is missing, or they are given in two ways.
    """
    numbered = {player_number(name): value for name, value in values.items()}
    numbered.pop(0, None)
    given = values.get("players")
    if given is None:
        missing = next((at for at in range(1, max(numbered, default=1)) if at not in numbered), 0)
        if not numbered or missing:
            what = f"player {missing} is missing" if missing else "there are no players"
            raise BatchError(what, hint="name them from player1 on")
        return [numbered[at] for at in sorted(numbered)]
    if numbered:
        raise BatchError(
            f"players stand in 'players' and in 'player{min(numbered)}' too",
            hint="fill in the one or the other",
        )
    if isinstance(given, str):
        given = split_players(given)
    elif not isinstance(given, Sequence):
        raise _wrong("players", given, "a list, or a text with | between the players")
    for number, player in enumerate(given, 1):
        if is_missing(player):
            raise BatchError(f"player {number} is missing", hint="give each a hand or a range")
    return list(given)


def _wrong(name: str, value: object, wanted: str) -> BatchError:
    shown = ascii_text(value) if isinstance(value, str) else repr(value)
    return BatchError(f"{shown} will not do", place=name, hint=f"it is {wanted}")


def _number(value: object) -> float:
    """A number, with a comma for a point if need be, as some spreadsheets write it."""
    if isinstance(value, str):
        value = value.replace(",", ".") if _DECIMAL_COMMA.fullmatch(value) else value
    elif isinstance(value, bool) or not hasattr(value, "__float__"):
        raise ValueError
    number = float(value)
    if not isfinite(number):
        raise ValueError
    return number


def _whole(value: object) -> int:
    """A whole number; data frames with gaps write it as 1000.0."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lstrip("+-").isdigit():
        return int(value)
    number = _number(value)
    if not number.is_integer():
        raise ValueError
    return int(number)


def _seed(value: object) -> int:
    seed = _whole(value)
    if not -_SEEDS <= seed < _SEEDS:
        raise ValueError
    return seed


def _truth(value: object) -> bool:
    return _TRUTH[str(value).strip().lower()]


#: How the value of each option is read, and what it is.
_READERS: dict[str, tuple[Callable[[object], Any], str]] = {
    "exact": (_truth, "true or false"),
    "trials": (_whole, "a whole number"),
    "error": (_number, "a number"),
    "budget": (_number, "a number of seconds"),
    "seed": (_seed, "a whole number of 64 bits"),
}


def read_how(
    values: Mapping[str, Any], defaults: Mapping[str, Any], view: str, *, by_combo: bool
) -> How:
    """How a row is to be answered, on one thread."""
    taken = VIEWS[view].options
    options = {name: defaults[name] for name in taken if defaults.get(name) is not None}
    own: dict[str, Any] = {}
    for name in OPTIONS:
        if name not in values:
            continue
        read, wanted = _READERS[name]
        try:
            own[name] = read(values[name])
        except (ValueError, OverflowError, KeyError):
            raise _wrong(name, values[name], wanted) from None
    for name, value in own.items():
        if value is not False:
            for other in RIVALS.get(name, ()):
                options.pop(other, None)
    # The option of the run alone confirms long counts: a table may be somebody else's.
    yes = bool(defaults.get("yes"))
    return How(**(options | own), threads=1, by_combo=by_combo, yes=yes)


def check_text(name: str, value: object) -> None:
    """Raise an error for a number or a truth where cards, a range or a name are wanted."""
    if isinstance(value, str):
        if value[:9].lower() not in NOT_TEXT and (not value or not is_missing(value)):
            return
    elif not isinstance(value, (bool, int, float, dict)) and (
        name not in _NAMES or not isinstance(value, list)
    ):
        return
    wanted = "a text" if name in _NAMES else "cards such as AhKs, or empty"
    raise _wrong(name, value, wanted if name in _TEXTS else "a hand or a range")


def check_cards(text: object, place: str, most: int) -> None:
    """Raise an error for what is neither known cards nor a pattern of some to be dealt."""
    try:
        known = parse_cards(text, place, commas=True)  # type: ignore[arg-type]
    except CardError:
        if not isinstance(text, str):
            raise
        from equity.ranges import parse_board_pattern

        parse_board_pattern(text, place=place, most=most)
    else:
        check_distinct([(f"the {place}", known)])
        if len(known) > most:
            raise CardCountError(
                f"{len(known)} cards", place=place, hint=f"there are {most} at most"
            )


def check_defaults(defaults: Mapping[str, Any]) -> None:
    """Raise an error unless a row that says nothing else than its players can be answered."""
    game = find_game(defaults.get("game", ""))
    check_cards(defaults.get("board", ""), "board", BOARD_SIZE)
    check_cards(defaults.get("dead", ""), "dead cards", DECK_SIZE)
    ordering = defaults.get("ordering")
    # That of a file may be for the games of other rows.
    is_file = isinstance(ordering, os.PathLike) or (
        isinstance(ordering, str) and os.path.isfile(ordering)
    )
    if ordering is not None and not is_file and not hasattr(ordering, "order"):
        from equity.ranges import select_ordering

        select_ordering(ordering, game)
    view = view_of({}, defaults)
    check_options(view, defaults)
    read_how({}, defaults, view, by_combo=False)


class Question:
    """A spot, what is asked of it, and how it is to be answered."""

    def __init__(self, spot: Spot, how: How, view: str, asked: Any) -> None:
        self.spot = spot
        self.how = how
        #: A name of :data:`equity.batching.views.VIEWS`, and what goes with it.
        self.view = view
        self.asked = asked

    @cached_property
    def plan(self) -> Plan:
        """The plan that answers a spot of ranges."""
        from equity.engine.planner import plan_for

        # All processors do their part of a large one.
        return plan_for(self.spot, replace(self.how, threads=None))


class Memory:
    """The ranges of rows before, since many rows have the same ones."""

    def __init__(self) -> None:
        self._ranges: dict[tuple[str, str, str], Range] = {}
        self._hands = 0

    def known(self, game: object, player: object, ordering: object) -> object:
        """The range of a text, if it is known, else the text."""
        if not self._ranges or not isinstance(player, str) or not isinstance(game, str):
            return player
        return self._ranges.get((game, player, str(ordering)), player)

    def keep(self, spot: Spot, game: object, players: Sequence[object], ordering: object) -> None:
        """Remember the ranges of a spot that was read from ``players``."""
        for text, player in zip(players, spot.players, strict=True):
            if isinstance(player, tuple) or not isinstance(text, str) or not isinstance(game, str):
                continue
            # What is asked of hands on the board is another range on another one.
            if player.known is not None:
                continue
            if self._hands + len(player) > _KEPT_HANDS:
                self._ranges.clear()
                self._hands = 0
            key = (game, text, str(ordering))
            if key not in self._ranges and len(player) <= _KEPT_HANDS:
                self._ranges[key] = player
                self._hands += len(player)


def _check_no_file(ordering: object, game: object) -> None:
    """Raise an error for an ordering of a row that the package does not have."""
    from equity.ranges.orderings import Ordering, ordering_names

    names = ordering_names(find_game(game).name)  # type: ignore[arg-type]
    if not isinstance(ordering, Ordering) and str(ordering).strip().lower() not in names:
        raise BatchError(
            f"{ascii_text(str(ordering))} is not read, files named in rows are off",
            place="ordering",
            hint=f"known are {', '.join(names)}",
        )


def read_question(
    values: Mapping[str, Any],
    defaults: Mapping[str, Any],
    memory: Memory,
    *,
    by_combo: bool = False,
) -> Question:
    """The question of a row.

    Parameters
    ----------
    values:
        Columns that are filled in, by meaning.
    defaults:
        What the others are.

    Raises
    ------
    EquityError
        What is wrong with it first.
    """
    view = view_of(values, defaults)
    check_options(view, values)
    how = read_how(values, defaults, view, by_combo=by_combo)
    players = players_of(values)
    game, board, dead, ordering = (
        values.get(name, defaults.get(name)) for name in ("game", "board", "dead", "ordering")
    )
    for name in _TEXTS:
        if name in values:
            check_text(name, values[name])
    for number, player in enumerate(players, 1):
        check_text(f"hand {number}", player)
    if defaults.get("no_files") and values.get("ordering") is not None:
        _check_no_file(values["ordering"], game)
    given: list[Any] = [memory.known(game, player, ordering) for player in players]
    spot = read_spot(given, game, board or "", dead or "", ordering=ordering)
    if how.error is not None:
        spot.notices += error_notices(how.error)
    if spot.hands is None:
        memory.keep(spot, game, players, ordering)
    question = Question(spot, how, view, read_asked(view, values, defaults, spot))
    VIEWS[view].check(question)
    return question
