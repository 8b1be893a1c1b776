"""Columns have the same names, and the same values, in commands and in batches."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from batch_tools import call, read_csv, write_csv
from conftest import Run

AA, RUN = "AhAsKhKs", "9c8c7d6d"
LOW = ["AsKdQd2s", "Ac4d3h2h"]
#: What commands say alone: of the program, or in more detail than a batch.
ALONE = {
    *("version", "partial", "outcome_1_count", "outcome_3/4_count", "outcome_1/2_count"),
    *("outcome_1/4_count", "outcome_0_count", "win_count", "tie_count", "low_win", "low_tie"),
    *("low_win_count", "low_tie_count", "high_error", "low_error", "scoop_error"),
    *(f"outcome_{part}_error" for part in ("1", "3/4", "1/2", "1/4", "0")),
    *("twice", "pairs", "counted", "call", "error_target", "no_low_error"),
    *("win_error", "tie_error", "low_win_error", "low_tie_error", "warnings"),
}
#: What batches say alone.
IN_A_BATCH = {
    "id",
    "view",
    "notice",
    "error",
    "pot",
    "contested",
    "rake",
    "rake_exact",
    "pots",
    "orderings",
}


@pytest.mark.parametrize(
    ("players", "options", "columns"),
    [
        ([AA, RUN], ["-b", "Td8h4c"], {}),
        ([AA, "QQ"], ["-b", "Td8h4c", "--trials", "2000"], {}),
        (LOW, ["-g", "o8", "-b", "9s7s6h"], {}),
        ([AA, RUN], ["-b", "Td8h4c"], {"stacks": "100,60"}),
        ([AA, RUN], ["-b", "Td8h4c"], {"call": "50", "pot": "100"}),
        ([AA, "QQ"], ["-b", "Td8h4c"], {"call": "50", "pot": "100", "trials": "2000"}),
    ],
)
def test_columns_of_odds(
    players: list[str], options: list[str], columns: dict[str, str], run: Run, tmp_path: Path
) -> None:
    more = [text for name, value in columns.items() for text in (f"--{name}", value)]
    shown = run("odds", *players, *options, *more, "--csv").stdout
    alone = list(csv.DictReader(io.StringIO(shown)))
    assert " True" not in shown
    spot = dict(zip(("hero", "villain"), players, strict=True)) | columns
    source, target = write_csv(tmp_path / "s.csv", [spot]), tmp_path / "r.csv"
    assert call("batch", source, "-o", target, "--layout", "long", *options).code == 0
    both = set(alone[0]) & set(read_csv(target)[0])
    assert set(alone[0]) - both <= ALONE
    assert set(read_csv(target)[0]) - both <= IN_A_BATCH
    for one, other in zip(alone, read_csv(target), strict=True):
        of_spot = {"call", "pot", "needed", "needed_exact", "gain", "gain_exact", "gain_error"}
        for name in both - (of_spot | {"rake", "rake_exact"} if one["player"] == "2" else set()):
            assert one[name] == other[name], name


@pytest.mark.parametrize(
    ("view", "players", "options"),
    [
        ("streets", LOW, ["-g", "o8"]),
        ("next", [AA, RUN], []),
        ("blockers", [AA, "QQ"], []),
        ("graph", [AA, "QQ"], []),
    ],
)
def test_columns_of_views(
    view: str, players: list[str], options: list[str], run: Run, tmp_path: Path
) -> None:
    options = ["-b", "Td8h4c7s", *options]
    alone = list(csv.DictReader(io.StringIO(run(view, *players, *options, "--csv").stdout)))
    source = write_csv(tmp_path / "s.csv", [dict(zip(("hero", "villain"), players, strict=True))])
    layout = ["--layout", "long"] if view == "graph" else []
    done = call("batch", source, "-o", tmp_path / "r.csv", "--view", view, *options, *layout)
    assert done.code == 0
    rows = [row for row in read_csv(tmp_path / "r.csv") if row.get("player") != "2"]
    both = set(alone[0]) & set(rows[0])
    assert set(alone[0]) - both == {"version"}
    own = {name for name in rows[0] if "_" in name or name in ("equity", "share")} - both
    assert not {name for name in own if rows[0][name]} - {"player1_range"}
    assert len(alone) == len(rows) > 0
    for one, other in zip(alone, rows, strict=True):
        for name in both:
            assert one[name] == other[name], name


@pytest.mark.parametrize(
    "arguments",
    [
        ["games", "--csv"],
        ["odds", AA, RUN, "--csv"],
        ["odds", AA, RUN, "-b", "Td8h4c", "--runs", "2", "--csv"],
        ["blockers", AA, "QQ", "-b", "Td8h4c7s", "--csv"],
    ],
)
def test_truths_are_true_and_false(arguments: list[str], run: Run) -> None:
    shown = run(*arguments).stdout
    assert "True" not in shown
    assert "False" not in shown
    assert "true" in shown
