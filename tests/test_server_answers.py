"""Over a real socket, every answer is what the command prints."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from conftest import Run
from operation_bodies import COMMANDS, HERO, timeless
from server_tools import Server

from equity.operations import find_operation
from equity.rules.games import GAMES

pytest.importorskip("starlette", reason="the extra web is not installed")


def in_game(game: str) -> list[tuple[str, dict[str, Any], list[str]]]:
    """Questions of some operations in a game, with their command lines."""
    hero, more, flop = HERO[game], ["-g", game], "Qc7c2d"
    return [
        (
            "odds",
            {"players": [hero, "*"], "game": game, "trials": 2_000, "seed": 3},
            ["odds", hero, "*", *more, "--trials", "2000", "--seed", "3", "-q"],
        ),
        (
            "evaluate",
            {"players": [hero], "game": game, "board": flop},
            ["evaluate", hero, *more, "-b", flop],
        ),
    ]


QUESTIONS = [*COMMANDS, *(row for game in GAMES for row in in_game(game.name))]


def test_every_answer_is_that_of_the_command(run: Run) -> None:
    def printed(row: tuple[str, dict[str, Any], list[str]]) -> list[str]:
        return run(*row[2], "--json").stdout.splitlines()

    with Server() as server, ThreadPoolExecutor(2) as pool:
        for (path, body, _), lines in zip(QUESTIONS, pool.map(printed, QUESTIONS), strict=True):
            answer = server.post(path, body)
            assert answer.status_code == 200, answer.text
            assert answer.headers["content-type"] == "application/json"
            found = answer.json() if find_operation(path).is_list else [answer.json()]
            assert timeless(found) == timeless([json.loads(line) for line in lines]), path
