"""What is asked about money, of options or columns by name, and the answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from equity.how import How
from equity.money.amounts import MoneyError
from equity.money.calls import Call, PotOdds, face, read_call
from equity.money.payouts import Money, settle
from equity.money.stakes import Stakes, read_stakes
from equity.spot import Spot

__all__ = ["NAMES", "answer", "read_asked"]

#: What is asked, and what goes with it.
NAMES = ("stacks", "pot", "rake", "cap", "call")


def read_asked(given: Mapping[str, Any], players: int) -> Stakes | Call | None:
    """What some of :data:`NAMES` ask for, None for those that are not given.

    Raises
    ------
    MoneyError
        They do not go together, or one of them is wrong.
    """
    named = {name: given[name] for name in NAMES if given.get(name) is not None}
    if not named:
        return None
    stacks, call = named.pop("stacks", None), named.pop("call", None)
    if stacks is not None and call is not None:
        raise MoneyError(
            "all in, or a call to think about",
            place="call",
            hint="leave out the stacks or the call",
        )
    more = {name: named.get(name) for name in ("pot", "rake", "cap")}
    if call is not None:
        return read_call(call, **more)
    if stacks is None:
        raise MoneyError(
            "it goes with stacks or a call",
            place=next(iter(named)),
            hint="say what each player has put in (stacks 100,60), or what there is to call",
        )
    return read_stakes(stacks, players, **more)


def answer(asked: Stakes | Call, spot: Spot, how: How | None = None) -> Money | PotOdds:
    """The answer to what was asked."""
    return settle(spot, asked, how) if isinstance(asked, Stakes) else face(spot, asked, how)
