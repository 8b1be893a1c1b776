from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import equity
from equity.rules.games import GAMES, find_game
from equity.spot import read_spot


def test_every_name_and_alias_finds_its_game() -> None:
    names = [name for game in GAMES for name in (game.name, *game.aliases)]
    assert len(set(names)) == len(names)
    for game in GAMES:
        for name in (game.name, *game.aliases):
            assert find_game(name) is find_game(f" {name.upper()} ") is game
        assert find_game(game) is game


def test_limits_of_players() -> None:
    assert {game.name: game.max_players() for game in GAMES} == {
        "plo4": 11,
        "o8": 11,
        "plo5": 9,
        "bigo": 9,
        "plo6": 7,
        "plo6-8": 7,
    }
    assert find_game("plo4").max_players(dead=4) == 10


def test_normal_forms() -> None:
    spot = read_spot(
        ["10c9c8d7D", "kHkSaHaS"], "PLO8", "9h 10h 2h", "3c-As-10d".replace("As", "4c")
    )
    assert spot.game.name == "o8"
    assert spot.texts == ["Tc9c8d7d", "AsAhKsKh"]
    assert spot.board_text == "9hTh2h"
    assert spot.dead_text == "Td4c3c"


def test_numpy_cards() -> None:
    spot = read_spot(np.arange(8).reshape(2, 4), board=np.array([50, 51, 8]))  # type: ignore[arg-type]
    assert spot.texts == ["2s2h2d2c", "3s3h3d3c"]


FIVE = [f"{rank}c{rank}d{rank}h{rank}s" for rank in "23456789TJQK"]


@pytest.mark.parametrize(
    ("players", "more", "error", "words"),
    [
        (["AhAsKhKs"], {}, equity.PlayerCountError, ["1 player", "2 or more"]),
        ([], {}, equity.PlayerCountError, ["0 players"]),
        ("AhAsKhKs", {}, equity.PlayerCountError, ["list of players"]),
        (FIVE, {}, equity.PlayerCountError, ["12 players", "11", "plo4"]),
        (FIVE[:11], {"dead": "AcAdAhAs"}, equity.PlayerCountError, ["10", "4 dead cards"]),
        (["AhAsKh", "9c8c7d6d"], {}, equity.CardCountError, ["hand 1", "3 cards", "plo4 has 4"]),
        (
            ["9c8c7d6d", "AhAsKhKsQd"],
            {},
            equity.CardCountError,
            ["hand 2", "5 cards", "plo5 and bigo"],
        ),
        (
            ["AhAsKhKs", "9c8c7d6d"],
            {"game": "plo6"},
            equity.CardCountError,
            ["hand 1", "4 cards", "plo6 has 6", "plo4 and o8"],
        ),
        (
            ["AhAsKhKs", "9c8c7d6d"],
            {"board": "2c3c4c5c6c7c"},
            equity.CardCountError,
            ["board", "6 cards", "at most 5"],
        ),
        (
            ["JcJc9h8h", "AsKdQd2c"],
            {},
            equity.DuplicateCardError,
            ["Jc", "hand 1 twice", "cards 1 and 2"],
        ),
        (["AcKd9h8h", "AcQdJd2c"], {}, equity.DuplicateCardError, ["Ac", "hand 1", "hand 2"]),
        (
            ["Jd4d9h8h", "JcTh6h2c"],
            {"board": "JdAhKc"},
            equity.DuplicateCardError,
            ["Jd", "hand 1", "the board"],
        ),
        (
            ["Jd4d9h8h", "JcTh6h2c"],
            {"board": "AhKcQd", "dead": "2s Ah"},
            equity.DuplicateCardError,
            ["Ah", "the board", "the dead cards"],
        ),
        (
            ["AhAsKhKs", "9c8c7d6d"],
            {"game": "holdem"},
            equity.GameError,
            ["'holdem'", "plo4, o8, plo5, bigo, plo6, plo6-8"],
        ),
        (["AhAsKhKs", "9c8c7d6d"], {"game": 4}, equity.GameError, ["4 is not a known game"]),
        (["AhAsKhKs", "9c8c7d1"], {}, equity.RangeSyntaxError, ["range 2, column 7"]),
        (["AhAsKhKs", "9c8c7d6d"], {"board": "A1"}, equity.RangeSyntaxError, ["board, column 2"]),
        (["AhAsKhKs", "9c8c7d6d"], {"dead": "2c%"}, equity.EquityError, ["dead cards"]),
    ],
)
def test_what_is_wrong_is_named(
    players: list[str], more: dict[str, Any], error: type[equity.EquityError], words: list[str]
) -> None:
    with pytest.raises(error) as caught:
        equity.odds(players, **more)
    message = str(caught.value)
    for word in words:
        assert word in message
    assert message.isascii()
    assert "\n" not in message
    assert isinstance(caught.value, ValueError)
    assert caught.value.exit_code == 2
