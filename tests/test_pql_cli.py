"""``equity pql`` from end to end."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from conftest import Run

import equity
from equity.queries.functions import rows
from equity.queries.selectors import SELECTORS
from equity.rules.games import GAMES, Game

SOURCE = "from game='omahahi', board='Kh9h4c', hero='AhQhJdTs', villain='KsKd8c7c'"
QUERY = f"select avg(riverEquity(hero)) as e, histogram(handType(hero, river)) as h {SOURCE}"
PAGE = Path(__file__).parent.parent / "docs" / "pql.md"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_game(run: Run, game: Game) -> None:
    hands = ["AsAdKsKd2c3c"[: 2 * game.hole], "QhQcJhJc4d5d"[: 2 * game.hole]]
    low = ", count(scoops(a)) as s, count(tiesLo(b)) as t" if game.low else ""
    query = (
        f"select avg(riverEquity(a)) as e{low} from game='{game.name}', board='8h7c2d', "
        f"a='{hands[0]}', b='{hands[1]}'"
    )
    [found] = json.loads(run("pql", query, "--json").stdout)["queries"]
    exact = equity.odds(hands, game, "8h7c2d")
    assert found["exact"]
    assert found["results"][0]["value_exact"] == str(exact.equities_exact[0])
    assert f"{game.name}  {game.title}" in run("pql", query).stdout


def test_formats(run: Run, tmp_path: Path) -> None:
    table = run("pql", QUERY).stdout.splitlines()
    assert any(line.startswith("e ") and "42.80 %" in line for line in table)
    assert table[-1].startswith("exact, all 820 deals")
    lines = list(csv.DictReader(io.StringIO(run("pql", QUERY, "--csv").stdout)))
    whole = json.loads(run("pql", QUERY, "--json").stdout)["queries"][0]
    assert len(lines) == 1 + len(whole["results"][1]["bins"])
    assert lines[0]["value_exact"] == whole["results"][0]["value_exact"] == "351/820"
    assert [line["hits"] for line in lines[1:]] == [
        str(one["hits"]) for one in whole["results"][1]["bins"]
    ]
    path = tmp_path / "queries.pql"
    path.write_text(f"{QUERY};\n/* again */ select count(winsHi(villain)) {SOURCE}\n")
    both = json.loads(run("pql", "-f", str(path), "--json").stdout)["queries"]
    assert [len(one["results"]) for one in both] == [2, 1]
    assert both[0]["results"] == whole["results"]
    picture = tmp_path / "made.svg"
    run("pql", QUERY, "--plot", str(picture))
    assert "straightflush" in picture.read_text()


def test_lists_and_explanations(run: Run) -> None:
    listed = run("pql", "--functions").stdout
    for signature in (
        *(row.signature for row in rows()),
        *(s.signature for s in SELECTORS.values()),
    ):
        assert signature in listed
    said = run(
        "pql",
        "--explain",
        "select count(flopHandCategory(hero) = flopset) from game='plo', hero='KhKd7c2s', v='*'",
    ).stdout
    assert "flop" in said
    assert "17,296" in said
    assert "left out  v" in said


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "no query"),
        ([QUERY, "-f", "x"], "a file and a query"),
        (["-f", "missing.pql"], "missing.pql' cannot be read"),
        (["select count(1) from game='plo', a='AA'"], "count of an integer"),
        (["select count(winsHi(hera))\n" + SOURCE], "line 1, column 21"),
        ([QUERY.replace("'KsKd8c7c'", "'KsKd8c7x,,'")], "villain"),
        ([QUERY.replace("river)", "preflop)")], "before the flop"),
        (["--plot", "x.svg", f"select count(winsHi(hero)) {SOURCE}"], "no result is a histogram"),
        ([f"{QUERY} where 1 = 2"], "all 820 were counted"),
        ([QUERY, "--exact", "--trials", "5"], "exact"),
    ],
)
def test_errors(run: Run, arguments: list[str], words: str, tmp_path: Path) -> None:
    done = run("pql", *arguments, code=2, cwd=tmp_path)
    assert words in done.stderr
    [first, *more] = [line for line in done.stderr.splitlines() if "compiling" not in line]
    assert first.startswith("equity: ")
    if more:
        text, caret = more
        assert caret.strip() == "^"
        assert caret.index("^") < len(text) + 1


def test_a_column_of_a_batch(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "spots.csv"
    query = (
        "select avg(riverEquity(h)) as e, histogram(handType(h, river)) as t "
        "from game=:game, board=:board, h=:hero, v=:villain"
    )
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["game", "board", "hero", "villain", "query"])
        writer.writerow(["plo4", "Kh9h4c", "AhQhJdTs", "KsKd8c7c", query])
        writer.writerow(["plo4", "Kh9h4c", "AhQhJdTs", "KsKd8c7c", query.replace("avg", "count")])
    done = run("batch", str(path), "-o", "-", code=1)
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    whole = json.loads(run("pql", QUERY, "--json").stdout)["queries"][0]
    assert rows[0]["value_exact"] == whole["results"][0]["value_exact"]
    labels = {row["label"]: row["hits"] for row in rows[1:-1]}
    assert labels == {one["label"]: str(one["hits"]) for one in whole["results"][1]["bins"]}
    assert "count of an equity" in rows[-1]["error"]


def test_the_page_has_every_function() -> None:
    page = PAGE.read_text()
    for row in rows():
        mark = " *" if row.preflop else ""
        also = "".join(f", also `{alias}`" for alias in row.aliases)
        assert f"| `{row.signature}`{also}{mark} | {row.gives.name} | {row.meaning} |\n" in page
    for selector in SELECTORS.values():
        assert f"| `{selector.signature}` | {selector.meaning} |\n" in page
