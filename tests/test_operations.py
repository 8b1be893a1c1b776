"""Operations: JSON in, the JSON of the commands out."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from operation_bodies import ACES, BODIES, COMMANDS, HERO, RUN, timeless

import equity
from equity.cli.commands import cli
from equity.errors import EquityError
from equity.operations import OPERATIONS, find_operation
from equity.operations.spelling import command_line, python_call
from equity.results.formats import written
from equity.rules.games import GAMES


def objects(text: str) -> list[Any]:
    return [timeless(json.loads(line)) for line in text.splitlines()]


def answered(path: str, body: dict[str, Any]) -> list[Any]:
    """The objects of an answer to a body that went through JSON."""
    question = find_operation(path).ask(json.loads(json.dumps(body)))
    return objects(written(question.answer(None), "json"))


def test_every_operation_has_a_body() -> None:
    assert {path for path, _ in BODIES} == set(OPERATIONS)


@pytest.mark.parametrize(("path", "body"), BODIES, ids=[path for path, _ in BODIES])
def test_an_answer_is_one_object_or_a_list(path: str, body: dict[str, Any]) -> None:
    found = answered(path, body)
    assert found
    assert find_operation(path).is_list or len(found) == 1


@pytest.mark.parametrize(("path", "body", "arguments"), COMMANDS)
def test_the_answer_is_that_of_the_command(
    path: str, body: dict[str, Any], arguments: list[str]
) -> None:
    printed = CliRunner().invoke(cli, [*arguments, "--json"], catch_exceptions=False)
    assert printed.exit_code == 0
    assert answered(path, body) == objects(printed.stdout)


@pytest.mark.parametrize("game", [game.name for game in GAMES])
def test_every_game_is_asked_by_its_name(game: str) -> None:
    hands = [HERO[game], "*"]
    body = {"players": hands, "game": game, "trials": 2_000, "seed": 3}
    arguments = ["odds", *hands, "-g", game, "--trials", "2000", "--seed", "3", "-q", "--json"]
    printed = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    assert answered("odds", body) == objects(printed.stdout)


@pytest.mark.parametrize(
    ("path", "body", "place", "words"),
    [
        ("odds", {}, "players", "missing"),
        ("odds", {"players": "AA"}, "players", "no list"),
        ("odds", {"players": ["AA", 7]}, "players 2", "no text"),
        ("odds", {"players": ["AA", "KK"], "bord": ""}, "'bord'", "did you mean board"),
        ("odds", {"players": ["AA", "KK"], "trials": "many"}, "trials", "whole number"),
        ("odds", {"players": ["AA", "KK"], "trials": True}, "trials", "whole number"),
        ("odds", {"players": ["AA", "KK"], "error": "1%"}, "error", "no number"),
        ("odds", {"players": ["AA", "KK"], "exact": 1}, "exact", "True nor False"),
        ("odds", {"players": ["AA", "KK"], "ordering": "/etc/passwd"}, "ordering", "no ordering"),
        ("odds", {"players": ["AA", "KK"], "yes": True}, "'yes'", "no such field"),
        ("odds/combos", {"players": ["AA", "KK"], "player": 3}, "player", "1 to 2"),
        ("odds", {"players": [ACES, RUN], "runs": 4}, "runs", "neither 2 nor 3"),
        ("odds", {"players": ["AA", "KK"], "stacks": [100]}, "stacks", "2 players"),
        ("odds", {"players": ["AA", "K("]}, "range 2, column 2", "("),
        ("odds", {"players": ["A" * 200_000, "KK"]}, "players 1", "100,000"),
        ("views/graph", {"players": ["AA", "KK"], "over": "cards"}, "over", "flops, turns"),
        ("views/flops", {"players": ["AA"], "levels": [1, "x"], "against": "KK"}, "levels", "45"),
        ("batch", {}, "rows", "none"),
        ("batch", {"rows": [], "text": "a"}, "rows", "both"),
        ("batch", {"rows": 3}, "rows", "no list"),
        ("hands", {"text": "no hand"}, "hands", "no hand"),
        ("pql", {"query": "select"}, "query", "result"),
    ],
)
def test_wrong_bodies(path: str, body: dict[str, Any], place: str, words: str) -> None:
    with pytest.raises(EquityError) as raised:
        find_operation(path).ask(body)
    told = raised.value.to_dict()
    assert place in str(told["place"])
    assert words in str(told["error"])


def test_errors_of_ranges_have_their_column() -> None:
    with pytest.raises(EquityError) as raised:
        find_operation("range").ask({"expression": "AA,K("})
    told = raised.value.to_dict()
    assert (told["text"], told["column"]) == ("AA,K(", 5)


def test_rows_cannot_name_files(tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("AA\n")
    row = {"players": ["10%", "KK"], "ordering": str(tmp_path / "own.txt")}
    table = f"player1,player2,ordering\n10%,KK,{tmp_path / 'own.txt'}\n"
    for body in ({"rows": [row]}, {"text": table}):
        (answer,) = answered("batch", body)
        assert "file" in answer["error"]


@pytest.mark.parametrize("path", OPERATIONS)
def test_schemas_name_every_parameter(path: str) -> None:
    operation = find_operation(path)
    schema = json.loads(json.dumps(operation.schema))
    assert list(schema["properties"]) == [one.name for one in operation.parameters]
    assert all(one["description"] for one in schema["properties"].values())


def test_unknown_operations_are_told() -> None:
    with pytest.raises(EquityError, match="did you mean odds"):
        find_operation("ods")


@pytest.mark.parametrize(("path", "body", "arguments"), COMMANDS)
def test_a_question_is_spelled_as_a_command(
    path: str, body: dict[str, Any], arguments: list[str]
) -> None:
    operation = find_operation(path)
    spelled = command_line(operation, body)
    if spelled is None:
        assert path == "odds/combos"
        return
    name, *words = shlex.split(spelled)
    assert name == "equity"
    # The order of options is free.
    assert sorted(words) == sorted(arguments)


@pytest.mark.parametrize(("path", "body"), BODIES, ids=[path for path, _ in BODIES])
def test_a_question_is_spelled_in_python(path: str, body: dict[str, Any]) -> None:
    operation = find_operation(path)
    spelled = python_call(operation, body)
    if spelled is None:
        assert path in {"evaluate", "batch", "hands", "games", "report"} or "/" in path
        return
    found = eval(spelled, {"equity": equity})
    if path in {"odds", "pql", "range/texture"} or path.startswith("views/"):
        (whole,) = answered(path, body)
        told = timeless(json.loads(json.dumps(found.to_dict())))
        parts = (whole, whole.get("money"), whole.get("call"))
        assert any(part and told.items() <= part.items() for part in parts)


def test_progress_is_reported() -> None:
    found: list[float] = []
    report: Callable[[Any], None] = lambda progress: found.append(progress.done)  # noqa: E731
    body = {"players": ["AA", "KK", "QQ", "*"], "trials": 3_000_000}
    find_operation("odds").ask(body).answer(report)
    assert found
    assert found[-1] <= 1
