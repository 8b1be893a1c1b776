"""What is asked of the spot of a row: a view, money, or two boards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from equity.batching.columns import ASKED, OPTIONS, RIVALS
from equity.batching.errors import BatchError, ConflictError
from equity.batching.views import VIEWS
from equity.common.arguments import shown

if TYPE_CHECKING:
    from equity.spot import Spot

__all__ = ["BY_NAME", "check_options", "put_aside", "read_asked", "view_of"]

#: Views that are asked for by their names; columns of their own ask for the others.
BY_NAME = tuple(name for name, view in VIEWS.items() if not view.asked_by)
_ASKED_BY = {column: name for name, view in VIEWS.items() for column in view.asked_by}
_ASKED = frozenset(ASKED)
#: An option in a cell that asks for nothing.
_NOT_ASKED = ("false", "no", "0")
#: The view of a row that asks for nothing.
_PLAIN = "odds"


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


def put_aside(option: str, default: Any, values: Mapping[str, Any], view: str) -> str:
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
