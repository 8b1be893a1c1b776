"""Cross products of a list with itself: pairs computed once, and mirrored."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from batch_tools import call, read_csv, write_csv

import equity
from equity.batching import stream, views
from equity.batching.cross_product import FLOPS, Crossing
from equity.engine import solver
from equity.engine.exchange import exchanged, exchanged_spot
from equity.rules.games import GAMES, find_game
from equity.spot import read_spot

PLO = {"game": "plo4", "board": "", "dead": "", "ordering": None}
BOARD = "Th5s4h2d"
#: A range, a range with weights, a hand, a range that fails on the board, and one with a notice.
LISTS = {
    4: "AAKK@30,AAQQ|KQJT|9c8c7d6d|TTT5:5|AKs:QJ",
    5: "AAKKQ@30,AAQQJ|KQJT9|9c8c7d6d3s|TTT55|AKs:QJT",
    6: "AAKKQQ@30,AAQQJJ|KQJT98|9c8c7d6d3s3c|TTT555|AKs:QQJJ",
}


def table(seats: list[str], boards: list[str]) -> list[dict[str, Any]]:
    """The rows of a cross product of two lists as a table, each by itself."""
    first, second = (seat.split("|") for seat in seats)
    pairs = [(one, two, board) for one in first for two in second for board in boards]
    return [
        {"id": number, "player1": one, "player2": two, "board": board}
        for number, (one, two, board) in enumerate(pairs, 1)
    ]


@pytest.mark.parametrize("game", [game.name for game in GAMES])
def test_exact_answers_are_those_of_every_row_by_itself(game: str, tmp_path: Path) -> None:
    same = LISTS[find_game(game).hole]
    how = ["-g", game, "--exact", "--jobs", "1", "-q", "--by-combo"]
    spots = write_csv(tmp_path / "spots.csv", table([same, same], [BOARD]))
    call("batch", spots, *how, tmp_path / "one", "-o", tmp_path / "one.csv")
    seats = ["--players", same, "--players", same, "-b", BOARD]
    call("batch", *seats, *how, tmp_path / "two", "-o", tmp_path / "two.csv")
    assert (tmp_path / "two.csv").read_bytes() == (tmp_path / "one.csv").read_bytes()
    rows = read_csv(tmp_path / "two.csv")
    assert sum(not row["error"] for row in rows) >= 9
    assert any(row["error"] for row in rows)
    assert any("range 1" in row["notice"] for row in rows)
    for path in (tmp_path / "one").iterdir():
        assert (tmp_path / "two" / path.name).read_bytes() == path.read_bytes()


@pytest.mark.parametrize("game", ["plo4", "o8"])
def test_samples_are_mirrored(game: str, tmp_path: Path) -> None:
    same = "AA|KQJT|Jd9c8c7s"
    seats = ["--players", same, "--players", same, "-g", game]
    call("batch", *seats, "--trials", "3000", "-o", tmp_path / "r.csv", "--jobs", "1")
    rows = {(row["player1"], row["player2"]): row for row in read_csv(tmp_path / "r.csv")}
    texts = ["AA", "KQJT", "Jd9c8c7s"]
    for at, one in enumerate(texts):
        for two in texts[at + 1 :]:
            above, below = rows[one, two], rows[two, one]
            asked = equity.odds([one, two], game, trials=3000)
            for number, player in enumerate(asked.players, 1):
                assert float(above[f"player{number}_equity"]) == player.equity
                assert player.std_error
                assert float(above[f"player{number}_std_error"]) == player.std_error["equity"]
            names = [name for name in above if name.startswith("player1_")]
            assert len(names) > 8
            for name in names:
                other = name.replace("player1", "player2")
                assert (above[name], above[other]) == (below[other], below[name])
            for name in ("method", "deals", "weight", "no_low", "seed"):
                assert above[name] == below[name]


def test_each_pair_is_computed_once(tmp_path: Path) -> None:
    same = "AAKK|KKQQ|QQJJ|T987"
    count = mock.Mock(side_effect=solver.run)
    for most, wanted in ((stream.MOST_TWINS, 2 * 10), (0, 2 * 16)):
        count.reset_mock()
        with (
            mock.patch.object(views, "run", count),
            mock.patch.object(stream, "MOST_TWINS", most),
        ):
            seats = ["--players", same, "--players", same, "--boards", f"{BOARD}|Th5s4h"]
            call("batch", *seats, "-o", tmp_path / f"{most}.csv", "--jobs", "1")
        assert count.call_count == wanted
    assert (tmp_path / "0.csv").read_bytes() == (tmp_path / f"{stream.MOST_TWINS}.csv").read_bytes()


@pytest.mark.parametrize("more", [(), ("--trials", "500")])
def test_parts_and_processes_give_the_same_bytes(more: tuple[str, ...], tmp_path: Path) -> None:
    seats = ["--players", "AA|KQJT|QQ|T987", "--players", "KQJT|AA|76*|T987|AA"]
    seats += ["-b", BOARD, *more, "-q"]
    call("batch", *seats, "-o", tmp_path / "one.csv", "--jobs", "1")
    whole = (tmp_path / "one.csv").read_bytes()
    call("batch", *seats, "-o", tmp_path / "three.csv", "--jobs", "3")
    assert (tmp_path / "three.csv").read_bytes() == whole
    parts = [tmp_path / f"part{number}.csv" for number in (1, 2, 3)]
    for number, part in enumerate(parts, 1):
        call("batch", *seats, "-o", part, "--shard", f"{number}/3", "--jobs", "1")
    assert call("merge", *parts, "-o", tmp_path / "merged.csv").code == 0
    assert (tmp_path / "merged.csv").read_bytes() == whole
    if not more:
        spots = write_csv(tmp_path / "s.csv", table([seats[1], seats[3]], [BOARD]))
        call("batch", spots, "-o", tmp_path / "table.csv", "-q", "--jobs", "1")
        assert (tmp_path / "table.csv").read_bytes() == whole


def test_totals_over_flops_are_mirrored(tmp_path: Path) -> None:
    dead = "".join(rank + suit for rank in "23456789" for suit in "cdhs")
    same = "AsAhKsKh|QsQhJsJh|AdAcKd*"
    seats = ["--players", same, "--players", same, "--boards", "flops", "-d", dead]
    call("batch", *seats, "-o", tmp_path / "r.csv", "-q", "--jobs", "1")
    totals = {
        (row["player1"], row["player2"]): row
        for row in read_csv(tmp_path / "r.csv")
        if row["method"] == "flops"
    }
    for one, two in totals:
        wanted = equity.odds([one, two], dead=dead, exact=True).equities_exact
        found = [totals[one, two][f"player{at}_equity_exact"] for at in (1, 2)]
        assert found == list(map(str, wanted))
    assert len(totals) == 6  # a hand is not dealt twice


def test_only_equities_of_two_players_have_a_mirror() -> None:
    for seats, defaults in (
        (["AA|KK"] * 3, PLO),
        (["AA|KK"] * 2, PLO | {"view": "streets"}),
        (["AA|KK"] * 2, PLO | {"call": "5", "pot": "10"}),
        (["AA|KK", "QQ|JJ"], PLO),
    ):
        rows = list(Crossing(seats, [], defaults).rows())
        assert not any(row.twin or row.is_mirrored for row in rows)
    rows = list(Crossing(["AA|KK|AA", "QQ|KK|AA"], FLOPS, PLO).rows())
    by_number = {row.number: row for row in rows}
    mirrored = [row.twin for row in rows if row.twin]
    assert {twin.number for twin in mirrored} == {row.number for row in rows if row.is_mirrored}
    for twin in mirrored:
        assert by_number[twin.number]._replace(is_mirrored=False) == twin
    # AA of the third place is a match-up of its own.
    pairs = {tuple(twin.values["players"]) for twin in mirrored}
    assert pairs == {("KK", "AA")}


def test_players_exchanged() -> None:
    spot = read_spot(["AKs:QJ", "T987@50,8876"], "o8", "Th5s4h")
    other = read_spot(["T987@50,8876", "AKs:QJ"], "o8", "Th5s4h")
    turned = exchanged_spot(spot)
    assert turned == other
    assert turned.warnings == other.warnings != spot.warnings
    assert turned.live_combos == other.live_combos
    result = exchanged(equity.odds(list(spot.players), "o8", "Th5s4h"), turned)
    again = equity.odds(list(other.players), "o8", "Th5s4h")
    assert result.tally == again.tally
    assert [player.to_dict() for player in result.players] == [
        player.to_dict() for player in again.players
    ]
