"""Views, money and two boards in batches: the same numbers as alone, in the same rows."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from batch_tools import call, hands, read_csv, read_json, write_csv, write_json
from conftest import Run

import equity
from equity.batching.columns import Column
from equity.batching.job import Job
from equity.batching.parse_row import BY_NAME
from equity.batching.rows import Row
from equity.batching.views import VIEWS
from equity.batching.worker import answer_row
from equity.double_board import two_boards
from equity.rules.games import GAMES

AA, RUN = "AhAsKhKs", "9c8c7d6d"
#: What a view is asked of, and the function that answers it alone.
ALONE: dict[str, tuple[int, Callable[..., Any]]] = {
    "streets": (4, equity.streets),
    "next": (4, equity.next_cards),
    "next-two": (3, equity.two_cards),
    "graph": (5, equity.graph),
    "graph-rivers": (4, lambda *a, **k: equity.graph(*a, over="rivers", **k)),
    "graph-turns": (3, lambda *a, **k: equity.graph(*a, over="turns", **k)),
    "blockers": (5, equity.blockers),
    "flops": (4, lambda players, *a: equity.flops(players[0], *a, against=players[1])),
}
#: Before the flop these go over 1,755 boards at least: tested by themselves.
SLOW = {"graph-flops", "flops-suits", "flops-pairs", "flops-high"}


def filled(row: dict[str, Any]) -> dict[str, Any]:
    """What there is in a row."""
    return {name: value for name, value in row.items() if value not in (None, "")}


def players_of(view: str, game: str, board: int) -> tuple[list[str], str]:
    """Two hands, or a hand and a small range for a view of a range, and a board."""
    players, cards = hands(game, 2, board)
    if view in ("graph", "blockers"):
        # All but two cards of the second hand are known.
        players[1] = players[1][:-4] + "*" * 2
    return players, cards


def test_every_view_is_one_of_these() -> None:
    assert {"odds", *SLOW, *ALONE} == set(BY_NAME)
    assert set(VIEWS) - set(BY_NAME) == {"money", "call", "double", "money-on-boards", "query"}


@pytest.mark.parametrize("view", ALONE)
@pytest.mark.parametrize("game", [game.name for game in GAMES])
def test_a_view_has_the_rows_of_its_command(view: str, game: str, tmp_path: Path) -> None:
    board, alone = ALONE[view]
    players, cards = players_of(view, game, board)
    spot = {"hero": players[0], "villain": players[1], "game": game, "board": cards}
    source = write_csv(tmp_path / "spots.csv", [spot])
    target = tmp_path / "rows.jsonl"
    asked = ["--view", view, "--jobs", "1"]
    assert call("batch", source, "-o", target, *asked).code == 0
    rows = read_json(target)
    found = alone(players, game, cards)
    whole = found.to_dict()
    steps = {row["percent"] for row in whole["rows"]} if view.startswith("graph") else whole["rows"]
    assert len(rows) == len(steps) > 0
    for number, row in enumerate(rows):
        assert (row["id"], row["view"], row["game"], row["error"]) == (2, view, game, None)
        assert [row["player1"], row["player2"]] == found.spot.texts
        wanted = dict(whole["rows"][number])
        parts = wanted.pop("players", None)
        if parts is None:
            of_first = ("equity", "equity_exact", "low", "std_error", "running", "share")
            taken = of_first if view.startswith("graph") else of_first[:4]
            parts = [{name: wanted.pop(name) for name in taken if name in wanted}]
        wanted.pop("curve", None)
        assert filled(wanted).items() <= row.items()
        for at, part in enumerate(parts, 1):
            named = {f"player{at}_{name}": value for name, value in part.items()}
            assert filled(named).items() <= row.items()
    (answer,) = equity.batch([spot], view=view, jobs=1)
    assert answer.result is None
    assert answer.found.to_dict() == whole
    assert [filled(row) for row in answer.rows()] == [filled(row) | {"id": 1} for row in rows]


def test_two_ranges_have_a_curve_each() -> None:
    spot = ["9c8c7d*", "AhAsKh*"]
    (answer,) = equity.batch([{"players": spot, "board": "Th7h2c3d4s"}], view="graph", jobs=1)
    rows = answer.rows()
    assert len(rows) == 20
    for number, curve in enumerate(answer.found.curves, 1):
        assert {row[f"player{number}_mean"] for row in rows} == {curve.mean}
        assert [row[f"player{number}_share"] for row in rows] == list(map(float, curve.bins))
    assert sum(row["player1_share"] for row in rows) == pytest.approx(1)


def test_all_flops_of_a_graph(tmp_path: Path) -> None:
    source = write_csv(tmp_path / "s.csv", [{"hero": AA, "villain": RUN}])
    columns = "player,percent,exact,equity,share"
    asked = ["--view", "graph-flops", "--layout", "long", "--columns", columns]
    assert call("batch", source, "-o", tmp_path / "r.csv", *asked, "--jobs", "1").code == 0
    rows = list(read_csv(tmp_path / "r.csv"))
    assert [row["player"] for row in rows] == ["1", "2"] * 20
    # The curve is that of the first player; known hands are enumerated on all flops.
    assert {row["exact"] for row in rows} == {"true"}
    assert all(bool(row["equity"]) == (row["player"] == "1") for row in rows)


def test_money_in_columns(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = []
    for number, game in enumerate(GAMES):
        players, board = hands(game.name, 3, 3, number)
        rows.append({"players": "|".join(players), "game": game.name, "board": board})
        rows[-1] |= {"stacks": "100,60,40.5", "pot": "10", "call": ""}
        rows.append(rows[-1] | {"stacks": "", "pot": "150", "call": "50"})
    source = write_csv(tmp_path / "s.csv", rows)
    asked = ["--rake", "5%", "--cap", "3", "--jobs", "1"]
    assert call("batch", source, "-o", tmp_path / "r.jsonl", *asked).code == 0
    for row, given in zip(read_json(tmp_path / "r.jsonl"), rows, strict=True):
        spot = (given["players"].split("|"), given["game"], given["board"])
        rake: dict[str, Any] = {"rake": "5%", "cap": 3}
        if given["stacks"]:
            money = equity.all_in(*spot, stacks=given["stacks"], pot=10, **rake)
            assert row["view"] == "money"
            assert row["pots"] == money.to_dict()["pots"]
            assert row["rake_exact"] == "3"
            for at, player in enumerate(money.players, 1):
                assert row[f"player{at}_expected_exact"] == str(player.expected_exact)
                assert row[f"player{at}_net"] == player.net
            assert sum(row[f"player{at}_expected"] for at in (1, 2, 3)) == pytest.approx(207.5)
        else:
            odds = equity.pot_odds(*spot, call=50, pot=150, **rake)
            assert row["view"] == "call"
            assert (row["needed_exact"], row["gain_exact"]) == (
                str(odds.call.needed),
                str(odds.gain_exact),
            )
            assert row["player1_equity"] == odds.equity
    alone = {name: value for name, value in rows[0].items() if value} | {"stacks": [100, 60, 40.5]}
    (answer,) = equity.batch([alone], rake="5%", cap=3, jobs=1)
    assert answer.result is not None
    assert answer.result.tally == answer.found.result.tally
    assert answer.to_dict()["player2_put_in"] == 60


def test_two_boards_in_columns(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = []
    for number, game in enumerate(GAMES):
        players, board = hands(game.name, 2, 8, number)
        rows.append({"players": "|".join(players), "game": game.name, "board": board[:8]})
        rows[-1] |= {"board2": board[8:16], "runs": ""}
        rows.append(rows[-1] | {"board2": "", "runs": "2"})
    source = write_csv(tmp_path / "s.csv", rows)
    assert call("batch", source, "-o", tmp_path / "r.csv", "--jobs", "1").code == 0
    for row, given in zip(read_csv(tmp_path / "r.csv"), rows, strict=True):
        found = two_boards(
            given["players"].split("|"), given["game"], given["board"], given["board2"] or None
        )
        assert row["view"] == "double"
        assert row["pairs"] == str(found.pairs)
        assert row["twice"] == str(found.twice).lower()
        for at, player in enumerate(found.players, 1):
            assert row[f"player{at}_equity_exact"] == str(player.equity_exact)
            assert float(row[f"player{at}_spread"]) == player.spread
            assert json.loads(row[f"player{at}_outcomes"]) == player.to_dict()["outcomes"]


def test_rows_may_ask_for_different_things(run: Run, tmp_path: Path) -> None:
    board = {"hero": AA, "villain": RUN, "board": "Th7h2c3d", "street": "mine", "multiplicity": "9"}
    board |= {"view": "", "stacks": "", "runs": ""}
    rows = [
        board | {"view": "Streets"},
        board | {"view": ""},
        board | {"view": "next two", "board": "Th7h2c"},
        board | {"view": "odds", "stacks": "5,5"},
        board | {"view": "odds", "runs": "2"},
    ]
    source = write_csv(tmp_path / "s.csv", rows)
    run("batch", source.name, "-o", "two.csv", "--jobs", "2", "--view", "next", cwd=tmp_path)
    assert (
        call("batch", source, "-o", tmp_path / "r.csv", "--view", "next", "--jobs", "1").code == 0
    )
    text = (tmp_path / "r.csv").read_bytes()
    assert (tmp_path / "two.csv").read_bytes() == text
    found = list(read_csv(text.decode()))
    kinds = list(dict.fromkeys((row["id"], row["view"]) for row in found))
    assert kinds == [
        ("2", "streets"), ("3", "next"), ("4", "next-two"), ("5", "money"), ("6", "double"),
    ]  # fmt: skip
    assert {row["input_street"] for row in found} == {"mine"}
    assert {row["input_multiplicity"] for row in found} == {"9"}
    assert [row["street"] for row in found][:4] == ["preflop", "flop", "turn", ""]
    # In parts, and as Parquet, it is the same.
    for part in ("1", "2"):
        asked = ["-o", tmp_path / f"{part}.parquet", "--shard", f"{part}/2", "--view", "next"]
        assert call("batch", source, *asked, "--jobs", "1").code == 0
    parts = [tmp_path / "1.parquet", tmp_path / "2.parquet"]
    assert call("merge", *parts, "-o", tmp_path / "m.parquet").code == 0
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(tmp_path / "m.parquet").to_pylist()
    assert len(table) == len(found)
    for one, other in zip(table, found, strict=True):
        assert one["player1_equity_exact"] == (other["player1_equity_exact"] or None)
        assert str(one["weight"] or "") == other["weight"]


def test_columns_of_ones_own_keep_clear_of_those_of_the_answer() -> None:
    good = {"players": [AA, RUN], "board": "Th7h2c", "deals": "mine", "street": "mine too"}
    (odds,) = equity.batch([good], jobs=1)
    assert (odds.to_dict()["input_deals"], odds.to_dict()["street"]) == ("mine", "mine too")
    assert odds.to_dict()["deals"] == 820
    (streets,) = equity.batch([good], view="streets", jobs=1)
    assert streets.to_dict()["input_street"] == "mine too"
    assert [row["street"] for row in streets.rows()] == ["preflop", "flop"]
    # One that fails has its columns under the same names.
    (failed,) = equity.batch([good | {"players": [AA, AA]}], jobs=1)
    assert (failed.to_dict()["input_deals"], failed.to_dict()["street"]) == ("mine", "mine too")
    assert "deals" not in failed.to_dict()
    assert "view" not in odds.to_dict() | failed.to_dict()


def test_a_street_of_ones_own_keeps_its_name_without_a_view(tmp_path: Path) -> None:
    source = write_csv(tmp_path / "s.csv", [{"hero": AA, "villain": RUN, "street": "mine"}])
    assert call("batch", source, "-o", tmp_path / "r.csv", "--jobs", "1").code == 0
    (row,) = read_csv(tmp_path / "r.csv")
    assert row["street"] == "mine"
    assert "view" not in row


def test_pictures(tmp_path: Path) -> None:
    from equity.views.plots import picture

    spots = [
        {"hero": AA, "villain": RUN, "board": "Th7h2c3d", "view": "streets"},
        {"hero": AA, "villain": RUN, "board": "Th7h2c3d", "view": ""},
        {"hero": AA, "villain": RUN, "board": "", "view": "streets"},
        {"hero": AA, "villain": RUN, "board": "Th7h2c", "view": "next_two"},
    ]
    source = write_csv(tmp_path / "s.csv", spots)
    target, folder = tmp_path / "r.csv", tmp_path / "pictures"
    asked = ["batch", source, "-o", target, "--plot-dir", folder, "--jobs", "1"]
    assert call(*asked).code == 1
    assert sorted(path.name for path in folder.iterdir()) == ["1.png", "4.png"]
    named = {row["id"]: row["plot"] for row in read_csv(target)}
    assert named == {"2": "1.png", "3": "", "4": "", "5": "4.png"}
    players = [AA, RUN]
    streets = equity.streets(players, board="Th7h2c3d")
    assert (folder / "1.png").read_bytes() == picture(streets, ".png")
    target.unlink()
    again = call(*asked)
    assert again.code == 2
    assert "1.png exists already" in again.stderr.replace("'", "")
    assert not target.exists()
    assert call(*asked, "--force", "--plot-format", "svg").code == 1
    assert sorted(path.name for path in folder.glob("*.svg")) == ["1.svg", "4.svg"]
    assert (folder / "1.svg").read_bytes() == picture(streets, ".svg")


def test_a_picture_that_cannot_be_drawn_fails_its_row(monkeypatch: pytest.MonkeyPatch) -> None:
    def cannot(*_: Any) -> bytes:
        raise MemoryError("no room for it")

    monkeypatch.setattr("equity.views.plots.picture", cannot)
    job = Job({"game": "plo4"}, (Column("error", "text"),), format="csv", plots=".png")
    spot = {"players": f"{AA}|{RUN}", "board": "Th7h2c", "view": "streets"}
    answered = answer_row(job, Row(0, 1, spot, {}))
    assert answered is not None
    assert answered.problem == "unexpected MemoryError: no room for it"
    assert answered.picture == b""


@pytest.mark.parametrize(
    ("spot", "words"),
    [
        ({"view": "street"}, ["view", "'street'", "streets"]),
        ({"view": "streets", "stacks": "1,1"}, ["view", "stacks", "different"]),
        ({"call": "5", "stacks": "1,1"}, ["call", "stacks"]),
        ({"board2": "-", "runs": 2}, ["board2", "runs"]),
        ({"runs": 4}, ["runs", "3", "twice"]),
        ({"runs": 2, "pot": 5}, ["pot", "stacks or call"]),
        ({"pot": "5"}, ["pot", "stacks or call", "rename the column"]),
        ({"view": "next", "rake": "5%"}, ["rake", "next"]),
        ({"stacks": "1"}, ["stacks", "1 for 2 players"]),
        ({"stacks": "1,x"}, ["stacks, number 2", "'x'"]),
        ({"call": "1"}, ["call", "pot"]),
        ({"view": "streets"}, ["board", "3, 4 or 5"]),
        ({"view": "next", "board": "Th7h2c3d4s"}, ["board", "3 or 4"]),
        ({"view": "next-two", "board": "Th7h2c3d"}, ["board", "it has 3"]),
        ({"view": "graph"}, ["graph", "known hands"]),
        ({"view": "blockers"}, ["range 2", "known hand"]),
        ({"view": "graph-turns", "board": "Th7h2c3d"}, ["over", "turns"]),
        (
            {"view": "next-two", "trials": 5, "board": "Th7h2c"},
            ["trials", "next-two", "does not take"],
        ),
        ({"view": "streets", "budget": 5, "board": "Th7h2c"}, ["budget", "streets"]),
        ({"view": "graph", "error": 0.1, "board": "Th7h2c"}, ["error", "graph"]),
    ],
)
def test_what_is_wrong_with_a_view(spot: dict[str, Any], words: list[str], tmp_path: Path) -> None:
    (wrong,) = equity.batch([{"players": [AA, RUN], **spot}], jobs=1)
    assert wrong.found is None
    assert wrong.rows() == [wrong.to_dict()]
    for word in words:
        assert word in (wrong.error or "")
    # It is seen before anything is computed.
    source = write_json(tmp_path / "s.jsonl", [{"players": [AA, RUN], **spot}])
    done = call("batch", source, "-o", tmp_path / "r.csv", "--strict", "--jobs", "1")
    assert done.code == 2
    assert done.stderr.endswith(f"line 1: {wrong.error}\n")
    assert not (tmp_path / "r.csv").exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--view", "graph", "--error", "0.1"], ["error", "graph"]),
        (["--view", "next", "--runs", "2"], ["runs", "view"]),
        (["--view", "streets", "--rake", "5%"], ["rake", "no spot"]),
        (["--cap", "3"], ["cap", "no spot"]),
        (["--plot-dir", "pictures"], ["plots", "odds", "--view streets"]),
        (["--view", "nonsense"], ["--view", "'nonsense'"]),
    ],
)
def test_options_that_do_not_go_together(
    options: list[str], words: list[str], run: Run, tmp_path: Path
) -> None:
    write_csv(tmp_path / "s.csv", [{"hero": AA, "villain": RUN, "board": "Th7h2c"}])
    done = run("batch", "s.csv", "-o", "r.csv", *options, cwd=tmp_path, code=2)
    assert all(word in done.stderr for word in words)
    assert [path.name for path in tmp_path.iterdir()] == ["s.csv"]


def test_defaults_that_a_row_puts_aside(tmp_path: Path) -> None:
    board = {"hero": AA, "villain": RUN, "board": "Th7h2c"}
    odds = board | {"view": "odds"}
    rows = [board, board | {"view": "next"}, odds | {"runs": "2"}, odds | {"stacks": "9,9"}]
    source = write_json(tmp_path / "s.jsonl", rows)
    asked = ["--call", "50", "--pot", "150", "--budget", "9", "--jobs", "1"]
    done = call("batch", source, "-o", tmp_path / "r.csv", *asked)
    assert done.code == 0
    for said in (
        "--call is overridden in 1 of 4 spots: the view next does not take it",
        "--call is overridden in 1 of 4 spots: the view money does not take it",
        "--pot is overridden in 1 of 4 spots: the view double does not take it",
        "--budget is overridden in 1 of 4 spots: the view next does not take it",
    ):
        assert f"equity: {said}\n" in done.stderr
    found = {row["id"]: row for row in read_csv(tmp_path / "r.csv")}
    assert [row["view"] for row in found.values()] == ["call", "next", "double", "money"]
    # What goes with money goes with any of it.
    assert (found["1"]["needed"], found["4"]["contested"]) == ("0.25", "168")


def test_all_flops_are_for_equities_alone(run: Run, tmp_path: Path) -> None:
    players = ["--players", AA, "--players", RUN, "--boards", "flops"]
    done = run("batch", *players, "-o", "r.csv", "--view", "streets", cwd=tmp_path, code=2)
    assert "the view streets does not take all flops" in done.stderr
    boards = ["--players", AA, "--players", RUN, "--boards", "Th7h2c|9d8d7s"]
    asked = ["-o", "-", "-q", "--view", "streets", "--columns", "id,board,street,player1_equity"]
    done = run("batch", *boards, *asked, cwd=tmp_path)
    assert [row["id"] for row in read_csv(done.stdout)] == ["1", "1", "2", "2"]
