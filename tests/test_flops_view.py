"""``equity flops``: equities on each flop, the command, batches and pictures."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import Run
from naive import cards

import equity
from equity.engine import holdings as engine
from equity.engine.holdings import tally_holdings
from equity.ranges import Range
from equity.results.formats import written
from equity.rules.cards import format_cards
from equity.rules.games import GAMES, Game

HAND = {4: "AsAdKsJd", 5: "AsAdKsJd5c", 6: "AsAdKsJd5c4h"}


# Equity


def test_the_equity_on_each_flop() -> None:
    hero, villain = "AsAdKsJd", "9c8c7d6d"
    held = (*cards(hero), *cards(villain))
    dead = format_cards([card for card in range(20, 52) if card not in held])
    found = equity.flops(hero, dead=dead, against=villain, by="suits", levels=(30, 60.5))
    known = (*held, *cards(dead))
    flops = [*combinations([card for card in range(52) if card not in known], 3)]
    answers = {flop: equity.odds([hero, villain], board=flop, dead=dead) for flop in flops}
    equities = {flop: answer.equities_exact[0] for flop, answer in answers.items()}
    rows = {row.condition: row.cells for row in found.rows if row.group == "equity"}
    assert rows["mean"][0].share_exact == equity.odds([hero, villain], dead=dead).equities_exact[0]
    for kind, suits in (("monotone", 1), ("two-tone", 2), ("rainbow", 3)):
        some = [part for flop, part in equities.items() if len({c % 4 for c in flop}) == suits]
        cells = {name: next(c for c in row if c.kind == kind) for name, row in rows.items()}
        assert cells["mean"].share_exact == sum(some) / Fraction(len(some))
        for name, level in ((">=30%", Fraction(3, 10)), (">=60.5%", Fraction(605, 1000))):
            assert cells[name].share_exact == Fraction(sum(p >= level for p in some), len(some))
    assert found.exact
    assert found.boards == len(flops)


@pytest.mark.parametrize(
    ("hero", "villain", "game", "board", "levels"),
    [
        ("9s8s7d6d", "AA:ds", "plo4", "7c2d", (35, 50, 62.5)),
        ("AsAd2s3d", "KKQ*", "o8", "5c9h", (60, 70, 77.5)),
    ],
)
def test_sampled_equities_have_errors(
    hero: str, villain: str, game: str, board: str, levels: tuple[float, ...]
) -> None:
    exact = equity.flops(hero, game, board, against=villain, levels=levels, exact=True)
    assert exact.exact
    off = []
    for seed in range(6):
        found = equity.flops(
            hero, game, board, against=villain, levels=levels, trials=800, seed=seed
        )
        assert not found.exact
        assert (found.deals or 0) >= 800
        for one, other in zip(found.rows, exact.rows, strict=True):
            if one.group != "equity":
                assert one == other
                continue
            (cell,), (known,) = one.cells, other.cells
            assert cell.share is not None
            assert known.share is not None
            assert cell.std_error
            off.append((cell.share - known.share) / cell.std_error)
    assert max(map(abs, off)) < 4.5
    # Errors are not far too large either.
    assert 0.3 < np.sqrt(np.mean(np.square(off))) < 2


def test_how_sampled_equities_are_written() -> None:
    found = equity.flops(
        "9s8s7d6d", board="7c2d", against="AA:ds", by="pairs", levels=(50,), trials=100, seed=3
    )
    text = written(found).splitlines()
    assert sum(line.startswith("    +/- ") for line in text) == 2
    assert text[-1] == f"exact; equities sampled, {found.deals:,} deals over all flops, seed 3"
    row = next(row for row in found.to_dict()["rows"] if row["group"] == "equity")
    assert row["share_exact"] is None
    assert 0 < row["share_error"] < 0.05


# The command


LINES = "@SET,@NFD,@WRAP13+"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_command(run: Run, game: Game) -> None:
    hand = HAND[game.hole]
    options = ["flops", hand, "-g", game.name, "--at-least", LINES, "--by", "suits"]
    found = equity.flops(hand, game, at_least=LINES, by="suits")
    assert json.loads(run(*options, "--json").stdout) == json.loads(json.dumps(found.to_dict()))


def test_tables(run: Run) -> None:
    options = ["flops", "AsAd2s3d", "-g", "o8", "--at-least", LINES]
    whole = equity.flops("AsAd2s3d", "o8", at_least=LINES).to_dict()
    rows = list(csv.DictReader(io.StringIO(run(*options, "--csv").stdout)))
    assert [row["condition"] for row in rows] == [row["condition"] for row in whole["rows"]]
    assert [int(row["count"]) for row in rows] == [row["count"] for row in whole["rows"]]
    for more in ([], ["--by", "high"], ["--against", "KK", "-b", "Th7h2cKd", "--seed", "1"]):
        lines = run(*options, *more).stdout.splitlines()
        assert max(map(len, lines)) <= 80
        for title in ("made hands", "at least", "  any"):
            assert any(line.startswith(title) for line in lines)


def test_batches(run: Run, tmp_path: Path) -> None:
    spots = tmp_path / "spots.csv"
    rows = "".join(f'{HAND[game.hole]},{game.name},"{LINES}"\n' for game in GAMES)
    spots.write_text(f"hero,game,at least\n{rows}")
    text = run("batch", str(spots), "-o", "-", "-q", "--view", "flops-suits").stdout
    answers = list(csv.DictReader(io.StringIO(text)))
    expected = [
        (game.name, row["condition"], row["kind"], str(row["count"]))
        for game in GAMES
        for row in equity.flops(HAND[game.hole], game, at_least=LINES, by="suits").to_dict()["rows"]
    ]
    names = ("game", "condition", "kind", "count")
    assert [tuple(row[name] for name in names) for row in answers] == expected


def test_pictures(tmp_path: Path, run: Run) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "flops.svg"
    run("flops", "AsAdKsJd", "--against", "9c8c7d6d", "-b", "Th7h2c", "--plot", str(path))
    text = path.read_text()
    assert "@OVERPAIR" in text
    assert "turns" in text
    equity.plot(equity.flops("10%", by="high"), path)
    assert "9 down" in path.read_text()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], ["players", "one hand or range"]),
        (["AsAdKsJd", "10%"], ["--against"]),
        (["As", "Ad", "Ks", "Jd"], ["cards of a hand go together"]),
        (["AsAdKsJd", "-b", "Kh9h4c2d3s"], ["board", "0, 1, 2, 3 or 4"]),
        (["AsAdKsJd", "-b", "As"], ["As", "hand 1"]),
        (["AsAdKsJd", "--over", "turns"], ["over", "flop", "-b Kh9h4c"]),
        (["AsAdKsJd", "-b", "Kh9h4c", "--over", "flops"], ["over", "no flops"]),
        (["AsAdKsJd", "-b", "Kh9h4c", "--by", "suits"], ["by", "turns are not split"]),
        (["AsAdKsJd", "--at-least", "@SETS"], ["at least", "did you mean", "SET"]),
        (["AsAdKsJd", "--at-least", "@LOW"], ["at least", "needs a game with a low"]),
        (["AsAdKsJd", "--at-least", "@WRAP13"], ["at least", "WRAP<n>+"]),
        (["AsAdKsJd", "--at-least", "@SET@50"], ["at least", "no weight"]),
        (["AsAdKsJd", "--at-least", "@BLOCKS(AA)20"], ["at least", "on one board"]),
        (["AsAdKsJd", "--at-least", ""], ["at least", "empty"]),
        (["AsAdKsJd", "--levels", "x"], ["--levels", "45,65"]),
        (["AsAdKsJd", "--levels", "40"], ["--levels", "--against"]),
        (["AsAdKsJd", "--trials", "40"], ["--trials", "--against"]),
        (["AsAdKsJd", "--levels", "120", "--against", "QQ"], ["levels", "below 100"]),
        (["AA:@SET"], ["range 1", "asks what a hand has on the board"]),
        (["AsAh**", "-d", "AsQh"], ["range 1", "live combo"]),
        (["AsAdKsJd", "--against", "AsQhJhTh"], ["As", "hand 2"]),
    ],
)
def test_wrong_input(run: Run, arguments: list[str], words: list[str]) -> None:
    done = run("flops", *arguments, code=2)
    assert not done.stdout
    lines = [line for line in done.stderr.splitlines() if not line.startswith("    ")]
    assert len(lines) == 1
    for word in words:
        assert word in lines[0]


def test_wrong_arguments() -> None:
    with pytest.raises(equity.MethodError, match="no way to split flops"):
        equity.flops("AsAdKsJd", by="colour")
    with pytest.raises(equity.MethodError, match="no deals are sampled"):
        equity.flops("AsAdKsJd", trials=10)
    with pytest.raises(equity.MethodError, match="no equity"):
        equity.flops("AsAdKsJd", levels=(True,))
    with pytest.raises(equity.MethodError, match="no street"):
        equity.flops("AsAdKsJd", over="deals")
    with pytest.raises(KeyError):
        equity.flops("AsAdKsJd").row("@NOTHING")


def test_weights_that_are_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_MOST_WEIGHT", 1e9)
    with pytest.raises(equity.RangeError, match="too large"):
        equity.flops("KK@99.9999,AA@1")


def test_too_many_boards() -> None:
    with pytest.raises(equity.BoardError, match="134,459 boards of 5 cards"):
        tally_holdings(Range("AsAdKsJd"), size=5)


def test_batch_answers() -> None:
    spots: list[Any] = [
        {"hero": "AsAdKsJd"},
        {"hero": "10%", "board": "Kh"},
        ["AsAdKsJd", "9c8c7d6d", "*"],
    ]
    one, two, three = equity.batch(spots, view="flops", at_least="@SET", jobs=1)
    assert one.found.to_dict() == equity.flops("AsAdKsJd", at_least="@SET").to_dict()
    assert two.found.row("@SET", "at least").cells[0].share > 0.1
    assert not two.notice
    assert "3 players" in (three.error or "")
