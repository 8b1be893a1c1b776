"""Tools for maintainers: build the hand rankings that percentages refer to.

A recipe defines an ordering.  Building one takes minutes to hours, can be resumed after any
step, and gives the same result on any number of threads.
:mod:`equity.ranges.orderings` reads the files that are written here.
"""

from __future__ import annotations

from equity.maintenance.builder import build
from equity.maintenance.recipes import RECIPES, Recipe, find_recipe

__all__ = ["RECIPES", "Recipe", "build", "find_recipe"]
