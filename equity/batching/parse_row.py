"""Parse a row: its players, the view it asks for, its options and its spot."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

from equity.batching.columns import ASKED, OPTIONS, RIVALS, player_number
from equity.batching.errors import BatchError, ConflictError
from equity.batching.fields import NOT_TEXT, is_missing
from equity.batching.rows import Question
from equity.batching.views import VIEWS
from equity.common.arguments import shown
from equity.engine.options import How
from equity.errors import CardCountError, CardError
from equity.rules.cards import DECK_SIZE, ascii_text, check_distinct, parse_cards
from equity.rules.games import BOARD_SIZE, find_game
from equity.spot import Spot, read_spot

if TYPE_CHECKING:
    from equity.ranges import Range

__all__ = [
    "BY_NAME",
    "Memory",
    "check_cards",
    "check_defaults",
    "check_text",
    "overridden",
    "players_of",
    "read_question",
    "split_players",
    "view_of",
]

#: Views that are asked for by their names; columns of their own ask for the others.
BY_NAME = tuple(name for name, view in VIEWS.items() if not view.asked_by)
_ASKED_BY = {column: name for name, view in VIEWS.items() for column in view.asked_by}
_ASKED = frozenset(ASKED)
#: An option in a cell that asks for nothing.
_NOT_ASKED = ("false", "no", "0")
#: The view of a row that asks for nothing.
_PLAIN = "odds"
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


def view_of(values: Mapping[str, Any], defaults: Mapping[str, Any]) -> str:
    """The name of the view that a row asks for: its own, else that of the defaults.

    Raises
    ------
    ConflictError
        It asks for one without naming it, and the defaults for another.
    BatchError
        It asks for several, or for one that is not known.
    """
    given = _view_in(defaults) if not _ASKED.isdisjoint(defaults) else ""
    if _ASKED.isdisjoint(values) or not (own := _view_in(values)):
        return given or _PLAIN
    if not given or own == given:
        return own
    # Money and two boards are the split of a pot too.
    if own == _PLAIN and VIEWS[given].asked_by:
        return given
    if values.get("view") is not None or given == _PLAIN:
        return own
    column, option = next(iter(_asked_in(values))), next(iter(_asked_in(defaults)))
    raise ConflictError(
        f"the column asks for {own}, and the option {option} for {given}",
        place=column,
        hint="leave out the option, say what the row asks in a column view, or carry "
        f"{column} through as a note: --ignore-columns {column}",
    )


def _view_in(values: Mapping[str, Any]) -> str:
    """The view that some values ask for; nothing if they ask for none."""
    return next(iter(_asked_in(values).values()), "")


def _asked_in(values: Mapping[str, Any]) -> dict[str, str]:
    """The views that some values ask for, all the same, by what asks for them."""
    asked = {name: view for name, view in _ASKED_BY.items() if values.get(name) is not None}
    if (named := values.get("view")) is not None:
        text = named if isinstance(named, str) else shown(named)
        view = text.strip().lower().replace("_", "-").replace(" ", "-")
        if view not in BY_NAME:
            raise BatchError(
                f"{shown(named)} is no view",
                place="view",
                hint=f"known are {', '.join(BY_NAME)}",
            )
        # Money and two boards are the split of a pot too.
        if view != _PLAIN or not asked:
            asked["view"] = view
    if len(set(asked.values())) > 1:
        one, other = list(asked)[:2]
        raise BatchError(
            f"{one} and {other} ask for different things",
            place=other,
            hint="fill in the one or the other, in rows of their own if both are wanted",
        )
    return asked


def overridden(option: str, default: Any, values: Mapping[str, Any], view: str) -> str:
    """Why a row does not follow an option that was asked for; nothing if it does."""
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
    """Raise an error for an option that a row has and its view does not take."""
    for name in OPTIONS:
        # A seed asks for nothing.
        is_asked = own.get(name) not in (None, False) and name != "seed"
        if is_asked and name not in VIEWS[view].options:
            raise BatchError(f"the view {view} has none", place=name, hint="leave it out")


def read_asked(
    view: str, values: Mapping[str, Any], defaults: Mapping[str, Any], spot: Spot
) -> Any:
    """What goes with a view: stakes, a call or a second board; None with others.

    Raises
    ------
    EquityError
        A child of it, for what is wrong with it, or does not go with the view.
    """
    asked_by, takes = VIEWS[view].asked_by, VIEWS[view].takes
    if not takes and _ASKED.isdisjoint(values):
        return None
    for name in ASKED:
        if name in values and name not in takes and name != "view":
            others = [other for other, more in VIEWS.items() if name in more.goes_with]
            columns = " or ".join(column for other in others for column in VIEWS[other].asked_by)
            raise BatchError(
                f"it does not go with the view {view}",
                place=name,
                hint=f"it goes with {columns}, or call the column something else",
            )
    # A row that asks for it in its own way is not bound by how the defaults do.
    own = [name for name in asked_by if name in values]
    aside = set(asked_by).difference(own) if own else ()
    given = {name: values.get(name, defaults.get(name)) for name in takes if name not in aside}
    return VIEWS[view].read(given, spot)


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
    # Whose run it is may ask twice; a table must not, it may be another's.
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
        known = parse_cards(text, place)  # type: ignore[arg-type]
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
    if spot.hands is None:
        memory.keep(spot, game, players, ordering)
    question = Question(spot, how, view, read_asked(view, values, defaults, spot))
    VIEWS[view].check(question)
    return question
