"""Parse a row: its players, the view it asks for, its options and its spot."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import isfinite
from typing import TYPE_CHECKING, Any

from equity.batching.columns import ASKED, OPTIONS, RIVALS, player_number
from equity.batching.errors import BatchError, ConflictError
from equity.batching.fields import NOT_TEXT, is_missing
from equity.batching.rows import Question
from equity.batching.views import VIEWS
from equity.common.arguments import shown
from equity.engine.options import How, read_spot_for
from equity.errors import CardCountError, CardError
from equity.rules.cards import DECK_SIZE, ascii_text, check_distinct, parse_cards
from equity.rules.games import BOARD_SIZE, find_game
from equity.spot import Spot

if TYPE_CHECKING:
    pass

__all__ = [
    "BY_NAME",
    "check_cards",
    "check_defaults",
    "check_text",
    "numbered_players",
    "overridden",
    "players_of",
    "read_question",
    "split_players",
    "view_of",
]

#: Views with a name for ``--view``; the others are asked for by columns of their own.
BY_NAME = tuple(name for name, view in VIEWS.items() if not (view.asked_by or view.joins))
#: Views that are asked for by two others together.
_JOINED = {frozenset(view.joins): name for name, view in VIEWS.items() if view.joins}
_ASKED_BY = {column: name for name, view in VIEWS.items() for column in view.asked_by}
_ASKED = frozenset(ASKED)
#: Values of an option that leave it off.
_NOT_ASKED = ("false", "no", "0")
#: The view of a row that asks for none.
_PLAIN = "odds"
#: The separator of players in one field.
BETWEEN = "|"
_TRUTH = {"true": True, "yes": True, "1": True, "x": True, "false": False, "no": False, "0": False}
#: Columns that hold names, and all that hold text.
_NAMES = ("game", "ordering")
_TEXTS = ("board", "board2", "dead", *_NAMES)
#: A decimal comma: 0,001 but not 1,000, which may be a thousand.
_DECIMAL_COMMA = re.compile(r"0?,\d+|\d+,(\d\d?|\d{4,})")
#: Seeds must fit into 64 signed bits.
_SEEDS = 1 << 63
#: The most hands of cached ranges, in total.
_KEPT_HANDS = 1_000_000


def view_of(values: Mapping[str, Any], defaults: Mapping[str, Any]) -> str:
    """The view that a row asks for: its own, else that of the defaults.

    Raises ``ConflictError`` if the row asks for a view without naming it, and the defaults for
    another; ``BatchError`` if it asks for several views, or for an unknown one.
    """
    given = _view_in(defaults) if not _ASKED.isdisjoint(defaults) else ""
    if _ASKED.isdisjoint(values) or not (own := _view_in(values)):
        return given or _PLAIN
    if not given or own == given:
        return own
    # Money and two boards are equities, too.
    if own == _PLAIN and given not in BY_NAME:
        return given
    if values.get("view") is not None or given == _PLAIN:
        return own
    column, option = next(iter(_asked_in(values))), next(iter(_asked_in(defaults)))
    raise ConflictError(
        f"the column asks for {own}, and the option {option} for {given}",
        place=column,
        hint="leave out the option, name the view in a column view, or carry "
        f"{column} through as a note: --ignore-columns {column}",
    )


def _view_in(values: Mapping[str, Any]) -> str:
    """The view that values ask for; empty if none."""
    return next(iter(_asked_in(values).values()), "")


def _asked_in(values: Mapping[str, Any]) -> dict[str, str]:
    """The columns that ask for a view, with that view; they must agree."""
    asked = {name: view for name, view in _ASKED_BY.items() if values.get(name) is not None}
    if (named := values.get("view")) is not None:
        text = named if isinstance(named, str) else shown(named)
        view = text.strip().lower().replace("_", "-").replace(" ", "-")
        if view not in BY_NAME:
            raise BatchError(
                f"unknown view {shown(named)}",
                place="view",
                hint=f"views are {', '.join(BY_NAME)}",
            )
        # Money and two boards are equities, too.
        if view != _PLAIN or not asked:
            asked["view"] = view
    if joined := _JOINED.get(frozenset(asked.values())):
        return dict.fromkeys(asked, joined)
    if len(set(asked.values())) > 1:
        one, other = list(asked)[:2]
        raise BatchError(
            f"{one} and {other} ask for different views",
            place=other,
            hint="fill in only one of them, or use a row for each",
        )
    return asked


def overridden(option: str, default: Any, values: Mapping[str, Any], view: str) -> str:
    """Why a row overrides an option of the user; empty if it does not."""
    if str(values.get(option, default)).strip().lower() != str(default).strip().lower():
        return f"their column {option} is filled in"
    for rival in RIVALS.get(option, ()):
        if str(values.get(rival, "false")).strip().lower() not in _NOT_ASKED:
            return f"their column {rival} is filled in"
    taken = (*VIEWS[view].options, *VIEWS[view].takes)
    if option in (*OPTIONS, *ASKED) and option not in ("view", "seed", *taken):
        return f"the view {view} does not take it"
    return ""


def check_options(view: str, own: Mapping[str, Any]) -> None:
    """Raise an error for an option of a row that its view does not take."""
    for name in OPTIONS:
        # A seed is harmless.
        is_asked = own.get(name) not in (None, False) and name != "seed"
        if is_asked and name not in VIEWS[view].options:
            raise BatchError(
                f"the view {view} does not take this option", place=name, hint="leave it out"
            )


def read_asked(
    view: str, values: Mapping[str, Any], defaults: Mapping[str, Any], spot: Spot
) -> Any:
    """Parse the input of a view: stacks, a call or a second board; None for other views.

    Raises ``EquityError`` if it is invalid, or a column does not belong to the view.
    """
    asked_by, takes = VIEWS[view].asked_by, VIEWS[view].takes
    if not takes and _ASKED.isdisjoint(values):
        return None
    for name in ASKED:
        if name in values and name not in takes and name != "view":
            others = [other for other, more in VIEWS.items() if name in more.goes_with]
            columns = " or ".join(column for other in others for column in VIEWS[other].asked_by)
            raise BatchError(
                f"the view {view} does not use it",
                place=name,
                hint=f"it belongs to {columns}; leave it out or rename the column",
            )
    # A row with a column that asks for the view ignores the other such columns of the defaults.
    own = [name for name in asked_by if name in values]
    aside = set(asked_by).difference(own) if own else ()
    given = {name: values.get(name, defaults.get(name)) for name in takes if name not in aside}
    return VIEWS[view].read(given, spot)


def split_players(text: str) -> list[str]:
    """Split a field into players."""
    return [player.strip() for player in text.split(BETWEEN)]


@lru_cache(maxsize=1024)
def numbered_players(names: tuple[str, ...]) -> Mapping[int, str]:
    """The columns of players among some, by number in ascending order."""
    numbers = {player_number(name): name for name in names}
    return {number: numbers[number] for number in sorted(numbers) if number}


def players_of(values: Mapping[str, Any]) -> list[Any]:
    """The players of a row, as given.

    Raises ``BatchError`` if none is given, one is missing, or they are given in two ways.
    """
    numbers = numbered_players(tuple(values))
    given = values.get("players")
    if given is None:
        if len(numbers) != max(numbers, default=-1):
            missing = next((at for at, number in enumerate(numbers, 1) if at != number), 0)
            what = f"player {missing} is missing" if missing else "there are no players"
            raise BatchError(what, hint="fill in player1, player2 and so on")
        return [values[name] for name in numbers.values()]
    if numbers:
        raise BatchError(
            f"players are given both in 'players' and in 'player{min(numbers)}'",
            hint="fill in only one of them",
        )
    if isinstance(given, str):
        given = split_players(given)
    elif not isinstance(given, Sequence):
        raise _wrong("players", given, "a list, or a text with | between players")
    for number, player in enumerate(given, 1):
        if is_missing(player):
            raise BatchError(
                f"player {number} is missing", hint="give every player a hand or a range"
            )
    return list(given)


def _wrong(name: str, value: object, wanted: str) -> BatchError:
    shown = ascii_text(value) if isinstance(value, str) else repr(value)
    return BatchError(f"invalid value {shown}", place=name, hint=f"it must be {wanted}")


def _number(value: object) -> float:
    """Parse a number, with a decimal point or a decimal comma."""
    if isinstance(value, str):
        value = value.replace(",", ".") if _DECIMAL_COMMA.fullmatch(value) else value
    elif isinstance(value, bool) or not hasattr(value, "__float__"):
        raise ValueError
    number = float(value)
    if not isfinite(number):
        raise ValueError
    return number


def _whole(value: object) -> int:
    """Parse an integer; data frames with gaps write it as 1000.0."""
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


#: The parser of each option, and a description of its values.
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
    """The options of a row, for one thread."""
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
    # Only the user may insist on a long calculation; a table may come from somebody else.
    yes = bool(defaults.get("yes"))
    return How(**(options | own), threads=1, by_combo=by_combo, yes=yes)


def check_text(name: str, value: object) -> None:
    """Raise an error for a number or boolean in place of cards, a range or a name."""
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
    """Raise an error unless a text is known cards, or a pattern of cards to be dealt."""
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
                f"{len(known)} cards", place=place, hint=f"at most {most} are allowed"
            )


def check_defaults(defaults: Mapping[str, Any]) -> None:
    """Raise an error unless the defaults suit a row that has only players."""
    game = find_game(defaults.get("game", ""))
    check_cards(defaults.get("board", ""), "board", BOARD_SIZE)
    check_cards(defaults.get("dead", ""), "dead cards", DECK_SIZE)
    ordering = defaults.get("ordering")
    # An ordering file may be for the games of other rows.
    is_file = isinstance(ordering, os.PathLike) or (
        isinstance(ordering, str) and os.path.isfile(ordering)
    )
    if ordering is not None and not is_file and not hasattr(ordering, "order"):
        from equity.ranges import select_ordering

        select_ordering(ordering, game)
    view = view_of({}, defaults)
    check_options(view, defaults)
    read_how({}, defaults, view, by_combo=False)


def _check_no_file(ordering: object, game: object) -> None:
    """Raise an error for an ordering of a row that is not built in."""
    from equity.ranges.orderings import Ordering, ordering_names

    names = ordering_names(find_game(game).name)  # type: ignore[arg-type]
    if not isinstance(ordering, Ordering) and str(ordering).strip().lower() not in names:
        raise BatchError(
            f"{ascii_text(str(ordering))} is not read: rows may not name files",
            place="ordering",
            hint=f"built in are {', '.join(names)}",
        )


def read_question(
    values: Mapping[str, Any], defaults: Mapping[str, Any], *, by_combo: bool = False
) -> Question:
    """Parse a row into a question.

    ``values`` are the known columns that are filled in, ``defaults`` stand for the others.

    Raises ``EquityError`` if the row is invalid; the first problem is named.
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
    spot = read_spot_for(
        players, game, board or "", dead or "", how, ordering=ordering, **VIEWS[view].reading
    )
    question = Question(spot, how, view, read_asked(view, values, defaults, spot))
    VIEWS[view].check(question)
    return question
