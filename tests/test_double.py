"""Two boards from one deck: against a slow count, in every game, and as samples."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from pathlib import Path

import naive
import pytest
from batch_tools import read_csv, write_csv
from conftest import Run

import equity
from equity.double_board import Double, Shares, drawing, solving, two_boards
from equity.rules.games import GAMES, Game

HANDS = ["AsAhKsKh3c2c", "9s8s7d6d4c5c"]


def slow(
    hands: list[naive.Cards], boards: tuple[naive.Cards, naive.Cards], dead: naive.Cards, low: bool
) -> tuple[list[Counter[Fraction]], list[Counter[Fraction]]]:
    """By player, pairs of boards by the part of the pot won, and the same on the first alone."""
    gone = {*sum(hands, ()), *boards[0], *boards[1], *dead}
    left = [card for card in range(52) if card not in gone]
    both: list[Counter[Fraction]] = [Counter() for _ in hands]
    once: list[Counter[Fraction]] = [Counter() for _ in hands]

    @cache
    def won(board: naive.Cards) -> list[Fraction]:
        return [Fraction(sum(naive.share(*one))) for one in naive.showdown(hands, board, low)]

    for rest in combinations(left, 5 - len(boards[0])):
        first = won(boards[0] + rest)
        others = [card for card in left if card not in rest]
        for other in combinations(others, 5 - len(boards[1])):
            second = won(boards[1] + other)
            for at in range(len(hands)):
                both[at][(first[at] + second[at]) / 2] += 1
                once[at][first[at]] += 1
    return both, once


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize(
    ("board", "board2", "dead"),
    [
        ("Th7h2d8d", "KdJc4s5d", ""),
        ("Th7h2d8d", None, ""),
        ("Th7h2d8dAc", "KdJc4s5d", "QcQd"),
        # Runs of one pot: what they share is in the deck once.
        ("Th7h2d8d", "7hTh2d", ""),
        ("Th7h2d8dAc", "Th7h2d8d", ""),
        ("Th7h2d8dAc", "Th7h2dKc4s", ""),
    ],
)
def test_pairs_of_boards(game: Game, board: str, board2: str | None, dead: str) -> None:
    texts = [hand[: 2 * game.hole] for hand in HANDS]
    found = two_boards(texts, game, board, board2, dead)
    hands = [naive.cards(text) for text in texts]
    boards = (naive.cards(board), naive.cards(board if board2 is None else board2))
    assert found.twice == (set(boards[0]) == set(boards[1]))
    both, once = slow(hands, boards, naive.cards(dead), game.low)
    pairs = sum(both[0].values())
    assert (found.pairs, found.counted, found.exact) == (pairs, True, True)
    for player, counts, alone in zip(found.players, both, once, strict=True):
        assert player.outcomes == {part: Fraction(n, pairs) for part, n in counts.items()}
        assert player.once == {part: Fraction(n, pairs) for part, n in alone.items()}
        mean = sum(part * n for part, n in counts.items()) / pairs
        assert player.equity_exact == mean
        assert list(player.outcomes) == sorted(player.outcomes, reverse=True)


def test_running_it_twice_leaves_equity_alone() -> None:
    for board in ("", "Th7h2d"):
        found = two_boards(["AsAhKsKh", "9s8s7d6d"], "plo4", board)
        plain = equity.odds(["AsAhKsKh", "9s8s7d6d"], "plo4", board)
        for player, one in zip(found.players, plain.players, strict=True):
            assert player.equity_exact == one.equity_exact
            assert player.spread < player.spread_once
            assert sum(player.outcomes.values()) == 1


def test_no_card_is_on_two_boards() -> None:
    """Up to five cards to come, from a deck so small that all pairs can be looked at."""
    hands = ["AsAhKsKh", "9s8s7d6d"]
    left = "Ac2c3c4c5cKd8h9hJsQsQdTd"
    cards = [card for card in range(52) if card not in naive.cards("".join([*hands, left]))]
    for board, board2 in (("", None), ("", "AdAc2c"), ("Ad", None), ("Ad", "KcKd"), ("Ad4d", "")):
        known = naive.cards(board + (board2 or ""))
        dead = [card for card in cards if card not in known]
        found = two_boards(hands, "o8", board, board2, dead)
        boards = (naive.cards(board), naive.cards(board if board2 is None else board2))
        dealt = [naive.cards(text) for text in hands]
        both, once = slow(dealt, boards, tuple(dead), low=True)
        assert found.pairs == sum(both[0].values())
        for player, counts, alone in zip(found.players, both, once, strict=True):
            assert player.both.counts == counts
            assert player.alone[0].counts == alone


def test_ranges_are_counted_by_weight() -> None:
    ranges = ["AsAhKsKh@2,QsQhJsJh@1", "9s8s7d6d@3,AsQhJd9c@5,KhKd4c4h@1"]
    weighed = [
        [(naive.cards(hand), int(weight)) for hand, weight in
         (item.split("@") for item in text.split(","))]
        for text in ranges
    ]  # fmt: skip
    board = naive.cards("Th7h2d8d")
    totals: list[Counter[Fraction]] = [Counter(), Counter()]
    for (one, weight), (two, factor) in product(*weighed):
        if set(one) & set(two):
            continue
        both, _ = slow([one, two], (board, board), (), low=True)
        for total, counts in zip(totals, both, strict=True):
            for part, number in counts.items():
                total[part] += weight * factor * number
    for how in (None, equity.How(exact=True), equity.How(error=0.5, threads=1)):
        found = two_boards(ranges, "o8", "Th7h2d8d", how=how)
        assert (found.exact, found.seed) == (True, None)
        for player, total in zip(found.players, totals, strict=True):
            assert player.both.counts == total
            assert player.to_dict()["outcome_errors"] is None
        plain = equity.odds(ranges, "o8", "Th7h2d8d")
        assert [player.equity_exact for player in found.players] == [*plain.equities_exact]


def test_equities_of_one_board_are_exact_where_odds_has_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(solving, "joint_cost", lambda boards, sets: 1 << 62)
    for board2 in (None, "Kd3c4s", "Th7h2d4c"):
        found = two_boards(["AA:KK", "QQ:JJ"], "o8", "Th7h2d", board2)
        assert not found.exact
        assert not found.counted
        if board2 is None:
            (whole,) = {equity.odds(["AA:KK", "QQ:JJ"], "o8", "Th7h2d").equities_exact}
            assert [player.equity_exact for player in found.players] == [*whole]
        for player in found.players:
            assert player.equity_exact is not None
            assert player.std_error is None
            assert player.alone[0].errors is None
            assert player.both.errors
            assert all(0 < error < 0.002 for error in player.both.errors.values())
            assert abs(player.both.mean - player.equity_exact) < 5 * (player.both.mean_error or 0)
    sampled = two_boards(["AA:KK", "QQ:JJ"], "o8", "Th7h2d", how=equity.How(trials=1_000))
    assert [player.equity_exact for player in sampled.players] == [None, None]


# What a sample says of itself.

#: Spots whose deals can be counted: with few and with many draws, and few hands that go
#: together, so that each is dealt several boards.
SPOTS: dict[str, tuple[list[str], str, str, str | None]] = {
    "twice": (["AsAhKsKh", "QQ:JJ"], "plo4", "Th7h2d", None),
    "two boards": (["AsAh5s4h", "A2:xxyy!Ad"], "o8", "Th7h3d8c", "KdJc4s2c"),
    "one flop": (["AsAhKsKh@3,KdKc7c7s", "QQ:JJ,JT98"], "plo4", "Th7h2d5s", "Th7h2d"),
    "collisions": (
        [
            "AsAhKsKh,AsKcAc7d@5,AcAdKcKd",
            "AsAd9s8s,AhAc9h8h@2,KsKdQsQd",
            "KhKc5s4s,AdAc5h4h,JsJh7c6c",
        ],
        "o8", "Ts4h5d2h", None,
    ),
}  # fmt: skip


def figures(shares: Shares, truth: Shares) -> Iterator[tuple[str, float, float | None, bool]]:
    """Names, differences from the truth and errors; and whether each came often enough."""
    draws = shares.drawn.draws if shares.drawn else 0
    # Where nearly all deals are alike, a few others decide what the errors are.
    varies = (1 - max(truth.chances.values())) * draws > 100
    yield "mean", float(shares.mean - truth.mean), shares.mean_error, varies
    yield "spread", shares.spread - truth.spread, shares.spread_error, varies
    for part, chance in truth.chances.items():
        found = shares.chance_of([part])
        often = min(chance, 1 - chance) * draws > 50
        yield str(part), float(found - chance), shares.error_of([part]), often
    halves = [part for part in truth.chances if part.denominator <= 4]
    if len(halves) < len(truth.chances):
        off = float(shares.chance_of(halves) - truth.chance_of(halves))
        yield "halves and quarters", off, shares.error_of(halves), True


def all_figures(found: Double, truth: Double) -> Iterator[tuple[str, float, float | None, bool]]:
    for at, (mine, true) in enumerate(zip(found.players, truth.players, strict=True)):
        sets = zip((mine.both, *mine.alone), (true.both, *true.alone), strict=True)
        for number, (shares, exact) in enumerate(sets):
            if not shares.exact:
                for name, *rest in figures(shares, exact):
                    yield f"{at} {number} {name}", *rest  # type: ignore[misc]


LONG = bool(os.environ.get("EQUITY_LONG"))


@pytest.mark.parametrize("draws", [2_000, 20_000] if LONG else [2_000])
@pytest.mark.parametrize("only_joint", [False, True], ids=["all sampled", "equities exact"])
@pytest.mark.parametrize("name", SPOTS)
def test_coverage(monkeypatch: pytest.MonkeyPatch, name: str, only_joint: bool, draws: int) -> None:
    """Truth is within 1, 2 and 3 standard errors for 68, 95 and 99.7 % of seeds.

    The long form, of a thousand seeds each, runs with EQUITY_LONG=1 and prints its figures.
    """
    players, game, board, board2 = SPOTS[name]
    truth = two_boards(players, game, board, board2, how=equity.How(exact=True))
    monkeypatch.setattr(drawing, "TRIED", 1 << 12)
    monkeypatch.setattr(drawing, "CHUNK_DEALS", 1 << 11)
    if name == "collisions" and not LONG:
        draws //= 4
    monkeypatch.setattr(drawing, "MIN_DRAWS", draws)
    if only_joint:
        monkeypatch.setattr(solving, "joint_cost", lambda boards, sets: 1 << 62)
        monkeypatch.setattr(drawing, "SHARE_ERROR", 1.0)
    seeds = 1_000 if LONG else 100
    within: dict[str, list[int]] = {}
    usual = set()
    for seed in range(seeds):
        trials = None if only_joint else 1
        how = equity.How(trials=trials, seed=seed, threads=1)
        found = two_boards(players, game, board, board2, how=how)
        assert not found.exact
        for figure, off, error, often in all_figures(found, truth):
            assert error is not None
            assert 0 < error < math.inf
            counts = within.setdefault(figure, [0, 0, 0])
            for at in range(3):
                counts[at] += abs(off) <= (at + 1) * error
            if often:
                usual.add(figure)
    for figure, counts in within.items():
        for at, part in enumerate((0.683, 0.954, 0.997)):
            # Four of the standard deviations that so many seeds leave.  Parts of the pot
            # that come a few times have errors as uneven as their counts.
            room = 4 * math.sqrt(part * (1 - part) / seeds) + (0.01 if figure in usual else 0.08)
            share = counts[at] / seeds
            assert share >= part - room, (figure, counts)
            # The error of a spread is on the safe side where a pot is won half of the time.
            if at == 0 and figure in usual and not figure.endswith("spread"):
                assert share <= part + room, (figure, counts)
    if LONG:
        means = [sum(within[figure][at] for figure in usual) / len(usual) for at in range(3)]
        print(f"\n{name}, {draws} draws: {len(usual)} figures of {len(within)},", end=" ")
        print(" / ".join(f"{100 * mean / seeds:.1f}" for mean in means))


def test_a_sample_can_be_repeated() -> None:
    spot = (["AA", "KK", "QQ"], "plo4", "2c7d9h", "Th8c3s")
    for how in ({"trials": 70_000}, {"error": 0.005}, {"trials": 1}):
        one = two_boards(*spot, how=equity.How(**how, seed=4, threads=1))
        many = two_boards(*spot, how=equity.How(**how, seed=4, threads=3))
        assert one == many
        again = two_boards(*spot, how=equity.How(trials=one.pairs, seed=4))
        assert again == one
    other = two_boards(*spot, how=equity.How(trials=70_000, seed=5))
    assert other.equities != two_boards(*spot, how=equity.How(trials=70_000, seed=4)).equities


def test_options_bound_a_sample() -> None:
    spot = (["AA", "KK", "QQ"], "plo4")
    for trials in (1_000, 100_001):
        assert two_boards(*spot, how=equity.How(trials=trials)).pairs == trials
    assert two_boards(*spot, how=equity.How(trials=1)).pairs == drawing.MIN_DRAWS
    for error in (0.01, 0.002):
        found = two_boards(*spot, how=equity.How(error=error))
        for player in found.players:
            assert 0 < (player.std_error or 1) <= error
            for shares in (player.both, *player.alone):
                assert max((shares.errors or {}).values()) <= error
    start = time.monotonic()
    two_boards(*spot, how=equity.How(error=1e-9, budget=0.3))
    assert time.monotonic() - start < 10


def test_ranges_with_few_deals() -> None:
    """Of a hundred thousand sets of these hands five can be dealt."""
    found = two_boards(["AKQJ"] * 4, board="2c7d9h", how=equity.How(trials=1_000))
    assert 1_000 <= found.pairs <= 10_000
    assert sum(found.equities) == pytest.approx(1)
    for player in found.players:
        assert abs(player.equity - 0.25) < 5 * (player.std_error or 0)


def test_a_stop_leaves_a_part_that_says_so() -> None:
    def stop(_: equity.Progress) -> None:
        raise KeyboardInterrupt

    how = equity.How(exact=True, progress=stop, threads=1)
    found = two_boards(["AsAhKsKh", "QQ"], board="Th7h2c", how=how)
    whole = two_boards(["AsAhKsKh", "QQ"], board="Th7h2c")
    assert found.partial
    assert not found.exact
    assert found.pairs < whole.pairs
    assert found.to_dict()["partial"]
    assert found.players[0].to_dict()["equity_exact"] is None
    found = two_boards(["AA", "KK"], board2="-", how=equity.How(error=1e-7, progress=stop))
    assert found.partial
    assert found.players[0].std_error


def test_a_stop_before_the_second_board_leaves_no_answer() -> None:
    def stop(_: equity.Progress) -> None:
        raise KeyboardInterrupt

    for board2 in (None, "Kd3c4s"):
        with pytest.raises(KeyboardInterrupt):
            two_boards(
                ["AA", "KK"],
                board="Th7h2c",
                board2=board2,
                how=equity.How(progress=stop, threads=1),
            )


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise")
@pytest.mark.parametrize(
    "spot",
    [
        ["AA", "KK", "QQ", "--board2", "-", "--error", "1e-7"],
        ["AKQJ", "AKQJ", "AKQJ", "AKQJ", "-b", "2c7d9h", "--runs", "2", "--error", "1e-7"],
        ["AA", "KK:xxyy", "-b", "Th7h2c", "--board2", "Th7h2cJd", "--exact"],
    ],
    ids=["sampled", "few deals", "exact"],
)
def test_ctrl_c(command: list[str], tmp_path: Path, spot: list[str]) -> None:
    names = {"--board2": "board2", "--runs": "runs", "--error": "error", "-b": "board"}
    options = next(at for at, text in enumerate(spot) if text[0] == "-")
    row = {"players": "|".join(spot[:options]), "exact": "yes" if "--exact" in spot else ""}
    row |= {names[text]: spot[at + 1] for at, text in enumerate(spot) if text in names}
    source = write_csv(tmp_path / "s.csv", [row, row])
    batch = ["batch", str(source), "-o", str(tmp_path / "r.csv"), "--jobs", "1"]
    # A busy machine may need longer to begin.
    for wait in (3, 6, 12):
        both = [
            subprocess.Popen(
                [*command, *arguments, "-q"],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for arguments in (["odds", *spot], [*batch, "--force"])
        ]
        time.sleep(wait)
        for process in both:
            process.send_signal(signal.SIGINT)
        start = time.monotonic()
        (stdout, stderr), (_, problem) = [process.communicate(timeout=20) for process in both]
        assert time.monotonic() - start < 5
        assert [process.returncode for process in both] == [130, 130], stderr + problem
        assert "exact" not in stdout
        assert stderr in ("", "equity: interrupted\n")
        if stdout:
            break
    assert "PARTIAL" in stdout
    # In a batch no part of an answer is written, and the run can be gone on with.
    assert not (tmp_path / "r.csv").exists() or not list(read_csv(tmp_path / "r.csv"))


@pytest.mark.parametrize(
    ("board", "board2", "words"),
    [
        ("Th7h2d", "Th9c4s", ["Th", "second board", "flop"]),
        ("Th7h2d", "Th7h4s", ["Th7h", "second board"]),
        ("Th7h2d9c", "Th7h2d8c9c", ["second board"]),
        ("Th7h2d8dAc", "Th7h2d8dAc", ["complete", "twice"]),
        ("Th7h2d", "KdKd4s", ["Kd", "twice"]),
        ("Th7h2d8dAc", None, ["complete", "twice"]),
        ("Th7h2d", "T98:xxy", ["board"]),
        ("T98:xxy", None, ["pattern"]),
        ("Th7h2d", "AsQcJc", ["As", "hand 1"]),
    ],
)
def test_what_is_wrong(board: str, board2: str | None, words: list[str]) -> None:
    with pytest.raises(equity.EquityError) as raised:
        two_boards(["AsAhKsKh", "9s8s7d6d"], "plo4", board, board2)
    assert all(word in str(raised.value) for word in words)


def test_too_many_players_for_two_boards() -> None:
    deck = [rank + suit for suit in "shdc" for rank in "AKQJT98765432"]
    hands = ["".join(deck[at : at + 4]) for at in range(0, 44, 4)]
    with pytest.raises(equity.PlayerCountError, match="cards for 10"):
        two_boards(hands, "plo4")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_command(run: Run, game: Game) -> None:
    hands = [hand[: 2 * game.hole] for hand in HANDS]
    asked = ("odds", *hands, "-g", game.name, "-b", "Th7h2d", "--board2", "KdJcQs")
    found = json.loads(run(*asked, "--json").stdout)
    expected = two_boards(hands, game, "Th7h2d", "KdJcQs").to_dict()
    assert {**found, "version": None} == {"version": None, **expected}
    rows = list(csv.DictReader(io.StringIO(run(*asked, "--csv").stdout)))
    assert [float(row["equity"]) for row in rows] == [p["equity"] for p in found["players"]]
    table = run(*asked).stdout
    assert "boards: Th7h2d and KdJcQs" in table
    assert max(map(len, table.splitlines())) <= 80
    twice = run("odds", *hands, "-g", game.name, "-b", "Th7h2d", "--runs", "2").stdout
    assert "run once" in twice
    assert "leaves every equity what it is" in twice


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--runs", "3"], ["--runs", "2"]),
        (["--runs", "2", "--board2", "KdJcQs"], ["--board2", "--runs"]),
        (["--board2", "Th"], ["Th"]),
    ],
)
def test_bad_input(run: Run, more: list[str], words: list[str]) -> None:
    done = run("odds", "AsAhKsKh", "9s8s7d6d", "-b", "Th7h2d", *more, code=2)
    assert done.stdout == ""
    assert all(word in done.stderr for word in words)


@pytest.mark.parametrize("board2", ["AsAdAh", "As8d3c"])
@pytest.mark.parametrize("player", ["AA", "AsAh"])
def test_no_live_combo_is_left(run: Run, tmp_path: Path, player: str, board2: str) -> None:
    if player == "AA" and board2 == "As8d3c":
        return
    done = run("odds", player, "KK", "-b", "2c7d9h", "--board2", board2, code=2)
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    for words in ("range 1", "no live combo is left", "2c7d9h", "second board", board2):
        assert words in line
    row = {"players": f"{player}|KK", "board": "2c7d9h", "board2": board2}
    source = write_csv(tmp_path / "s.csv", [row])
    run("batch", source, "-o", str(tmp_path / "r.csv"), "--jobs", "1", code=1)
    (found,) = read_csv(tmp_path / "r.csv")
    assert "no live combo is left" in found["error"]


def test_each_figure_says_what_it_is(run: Run, tmp_path: Path) -> None:
    known = ("odds", "-g", "o8", "AsKdQd2s", "Ac4d3h2h", "--runs", "2")
    plain = equity.odds(["AsKdQd2s", "Ac4d3h2h"], "o8")
    found = json.loads(run(*known, "--json").stdout)
    assert found["exact"]
    for player, one in zip(found["players"], plain.players, strict=True):
        once = {part: count / plain.weight for part, count in one.outcomes.items()}
        assert player["outcomes_once"] == once
        assert player["outcome_errors"] is None
    assert "exact, all 625,276,708,056 pairs of boards" in run(*known).stdout
    asked = ("odds", "AA", "KK", "-b", "Th7h2c", "--board2", "Th7h2c9s")
    sampled = json.loads(run(*asked, "--trials", "2000", "--json").stdout)
    assert (sampled["exact"], sampled["counted"], sampled["pairs"]) == (False, False, 2_000)
    rows = list(csv.DictReader(io.StringIO(run(*asked, "--trials", "2000", "--csv").stdout)))
    table = run(*asked, "--trials", "2000").stdout
    assert table.count("+/-") == 2
    assert "exact" not in table
    assert max(map(len, table.splitlines())) <= 80
    for player, row in zip(sampled["players"], rows, strict=True):
        assert player["equity_exact"] is None
        for name in ("std_error", "first_error", "second_error", "spread_error"):
            assert 0 < player[name] < 0.05
            assert float(row[name]) == player[name]
        for part, error in player["outcome_errors"].items():
            assert float(row[f"outcome_{part}_error"]) == error > 0
    half = run(*asked).stdout
    assert "equities exact\nparts of the pot sampled, " in half
    row = {"players": "AA|KK", "board": "Th7h2c", "board2": "Th7h2c9s", "trials": "2000"}
    source = write_csv(tmp_path / "s.csv", [row])
    run("batch", source, "-o", str(tmp_path / "r.csv"), "--jobs", "1")
    (wide,) = read_csv(tmp_path / "r.csv")
    for at, player in enumerate(sampled["players"], 1):
        for name in ("std_error", "first_error", "second_error", "spread_error"):
            assert float(wide[f"player{at}_{name}"]) == player[name]
        assert json.loads(wide[f"player{at}_outcome_errors"]) == player["outcome_errors"]


def test_a_budget_says_how_to_repeat_it(run: Run) -> None:
    asked = ("odds", "AA", "KK", "QQ", "--board2", "-", "--json")
    done = run(*asked, "--error", "1e-7", "--budget", "0.2")
    found = json.loads(done.stdout)
    assert done.stderr == f"equity: --trials {found['pairs']} repeats this sample\n"
    assert json.loads(run(*asked, "--trials", str(found["pairs"])).stdout) == found
