"""What batches read: tables as programs write them, and files that are none."""

from __future__ import annotations

import datetime
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from batch_tools import call, read_csv, spots, write_csv
from conftest import Run
from hypothesis import given, settings
from hypothesis import strategies as st

from equity.batching import text
from equity.batching.table import Table

AA, RUN = "AhAsKhKs", "9c8c7d6d"
RIVER = "Kd9h4c2s3d"


def rows_of(path: Path, content: str | bytes, format_name: str = "csv") -> list[Any]:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return list(Table(str(path), format_name).rows())


def facts(rows: list[Any]) -> list[tuple[int, Any, Any]]:
    """The line, players and what is carried of each row, or its problem."""
    return [
        (row.line, row.problem or [row.values[name] for name in sorted(row.values)], row.carried)
        for row in rows
    ]


TABLES = {
    "plain": f"player1,player2\n{AA},{RUN}\n",
    "a mark of byte order": f"\ufeffplayer1,player2\r\n{AA},{RUN}\r\n",
    "no end of the last line": f"player1,player2\n{AA},{RUN}",
    "headers in any case": f"PLAYER 1,Player_2\n{AA},{RUN}\n",
    "hero and villain": f"Hero,Villain\n{AA},{RUN}\n",
    "semicolons": f"player1;player2\n{AA};{RUN}\n",
    "tabs": f"player1\tplayer2\n{AA}\t{RUN}\n",
    "what is between is said": f"sep=;\nplayer1;player2\n{AA};{RUN}\n",
    "old line ends": f"player1,player2\r{AA},{RUN}\r",
    "blank lines and comments": f"# spots\n\nplayer1,player2\n\n#{AA},{AA}\n , \n{AA},{RUN}\n\n",
    "quotes": f'"player1","player2"\n"{AA}","{RUN}"\n',
    "spaces": f" player1 , player2 \n {AA} , {RUN} \n",
    "columns without names": f"player1,player2,,\n{AA},{RUN},,\n",
    "short rows": f"player1,player2,board\n{AA},{RUN}\n",
}


@pytest.mark.parametrize("name", TABLES)
def test_tables_as_programs_write_them(name: str, tmp_path: Path) -> None:
    (row,) = rows_of(tmp_path / "spots.csv", TABLES[name])
    assert row.values == {"player1": AA, "player2": RUN}
    assert (row.carried, row.problem, row.number) == ({}, "", 0)
    before = TABLES[name][: TABLES[name].rindex(AA)]
    assert row.line == 1 + len(before.replace("\r\n", "\n").replace("\r", "\n").split("\n")) - 1


def test_fields_with_separators_and_lines_in_them(tmp_path: Path) -> None:
    text = 'players;note;n\n"AA,KK|QQ";"a; ""b""\n# c";1\n\nAA|KK;;2\n'
    assert facts(rows_of(tmp_path / "s.csv", text)) == [
        (2, ["AA,KK|QQ"], {"note": 'a; "b"\n# c', "n": "1"}),
        (5, ["AA|KK"], {"note": "", "n": "2"}),
    ]


def test_carried_columns_of_one_name(tmp_path: Path) -> None:
    (row,) = rows_of(tmp_path / "s.csv", "players,n,n,deals\nAA|KK,1,2,3\n")
    assert row.carried == {"n": "1", "n_2": "2", "deals": "3"}


def test_rows_that_cannot_be_read(tmp_path: Path) -> None:
    content = b'id,players\n1,AA,KK|QQ\n2,AA|\xe9\n3,"AA"x|KK\n4,AA|KK\n5,"AA|KK\n6,AA|KK\n'
    rows = rows_of(tmp_path / "s.csv", content)
    assert [row.line for row in rows] == [2, 3, 4, 5, 6]
    words = ["3 fields, but only 2 columns", "not UTF-8", "expected after", "", "unexpected end"]
    for row, word in zip(rows, words, strict=True):
        assert word in row.problem
        assert bool(row.problem) == bool(word)


def test_a_mark_that_is_not_closed_takes_in_no_more_than_a_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text, "MOST", 1_000)
    lines = [f"{number},AA|KK\n" for number in range(300)]
    lines[100] = '100,"AA|KK\n'
    lines[200] = "200," + "A" * 5_000 + "\n"
    rows = rows_of(tmp_path / "s.csv", "id,players\n" + "".join(lines))
    wrong = [row for row in rows if row.problem]
    assert [row.line for row in wrong] == [102, 202]
    assert all("more than 1,000 characters" in row.problem for row in wrong)
    assert [row.line for row in rows[:101]] == list(range(2, 103))
    assert rows[-1].values == {"id": "299", "players": "AA|KK"}
    lines[200] = '{"players": "' + "A" * 5_000 + '"}\n'
    lines = [line if line[0] == "{" else '{"players": "AA|KK"}\n' for line in lines]
    rows = rows_of(tmp_path / "s.jsonl", "".join(lines), "jsonl")
    assert [row.line for row in rows if row.problem] == [201]
    assert len(rows) == 300


def test_json_lines(tmp_path: Path) -> None:
    lines = [
        '{"Players": ["AA", "KK"], "n": [1, {"a": null}], "board": null, "seed": 3}',
        "# a comment",
        "",
        '{"hero": "AA", "villain": "KK", "x": "\\ud800"}',
        '["AA", "KK"]',
        '{"players": "AA|KK"',
        '{"players": "AA|KK", "n": NaN}',
        '{"players": "AA|KK", "n": ' + "9" * 5_000 + "}",
        "[" * 100_000,
        '{"players": "AA|KK", "hands": "AA|KK"}',
    ]
    rows = rows_of(tmp_path / "s.jsonl", "\ufeff" + "\n".join(lines), "jsonl")
    assert [row.line for row in rows] == [1, 4, 5, 6, 7, 8, 9, 10]
    assert rows[0].values == {"players": ["AA", "KK"], "seed": 3}
    assert rows[0].carried == {"n": [1, {"a": None}]}
    assert rows[1].values == {"player1": "AA", "player2": "KK"}
    assert rows[1].carried == {"x": "\\ud800"}
    words = ["not a JSON object", "not JSON", "NaN", "not JSON", "not JSON", "'hands'"]
    for row, word in zip(rows[2:], words, strict=True):
        assert word in row.problem


def test_parquet_values(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet

    table = arrow.table(
        {
            "players": [["AA", "KK"], ["QQ", "JJ"], None],
            "Board": ["Kh9h4c", None, ""],
            "trials": [1_000.0, float("nan"), None],
            "day": [datetime.date(2024, 1, 2), None, None],
            "n": arrow.array([1, 2, None], arrow.uint64()),
        }
    )
    path = tmp_path / "s.parquet"
    pyarrow.parquet.write_table(table, path)
    rows = list(Table(str(path), "parquet").rows())
    assert [row.values for row in rows] == [
        {"players": ["AA", "KK"], "board": "Kh9h4c", "trials": 1_000.0},
        {"players": ["QQ", "JJ"]},
        {},
    ]
    assert [row.carried for row in rows] == [
        {"day": "2024-01-02", "n": 1},
        {"day": None, "n": 2},
        {"day": None, "n": None},
    ]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("s.csv", b"", ["the table is empty"]),
        ("s.csv", b"a,b\n1,2\n", ["line 1", "no column has players", "'a', 'b'"]),
        ("s.csv", f"{AA},{RUN}\n".encode(), ["line 1", "the first line names the columns"]),
        ("s.csv", b"\xff\xfep\x00", ["UTF-16", "CSV UTF-8"]),
        ("s.csv", b"# x\nplayers,\xff\nAA|KK,1\n", ["line 2", "not UTF-8"]),
        ("s.csv", b"players,hands\n", ["'players' and 'hands' are both players"]),
        ("s.csv", b'"players"x\n', ["line 1", "not CSV"]),
        ("s.parquet", b"PAR1", ["not a Parquet file"]),
        ("s.parquet", b"PAR1" + b"\0" * 100 + b"PAR1", ["not a Parquet file"]),
        ("s.dat", b"players\n", ["'", "no known ending", "--format"]),
        ("s.csv", None, ["cannot be read", "No such file"]),
    ],
)
def test_files_that_are_no_tables(
    name: str, content: bytes | None, words: list[str], tmp_path: Path
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    done = call("batch", path, "-o", tmp_path / "r.csv")
    assert done.code == 2
    assert done.stderr.startswith("equity: spots")
    assert len(done.stderr.splitlines()) == 1
    for word in words:
        assert word in done.stderr
    assert not (tmp_path / "r.csv").exists()


def test_a_folder_a_pipe_and_no_rows(run: Run, tmp_path: Path) -> None:
    done = run("batch", str(tmp_path), "--format", "csv", "-o", "-", code=2)
    assert "Is a directory" in done.stderr
    (tmp_path / "s.csv").write_text("players\n")
    called = call("batch", tmp_path / "s.csv", "-o", tmp_path, "--format", "csv")
    assert (called.code, "is a folder" in called.stderr) == (2, True)
    assert call("batch", tmp_path / "s.csv", "-o", tmp_path / "r.csv").code == 0
    assert read_csv(tmp_path / "r.csv") == []
    if hasattr(os, "mkfifo"):
        pipe = tmp_path / "pipe.csv"
        os.mkfifo(pipe)
        with subprocess.Popen(["cp", write_csv(tmp_path / "s.csv", list(spots(3))), pipe]):
            assert call("batch", pipe, "-o", tmp_path / "p.csv", "--jobs", "1").code == 0
        assert len(read_csv(tmp_path / "p.csv")) == 3


def test_the_spots_are_not_overwritten(tmp_path: Path) -> None:
    source = write_csv(tmp_path / "s.csv", list(spots(3)))
    before = source.read_bytes()
    done = call("batch", source, "-o", source, "--force")
    assert (done.code, source.read_bytes()) == (2, before)
    assert "is an input; the results or their journal would overwrite it" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["s.csv"], ["-o"]),
        (["-o", "-"], ["spots", "there are none"]),
        (["s.csv", "-o", "-", "--players", "AA"], ["both SPOTS and --players"]),
        (["s.csv", "-o", "-", "--boards", "flops"], ["boards"]),
        (["s.csv", "-o", "r.txt"], ["output", "'r.txt'", "ending"]),
        (["s.csv", "-o", "none/r.csv"], ["no folder"]),
        (["s.csv", "-o", "-", "--resume"], ["--resume needs a file"]),
        (["s.csv", "-o", "-", "--shard", "1/2"], ["--shard needs a file"]),
        (["s.csv", "-o", "r.csv", "--shard", "3/2"], ["'3/2'", "2/8"]),
        (["s.csv", "-o", "-", "--format", "parquet"], ["Parquet needs a file"]),
        (["s.csv", "-o", "r.csv", "--resume", "--force"], ["--resume", "--force"]),
        (["s.csv", "-o", "-", "-g", "chess"], ["'chess'"]),
        (["s.csv", "-o", "-", "-b", "Kh?"], ["board"]),
        (["s.csv", "-o", "-", "--trials", "0"], ["trials", "0 is too small"]),
        (["s.csv", "-o", "-", "--trials", "9", "--exact"], ["exact"]),
        (["s.csv", "-o", "-", "--ordering", "best"], ["'best'"]),
        (["s.csv", "-o", "-", "--jobs", "0"], ["--jobs"]),
        (["s.csv", "-o", "-", "--jobs", "2", "--cluster", "tcp://127.0.0.1:9"], ["jobs"]),
        (["--players", "AA|", "--players", "KK", "-o", "-"], ["seat 1"]),
        (["--players", "AA|nan", "--players", "KK", "-o", "-"], ["seat 1", "invalid value 'nan'"]),
        (["--players", "AA", "--players", "KK|inf", "-o", "-"], ["seat 2", "invalid value 'inf'"]),
        (["--players", "AA", "--players", "KK1", "-o", "-"], ["seat 2", "'1'"]),
        (["--players", "AA", "--players", "KK", "--boards", "no?", "-o", "-"], ["boards"]),
    ],
)
def test_wrong_options(
    arguments: list[str], words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_csv(tmp_path / "s.csv", list(spots(3)))
    done = call("batch", *arguments)
    assert done.code == 2
    # An error in a pattern has a mark under its text.
    assert len(done.stderr.splitlines()) in (1, 3)
    assert done.stderr.isascii()
    for word in words:
        assert word in done.stderr
    assert os.listdir(tmp_path) == ["s.csv"]


def check_fuzzed(name: str, content: bytes) -> None:
    """See that a file gives an error or rows, some with errors, and nothing else."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, name), Path(folder, "r.csv")
        source.write_bytes(content)
        done = call("batch", source, "-o", target, "--jobs", "1", "--trials", "100")
        assert done.code in (0, 1, 2), done.stderr
        assert done.stderr.isascii()
        assert "Traceback" not in done.stderr
        assert "unexpected" not in done.stderr.replace("unexpected end", ""), done.stderr
        assert target.exists() == (done.code != 2)
        if target.exists():
            rows = read_csv(target)
            assert (done.code == 1) == any(row["error"] for row in rows)
            assert all(None not in row and None not in row.values() for row in rows)


@settings(max_examples=60)
@given(st.binary(max_size=300), st.sampled_from(["s.csv", "s.jsonl", "s.parquet"]))
def test_random_bytes(content: bytes, name: str) -> None:
    check_fuzzed(name, content)


GOOD = {
    "s.csv": f'id,players,board,note,trials\n1,{AA}|{RUN},{RIVER},"a, b",\n'
    f"2,AA|KK,{RIVER},x,100\n3,{AA}|{RUN},,,\n",
    "s.jsonl": f'{{"players": ["{AA}", "{RUN}"], "board": "{RIVER}"}}\n'
    f'{{"hero": "AA", "villain": "KK", "board": "{RIVER}", "trials": 9, "n": 1.5}}\n',
}


@settings(max_examples=50)
@given(
    st.sampled_from(sorted(GOOD)),
    st.lists(
        st.tuples(
            st.integers(0, 200),
            st.integers(0, 9),
            st.one_of(
                st.binary(max_size=3),
                st.sampled_from(
                    [b"\0", b'"', b",", b";", b"\n", b"\r", b"|", b"(", b"{", b"\xff", b"#", b"%"]
                ),
                st.just(b"A" * 70_000),
                st.just(b"(" * 2_000),
            ),
        ),
        min_size=1,
        max_size=4,
    ),
)
def test_changed_tables(name: str, changes: list[tuple[int, int, bytes]]) -> None:
    content = GOOD[name].encode()
    for at, gone, new in changes:
        content = content[:at] + new + content[at + gone :]
    check_fuzzed(name, content)


def test_output_that_cannot_be_written(run: Run, command: list[str], tmp_path: Path) -> None:
    source = write_csv(tmp_path / "s.csv", list(spots(9)))
    if os.path.exists("/dev/full"):
        full = run(
            "batch", str(source), "-o", "/dev/full", "--format", "csv", "--jobs", "1", code=1
        )
        assert full.stderr == "equity: '/dev/full': cannot write: No space left on device\n"
        with open("/dev/full", "wb") as device:
            done = subprocess.run(
                [*command, "batch", source, "-o", "-", "--jobs", "2"],
                stdout=device,
                stderr=subprocess.PIPE,
                text=True,
                check=False,
            )
        assert done.returncode == 1
        assert done.stderr.startswith("equity: '-': cannot write: No space left on device")
        assert len(done.stderr.splitlines()) == 1
    if hasattr(os, "geteuid") and os.geteuid() != 0:
        tmp_path.chmod(0o500)
        done = run("batch", str(source), "-o", str(tmp_path / "r.csv"), code=1)
        assert "cannot write: Permission denied" in done.stderr


@pytest.mark.parametrize(
    ("module", "arguments"),
    [
        ("pyarrow", ["s.csv", "-o", "r.parquet"]),
        ("pyarrow", ["s.parquet", "-o", "r.csv"]),
        ("distributed", ["s.csv", "-o", "r.csv", "--cluster", "local"]),
    ],
)
def test_extras_that_are_not_installed(
    module: str, arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, module, None)
    write_csv(Path("s.csv"), list(spots(3)))
    Path("s.parquet").write_bytes(b"PAR1")
    done = call("batch", *arguments)
    assert done.code == 2
    assert "not installed; pip install 'omaha-equity[" in done.stderr
    # Nothing is begun.
    assert sorted(os.listdir()) == ["s.csv", "s.parquet"]


def test_a_reader_that_goes_away(command: list[str], tmp_path: Path) -> None:
    source = write_csv(tmp_path / "s.csv", [{"player1": AA, "player2": RUN}] * 20_000)
    with subprocess.Popen(
        [*command, "batch", source, "-o", "-", "-q", "--jobs", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b"id,")
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 1


def test_standard_input_that_is_closed(command: list[str]) -> None:
    done = subprocess.run(
        [*command, "batch", "-", "-o", "-"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "the table is empty" in done.stderr
