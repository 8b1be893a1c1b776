"""The table of answers and of the functions that write them as HTML."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any

from equity.common.tables import Tabular
from equity.double_board.answers import Double
from equity.histories.report import SessionHistory
from equity.html import conditions, hands, money, others, results, views
from equity.html.tags import Markup, el
from equity.money.boards import BoardsMoney
from equity.money.calls import PotOdds
from equity.money.limits import PotLimit
from equity.money.payouts import Money
from equity.operations.batch import BatchRows
from equity.queries.answers import Answers
from equity.ranges import Range
from equity.ranges.ranking import Rank
from equity.results.result import Result
from equity.views.blockers import Blockers
from equity.views.breakdown import Breakdown
from equity.views.flop_table import Flops
from equity.views.graph import Graph
from equity.views.next_card import NextCards, TwoCards
from equity.views.range_facts import RangeFacts, range_facts
from equity.views.ranks import Ranks
from equity.views.showdown import Showdown
from equity.views.streets import Streets

__all__ = ["notebook", "render", "style"]

#: The function of each type of answer; of a subclass, that of the first base that is here.
RENDERERS: dict[type, Callable[[Any], Markup]] = {
    Result: results.result,
    Double: results.double,
    BoardsMoney: money.boards_money,
    Money: money.money,
    PotOdds: money.call,
    PotLimit: money.pot_limit,
    Streets: views.streets,
    NextCards: views.next_cards,
    TwoCards: views.two_cards,
    Graph: views.graph,
    Flops: conditions.flops,
    Blockers: views.blockers,
    Breakdown: conditions.breakdown,
    Answers: others.queries,
    SessionHistory: others.session,
    RangeFacts: hands.range_facts,
    Showdown: hands.showdown,
    Ranks: lambda found: hands.ranks(found.ranks),
    Rank: lambda found: hands.ranks([found]),
    BatchRows: others.batch,
    Range: lambda found: hands.range_facts(range_facts(found, (), (), None)),
    Tabular: others.any_answer,
}


def render(answer: Tabular) -> str:
    """An answer as a fragment of HTML, with classes of ``answers.css``."""
    kinds = (kind for kind in type(answer).__mro__ if kind in RENDERERS)
    return el("article", RENDERERS[next(kinds)](answer), class_="answer")


@cache
def style() -> str:
    """The style sheet of fragments."""
    return files("equity.html").joinpath("answers.css").read_text(encoding="ascii")


def notebook(answer: Tabular) -> str:
    """An answer with its styles, as a notebook shows it."""
    # Styles of one answer do not reach other cells, as all names begin with the article.
    return f"<style>{style()}</style>{render(answer)}"
