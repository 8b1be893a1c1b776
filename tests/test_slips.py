"""Slips of command lines and rows: refused with the spelling that was meant, which works."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run

import equity

HANDS = ("AsAdKsJd", "9c8c7d6d")
FLOP = ("-b", "Kh9h4c")


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        # One dash is for options of one letter: this is the board OARd by their rules.
        (["-board", "Kh9h4c2d"], "write --board"),
        (["-dead=Qh"], "write --dead"),
        (["-game", "o8"], "write --game"),
        # Amounts and numbers.
        (["--stacks", "1,000,500"], "write thousands without it, 1000"),
        (["--pot", "1", "--call", "0,5"], "decimals have a point, 0.5"),
        (["--pot", "1", "--call", "$1,50"], "decimals have a point, 1.50"),
        (["--pot", "1,000", "--call", "5"], "write the number alone, 1000"),
        (["--trials", "1,000,000"], "write 1000000"),
        (["--trials", "1e6"], "write 1000000"),
        (["--trials", "100k"], "write 100000"),
        (["--error", "0.05%"], "write 0.0005"),
        (["--error", "0,05"], "write 0.05"),
        (["--error", "5"], "0.05 % is 0.0005"),
        (["--runs", "3"], "--runs: 3 is not 2"),
        # Arguments that belong to an option.
        (["Kh9h4c"], "a board is an option, -b Kh9h4c"),
        ([*FLOP, "-d", "Qh", "Jh"], "-b Kh9h4cJh or -d QhJh"),
        (["-d", "Qh", "Jh"], "-d QhJh"),
        ([*FLOP, "--board2", "2c", "3c", "4d"], "--board2 2c3c4d"),
        ([*FLOP, "--board2", "K94"], "second board, column 1"),
    ],
)
def test_the_error_names_what_was_meant(run: Run, typed: list[str], words: str) -> None:
    done = run("odds", *HANDS, *typed, code=2)
    assert done.stdout == ""
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        (["evaluate", "AsAdKsJd", "Kh9h4c"], "-b Kh9h4c"),
        (["rank", "As", "Ad", "Ks", "Jd"], "in quotes: AsAdKsJd"),
        (["odds", "AsAdKsJd 9c8c7d6d"], "2 hands are as many players"),
        (["odds", "AsAdKsJd,9c8c7d6d"], "give each player apart"),
    ],
)
def test_arguments_of_other_commands(run: Run, typed: list[str], words: str) -> None:
    assert words in run(*typed, code=2).stderr


def test_a_large_error_brings_a_notice(run: Run, tmp_path: Path) -> None:
    words = "0.05 is 5 % of the pot; 0.05 % of it is 0.0005"
    asked = ("odds", "AsAdKsJd", "10%", *FLOP, "--error", "0.05")
    assert words in run(*asked).stderr
    assert words in run(*asked, "--strict", code=2).stderr
    assert words in run("streets", *asked[1:]).stderr
    found = equity.odds(["AsAdKsJd", "10%"], board="Kh9h4c", error=0.05)
    assert [words in warning for warning in found.to_dict()["warnings"]] == [True]
    (tmp_path / "s.csv").write_text("player1,player2,board,error\nAsAdKsJd,10%,Kh9h4c,0.05\n")
    assert words in run("batch", str(tmp_path / "s.csv"), "-o", "-", "--jobs", "1").stdout
    assert run(*asked[:-1], "0.005").stderr == ""


HOW = equity.How(error=0.05)
#: Every Python call that takes a standard error, and the warnings of its answer.
CALLS: dict[str, Callable[[list[str]], list[str]]] = {
    "odds": lambda hands: equity.odds(hands, board="Kh9h4c", error=0.05).warnings,
    "streets": lambda hands: equity.streets(hands, board="Kh9h4c", error=0.05).spot.warnings,
    "next_cards": lambda hands: equity.next_cards(hands, board="Kh9h4c", error=0.05).spot.warnings,
    "blockers": lambda hands: equity.blockers(hands, board="Kh9h4c", error=0.05).spot.warnings,
    "all_in": lambda hands: equity.all_in(hands, stacks="5,5", how=HOW).result.warnings,
    "pot_odds": lambda hands: equity.pot_odds(hands, call=5, pot=9, how=HOW).result.warnings,
    "two_boards": lambda hands: [*equity.two_boards(hands, how=HOW).warnings],
}


@pytest.mark.parametrize("name", CALLS)
def test_every_python_call_brings_the_notice(name: str) -> None:
    (warning,) = CALLS[name](["AsAdKsJd", "9c8c7d6d,9c8c7d5d"])
    assert "0.05 is 5 % of the pot; 0.05 % of it is 0.0005" in warning


def test_a_range_says_that_its_percentages_touch(run: Run) -> None:
    assert "11%-20% begins after 10%" in run("range", "10%,10%-20%").stderr


@pytest.mark.parametrize("flop", ["Kh9h4c", "Kh 9h 4c", "Kh,9h,4c", "Kh, 9h, 4c", "Kh-9h-4c"])
def test_the_flop_of_a_row_is_written_like_a_board(flop: str) -> None:
    spot = {"player1": HANDS[0], "player2": HANDS[1], "flop": flop, "turn": "2d"}
    (answer,) = equity.batch([spot], jobs=1)
    assert answer.error is None
    assert answer.result is not None
    assert answer.result.to_dict()["board"] == "Kh9h4c2d"


@pytest.mark.parametrize("players", [set(HANDS), dict.fromkeys(HANDS)])
def test_players_have_an_order(players: object) -> None:
    with pytest.raises(equity.PlayerCountError, match="a list of players is wanted"):
        equity.odds(players)  # type: ignore[arg-type]
