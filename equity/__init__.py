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
        PlayerCountError,
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
    from equity.queries.solving import pql
    from equity.ranges import (
        BoardError,
        Ordering,
        OrderingError,
        Range,
        RangeError,
        RangeGameError,
        RangeSyntaxError,
        read_ordering,
    )
    from equity.ranges.ranking import Rank, Standing, rank
    from equity.results.result import PlayerResult, Result, Share
    from equity.rules.games import GAMES, Game
    from equity.views.blockers import blockers
    from equity.views.graph import graph
    from equity.views.next_card import next_cards, two_cards
    from equity.views.plots import plot
    from equity.views.streets import streets

#: Public names and the modules that hold them, imported when first asked for:
#: a program that only reads cards does not wait for numpy.
_HOME = {
    "Answer": "equity.batching",
    "BoardError": "equity.ranges",
    "CardCountError": "equity.errors",
    "CardError": "equity.errors",
    "DataError": "equity.errors",
    "DealError": "equity.errors",
    "DuplicateCardError": "equity.errors",
    "EquityError": "equity.errors",
    "GAMES": "equity.rules.games",
    "Game": "equity.rules.games",
    "EmptyRangeError": "equity.errors",
    "GameError": "equity.errors",
    "How": "equity.engine.options",
    "ManyOdds": "equity.engine.odds_many",
    "MergeError": "equity.errors",
    "MethodError": "equity.errors",
    "NoDealError": "equity.errors",
    "Money": "equity.money",
    "MoneyError": "equity.money",
    "Progress": "equity.engine.options",
    "PlayerCountError": "equity.errors",
    "PlayerResult": "equity.results.result",
    "PotLimit": "equity.money",
    "PotOdds": "equity.money",
    "Ordering": "equity.ranges",
    "OrderingError": "equity.ranges",
    "Rank": "equity.ranges.ranking",
    "Range": "equity.ranges",
    "RangeError": "equity.ranges",
    "RangeGameError": "equity.ranges",
    "RangeSyntaxError": "equity.ranges",
    "Result": "equity.results.result",
    "Share": "equity.results.result",
    "Standing": "equity.ranges.ranking",
    "Values": "equity.engine.showdown",
    "all_in": "equity.money",
    "batch": "equity.batching",
    "describe": "equity.engine.showdown",
    "evaluate": "equity.engine.showdown",
    "odds": "equity.engine.solver",
    "odds_many": "equity.engine.odds_many",
    "pot_limit": "equity.money",
    "pot_odds": "equity.money",
    "pql": "equity.queries.solving",
    "rank": "equity.ranges.ranking",
    "read_ordering": "equity.ranges",
    "blockers": "equity.views.blockers",
    "graph": "equity.views.graph",
    "next_cards": "equity.views.next_card",
    "plot": "equity.views.plots",
    "streets": "equity.views.streets",
    "two_boards": "equity.double_board",
    "two_cards": "equity.views.next_card",
}

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
    "graph",
    "next_cards",
    "odds",
    "odds_many",
    "plot",
    "pot_limit",
    "pot_odds",
    "pql",
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
