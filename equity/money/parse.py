"""What is asked about money, of options or columns by name, and the answer."""

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
    """What stacks, a call, the pot, the rake and its cap ask for, None if none is given.

    ``mark`` stands before the names, as the place of an error has them: ``"--"`` for
    options.

    Raises
    ------
    MoneyError
        They do not go together, or one of them is wrong.
    """
    named = {name: value for name, value in given.items() if value is not None}
    if not named:
        return None
    stacks, call = named.pop("stacks", None), named.pop("call", None)
    if stacks is not None and call is not None:
        raise MoneyError(
            "all in, or a call to think about",
            place=f"{mark}call",
            hint=f"leave out {mark}stacks or {mark}call",
        )
    if call is not None:
        return read_call(call, named.pop("pot", None), **named)
    if stacks is None:
        raise MoneyError(
            "it goes with stacks or a call",
            place=f"{mark}{next(iter(named))}",
            hint=f"say what each player has put in, {mark}stacks 100,60, "
            f"or what there is to {mark}call",
        )
    return read_stakes(stacks, players, **named)


def answer(asked: Stakes | Call, spot: Spot, how: How | None = None) -> Money | PotOdds:
    """The answer to what was asked."""
    return settle(spot, asked, how) if isinstance(asked, Stakes) else face(spot, asked, how)
