"""How an answer is to be found, and how far it has come."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Protocol

from equity.errors import MethodError

__all__ = ["DEFAULT_ERROR", "How", "Progress"]

#: A sample goes on until the standard error of every equity is below this.
DEFAULT_ERROR = 0.0005


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
        The same seed gives the same sample.
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
        for name in ("trials", "error", "budget", "threads"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise MethodError(f"{value} is too small", place=name, hint="it is above 0")
        if self.exact and (self.trials is not None or self.error is not None):
            raise MethodError(
                "an exact answer has neither trials nor an error",
                place="exact",
                hint="ask for one or the other",
            )
