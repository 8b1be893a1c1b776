"""Hand histories: what rooms write, as hands whose chips add up, and all-in equities.

A format is a module with one function that yields hands; :data:`formats.FORMATS` lists
them.  Amounts are integers in the smallest unit of a hand, so that sums are exact.
"""

from __future__ import annotations

from equity.histories.hand import Action, AllIn, Hand, HandPlayer, Pot, PotEquity, Unread
from equity.histories.reading import HistoryError, hands

__all__ = [
    "Action",
    "AllIn",
    "Hand",
    "HandPlayer",
    "HistoryError",
    "Pot",
    "PotEquity",
    "Unread",
    "hands",
]
