"""Where percent items find the order of hands that they are read by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from equity.games import Game
from equity.ranges.errors import OrderingError
from equity.ranges.tree import Percent

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["ORDERINGS", "Ordering", "find_ordering"]


class Ordering(Protocol):
    """All hands of a game from the best to the worst."""

    name: str
    version: str

    def mask(self, percent: Percent) -> NDArray[np.bool_]:
        """Which hands are in ``percent``, in the order of the hand space."""


#: Orderings by the name of the game and the number of players they were made
#: for; None is the usual one of the game.
ORDERINGS: dict[tuple[str, int | None], Ordering] = {}


def find_ordering(percent: Percent, game: Game) -> Ordering:
    """The ordering that ``percent`` is read by.

    Raises
    ------
    OrderingError
        There is none.
    """
    ordering = ORDERINGS.get((game.name, percent.players))
    if ordering is None:
        raise OrderingError(
            f"{percent} needs an ordering of the hands of {game.name}, and there is none yet",
            hint="name the hands, as in AA,KK:xxyy",
        )
    return ordering
