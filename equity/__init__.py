"""Exact equities for the Omaha family of poker games.

>>> import equity
>>> result = equity.odds(["AhAsKhKs", "9c8c7d6d"])
>>> result.players[0].equity_exact
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

if TYPE_CHECKING:
    from equity.batching import Answer, batch
    from equity.double_board import two_boards
    from equity.engine.odds_many import ManyOdds, odds_many
    from equity.engine.options import How, Progress
    from equity.engine.showdown import Values, describe, evaluate
    from equity.engine.solver import odds
    from equity.errors import (
        BoardError,
        CardCountError,
        CardError,
        DataError,
        DealError,
        DuplicateCardError,
        EmptyRangeError,
        EquityError,
        GameError,
        MergeError,
        MethodError,
        NoDealError,
        OrderingError,
        PlayerCountError,
        RangeError,
        RangeGameError,
        RangeSyntaxError,
    )
    from equity.money import (
        Money,
        MoneyError,
        PotLimit,
        PotOdds,
        all_in,
        pot_limit,
        pot_odds,
    )
    from equity.ranges import Ordering, Range, read_ordering
    from equity.ranges.ranking import Rank, Standing, rank
    from equity.results.player import PlayerResult, Share
    from equity.results.result import Result
    from equity.rules.games import GAMES, Game
    from equity.views.blockers import blockers
    from equity.views.flops import flops
    from equity.views.graph import graph
    from equity.views.next_card import next_cards, two_cards
    from equity.views.plots import plot
    from equity.views.streets import streets

#: Modules and their public names, imported when first asked for: a program that only reads
#: cards does not wait for numpy.
_NAMES = {
    "equity.batching": "Answer batch",
    "equity.double_board": "two_boards",
    "equity.engine.odds_many": "ManyOdds odds_many",
    "equity.engine.options": "How Progress",
    "equity.engine.showdown": "Values describe evaluate",
    "equity.engine.solver": "odds",
    "equity.errors": (
        "CardCountError CardError DataError DealError DuplicateCardError EmptyRangeError "
        "EquityError GameError MergeError MethodError NoDealError PlayerCountError "
        "BoardError OrderingError RangeError RangeGameError RangeSyntaxError"
    ),
    "equity.money": "Money MoneyError PotLimit PotOdds all_in pot_limit pot_odds",
    "equity.ranges": "Ordering Range read_ordering",
    "equity.ranges.ranking": "Rank Standing rank",
    "equity.results.player": "PlayerResult Share",
    "equity.results.result": "Result",
    "equity.rules.games": "GAMES Game",
    "equity.views.blockers": "blockers",
    "equity.views.flops": "flops",
    "equity.views.graph": "graph",
    "equity.views.next_card": "next_cards two_cards",
    "equity.views.plots": "plot",
    "equity.views.streets": "streets",
}
_HOME = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = [
    "GAMES",
    "Answer",
    "BoardError",
    "CardCountError",
    "CardError",
    "DataError",
    "DealError",
    "DuplicateCardError",
    "EmptyRangeError",
    "EquityError",
    "Game",
    "GameError",
    "How",
    "ManyOdds",
    "MergeError",
    "MethodError",
    "Money",
    "MoneyError",
    "NoDealError",
    "Ordering",
    "OrderingError",
    "PlayerCountError",
    "PlayerResult",
    "PotLimit",
    "PotOdds",
    "Progress",
    "Range",
    "RangeError",
    "RangeGameError",
    "RangeSyntaxError",
    "Rank",
    "Result",
    "Share",
    "Standing",
    "Values",
    "__version__",
    "all_in",
    "batch",
    "blockers",
    "describe",
    "evaluate",
    "flops",
    "graph",
    "next_cards",
    "odds",
    "odds_many",
    "plot",
    "pot_limit",
    "pot_odds",
    "rank",
    "read_ordering",
    "streets",
    "two_boards",
    "two_cards",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'equity' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
