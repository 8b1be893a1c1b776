"""Every text of the table is read, noticed or refused as it says, wherever it is typed."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from typed import BOARDS, RANGES, Typed

import equity
from equity.cli import main
from equity.ranges.predicates import ALIASES, PREDICATES
from equity.ranges.words import CONDITIONS, NOT_SLOTS, SPELLED, WORDS

#: A hand of each size, and a complete board beside it and all exact cards of the table.
HERO = {"plo4": "2c2h3c3h", "plo5": "2c2h3c3h4c"}
BOARD = "9c8h7d6h5d"
PLAYERS = ["AsAdQsJd", "8s8d7s7d"]


def ask_python(players: list[str], game: str, board: str) -> dict[str, object]:
    """Normal form, notices and error of a question from Python."""
    try:
        found = equity.odds(players, game, board, trials=100).to_dict()
    except equity.EquityError as error:
        return {"error": str(error)}
    return {"players": found["players"][-1]["range"], "board": found["board"],
            "warnings": found["warnings"]}  # fmt: skip


def ask_command(
    arguments: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> dict[str, object]:
    """The same from the command line."""
    monkeypatch.setattr("sys.argv", ["equity", "odds", "--json", "--trials", "100", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    out, err = capsys.readouterr()
    if ended.value.code:
        assert ended.value.code == 2
        error = json.loads(out)["error"]
        assert err.splitlines()[0] == f"equity: {error}"
        return {"error": error}
    found = json.loads(out)
    lines = [line.removeprefix("equity: notice: ") for line in err.splitlines()]
    assert lines == found["warnings"]
    return {"players": found["players"][-1]["range"], "board": found["board"],
            "warnings": found["warnings"]}  # fmt: skip


def check(row: Typed, found: dict[str, object], field: str) -> None:
    """Compare what was found with a row of the table."""
    if row.reads or not row.words:
        assert found.get(field) == row.reads
        warnings = " ".join(map(str, found["warnings"]))  # type: ignore[call-overload]
        assert row.words in warnings
        assert bool(warnings) == bool(row.words)
    else:
        assert row.words in str(found["error"])
        assert str(found["error"]).isascii()


@pytest.mark.parametrize("row", RANGES, ids=lambda row: ascii(row.text))
def test_ranges(
    row: Typed, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    hero = HERO[row.game]
    python = ask_python([hero, row.text], row.game, BOARD)
    check(row, python, "players")
    command = ask_command(["-g", row.game, "-b", BOARD, "--", hero, row.text], capsys, monkeypatch)
    check(row, command, "players")
    # The command sees that single cards may belong to the argument beside them.
    assert command == python or row.text == "Kc"


@pytest.mark.parametrize("row", BOARDS, ids=lambda row: ascii(row.text))
def test_boards(
    row: Typed, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    python = ask_python(PLAYERS, row.game, row.text)
    check(row, python, "board")
    command = ask_command([*PLAYERS, "-b", row.text], capsys, monkeypatch)
    check(row, command, "board")
    assert command == python


def test_names_of_conditions_are_those_of_the_table() -> None:
    names = {row.name for row in PREDICATES} | {row.name for row in ALIASES} | {"BLOCKS"}
    assert sorted(CONDITIONS) == sorted(names)
    letters = set("AKQJTSHDCWXYZRONP")
    spelled = {name for name in names if set(name) <= letters}
    assert spelled == {name for name in SPELLED if f"@{name} " in SPELLED[name]}


def test_words_that_slots_could_spell_are_known() -> None:
    """All others have a letter of no slot, so they are found wherever they stand."""
    plain = {word for word in WORDS if not set(word.upper()) & set(NOT_SLOTS)}
    assert plain == {"or", "and", "not", "any", "any2", "any4"}


def test_a_batch_reads_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rows of one table, asked from Python, from a CSV file, and one by one."""
    spots = [
        {"game": row.game, "board": BOARD, "players": [HERO[row.game], row.text]} for row in RANGES
    ] + [{"board": row.text, "players": PLAYERS} for row in BOARDS]
    answers = list(equity.batch(spots, trials=100, jobs=1))
    for row, spot, answer in zip([*RANGES, *BOARDS], spots, answers, strict=True):
        alone = ask_python(spot["players"], row.game, str(spot["board"]))  # type: ignore[arg-type]
        if row.text == "none":  # an empty cell, as spreadsheets write it
            assert not answer.error
        elif answer.error:
            assert answer.error == alone["error"] or len(str(alone["error"])) > 300
        else:
            assert answer.notice == "; ".join(alone["warnings"])  # type: ignore[arg-type]
            assert answer.result is not None
            assert answer.result.to_dict()["players"][-1]["range"] == alone["players"]
    source, target = tmp_path / "typed.csv", tmp_path / "out.csv"
    with source.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["game", "player1", "player2", "board"])
        for spot in spots:
            writer.writerow([spot.get("game"), *spot["players"], spot["board"]])
    arguments = ["batch", str(source), "-o", str(target), "-q", "--trials", "100", "--jobs", "1"]
    monkeypatch.setattr("sys.argv", ["equity", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    capsys.readouterr()
    with target.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for answer, found in zip(answers, rows, strict=True):
        assert found["error"] == (answer.error or "")
        assert found["notice"] == answer.notice


def test_notices_are_errors_where_they_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "s.csv").write_text("player1,player2\n2c2h3c3h,KcKdQcQ\n")
    for arguments in (
        ["odds", HERO["plo4"], "KcKdQcQ", "-b", BOARD],
        ["streets", HERO["plo4"], "KcKdQcQ", "-b", BOARD],
        ["range", "KcKdQcQ"],
        ["batch", str(tmp_path / "s.csv"), "-o", str(tmp_path / "o.csv"), "--jobs", "1"],
    ):
        monkeypatch.setattr("sys.argv", ["equity", *arguments, "--strict"])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert "one card of 4 has no suit" in err
    assert not (tmp_path / "o.csv").exists()


def run_command(
    arguments: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> tuple[str, str]:
    """What a command that succeeds prints on stdout and stderr."""
    monkeypatch.setattr("sys.argv", ["equity", *arguments.split()])
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code
    out, err = capsys.readouterr()
    return out, err


def test_the_notices_of_a_texture_are_in_its_json(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = "range 9c8c7d6 -b Th7h2c --texture --against AhKh9h8 --json"
    out, err = run_command(arguments, capsys, monkeypatch)
    found = json.loads(out)["warnings"]
    assert [line.removeprefix("equity: notice: ") for line in err.splitlines()] == found
    assert [text.partition(",")[0] for text in found] == ["range", "against"]


def test_a_second_board_of_one_card_is_noticed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = "odds AhAsKhKs 9c8c7d6d -b Th7h2c --board2 Kd"
    out, err = run_command(f"{arguments} --json", capsys, monkeypatch)
    (found,) = json.loads(out)["warnings"]
    assert found.startswith("second board: Kd is 1 card of a flop")
    assert err == f"equity: notice: {found}\n"
    out, _ = run_command(f"{arguments} --csv", capsys, monkeypatch)
    assert "warnings" not in out
