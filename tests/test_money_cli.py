"""Money on the command line, and in its documentation."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction

import pytest
from conftest import Run
from money_tools import AA, GAME_NAMES, RUN, SHORT_LOW

import equity
from equity.money import (
    Money,
    all_in,
    pot_limit,
)
from equity.results.formats import written
from equity.rules.cards import format_hand
from equity.rules.games import find_game


@pytest.mark.parametrize("game", GAME_NAMES)
@pytest.mark.parametrize("scale", [Fraction(1, 10**6), Fraction(1), Fraction(90_909_090)])
def test_tables_of_money_fit_80_columns(game: str, scale: Fraction) -> None:
    hole, players = find_game(game).hole, find_game(game).max_players()
    hands = [list(range(at * hole, (at + 1) * hole)) for at in range(players)]
    stacks = [scale * (players - at) for at in range(players)]
    money = all_in(hands, game, stacks=stacks, pot=scale, rake="5%", cap=3)
    sampled = Money(money.stakes, money.pots, tuple(float(scale) for _ in stacks))
    for answer in (money, sampled):
        text = written(answer)
        assert text.isascii()
        assert max(map(len, text.splitlines())) <= 80
        assert "odd chips are not modelled" in text
    assert repr(money).startswith(f"<Money {game}: ")
    assert f"{players - 1} pots" in repr(money)


def test_json_and_csv_have_what_the_attributes_have() -> None:
    hands, game, board = SHORT_LOW
    money = all_in(hands, game, board, stacks=[40, 100, 130], pot=10, rake="5%", cap=3)
    whole = json.loads(written(money, "json"))
    assert whole["players"][0]["equity_exact"] == "1/2"
    told = whole["money"]
    assert told == json.loads(json.dumps(money.to_dict()))
    assert (told["put_in"], told["contested"], told["rake"]) == (280, 250, 3)
    assert [pot["players"] for pot in told["pots"]] == [[1, 2, 3], [2, 3]]
    exact = [Fraction(player["expected_exact"]) for player in told["players"]]
    assert sum(exact) + Fraction(told["rake_exact"]) == 280
    rows = list(csv.DictReader(io.StringIO(written(money, "csv"))))
    assert [Fraction(row["expected_exact"]) for row in rows] == exact
    assert [row["returned"] for row in rows] == ["0", "0", "30"]
    assert rows[0]["equity_exact"] == "1/2"


def hands_of(game: str, players: int) -> list[str]:
    hole = find_game(game).hole
    deck = [card for rank in range(13) for card in range(51 - rank, -1, -13)]
    return [format_hand(deck[at * hole : (at + 1) * hole]) for at in range(players)]


@pytest.mark.parametrize("game", GAME_NAMES)
def test_money_in_every_game_and_format(run: Run, game: str) -> None:
    hands = hands_of(game, 4)
    taken = {hand[at : at + 2] for hand in hands for at in range(0, len(hand), 2)}
    board = "".join([name for name in ("8d", "5h", "3c", "2s", "7h") if name not in taken][:3])
    asked = ["odds", *hands, "-g", game, "-b", board]
    options = ["--stacks", "100,60.5,60.5,20", "--pot", "10", "--rake", "5%", "--cap", "3"]
    money = all_in(hands, game, board, stacks=[100, 60.5, 60.5, 20], pot=10, rake="5%", cap=3)
    told = json.loads(run(*asked, *options, "--json").stdout)["money"]
    assert told == json.loads(json.dumps(money.to_dict()))
    rows = list(csv.DictReader(io.StringIO(run(*asked, *options, "--csv").stdout)))
    assert [row["expected_exact"] for row in rows] == [
        str(player.expected_exact) for player in money.players
    ]
    below = [text.partition("\n\n")[2] for text in (run(*asked, *options).stdout, written(money))]
    assert below[0] == below[1] != ""
    options = ["--call", "50", "--pot", "150", "--rake", "5%", "--cap", "3"]
    call = json.loads(run(*asked, *options, "--json").stdout)["call"]
    assert call["needed_exact"] == "50/197"
    had = equity.odds(hands, game, board).equities_exact[0]
    assert Fraction(call["had_exact"]) == had
    assert Fraction(call["gain_exact"]) == 197 * had - 50


def test_a_call_as_table_and_csv(run: Run) -> None:
    asked = ["odds", AA, RUN, "--call", "50", "--pot", "150"]
    lines = run(*asked).stdout.splitlines()
    assert lines[-5:] == [
        "call 50 into 150: 200 in the pot",
        "    equity needed       25.00 %",
        "    your equity         60.05 %",
        "    EV of calling      +70.11",
        "odd chips are not modelled",
    ]
    rows = list(csv.DictReader(io.StringIO(run(*asked, "--csv").stdout)))
    assert [row["needed_exact"] for row in rows] == ["1/4", ""]


def test_potlimit(run: Run) -> None:
    shown = run("potlimit", "--pot", "50", "--bets", "10,10").stdout.splitlines()
    assert shown == [
        "pot 50 + bets 20 + call 10 = 80: raise by 80, to 90",
        "the smallest raise is by 10, to 20",
    ]
    shown = run("potlimit", "--pot", "0", "--bets", "2 2", "--in", "1").stdout.splitlines()
    assert shown == ["pot 0 + bets 4 + own 1 + call 1 = 6: raise by 6, to 8"]
    assert run("potlimit", "--pot", "7.50").stdout == "pot 7.5: bet 7.5\n"
    told = json.loads(run("potlimit", "--pot", "50", "--bets", "10,10", "--json").stdout)
    assert told == pot_limit(50, [10, 10]).to_dict()
    assert (told["call"], told["raise_by"], told["raise_to"]) == (10, 80, 90)
    text = run("potlimit", "--pot", "50", "--bets", "10,10", "--csv").stdout
    (row,) = csv.DictReader(io.StringIO(text))
    assert (row["bets"], row["raise_to"]) == ("10 10", "90")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["odds", AA, RUN, "--stacks", "100"], ["stacks", "1 for 2 players"]),
        (["odds", AA, RUN, "--stacks", "100,-1"], ["stacks, number 2", "'-1'"]),
        (["odds", AA, RUN, "--stacks", "1,2", "--rake", "0.05"], ["rake", "'0.05'", "5%"]),
        (["odds", AA, RUN, "--stacks", "1,2", "--cap", "3"], ["cap", "no rake"]),
        (["odds", AA, RUN, "--stacks", "1,2", "--call", "3"], ["--call", "leave out"]),
        (["odds", AA, RUN, "--call", "3"], ["call", "--pot 150"]),
        (["odds", AA, RUN, "--pot", "3"], ["--pot", "--stacks 100,60"]),
        (["odds", AA, RUN, "--rake", "5%"], ["--rake", "--call"]),
        (["odds", AA, RUN, "--call", "3", "--pot", "x"], ["pot", "'x'"]),
        (["potlimit"], ["--pot"]),
        (["potlimit", "--pot", "$50"], ["pot", "'$50'", "alone, 50"]),
        (["potlimit", "--pot", "50", "--bets", "10", "--in", "11"], ["in", "11"]),
    ],
)
def test_bad_input_is_one_line_and_code_2(run: Run, arguments: list[str], words: list[str]) -> None:
    done = run(*arguments, code=2)
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("equity: ")
    assert all(word in done.stderr for word in words)
