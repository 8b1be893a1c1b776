"""``equity hands`` from end to end."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import hand_writer
import pytest
from conftest import Run

from equity.cli import main

FOLDER = Path(__file__).parent / "histories"


def asked(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> tuple[str, str]:
    """What the command prints, in this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["equity", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
    printed = capsys.readouterr()
    assert ended.value.code == code, printed.err
    return printed.out, printed.err


@pytest.mark.parametrize("form", hand_writer.FORMATS)
def test_every_game(run: Run, tmp_path: Path, form: str) -> None:
    ending, write, by_pot, _ = hand_writer.FORMATS[form]
    hands = []
    for game in hand_writer.GAMES:
        for seed in range(10**6):
            hand = hand_writer.play(game, seed)
            if hand.is_all_in and hand.street == 2:
                hands.append(hand)
                break
    path = tmp_path / f"all{ending}"
    path.write_text("\n".join(map(write, hands)), encoding="utf-8")
    done = run("hands", str(path), "--json")
    assert done.stderr == f"equity: {len(hands)} hands, {len(hands)} by equity\n"
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    for hand, told in zip(hands, lines, strict=True):
        assert (told["game"], told["street"]) == (hand.game, "turn")
        assert (told["why"], told["problem"]) == (None, None)
        assert [one["ev"] for one in told["players"]] == pytest.approx(
            [float(part) / 100 for part in hand.expected(by_pot)], abs=1e-9
        )
        assert [one["won"] for one in told["players"]] == [won / 100 for won in hand.won]
        put_in = sum(one["put_in"] for one in told["players"]) + told["dead"]
        out = sum(one["returned"] + one["won"] for one in told["players"])
        assert put_in == pytest.approx(out + told["rake"] + told["fees"])
        for pot in told["pots"]:
            assert sum(pot["players"].values()) == pytest.approx(1)


def test_tables(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = asked(capsys, "hands", "session", "--csv", "-q")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["player"] for row in rows].count("Hero") == 4
    for name in ("a.csv", "a.jsonl", "a.parquet", "a.xlsx"):
        asked(capsys, "hands", "session", "-o", name, "-q")
    assert Path("a.csv").read_text() == out
    told = [json.loads(line) for line in Path("a.jsonl").read_text().splitlines()]
    import openpyxl
    import pyarrow.parquet

    assert pyarrow.parquet.read_table("a.parquet").to_pylist() == told
    sheet = openpyxl.load_workbook("a.xlsx").active
    assert [cell.value for cell in sheet[1]] == list(rows[0])
    assert sheet.max_row == len(rows) + 1
    for row, one in zip(rows, told, strict=True):
        assert row["player"] == one["player"]
        assert float(row["won"]) == one["won"]
        assert (row["equity"] == "") == (one["equity"] is None)
    _, err = asked(capsys, "hands", "session", "-o", "a.csv", code=2)
    assert err == "equity: --output: 'a.csv' exists; --force overwrites it\n"
    asked(capsys, "hands", "session", "-o", "a.csv", "--force", "-q")
    asked(capsys, "hands", "session", "-o", "a.doc", code=2)


def test_one_player_and_the_picture(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, err = asked(capsys, "hands", "session", "--player", "Bo", "--plot", "luck.svg")
    assert "Hero" not in out
    assert err == "equity: 4 hands, 3 by equity, 1 of Hold'em skipped\n"
    drawn = Path("luck.svg").read_text()
    assert "-81.33" in drawn.replace("\u2212", "-")
    assert "-14.54" in drawn.replace("\u2212", "-")
    out, _ = asked(capsys, "hands", "session", "--player", "Di", "--json")
    assert [json.loads(line)["id"] for line in out.splitlines()] == ["OM5"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing"], "hands: 'nothing' is no file or folder"),
        (["session", "--id", "7"], "--id: there is no hand '7'"),
        (["session", "--player", "Nobody"], "--player: no hand has a player 'Nobody'"),
        (["session", "--plot", "a.png"], "--plot: it needs a player; say whose: --player Hero"),
        (["session", "--player", "Bo", "--plot", "a.gif"], "--plot: 'a.gif' has no known ending"),
        (["empty.txt"], "hands: no hand of the Omaha family, 0 hands, 0 by equity"),
        ([], "Missing argument 'FILE...'"),
    ],
)
def test_errors(
    session: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    Path("empty.txt").write_text("")
    _, err = asked(capsys, "hands", *arguments, code=2)
    assert err.startswith(f"equity: {message}")
    assert err.count("\n") == 1


def test_one_hand_as_json(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = asked(capsys, "hands", "session", "--id", "OM3", "--json")
    told = json.loads(out)
    assert told["boards"] == ["QsJd5c2s4h", "9h8h2c3c6d"]
    assert told["runs"] == 1
    out, err = asked(capsys, "hands", "damaged.txt", "--id", "16")
    assert "set aside: the chips do not add up" in out
    assert "not understood" in err


@pytest.mark.parametrize("view", ["odds", "streets", "next"])
def test_a_history_is_a_table_of_spots(
    session: Path, capsys: pytest.CaptureFixture[str], view: str
) -> None:
    name = "session/ggpoker.txt"
    # Before the flop there is no street to come from.
    code = 0 if view == "odds" else 1
    asked(capsys, "batch", name, "-o", "f.csv", "--view", view, "-q", "--jobs", "1", code=code)
    rows = list(csv.DictReader(io.StringIO(Path("f.csv").read_text())))
    # The hand on two boards is no spot.
    assert list(dict.fromkeys(row["id"] for row in rows)) == ["OM1", "OM2"]
    assert {row["names"] for row in rows} == {"Hero|Bo"}
    if view == "odds":
        out, _ = asked(capsys, "hands", name, "--csv", "-q", "--player", "Hero")
        told = {row["id"]: row["equity"] for row in csv.DictReader(io.StringIO(out))}
        assert [row["player1_equity"] for row in rows] == [told["OM1"], told["OM2"]]
        assert [row["board"] for row in rows] == ["Th9h2d", ""]


def test_a_history_without_spots(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, err = asked(capsys, "batch", "damaged.txt", "-o", "found.csv", code=2)
    assert err == "equity: spots: no hand counts by equity; 'equity hands' tells why\n"
