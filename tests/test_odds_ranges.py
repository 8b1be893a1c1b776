"""Ranges against ranges, by every method, through the public function."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction
from multiprocessing import get_context

import known_values
import naive
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import equity
from equity.rules.cards import format_cards
from equity.rules.games import GAMES, find_game

TWO = [row for row in known_values.ranges() if len(row.ranges) == 2]
MORE = [row for row in known_values.ranges() if len(row.ranges) > 2 and row.deals < 2e7]


def check(row: known_values.RangeSpot, result: equity.Result) -> None:
    assert result.exact
    assert (result.deals, result.weight) == (row.deals, row.weight)
    if result.no_low is not None:
        assert result.no_low == row.no_low
    for mine, known in zip(result.players, row.players, strict=True):
        assert mine.equity_exact * 120 * result.weight == known.pot120
        assert mine.high.equity_exact * 120 * result.weight == known.hi120
        assert mine.high.win_count == known.hi_win
        assert mine.outcomes.get("1", 0) == known.scoop
        if mine.low:
            assert mine.low.equity_exact * 120 * result.weight == known.lo120
            assert mine.low.win_count == known.lo_win
            assert mine.outcomes.get("1/4", 0) == known.quarter
            assert mine.outcomes.get("3/4", 0) == known.three_quarters


@pytest.mark.parametrize("row", TWO, ids=lambda row: row.id)
def test_known_ranges(row: known_values.RangeSpot) -> None:
    check(row, equity.odds(row.ranges, row.game, row.board, row.dead, exact=True))


@pytest.mark.parametrize("row", MORE, ids=lambda row: row.id)
def test_known_ranges_of_several_players(row: known_values.RangeSpot) -> None:
    result = equity.odds(row.ranges, row.game, row.board, row.dead, exact=True)
    assert result.method == "enumerate"
    check(row, result)


@pytest.mark.parametrize("row", list(known_values.ranges()), ids=lambda row: row.id)
def test_samples_of_known_ranges(row: known_values.RangeSpot) -> None:
    result = equity.odds(row.ranges, row.game, row.board, row.dead, trials=200_000, seed=5)
    assert (result.method, result.exact, result.seed) == ("sample", False, 5)
    assert result.deals >= 200_000
    for mine, known in zip(result.players, row.players, strict=True):
        assert mine.std_error is not None
        for name, part, exact in (
            ("equity", mine.equity, known.pot120),
            ("high", mine.high.equity, known.hi120),
            ("low", mine.low.equity if mine.low else None, known.lo120),
        ):
            error = mine.std_error[name]
            if part is None:
                assert error is None
            else:
                assert error is not None
                assert abs(part - exact / 120 / row.weight) <= 5 * error + 1e-12


def test_the_split_of_a_sample_has_its_errors() -> None:
    spot = (["A2:xxyy", "AA!A2"], "o8", "3c7dKs")
    exact = equity.odds(*spot, exact=True)
    sample = equity.odds(*spot, trials=30_000_000, seed=11)
    for mine, known in zip(sample.players, exact.players, strict=True):
        assert mine.split_error is not None
        assert set(mine.split_error) == {
            *known.outcomes,
            *("high_win", "high_tie", "low_win", "low_tie"),
        }
        for part, weight in known.outcomes.items():
            error = mine.split_error[part]
            assert error is not None
            assert 0 < error < 0.002
            assert abs(mine.outcomes[part] / sample.weight - weight / exact.weight) < 6 * error
        # The same deals make a scoop and all of the pot.
        assert mine.std_error is not None
        assert mine.split_error["1"] == mine.std_error["scoop"]


@st.composite
def small_ranges(draw: st.DrawFn) -> tuple[str, list[list[tuple[int, ...]]], list[list[int]], str]:
    """A game, two or three lists of a few hands with weights, and a late board."""
    game = draw(st.sampled_from(GAMES))
    deck = draw(st.permutations(range(52)))
    board = deck[: draw(st.integers(4, 5))]
    rest = deck[len(board) : len(board) + 3 * game.hole + 4]
    hands = st.lists(
        st.permutations(rest).map(lambda cards: tuple(sorted(cards[: game.hole], reverse=True))),
        min_size=1,
        max_size=4,
        unique=True,
    )
    ranges = [draw(hands) for _ in range(draw(st.integers(2, 3)))]
    weights = [[draw(st.integers(1, 9)) for _ in hand] for hand in ranges]
    return game.name, ranges, weights, format_cards(board)


@settings(max_examples=60)
@given(small_ranges())
def test_exact_methods_against_brute_force(
    question: tuple[str, list[list[tuple[int, ...]]], list[list[int]], str],
) -> None:
    game, hands, weights, board = question
    players = [
        equity.Range.from_hands(some, game, weights=own)
        for some, own in zip(hands, weights, strict=True)
    ]
    lows = find_game(game).low
    known, deals = naive.range_tally(
        [list(zip(some, own, strict=True)) for some, own in zip(hands, weights, strict=True)],
        naive.cards(board),
        (),
        lows,
    )
    if not deals:
        with pytest.raises(equity.EquityError):
            equity.odds(players, game, board, exact=True)
        return
    result = equity.odds(players, game, board, exact=True)
    assert result.deals == deals
    divisor = sum(known[0].values()) // result.weight
    for number, counted in enumerate(known):
        mine = {(high, low): divisor * n for high, low, n in result.tally.results(number)}
        assert mine == {key: n for key, n in counted.items() if n}


def test_every_combo_of_a_range() -> None:
    """Combos averaged by their shares are the range; each alone is a hand against it."""
    first, second, board = "AhAsQd7c,9h9sQh7d@30,KsKh8s8h", "AsKhQc3c,KcKd7h3d", "Ks9d8c4h"
    result = equity.odds([first, second], board=board, by_combo=True)
    assert result.hands is not None
    rows = list(result.combos(0).objects())
    # The kings hold a king of the board.
    assert sorted(row["hand"] for row in rows) == ["AsAhQd7c", "Qh9s9h7d"]
    assert rows[0]["equity"] >= rows[1]["equity"]
    assert sum(row["share"] for row in rows) == pytest.approx(1)
    mean = sum(row["share"] * row["equity"] for row in rows)
    assert mean == pytest.approx(result.equities[0])
    for row in rows:
        alone = equity.odds([row["hand"], second], board=board, exact=True)
        assert str(alone.equities_exact[0]) == row["equity_exact"]
        assert row["std_error"] is None


@pytest.mark.parametrize(
    ("players", "game", "board"),
    [
        (["AA:xxyy@50,KQJT", "KK,QJT9"], "plo4", "Kh9h4c"),
        (["AsAhQd7c,9h9sQh7d", "AcKhQc3c,KcKd7h3d", "JsJhTs8s,3h3s5h5s"], "o8", "Ks9d8c"),
        (["A2", "KK", "*"], "o8", ""),
    ],
)
def test_sampled_combos(players: list[str], game: str, board: str) -> None:
    """Combos of a sample have errors; averaged by their shares they are the range."""
    result = equity.odds(players, game, board, trials=300_000, by_combo=True)
    for at in range(len(players) - 1):
        rows = list(result.combos(at).objects())
        assert sum(row["share"] for row in rows) == pytest.approx(1)
        mean = sum(row["share"] * row["equity"] for row in rows)
        assert mean == pytest.approx(result.equities[at], abs=0.006)
        assert all(row["equity_exact"] is None for row in rows)
        for row in rows[:: max(1, len(rows) // 3)][:3]:
            others = [*players[:at], row["hand"], *players[at + 1 :]]
            alone = equity.odds(others, game, board, error=0.002)
            assert abs(alone.equities[at] - row["equity"]) < 5 * row["std_error"] + 0.008


@pytest.mark.parametrize(
    ("players", "board", "equities"),
    [
        # Compatible sets of hands count evenly, whoever is dealt first.
        (["AsAhQd7c,9h9sQh7d", "AsKhQc3c,KcKd7h3d"], "Ks9d8c4h2s", ["1/3", "2/3"]),
        (["AsAhQd7c,9h9sQh7d", "KhQcJc3c"], "Ks9d8c4h", ["31/40", "9/40"]),
        (
            ["AsAhKdQd,KsKhQsJs,QcQh9c8c", "AsKsTdTh,QcJc9d8d,7c7h6c6h"],
            "Tc7d2h3s",
            ["77/240", "163/240"],
        ),
        (["As8s7d6d,Ac8c7h6h", "KhKdQhQd"], "As8d2c9h", ["9/10", "1/10"]),
        (
            ["AcAdKcKd,QcQdJcJd", "9h9s8h8s,7h7s6h6s", "AhKhQhJh,5c5d4c4d"],
            "9c6d2hTs",
            ["19/144", "17/24", "23/144"],
        ),
    ],
)
def test_card_removal(players: list[str], board: str, equities: list[str]) -> None:
    for order in (slice(None), slice(None, None, -1)):
        known = [Fraction(part) for part in equities][order]
        exact = equity.odds(players[order], board=board, exact=True)
        assert list(exact.equities_exact) == known
        sample = equity.odds(players[order], board=board, error=0.002, trials=10**9)
        for player, part in zip(sample.players, known, strict=True):
            assert player.std_error is not None
            assert abs(player.equity - part) <= 5 * (player.std_error["equity"] or 0) + 1e-12


def test_a_seed_gives_the_same_integers_on_any_number_of_threads() -> None:
    spot = ["AA", "KK:xxyy", "*"]
    results = [
        equity.odds(spot, "o8", trials=300_000, seed=9, threads=threads) for threads in (1, 2, 5)
    ]
    assert results[0].tally == results[1].tally == results[2].tally
    assert results[0].equities != equity.odds(spot, "o8", trials=300_000, seed=8).equities


def test_the_method_is_chosen_by_the_work() -> None:
    assert equity.odds(["AhAsKhKs", "9c8c7d6d"]).method == "enumerate"
    assert equity.odds(["AhAsKhKs", "KK:xxyy"]).method == "pairs"
    assert equity.odds(["AA", "KK"], board="Th7h2c").method == "sweep"
    assert equity.odds(["AA", "KK"], error=0.01).method == "sample"
    assert equity.odds(["AA:xxyy", "KK:xxyy"], board="Th7h2c", trials=1).method == "sample"
    # A whole board, or known hands, are exact whatever is asked for.
    assert equity.odds(["AhAsKhKs", "9c8c7d6d"], trials=10, board="2c3c4d5h6h").exact


def test_stops_at_the_error_that_is_asked_for() -> None:
    for error in (0.01, 0.002):
        result = equity.odds(["AA", "KK", "QQ"], error=error, seed=2)
        worst = max((player.std_error or {})["equity"] or 1 for player in result.players)
        assert worst <= error


def test_a_stop_by_time_can_be_repeated() -> None:
    result = equity.odds(["AA", "KK", "*"], error=1e-9, budget=0.3, seed=3)
    again = equity.odds(["AA", "KK", "*"], trials=result.deals, seed=3)
    assert again.tally == result.tally


def test_samples_add_up() -> None:
    one, two = (equity.odds(["AA", "KK"], trials=100_000, seed=seed) for seed in (1, 2))
    both = one + two
    assert both.deals == one.deals + two.deals
    assert both.tally == one.tally + two.tally
    error = (both.players[0].std_error or {})["equity"]
    assert error is not None
    assert error < min((r.players[0].std_error or {})["equity"] or 0 for r in (one, two))
    with pytest.raises(equity.MergeError, match="seed 1"):
        _ = one + one
    with pytest.raises(equity.MergeError, match="seed 2"):
        _ = both + two
    with pytest.raises(equity.MergeError, match="different spots"):
        _ = one + equity.odds(["AA", "QQ"], trials=100_000, seed=5)
    exact = equity.odds(["AA:xxyy", "KK:xxyy"], board="Th7h2c")
    with pytest.raises(equity.MergeError, match="complete"):
        _ = exact + exact


def test_cards_by_pattern() -> None:
    """A flop by its pattern is the mean of the flops that match."""
    pattern = equity.odds(["AhAsKhKs", "9c8c7d6d"], board="QQJ:ww", error=0.001)
    assert (pattern.board, pattern.method) == ("QQJ:ww", "sample")
    flops = [
        f"{one}{two}{three}"
        for one, two in (("Qh", "Qs"), ("Qh", "Qd"), ("Qh", "Qc"), ("Qs", "Qd"), ("Qs", "Qc"))
        for three in ("Jh", "Js", "Jd", "Jc")
        if three[1] in (one[1], two[1])
    ]
    flops += [f"QdQc{three}" for three in ("Jd", "Jc")]
    exact = [equity.odds(["AhAsKhKs", "9c8c7d6d"], board=flop).equities[0] for flop in flops]
    error = (pattern.players[0].std_error or {})["equity"]
    assert error is not None
    assert abs(pattern.equities[0] - sum(exact) / len(exact)) < 5 * error
    dead = equity.odds(["AhAsKhKs", "9c8c7d6d"], dead="QhQs**", error=0.002)
    assert dead.dead != ""


def test_progress_is_reported_and_can_stop_the_run() -> None:
    seen: list[equity.Progress] = []
    equity.odds(["AA", "KK", "QQ"], error=0.0002, progress=seen.append)
    assert seen
    assert all(0 <= progress.done < 1 for progress in seen)

    def stop(progress: equity.Progress) -> None:
        raise KeyboardInterrupt

    for question in (
        equity.odds(["AA", "KK", "QQ"], error=1e-6, progress=stop),
        equity.odds(["AA", "KK"], board="Th7h2c", exact=True, progress=stop),
    ):
        assert question.partial
        assert not question.exact
        assert sum(question.equities) == pytest.approx(1)


def test_other_executors() -> None:
    spot = ["AA", "KK:xxyy"]
    sample = equity.odds(spot, trials=200_000, seed=4)
    exact = equity.odds(spot, board="Th7h2c3d", exact=True)
    with ThreadPoolExecutor(3) as threads:
        assert equity.odds(spot, trials=200_000, seed=4, executor=threads).tally == sample.tally
        again = equity.odds(spot, board="Th7h2c3d", exact=True, executor=threads)
        assert again.tally == exact.tally
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        assert equity.odds(spot, trials=200_000, seed=4, executor=processes).tally == sample.tally
        again = equity.odds(spot, board="Th7h2c3d", by_combo=True, executor=processes)
        assert again.tally == exact.tally
        assert again.hands is not None
        several = ["AAKK:xxyy", "QQJJ:xxyy", "T998:xxyy"]
        again = equity.odds(several, board="Th7h2c3d", exact=True, executor=processes)
        assert again.tally == equity.odds(several, board="Th7h2c3d", exact=True).tally


def test_several_threads_ask_at_once() -> None:
    known = equity.odds(["AA:xxyy", "KK:xxyy"], board="Th7h2c").tally
    found = []

    def ask() -> None:
        found.append(equity.odds(["AA:xxyy", "KK:xxyy"], board="Th7h2c", threads=2).tally)

    asking = [threading.Thread(target=ask) for _ in range(4)]
    for thread in asking:
        thread.start()
    for thread in asking:
        thread.join()
    assert found == [known] * 4


@pytest.mark.parametrize("game", [game.name for game in GAMES])
def test_everything_in_every_game(game: str) -> None:
    hole = find_game(game).hole
    hand = "AhAsKhKs2d3d"[: 2 * hole]
    result = equity.odds([hand, "*", "QQ"], game, error=0.005)
    assert result.method == "sample"
    assert sum(result.equities) == pytest.approx(1)
    for name in ("equity", "scoop"):
        errors: Sequence[float] = [(p.std_error or {})[name] or 0 for p in result.players]
        assert all(0 < error <= 0.005 or name != "equity" for error in errors)


@pytest.mark.parametrize(
    ("players", "more", "error", "words"),
    [
        (["AA", "AA", "AA"], {}, equity.EquityError, ["ranges 1 and 2 and 3", "4 are left"]),
        (["AA", "KK:wwww!K"], {}, equity.EmptyRangeError, ["range 2", "no hand"]),
        (["AhAsKh", "QQ"], {}, equity.CardCountError, ["hand 1", "3 cards", "AhAsKh*"]),
        (["AhKh", "AhQh"], {"exact": True}, equity.MethodError, ["dealt together"]),
        (["AhKh", "AhQh"], {}, equity.EquityError, ["range"]),
        (
            ["AhAd", "QQ"],
            {"board": "Ah7c2d"},
            equity.EmptyRangeError,
            ["range 1", "no live combo", "Ah7c2d"],
        ),
        (["AA", "KK"], {"trials": 0}, equity.MethodError, ["trials", "0"]),
        (["AA", "KK"], {"error": -1}, equity.MethodError, ["error", "-1"]),
        (["AA", "KK"], {"exact": True, "trials": 5}, equity.MethodError, ["exact"]),
        (["AA", "KK"], {"board": "T98:xxy", "exact": True}, equity.MethodError, ["pattern"]),
        (["AA", "KK"], {"board": "AKQJT9"}, equity.EquityError, ["board"]),
        (["AA,", "KK"], {}, equity.RangeSyntaxError, ["range 1, column 4"]),
        (["AA", "10%8h"], {}, equity.OrderingError, ["range 2", "10%8h"]),
    ],
)
def test_what_is_wrong_is_named(
    players: list[str], more: dict[str, object], error: type[Exception], words: list[str]
) -> None:
    with pytest.raises(error) as caught:
        equity.odds(players, **more)  # type: ignore[arg-type]
    for word in words:
        assert word in str(caught.value)


def test_a_range_of_another_game_is_refused() -> None:
    with pytest.raises(equity.RangeGameError):
        equity.odds([equity.Range("AA", "plo5"), "AhAsKhKs"])
    made = equity.Range("AA:xxyy", "plo4")
    assert equity.odds([made, "KK:xxyy"], board="Th7h2c").players[0].range == "AA:xxyy"
