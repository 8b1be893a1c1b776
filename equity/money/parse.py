"""Parses what is asked about money, from options or columns by name, and solves it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from equity.engine.options import How
from equity.money.amounts import MoneyError
from equity.money.calls import Call, PotOdds, face, read_call
from equity.money.payouts import Money, settle
from equity.money.stakes import Stakes, read_stakes
from equity.spot import Spot

__all__ = ["answer", "read_asked"]


def read_asked(given: Mapping[str, Any], players: int, mark: str = "") -> Stakes | Call | None:
    """Parse stacks, a call, the pot, the rake and its cap; None if none is given.

    ``mark`` is put before names in error messages: ``"--"`` for options.

    Raises
    ------
    MoneyError
        One of them is invalid, or they do not go together.
    """
    named = {name: value for name, value in given.items() if value is not None}
    if not named:
        return None
    stacks, call = named.pop("stacks", None), named.pop("call", None)
    if stacks is not None and call is not None:
        raise MoneyError(
            "either all players are all in, or one faces a call",
            place=f"{mark}call",
            hint=f"leave out {mark}stacks or {mark}call",
        )
    if call is not None:
        return read_call(call, named.pop("pot", None), **named)
    if stacks is None:
        raise MoneyError(
            "it needs stacks or a call",
            place=f"{mark}{next(iter(named))}",
            hint=f"give what each player has put in, {mark}stacks 100,60, "
            f"or the amount to {mark}call",
        )
    return read_stakes(stacks, players, **named)


def answer(asked: Stakes | Call, spot: Spot, how: How) -> Money | PotOdds:
    """Solve the spot for all-in stakes, or for a call."""
    return settle(spot, asked, how) if isinstance(asked, Stakes) else face(spot, asked, how)
