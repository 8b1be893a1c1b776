"""Money on two boards, and on a board that is run several times, by the book."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import naive
import naive_money
import pytest
from conftest import Run

import equity
from equity.rules.games import GAMES, Game

HANDS = ["AsAhKsKh3c2c", "9s8s7d6d4c5c", "QcQdJcTd2h3h"]
STACKS, DEAD = [9, 6, 4], 2


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("board2", ["KdJs4s5d", None])
def test_every_pair_of_rivers(game: Game, board2: str | None) -> None:
    texts = [hand[: 2 * game.hole] for hand in HANDS]
    hands = [naive.cards(text) for text in texts]
    board = naive.cards("Th7h2d8d")
    boards = [board, board if board2 is None else naive.cards(board2)]
    gone = {*sum(hands, ()), *boards[0], *boards[1]}
    left = [card for card in range(52) if card not in gone]
    chips = [[Fraction(0)] * 3 for _ in boards]
    returned: list[Fraction] = []
    pairs = list(permutations(left, 2))
    for rivers in pairs:
        for at, river in enumerate(rivers):
            full = (*boards[at], river)
            won, returned = naive_money.settle_board(hands, STACKS, DEAD, full, game.low)
            chips[at] = [old + new for old, new in zip(chips[at], won, strict=True)]
    contested = sum(STACKS) + DEAD - sum(returned)
    left_over = 1 - min(Fraction(1, 20) * contested, Fraction(1, 2)) / contested
    expected = [
        back + left_over * sum(part) / (2 * len(pairs))
        for back, *part in zip(returned, *chips, strict=True)
    ]
    asked = {"board2": board2} if board2 else {"runs": 2}
    found = equity.all_in(
        texts, game, "Th7h2d8d", stacks=STACKS, pot=DEAD, rake="5%", cap=0.5, **asked
    )
    assert [player.expected_exact for player in found.players] == expected
    assert found.exact
    assert sum(player.expected_exact for player in found.players) + found.rake == 21
    assert sum(pot.amount for pot in found.pots) == contested


def test_runs_change_no_expected_chips() -> None:
    hands = ["AsAhKsKh", "9s8s7d6d"]
    once = equity.all_in(hands, stacks=[100, 60])
    for runs in (2, 3):
        several = equity.all_in(hands, stacks=[100, 60], runs=runs)
        assert several.players == once.players


def test_samples_have_errors_of_both_boards() -> None:
    how = equity.How(trials=20_000)
    found = equity.all_in(["AA", "9s8s7d6d"], board="Th7h2d", board2="", stacks="9,9", how=how)
    exact = equity.all_in(["AA", "9s8s7d6d"], board="Th7h2d", board2="", stacks="9,9",
                          how=equity.How(error=0.0002))  # fmt: skip
    for one, other in zip(found.players, exact.players, strict=True):
        assert one.std_error is not None
        assert 0 < one.std_error < 9
        assert abs(one.expected - other.expected) < 5 * one.std_error
    assert sum(player.expected_exact for player in found.players) == 18


def test_rows_of_a_batch() -> None:
    hands = ["AsAhKsKh", "9s8s7d6d", "QcQdJcTd"]
    row = {"players": hands, "board": "Th7h2d", "stacks": "9,6,4", "pot": 2, "rake": "5%"}
    rows = [row | {"board2": "KdJs4s"}, row | {"runs": 3}, row | {"runs": "2.0"}]
    for answer in equity.batch(rows, jobs=1):
        assert answer.error is None
        asked = dict(rows[answer.id - 1])
        asked["runs"] = int(float(asked["runs"])) if "runs" in asked else None
        assert answer.found.players == equity.all_in(asked.pop("players"), **asked).players


def test_the_command(run: Run) -> None:
    words = ["odds", "AhAsKhKs", "9c8c7d6d", "QdQcJdTd", "-b", "Th7h2c"]
    money = ["--stacks", "100,60,40", "--pot", "10", "--rake", "5%", "--cap", "3"]
    done = run(*words, "--board2", "4c5c6s", *money)
    assert "side pot 1, board 2   20.00  0.35   1: 15.15  2: 84.85" in done.stdout
    assert "all, 10 dead                 210.00     40.00    207.00" in done.stdout
    done = run(*words, "--runs", "3", *money)
    assert "running it three times leaves expected chips what they are" in done.stdout
    done = run(*words, "--board2", "4c5c6s", "--call", "5", "--pot", "10", code=2)
    assert done.stderr == "equity: --call: it does not go with two boards\n"
    done = run(*words, "--runs", "2", "--rake", "5%", code=2)
    assert "--rake: it needs stacks or a call" in done.stderr
