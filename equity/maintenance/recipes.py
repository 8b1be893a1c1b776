"""Recipes of the orderings, as rows of a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from equity.errors import EquityError

__all__ = ["RECIPES", "Recipe", "find_recipe"]


@dataclass(frozen=True)
class Recipe:
    """Definition of an ordering for every game; keys are hole cards."""

    name: str
    #: Changes whenever a change of the recipe changes an ordering.
    version: str
    description: str
    #: The score that hands are sorted by.
    score: str
    #: Hands at the table.
    seats: Mapping[int, int]
    #: The least number of deals to each class in the first round; it doubles every round.
    deals: Mapping[int, int] = field(default_factory=dict)
    rounds: int = 1
    #: Whether all others call in the first round, or none ever does.
    all_call: bool = False
    #: The chips that make a score of 1.
    stake: int = 1
    #: Players of a percentage that refers to it (``10%6h``), if not the seats.
    players: int | None = None
    #: Numbers of hole cards for which all boards and hands are enumerated instead.
    exact: frozenset[int] = frozenset()


RECIPES = (
    Recipe(
        "ring",
        "1",
        "what a hand wins at a full table against a blind hand and the hands that pay to call",
        "chips won for each chip paid",
        seats={4: 10, 5: 9, 6: 7},
        deals={4: 64, 5: 8, 6: 1},
        rounds=10,
        all_call=True,
    ),
    Recipe(
        "6max",
        "1",
        "what a hand wins at a table of six against a blind hand and the hands that pay to call",
        "chips won for each chip paid",
        seats={4: 6, 5: 6, 6: 6},
        deals={4: 64, 5: 8, 6: 1},
        rounds=10,
        all_call=True,
    ),
    Recipe(
        "random",
        "1",
        "equity against one hand of any kind",
        "equity",
        seats={5: 5, 6: 5},
        deals={5: 4096, 6: 512},
        stake=2,
        players=2,
        exact=frozenset({4}),
    ),
)


def find_recipe(name: str) -> Recipe:
    """Find a recipe by name.

    Raises
    ------
    EquityError
        No recipe has this name.
    """
    for recipe in RECIPES:
        if recipe.name == name.strip().lower():
            return recipe
    known = ", ".join(recipe.name for recipe in RECIPES)
    raise EquityError(f"{name} is no ordering", place="ordering", hint=f"known are {known}")
