"""Graphs: equities over the hands of a range, and over boards."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from view_tools import FLOP, RANGES

import equity
from equity.ranges import Range
from equity.results.tally import POT
from equity.rules.cards import parse_cards
from equity.rules.games import find_game
from equity.spot import read_spot
from equity.views.answers import free_cards
from equity.views.curves import BINS, FINE, Points, curve
from equity.views.graph import graph


@given(
    st.lists(st.tuples(st.integers(0, POT), st.integers(0, 50)), min_size=1, max_size=60).filter(
        lambda pairs: any(weight for _, weight in pairs)
    ),
    st.booleans(),
)
def test_a_curve_keeps_its_mean(pairs: list[tuple[int, int]], best_first: bool) -> None:
    points = Points([won * weight for won, weight in pairs], [weight for _, weight in pairs])
    found = curve(points, best_first=best_first, label="", running_label="")
    total = sum(weight for _, weight in pairs)
    expected = Fraction(sum(won * weight for won, weight in pairs), POT * total)
    assert found.mean_exact == expected
    assert sum(found.slices) / FINE == expected == found.running[-1]
    assert sum(found.twentieth(at) for at in range(BINS)) / BINS == expected
    assert sum(found.bins) == 1
    assert list(found.slices) == sorted(found.slices, reverse=best_first)
    # Every deal by itself, in a list a hundred times as long.
    flat = sorted((won for won, weight in pairs for _ in range(weight)), reverse=best_first)
    whole = np.repeat(np.array(flat, np.int64), FINE).reshape(FINE, total)
    slices = [Fraction(int(row.sum()), POT * total) for row in whole]
    assert list(found.slices) == slices
    low = sum(1 for won in flat if won * BINS < POT)
    assert found.bins[0] == Fraction(low, total)


@pytest.mark.parametrize("game", RANGES)
def test_a_hand_against_a_range(game: str) -> None:
    hero, range_ = "QhQc5s5h6d6h"[: 2 * find_game(game).hole], RANGES[game][1]
    board = FLOP + "9c"
    found = graph([hero, range_], game, board)
    assert found.exact
    (line,) = found.curves
    assert line.mean_exact == equity.odds([hero, range_], game, board).equities_exact[0]
    combos = Range(range_, game).live(board, parse_cards(hero)).range
    met = [
        equity.odds([hero, hand], game, board).equities_exact[0]
        for hand in combos.combos[:40].tolist()
    ]
    assert line.count == len(combos)
    if len(combos) <= 40:
        bins = [0] * BINS
        for part, weight in zip(met, combos.weights.tolist(), strict=True):
            bins[min(BINS - 1, int(part * BINS))] += weight
        assert line.bins == tuple(Fraction(bin_, sum(bins)) for bin_ in bins)


def test_a_range_against_a_range() -> None:
    players = ["AA:xxyy@50,KK:xxyz@20", "KQJT,QJT9@30"]
    found = graph(players, board="Kh9h4c")
    result = equity.odds(players, board="Kh9h4c")
    assert [line.mean_exact for line in found.curves] == list(result.equities_exact)
    for line in found.curves:
        assert list(line.slices) == sorted(line.slices, reverse=True)


def test_combos_that_are_drawn() -> None:
    exact = graph(["AhAsKhKs", "10%"], board=FLOP)
    found = graph(["AhAsKhKs", "10%"], board=FLOP, trials=1_000, seed=2)
    assert found.drawn == (1_000, exact.curves[0].count)
    assert found.to_dict() == graph(["AhAsKhKs", "10%"], board=FLOP, trials=1_000, seed=2).to_dict()
    error = found.curves[0].std_error or 0
    assert 0 < error < 0.02
    assert found.curves[0].mean == pytest.approx(exact.curves[0].mean, abs=5 * error)
    every = graph(["AhAsKhKs", "10%"], board=FLOP, trials=10**6)
    assert every.exact
    assert every.curves[0] == exact.curves[0]


@pytest.mark.parametrize(
    ("players", "game", "board", "over"),
    [
        (["AhAsKhKs", "9c8c7d6d"], "plo4", FLOP, "turns"),
        (["AsKdQd2s", "Ac4d3h2h", "JcTc9c9d"], "o8", "9s7s6h", "rivers"),
        (["AhKh4h3h@50,QdQs9d9s@100", "JsTs9s8s@30,AsAd5d4s@9"], "plo4", FLOP, "turns"),
        (["AhKh4h3h5c5d", "JsTs9s8s3d3s@30,AsAd3s4s5s*"], "plo6-8", FLOP + "Jd", "rivers"),
    ],
)
def test_a_graph_over_boards(players: list[str], game: str, board: str, over: str) -> None:
    found = graph(players, game, board, over=over)
    assert found.exact
    assert found.curves[0].mean_exact == equity.odds(players, game, board).equities_exact[0]


def test_a_graph_over_turns_by_hand() -> None:
    players = ["AhAsKhKs", "9c8c7d6d"]
    found = graph(players, board=FLOP, over="turns")
    free = free_cards(read_spot(players, board=FLOP))
    parts = [
        equity.odds(players, board=(*parse_cards(FLOP), card)).equities_exact[0] for card in free
    ]
    bins = [0] * BINS
    for part in parts:
        bins[min(BINS - 1, int(part * BINS))] += 1
    assert found.curves[0].bins == tuple(Fraction(count, len(free)) for count in bins)


def test_boards_that_are_drawn() -> None:
    players = ["AhAsKhKs", "9c8c7d6d"]
    found = graph(players, over="flops", trials=2_000, seed=1)
    assert found.drawn == (2_000, 13_244)
    exact = equity.odds(players).equities[0]
    error = found.curves[0].std_error or 0
    assert found.curves[0].mean == pytest.approx(exact, abs=5 * error)
    assert 0 < error < 0.01


def test_one_board_has_no_error() -> None:
    found = graph(["AhAsKhKs", "9c8c7d6d"], over="flops", trials=1)
    assert found.curves[0].std_error == float("inf")
    assert found.to_dict()["curves"][0]["std_error"] is None
    assert found.to_dict()["curves"][0]["mean_exact"] is None


# Blockers


@pytest.mark.parametrize(
    ("board", "over", "words"),
    [
        (FLOP, "flops", "after it"),
        (FLOP, "streets", "no street"),
        (FLOP + "9d3d", "rivers", "after"),
    ],
)
def test_bad_streets_of_a_graph(board: str, over: str, words: str) -> None:
    with pytest.raises(equity.MethodError, match=words):
        graph(["AhAsKhKs", "9c8c7d6d"], board=board, over=over)


def test_a_graph_over_boards_is_counted() -> None:
    with pytest.raises(equity.MethodError, match="too many"):
        graph(["AA", "KK", "QQ"], over="flops")
