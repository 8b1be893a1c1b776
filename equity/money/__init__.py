"""Money: side pots, rake, expected chips of players who are all in, and pot odds.

Amounts are exact fractions made from decimal text, and so is everything that follows from
an exact result.  Odd chips are not modelled: a pot is split evenly, however small its
parts.
"""

from __future__ import annotations

from equity.money.amounts import MoneyError, Rake, read_amount, read_amounts, read_rake
from equity.money.api import all_in
from equity.money.calls import Call, PotOdds, pot_odds, read_call
from equity.money.limits import PotLimit, pot_limit
from equity.money.payouts import Money, PlayerMoney, Pot, settle
from equity.money.stakes import Layer, Stakes, read_stakes

__all__ = [
    "Call",
    "Layer",
    "Money",
    "MoneyError",
    "PlayerMoney",
    "Pot",
    "PotLimit",
    "PotOdds",
    "Rake",
    "Stakes",
    "all_in",
    "pot_limit",
    "pot_odds",
    "read_amount",
    "read_amounts",
    "read_call",
    "read_rake",
    "read_stakes",
    "settle",
]
