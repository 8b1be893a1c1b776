"""Where a hand stands: from Python and from the command line."""

from __future__ import annotations

import csv
import io
import json

import pytest
from conftest import Run

import equity
from equity.ranges import ordering_names
from equity.rules.games import GAMES, Game

HAND = "AsKsQhJhTd9c"


def test_a_hand_and_its_class() -> None:
    standing = equity.rank("QhAs Ks Jh")
    assert (standing.hand, standing.class_text, standing.combos) == ("AsKsQhJh", "(AK)(QJ)", 12)
    assert [entry.ordering for entry in standing.standings] == ["ring 1", "6max 1", "random 1"]
    other = equity.rank("AdKdQcJc")
    assert other.standings == standing.standings


def test_the_equity_is_that_against_any_hand() -> None:
    standing = equity.rank("AsAhTsTh")
    assert standing.equity == pytest.approx(0.7152630491519401, abs=1e-15)
    assert standing.std_error == 0
    best = standing.standings[-1]
    assert (best.place, best.classes) == (1, 16_432)
    assert best.percentile == pytest.approx(100 * 6 / 270_725)


def test_one_ordering_more() -> None:
    assert len(equity.rank("AsAhTsTh", ordering="ring").standings) == 1
    own = equity.rank("AsAhTsTh", ordering="ring").standings[0]
    assert own == equity.rank("AsAhTsTh").standings[0]


@pytest.mark.parametrize(
    ("hand", "error"),
    [
        ("AsKs", equity.CardCountError),
        ("AsKsQhJhTd", equity.CardCountError),
        ("AsAsQhJh", equity.DuplicateCardError),
        ("AA", equity.CardError),
    ],
)
def test_what_is_no_hand(hand: str, error: type[Exception]) -> None:
    with pytest.raises(error, match="hand"):
        equity.rank(hand)


@pytest.mark.parametrize(
    "game", [game for game in GAMES if ordering_names(game.name)], ids=lambda g: g.name
)
def test_the_command(run: Run, game: Game) -> None:
    hand = HAND[: 2 * game.hole]
    names = ordering_names(game.name)
    done = run("rank", "-g", game.name, hand, "--json")
    assert json.loads(done.stdout) == json.loads(json.dumps(equity.rank(hand, game).to_dict()))
    rows = list(csv.DictReader(io.StringIO(run("rank", "-g", game.name, hand, "--csv").stdout)))
    assert [row["ordering"].split()[0] for row in rows] == list(names)
    assert {row["hand"] for row in rows} == {hand}
    table = run("rank", "-g", game.name, hand, hand).stdout
    assert table.count(hand) == 2
    assert all(name in table for name in names)
    assert max(map(len, table.splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], ["hand", "there is none"]),
        (["AsKsQh"], ["hand 1", "3 cards", "has 4"]),
        (["AsKsQhJh", "AA"], ["hand 2"]),
        (["AsKsQhJh", "--ordering", "nowhere"], ["'nowhere'", "ring"]),
        (["AsKsQhJh", "-g", "holdem"], ["holdem"]),
    ],
)
def test_bad_arguments(run: Run, arguments: list[str], words: list[str]) -> None:
    done = run("rank", *arguments, code=2)
    assert done.stdout == ""
    assert all(word in done.stderr for word in words)
    assert len(done.stderr.splitlines()) == 1
