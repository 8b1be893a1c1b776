"""Two boards from one deck: against a slow count, in every game."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from fractions import Fraction
from itertools import combinations

import naive
import pytest
from conftest import Run

import equity
from equity.double import two_boards
from equity.games import GAMES, Game

HANDS = ["AsAhKsKh3c2c", "9s8s7d6d4c5c"]


def slow(
    hands: list[naive.Cards], boards: tuple[naive.Cards, naive.Cards], dead: naive.Cards, low: bool
) -> tuple[list[Counter[Fraction]], list[Counter[Fraction]]]:
    """By player, pairs of boards by the part of the pot won, and the same on the first alone."""
    gone = {*sum(hands, ()), *boards[0], *boards[1], *dead}
    left = [card for card in range(52) if card not in gone]
    both: list[Counter[Fraction]] = [Counter() for _ in hands]
    once: list[Counter[Fraction]] = [Counter() for _ in hands]
    for rest in combinations(left, 5 - len(boards[0])):
        first = naive.showdown(hands, boards[0] + rest, low)
        others = [card for card in left if card not in rest]
        for other in combinations(others, 5 - len(boards[1])):
            second = naive.showdown(hands, boards[1] + other, low)
            for at in range(len(hands)):
                one, two = (sum(naive.share(*result[at])) for result in (first, second))
                both[at][Fraction(one + two) / 2] += 1
                once[at][Fraction(one)] += 1
    return both, once


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize(
    ("board", "board2", "dead"),
    [
        ("Th7h2d8d", "KdJc4s5d", ""),
        ("Th7h2d8d", None, ""),
        ("Th7h2d8dAc", "KdJc4s5d", "QcQd"),
    ],
)
def test_pairs_of_boards(game: Game, board: str, board2: str | None, dead: str) -> None:
    texts = [hand[: 2 * game.hole] for hand in HANDS]
    found = two_boards(texts, game, board, board2, dead)
    hands = [naive.cards(text) for text in texts]
    boards = (naive.cards(board), naive.cards(board if board2 is None else board2))
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


def test_drawn_pairs_are_like_counted_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = two_boards(["AsAhKsKh", "9s8s7d6d"], "o8", "Th7h2d", "KdJc4s")
    monkeypatch.setattr("equity.double.MOST_PAIRS", 0)
    drawn = two_boards(["AsAhKsKh", "9s8s7d6d"], "o8", "Th7h2d", "KdJc4s")
    assert not drawn.counted
    assert drawn.exact
    for one, two in zip(counted.players, drawn.players, strict=True):
        assert one.equity_exact == two.equity_exact
        for part, chance in one.outcomes.items():
            assert abs(two.outcomes.get(part, Fraction(0)) - chance) < Fraction(1, 150)


def test_ranges() -> None:
    found = two_boards(["AA:KK", "QQ:JJ"], "plo4", "Th7h2d", "Kd3c4s")
    boards = [
        equity.odds(["AA:KK", "QQ:JJ"], "plo4", one, other).equities_exact[0]
        for one, other in (("Th7h2d", "Kd3c4s"), ("Kd3c4s", "Th7h2d"))
    ]
    assert found.players[0].equity_exact == sum(boards) / 2
    mean = sum(float(part * chance) for part, chance in found.players[0].outcomes.items())
    assert mean == pytest.approx(found.players[0].equity, abs=0.005)
    again = two_boards(["AA:KK", "QQ:JJ"], "plo4", "Th7h2d", "Kd3c4s")
    assert again == found


@pytest.mark.parametrize(
    ("board", "board2", "words"),
    [
        ("Th7h2d", "Th9c4s", ["Th"]),
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
