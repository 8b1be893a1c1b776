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
from equity.results.formats import Style
from equity.results.tally import POT
from equity.rules.cards import parse_cards
from equity.rules.games import find_game
from equity.spot import read_spot
from equity.views import points as points_module
from equity.views.answers import free_cards
from equity.views.curves import BINS, FINE, Label, Noise, Points, curve
from equity.views.graph import graph
from equity.views.points import sampled_points


@given(
    st.lists(st.tuples(st.integers(0, POT), st.integers(0, 50)), min_size=1, max_size=60).filter(
        lambda pairs: any(weight for _, weight in pairs)
    ),
    st.booleans(),
)
def test_a_curve_keeps_its_mean(pairs: list[tuple[int, int]], best_first: bool) -> None:
    points = Points(
        [won * weight for won, weight in pairs], [weight for _, weight in pairs], len(pairs)
    )
    found = curve(points, Label("", "", best_first))
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


@pytest.mark.parametrize(
    ("players", "game", "board"),
    [
        (["AhAsKhKs", "10%"], "plo4", FLOP),
        (["AA:xxyy@50,KK:xxyz@20", "KQJT,QJT9@30"], "plo4", "Kh9h4c"),
        (["A2:xxyz", "A3,KK"], "o8", "9s7s6hKh"),
    ],
)
def test_combos_that_are_sampled(players: list[str], game: str, board: str) -> None:
    exact = graph(players, game, board)
    found = graph(players, game, board, trials=200_000, seed=2)
    assert found.to_dict() == graph(players, game, board, trials=200_000, seed=2).to_dict()
    assert not found.exact
    assert found.deals == pytest.approx(200_000, rel=0.1)
    off = []
    for line, right in zip(found.curves, exact.curves, strict=True):
        assert line.count == right.count
        assert line.errors is not None
        assert 0 < (line.std_error or 0) < 0.01
        assert line.mean == pytest.approx(right.mean, abs=4.5 * (line.std_error or 0))
        parts = [line.twentieth(at) - right.twentieth(at) for at in range(BINS)]
        off += [
            abs(float(part)) / error
            for part, error in zip(parts, line.errors.twentieths, strict=True)
        ]
        bins = [float(one - two) for one, two in zip(line.bins, right.bins, strict=True)]
        # Combos whose equity is near the edge of two bins are in the wrong one at times.
        assert max(map(abs, bins)) < 0.1
    assert float(np.mean(np.array(off) < 3)) > 0.8


def test_best_and_worst_combos() -> None:
    players, board = ["AA:xxyy,KK9", "KQJT,QJT9,99"], "Kh9h4c"
    found = graph(players, board=board, best=4, worst=3)
    result = equity.odds(players, board=board, by_combo=True)
    for player, ranked in enumerate(found.ranked):
        rows = {row["hand"]: row for row in result.combos(player).objects()}
        equities = [row["equity"] for row in rows.values()]
        assert [one.order for one in ranked] == ["best"] * 4 + ["worst"] * 3
        assert [one.equity for one in ranked] == sorted(
            (one.equity for one in ranked), reverse=True
        )
        assert ranked[0].equity == max(equities)
        assert ranked[-1].equity == min(equities)
        for one in ranked:
            assert rows[one.hand]["equity"] == pytest.approx(one.equity)
            assert one.share == pytest.approx(one.combos * rows[one.hand]["share"])
    assert "@TOPSET" in found.ranked[0][0].conditions
    assert found.to_dict()["ranked"][0]["player"] == 1
    lines = list(found.lines(Style()))
    assert any("@TOPSET" in line for line in lines)
    assert {row["order"] for row in found.records()} == {"best", "worst"}


@pytest.mark.parametrize("game", RANGES)
def test_what_the_best_combos_have(game: str) -> None:
    """Conditions that are shown hold for the combo."""
    hero, range_ = "QhQc5s5h6d6h"[: 2 * find_game(game).hole], RANGES[game][1]
    found = graph([hero, range_], game, FLOP + "9c", best=2)
    (ranked,) = found.ranked
    assert ranked[0].player == 2
    for one in ranked:
        for condition in one.conditions:
            assert Range(f"{one.hand}:{condition}", game, board=FLOP + "9c").combos.size


def test_before_the_flop_combos_have_nothing() -> None:
    found = graph(["AA:xxyy", "KK:xxyy"], trials=20_000, best=1, worst=10**6)
    assert all(one.conditions == () for side in found.ranked for one in side)
    # All classes, each once.
    assert sum(one.combos for one in found.ranked[0]) == len(Range("AA:xxyy"))


def test_boards_are_not_ranked() -> None:
    with pytest.raises(equity.MethodError, match="best: boards are not ranked"):
        graph(["AA", "KK"], over="flops", best=3)


def test_the_spread_is_put_right() -> None:
    """Errors widen a distribution; the variance of sampled equities is that without them."""
    chance = np.random.default_rng(1)
    right = 0.5 + 0.1 * chance.standard_normal(20_000)
    errors = np.full(len(right), 0.05)
    noisy = right + errors * chance.standard_normal(len(right))
    points = sampled_points(noisy, Noise(errors, 0 * errors, errors**0), [10**6] * len(right), 1, 1)
    equities = np.array(points.won) / np.array(points.weight) / POT
    assert np.std(noisy) > 1.1 * np.std(right)
    assert np.std(equities) == pytest.approx(np.std(right), rel=0.02)


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


def test_a_graph_over_flops_of_known_hands() -> None:
    """All flops are enumerated, however many runouts there are."""
    found = graph(["AhAsKhKs", "9c8c7d6d"], over="flops")
    assert found.exact
    assert found.curves[0].count == 13_244
    assert found.curves[0].mean_exact == equity.odds(["AhAsKhKs", "9c8c7d6d"]).equities_exact[0]


@pytest.mark.parametrize("players", [["AA", "KK,QQ"], ["AsAdKsJd", "*", "20%"]])
def test_a_graph_over_sampled_flops(players: list[str]) -> None:
    found = graph(players, over="flops", trials=300, seed=1)
    assert not found.exact
    (line,) = found.curves
    # Nobody holds two aces on a flop of three.
    assert line.count == (22_096 if players[0] == "AA" else 17_296)
    exact = equity.odds(players, error=0.0003).equities[0]
    error = line.std_error or 0
    assert 0 < error < 0.003
    assert line.mean == pytest.approx(exact, abs=4.5 * error + 0.0009)
    assert found.deals is not None
    assert found.deals > 300 * 1_700


def test_sampled_boards_agree_with_exact_ones() -> None:
    players = ["AA:xxyy", "KK:A"]
    exact = graph(players, board=FLOP, over="turns")
    found = graph(players, board=FLOP, over="turns", trials=20_000)
    assert exact.exact
    for at in range(BINS):
        assert found.curves[0].errors is not None
        error = found.curves[0].errors.twentieths[at]
        off = float(found.curves[0].twentieth(at) - exact.curves[0].twentieth(at))
        assert abs(off) < 5 * error


def test_boards_that_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of more boards than can be sampled each some are drawn, and enumerated."""
    monkeypatch.setattr(points_module, "MOST_BOARDS", 100)
    monkeypatch.setattr(points_module, "EXACT_COST", 1)
    monkeypatch.setattr(points_module, "BOARDS_COST", 1)
    players = ["AA:xxyy", "KK:A"]
    found = graph(players, board=FLOP, over="rivers", seed=1)
    assert found.drawn is not None
    assert found.drawn == (50, 1_176)
    exact = equity.odds(players, board=FLOP).equities[0]
    error = found.curves[0].std_error or 0
    assert found.curves[0].mean == pytest.approx(exact, abs=4.5 * error)
    assert error > 0


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
