"""Every text of the table is read, noticed or refused as it says, wherever it is typed."""

from __future__ import annotations

import json

import pytest
from typed import BOARDS, RANGES, Typed

import equity
from equity.cli import main
from equity.ranges.predicates import ALIASES, PREDICATES
from equity.ranges.words import CONDITIONS, NOT_SLOTS, SPELLED, WORDS

#: A hand of each size, and a complete board beside it and all exact cards of the table.
HERO = {"plo4": "2c2h3c3h", "plo5": "2c2h3c3h4c"}
BOARD = "9c8h7d6h5d"


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
        assert out == ""
        return {"error": err.splitlines()[0].removeprefix("equity: ")}
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
    players = ["AsAdQsJd", "8s8d7s7d"]
    python = ask_python(players, row.game, row.text)
    check(row, python, "board")
    command = ask_command([*players, "-b", row.text], capsys, monkeypatch)
    check(row, command, "board")
    assert command == python


def test_names_of_conditions_are_those_of_the_table() -> None:
    names = {row.name for row in (*PREDICATES, *ALIASES)} | {"BLOCKS"}
    assert sorted(CONDITIONS) == sorted(names)
    letters = set("AKQJTSHDCWXYZRONP")
    spelled = {name for name in names if set(name) <= letters}
    assert spelled == {name for name in SPELLED if f"@{name} " in SPELLED[name]}


def test_words_that_slots_could_spell_are_known() -> None:
    """All others have a letter of no slot, so they are found wherever they stand."""
    plain = {word for word in WORDS if not set(word.upper()) & set(NOT_SLOTS)}
    assert plain == {"or", "and", "not", "any", "any2", "any4"}
