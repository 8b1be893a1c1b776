"""How an answer is to be found, and how far it has come."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

from equity.common.arguments import MOST, number, shown, truth, whole
from equity.common.notices import Notice
from equity.errors import MethodError

__all__ = ["DEFAULT_ERROR", "How", "Progress", "check_how", "error_notices"]

#: A sample goes on until the standard error of every equity is below this.
DEFAULT_ERROR = 0.0005
#: No standard error of a part of the pot is larger.
MOST_ERROR = 0.5
#: An error from here on may have been meant in percent.
LARGE_ERROR = 0.01
#: Options that are whole numbers, and the least that each can be.
_WHOLE = (("trials", 1), ("threads", 1), ("seed", 0))


class SoFar(Protocol):
    """An answer that is not complete."""

    @property
    def equities(self) -> tuple[float, ...]:
        """Part of all pots won by each player."""


@dataclass(frozen=True)
class Progress:
    """How far an answer has come."""

    #: Part of the work that is done, 0 to 1, if it can be told.
    done: float
    #: The answer so far: a :class:`~equity.Result`, or that of several boards.
    result: SoFar


@dataclass(frozen=True)
class How:
    """How an answer is to be found.

    Parameters
    ----------
    exact:
        Count every deal, however long it takes.
    trials:
        Sample until there are so many deals.
    error:
        Sample until the standard error of every equity is at most this; 0.0005
        if nothing else ends the sample.
    budget:
        Seconds after which a sample ends.
    seed:
        The same seed, a whole number from 0 on, gives the same sample.
    threads:
        How many threads work, at most as many as there are processors; all of these
        by default.
    by_combo:
        Tell how every combo of two ranges fares; an exact answer only.
    progress:
        Called now and then with a :class:`Progress`.
    executor:
        Runs the work in place of threads of our own.
    yes:
        Count even what takes more than a day, or more memory than is free; without
        it such an exact answer is refused.
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
            # Most are right, and this is done for every question.
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


def error_notices(error: float | None) -> tuple[Notice, ...]:
    """The notice of an error that may have been meant in percent, ``0.05``."""
    if error is None or not LARGE_ERROR <= error <= MOST_ERROR:
        return ()
    problem = f"{error:g} is {100 * error:g} % of the pot"
    return (Notice(problem, "error", f"{error:g} % of it is {Decimal(str(error)) / 100:f}"),)


def check_how(how: object) -> How:
    """The way that a caller has given, the usual one for None.

    Raises
    ------
    MethodError
        It is something else.
    """
    if how is None:
        return How()
    if isinstance(how, How):
        return how
    raise MethodError(f"{shown(how)} is no equity.How", place="how", hint="give equity.How(...)")
