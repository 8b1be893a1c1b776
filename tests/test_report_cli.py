"""``equity report``: a page with everything about a spot, or about many."""

from __future__ import annotations

import re
import shlex
import xml.etree.ElementTree as ET
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from conftest import Run
from operation_bodies import HERO

import equity
from equity.operations import find_operation
from equity.rules.games import GAMES


def page_of(path: Path) -> str:
    """The text of a page, which is well formed and asks for nothing."""
    text = path.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    ET.fromstring(text.partition("\n")[2])
    assert "<script" not in text
    assert not re.search(r"(?:href|src)=|url\(|@import", text)
    return text


@pytest.mark.parametrize("game", [game.name for game in GAMES])
def test_reports_in_every_game(run: Run, tmp_path: Path, game: str) -> None:
    path = tmp_path / "spot.html"
    arguments = [HERO[game], "9s8s*", "-g", game, "-b", "Th7h2c4d9d"]
    done = run("report", *arguments, "-o", str(path), "-q")
    assert (done.stdout, done.stderr) == ("", "")
    page = page_of(path)
    assert "Street by street" in page
    assert f"equity report {HERO[game]}" in page


@pytest.mark.parametrize(
    ("arguments", "titles"),
    [
        (["AhAsKhKs", "9c8c7d6d"], ["How equity", "What player 1 flops", "What player 2 flops"]),
        (["AA", "KK", "QQ"], ["What player 1 flops"]),
        (["AhAsKhKs", "9c8c7d6d", "-b", "Th7h2c"], ["The next card", "How equity"]),
        (["AhKsQdJc", "5%", "-b", "Th7h2h3d"], ["What player 2 holds", "Card removal"]),
        (["AA:xxyy", "KK", "QQ", "-b", "Th7h2h3d4c"], ["What player 1 holds"]),
    ],
)
def test_sections_fit_the_spot(
    run: Run, tmp_path: Path, arguments: list[str], titles: list[str]
) -> None:
    path = tmp_path / "spot.html"
    run("report", *arguments, "-o", str(path), "--title", "Lesson <1>")
    page = page_of(path)
    assert "<h1>Lesson &lt;1&gt;</h1>" in page
    assert "Left out" not in page
    for title in titles:
        assert title in page


def test_a_report_is_made_again_by_its_command(run: Run, tmp_path: Path) -> None:
    """It names the title, the options and the seed, and gives the same file."""
    options = ["-b", "Th7h2c4d9d", "-d", "2s", "--trials", "500", "--seed", "7"]
    options += ["--title", "It's <1>"]
    run("report", "AA", "KK", *options, "-o", "report.html", cwd=tmp_path)
    page = page_of(tmp_path / "report.html")
    commands = unescape(re.findall(r"<pre>(.*?)</pre>", page, re.DOTALL)[-1]).splitlines()
    assert "seed 7" in page
    words = shlex.split(commands[0])
    assert words[:2] == ["equity", "report"]
    (tmp_path / "report.html").rename(tmp_path / "first.html")
    run(*words[1:], cwd=tmp_path)
    assert page_of(tmp_path / "report.html") == page
    for command in commands[1:]:
        run(*shlex.split(command)[1:])


def test_the_python_function_makes_the_same_page(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "spot.html"
    run("report", "AhAsKhKs", "9c8c7d6d", "-b", "Th7h2c4d", "-o", str(path))
    page = equity.html_report(["AhAsKhKs", "9c8c7d6d"], board="Th7h2c4d")
    assert page == path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"players": "AhAsKhKs"}, "no list"),
        ({"players": None}, "players"),
        ({"players": ["AA", 5]}, "players 2"),
        ({"players": ["AA", "KK"], "board": 5}, "board"),
        ({"players": ["AA", "KK"], "title": 5}, "title"),
        ({"players": ["AA", "KK"], "trials": "many"}, "trials"),
        ({"players": ["AA", "K("]}, "range 2"),
    ],
)
def test_wrong_arguments_of_the_function(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(equity.EquityError, match=re.escape(words)):
        equity.html_report(**arguments)


def test_a_report_that_is_interrupted_is_none() -> None:
    def press(_: object) -> None:
        raise KeyboardInterrupt

    question = find_operation("report").ask({"players": ["AA", "KK"], "board": "Th7h2c"})
    with pytest.raises(KeyboardInterrupt):
        question.answer(press)


def test_a_notice_is_shown_or_an_error(run: Run, tmp_path: Path) -> None:
    arguments = ["report", "AhAsKhKs", "9c8c7d6d", "-b", "Th7h", "-o", str(tmp_path / "a.html")]
    said = run(*arguments).stderr
    assert "notice" in said
    assert 'class="notice"' in page_of(tmp_path / "a.html")
    refused = run(*arguments, "--force", "--strict", code=2).stderr
    assert refused.removeprefix("equity: ").strip() in said
    assert run(*arguments, "--force", "-q").stderr == ""


def test_a_report_of_a_table(run: Run, tmp_path: Path) -> None:
    table, path = tmp_path / "spots.csv", tmp_path / "spots.html"
    table.write_text("id,player1,player2,board\none,AA,KK,Th7h2c\ntwo,K(,KK,\n")
    run("report", "--batch", str(table), "-o", str(path))
    page = page_of(path)
    (row, _) = find_operation("batch").ask({"text": table.read_text()}).answer(None).objects()
    assert f"{100 * row['player1_equity']:.2f}" in page
    assert "column 2" in page


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["AA", "KK"], "--output"),
        (["-o", "a.html"], "there are none"),
        (["AA", "KK", "--batch", "s.csv", "-o", "a.html"], "both"),
        (["--batch", "nowhere.csv", "-o", "a.html"], "cannot be read"),
        (["--batch", "s.xlsx", "-o", "a.html"], ".jsonl"),
        (["AA", "KK", "-o", "a.pdf"], "use .html"),
        (["AA", "KK", "-o", "nowhere/a.html"], "no folder"),
        (["AA", "K(", "-o", "a.html"], "range 2"),
    ],
)
def test_wrong_arguments(run: Run, tmp_path: Path, arguments: list[str], words: str) -> None:
    done = run("report", *arguments, code=2, cwd=tmp_path)
    assert words in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_page_is_not_overwritten(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text("mine")
    assert "--force" in run("report", "AhAsKhKs", "9c8c7d6d", "-o", str(path), code=2).stderr
    assert path.read_text() == "mine"
    run("report", "AhAsKhKs", "9c8c7d6d", "-o", str(path), "--force")
    page_of(path)
