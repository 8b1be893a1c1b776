"""Columns of batches: names that look like known ones, streets, missing values, options."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from batch_tools import call, read_csv

from equity import batch
from equity.batching.columns import lookalike

AA, RUN, QQ = "AhAsKhKs", "9c8c7d6d", "QdQcJdTd"
RIVER = "Kd9h4c2s3d"
LOOKALIKES = {
    "board": "flop turn river boards borad Bord flops board1 'community cards' runout",
    "villain": "'villain range' 'Villain (hand)' villian villains",
    "villain2": "villian2 'villain 2 range'",
    "hero": 'heor hero_range "Hero\'s hand"',
    "hands": "hand",
    "players": "range ranges cards 'Hole Cards' player BTN utg bb",
    "player2": "range2 'Player #2' P2 'seat 2' plyer2 hand2 player2_cards opponent",
    "stacks": "stack Stcks player1_stack chips 'hero stack'",
    "dead": "'dead cards' Deadcards",
    "game": "games gmae variant",
    "trials": "trial trails iterations",
    "exact": "excat exakt",
    "pot": "pots 'pot size'",
    "call": "calls 'to call'",
    "error": "errors std_error",
    "ordering": "orderings oredring",
}
NOTES = """
note notes name spot spots date time site position pos street result ev equity deal dealer lot post
port comment label source session table hand_id handno hand_number hero_pos villain_pos hero_name
hero_equity player1_equity player1_combos player2_low deals weight method no_low action bet size
tournament round level read line need code value group rank tag profit winner won lost share combos
texture board_texture game_id pot_odds pot_type limit stake stakes sb/bb villain_fold_pct needed
gain spr vpip seat hand_class turn_card #board #flop multiplicity
"""


def words(text: str) -> list[str]:
    import shlex

    return shlex.split(text)


def test_names_that_look_like_known_ones() -> None:
    found = {name: lookalike(name) for text in LOOKALIKES.values() for name in words(text)}
    wanted = {name: known for known, text in LOOKALIKES.items() for name in words(text)}
    assert found == wanted
    assert {name: lookalike(name) for name in NOTES.split()} == dict.fromkeys(NOTES.split(), "")


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Write rows in the format of a path."""
    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    elif path.suffix == ".parquet":
        arrow = pytest.importorskip("pyarrow")
        import pyarrow.parquet

        pyarrow.parquet.write_table(arrow.Table.from_pylist(rows), path)
    else:
        lines = [list(rows[0]), *(list(map(str, row.values())) for row in rows)]
        path.write_text("".join(";".join(line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_a_column_that_looks_like_a_known_one_is_refused(ending: str, tmp_path: Path) -> None:
    row = {"hero": AA, "villain": RUN, "flop": "Kd9h4c", "stack": 100, "spot": "a"}
    source, target = write(tmp_path / f"s.{ending}", [row, row]), tmp_path / "r.csv"
    done = call("batch", source, "-o", target)
    assert done.code == 2
    assert len(done.stderr.splitlines()) == 1
    for word in (
        "'flop' (did you mean board?)",
        "'stack' (did you mean stacks?)",
        "--ignore-columns 'flop,stack'",
    ):
        assert word in done.stderr
    assert not target.exists()
    for ignored in ("all", "flop,stack", " Stack ,FLOP"):
        done = call("batch", source, "-o", target, "--force", "--ignore-columns", ignored)
        assert (done.code, done.stderr) == (0, "equity: 2 spots done\n")
    for line in target.read_text().splitlines()[1:]:
        assert "Kd9h4c" in line
        assert "326093/543004" in line
    done = call("batch", source, "-o", target, "--force", "--ignore-columns", "flop,stack,flpo")
    assert (done.code, "there is no column 'flpo'" in done.stderr) == (2, True)
    marked = {f"#{name}" if name in ("flop", "stack") else name: row[name] for name in row}
    source = write(tmp_path / f"t.{ending}", [marked])
    assert call("batch", source, "-o", target, "--force").stderr == "equity: 1 spot done\n"
    assert "#flop" in target.read_text().splitlines()[0]


def test_a_known_column_may_be_ignored(tmp_path: Path) -> None:
    source = tmp_path / "s.csv"
    source.write_text(f"hero,villain,board,pot,call\n{AA},{RUN},{RIVER},100,50\n")
    done = call("batch", source, "-o", tmp_path / "r.csv", "--ignore-columns", "pot,call")
    assert done.code == 0
    (row,) = read_csv(tmp_path / "r.csv")
    assert (row["pot"], row["call"], "needed" in row) == ("100", "50", False)
    done = call("batch", "--players", AA, "--players", RUN, "-o", "-", "--ignore-columns", "x")
    assert (done.code, "--ignore-columns: there is no table" in done.stderr) == (2, True)


def answers(*rows: Any, **how: Any) -> list[Any]:
    """What Python says of some spots: the first equity, or the error."""
    how = {"jobs": 1} | how
    return [
        answer.error or str(answer.result.equities_exact[0])  # type: ignore[union-attr]
        for answer in batch(rows, **how)
    ]


def test_keys_from_python() -> None:
    spot = {"players": [AA, RUN], "board": RIVER}
    ok, wrong = answers(spot, spot | {"stack": 5})
    assert ok == "1"
    assert "'stack' (did you mean stacks?)" in wrong
    assert answers(spot | {"stack": 5}, ignore_columns=["stack"]) == ["1"]
    assert answers(spot | {"stack": 5, "hand": 3}, ignore_columns="all") == ["1"]


def test_streets_are_the_board() -> None:
    spot = {"players": [AA, RUN]}
    streets = {"flop": "Kd 9h 4c", "turn": "2s", "river": "3d"}
    (whole,) = answers(spot | {"board": RIVER})
    assert answers(spot | streets) == [whole]
    four = answers(spot | {"board": "Kd9h4c2s"})
    assert answers(spot | {"flop": "Kd9h4c", "turn": "2s"}) == four
    assert answers(spot | {"flop": "Kd9h4c", "turn": "2s", "river": None}) == four
    assert answers(spot | {"flop": "", "turn": "-"}) == answers(spot)
    for wrong, said in {
        "flop 'board": "'flop' (did you mean board?)",
        "turn river": "'turn' (did you mean board?), 'river' (did you mean board?)",
        "flop turn river board": "flop and turn, or flop, turn and river, make up the board",
    }.items():
        names = wrong.replace("'", "").split() if "board" in wrong and "turn" in wrong else None
        row = dict.fromkeys(names or wrong.replace(" 'board", "").split(), "")
        assert said in answers(spot | row)[0]
    changes: list[tuple[dict[str, str | None], str]] = [
        ({"flop": "Kd9h4c2s"}, "flop: Kd9h4c2s has 4 cards; a flop has 3"),
        ({"flop": None}, "turn: 2s is given, but the flop is missing"),
        ({"turn": "nan"}, "river: 3d is given, but the turn is missing"),
        ({"turn": "2s3d"}, "turn: 2s3d has 2 cards; a turn has 1"),
        ({"turn": "?"}, "turn"),
        ({"river": "2s"}, "2s"),
    ]
    for changed, said in changes:
        assert said in answers(spot | streets | changed)[0], changed


def test_streets_of_a_table(tmp_path: Path) -> None:
    source, target = tmp_path / "s.csv", tmp_path / "r.csv"
    source.write_text(
        f"hero,villain,Flop,Turn,River\n{AA},{RUN},Kd9h4c,2s,3d\n{AA},{RUN},Kd9h4c,2s,\n"
        f"{AA},{RUN},Kd9h4c,,\n{AA},{RUN},,,\n"
    )
    assert call("batch", source, "-o", target, "-b", "Kd9h4c2h").code == 0
    boards = ["Kd9h4c2s3d", "Kd9h4c2s", "Kd9h4c", "Kd9h4c2h"]
    assert [row["board"] for row in read_csv(target)] == boards
    source.write_text(f"hero,villain,flop\n{AA},{RUN},Kd9h4c\n")
    done = call("batch", source, "-o", target, "--force")
    assert (done.code, "'flop' (did you mean board?)" in done.stderr) == (2, True)


class Missing:
    """As pandas.NA: comparing it gives no truth."""

    def __ne__(self, _: object) -> Missing:  # type: ignore[override]
        return self

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        raise TypeError("boolean value of NA is ambiguous")

    def __repr__(self) -> str:
        return "<NA>"


MISSING = ["nan", "NaN", "None", "NULL", "null", "NA", "N/A", "#N/A", "<NA>", "NaT", " nan "]
NOT_TEXT = ["inf", "-inf", "Infinity", "true", "FALSE"]


@pytest.mark.parametrize("value", [*MISSING, None, float("nan"), Missing()], ids=repr)
def test_missing_values(value: Any) -> None:
    spot = {"player1": AA, "player2": RUN, "board": RIVER}
    names = ("player3", "dead", "game", "trials", "exact", "stacks", "call", "seed", "view")
    assert answers(*(spot | {name: value} for name in names)) == ["1"] * len(names)
    (alone,) = answers(spot | {"player2": value})
    assert "1 player" in alone
    assert answers({"players": [AA, value], "board": RIVER}) == [
        "player 2 is missing; give every player a hand or a range"
    ]
    assert "player 1 is missing" in answers([value, RUN])[0]
    if isinstance(value, str):
        assert "player 2 is missing" in answers({"players": f"{AA}|{value}"})[0]
    (answer,) = batch([spot | {"id": value, "note": value}], jobs=1)
    assert answer.id == (value.strip() if isinstance(value, str) else 1)


@pytest.mark.parametrize("value", [*NOT_TEXT, float("inf"), True, False, 1.5, 7], ids=repr)
def test_values_of_other_kinds_are_errors(value: Any) -> None:
    spot = {"player1": AA, "player2": "KK", "board": RIVER}
    for name in ("player2", "board", "dead", "game", "ordering", "view", "board2"):
        (said,) = answers(spot | {name: value})
        assert said.startswith("hand 2" if name == "player2" else name), said
    if value not in (1.5, 7, True, False, "true", "FALSE"):
        for name in ("trials", "error", "budget", "seed", "pot", "stacks", "call"):
            assert "/" not in answers(spot | {name: value, "call": value})[0]


def test_missing_values_in_a_table(tmp_path: Path) -> None:
    source, target = tmp_path / "s.csv", tmp_path / "r.csv"
    lines = [f"{AA},{RUN},{word},{RIVER},{word}" for word in MISSING]
    lines += [f"{AA},{word},,{RIVER}," for word in (*MISSING, *NOT_TEXT)]
    source.write_text("hero,villain,villain2,board,trials\n" + "\n".join(lines))
    assert call("batch", source, "-o", target).code == 1
    rows = read_csv(target)
    answered = [row["player1_equity_exact"] for row in rows]
    assert answered == ["1"] * len(MISSING) + [""] * len(MISSING + NOT_TEXT)
    assert all("1 player" in row["error"] for row in rows[len(MISSING) : 2 * len(MISSING)])
    assert all("hand 2: " in row["error"] for row in rows[2 * len(MISSING) :])


# What is asked on the command line is never put aside in silence.

ROW = {"hero": AA, "villain": RUN, "board": "Kd9h4c2s"}


@pytest.mark.parametrize(
    ("columns", "options", "words"),
    [
        ({"pot": "100", "call": "50"}, ["--view", "streets"], ["call", "streets"]),
        ({"stacks": "100,50"}, ["--view", "next"], ["stacks", "money", "next"]),
        ({"call": "50"}, ["--stacks", "100,50"], ["call", "stacks", "money"]),
        ({"board2": "-"}, ["--call", "50", "--pot", "100"], ["board2", "double", "call"]),
        ({"runs": "2"}, ["--view", "streets"], ["runs", "double", "streets"]),
    ],
)
def test_a_row_that_asks_for_something_else_is_refused(
    columns: dict[str, str], options: list[str], words: list[str], tmp_path: Path
) -> None:
    source = write(tmp_path / "s.csv", [ROW | dict.fromkeys(columns, ""), ROW | columns])
    done = call("batch", source, "-o", tmp_path / "r.csv", *options)
    assert done.code == 2
    assert "spots, line 3" in done.stderr
    for word in words:
        assert word in done.stderr
    assert not (tmp_path / "r.csv").exists()
    names = ",".join(columns)
    done = call("batch", source, "-o", tmp_path / "r.csv", *options, "--ignore-columns", names)
    assert done.code == 0


def test_a_row_that_asks_for_something_else_from_python() -> None:
    spot = {"players": [AA, RUN], "board": "Kd9h4c2s", "pot": 100, "call": 50}
    (answer,) = batch([spot], view="streets", jobs=1)
    assert (answer.error or "").startswith("call: the column asks for call, and the option view")
    (answer,) = batch([spot], jobs=1)
    assert (answer.error, answer.rows()[0]["view"]) == (None, "call")


@pytest.mark.parametrize(
    ("columns", "options"),
    [
        ({"stacks": "100,50"}, ["--view", "odds"]),
        ({"view": "odds"}, ["--stacks", "100,50"]),
        ({"view": "Odds"}, ["--view", "odds"]),
        ({"view": "streets"}, ["--view", "streets"]),
        ({"view": "", "call": ""}, ["--view", "streets"]),
    ],
)
def test_a_row_that_asks_for_the_same(
    columns: dict[str, str], options: list[str], tmp_path: Path
) -> None:
    source = write(tmp_path / "s.csv", [ROW | columns])
    done = call("batch", source, "-o", tmp_path / "r.csv", *options)
    assert (done.code, done.stderr) == (0, "equity: 1 spot done\n")


@pytest.mark.parametrize(
    ("column", "value", "options", "said"),
    [
        ("game", "plo4", "-g plo8", "--game is overridden in 1 of 2 spots: their column game"),
        ("board", RIVER, "-b Kd9h4c", "--board is overridden in 1 of 2 spots: their column board"),
        ("board", "-", "-b Kd9h4c", "--board is overridden in 1 of 2 spots: their column board"),
        ("dead", "2c", "-d 2d", "--dead is overridden in 1 of 2 spots: their column dead"),
        ("seed", "1", "--seed 2", "--seed is overridden in 1 of 2 spots: their column seed"),
        ("exact", "false", "--exact", "--exact is overridden in 1 of 2 spots: their column exact"),
        ("trials", "100", "--exact", "--exact is overridden in 1 of 2 spots: their column trials"),
        ("error", "0.002", "--trials 90", ""),
        (
            "exact",
            "true",
            "--trials 90",
            "--trials is overridden in 1 of 2 spots: their column exact",
        ),
        ("exact", "false", "--trials 90", ""),
        (
            "view",
            "next-two",
            "--trials 90",
            "--trials is overridden in 1 of 2 spots: the view next-two does",
        ),
        (
            "view",
            "next-two",
            "--view streets",
            "--view is overridden in 1 of 2 spots: their column",
        ),
        ("view", "next-two", "--call 5 --pot 9", "--call is overridden in 1 of 2 spots: the view"),
        ("ordering", "ring", "--ordering random", "--ordering is overridden in 1 of 2 spots"),
        ("game", "PLO4", "-g plo4", ""),
        ("board", "", "-b Kd9h4c", ""),
    ],
)
def test_options_that_a_row_puts_aside(
    column: str, value: str, options: str, said: str, tmp_path: Path
) -> None:
    rows = [{"hero": AA, "villain": RUN, column: text} for text in ("", value)]
    if column == "view":
        rows = [row | {"board": "Kd9h4c"} for row in rows]
    source = write(tmp_path / "s.csv", rows)
    done = call("batch", source, "-o", "-", *options.split(), "--columns", "id")
    assert done.code == 0, done.stderr
    notices = done.stderr.splitlines()
    assert len(notices) == 1 + bool(said) + ("--pot" in options)
    assert said in notices[0]
    done = call("batch", source, "-o", "-", *options.split(), "--columns", "id", "-q")
    assert done.stderr == ""
