"""Queries of the query language, on one thread and warm; no peer answers them."""

from __future__ import annotations

from functools import partial

import pytest

import equity
from benchmarks.measuring import Measuring

HAND = "from game='omahahi', hero='AhAsKhKs', villain='9c8c7d6d'"
RANGES = "from game='omahahi', hero='10%', villain='30%'"
#: Queries, and the deals of a sample.
QUERIES = {
    "two ranges, hand types and winners on the river, 500,000 deals": (
        "select histogram(handType(hero, river)), histogram(handType(villain, river)), "
        f"count(winsHi(hero)), count(winsHi(villain)) {RANGES}",
        500_000,
    ),
    "flop categories of a range, 500,000 deals": (
        f"select histogram(flopHandCategory(hero)) {RANGES}",
        500_000,
    ),
    "flop categories of a hand, exact": (
        "select histogram(flopHandCategory(hero)) from game='omahahi', hero='KhKd7c2s', v='*'",
        None,
    ),
    "a set against an unseen range, exact": (
        "select count(flopHandCategory(hero) = flopset) from game='omahahi', hero='KhKd7c2s', "
        "v='30%'",
        None,
    ),
    "equities on all flops": (f"select histogram(equity(hero, flop)) {HAND}", None),
}


@pytest.mark.parametrize("name", QUERIES)
def test_queries(measuring: Measuring, name: str) -> None:
    query, trials = QUERIES[name]
    ask = partial(equity.pql, query, trials=trials, threads=1)
    ask()
    measuring.race("queries", (name,), ask)
