"""Options of a calculation, and its progress."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Protocol

from equity.common.arguments import MOST, number, shown, truth, whole
from equity.common.notices import Notice
from equity.errors import MethodError
from equity.rules.cards import Cards
from equity.rules.games import Game
from equity.spot import MIN_PLAYERS, Spot, read_spot

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from pathlib import Path

    from equity.ranges import Ordering, Range

__all__ = ["DEFAULT_ERROR", "How", "Progress", "check_how", "error_notices", "read_spot_for"]

#: Standard error of every equity at which a sample stops by default.
DEFAULT_ERROR = 0.0005
#: The greatest standard error that a share of the pot can have.
MOST_ERROR = 0.5
#: Standard errors from here on may have been meant in percent.
LARGE_ERROR = 0.01
#: Options that are integers, with their least values.
_WHOLE = (("trials", 1), ("threads", 1), ("seed", 0))


class SoFar(Protocol):
    """A result that is not complete."""

    @property
    def equities(self) -> tuple[float, ...]:
        """Share of all pots won by each player."""


@dataclass(frozen=True)
class Progress:
    """Progress of a calculation."""

    #: Part of the work that is done, 0 to 1, as far as it is known.
    done: float
    #: The result so far: a :class:`~equity.Result`, or that of several boards.
    result: SoFar


@dataclass(frozen=True)
class How:
    """Options of a calculation.

    Parameters
    ----------
    exact:
        Enumerate every deal, up to a day of work and the free memory.
    trials:
        Sample this many deals.
    error:
        Sample until the standard error of every equity is at most this; 0.0005 if no
        other option ends the sample.
    budget:
        Seconds after which a sample stops.
    seed:
        Seed of the sample, an integer from 0 on; the same seed gives the same sample.
    threads:
        Number of threads, at most the number of processors, which is the default.
    by_combo:
        Also give the equity of every combo of two ranges; exact results only.
    progress:
        Called from time to time with a :class:`Progress`.
    executor:
        Runs the work in place of own threads.
    yes:
        Confirm an enumeration that takes more than a day, or more memory than is free;
        it is refused otherwise.
    """

    exact: bool = False
    trials: int | None = None
    error: float | None = None
    budget: float | None = None
    seed: int = 0
    threads: int | None = None
    by_combo: bool = False
    progress: Callable[[Progress], None] | None = None
    executor: Executor | None = None
    yes: bool = False

    def __post_init__(self) -> None:
        for name, least in _WHOLE:
            value = getattr(self, name)
            # The fast path: most values are valid, and this runs for every spot.
            is_right = value is None or (type(value) is int and least <= value < MOST)
            if not is_right or (value is None and name == "seed"):
                object.__setattr__(self, name, whole(value, name, least))
        for name in ("error", "budget"):
            value = getattr(self, name)
            if value is not None and not (type(value) is float and value > 0):
                object.__setattr__(self, name, number(value, name))
        if self.error is not None and self.error > MOST_ERROR:
            raise MethodError(
                f"{self.error:g} is more than any standard error",
                place="error",
                hint=f"it is a part of the pot: 0.05 % is {DEFAULT_ERROR}",
            )
        for name in ("exact", "by_combo", "yes"):
            value = getattr(self, name)
            if type(value) is not bool:
                object.__setattr__(self, name, truth(value, name))
        if self.progress is not None and not callable(self.progress):
            raise MethodError(
                f"{shown(self.progress)} cannot be called", place="progress", hint="give a function"
            )
        if self.executor is not None and not hasattr(self.executor, "submit"):
            raise MethodError(
                f"{shown(self.executor)} is no executor",
                place="executor",
                hint="give one of concurrent.futures",
            )
        if self.exact and (self.trials is not None or self.error is not None):
            raise MethodError(
                "an exact answer has neither trials nor an error",
                place="exact",
                hint="ask for one or the other",
            )


def read_spot_for(
    players: Sequence[Cards | Range],
    game: str | Game,
    board: Cards,
    dead: Cards,
    how: How,
    *,
    min_players: int = MIN_PLAYERS,
    part_of_flop: bool = False,
    ordering: str | Path | Ordering | None = None,
) -> Spot:
    """Parse and validate a spot, see :func:`~equity.spot.read_spot`, that is asked with options.

    Its notices include that of an error that may have been meant in percent, ``0.05``.
    """
    spot = read_spot(
        players,
        game,
        board,
        dead,
        min_players=min_players,
        part_of_flop=part_of_flop,
        ordering=ordering,
    )
    spot.notices += error_notices(how)
    return spot


def error_notices(how: How) -> tuple[Notice, ...]:
    """The notice of an error that may have been meant in percent, if it is one."""
    error = how.error
    if error is None or error < LARGE_ERROR:
        return ()
    problem = f"{error:g} is {100 * error:g} % of the pot"
    hint = f"{error:g} % of it is {Decimal(str(error)) / 100:f}"
    return (Notice(problem, "error", hint),)


def check_how(how: object) -> How:
    """Validate the options that a caller gave; None means the defaults.

    Raises
    ------
    MethodError
        It is not a :class:`How`.
    """
    if how is None:
        return How()
    if isinstance(how, How):
        return how
    raise MethodError(f"{shown(how)} is no equity.How", place="how", hint="give equity.How(...)")
