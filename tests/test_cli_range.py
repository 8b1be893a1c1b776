"""``equity range``, end to end."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from conftest import Run

import equity
from equity.rules.games import GAMES

GAME_NAMES = [game.name for game in GAMES]


@pytest.mark.parametrize("game", GAME_NAMES)
def test_facts_in_every_game_and_format(run: Run, game: str) -> None:
    expression = "AA:xxyy@50,KK!KKK"
    spot = ["range", expression, "-g", game, "-b", "Ah7c2d", "-d", "Ks"]
    whole = equity.Range(expression, game=game)
    live = whole.live("Ah7c2d", "Ks")
    facts = json.loads(run(*spot, "--json").stdout)
    assert facts["range"] == whole.text
    assert (facts["combos"], facts["live"]) == (len(whole), len(live.range))
    assert facts["killed"] == live.killed
    assert facts["classes"] == live.range.class_count
    assert facts["share"] == whole.share
    assert (facts["least_weight"], facts["most_weight"]) == (50, 100)
    assert facts["killed_by"]["Ah"] == live.by_card[50]
    assert all(hand in live.range for hand in facts["examples"])
    (row,) = csv.DictReader(io.StringIO(run(*spot, "--csv").stdout))
    assert row["combos"] == str(len(whole))
    shown = run(*spot).stdout
    assert f"combos    {len(whole):,}, " in shown
    assert f"live      {len(live.range):,}, {live.killed:,} are killed (Ah " in shown
    assert "weights   50 to 100" in shown
    assert shown.isascii()


def test_lists_every_live_combo_with_its_weight(run: Run) -> None:
    expression = "AhAsKhK@25.5,KKKK"
    live = equity.Range(expression).live("Kd", "").range
    spot = ["range", expression, "-b", "Kd", "--list"]
    plain = run(*spot).stdout.splitlines()
    assert plain == [f"{hand} 25.5" for hand in live]
    rows = list(csv.DictReader(io.StringIO(run(*spot, "--csv").stdout)))
    assert [(row["hand"], row["weight"]) for row in rows] == [(hand, "25.5") for hand in live]
    lines = [json.loads(line) for line in run(*spot, "--json").stdout.splitlines()]
    assert lines == [{"hand": hand, "weight": 25.5} for hand in live]


def test_lists_every_class_with_its_combos(run: Run) -> None:
    classes = list(equity.Range("AAK:xxyy").classes())
    spot = ["range", "AAK:xxyy", "--classes"]
    assert run(*spot).stdout.splitlines() == [
        f"{entry.text} {entry.combos} {entry.size} {entry.weight}" for entry in classes
    ]
    lines = [json.loads(line) for line in run(*spot, "--json").stdout.splitlines()]
    assert [line["combos"] for line in lines] == [entry.combos for entry in classes]
    rows = list(csv.DictReader(io.StringIO(run(*spot, "--csv").stdout)))
    assert [row["class"] for row in rows] == [entry.text for entry in classes]


def test_a_legal_range_without_hands(run: Run) -> None:
    shown = run("range", "AAAA:ww").stdout
    assert "combos    0, 0.0000 % of all hands" in shown
    assert run("range", "AAAA:ww", "--list").stdout == ""


@pytest.mark.parametrize(
    ("expression", "column", "words"),
    [
        ("AA,,KK", 4, ["empty item"]),
        ("AhAsKhKs,AQo+", 10, ["any rank"]),
        ("AAds", 1, ["AA:xxyy"]),
        ("AAxx", 1, ["AA:xx"]),
        ("JT98r", 1, ["JT98:wxyz"]),
        ("AA,any", 4, ["'any'", "*"]),
        ("(AA,KK", 1, ["')'"]),
        ("AKQJT", 5, ["4"]),
        ("T8-52", 1, ["T8-52"]),
        ("AhAh", 3, ["Ah"]),
        ("AA,K%", 5, ["%"]),
    ],
)
def test_errors_have_a_mark_under_the_text(
    run: Run, expression: str, column: int, words: list[str]
) -> None:
    done = run("range", expression, code=2)
    assert done.stdout == ""
    line, text, mark = done.stderr.splitlines()
    assert f"column {column}:" in line, line
    assert text.strip() == expression
    assert mark.index("^") - 4 == column - 1
    for word in words:
        assert word in line, line


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["range"], ["there is none", "AA:xxyy"]),
        (["range", "AA", "KK"], ["2 arguments", "'AA,KK'"]),
        (["range", "notes.txt"], ["'notes.txt'", "name of a file", "'*'"]),
        (["range", "notes.txt", "more.txt"], ["name of a file"]),
        (["range", "10%7h"], ["range: 10%7h", "ordering", "6h (6max)"]),
        (["range", "10%", "--ordering", "none"], ["ordering", "'none'", "ring"]),
        (["range", "AA", "-g", "holdem"], ["'holdem'"]),
        (["range", "AA", "-b", "T98:xxy"], ["pattern", "known cards"]),
        (["range", "AA", "-d", "T9"], ["dead cards", "pattern"]),
        (["range", "AA", "-b", "Th9h8h7h6h5h"], ["6 cards"]),
        (["range", "AA", "-b", "Th", "-d", "Th"], ["Th", "the board", "the dead cards"]),
    ],
)
def test_bad_arguments(run: Run, tmp_path: Path, arguments: list[str], words: list[str]) -> None:
    for name in ("notes.txt", "more.txt"):
        (tmp_path / name).touch()
    done = run(*arguments, cwd=tmp_path, code=2)
    assert (done.stdout, done.stderr.count("\n")) == ("", 1)
    for word in words:
        assert word in done.stderr, done.stderr


def test_errors_come_without_numpy(run: Run, tmp_path: Path) -> None:
    """A module called numpy that cannot be imported is not missed."""
    (tmp_path / "numpy.py").write_text("raise SystemExit('numpy was imported')")
    env: dict[str, str | None] = {"PYTHONPATH": str(tmp_path)}
    assert "empty item" in run("range", "AA,,KK", env=env, code=2).stderr


def test_the_file_of_a_long_range_shows_the_part_with_the_error(run: Run) -> None:
    done = run("range", ",".join(["AhAsKhKs"] * 40) + ",AQ#", code=2)
    line, text, mark = done.stderr.splitlines()
    assert len(text) <= 80
    assert text[mark.index("^")] == "#"
    assert "column 363" in line
