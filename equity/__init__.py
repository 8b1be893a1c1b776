"""Exact equities for the Omaha family of poker games.

>>> import equity
>>> result = equity.odds(["AhAsKhKs", "9c8c7d6d"])
>>> result.players[0].equity_exact
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "1.0.0"

if TYPE_CHECKING:
    from equity.batching import Answer, batch
    from equity.batching.errors import BatchError, ConflictError, OutputError
    from equity.common.notices import Notice
    from equity.double_board import two_boards
    from equity.double_board.answers import Double
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
        PredicateError,
        RangeError,
        RangeGameError,
        RangeSyntaxError,
        UnlikelyReadingError,
    )
    from equity.histories import AllIn, Hand, HistoryError, hands
    from equity.histories.hand import Unread
    from equity.html.report import html_report
    from equity.money import (
        Money,
        MoneyError,
        PotLimit,
        PotOdds,
        all_in,
        pot_limit,
        pot_odds,
    )
    from equity.queries.answers import Answers
    from equity.queries.errors import QueryError
    from equity.queries.solving import pql
    from equity.ranges import Ordering, Range, read_ordering
    from equity.ranges.class_notation import RangeClass
    from equity.ranges.ranking import Rank, Standing, rank
    from equity.results.formats import Listing
    from equity.results.player import PlayerResult, Share
    from equity.results.result import Result
    from equity.rules.games import GAMES, Game
    from equity.views.blockers import Blockers, blockers
    from equity.views.breakdown import Breakdown, texture
    from equity.views.flop_table import Flops
    from equity.views.flops import flops
    from equity.views.graph import Graph, graph
    from equity.views.next_card import NextCards, TwoCards, next_cards, two_cards
    from equity.views.plots import PlotError, plot
    from equity.views.streets import Streets, streets

#: Modules and their public names, imported when first asked for: a program that only reads
#: cards does not wait for numpy.
_NAMES = {
    "equity.batching": "Answer batch",
    "equity.batching.errors": "BatchError ConflictError OutputError",
    "equity.common.notices": "Notice",
    "equity.double_board": "two_boards",
    "equity.double_board.answers": "Double",
    "equity.engine.odds_many": "ManyOdds odds_many",
    "equity.engine.options": "How Progress",
    "equity.engine.showdown": "Values describe evaluate",
    "equity.engine.solver": "odds",
    "equity.errors": (
        "CardCountError CardError DataError DealError DuplicateCardError EmptyRangeError "
        "EquityError GameError MergeError MethodError NoDealError PlayerCountError "
        "BoardError OrderingError PredicateError UnlikelyReadingError "
        "RangeError RangeGameError RangeSyntaxError"
    ),
    "equity.histories": "AllIn Hand HistoryError hands",
    "equity.histories.hand": "Unread",
    "equity.html.report": "html_report",
    "equity.money": "Money MoneyError PotLimit PotOdds all_in pot_limit pot_odds",
    "equity.queries.answers": "Answers",
    "equity.queries.errors": "QueryError",
    "equity.queries.solving": "pql",
    "equity.ranges": "Ordering Range read_ordering",
    "equity.ranges.class_notation": "RangeClass",
    "equity.ranges.ranking": "Rank Standing rank",
    "equity.results.formats": "Listing",
    "equity.results.player": "PlayerResult Share",
    "equity.results.result": "Result",
    "equity.rules.games": "GAMES Game",
    "equity.views.blockers": "Blockers blockers",
    "equity.views.breakdown": "Breakdown texture",
    "equity.views.flop_table": "Flops",
    "equity.views.flops": "flops",
    "equity.views.graph": "Graph graph",
    "equity.views.next_card": "NextCards TwoCards next_cards two_cards",
    "equity.views.plots": "PlotError plot",
    "equity.views.streets": "Streets streets",
}
_HOME = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = [
    "GAMES",
    "AllIn",
    "Answer",
    "Answers",
    "BatchError",
    "Blockers",
    "BoardError",
    "Breakdown",
    "CardCountError",
    "CardError",
    "ConflictError",
    "DataError",
    "DealError",
    "Double",
    "DuplicateCardError",
    "EmptyRangeError",
    "EquityError",
    "Flops",
    "Game",
    "GameError",
    "Graph",
    "Hand",
    "HistoryError",
    "How",
    "Listing",
    "ManyOdds",
    "MergeError",
    "MethodError",
    "Money",
    "MoneyError",
    "NextCards",
    "NoDealError",
    "Notice",
    "Ordering",
    "OrderingError",
    "OutputError",
    "PlayerCountError",
    "PlayerResult",
    "PlotError",
    "PotLimit",
    "PotOdds",
    "PredicateError",
    "Progress",
    "QueryError",
    "Range",
    "RangeClass",
    "RangeError",
    "RangeGameError",
    "RangeSyntaxError",
    "Rank",
    "Result",
    "Share",
    "Standing",
    "Streets",
    "TwoCards",
    "UnlikelyReadingError",
    "Unread",
    "Values",
    "__version__",
    "all_in",
    "batch",
    "blockers",
    "describe",
    "evaluate",
    "flops",
    "graph",
    "hands",
    "html_report",
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
    "texture",
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
