"""Making the orderings of hands that percent ranges are read by.

A recipe says how an ordering is made; building one takes minutes to hours, in
steps after any of which it can be resumed, and the result is the same each time
on any number of threads.  :mod:`equity.ranges.orderings` reads what is made here.
"""

from __future__ import annotations

from equity.maintenance.builder import build
from equity.maintenance.recipes import RECIPES, Recipe, find_recipe

__all__ = ["RECIPES", "Recipe", "build", "find_recipe"]
